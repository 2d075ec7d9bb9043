"""Whole games of CGOS clients with engines of the tests: logins, rounds, results, cuts, and other dialects opposite."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest

from gateway.store.accounts import SqlAccounts
from tests.conformance.cgos.clients import PATIENCE_S, Brain, CgosClient, first_legal
from tests.conformance.gtp.ends import OnPort
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.passwords import hashed
from tests.running import RECORD, RunningServer, made_record
from tests.web_client import WebClient

SEVEN, SHORT, GUI, WEB = range(4)
LISTENERS: Final = ("cgos,size=7", "cgos,size=5,time=1", "gtp-gui", "http")
PASSWORD: Final = "correct horse"
ACCOUNTS: Final = ("AyaMC", "Leela")
_NUMBERS: Final = count(1)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = Path(tmp_path_factory.mktemp("cgos"))
    with closing(SqlAccounts(made_record(data / RECORD))) as accounts:
        for name in ACCOUNTS:
            accounts.add(name, hashed(PASSWORD), "test")
    with fast(data, *LISTENERS, SEATS_ROUND="0.1s", SEATS_GRACE="30s") as found:
        yield found
        assert "Traceback" not in found.log.read_text()


@pytest.fixture
def engine(running: RunningServer) -> Iterator[Callable[..., CgosClient]]:
    with ExitStack() as stack:

        def come(
            name: str,
            brain: Brain = first_legal,
            password: str = "a secret",
            at: int = SEVEN,
            end: bytes = b"\r\n",
        ) -> CgosClient:
            """A guest has a name that no other test has: who logs in the same way again goes on where it was."""
            called = name if name in ACCOUNTS or password != "a secret" else f"{name}_{next(_NUMBERS)}"
            client = CgosClient(running.ports[at], called, password, brain, end=end)
            stack.callback(client.close)
            client.log_in()
            return client

        yield come


def together(*acts: Callable[[], object]) -> None:
    """Let all act at once; what one of them raises is raised."""
    failed: list[BaseException] = []

    def act(one: Callable[[], object]) -> None:
        try:
            one()
        except BaseException as error:  # it is raised below
            failed.append(error)

    threads = [threading.Thread(target=act, args=(one,), daemon=True) for one in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
        assert not thread.is_alive()
    if failed:
        raise failed[0]


def pair(one: CgosClient, other: CgosClient) -> tuple[CgosClient, CgosClient]:
    """Both at their game: Black and White."""
    for each in (one, other):
        each.serve("setup")
    assert one.game.names == other.game.names
    return (one, other) if one.game.seat == 0 else (other, one)


def test_two_engines_play_game_after_game_and_both_are_told_the_same(engine: Callable[..., CgosClient]) -> None:
    one, other = engine("Crazy-1"), engine("ray.2", end=b"\n")
    together(lambda: one.plays(2), lambda: other.plays(2))
    for first, second in zip(one.games[:2], other.games[:2], strict=True):
        assert (first.number, first.moves, first.result) == (second.number, second.moves, second.result)
        assert (first.size, first.komi, first.main_ms) == (7, "7.5", 300_000)
        assert set(first.names) == {one.name, other.name}
        assert len(first.moves) == 22
        assert first.result[:2] in ("B+", "W+")
    assert one.games[0].number != one.games[1].number


def test_who_is_cut_off_comes_back_to_the_whole_game_and_is_asked_again(engine: Callable[..., CgosClient]) -> None:
    black, white = pair(engine("Crazy-1"), engine("ray.2"))
    for mover in (black, white):
        mover.serve("genmove")
        mover.moves()
    black.serve("genmove")
    left = black.game.left
    black.close()
    black.dial()
    black.serve("setup")
    assert black.game.moves == white.game.moves
    black.serve("genmove")
    assert black.game.left <= left
    white.close()  # while the other one thinks
    black.moves()
    white.dial()
    white.serve("setup")
    assert white.game.moves == black.game.moves
    together(black.plays, white.plays)
    assert black.game.moves == white.game.moves


def test_a_killed_server_goes_on_where_the_game_was(tmp_path: Path) -> None:
    """ "server restarted: game goes on, clock charged" """
    listener = "cgos,size=5"
    with fast(tmp_path, listener, SEATS_ROUND="0.1s") as there:
        port = there.ports[0]
        both = [CgosClient(port, name, "a secret", first_legal) for name in ("Crazy-1", "ray.2")]
        for each in both:
            each.log_in()
        black, white = pair(*both)
        black.serve("genmove")
        black.moves()
        white.serve("genmove")
        left, before = white.game.left, white.game
        there.kill()
    for each in both:
        each.close()
    with fast(tmp_path, listener, ports={0: port}, SEATS_ROUND="0.1s"), closing(black), closing(white):
        for each in (black, white):
            each.dial()
            each.serve("setup")
            assert (each.game.number, each.game.moves) == (before.number, ["A1"])
        white.serve("genmove")
        assert white.game.left <= left
        white.moves()
        together(black.plays, white.plays)
        assert black.game.moves == white.game.moves
        assert black.game.result == white.game.result != ""


def test_the_same_login_once_more_takes_the_seat_and_the_first_is_told_so(engine: Callable[..., CgosClient]) -> None:
    black, white = pair(engine("Crazy-1"), engine("ray.2"))
    second = engine(black.name, password="a secret ")
    second.serve("setup")
    assert second.game.number == white.game.number
    assert "another client has taken your seat" in black.serve("info another")
    together(second.plays, white.plays)


def plays_then(*answers: str) -> Brain:
    """An engine that gives these answers, one after the other."""
    left = list(answers)
    return lambda game: left.pop(0)


@pytest.mark.parametrize(
    ("black", "result"),
    [
        (("A1", "A1"), "W+Illegal"),
        (("Z99",), "W+Illegal"),
        (("hello",), "W+Illegal"),
        (("resign",), "W+Resign"),
        (("D4 {}", 'pass {"winrate": 0.5}', "resign"), "W+Resign"),
    ],
)
def test_how_a_game_may_end(engine: Callable[..., CgosClient], black: tuple[str, ...], result: str) -> None:
    """ "RESULT: B+3.5, W+Resign, B+Time, W+Illegal, Draw" """
    one, other = pair(engine("Crazy-1"), engine("ray.2"))
    one._brain, other._brain = plays_then(*black), first_legal
    together(one.plays, other.plays)
    assert one.game.result == other.game.result == result


def test_the_flag_of_an_engine_that_thinks_falls_and_its_late_answer_counts_for_nothing(
    engine: Callable[..., CgosClient],
) -> None:
    one, other = pair(engine("Crazy-1", at=SHORT), engine("ray.2", at=SHORT))
    one.serve("genmove")
    for each in (one, other):
        word, date, result = each.serve("gameover").split()
        assert (word, result) == ("gameover", "W+Time")
        assert abs(datetime.fromisoformat(f"{date}T12:00+00:00") - datetime.now(UTC)) < timedelta(days=2)
    one.say("C3")
    for each in (one, other):
        each.say("ready")
    for each in (one, other):
        each.serve("setup")


def test_an_even_score_is_a_draw(running: RunningServer, tmp_path: Path) -> None:
    with fast(tmp_path, "cgos,size=5,komi=0", SEATS_ROUND="0.1s") as there:
        both = [CgosClient(there.ports[0], name, "a secret", lambda _: "pass") for name in ("Crazy-1", "ray.2")]
        together(*(each.plays for each in both))
        assert [each.game.result for each in both] == ["Draw", "Draw"]
        for each in both:
            each.close()


def test_an_account_plays_by_its_password_and_nobody_else_has_its_name(engine: Callable[..., CgosClient]) -> None:
    mine, guest = engine("AyaMC", password=PASSWORD), engine("Crazy-1")
    assert set(pair(mine, guest)[0].game.names) == {"AyaMC", guest.name}
    thief = engine("AyaMC", password="not the one")
    assert "no password or token" in thief.serve("Error:")
    empty = engine("AyaMC", password="")
    assert "AyaMC" in empty.serve("Error:")
    together(mine.plays, guest.plays)


def test_the_answer_old_new_changes_the_password_of_an_account(tmp_path: Path) -> None:
    """ "password, or old new to change it" """
    with closing(SqlAccounts(made_record(tmp_path / RECORD))) as accounts:
        accounts.add("AyaMC", hashed(PASSWORD), "test")
    with fast(tmp_path, "cgos,size=7", SEATS_ROUND="0.1s") as there, ExitStack() as stack:

        def comes(name: str, password: str) -> CgosClient:
            client = CgosClient(there.ports[0], name, password, lambda _: "resign")
            stack.callback(client.close)
            client.log_in()
            return client

        for wrong in ("correct pony battery-staple", f"{PASSWORD} short"):
            refused = comes("AyaMC", wrong).serve("Error:")
            assert ("no password or token" in refused) == (wrong != f"{PASSWORD} short")
        mine, guest = comes("AyaMC", f"{PASSWORD} battery-staple"), comes("Crazy-1", "old secret new")
        mine.serve("setup")
        mine.close()
        mine.dial()
        mine.serve("setup")
        assert len(mine.games) == 1, "the same line takes the seat back"
        together(mine.plays, guest.plays)
        assert set(mine.game.names) == {"AyaMC", "Crazy-1"}
        mine.close()
        assert "no password or token" in comes("AyaMC", PASSWORD).serve("Error:")
        again = comes("AyaMC", "battery-staple")
        together(again.plays, guest.plays)


def test_a_rated_game_shows_both_ratings_and_is_a_rung_of_the_ladder(tmp_path: Path) -> None:
    with closing(SqlAccounts(made_record(tmp_path / RECORD))) as accounts:
        for name in ACCOUNTS:
            accounts.add(name, hashed(PASSWORD), "test")
    with fast(tmp_path, "cgos,rated=yes", "http", SEATS_ROUND="0.1s") as there:
        long = partial(first_legal, most=44)
        both = [CgosClient(there.ports[0], name, PASSWORD, long) for name in ACCOUNTS]
        together(*(partial(each.serve, "gameover") for each in both))
        for each in both:
            (told,) = (line for line in each.said if line.startswith("setup"))
            assert set(told.split()[5:7]) == {"AyaMC(1500?)", "Leela(1500?)"}
            assert each.serve("info rated:").count("->") == 2
            each.say("ready")
        together(*(partial(each.serve, "setup") for each in both))
        assert "1500" not in both[0].said[-1]
        for each in both:
            each.close()
        with urlopen(f"http://127.0.0.1:{there.ports[1]}/api/ratings", timeout=PATIENCE_S) as answer:
            pools = json.load(answer)["pools"]
        assert [pool["pool"] for pool in pools] == ["go/9/engines"]
        guest = CgosClient(there.ports[0], "Crazy-1", "a secret", first_legal)
        assert "account" in guest.serve("Error:")
        guest.close()


def test_a_person_at_a_gui_plays_an_engine_and_what_a_person_marks_is_played_out(
    engine: Callable[..., CgosClient], running: RunningServer
) -> None:
    program = engine("Crazy-1")
    person = OnPort(running.ports[GUI], "dora")
    with closing(person):
        person.sends("boardsize 7", "komi 7.5", "time_settings 300 0 0", "play b D4")
        program.serve("setup")
        assert program.game.names == ("dora", program.name)
        program.serve("genmove")
        assert program.game.moves == ["D4"]
        program.moves()
        assert [person.answer() for _ in range(4)] == ["="] * 4
        assert person.asks("genmove w") == "= A1"


def test_a_browser_plays_an_engine(engine: Callable[..., CgosClient], running: RunningServer) -> None:
    """Requests of the page are declined: the wire has no word for them."""
    with closing(WebClient(running.ports[WEB])) as page:
        page.hello()
        page.say("join", game="go", wishes={"size": "7", "time": "300"})
        page.until("seated")
        program = engine("Crazy-1", brain=lambda game: "resign" if len(game.moves) > 2 else first_legal(game))
        program.serve("setup")
        threading.Thread(target=serve, args=(program,), daemon=True).start()
        for move in ("D4", "E4"):
            while page.legal is None or page.ply % 2 != page.seat:
                page.read()
            for asked in ("takeback", "draw", "adjourn") if move == "E4" else ():
                page.say("propose", what=asked, **({"plies": 2} if asked == "takeback" else {}))
                assert page.until("Declined")["body"]["kind"].lower() == asked
            page.say("play", text=move)
            while move not in page.notations:
                page.read()
        assert page.until("GameEnded")
        assert page.outcome is not None
        assert page.outcome["reason"] == "resignation"


def test_three_engines_never_meet_the_same_opponent_twice_in_a_row(engine: Callable[..., CgosClient]) -> None:
    """ "wait for all games, or quick engines meet for ever" """
    resigns: Brain = lambda _: "resign"  # noqa: E731
    engines = [engine(name, resigns) for name in ("Crazy-1", "ray.2", "Zen_3")]
    for one in engines[1:]:
        threading.Thread(target=serve, args=(one,), daemon=True).start()
    engines[0].plays(4)
    met = [next(name for name in game.names if name != engines[0].name) for game in engines[0].games[:4]]
    assert all(before != after for before, after in pairwise(met))


def serve(one: CgosClient) -> None:
    """Play until the line is closed."""
    with suppress(OSError, ValueError):
        one.plays(1000)


def test_a_viewer_is_told_the_games_and_the_moves_of_those_that_it_looks_on_at(
    engine: Callable[..., CgosClient], running: RunningServer
) -> None:
    """ "observe GID gives setup GID - - SIZE KOMI W(R) B(R) MS moves... and then update GID MOVE MSLEFT" """
    black, white = pair(engine("Crazy-1"), engine("ray.2"))
    black.serve("genmove")
    black.moves()
    viewer = CgosClient(running.ports[SEVEN], "", "", first_legal)
    with closing(viewer):
        assert viewer.hear() == "protocol"
        viewer.say("v1 a viewer")
        number, names = black.game.number, f"{white.name}(?) {black.name}(?)"
        assert viewer.serve(f"match {number} ") == f"match {number} - - 7 7.5 {names} -"
        viewer.say(f"observe {number}")
        words = viewer.serve("setup").split()
        assert words[:-1] == f"setup {number} - - 7 7.5 {names} 300000 A1".split()
        white.serve("genmove")
        white.moves()
        assert viewer.serve("update").split()[:-1] == f"update {number} {white.game.moves[-1]}".split()
        black._brain = lambda _: "resign"
        together(black.plays, white.plays)
        assert viewer.serve("gameover").split()[:3] == f"gameover {number} W+Resign".split()
        viewer.say("observe 99999")
        assert "99999" in viewer.serve("info no game")


def test_a_viewer_is_told_the_games_that_are_over_before_those_that_are_played(
    engine: Callable[..., CgosClient], running: RunningServer
) -> None:
    """ "Viewer (v1): last 40 and running games as match GID date time SIZE KOMI W(R) B(R) RESULT|-" """
    black, white = pair(engine("Crazy-1"), engine("ray.2"))
    black._brain = plays_then("D4", "resign")
    together(black.plays, white.plays)
    quick = [engine(name, lambda _: "resign", at=SHORT) for name in ("Crazy-1", "ray.2")]
    together(*(each.plays for each in quick))
    for each in quick:
        each.close()
    later = pair(black, white)[0].game.number
    viewer = CgosClient(running.ports[SEVEN], "", "", first_legal)
    with closing(viewer):
        assert viewer.hear() == "protocol"
        viewer.say("v1 a viewer")
        viewer.serve(f"match {later} - - ")
        told = [line.split() for line in viewer.said if line.startswith("match")]
        ended = [words for words in told if words[-1] != "-"]
        assert ended == told[: len(ended)], "what is over comes first"
        assert len(ended) <= 40
        assert {words[4] for words in ended} == {"7"}, "this server's size"
        assert str(quick[0].games[0].number) not in {words[1] for words in told}
        number, names = str(black.games[0].number), [f"{white.name}(?)", f"{black.name}(?)"]
        (mine,) = (words for words in ended if words[1] == number)
        assert mine[4:] == ["7", "7.5", *names, "W+Resign"]
        at = datetime.fromisoformat(f"{mine[2]}T{mine[3]}+00:00")
        assert abs(at - datetime.now(UTC)) < timedelta(minutes=5)
        viewer.say(f"observe {number}")
        words = viewer.serve("setup").split()
        assert [*words[:9], *words[9::2]] == ["setup", *mine[1:-1], "300000", *white.games[0].moves]
        assert viewer.serve("gameover").split()[:3] == ["gameover", number, "W+Resign"]


def test_a_viewer_is_not_told_private_games(engine: Callable[..., CgosClient], running: RunningServer) -> None:
    options = {"options": {"size": "7"}, "variant": "area", "time": "300", "private": True}
    table, tickets = Host(running.ports[WEB]).registers("go", "open", "open", **options)
    both = [engine(f"Secret-{at}", lambda _: "resign", ticket) for at, ticket in enumerate(tickets)]
    together(*(each.plays for each in both))
    assert [each.games[0].number for each in both] == [table, table]
    viewer = CgosClient(running.ports[SEVEN], "", "", first_legal)
    with closing(viewer):
        assert viewer.hear() == "protocol"
        viewer.say("v1 a viewer")
        viewer.say(f"observe {table}")
        assert str(table) in viewer.serve("info no game")
        assert table not in {int(line.split()[1]) for line in viewer.said if line.startswith("match")}


def test_a_bad_name_is_refused_and_the_line_is_held(running: RunningServer) -> None:
    """ "After a refusal hold the connection open before closing" """
    nameless = CgosClient(running.ports[SEVEN], "9 dan", "", first_legal)
    assert nameless.serve("Error:").startswith("Error: a name has 3 to 18 letters")
    nameless._socket.settimeout(0.5)
    with pytest.raises(TimeoutError):
        nameless.hear()
    nameless.close()


def test_a_line_without_end_ends_the_connection(running: RunningServer) -> None:
    endless = CgosClient(running.ports[SEVEN], "Crazy-1", "", first_legal)
    endless.serve("protocol")
    endless.say("e1 " + "x" * 5000)
    assert endless.serve("Error:") == "Error: a line has at most 4096 bytes"
    with pytest.raises(ConnectionError):
        endless.hear()
    endless.close()
