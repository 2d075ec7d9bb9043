"""The one agreement rule: a proposal takes effect when every seat has made a matching one.

Matching is being equal. Proposals are typed, at most one of a kind per seat; they lapse when the position changes or
anybody declines. House bots agree to everything but a draw. Not here: what a dialect calls any of this.
"""

from __future__ import annotations

from gateway.games.base import differences
from gateway.table import clock as clocks
from gateway.table import onward
from gateway.table.draft import Draft
from gateway.table.evolve import evolve
from gateway.table.state import State, Status, seats_of
from protocols.core import events as ev
from protocols.core.errors import Refused, Why
from protocols.core.model import Outcome, Reason, SeatKind
from protocols.core.proposals import Adjourn, Draw, Proposal, Rematch, Resume, Score, Start, Takeback


def propose(draft: Draft, seat: int, proposal: Proposal, now: float) -> None:
    """``seat`` makes ``proposal``; its effect follows if that was the last agreement missing. Refused: not now."""
    check(draft.state, proposal)
    if ev.Proposed(seat, proposal) in draft.state.proposals:
        raise Refused(Why.NOT_NOW, "you have proposed that already")
    draft.add(ev.Proposed(seat, proposal))
    bots = seats_of(draft.state, SeatKind.BOT)
    if isinstance(proposal, Draw) and bots:
        draft.add(ev.Declined(bots[0], "Draw"))
        return
    settle(draft, proposal, now)


def settle(draft: Draft, proposal: Proposal, now: float) -> None:
    """The effect of ``proposal``, if every seat has made it."""
    state = draft.state
    made = {made.seat for made in state.proposals if made.proposal == proposal}
    if all(seat.index in made or seat.kind is SeatKind.BOT for seat in state.seats):
        draft.add(ev.Agreed(proposal))
        _take_effect(draft, proposal, now)


def check(state: State, proposal: Proposal) -> None:
    """Refused when the table's state has no room for this proposal."""
    allowed: dict[type, Status] = {
        Start: Status.OPEN,
        Draw: Status.PLAYING,
        Takeback: Status.PLAYING,
        Adjourn: Status.PLAYING,
        Resume: Status.ADJOURNED,
        Rematch: Status.OVER,
    }
    name = type(proposal).__name__.lower()
    if isinstance(proposal, Score):
        raise Refused(Why.UNSUPPORTED, f"{state.game.title} is not scored by agreement")
    if state.status is not allowed[type(proposal)]:
        raise Refused(Why.NOT_NOW, f"no {name} now: the table is {state.status}")
    if isinstance(proposal, Takeback):
        _check_takeback(state, proposal)
    if isinstance(proposal, Start) and (proposal.settings.game != state.game.name or proposal.first != 0):
        raise Refused(Why.BAD_OPTION, f"this is a table of {state.game.title}, where seat 0 moves first")


def _check_takeback(state: State, proposal: Takeback) -> None:
    if state.game.has_dice:
        raise Refused(Why.UNSUPPORTED, f"a roll cannot be taken back in {state.game.title}")
    if not 1 <= proposal.plies <= state.ply:
        raise Refused(Why.NOT_NOW, f"cannot take back {proposal.plies} of {state.ply} moves")


def _take_effect(draft: Draft, proposal: Proposal, now: float) -> None:
    match proposal:
        case Start(settings=settings):
            onward.begin(draft, settings)
            onward.go_on(draft, now)
        case Rematch():
            onward.begin(draft, draft.state.settings)
            onward.go_on(draft, now)
        case Draw():
            onward.end(draft, Outcome(None, Reason.AGREEMENT), now)
        case Adjourn():
            onward.adjourn(draft, now)
        case Resume():
            _resume(draft, now)
        case Takeback(plies=plies):
            _take_back(draft, plies, now)
        case Score():
            raise AssertionError("checked before")


def _resume(draft: Draft, now: float) -> None:
    draft.add(ev.GameResumed())
    turn, clock = draft.state.game.to_move(draft.state.position), draft.state.clock
    if isinstance(turn, int):
        draft.add(ev.TurnStarted(turn, None if clock is None else clocks.start(clock, turn, now)))


def _take_back(draft: Draft, plies: int, now: float) -> None:
    """The clocks keep what they show: time used is used."""
    state = draft.state
    game, ply = state.game, state.ply - plies
    earlier = evolve(state, ev.MovesTakenBack(plies, ply, (), "")).position
    changed = tuple(differences(game.board(state.position), game.board(earlier)))
    onward.stop_clocks(draft, now)
    draft.add(ev.MovesTakenBack(plies, ply, changed, game.brief(earlier)))
    onward.go_on(draft, now)
