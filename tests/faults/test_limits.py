"""Every limit of the settings takes effect on a real server when it is set low."""

from __future__ import annotations

import contextlib
import random
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from itertools import cycle
from pathlib import Path

import pytest

from gateway.config import Limits
from protocols.core.model import SeatKind
from tests.conformance.chess_guests import LISTENERS, MiniatureGuest, room
from tests.faults.guests import FLOOD, GAME, PATIENCE_S, TICKET, Guest, seated, undisturbed
from tests.faults.pairs import Load
from tests.running import RunningServer, server

STORED_TOO_MUCH = r"error too-fast too much of your address is stored just now; try again in \d+ s"
OVERLOAD = (1, "server overload, try again later")
FAST = {"LIMITS_MESSAGES_PER_SECOND": "1000000", "LIMITS_MESSAGES_BURST": "1000000"}
HERE = {
    "connections",
    "connections_per_address",
    "tables",
    "open_tables_per_address",
    "left_games_per_address",
    "observers",
    "receive_bytes",
    "messages_per_second",
    "messages_burst",
    "sayings_per_second",
    "sayings_burst",
    "stored_per_minute",
    "unknown_tickets",
    "handshake_s",
    "lobby_s",
    "idle_s",
    "unread_s",
    "unread_bytes",
}
ELSEWHERE = {"shutdown_s": "test_shutdown.py", "everybody_per_minute": "tests/seating/test_everybody.py"}


@contextmanager
def limited(folder: Path, *listeners: str, **limits: str) -> Iterator[RunningServer]:
    """A server without bots that has these limits."""
    with server(folder, *(listeners or ("bogaprot",)), ports=None, BOTS_WORKERS="0", **limits) as running:
        yield running


def test_every_limit_there_is_is_tried() -> None:
    assert {entry.name for entry in fields(Limits)} == HERE | ELSEWHERE.keys()


def test_connections_beyond_it_are_told_that_the_server_is_full(tmp_path: Path) -> None:
    with limited(tmp_path, LIMITS_CONNECTIONS="2") as running, ExitStack() as stack:
        anna, bert = stack.enter_context(seated(running.ports[0], GAME, GAME))
        others = [stack.enter_context(Guest(running.ports[0])) for _ in range(16)]
        for other in others:
            assert other.asks(GAME) == OVERLOAD
        with Guest(running.ports[0]) as one_too_many:
            assert one_too_many.hung_up_after_s() < PATIENCE_S
        assert anna.puts(4) == (0,)
        assert bert.puts(0) == (0,)


def test_connections_per_address_beyond_it_are_hung_up_on(tmp_path: Path) -> None:
    with (
        limited(tmp_path, LIMITS_CONNECTIONS_PER_ADDRESS="2") as running,
        seated(running.ports[0], GAME, GAME) as (anna, _),
    ):
        with Guest(running.ports[0]) as third:
            assert third.hung_up_after_s() < PATIENCE_S
        assert anna.puts(4) == (0,)


def test_tables_beyond_it_are_not_opened(tmp_path: Path) -> None:
    with (
        limited(tmp_path, LIMITS_TABLES="1") as running,
        seated(running.ports[0], GAME) as (anna,),
        Guest(running.ports[0]) as bert,
    ):
        assert bert.asks("ludo") == OVERLOAD
        assert bert.joins(GAME) == 1
        assert anna.puts(4) == (0,)


def test_open_tables_per_address_beyond_it_are_not_opened_and_those_that_wait_can_be_joined(tmp_path: Path) -> None:
    with (
        limited(tmp_path, LIMITS_OPEN_TABLES_PER_ADDRESS="1") as running,
        seated(running.ports[0], GAME) as (anna,),
        Guest(running.ports[0]) as bert,
    ):
        assert bert.asks("ludo") == (1, "1 tables opened from your address wait for players: play at one of them")
        assert bert.joins(GAME) == 1
        assert anna.puts(4) == (0,)
        with Guest(running.ports[0]) as carl:
            assert carl.joins("ludo") == 0


