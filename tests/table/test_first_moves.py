"""Where the house times no first move: clocks that stand during each side's first turn, and a wait with an end."""

from __future__ import annotations

import pytest

from gateway.table import seating
from gateway.table.evolve import replay
from gateway.table.state import deadline
from protocols.core.commands import Join, Leave, PlayMove, Propose
from protocols.core.events import ClockSet, GameEnded, TableOpened, TurnStarted
from protocols.core.model import HouseRules, Move, Outcome, Reading, Reason
from protocols.core.proposals import Adjourn, Resume, Takeback
from tests.table.tables import SECRET, Conversation, kinds
from tests.table.test_registered import registered

WAITS_S = 30.0
HOUSE = HouseRules(first_move_s=WAITS_S)
NOT_BEGUN = Outcome(None, Reason.VOID, "aborted: no first move")


def begun(game: str = "tic_tac_toe", time: str = "60", **more: int) -> Conversation:
    table = Conversation(game, time=time, house=HOUSE, **more)
    table.join("anna", "bert", now=100.0)
    return table


def left(table: Conversation) -> list[float]:
    assert table.state.clock is not None
    return [reading.main_s for reading in table.state.clock.readings]


def runs(table: Conversation) -> int | None:
    assert table.state.clock is not None
    return table.state.clock.running


def test_the_clocks_run_from_each_sides_second_turn_on() -> None:
    table = begun()
    assert runs(table) is None
    table.play(4, now=120.0)
    assert (runs(table), left(table)) == (None, [60.0, 60.0])
    table.play(0, now=149.0)
    assert (runs(table), left(table)) == (0, [60.0, 60.0])
    table.play(8, now=159.0)
    assert (runs(table), left(table)) == (1, [50.0, 60.0])


@pytest.mark.parametrize("moves", [(), (4,)])
def test_a_game_whose_first_move_does_not_come_is_aborted(moves: tuple[int, ...]) -> None:
    table = begun()
    table.play(*moves, now=110.0)
    due = 110.0 + WAITS_S if moves else 100.0 + WAITS_S
    assert deadline(table.state) == due
    assert table.wait(due - 0.1) == []
    assert table.wait(due) == [GameEnded(NOT_BEGUN)]


def test_an_untimed_turn_adds_nothing_and_counts_in_its_session() -> None:
    table = begun(time="60+5")
    table.play(4, 0, now=105.0)
    assert left(table) == [60.0, 60.0]
    table = begun(time="3/20")
    table.play(4, 0, now=105.0)
    assert table.state.clock is not None
    assert table.state.clock.readings == (Reading(20.0, moves=2), Reading(20.0, moves=2))


def test_a_first_turn_of_several_moves_is_untimed_to_its_end() -> None:
    table = begun("arimaa")
    for _ in range(3):
        table.ask(0, PlayMove(next(iter(table.state.game.legal_moves(table.state.position)))), now=110.0)
    assert runs(table) is None
    assert deadline(table.state) == 100.0 + WAITS_S, "the whole turn has this time"


def test_without_the_rule_and_in_correspondence_games_clocks_run_from_the_start() -> None:
    table = Conversation(time="60")
    table.join("anna", "bert")
    assert runs(table) == 0
    assert runs(begun(time="86400/move")) == 0


def test_after_an_adjournment_the_first_move_is_waited_for_anew() -> None:
    table = begun()
    for proposal in (Adjourn(), Resume()):
        for seat in (0, 1):
            table.ask(seat, Propose(proposal), now=120.0)
    assert (runs(table), deadline(table.state)) == (None, 150.0)


def test_a_takeback_to_the_start_is_untimed_again() -> None:
    table = begun()
    table.play(4, 0, 8, now=110.0)
    for seat in (0, 1):
        table.ask(seat, Propose(Takeback(3)), now=115.0)
    assert (runs(table), left(table), deadline(table.state)) == (None, [60.0, 60.0], 145.0)


def test_another_process_waits_anew_and_a_table_that_stood_still_longer() -> None:
    table = begun()
    again = replay(1, table.state.game, SECRET, [TableOpened(table.first.settings, HOUSE), *table.said])
    assert again == table.state
    adopted = seating.adopt(again, 7.0, 5.0).state
    assert adopted.clock is not None
    assert (adopted.clock.running, adopted.clock.since) == (None, 7.0)
    stood = seating.stood_still(table.state, 110.0, 114.0)
    assert isinstance(stood.events[0], ClockSet)
    assert deadline(stood.state) == 104.0 + WAITS_S


def test_three_players_go_on_without_one_who_does_not_begin() -> None:
    table = Conversation("ludo", seats=3, time="60", house=HOUSE)
    table.join("anna", "bert", "cleo", now=100.0)
    first = table.state.turn
    assert first is not None
    events = table.wait(100.0 + WAITS_S)
    assert kinds(events)[0] == "SeatWithdrawn"
    assert isinstance(events[-1], TurnStarted)
    assert first in table.state.withdrawn


def test_at_a_registered_table_silence_loses() -> None:
    """Staying away from the board does not undo a game that others have arranged."""
    table = registered("ann", "bob", time="60", house=HouseRules(waits_s=1000.0, first_move_s=WAITS_S))
    for seat in (0, 1):
        table.ask(seat, Join("tic_tac_toe"), now=100.0)
    assert table.wait(100.0 + WAITS_S)[-1] == GameEnded(Outcome(1, Reason.TIME))


def test_at_a_table_of_an_offer_silence_aborts() -> None:
    table = registered("ann", "bob", time="60", house=HouseRules(waits_s=1000.0, first_move_s=WAITS_S, offered=True))
    for seat in (0, 1):
        table.ask(seat, Join("tic_tac_toe"), now=100.0)
    assert table.wait(100.0 + WAITS_S)[-1] == GameEnded(NOT_BEGUN)


def test_a_player_who_is_gone_is_waited_for_no_longer_than_the_first_move() -> None:
    table = begun()
    table.ask(0, Leave(lost=True), now=101.0)
    assert table.wait(100.0 + WAITS_S)[0] == GameEnded(NOT_BEGUN)
    assert table.ask(0, Join("tic_tac_toe"), now=131.0)[0].seat == 0  # type: ignore[union-attr]


def test_the_bound_is_of_the_first_turn_alone() -> None:
    table = begun()
    table.play(4, 0, now=110.0)
    assert deadline(table.state) == 170.0
    table.ask(0, PlayMove(Move(None, 8)), now=165.0)
    assert left(table) == [5.0, 60.0]
