"""A person before a real XBoard at a registered table goes on with the same ticket over Bogaprot, and comes back."""

from __future__ import annotations

from pathlib import Path

from tests import peers
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.conformance.test_registered_tables import Bogaprot
from tests.conformance.xboard.programs import adapter, xboard
from tests.conformance.xboard.window import Person

pytestmark = peers.needed

HTTP, _, P2P = range(3)


def test_a_game_begun_in_xboard_is_continued_over_bogaprot_and_in_xboard_again(display: str, tmp_path: Path) -> None:
    """ "a ticket takes its seat and takes it back from any dialect (a game begun in XBoard is continued in a browser or
    over Bogaprot)"."""
    with fast(tmp_path / "server", "http", "bogaprot", "chess-p2p") as running:
        host = Host(running.ports[HTTP])
        table, (ticket, other) = host.registers("chess", "anna", "bert", time="300")
        opponent = Bogaprot(running, other)
        command = adapter(f"127.0.0.1:{running.ports[P2P]}", "--ticket", ticket)
        with xboard(display, tmp_path / "first", "-tc", "5", first=command) as window:
            anna = Person(display, window)
            anna.sees("bert is ready")
            anna.moves("e2e4")
            opponent.hears("e2e4")
            opponent.plays("e7e5")
            anna.sees("move e7e5")
        elsewhere = Bogaprot(running, ticket)
        elsewhere.plays("g1f3")
        opponent.hears("g1f3")
        with xboard(display, tmp_path / "second", "-tc", "5", first=command) as window:
            anna = Person(display, window)
            anna.sees("your game with bert goes on")
            opponent.plays("b8c6")
            anna.sees("press Accept in Engine > Engine #1 Settings")
            anna.presses_engine_button("Accept")
            anna.sees("Make your move as White.")
            anna.moves("f1b5")
            opponent.hears("f1b5")
        shown = host.table(table)
    assert [move["notation"] for move in shown["moves"]] == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    assert [seat["name"] for seat in shown["seats"]] == ["anna", "bert"]
