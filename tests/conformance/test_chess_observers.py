"""Observers of a game of chess: what they see and may say, and what the gateway tells them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.config import Limits
from tests.conformance.chess_bogaprot_player import USUAL
from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Guest, MiniatureGuest, Room, room
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("observers"), *LISTENERS, LIMITS_CONNECTIONS_PER_ADDRESS="1000") as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def observer(here: Room, whom: Guest) -> MiniatureGuest:
    """An observer of the table where ``whom`` plays, and has been told where the game stands."""
    olga = here.miniature("Olga")
    olga.say(f"tell gateway observe {whom.name}")
    olga.hears("tell gateway table ", "tell gateway ")
    olga.told()
    return olga


def table_of(asker: MiniatureGuest, player: Guest) -> str:
    asker.say("tell gateway who")
    while player.name not in (line := asker.until("tell gateway ")):
        pass
    found = re.search(r"\(table (\d+), ", line)
    assert found is not None, line
    return found[1]


def test_who_looks_on_is_told_where_the_game_stands_and_every_move(here: Room) -> None:
    """ "`tell gateway ...` talks to the gateway (... observe N)"."""
    pia, mia = here.mixed()
    olga = here.miniature("Olga")
    olga.say(f"tell gateway observe {table_of(olga, pia)}")
    olga.until("tell gateway table ")
    olga.hears(f"tell gateway {pia.name} (White) - {mia.name} (Black): chess, 5:00, unrated", "move e2-e4; fen ")
    olga.until("tell gateway Black to move, clock ")

    mia.say("e5")
    assert olga.until("move ").startswith("move e7-e5; fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w ")
    mia.say("resign")
    assert olga.until("result ") == "result 1-0 {Black resigns}"


def test_observers_hear_each_other_and_the_players_hear_nothing_of_it(here: Room) -> None:
    """ "`#obs` reaches observers only, never the players"."""
    pia, mia = here.mixed()
    olga, otto = observer(here, pia), observer(here, mia)
    olga.say("tell #obs who wins?")
    assert otto.until("tell #obs ") == f"tell #obs {olga.name}: who wins?"
    assert [line for guest in (pia, mia) for line in guest.told() if "who wins" in line] == []


def test_observers_hear_nothing_of_what_the_players_say_and_offer(here: Room) -> None:
    """ "because you dont want the players so see the chat of kibitzs" - nor the kibitzers the players'."""
    pia, mia = here.mixed()
    olga = observer(here, pia)
    mia.say(f"tell {pia.name} between us", "draw", "adjourn")
    pia.hears(f"text {mia.name}: between us", f"text {mia.name} offers a draw", f"text {mia.name} asks to adjourn")
    pia.say("text no, thank you", "text decline")
    mia.hears(f"tell {pia.name} no, thank you", f"tell gateway {pia.name} declines")
    mia.say("takeback 1", "tell #obs hello to you all", "e5")
    assert olga.until("move ", "draw", "adjourn", "takeback", f"tell {pia.name}").startswith("move e7-e5; ")
    assert olga.passed == [f"tell #obs {mia.name}: hello to you all"]


@pytest.mark.parametrize("line", ["move e7-e5", "draw", "resign", "takeback 1", "adjourn", "play", "seek 5 0"])
def test_who_looks_on_plays_no_part_in_the_game(here: Room, line: str) -> None:
    pia, mia = here.mixed()
    olga = observer(here, pia)
    olga.say(line)
    assert olga.until("error ").endswith(": you look on")
    assert olga.told() == []
    mia.say("e5")
    assert pia.until("move ", "text ") == "move e7e5"


def test_who_looked_on_can_sit_down_afterwards(here: Room) -> None:
    pia, mia = here.mixed()
    olga, otto = observer(here, pia), observer(here, mia)
    for guest in (olga, otto):
        guest.say("tell gateway leave")
        guest.until("tell gateway you have left the table")
    mia.say("e5")
    pia.echo("e7e5")
    olga.seek("3 0 u w")
    otto.say("play")
    assert f"{olga.name} (White) - {otto.name} (Black)" in otto.until("tell gateway game 1:")
    olga.say("e4")
    assert otto.hears("move ").startswith("move e2-e4; ")
    assert not any("e7" in line for line in olga.told())


