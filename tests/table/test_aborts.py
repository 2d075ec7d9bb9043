"""A game ends without a result: by agreement, or by one of two who has not moved."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from gateway.table.agreement import ABORTED
from gateway.table.state import Status
from protocols.core.commands import Decline, Join, Propose, Resign
from protocols.core.errors import Refused, Why
from protocols.core.events import Agreed, Declined, GameEnded, Proposed
from protocols.core.model import HouseRules, Outcome, Reason
from protocols.core.proposals import Abort, Rematch, Takeback
from tests.table.tables import Conversation, kinds
from tests.table.test_registered import registered

ABORT = Propose(Abort())


def begun(**more: object) -> Conversation:
    table = Conversation(**more)  # type: ignore[arg-type]
    table.join("anna", "bert")
    return table


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_who_has_not_moved_ends_the_game_alone(seat: int) -> None:
    table = begun()
    assert table.ask(seat, ABORT) == [GameEnded(ABORTED)]
    assert table.state.outcome == Outcome(None, Reason.VOID, "aborted")


def test_who_has_moved_needs_the_other_even_if_that_one_has_not() -> None:
    table = begun()
    table.play(4)
    assert table.ask(0, ABORT) == [Proposed(0, Abort())]
    assert table.ask(1, Decline("Abort")) == [Declined(1, "Abort")]
    table.play(0)
    table.ask(0, ABORT)
    assert table.ask(1, ABORT) == [Proposed(1, Abort()), Agreed(Abort()), GameEnded(ABORTED)]


def test_a_move_that_was_taken_back_was_none() -> None:
    table = begun()
    table.play(4)
    for seat in (0, 1):
        table.ask(seat, Propose(Takeback(1)))
    assert table.ask(0, ABORT) == [GameEnded(ABORTED)]


def test_the_clocks_stop_and_another_game_can_begin() -> None:
    table = begun(time="60")
    assert kinds(table.ask(1, ABORT, now=5.0)) == ["ClockSet", "GameEnded"]
    for seat in (0, 1):
        table.ask(seat, Propose(Rematch()))
    assert (table.state.status, table.state.games) == (Status.PLAYING, 2)
    assert kinds(table.ask(0, ABORT, now=9.0)) == ["ClockSet", "GameEnded"], "nobody has moved in the new game"


def test_there_is_no_game_to_abort_before_it_and_after_it() -> None:
    table = Conversation()
    table.join("anna")
    with pytest.raises(Refused, match="no abort now") as before:
        table.ask(0, ABORT)
    table.join("bert")
    table.ask(0, Resign())
    with pytest.raises(Refused, match="no abort now") as after:
        table.ask(1, ABORT)
    assert before.value.why is after.value.why is Why.NOT_NOW


def test_three_players_go_on_without_one_who_would_rather_not_play() -> None:
    table = Conversation("ludo", seats=3)
    table.join("anna", "bert", "cleo")
    for seat in (1, 2):
        assert table.ask(seat, ABORT) == [Proposed(seat, Abort())]
    assert table.ask(0, ABORT)[-1].outcome == ABORTED  # type: ignore[union-attr]


def test_at_a_registered_table_both_agree() -> None:
    """Others have said who plays whom there."""
    table = registered("ann", "bob")
    for seat in (0, 1):
        table.ask(seat, Join("tic_tac_toe"))
    assert table.ask(0, ABORT) == [Proposed(0, Abort())]
    assert table.ask(1, ABORT)[-1] == GameEnded(ABORTED)


@pytest.mark.parametrize("seat", [0, 1])
def test_at_a_table_of_an_offer_a_player_who_has_not_moved_ends_the_game_alone(seat: int) -> None:
    """The two have arranged it themselves."""
    table = registered("ann", "bob", house=HouseRules(waits_s=1000.0, offered=True))
    for each in (0, 1):
        table.ask(each, Join("tic_tac_toe"))
    assert table.ask(seat, ABORT) == [GameEnded(ABORTED)]


def test_at_a_table_of_an_offer_who_has_moved_needs_the_other() -> None:
    table = registered("ann", "bob", house=HouseRules(waits_s=1000.0, offered=True))
    for each in (0, 1):
        table.ask(each, Join("tic_tac_toe"))
    table.play(4)
    assert table.ask(0, ABORT) == [Proposed(0, Abort())]
    assert table.ask(1, ABORT) == [GameEnded(ABORTED)]


@pytest.mark.parametrize(("rated", "last"), [(False, GameEnded(ABORTED)), (True, Declined(1, "Abort"))])
def test_a_house_bot_agrees_unless_the_game_is_rated(rated: bool, last: object) -> None:
    """A rated game that is going badly could be ended by it."""
    table = Conversation(house=HouseRules(bot_after_s=0.0, abandoned="bot"))
    table.join("anna")
    table.play(4, 0)
    table.state = structs.replace(table.state, settings=replace(table.state.settings, rated=rated))
    assert table.ask(0, ABORT)[-1] == last
