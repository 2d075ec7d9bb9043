"""Whole games of pages in browsers: every game among themselves, and against clients of the Bogaprot document.

A page knows no rules; a brain that does looks over its shoulder, and finds board, hands, check, notation and legal
moves right at every turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway import registry
from tests.conformance.brains import settings
from tests.conformance.playing import LONGEST_GAME, Table, assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.conformance.web_players import WebPlayer
from tests.running import RunningServer
from tests.web_client import CONTINUATION, Closed, Line, WebClient, WebSocket

GAMES = (
    ("arimaa", "official", 2),
    ("checkers", "english", 2),
    ("chess", "normal", 2),
    ("chess", "crazyhouse", 2),
    ("connect_four", "standard", 2),
    ("hnefatafl", "brandubh", 2),
    ("ludo", "maedn", 3),
    ("ludo", "ggzboard", 4),
    ("reversi", "standard", 2),
    ("tic_tac_toe", "standard", 2),
)

AGAINST_DOCUMENT = (("checkers", "english"), ("connect_four", "standard"), ("hnefatafl", "tablut"), ("ludo", "maedn"))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("web"), "http", "bogaprot") as found:
        yield found
        assert found.stop() == 0
    assert "Traceback" not in found.log.read_text()


@pytest.mark.parametrize(("game", "variant", "seats"), GAMES, ids=lambda value: str(value))
def test_pages_finish_a_game(running: RunningServer, game: str, variant: str, seats: int) -> None:
    played = settings(game, variant, seats)
    players = [WebPlayer(running.ports[0], played, seed=seat + 1) for seat in range(seats)]

    Table(*players).finish()

    assert_newest_record_is_whole(running.data, moves=players[0].brain.plies)


@pytest.mark.parametrize(("game", "variant", "seats"), [GAMES[3], GAMES[6]], ids=lambda value: str(value))
def test_pages_without_sockets_finish_a_game(running: RunningServer, game: str, variant: str, seats: int) -> None:
    """The last one has a socket: it is told the same."""
    played = settings(game, variant, seats)
    ways = [Line] * (seats - 1) + [WebSocket]
    players = [WebPlayer(running.ports[0], played, seed=seat + 1, socket=way) for seat, way in enumerate(ways)]

    Table(*players).finish()

    assert_newest_record_is_whole(running.data, moves=players[0].brain.plies)


def test_pages_agree_on_the_score_of_a_game_of_go(running: RunningServer) -> None:
    played = registry.game("go").settings(options={"size": "5"})
    players = [WebPlayer(running.ports[0], played, seed=seat) for seat in range(2)]
    table = Table(*players)
    table.play(LONGEST_GAME)
    for player in players:
        player.client.say("propose", what="score", dead=[])
    scores = [player.client.until("GameEnded")["body"]["outcome"] for player in players]
    assert scores[0] == scores[1]
    assert scores[0]["reason"] == "rules"
    assert "+" in scores[0]["detail"]


def page(running: RunningServer, **joined: object) -> WebClient:
    client = WebClient(running.ports[0])
    client.hello()
    if joined:
        client.say("join", **joined)
        client.until("seated")
    return client


def test_a_page_that_reloads_goes_on_behind_what_it_knows(running: RunningServer) -> None:
    anna = page(running, game="tic_tac_toe", name="anna")
    bert = page(running, game="tic_tac_toe", name="bert")
    anna.until("moves")
    anna.play(None, 4, "x")
    bert.until("moves")
    bert.say("say", to="players", text="well met")
    anna.until("Said")
    known = anna.seq
    anna.socket.close()
    bert.until("SeatLeft")

    again = WebClient(running.ports[0])
    again.board, again.seq, again.ply = dict(anna.board), known, anna.ply
    again.seats = list(anna.seats)
    again.hello(table=anna.table, after=known, ticket=anna.ticket)

    assert again.until("seated")["events"] == []
    assert again.until("SeatLeft")["seq"] == known + 1
    assert again.until("SeatTaken")["body"]["name"] == "anna"
    assert again.until("turn")["seat"] == 1
    bert.play(None, 0, "o")
    assert again.until("moves")["ply"] == 2
    assert again.board == {4: "x", 0: "o"}
    bert.close()
    again.close()


def test_who_looks_on_is_told_the_number_of_words_that_are_not_for_observers(running: RunningServer) -> None:
    anna = page(running, game="tic_tac_toe", name="cleo")
    bert = page(running, game="tic_tac_toe", name="dora")
    anna.until("moves")
    observer = WebClient(running.ports[0])
    observer.hello(table=anna.table)
    observer.until("turn")
    anna.say("say", to="players", text="they cannot hear us")
    bert.until("Said")
    anna.play(None, 8, "x")
    hidden = observer.until("event")
    assert (hidden["kind"], "body" in hidden) == ("Hidden", False)
    assert observer.until("MoveMade")["seq"] == hidden["seq"] + 1

    late = WebClient(running.ports[0])
    late.hello()
    late.say("watch", whom="dora", name="emil")
    kinds = [event["kind"] for event in late.until("seated")["events"]]
    assert kinds.count("Hidden") == 1
    assert late.seq == observer.seq
    for client in (anna, bert, observer, late):
        client.close()


def test_a_second_page_takes_the_seat_and_the_first_is_told_so(running: RunningServer) -> None:
    first = page(running, game="checkers", name="fred")
    second = WebClient(running.ports[0])
    second.hello(table=first.table, ticket=first.ticket)
    second.until("seated")
    assert first.until("goodbye")["why"] == "replaced"
    second.close()


def test_a_refusal_names_the_message_that_is_refused(running: RunningServer) -> None:
    client = page(running)
    client.say("ask", topic="who")
    number = client.play(12, 28)
    refused = client.until("rejected")
    assert (refused["id"], refused["why"]) == (number, "not seated")
    unknown = client.say("join", game="halma")
    refused = client.until("rejected")
    assert (refused["id"], refused["why"]) == (unknown, "unknown game")
    client.close()


def test_secrets_of_a_page_are_not_in_its_wire_log(tmp_path: Path) -> None:
    """A password in two frames under two masks, another one escaped in a message that is wrong, tickets and a key."""
    with fast(tmp_path, "http", LOG_WIRE="yes") as running:
        client = WebClient(running.ports[0])
        client.hello(table=1, ticket="a-ticket-that-nobody-has")
        assert client.until("rejected")["why"] == "bad ticket"
        client.socket.send(b'{"type":"login","name":"anna","secret":"tr0ub4d', final=False)
        client.socket.send(b'or and a horse"}', CONTINUATION)
        client.until("rejected")
        client.socket.send(b'{"type":"join","game":"chess","ticket":"no-invitation-at-all","key":"skeleton-of-a-page"}')
        client.until("rejected")
        client.socket.send(b'{"type":"login","secret":"\\u0063orrect battery","id":"staple"}')
        with pytest.raises(Closed) as closed:
            client.until("nothing")
        assert closed.value.code == 1008
        assert running.stop() == 0
    (log,) = (tmp_path / "wire").glob("web-*.txt")
    text = log.read_text(encoding="utf-8")
    for secret in ("a-ticket", "tr0ub4d", "horse", "invitation", "skeleton", "orrect", "battery"):
        assert secret not in text
        assert secret.encode().hex(" ") not in text
    assert [line for line in text.splitlines() if line.startswith("!!")] == [
        "!! no message: Expected `int | null`, got `str` - at `$.id`"
    ]
    assert text.count("*" * len("battery")) >= 3