def test_left_games_per_address_beyond_it_keep_it_from_opening_another(tmp_path: Path) -> None:
    limits = {"LIMITS_LEFT_GAMES_PER_ADDRESS": "1", "SEATS_GRACE": "100ms"}
    with limited(tmp_path, **limits) as running:
        with seated(running.ports[0], f"{GAME}#{TICKET}", GAME):
            pass
        refused = (1, "1 games begun from your address were left: finish one of them first")
        until = time.monotonic() + PATIENCE_S
        while (answer := asks_once(running.ports[0], "ludo")) != refused and time.monotonic() < until:
            time.sleep(0.05)
        assert answer == refused
        with Guest(running.ports[0]) as anna:
            assert anna.joins(f"{GAME}#{TICKET}") == 0
            with Guest(running.ports[0]) as carl:
                assert carl.joins("ludo") == 0


def asks_once(port: int, engine: str) -> tuple[object, ...]:
    """The answer to a client that connects, asks for a seat and disconnects."""
    with Guest(port) as guest:
        return guest.asks(engine)


def test_observers_beyond_it_may_not_look_on_until_one_has_left(tmp_path: Path) -> None:
    limits = {"LIMITS_OBSERVERS": "1", "BOTS_WORKERS": "0"}
    with server(tmp_path, *LISTENERS, ports=None, **limits) as running, room(running) as here:
        sara, tom = here.two_miniatures()
        olga, otto = here.miniature("Olga"), here.miniature("Otto")
        olga.say(f"tell gateway observe {sara.name}")
        olga.until("tell gateway White to move")
        otto.say(f"tell gateway observe {sara.name}")
        assert otto.until("error ") == "error table-full nobody more may look on at this table"
        olga.hang_up()
        otto.say(f"tell gateway observe {sara.name}")
        while otto.until("").startswith("error table-full"):
            otto.say(f"tell gateway observe {sara.name}")
        sara.say("e4")
        tom.until("move e2-e4")
        otto.until("move e2-e4")


def test_messages_beyond_the_burst_come_at_the_rate_and_none_is_lost(tmp_path: Path) -> None:
    limits = {"LIMITS_MESSAGES_PER_SECOND": "20", "LIMITS_MESSAGES_BURST": "5"}
    with limited(tmp_path, **limits) as running, seated(running.ports[0], GAME, GAME) as (anna, bert):
        begun = time.monotonic()
        bert.sock.sendall(bert.wire.build("MSG_MOVE", -1, 4, "") * 25)
        answers = [bert.hear("RSP_MOVE") for _ in range(25)]
        assert answers == [(1, "it is not your turn")] * 25
        bert.say("MSG_MOVE", -1, -1, "draw")
        assert bert.hear("RSP_MOVE") == (0,)
        assert 0.9 < time.monotonic() - begun < 5.0
        assert anna.puts(4) == (0,)


def test_sayings_beyond_the_burst_are_refused_in_words_and_moves_are_not(tmp_path: Path) -> None:
    limits = {"LIMITS_SAYINGS_PER_SECOND": "0.5", "LIMITS_SAYINGS_BURST": "3", "BOTS_WORKERS": "0"}
    with server(tmp_path, *LISTENERS, ports=None, **limits) as running, room(running) as here:
        sara, tom = here.two_miniatures()
        sara.say(*(f"tell {tom.name} line {number}" for number in range(5)), "e4")
        for _ in range(2):
            assert sara.until("error ") == "error too-fast you say too much at once; try again in 2 s"
        tom.until("move e2-e4")
        assert [line for line in tom.passed if "line" in line] == [f"tell {sara.name} line {n}" for n in range(3)]
        time.sleep(2.1)
        sara.say(f"tell {tom.name} and slowly")
        assert tom.until(f"tell {sara.name} ") == f"tell {sara.name} and slowly"


