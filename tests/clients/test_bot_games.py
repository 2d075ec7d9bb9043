"""A bot that plays one game after another at a running server."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from click.testing import CliRunner

from gateway.cli import main
from gateway.store.views import Views
from protocols.core.events import SeatTaken
from protocols.core.model import SeatKind
from tests.running import server

GAMES = 12


def test_a_bot_keeps_its_name_from_game_to_game(tmp_path: Path) -> None:
    with server(tmp_path, "bogaprot,bot_after=0s") as running:
        words = ["bot", "tic_tac_toe", f"127.0.0.1:{running.ports[0]}", "--name", "z1", "--games", str(GAMES)]
        said = CliRunner().invoke(main, words)
    assert said.exit_code == 0, said.output
    assert said.output.count("\n") == GAMES, said.output
    with closing(Views(f"sqlite:///{tmp_path}/boardgate.db")) as views:
        tables = views.tables()
        taken = [stored.event for table in tables for stored in views.events(table.table)]
    people = [event.name for event in taken if isinstance(event, SeatTaken) and event.kind is SeatKind.PLAYER]
    assert people == ["z1"] * GAMES