def test_who_looked_on_can_take_a_seat_that_a_ticket_is_for(here: Room) -> None:
    """From the observers' place to one's own seat, without another connection."""
    sara, tom = here.two_miniatures()
    sara.vanish()
    olga = observer(here, tom)
    olga.say(f"tell gateway seat {sara.ticket}")
    assert "you are White" in olga.until(f"tell gateway {sara.name} (White)")
    olga.say("e4")
    tom.until("move e2-e4")


def test_a_table_that_is_not_there_cannot_be_looked_at(here: Room) -> None:
    olga = here.miniature("Olga")
    for wish, complaint in {
        "999999": "error not-now there is no table 999999",
        "Nobody": "error not-now there is no player 'Nobody' at a table",
        "-1": "error not-now there is no player '-1' at a table",
        "": "error syntax which table? tell gateway observe N, or NICK",
    }.items():
        olga.say(f"tell gateway observe {wish}")
        assert olga.until("error ") == complaint


def test_a_private_table_cannot_be_looked_at_and_is_not_shown(tmp_path: Path) -> None:
    """A table against a house bot is nobody else's business."""
    with fast(tmp_path, *LISTENERS, BOTS_WORKERS="1") as running, room(running) as here:
        client = SpecClient(running.ports[BOGAPROT], USUAL)
        assert client.handshake("chess?name=Paul&against=bot") == ("RSP_HANDSHAKE", 0)
        client.until("MSG_START")
        olga = here.miniature("Olga")
        olga.say("tell gateway observe Paul")
        assert olga.until("error ") == "error table-full nobody more may look on at this table"
        olga.say("tell gateway observe 1")
        assert olga.until("error ") == "error table-full nobody more may look on at this table"
        for question in ("who", "tables"):
            olga.say(f"tell gateway {question}")
            said = f"tell gateway {olga.name} (at no table)" if question == "who" else "tell gateway nobody is here"
            assert olga.until("tell gateway ") == said


def test_two_hundred_may_look_on_and_the_next_when_one_of_them_has_left(here: Room) -> None:
    """Each costs every move one more send; nobody's game may cost as much as one likes."""
    pia, mia = here.mixed()
    crowd = [here.miniature("Olga") for _ in range(Limits().observers)]
    for guest in crowd:
        guest.say(f"tell gateway observe {pia.name}")
        guest.until("tell gateway Black to move")
    late = here.miniature("Late")
    late.say(f"tell gateway observe {pia.name}")
    assert late.until("error ") == "error table-full nobody more may look on at this table"

    crowd.pop().hang_up()
    late.say(f"tell gateway observe {pia.name}")
    late.until("tell gateway Black to move")
    mia.say("e5")
    for guest in (*crowd, late):
        guest.until("move e7-e5; fen ")


def test_anybody_is_told_who_is_here_and_what_is_played(here: Room) -> None:
    """ "`tell gateway ...` talks to the gateway (help, who, ...)"."""
    pia, mia = here.mixed()
    number = table_of(mia, pia)
    for asker in (mia, here.miniature("Olga"), observer(here, pia)):
        asker.say("tell gateway who")
        game = f"{pia.name} (white) - {mia.name} (black), Chess normal, 5:00, unrated"
        who = f"tell gateway {pia.name}, {mia.name} (table {number}, playing): {game}"
        assert asker.until(f"tell gateway {pia.name}") == who
        asker.say("tell gateway tables")
        assert asker.until(f"tell gateway table {number}") == f"tell gateway table {number} (playing): {game}"


def test_help_explains_every_command_in_every_state(here: Room) -> None:
    """Each command of the draft, and each word for the gateway, is in it."""
    pia, _ = here.mixed()
    for asker in (here.miniature("Olga"), observer(here, pia)):
        for line in ("tell gateway help", "help", "tell gateway", "tell gateway h"):
            asker.say(line)
            told = asker.told()
            assert all(answer.startswith("tell gateway ") for answer in told)
            for word in ("seek", "play", "move", "takeback", "draw", "adjourn", "resign", "tell", "#obs"):
                assert any(word in answer for answer in told), word
            for word in ("who", "tables", "name", "seat", "match", "observe", "leave", "accept", "decline", "rematch"):
                assert any(f"tell gateway {word}" in answer or f"or {word}" in answer for answer in told), word
