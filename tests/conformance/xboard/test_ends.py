"""Two people before two XBoards end their game: a flag that falls in a window, draws that are offered and agreed to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import peers
from tests.conformance.xboard.people import FIVE_MINUTES, Two, begin, two_people
from tests.conformance.xboard.programs import said
from tests.conformance.xboard.window import DRAW

pytestmark = peers.needed

SEVEN_SECONDS = ("-tc", "0:07", "-autoCallFlag", "true")


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Two]:
    with two_people(tmp_path) as two:
        begin(*two[:2])
        yield two


def test_a_flag_that_falls_in_the_window_is_a_loss_on_time_in_the_record_and_at_the_other_side(tmp_path: Path) -> None:
    """The table's clock has minutes left: it is the window's own that falls."""
    with two_people(tmp_path, alice=SEVEN_SECONDS, bob=FIVE_MINUTES, registered="300") as (alice, bob, record):
        begin(alice, bob)
        alice.hears("result 0-1 {Black wins on time}")
        bob.sees("0-1 {White forfeits on time}")
        bob.hears("result 0-1 {White forfeits on time}")
        outcome = record()["outcome"]
    assert (outcome["reason"], outcome["winner"]) == ("time", 1)
    assert not any("resign" in line for line in said(bob.window.log, "gui >"))


def test_a_draw_that_was_agreed_is_one_word_and_no_claim(people: Two) -> None:
    alice, bob, record = people
    alice.press(DRAW)
    bob.sees("offer draw")
    bob.agrees_to_a_draw()
    bob.hears("result 1/2-1/2 {Draw agreed}")
    alice.sees("1/2-1/2 {draw agreed}")
    alice.hears("result 1/2-1/2")
    outcome = record()["outcome"]
    assert outcome["reason"] == "agreement"
    told = said(bob.window.log, "peer >")
    assert told.count("draw") == 1
    assert not any(line.startswith("result") for line in told)
    assert not any("no game" in line for line in said(bob.window.log, "gui >"))


def test_a_draw_out_of_turn_is_answered_and_reaches_the_other_side(people: Two) -> None:
    """It is Alice's turn, and Bob who offers."""
    alice, bob, record = people
    bob.press(DRAW)
    bob.hears("draw")
    bob.sees("alice is offered a draw.")
    alice.sees("offer draw")
    alice.agrees_to_a_draw()
    bob.hears("result 1/2-1/2")
    assert record()["outcome"]["reason"] == "agreement"
