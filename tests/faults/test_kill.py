"""The server is killed with SIGKILL under load, repeatedly on one record: each move that a client was told is in it."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from gateway.cli import main
from gateway.record import audit
from gateway.store import codec
from gateway.store.views import TableView, Views
from protocols.core.events import MoveMade
from protocols.core.model import Move
from tests.faults.guests import Guest, sound
from tests.faults.pairs import FIRST_TIME, GAME, Load, Told
from tests.laws.playouts import NIGHTLY
from tests.running import server

KILLS = 10 if NIGHTLY else 5
PAIRS = 8
EARLIEST_S, LATEST_S = 0.05, 0.5
SETTINGS = {
    "BOTS_WORKERS": "0",
    "LIMITS_CONNECTIONS_PER_ADDRESS": "1000",
    "LIMITS_MESSAGES_PER_SECOND": "1000000",
    "LIMITS_STORED_PER_MINUTE": "1000000000000",
    "LIMITS_MESSAGES_BURST": "1000000",
}


def tables_of(views: Views) -> dict[int, TableView]:
    """Each game's table, by the game's number: every game has a time control of its own."""
    found = {}
    for view in views.tables(limit=10_000):
        if view.settings is not None and view.settings.time is not None:
            found[int(view.settings.time.main_s) - FIRST_TIME] = view
    return found


def recorded(views: Views, table: int) -> list[Move]:
    """The moves in the record, which must be whole."""
    assert audit.verify(table, views.rows(table)).defect is None
    events = [codec.decode(row.kind, row.body) for row in views.rows(table)]
    return [event.move for event in events if isinstance(event, MoveMade)]


def returns(port: int, told: Told, moves: list[Move]) -> None:
    """Both come back by their tickets and are told the position that the record leads to."""
    position = GAME.start(GAME.settings())
    for move in moves:
        position = GAME.play(position, move)
    for seat in (0, 1):
        with Guest(port) as guest:
            assert guest.joins(told.engine(seat)) == seat
            shown: dict[object, object] = {}
            guest.hear("MSG_START")
            while (message := guest.next()).name == "MSG_MOVE":
                source, square, *piece = message.values
                if source == -1:
                    shown[square] = piece[0]
            assert shown == (GAME.board(position) if moves else {})
            assert (message.name, message.values) == ("REQ_MOVE", (GAME.to_move(position),))


def check(data: Path, port: int, games: list[Told]) -> int:
    """Every game's record holds what was told of it; how many games go on."""
    going_on = 0
    views = Views(f"sqlite:///{data / 'boardgate.db'}")
    tables = tables_of(views)
    for told in games:
        moves = recorded(views, tables[told.number].table)
        for known in told.moves:
            assert moves[: len(known)] == known
        if tables[told.number].status == "playing":
            returns(port, told, moves)
            going_on += 1
    views.close()
    return going_on


@pytest.mark.nightly_too
def test_no_move_that_a_client_was_told_is_missing_after_kill_9(tmp_path: Path) -> None:
    chance = random.Random(20)
    going_on = 0
    with ExitStack() as stack:
        running = stack.enter_context(server(tmp_path, "bogaprot", ports=None, **SETTINGS))
        for kill in range(KILLS):
            with Load(running.ports[0], PAIRS, 1000 * kill, chance) as load:
                load.play(chance.uniform(EARLIEST_S, LATEST_S), least=100)
                running.kill()
                load.drain()
            running = stack.enter_context(server(tmp_path, "bogaprot", ports=None, **SETTINGS))
            going_on += check(tmp_path, running.ports[0], load.games)
        assert sound(running)
    assert going_on > PAIRS * KILLS // 2


def test_verify_says_that_a_killed_servers_record_is_whole(tmp_path: Path) -> None:
    with (
        server(tmp_path, "bogaprot", ports=None, **SETTINGS) as running,
        Load(running.ports[0], 2, 1, random.Random(1)) as load,
    ):
        load.play(0.3)
        running.kill()
        load.drain()
    said = CliRunner().invoke(main, ["verify", "--data", str(tmp_path), "1"])
    assert said.exit_code == 0
    assert "table 1: the record is whole" in said.output