def test_observers_are_held_to_the_rate_of_sayings_too(tmp_path: Path) -> None:
    limits = {"LIMITS_SAYINGS_PER_SECOND": "0.01", "LIMITS_SAYINGS_BURST": "1", "BOTS_WORKERS": "0"}
    with server(tmp_path, *LISTENERS, ports=None, **limits) as running, room(running) as here:
        sara, _ = here.two_miniatures()
        olga = here.miniature("Olga")
        olga.say(f"tell gateway observe {sara.name}", "tell #obs who wins?", "tell #obs who?")
        assert olga.until("error ") == "error too-fast you say too much at once; try again in 100 s"


def test_whoever_comes_back_goes_on_counting_what_was_said(tmp_path: Path) -> None:
    limits = {"LIMITS_SAYINGS_PER_SECOND": "0.01", "LIMITS_SAYINGS_BURST": "2", "BOTS_WORKERS": "0"}
    with server(tmp_path, *LISTENERS, ports=None, **limits) as running, room(running) as here:
        sara, tom = here.two_miniatures()
        olga = here.miniature("Olga")
        sara.say(f"tell {tom.name} once", f"tell {tom.name} twice", f"tell {tom.name} thrice")
        assert sara.until("error ").startswith("error too-fast you say too much at once; ")
        sara.vanish()
        back = here.miniature("Sara")
        back.say(f"tell gateway seat {sara.ticket}", f"tell {tom.name} again")
        assert back.until("error ").startswith("error too-fast you say too much at once; ")
        olga.say(f"tell gateway observe {tom.name}", "tell #obs one", "tell #obs two")
        olga.hears("tell #obs Olga", "tell #obs Olga")
        olga.vanish()
        pia = here.miniature("Pia")
        pia.say(f"tell gateway observe {tom.name}", "tell #obs three")
        assert pia.until("error ").startswith("error too-fast you say too much at once; ")
        assert [line for line in tom.told() if "once" in line or "again" in line] == [f"tell {sara.name} once"]


def test_bytes_stored_beyond_a_minute_s_are_refused_in_words_until_there_is_room_again(tmp_path: Path) -> None:
    limits = {"LIMITS_STORED_PER_MINUTE": "20000", "BOTS_WORKERS": "0"}
    with server(tmp_path, *LISTENERS, ports=None, **limits) as running, room(running) as here:
        players, moves = cycle(here.two_miniatures()), cycle(("Nf3", "Nf6", "Ng1", "Ng8"))
        made = 0
        while not (refused := refusal(player := next(players), move := next(moves))):
            made += 1
        assert re.fullmatch(STORED_TOO_MUCH, refused), refused
        assert made > 2
        assert re.fullmatch(STORED_TOO_MUCH, refusal(player, f"tell {next(players).name} hello")), "sayings count, too"
        while refused:
            time.sleep(0.5)
            refused = refusal(player, move)


def refusal(player: MiniatureGuest, command: str) -> str:
    """What is said against a command, "" if it was obeyed."""
    player.say(command)
    return next((line for line in player.told() if line.startswith("error ")), "")


def test_the_file_of_the_record_grows_by_no_more_in_a_minute_however_many_play(tmp_path: Path) -> None:
    most = 240_000
    with limited(tmp_path, **FAST, LIMITS_STORED_PER_MINUTE=str(most)) as running:
        file = running.data / "boardgate.db"
        before = pages(file)
        with Load(running.ports[0], 12, 1, random.Random(5)) as playing:
            playing.play(6.0)
            assert playing.told() < 1500, "a server without this limit has thousands"
        assert most / 4 < pages(file) - before < most


