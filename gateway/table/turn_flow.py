"""Turn flow after a position changed: the dice that are due, the end of the game, or the next turn and its clock.

Also how a game is lost without the position deciding it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final

from msgspec import structs

from gateway.games.base import CHANCE, Game, differences
from gateway.games.parts import Chance, chance_of, stopped
from gateway.table import clock as clocks
from gateway.table import dice
from gateway.table.draft import Draft
from gateway.table.state import State, Status, by_days, has_moved, seats_of
from protocols.core import events as ev
from protocols.core.model import Clock, Outcome, Reason, SeatKind, Settings

DEAD: Final = Outcome(None, Reason.RULES, "dead position")
"""The end of a game that no seat can win any more (``Game.dead``)."""

REMEMBERED_STARTS: Final = 256
"""Settings whose first board is remembered."""


def begin(draft: Draft, settings: Settings) -> None:
    """A new game with these settings: its commitment, its board, the first turn."""
    state = draft.state
    game, number = state.game, state.games + 1
    commitment = dice.commitment(dice.game_secret(state.secret, number)) if isinstance(game, Chance) else ""
    draft.add(ev.GameStarted(settings, number, *_first_position(game, settings), commitment))
    if settings.time is not None:
        draft.add(ev.ClockSet(clocks.fresh(settings.time, settings.seats)))


@lru_cache(REMEMBERED_STARTS)
def _first_position(game: Game[Any], settings: Settings) -> tuple[tuple[tuple[int, str], ...], str]:
    """The board that a game begins with, and its text. Most tables begin alike, and share them."""
    position = game.start(settings)
    return tuple(sorted(game.board(position).items())), game.brief(position)


def go_on(draft: Draft, now: float, mover: int | None = None, lag_s: float = 0.0) -> None:
    """Roll what is due, then end the game or start the next turn. ``mover`` is whose turn it was, None at the start."""
    state = draft.state
    game = state.game
    while (turn := game.to_move(draft.state.position)) == CHANCE:
        due, number = chance_of(game).chance(draft.state.position), draft.state.rolls + 1
        value = dice.roll(dice.game_secret(state.secret, state.games), number, due.sides)
        draft.add(ev.DiceRolled(due.seat, number, value))
    if isinstance(turn, int):
        if game.dead(draft.state.position):
            end(draft, DEAD, now, lag_s)
            return
        clock = _clock_for(draft, turn, mover, now, lag_s)
        draft.add(ev.TurnStarted(turn, clock) if clock else _turn(turn))
        return
    if stopped(game, draft.state.position) is not None:
        settle(draft, now, lag_s)
        return
    outcome = game.outcome(draft.state.position)
    end(draft, outcome or Outcome(None, Reason.VOID), now, lag_s)


@cache
def _turn(seat: int) -> ev.TurnStarted:
    """The turn of a seat without a clock: always the same."""
    return ev.TurnStarted(seat)


def _clock_for(draft: Draft, turn: int, mover: int | None, now: float, lag_s: float) -> Clock | None:
    control, clock = draft.state.settings.time, draft.state.clock
    if control is None or clock is None:
        return None
    if turn == mover and clock.running in (turn, None):
        return clock  # one turn of several moves: its clock just runs on, or stands
    if mover is not None and clock.running is None:
        readings = list(clock.readings)
        readings[mover] = clocks.untimed(control, readings[mover])
        clock = replace(clock, readings=tuple(readings))
    return clock_of_turn(draft.state, turn, clocks.stop(control, clock, now, lag_s), now)


def clock_of_turn(state: State, turn: int, clock: Clock, now: float) -> Clock:
    """The clocks, all standing until now, as the turn begins: its seat's runs, unless the house times no first move."""
    if isinstance(state.house.first_move_s, float) and not by_days(state) and not has_moved(state, turn):
        return replace(clock, since=now)
    return clocks.start(clock, turn, now)


