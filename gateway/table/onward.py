"""Who is next after the position changed: the dice that are due, the end of the game, or the next turn and its clock.

Also how a game is lost without the position deciding it. Not here: whether a command is allowed.
"""

from __future__ import annotations

from functools import cache

from gateway.games.base import CHANCE, differences
from gateway.table import clock as clocks
from gateway.table import dice
from gateway.table.draft import Draft
from gateway.table.state import seats_of
from protocols.core import events as ev
from protocols.core.model import Clock, Outcome, Reason, SeatKind, Settings


def begin(draft: Draft, settings: Settings) -> None:
    """A new game with these settings: its commitment, its board, the first turn."""
    state = draft.state
    game, number = state.game, state.games + 1
    position = game.start(settings)
    commitment = dice.commitment(dice.game_secret(state.secret, number)) if game.has_dice else ""
    board = tuple(sorted(game.board(position).items()))
    draft.add(ev.GameStarted(settings, number, board, game.brief(position), commitment))
    if settings.time is not None:
        draft.add(ev.ClockSet(clocks.fresh(settings.time, settings.seats)))


def go_on(draft: Draft, now: float, mover: int | None = None, lag_s: float = 0.0) -> None:
    """Roll what is due, then end the game or start the next turn. ``mover`` is whose turn it was, None at the start."""
    state = draft.state
    game = state.game
    secret = dice.game_secret(state.secret, state.games) if game.has_dice else b""
    while (turn := game.to_move(draft.state.position)) == CHANCE:
        chance, number = game.chance(draft.state.position), draft.state.rolls + 1
        draft.add(ev.DiceRolled(chance.seat, number, dice.roll(secret, number, chance.sides)))
    if isinstance(turn, int):
        clock = _clock_for(draft, turn, mover, now, lag_s)
        draft.add(ev.TurnStarted(turn, clock) if clock else _turn(turn))
        return
    if game.settling(draft.state.position):
        settle(draft, now, lag_s)
        return
    outcome = game.outcome(draft.state.position)
    end(draft, outcome or Outcome(None, Reason.VOID), now, lag_s)


@cache
def _turn(seat: int) -> ev.TurnStarted:
    """The turn of a seat where nobody keeps time: always the same."""
    return ev.TurnStarted(seat)


def _clock_for(draft: Draft, turn: int, mover: int | None, now: float, lag_s: float) -> Clock | None:
    control, clock = draft.state.settings.time, draft.state.clock
    if control is None or clock is None:
        return None
    if turn == mover and clock.running == turn:
        return clock  # one turn of several moves: its clock just runs on
    return clocks.start(clocks.stop(control, clock, now, lag_s), turn, now)


def stop_clocks(draft: Draft, now: float, lag_s: float = 0.0) -> None:
    """All clocks stand, where there are any."""
    control, clock = draft.state.settings.time, draft.state.clock
    if control is not None and clock is not None and clock.running is not None:
        draft.add(ev.ClockSet(clocks.stop(control, clock, now, lag_s, turn_over=False)))


def settle(draft: Draft, now: float, lag_s: float = 0.0) -> None:
    """Play has stopped: the clocks stand while the players settle what is left."""
    stop_clocks(draft, now, lag_s)
    draft.add(ev.GameSettling())


def adjourn(draft: Draft, now: float) -> None:
    """The game waits, clocks stopped, as long as the house lets it."""
    stop_clocks(draft, now)
    draft.add(ev.GameAdjourned(now + draft.state.house.adjourned_s))


def end(draft: Draft, outcome: Outcome, now: float, lag_s: float = 0.0) -> None:
    """The game is over: clocks stop, the dice's secret is revealed."""
    stop_clocks(draft, now, lag_s)
    state = draft.state
    secret = dice.game_secret(state.secret, state.games).hex() if state.game.has_dice else ""
    draft.add(ev.GameEnded(outcome, secret))


def lose(draft: Draft, seat: int, reason: Reason, now: float, why: str = "") -> None:
    """``seat`` is out of the game: at a table of two the other wins, at a larger one the others play on if they can."""
    state = draft.state
    if len(state.seats) == 2:
        won = reason is not Reason.TIME or state.game.can_win(state.position, 1 - seat)
        end(draft, Outcome(1 - seat, reason, why) if won else Outcome(None, reason, "the other side cannot win"), now)
        return
    after = state.game.withdraw(state.position, seat)
    if after is None:
        end(draft, Outcome(None, reason), now)
        return
    changed = tuple(differences(state.game.board(state.position), state.game.board(after)))
    draft.add(ev.SeatWithdrawn(seat, changed, state.game.brief(after)))
    outcome = state.game.outcome(after)
    if outcome is not None:
        end(draft, outcome, now)
    elif state.turn == seat:
        go_on(draft, now, seat)


def anybody_here(draft: Draft) -> bool:
    """Whether at least one person sits at the table with a connection."""
    return bool(seats_of(draft.state, SeatKind.PLAYER))
