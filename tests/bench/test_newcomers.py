"""Crowds of newcomers are measured in every dialect that has players; these tests assert no speed."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from bench import newcomers, process
from bench.guests import MiniatureGuest
from bench.newcomers import Entered
from gateway import registry
from gateway.cli import main

REGISTERED = "gamesman"
"""The dialect whose players are registered before they come."""

BY_NAME = "igs"
"""The dialect without a word for a game with anybody: a crowd would have to know each other's names."""


def test_in_every_dialect_each_of_a_crowd_gets_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newcomers, "COUNTED", 4)
    monkeypatch.setattr(newcomers, "WARM", 2)
    found = CliRunner().invoke(main, ["bench", "--only", "newcomers", "--newcomers", "4", "--newcomers", "2"])
    assert found.exit_code == 0, found.output
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in found.output.splitlines() if "│" in line]
    dialects = {name for name, kind in registry.dialects().items() if not (kind.rounds or kind.carried)}
    dialects -= {REGISTERED, BY_NAME}
    assert {row[0] for row in rows} == dialects
    for dialect in dialects:
        smaller, larger = [row for row in rows if row[0] == dialect]
        assert [smaller[1:4], larger[1:4]] == [["2", "4 of 4", "0"], ["4", "4 of 4", "0"]], (
            "at once, in a game, refused"
        )
        assert float(smaller[5].replace(",", "")) > 0
        assert smaller[6] == "1.00"


def test_the_measurement_ends_where_the_server_seats_no_newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server with room for one connection: no two meet."""
    monkeypatch.setattr(newcomers, "SILENT_S", 0.5)
    monkeypatch.setattr(newcomers, "GUESTS", (MiniatureGuest,))
    monkeypatch.setitem(process.UNLIMITED, "BOARDGATE_LIMITS_CONNECTIONS", "1")
    (found,) = newcomers.entered([3], lambda share: None)[MiniatureGuest]
    assert (found.newcomers, found.playing) == (3, 0), "one crowd, and none after it"
    assert found.each_us == 0.0


def test_the_servers_time_is_shared_among_those_who_got_a_game() -> None:
    assert Entered(10, newcomers=20, playing=10, processor_s=0.5).each_us == pytest.approx(50_000.0)
