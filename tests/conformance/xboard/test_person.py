"""Two people before two XBoards at one table of a running server: what only people do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import peers
from tests.conformance.xboard.people import begin, two_people
from tests.conformance.xboard.programs import said
from tests.conformance.xboard.window import MACHINE_WHITE, RESIGN, RETRACT, Person

pytestmark = peers.needed

Pair = tuple[Person, Person]


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Pair]:
    """Alice and Bob; Alice has White, one move of each is made."""
    with two_people(tmp_path) as (alice, bob, _):
        begin(alice, bob)
        yield alice, bob


def test_a_takeback_is_seen_and_agreed_to_on_the_other_side(people: Pair) -> None:
    """An XBoard user's takeback (Retract) seen and answered on the other side."""
    alice, bob = people
    alice.press(RETRACT)
    alice.hears("remove")
    bob.sees("askuser TAKEBACK alice wants to take back the last two moves.")
    bob.answers("yes")
    alice.sees("bob agrees: the moves are taken back.")
    alice.moves("d2d4")
    bob.sees("setboard ")
    bob.press(MACHINE_WHITE)
    bob.sees("move d2d4")
    bob.moves("d7d5")
    alice.sees("move d7d5")


def test_a_takeback_that_is_refused_is_undone(people: Pair) -> None:
    alice, bob = people
    alice.press(RETRACT)
    bob.sees("askuser TAKEBACK")
    bob.answers("no")
    alice.sees("setboard ")
    alice.moves("g1f3")
    bob.sees("move g1f3")


def test_an_adjournment_is_agreed_to_by_a_question_and_the_game_goes_on(people: Pair) -> None:
    """An adjournment offered from either side and accepted in XBoard by askuser."""
    alice, bob = people
    alice.presses_engine_button("Offer adjourn")
    bob.sees("askuser ADJOURN alice wants to adjourn the game.")
    bob.answers("yes")
    for person in people:
        person.hears("result * {Engine aborts game}")
    alice.presses_engine_button("Resume")
    bob.sees("askuser RESUME alice wants to go on with the adjourned game.")
    bob.answers("yes")
    alice.moves("g1f3")
    bob.press(MACHINE_WHITE)
    bob.sees("move g1f3")
    bob.moves("b8c6")
    alice.sees("move b8c6")


def test_an_adjournment_is_agreed_to_by_a_button_and_the_game_goes_on(people: Pair) -> None:
    """An adjournment offered from either side and accepted in XBoard by an option button."""
    alice, bob = people
    bob.presses_engine_button("Offer adjourn")
    alice.sees("askuser ADJOURN bob wants to adjourn the game.")
    alice.puts_the_question_aside()
    alice.presses_engine_button("Accept")
    for person in people:
        person.hears("result * {Engine aborts game}")
    bob.presses_engine_button("Resume")
    alice.sees("askuser RESUME bob wants to go on with the adjourned game.")
    alice.puts_the_question_aside()
    alice.presses_engine_button("Accept", 2)
    alice.moves("g1f3")
    bob.press(MACHINE_WHITE)
    bob.sees("move g1f3")
    bob.moves("b8c6")
    alice.sees("move b8c6")


def test_a_resignation_ends_the_game_on_the_other_side(people: Pair) -> None:
    alice, bob = people
    bob.press(RESIGN)
    alice.sees("resign")
    alice.hears("result 1-0 {Black resigns}")
    assert "result 1-0 {Black resigns}" in said(alice.window.log, "peer <")
