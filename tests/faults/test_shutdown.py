"""SIGTERM ends the server within five seconds, after all pending output was sent."""

from __future__ import annotations

import random
import re
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults.databases import all_told_is_stored
from tests.faults.guests import FLOOD, GAME, LONG_WORD, PATIENCE_S, TICKET, Guest, seated
from tests.faults.pairs import HungUp, Load
from tests.running import RunningServer, server

LIMIT_S = 5.0
SETTINGS = {
    "BOTS_WORKERS": "0",
    "LIMITS_CONNECTIONS_PER_ADDRESS": "1000",
    "LIMITS_MESSAGES_PER_SECOND": "1000000",
    "LIMITS_STORED_PER_MINUTE": "1000000000000",
    "LIMITS_MESSAGES_BURST": "1000000",
    "LIMITS_UNREAD_BYTES": "100000000",
}


def stopped_after_s(running: RunningServer) -> float:
    begun = time.monotonic()
    assert running.stop() == 0
    return time.monotonic() - begun


def deafened(deaf: Guest, bert: Guest) -> None:
    """``deaf`` has asked FLOOD times, and all of it was answered: ``bert`` has seen the move that came after it."""
    assert deaf.floods(seconds=20.0, enough=FLOOD) == FLOOD
    deaf.say("MSG_MOVE", -1, 4, "")
    assert bert.hear("MSG_MOVE") == (-1, 4, "x")


@pytest.mark.parametrize("listeners", [("bogaprot",), ("bogaprot,game=checkers", "http")])
def test_it_ends_at_once_when_nothing_waits(tmp_path: Path, listeners: tuple[str, ...]) -> None:
    settings = {**SETTINGS, "LIMITS_SHUTDOWN": "60s"}
    with server(tmp_path, *listeners, ports=None, **settings) as running, Guest(running.ports[0]) as guest:
        assert stopped_after_s(running) < LIMIT_S
        assert guest.hung_up_after_s() < 1.0


def test_with_two_hundred_clients_and_one_who_never_reads_it_ends_in_time(tmp_path: Path) -> None:
    with server(tmp_path, "bogaprot", ports=None, **SETTINGS) as running, ExitStack() as stack:
        deaf = stack.enter_context(Guest(running.ports[0], receive_buffer=4096))
        bert = stack.enter_context(Guest(running.ports[0]))
        assert [deaf.joins(GAME), bert.joins(GAME)] == [0, 1]
        others = [stack.enter_context(Guest(running.ports[0])) for _ in range(198)]
        assert [other.joins(GAME) for other in others] == [0, 1] * 99
        deafened(deaf, bert)
        assert 2.5 < stopped_after_s(running) < LIMIT_S
        assert all(other.hung_up_after_s() < 1.0 for other in others)


def test_shutdown_is_how_long_it_waits_for_those_who_do_not_read(tmp_path: Path) -> None:
    with (
        server(tmp_path, "bogaprot", ports=None, **SETTINGS, LIMITS_SHUTDOWN="4s") as running,
        Guest(running.ports[0], receive_buffer=4096) as deaf,
        Guest(running.ports[0]) as bert,
    ):
        assert [deaf.joins(GAME), bert.joins(GAME)] == [0, 1]
        deafened(deaf, bert)
        assert stopped_after_s(running) > 3.5, "longer than by default"


def test_what_waits_for_a_slow_reader_still_leaves(tmp_path: Path) -> None:
    with (
        server(tmp_path, "bogaprot", ports=None, **SETTINGS) as running,
        Guest(running.ports[0], receive_buffer=4096) as deaf,
        Guest(running.ports[0]) as bert,
    ):
        assert [deaf.joins(GAME), bert.joins(GAME)] == [0, 1]
        deafened(deaf, bert)
        running.process.terminate()
        for _ in range(FLOOD):
            assert deaf.hear("RSP_MOVE") == (1, f"'{LONG_WORD}' means nothing now")
        assert deaf.hear("RSP_MOVE") == (0,)
        assert deaf.hear("REQ_MOVE") == (1,)
        with pytest.raises(EOFError):
            deaf.next()
        assert running.process.wait(LIMIT_S) == 0


def test_a_server_of_busy_tables_ends_without_an_error_in_its_log_and_nothing_told_is_lost(tmp_path: Path) -> None:
    with (
        server(tmp_path, "bogaprot", ports=None, **SETTINGS) as running,
        Load(running.ports[0], 30, 1, random.Random(6)) as load,
    ):
        load.play(0.5, least=1000)
        running.process.terminate()
        with pytest.raises(HungUp):
            load.play(PATIENCE_S)
        assert running.process.wait(LIMIT_S) == 0
        load.drain()
    assert all_told_is_stored(f"sqlite:///{tmp_path / 'boardgate.db'}", load.games)
    levels = re.findall(r"level=(\w+)", running.log.read_text())
    assert set(levels) == {"info"}, running.log.read_text()


def test_after_a_clean_end_the_game_goes_on(tmp_path: Path) -> None:
    with (
        server(tmp_path, "bogaprot", ports=None, **SETTINGS) as running,
        seated(running.ports[0], f"{GAME}#{TICKET}", f"{GAME}#{TICKET[::-1]}") as (anna, bert),
    ):
        assert [anna.puts(4), bert.puts(0)] == [(0,), (0,)]
        assert running.stop() == 0
    with server(tmp_path, "bogaprot", ports=None, **SETTINGS) as running, Guest(running.ports[0]) as anna:
        assert anna.joins(f"{GAME}#{TICKET}") == 0
        assert [anna.hear("MSG_MOVE"), anna.hear("MSG_MOVE")] == [(-1, 0, "o"), (-1, 4, "x")]
        with Guest(running.ports[0]) as bert:
            assert bert.joins(f"{GAME}#{TICKET[::-1]}") == 1
            assert [anna.puts(8), bert.puts(1)] == [(0,), (0,)]
