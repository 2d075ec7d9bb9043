"""The clocks of two XBoards at one table: set by the adapter where XBoard was started with -firstPseudo, else told."""

from __future__ import annotations

import time
from pathlib import Path

from tests import peers
from tests.conformance.xboard.people import FIVE_MINUTES, begin, two_people
from tests.conformance.xboard.programs import said
from tests.conformance.xboard.window import MACHINE_WHITE, RETRACT, Person

pytestmark = peers.needed

THINKS_S = 8.0
"""Seconds that are used before the takeback: they are given back."""


def take_back(alice: Person, bob: Person) -> None:
    """Alice thinks, takes her first move back, and plays another."""
    time.sleep(THINKS_S)  # this long, or longer, is what is tried
    alice.press(RETRACT)
    bob.sees("askuser TAKEBACK")
    bob.answers("yes")
    alice.sees("By the table's clock you have 5:00")
    bob.sees("By the table's clock you have 5:00")
    alice.moves("d2d4")
    bob.sees("setboard ")
    bob.press(MACHINE_WHITE)
    bob.sees("move d2d4")
    bob.moves("d7d5")
    alice.sees("move d7d5")


def shown(person: Person, word: str, move: str) -> int:
    """Milliseconds that XBoard has said with ``word`` before this move."""
    lines = said(person.window.log, "gui <")
    before = lines[: lines.index(f"usermove {move}")]
    return 10 * int(next(line for line in reversed(before) if line.startswith(f"{word} ")).split()[1])


def told(person: Person, colour: str, after: str) -> int:
    """Milliseconds that the adapter has set a clock to first behind this line."""
    lines = said(person.window.log, "gui >")
    behind = lines[next(number for number, line in enumerate(lines) if line.startswith(after)) :]
    return int(next(line for line in behind if line.startswith(colour)).split()[1])


def test_after_a_takeback_both_windows_show_the_tables_clocks(tmp_path: Path) -> None:
    options = (*FIVE_MINUTES, "-firstPseudo")
    with two_people(tmp_path, options, options) as (alice, bob, _):
        begin(alice, bob)
        take_back(alice, bob)
    assert shown(alice, "otim", "d2d4") > 300_000 - 1000 * THINKS_S
    assert abs(shown(bob, "time", "d7d5") - told(bob, "wtime", "move d2d4")) < 20
    assert told(bob, "wtime", "move d2d4") > 300_000 - 1000 * THINKS_S


def test_an_xboard_that_sets_no_clocks_plays_on_and_its_user_is_told_them(tmp_path: Path) -> None:
    """What cannot be said: without -firstPseudo XBoard ignores the words."""
    with two_people(tmp_path) as (alice, bob, _):
        begin(alice, bob)
        take_back(alice, bob)
        alice.moves("g1f3")
        bob.sees("move g1f3")
    assert shown(bob, "time", "d7d5") > told(bob, "wtime", "move d2d4")
