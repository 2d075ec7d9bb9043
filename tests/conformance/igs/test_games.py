"""Guests and accounts at a Go server's port of a running server: whole games, with one another and with others."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gateway.store.accounts import SqlAccounts
from tests.conformance.chess_players import Lines
from tests.conformance.figures import until
from tests.conformance.host import Host
from tests.conformance.igs.clients import IgsClient, matched, play, stop
from tests.conformance.servers import fast
from tests.passwords import hashed
from tests.running import RunningServer, made_record

PASSWORD = "correct horse"
LISTENERS = ("igs", "http", "gtp-gui")
IGS, HTTP, GUI = range(3)

WALL = "E5 D5 E4 D4 E6 D6 E3 D3 E7 D7 E2 D2 E8 D8 E1 D1 E9 D9"
"""Two walls down a board of nine: Black has the right side, White the left."""


def registered(data: Path) -> None:
    with closing(SqlAccounts(made_record(data / "boardgate.db"))) as accounts:
        for name in ("Anna", "Bert"):
            accounts.add(name, hashed(PASSWORD), "root")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = tmp_path_factory.mktemp("igs")
    registered(data)
    with fast(data, *LISTENERS) as server:
        yield server


Come = Callable[..., IgsClient]


@pytest.fixture
def comes(running: RunningServer) -> Iterator[Come]:
    """Somebody comes: as a guest, or as an account."""
    came: list[IgsClient] = []

    def come(name: str = "", password: str = "") -> IgsClient:
        came.append(IgsClient(running.ports[IGS]))
        return came[-1].comes(name, password)

    yield come
    for one in came:
        one.close()


def outcome(running: RunningServer, table: int) -> Any:
    return Host(running.ports[HTTP]).table(table)["outcome"]


def killed(running: RunningServer, *clients: IgsClient) -> None:
    running.kill()
    for each in clients:
        each.close()


@pytest.mark.parametrize("colour", ["B", "W"])
def test_a_game_is_played_to_its_score_from_either_side(comes: Come, running: RunningServer, colour: str) -> None:
    """The maker of a match says its own colour; the score is told with both numbers."""
    one, other = comes(), comes()
    game = matched(one, other, f"{colour} 9 10 5")
    black, white = (one, other) if colour == "B" else (other, one)
    play(black, white, WALL)
    stop(black, white, 18)
    black.type("done")
    white.type("done")
    for each in (black, white):
        each.hears(f"20 {white.name} (W:O): 33.5 to {black.name} (B:#): 36.0\n")
        each.hears(f"21 {{Game {game}: {white.name} vs {black.name} : W 33.5 B 36.0}}\n1 5\n")
    assert outcome(running, game) == {"winner": 0, "reason": "rules", "detail": "B+2.5"}


def test_dead_stones_are_one_list_of_both_players(comes: Come, running: RunningServer) -> None:
    black, white = comes(), comes()
    game = matched(black, white)
    play(black, white, f"{WALL} A1 G7 A9 H3")
    stop(black, white, 22)
    for who, vertex in ((black, "G7"), (white, "A1")):
        who.type(vertex)
        for each in (black, white):
            each.hears(f"9 Removing @ {vertex}\n")
    black.type("H3", "done")
    white.hears("9 Removing @ H3\n")
    white.type("A9")
    black.hears(f"9 Removing @ A9\n49 Game {game} {white.name} is removing @ A9\n1 7\n")
    white.type("done")
    black.type("done")
    for each in (black, white):
        each.hears("20 ")
        each.hears("1 5\n")
    assert outcome(running, game)["detail"] == "B+2.5"


def test_a_stone_after_done_voids_it_and_undo_restores_all(comes: Come, running: RunningServer) -> None:
    black, white = comes(), comes()
    game = matched(black, white)
    play(black, white, f"{WALL} A1 G7")
    stop(black, white, 20)
    black.type("done")
    black.hears("1 7\n")
    white.type("A1")
    black.hears("9 Removing @ A1\n")
    white.asks("done")
    assert outcome(running, game) is None
    black.type("undo")
    for each in (black, white):
        each.hears("9 Board is restored to what it was when you started scoring.\n")
    white.type("pass", "A1", "G7")
    black.hears("9 Removing @ G7\n")
    black.type("done")
    white.type("done")
    for each in (black, white):
        each.hears("20 ")
        each.hears("1 5\n")
    assert outcome(running, game)["detail"] == "B+2.5"


def test_a_player_resumes_instead_of_scoring(comes: Come) -> None:
    black, white = comes(), comes()
    matched(black, white)
    play(black, white, "E5 D5")
    stop(black, white, 2)
    white.type("resume")
    for each in (black, white):
        each.hears("9 Play goes on.\n")
        each.hears("1 6\n")
    play(black, white, "C3", 4)


def test_an_undo_is_asked_for_refused_and_granted(comes: Come) -> None:
    black, white = comes(), comes()
    game = matched(black, white)
    play(black, white, "E5 D5")
    black.asks("undoplease")
    white.hears(f"24 *SYSTEM*: {black.name} requests undo.\n")
    white.asks("decline undo")
    black.hears(f"9 {white.name} declines an undo.\n")
    black.asks("undo")
    white.hears("requests undo.\n")
    white.type("undo")
    for each in (black, white):
        for vertex in ("D5", "E5"):
            each.hears(f"28 Undo in game {game}: {white.name} vs {black.name}:  {vertex}\n")
    play(black, white, "C3 D3 E3")
    white.asks("noundo")
    black.asks("undo")
    black.hears(f"9 {white.name} declines an undo.\n")


def test_moves_that_cannot_be_made_are_errors(comes: Come) -> None:
    black, white = comes(), comes()
    assert "5 You are not playing a game.\n1 5\n" in black.asks("E5")
    matched(black, white)
    play(black, white, "E5")
    white.type("E5")
    white.hears("5 Illegal move.\n1 6\n")
    black.type("C3")
    black.hears("5 It is not your move.\n1 6\n")
    white.type("Z9")
    white.hears("5 no vertex 'Z9' on a board of 9x9\n1 6\n")
    white.type("nonsense", "ayt")
    assert white.hears("9 yes") == "1 6\n"


def test_captures_stand_behind_the_move_and_are_counted(comes: Come) -> None:
    black, white = comes(), comes()
    matched(black, white)
    play(black, white, "A2 A1 B1")
    white.asks("pass")
    black.type("moves")
    black.hears("15   2(B): B1 A1\n15   3(W): Pass\n")
    assert f"vs {black.name} (1 " in black.text


def test_a_handicap_is_number_nought_and_white_begins(comes: Come) -> None:
    white, black = comes(), comes()
    white.type(f"nmatch {black.name} W 2 9 600 300 25 0 0 0")
    black.hears("9 Use <")
    black.type(black.hears("> or"))
    for each in (white, black):
        each.hears("15   0(B): Handicap 2\n1 6\n")
    white.type("E5")
    black.hears("15   1(W): E5\n")


def test_a_match_is_declined_withdrawn_and_answered_by_another(comes: Come) -> None:
    one, other = comes(), comes()
    one.asks(f"match {other.name} B 9 10 5")
    other.hears("9 Use <")
    other.asks(f"decline {one.name}")
    one.hears(f"9 {other.name} declines your request for a match.\n")
    one.asks(f"match {other.name} B 9 10 5")
    other.hears("9 Use <")
    one.asks(f"withdraw {other.name}")
    other.hears(f"9 {one.name} withdraws the match offer.\n")
    one.asks(f"match {other.name} B 9 10 5")
    other.hears("9 Use <")
    other.asks(f"match {one.name} W 13 10 5")
    one.hears(f"9 Match [13x13] in 10 minutes requested with {other.name} as White.\n")
    one.hears("9 Use <")
    one.type(one.hears("> or"))
    for each in (one, other):
        each.hears("9 Creating match [")


def test_matches_are_asked_for_and_taken_by_others_who_have_no_seat(comes: Come, running: RunningServer) -> None:
    """Over HTTP, in both directions: the words that one is told to answer with take what the other has offered."""
    bert = comes("Bert", PASSWORD)
    given = base64.b64encode(f"Anna:{PASSWORD}".encode()).decode()
    anna = Host(running.ports[HTTP], {"Authorization": f"Basic {given}"})
    wanted = {"game": "go", "variant": "territory", "options": {"size": "9"}, "time": "600", "side": 1, "to": "Bert"}
    status, offered = anna.ask("/api/offers", wanted)
    assert status == 201, offered
    bert.hears("9 Match [9x9] in 10 minutes requested with Anna as White.\n")
    bert.hears("9 Use <")
    bert.type(bert.hears("> or <decline Anna> to respond."))
    answers = until(lambda: anna.ask(f"/api/offers/{offered['id']}"), lambda found: found[1].get("state") != "stands")
    assert answers == (200, {"id": offered["id"], "state": "taken"}), bert.text
    white = comes()
    white.type(f"seat {offered['ticket']}")
    for each in (bert, white):
        each.hears(f"9 Creating match [{offered['id']}] with ")
        each.hears("1 6\n")
    play(bert, white, "E5 D5")
    bert.type("resign")
    white.hears("has resigned the game.\n")
    bert.asks("match Anna B 9 10 0")
    (found,) = anna.ask("/api/offers")[1]["offers"]
    assert (found["by"], found["to"], found["time"], found["options"]["size"]) == ("Bert", "Anna", "600", "9")
    status, taken = anna.ask(f"/api/offers/{found['id']}/take", {})
    assert (status, taken["seat"]) == (200, 1)
    white.type(f"seat {taken['ticket']}")
    for each in (bert, white):
        each.hears(f"9 Creating match [{found['id']}] with ")
    bert.type("resign")  # else the accounts are at that board again when they come next
    white.hears("has resigned the game.\n")


@pytest.mark.parametrize(("word", "line"), [("resign", "9 {loser} has resigned the game.\n")])
def test_a_game_ends_by_resignation(comes: Come, running: RunningServer, word: str, line: str) -> None:
    black, white = comes(), comes()
    game = matched(black, white)
    black.type(word)
    for each in (black, white):
        each.hears(line.format(loser=black.name))
        each.hears(f"21 {{Game {game}: {white.name} vs {black.name} : Black resigns.}}\n1 5\n")
    assert outcome(running, game)["winner"] == 1


def test_an_account_loses_the_line_and_is_at_its_board_again_after_its_login(tmp_path: Path) -> None:
    """The server is killed in mid game, and once more while the dead stones are named."""
    registered(tmp_path)
    with fast(tmp_path, *LISTENERS) as running:
        black, white = (IgsClient(running.ports[IGS]).comes(name, PASSWORD) for name in ("Anna", "Bert"))
        game = matched(black, white)
        play(black, white, WALL)
        killed(running, black, white)
    ports = dict(enumerate(running.ports))
    with fast(tmp_path, *LISTENERS, ports=ports) as running:
        black, white = (IgsClient(running.ports[IGS]).comes(name, PASSWORD) for name in ("Anna", "Bert"))
        for each in (black, white):
            assert f"Restoring match [{game}] with " in each.text
            assert "17(W): D9\n" in each.text
        play(black, white, "A1 G7", 18)
        stop(black, white, 20)
        white.type("A1")
        black.hears("9 Removing @ A1\n")
        killed(running, black, white)
    with fast(tmp_path, *LISTENERS, ports=ports) as running:
        black, white = (IgsClient(running.ports[IGS]).comes(name, PASSWORD) for name in ("Anna", "Bert"))
        for each in (black, white):
            assert "Removing @ A1\n" in each.text
            each.asks("G7")
            each.type("done")
        for each in (black, white):
            each.hears("20 Bert (W:O): 34.5 to Anna (B:#): 37.0\n")
            each.close()


def test_a_game_is_adjourned_and_taken_up_at_the_next_login(comes: Come) -> None:
    black, white = comes("Anna", PASSWORD), comes("Bert", PASSWORD)
    game = matched(black, white, "B 9 10 0")
    play(black, white, "E5 D5")
    black.asks("adjourn")
    white.hears("9 Anna requests an adjournment.\n")
    white.type("adjourn")
    for each in (black, white):
        each.hears("9 Game has been adjourned.\n")
        each.hears("1 5\n")
        each.type("quit")
        each.hears("Thank you for playing here.")
    black, white = comes("Anna", PASSWORD), comes("Bert", PASSWORD)
    assert f"A game of yours waits, [{game}]: load Bert" in black.text
    black.type("load Bert")
    for each in (black, white):
        each.hears(f"9 Restoring match [{game}] with ")
        each.hears("15   0(B): E5\n15   1(W): D5\n1 6\n")
    play(black, white, "C3", 2)
    black.type("resign")
    white.hears("Anna has resigned the game.\n")


def test_a_game_is_adjourned_and_loaded_in_one_visit(comes: Come) -> None:
    black, white = comes("Anna", PASSWORD), comes("Bert", PASSWORD)
    assert "5 There is no such game.\n" in black.asks("load nobody")
    game = matched(black, white, "B 9 10 0")
    play(black, white, "E5 D5")
    white.asks("adjourn")
    black.type("adjourn")
    for each in (black, white):
        each.hears("9 Game has been adjourned.\n")
    black.asks("load Bert")
    white.type("load")
    for each in (black, white):
        each.hears("has restarted your game.\n")
        each.hears(f"9 Restoring match [{game}] with ")
        each.hears("15   0(B): E5\n15   1(W): D5\n1 6\n")
    black.type("resign")
    white.hears("9 Anna has resigned the game.\n")


def test_who_is_here_twice_hears_words_and_challenges_at_both_clients(comes: Come) -> None:
    """The older one may be a client whose line is dead, which nobody knows yet."""
    clients, asks = [comes("Bert", PASSWORD) for _ in range(2)], comes()
    asks.asks("tell Bert a game?")
    asks.type("match Bert B 9 10 5")
    for bert in clients:
        bert.hears(f"24 *{asks.name}*: a game?\n")
        bert.hears(f"9 Use <match {asks.name} W 9 10 5> or <decline {asks.name}> to respond.\n")
    clients[1].type(f"match {asks.name} W 9 10 5")
    for each in (asks, clients[1]):
        each.hears("9 Creating match [")


def test_several_games_are_looked_on_at(comes: Come) -> None:
    pairs = [(comes(), comes()) for _ in range(2)]
    games = [matched(*pair) for pair in pairs]
    who = comes()
    play(*pairs[0], "E5")
    for game in games:
        who.type(f"observe {game}")
        who.hears(f"9 Adding game to observation list.\n15 Game {game} I: ")
        who.hears("1 8\n")
    assert "15   0(B): E5\n" in who.text
    for game, pair in zip(games, pairs, strict=True):
        pair[game == games[0]].type("C3")
        who.hears(f"15 Game {game} I: ")
        who.hears(": C3")
    pairs[1][0].asks("kibitz well played")
    who.hears(f" [{games[1]}]\n11    well played\n")
    who.asks(f"unobserve {games[0]}")
    pairs[1][0].type("resign")
    who.hears(f"21 {{Game {games[1]}: ")
    listed = who.asks("games")
    assert f"7 [{games[0]:>3}] " in listed
    assert f"[{games[1]:>3}]" not in listed


def test_a_person_at_a_go_gui_is_matched_by_name(comes: Come, running: RunningServer) -> None:
    """Who has a seat and waits at it is played there, by somebody who has none."""
    one = comes("wanda")
    with closing(Lines(running.ports[GUI])) as other:
        other.say("# name Olga", "boardsize 9", "komi 6.5", "kgs-rules japanese", "time_settings 600 0 0", "play b E5")
        while "Olga" not in one.asks("who"):
            pass
        one.type("match Olga W 9 10 0")
        one.hears("9 Creating match [")
        one.hears("15   0(B): E5\n1 6\n")
        one.type("C3")
        other.say("genmove w")
        other.until("= C3")
        one.type("resign")
        one.hears("9 wanda has resigned the game.\n")


def test_a_house_bot_is_played_by_its_name(tmp_path: Path) -> None:
    with fast(tmp_path, "igs", BOTS_WORKERS="1") as running, closing(IgsClient(running.ports[0]).comes()) as who:
        who.type("match bot B 9 10 0")
        who.hears("9 Creating match [")
        who.hears("1 6\n")
        who.type("E5")
        who.hears("15   0(B): E5\n")
        who.hears("15   1(W): ")
        who.hears("1 6\n")
        listed = who.asks("games 1")
        assert "7 [  1] " in listed
        assert "(  2    9  0  6.5  0 FI)" in listed
        who.type("pass")
        who.hears("1 6\n")
        who.type("resign")
        who.hears(": Black resigns.}\n1 5\n")