def pages(file: Path) -> int:
    """The bytes of all pages of a database, as its readers see it."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("PRAGMA page_count").fetchone()[0]) * 4096


def test_unknown_tickets_beyond_it_make_everybody_at_the_address_wait_who_presents_one(tmp_path: Path) -> None:
    with limited(tmp_path, LIMITS_UNKNOWN_TICKETS="1") as running, seated(running.ports[0], GAME) as (anna,):
        for _ in range(2):
            assert "unknown ticket;" in str(asks_once(running.ports[0], f"{GAME}#short")[1])
        answers = [str(asks_once(running.ports[0], f"{GAME}#short")[1]) for _ in range(6)]  # waits of 1, 2, 4 ... s
        assert any(answer.startswith("too many wrong tickets or passwords; try again in ") for answer in answers)
        with Guest(running.ports[0]) as bert:
            assert bert.joins(GAME) == 1
        assert anna.puts(4) == (0,)


def test_handshake_is_how_long_one_may_take_to_ask_for_a_seat(tmp_path: Path) -> None:
    with limited(tmp_path, LIMITS_HANDSHAKE="300ms") as running, seated(running.ports[0], GAME, GAME) as (anna, bert):
        with Guest(running.ports[0]) as silent, Guest(running.ports[0]) as slow:
            slow.sock.sendall(b"\0\0\0\x65")
            assert silent.hung_up_after_s() < PATIENCE_S
            assert slow.hung_up_after_s() < PATIENCE_S
        assert "took no seat in time" in running.log.read_text()
        assert anna.puts(4) == (0,)
        assert bert.puts(0) == (0,)


def test_lobby_is_how_long_one_may_look_round_in_dialects_of_people(tmp_path: Path) -> None:
    patience = {"LIMITS_HANDSHAKE": "200ms", "LIMITS_LOBBY": "1500ms"}
    with limited(tmp_path, "miniature", **patience) as running:
        begun = time.monotonic()
        with Guest(running.ports[0]) as silent:
            assert silent.hung_up_after_s() < PATIENCE_S
        assert time.monotonic() - begun > 1.0
        assert "took no seat in time" in running.log.read_text()


def test_idle_is_how_long_one_may_be_silent(tmp_path: Path) -> None:
    with limited(tmp_path, LIMITS_IDLE="2s") as running, seated(running.ports[0], GAME, GAME) as (anna, bert):
        begun = time.monotonic()
        lost = (2, SeatKind.PLAYER, "guest-1", SeatKind.RESERVED, "guest-2")
        while (message := anna.next()) != ("MSG_PLAYERS", lost):
            if message.name == "RSP_MOVE":
                time.sleep(0.1)
            if message.name == "REQ_MOVE":
                anna.say("MSG_MOVE", -1, -1, "nothing")  # whoever says anything is not idle
        assert 1.9 < time.monotonic() - begun < 10.0
        assert bert.hung_up_after_s() < 1.0
        assert "why=idle" in running.log.read_text()


def test_unread_is_how_long_bytes_may_wait_for_one_who_reads_nothing(tmp_path: Path) -> None:
    limits = {**FAST, "LIMITS_UNREAD": "700ms", "LIMITS_UNREAD_BYTES": "100000000"}
    with limited(tmp_path, **limits) as running, undisturbed(running):
        with Guest(running.ports[0], receive_buffer=4096) as deaf, Guest(running.ports[0]) as bert:
            assert [deaf.joins(GAME), bert.joins(GAME)] == [0, 1]
            deaf.floods(seconds=PATIENCE_S, enough=FLOOD)
            bert.hears_lost(0)
        assert "does not read" in running.log.read_text()
        assert "client does not read" not in running.log.read_text()


def test_unread_bytes_is_how_much_may_wait(tmp_path: Path) -> None:
    limits = {**FAST, "LIMITS_UNREAD": "60s", "LIMITS_UNREAD_BYTES": "65536"}
    with limited(tmp_path, **limits) as running, undisturbed(running):
        with Guest(running.ports[0], receive_buffer=4096) as deaf, Guest(running.ports[0]) as bert:
            assert [deaf.joins(GAME), bert.joins(GAME)] == [0, 1]
            deaf.floods(seconds=PATIENCE_S)
            bert.hears_lost(0)
        assert "client does not read" in running.log.read_text()


@pytest.mark.parametrize(("name", "text"), [("LIMITS_UNREAD_BYTES", "10"), ("LIMITS_CONNECTIONS", "0")])
def test_a_limit_that_makes_no_sense_is_refused_at_the_start(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(AssertionError, match="is less than"), limited(tmp_path, **{name: text}):
        pass
