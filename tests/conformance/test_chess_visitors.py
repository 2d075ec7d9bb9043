"""Visitors of the two chess dialects of text lines: what they are told of those who wait, and taking it."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cli.playing import run
from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Room, room
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("visitors"), *LISTENERS, "http") as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def test_the_draft_s_second_player_receives_the_seek_without_asking_and_plays(here: Room) -> None:
    """ "host player (P1) sends seek, client player (P2) accepts seek: send "play" - game starts"."""
    sara = here.miniature("Sara")
    sara.seek("5 0 u w")
    sara.until("tell gateway nobody else is here yet")
    tom = here.telnet()
    assert tom.next().startswith("welcome ")
    assert [tom.next(), tom.next()] == [
        f"tell gateway {sara.name} seeks a game; play {sara.name} accepts",
        "seek 5 0 u w",
    ]
    tom.say("play")
    assert tom.until("tell gateway game 1:").endswith("chess, 5:00, unrated; you are Black")
    sara.hears("play", "tell gateway game 1:")


def test_a_visitor_is_told_when_a_seek_comes_and_when_it_goes(here: Room) -> None:
    tom = here.telnet()
    sara = here.miniature("Sara")
    sara.seek("2 10 u b")
    tom.hears(f"tell gateway {sara.name} seeks a game", "seek 2 10 u b")
    sara.say("tell gateway leave")
    tom.until(f"tell gateway {sara.name} no longer waits: seek 2 10 u b")


def test_play_asks_whose_seek_where_there_are_several_and_gets_it(here: Room) -> None:
    """Sara and Tina, who both want White, sit together in vain: who is not wanted makes room."""
    sara, tina, tom = here.miniature("Sara"), here.miniature("Tina"), here.telnet()
    sara.seek("5 0 u w")
    tom.hears(f"tell gateway {sara.name} seeks", "seek 5 0 u w")
    tina.seek("3 0 u w")
    tom.hears(f"tell gateway {tina.name} seeks", "seek 3 0 u w")
    tom.say("play")
    asked = tom.until("error ambiguous whose seek? play NAME: ").partition("NAME: ")[2]
    assert sorted(asked.split(", ")) == sorted((sara.name, tina.name))
    tom.say(f"play {tina.name}")
    game = tom.until("tell gateway game 1:")
    assert game.startswith(f"tell gateway game 1: {tina.name} (White) - guest-")
    assert game.endswith("3:00, unrated; you are Black")
    tina.until("tell gateway game 1:")
    last = here.telnet()
    last.until("seek 5 0 u w")
    last.say("play")
    sara.until("tell gateway game 1:")


def test_a_manual_seek_is_seen_taken_and_confirmed(here: Room) -> None:
    sara, tom = here.miniature("Sara"), here.telnet()
    sara.say("seek 5 0 u w manual")
    tom.until("seek 5 0 u w manual")
    tom.say("tell gateway tables")
    seeks = f"{sara.name} seeks Chess normal, 5:00, unrated, as white, and confirms a challenge itself"
    while not tom.until("tell gateway table ").endswith(f"(open): {seeks}"):
        pass  # another table
    tom.say("play")
    sara.until("play")
    sara.say("play")
    for guest in (sara, tom):
        guest.until("tell gateway game 1:")


def test_a_chess_p2p_visitor_is_told_in_text_and_sees_what_it_can_set_up(here: Room) -> None:
    sara = here.miniature("Sara")
    sara.seek("5 0 u w")
    sara.until("tell gateway nobody else is here yet")
    pia = here.nameless()
    told = f"text {sara.name} waits for a game, 300 s, unrated, as White: set up such a game and start it; in XBoard: "
    assert pia.next().startswith(told)
    pia.go("level 0 300 0")
    pia.until(f"text the game with {sara.name} begins, you play Black")
    sara.until("tell gateway game 1:")


def test_each_dialect_s_seeks_are_seen_in_the_other_s_words(here: Room) -> None:
    pia, tom = here.p2p("Pia"), here.telnet()
    pia.go("variant atomic", "level 0 60 0")
    tom.until(f"tell gateway {pia.name} seeks atomic, 1:00, unrated, and plays Black; play {pia.name} accepts")
    tom.say("play")
    assert tom.until("tell gateway game 1:").endswith("atomic, 1:00, unrated; you are White")


def test_a_client_whose_wire_has_no_words_for_seeks_hears_none(here: Room) -> None:
    client = SpecClient(here.running.ports[BOGAPROT])
    sara, tom = here.miniature("Sara"), here.telnet()
    sara.seek("5 0 u w")
    tom.until("seek 5 0 u w")
    assert client.handshake("NoSuchGame") == ("RSP_HANDSHAKE", 1, "game engine not supported")
    client.close()


def test_what_waits_is_called_what_it_is(here: Room) -> None:
    """In who and tables, in the API, and in the commands that read the record."""
    pia, tom = here.p2p("Pia"), here.telnet()
    pia.go("variant atomic", "level 0 60 0")
    pia.until("text your game is proposed")
    proposal = f"{pia.name} proposes Chess atomic, 1:00, unrated, as black"
    table = _api(here, "/api/tables?state=open")["tables"][0]["id"]
    tom.say("tell gateway tables", "tell gateway who")
    tom.until(f"tell gateway table {table} (open): {proposal}")
    tom.until(f"tell gateway {pia.name} (table {table}, open): {proposal}")

    listed = _api(here, "/api/tables?state=open")["tables"][0]
    assert (listed["id"], listed["variant"], listed["time"], listed["rated"]) == (table, "atomic", "60", False)
    (shown,) = json.loads(run("tables", "--state", "open", "--json", data=here.running.data).output)
    assert (shown["table"], shown["variant"], shown["time"]) == (table, "atomic", "60")
    assert f"table {table}  Chess (atomic, 60)" in run("show", str(table), data=here.running.data).output

    tom.say("play")
    tom.until("tell gateway game 1:")
    tom.say("tell gateway tables")
    assert tom.until(f"tell gateway table {table} ").endswith("(black), Chess atomic, 1:00, unrated")
    assert _api(here, f"/api/tables/{table}")["variant"] == "atomic"


def _api(here: Room, path: str) -> Any:
    with urllib.request.urlopen(f"http://127.0.0.1:{here.running.ports[3]}{path}") as answer:
        return json.loads(answer.read())
