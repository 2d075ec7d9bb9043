"""A Go GUI offers draws, and hears and answers what the other side wants, by comments and commands of ours."""

from __future__ import annotations

import pytest

from protocols.core.commands import Decline, Propose, Resign
from protocols.core.model import Reason
from protocols.core.proposals import Adjourn, Draw, Resume, Takeback
from protocols.gtp.gui import GtpGui
from tests.protocols.gtp_peers import SET_UP, GoTable, gui, two
from tests.protocols.talk import heard

ANSWER = "boardgate-agree, or boardgate-decline"


def told(peer: GtpGui) -> list[str]:
    """What it hears, comments without the empty lines behind them."""
    return [line for line in heard(peer) if line != "hex 0a"]


def after_two_moves() -> tuple[GoTable, GtpGui, GtpGui]:
    """It is Black's turn, and both know D4 and C3."""
    table, black, white = two()
    table.say(white, "play w C3")
    table.say(black, "genmove w")
    return table, black, white


def test_a_draw_is_offered_and_agreed_to() -> None:
    table, black, white = after_two_moves()
    assert table.say(black, "boardgate-draw") == []
    assert told(white) == [f"# your opponent offers a draw: {ANSWER}"]
    assert table.say(white, "boardgate-agree") == ["="]
    assert heard(black) == ["="]
    assert table.state.outcome is not None
    assert table.state.outcome.reason is Reason.AGREEMENT
    assert table.say(black, "final_score") == ["= 0"]


def test_a_game_is_aborted_by_both_and_before_one_s_first_move_by_one() -> None:
    table, black, white = after_two_moves()
    assert table.say(black, "boardgate-abort") == []
    assert told(white) == [f"# your opponent asks to abort the game, so that nobody loses: {ANSWER}"]
    assert table.say(white, "boardgate-agree") == ["="]
    assert heard(black) == ["="]
    assert table.say(black, "final_score") == ["? game over: Void (aborted)"]
    assert table.say(black, "boardgate-abort") == ["? nothing to abort: the game is over"]
    table, black, white = two()
    assert table.say(white, "boardgate-abort") == ["="]
    assert table.state.outcome is not None
    assert table.state.outcome.reason is Reason.VOID


def test_a_draw_is_declined_and_passed_over() -> None:
    table, black, white = after_two_moves()
    table.say(black, "boardgate-draw")
    assert told(white)
    assert table.say(white, "boardgate-decline", "boardgate-decline") == ["=", "? nobody offers you anything"]
    assert heard(black) == ["? your opponent declines"]
    table.say(black, "play b E5", "boardgate-draw")
    table.say(white, "genmove b", "play w E6")
    assert heard(black) == ["? the game has gone on"]


def test_an_offer_that_is_given_up_is_withdrawn() -> None:
    table, black, _ = after_two_moves()
    assert table.say(black, "boardgate-draw", "# interrupt") == ["? interrupted"]
    assert table.state.proposals == ()


def test_a_draw_offered_by_both_is_one() -> None:
    table, black, white = after_two_moves()
    table.do(white, [Propose(Draw())])
    assert told(black)
    assert table.say(black, "boardgate-draw") == ["="]


def test_a_takeback_is_agreed_to_and_undone() -> None:
    table, black, white = after_two_moves()
    assert table.say(black, "undo") == []
    assert told(white) == [f"# your opponent asks to take 2 moves back: {ANSWER}"]
    assert table.say(white, "boardgate-agree") == ["= undo 2 times"]
    assert heard(black) == ["="]
    assert table.say(white, "undo", "undo", "genmove b") == ["=", "="]
    assert table.say(black, "undo", "play b E5") == ["=", "="]
    assert heard(white) == ["= E5"]


def test_a_gui_that_waits_gives_the_wait_up_to_answer() -> None:
    table, black, white = after_two_moves()
    table.say(white, "genmove b")
    table.do(black, [Propose(Takeback(1))])
    assert told(white) == [f"# your opponent asks to take a move back: {ANSWER}"]
    assert table.say(white, "# interrupt", "boardgate-agree", "undo") == ["? interrupted", "= undo 1 times", "="]


def test_an_adjournment_is_agreed_to() -> None:
    table, black, white = after_two_moves()
    table.do(black, [Propose(Adjourn())])
    assert told(white) == [f"# your opponent asks to adjourn: {ANSWER}"]
    assert table.say(white, "boardgate-agree", "genmove b") == ["="]
    table.do(black, [Propose(Resume())])
    table.say(black, "play b E5")
    assert heard(white) == ["= E5"]


def test_who_comes_back_is_told_what_is_offered() -> None:
    table, black, white = after_two_moves()
    table.drop(white)
    table.do(black, [Propose(Draw())])
    again = gui(table, "# ticket 1", "# back 2", *SET_UP)
    assert table.say(again, "play b D4")[:1] == [f"# your opponent offers a draw: {ANSWER}"]


@pytest.mark.parametrize("command", ["boardgate-draw", "boardgate-abort", "boardgate-agree", "boardgate-decline"])
def test_there_is_nothing_to_agree_to_without_a_game(command: str) -> None:
    assert GoTable().say(gui(), command)[0].startswith("? n")


def test_a_yes_to_what_has_lapsed_says_so() -> None:
    table, black, white = after_two_moves()
    table.do(black, [Propose(Draw())])
    table.do(black, [Decline("Draw")])
    assert told(white)
    assert table.say(white, "boardgate-agree") == ["? nobody offers you anything"]
    table.say(white, "boardgate-draw")
    table.do(black, [Resign()])
    assert heard(white) == ["? game over: W+R"]


def test_who_looks_on_hears_of_no_offer() -> None:
    table, black, _ = after_two_moves()
    watcher = gui(table, "boardsize 9", "boardgate-observe 1")
    table.do(black, [Propose(Draw())])
    assert heard(watcher) == []
    assert table.say(watcher, "boardgate-agree") == ["? nobody offers you anything"]
