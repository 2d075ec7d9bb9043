"""Players give their opponents time; flags fall by the table's clocks, and a claim of one is answered truthfully."""

from __future__ import annotations

import pytest

from gateway.table.state import deadline
from protocols.core.commands import ClaimEnd, GiveTime, Propose, Resign
from protocols.core.errors import Refused, Why
from protocols.core.events import ClockSet, GameEnded, Said
from protocols.core.model import Outcome, Reason
from protocols.core.proposals import Takeback
from tests.table.tables import Conversation


def begun(time: str = "60", game: str = "tic_tac_toe", seats: int = 2) -> Conversation:
    table = Conversation(game, time=time, seats=seats)
    table.join(*("anna", "bert", "cleo")[:seats])
    return table


def left(table: Conversation) -> list[float]:
    assert table.state.clock is not None
    return [reading.main_s for reading in table.state.clock.readings]


def why(table: Conversation, seat: int, seconds: int, now: float = 0.0) -> Why:
    with pytest.raises(Refused) as refusal:
        table.ask(seat, GiveTime(seconds), now)
    return refusal.value.why


def test_the_other_has_so_much_more_while_its_clock_runs() -> None:
    table = begun()
    assert deadline(table.state) == 60.0
    clock, said = table.ask(1, GiveTime(15), now=10.0)
    assert isinstance(clock, ClockSet)
    assert said == Said(1, "all", "15 more seconds for the other side", "bert")
    assert (left(table), deadline(table.state)) == ([75.0, 60.0], 75.0)
    table.ask(0, GiveTime(600), now=11.0)
    assert left(table) == [75.0, 660.0]


def test_a_takeback_brings_the_clocks_back_as_they_were() -> None:
    table = begun()
    table.play(4, now=5.0)
    table.ask(0, GiveTime(15), now=6.0)
    for seat in (0, 1):
        table.ask(seat, Propose(Takeback(1)), now=7.0)
    assert left(table) == [60.0, 60.0]


def test_all_opponents_of_three_players_have_it() -> None:
    table = begun(game="ludo", seats=3)
    table.ask(0, GiveTime(15))
    assert left(table) == [60.0, 75.0, 75.0]


def test_in_overtime_it_is_used_before_the_next_period() -> None:
    table = begun("10+3x5")
    table.ask(1, GiveTime(15), now=1.0)
    table.play(4, now=20.0)
    assert left(table)[0] == 5.0


@pytest.mark.parametrize("seconds", [0, -5, 601])
def test_too_little_and_too_much_is_refused(seconds: int) -> None:
    assert why(begun(), 0, seconds) is Why.BAD_OPTION


def test_there_is_none_to_give_without_time_for_the_game() -> None:
    assert why(begun("none"), 0, 15) is Why.UNSUPPORTED
    assert why(begun("10/move"), 0, 15) is Why.UNSUPPORTED
    over = begun()
    over.ask(0, Resign())
    assert why(over, 1, 15) is Why.NOT_PLAYING
    assert why(begun("86390"), 0, 15) is Why.NOT_NOW, "a clock shows a day at most"


def test_a_fallen_flag_is_not_raised_again() -> None:
    table = begun()
    assert why(table, 1, 15, now=60.5) is Why.NOT_NOW
    assert table.wait(60.5) == table.said[-2:]
    assert table.said[-1] == GameEnded(Outcome(1, Reason.TIME))


def test_a_claim_of_the_others_flag_is_answered_truthfully() -> None:
    """Programs ask where they count themselves; the table's clock decides, and needs no claim."""
    table = begun()
    with pytest.raises(Refused, match="the game is not over"):
        table.ask(1, ClaimEnd(1), now=59.0)
    table.wait(60.5)
    assert table.ask(1, ClaimEnd(1), now=61.0) == []