def stop_clocks(draft: Draft, now: float, lag_s: float = 0.0) -> None:
    """All clocks stand, where there are any."""
    control, clock = draft.state.settings.time, draft.state.clock
    if control is not None and clock is not None and clock.running is not None:
        draft.add(ev.ClockSet(clocks.stop(control, clock, now, lag_s, turn_over=False)))


def settle(draft: Draft, now: float, lag_s: float = 0.0) -> None:
    """Play has stopped: the clocks stand while the players settle what is left."""
    stop_clocks(draft, now, lag_s)
    draft.add(ev.GameSettling())
    _keep_the_absent(draft, now)


def adjourn(draft: Draft, now: float) -> None:
    """The game waits, clocks stopped, as long as the house rules let it."""
    stop_clocks(draft, now)
    draft.add(ev.GameAdjourned(now + draft.state.house.adjourned_s))


def end(draft: Draft, outcome: Outcome, now: float, lag_s: float = 0.0) -> None:
    """The game is over: clocks stop, the dice's secret is revealed."""
    stop_clocks(draft, now, lag_s)
    state = draft.state
    secret = dice.game_secret(state.secret, state.games).hex() if isinstance(state.game, Chance) else ""
    draft.ended = state
    draft.add(ev.GameEnded(structs.replace(outcome, places=places(state, outcome)), secret))
    _keep_the_absent(draft, now)


def places(state: State, outcome: Outcome) -> tuple[int, ...]:
    """The places of the seats in a game that ends so, see Outcome; () for two, and for a game that is void."""
    if len(state.seats) == 2 or outcome.reason is Reason.VOID:
        return ()
    played = [seat.index for seat in state.seats if seat.index not in state.absent]
    gave_up = [seat for seat in reversed(state.withdrawn) if seat in played and seat != outcome.winner]
    first = played if outcome.winner is None else [outcome.winner]
    shared = [seat for seat in first if seat not in gave_up]
    second = [seat for seat in played if seat not in shared and seat not in gave_up]
    found = dict.fromkeys(shared, 1) | dict.fromkeys(second, len(shared) + 1)
    found |= {seat: len(found) + at for at, seat in enumerate(gave_up, 1)}
    return tuple(found.get(seat.index, 0) for seat in state.seats)


def _keep_the_absent(draft: Draft, now: float) -> None:
    """A correspondence game's clock runs no more: seats that it kept without an end are kept as other games' are."""
    state = draft.state
    if not by_days(state):
        return
    wait_s = state.house.adjourned_s if state.status is Status.PLAYING else state.house.grace_s
    for seat in seats_of(state, SeatKind.RESERVED):
        if not state.until[seat]:
            draft.add(ev.SeatLeft(seat, SeatKind.RESERVED, now + wait_s))


def lose(draft: Draft, seat: int, reason: Reason, now: float, why: str = "") -> None:
    """``seat`` is out of the game: at a table of two the other wins, at a larger one the others play on if they can.

    An opponent who cannot win by the rules does not win so either (FIDE 5.1.2, 6.9): it is a draw.
    """
    state = draft.state
    if len(state.seats) == 2:
        won = state.game.can_win(state.position, 1 - seat)
        end(draft, Outcome(1 - seat, reason, why) if won else Outcome(None, reason, "the other side cannot win"), now)
        return
    if not withdraw(draft, seat):
        end(draft, Outcome(None, reason), now)
        return
    outcome = state.game.outcome(draft.state.position)
    if outcome is not None:
        end(draft, outcome, now)
    elif state.turn == seat:
        go_on(draft, now, seat)


def withdraw(draft: Draft, seat: int) -> bool:
    """``seat`` gives the game up and the others play on; False and no event where the rules end the game with it."""
    game, before = draft.state.game, draft.state.position
    after = game.withdraw(before, seat)
    if after is None:
        return False
    changed = tuple(differences(game.board(before), game.board(after)))
    draft.add(ev.SeatWithdrawn(seat, changed, game.brief(after)))
    return True
