"""The one agreement rule: a proposal takes effect when every participant (state.py) has made a matching one.

Matching is being equal; proposals to start leave open what they do not name. Proposals are typed, at most one of a kind
per seat; which of them stand is protocols.core.standing's to say. House bots agree to everything but a draw and, in
rated games, a takeback or an abort; where a game is scored by agreement they make claims like players
(gateway.games.parts).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gateway.games.base import differences
from gateway.games.parts import Chance
from gateway.table import dice, turn_flow
from gateway.table.draft import Draft
from gateway.table.evolve import evolve
from gateway.table.state import (
    ABSENT,
    State,
    Status,
    arranged,
    clock_of,
    has_moved,
    participants,
    seats_of,
    settlement,
    stopped,
)
from protocols.core import events as ev
from protocols.core import standing
from protocols.core.commands import Command
from protocols.core.errors import Refused, Why
from protocols.core.model import Outcome, Reason, SeatKind, Settings
from protocols.core.proposals import Abort, Adjourn, Draw, End, Proposal, Rematch, Resume, Score, Start, Takeback

ABORTED: Final = Outcome(None, Reason.VOID, "aborted")
"""The end of a game that its players agree to forget, or that one leaves before its first move."""


def propose(draft: Draft, seat: int, proposal: Proposal, now: float) -> None:
    """``seat`` makes ``proposal``; its effect follows if that was the last agreement missing. Refused: not now.

    A draw that the rules allow to claim needs no agreement: programs claim it right after the move that made it.
    """
    state = draft.state
    proposal = standing.meant(state.proposals, seat, proposal)
    check(state, proposal)
    must_take_part(state, seat)
    if isinstance(proposal, Start) and proposal.settings is not None:
        proposal = replace(proposal, settings=_complete(state, proposal.settings))
    if isinstance(proposal, Start) and _fixed(state):
        proposal = _as_registered(state, seat, proposal)
    if ev.Proposed(seat, proposal) in state.proposals and not _insists(state, seat, proposal):
        raise Refused(Why.NOT_NOW, "you have proposed that already")
    claim = state.game.claim(state.position) if isinstance(proposal, Draw) else None
    if claim is not None and claim.winner is None:
        turn_flow.end(draft, claim, now)
        return
    if isinstance(proposal, Abort) and _may_abort(state, seat):
        turn_flow.end(draft, ABORTED, now)
        return
    if isinstance(proposal, Draw):
        _check_draw(state, seat)
    draft.add(ev.Proposed(seat, proposal))
    if isinstance(proposal, Resume) and (scoring := stopped(state)) is not None:
        overruled = scoring.overruled(settlement(state), seat)
        if overruled is None:
            _resume(draft, now)
        else:
            _agree(draft, overruled, now)
        return
    if _declined_by_bots(state, proposal) and (bots := _bots(state)):
        draft.add(ev.Declined(bots[0], type(proposal).__name__))
        return
    settle(draft, proposal, now)


def bot_answer(state: State, seat: int, own: tuple[int, ...] | None, *, claimed: bool) -> Command | None:
    """The house bot's word on ``seat`` while the players settle the score (``Scoring.answer``); None: nothing."""
    scoring = stopped(state)
    return None if scoring is None else scoring.answer(settlement(state), seat, own, claimed=claimed)


def _insists(state: State, seat: int, proposal: Proposal) -> bool:
    """True if ``seat`` repeats its claim, which another seat has answered with a different one."""
    return isinstance(proposal, Score) and state.proposals[-1].seat != seat


def must_take_part(state: State, seat: int) -> None:
    """Refused (NOT_NOW): ``seat`` has given this game up."""
    if seat in state.withdrawn and state.status in (Status.PLAYING, Status.ADJOURNED):
        raise Refused(Why.NOT_NOW, "you have given up already")


def _bots(state: State) -> list[int]:
    return [seat for seat in participants(state) if state.seats[seat].kind is SeatKind.BOT]


def _declined_by_bots(state: State, proposal: Proposal) -> bool:
    """House bots agree to all but a draw, and in a rated game to neither a takeback nor an abort."""
    return isinstance(proposal, Draw) or (isinstance(proposal, Takeback | Abort) and state.settings.rated)


def settle_standing(draft: Draft, now: float) -> None:
    """The effect of a standing proposal whose last missing agreement was that of a seat that has gone meanwhile."""
    if draft.state.status is Status.CLOSED:
        return
    drafted = len(draft.events)
    for made in draft.state.proposals:
        settle(draft, made.proposal, now)
        if len(draft.events) > drafted:
            return  # the other proposals were made for the game before


def settle(draft: Draft, proposal: Proposal, now: float) -> None:
    """The effect of ``proposal``, if every participant has made a matching one."""
    state = draft.state
    if isinstance(proposal, Start):
        _settle_start(draft, now)
        return
    agreed = {made.seat for made in state.proposals if made.proposal == proposal}
    if not isinstance(proposal, Score) and not _declined_by_bots(state, proposal):
        agreed.update(_bots(state))
    if agreed.issuperset(participants(state)):
        _agree(draft, proposal, now)
    elif isinstance(proposal, Score) and (scoring := stopped(state)) is not None:
        decided = scoring.decided(settlement(state))
        if decided is not None:
            _agree(draft, decided, now)


def _agree(draft: Draft, proposal: Proposal, now: float) -> None:
    draft.add(ev.Agreed(proposal))
    _take_effect(draft, proposal, now)


def _settle_start(draft: Draft, now: float) -> None:
    """Begin, if every participant wants to, and their wishes for settings and seats go together."""
    state = draft.state
    starts = {made.seat: made.proposal for made in state.proposals if isinstance(made.proposal, Start)}
    made = {seat: start for seat, start in starts.items() if not start.confirms}
    if not made.keys() | set(_bots(state)) >= set(participants(state)):
        return
    settings = {start.settings for start in made.values() if start.settings is not None}
    turns = {(start.side - seat) % len(state.seats) for seat, start in made.items() if start.side is not None}
    if _fixed(state):
        settings = {state.settings}
    if len(settings) > 1 or len(turns) > 1:
        return
    agreed = next(iter(settings), state.settings)
    draft.add(ev.Agreed(Start(agreed)))
    by = next(iter(turns), 0)
    if by:
        draft.add(ev.SeatsTurned(by))
    _begin(draft, agreed, now)


def _begin(draft: Draft, settings: Settings, now: float) -> None:
    """A new game; the seats that no one holds have given it up from the start."""
    turn_flow.begin(draft, settings)
    for seat in seats_of(draft.state, *ABSENT):
        turn_flow.withdraw(draft, seat)
    turn_flow.go_on(draft, now)


def _complete(state: State, asked: Settings) -> Settings:
    """The settings as this table's game fills them in, so that equal wishes are equal. Refused: there is no such game.

    A set-up position is written as the game writes it, and not at all when it is the usual one. Options that are the
    table's own are complete: they mean what they meant when it was opened.
    """
    game = state.game
    if asked.game != game.name:
        raise Refused(Why.BAD_OPTION, f"this is a table of {game.title}")
    settings = game.settings(asked.variant, asked.seats, asked.start, dict(asked.options) or None)
    if (asked.variant, asked.options) == (state.settings.variant, state.settings.options):
        settings = replace(settings, options=asked.options)
    if settings.seats != len(state.seats):
        raise Refused(Why.BAD_OPTION, f"this table has {len(state.seats)} seats, not {settings.seats}")
    if settings.start:
        usual, start = replace(settings, start=""), game.brief(game.start(settings))
        settings = replace(usual, start="" if start == game.brief(game.start(usual)) else start)
    return replace(settings, time=asked.time, rated=asked.rated)


def _fixed(state: State) -> bool:
    """True if it is registered what is played here and by whom, so that it is not for the players to choose."""
    return state.status is Status.OPEN and any(state.registered)


def _as_registered(state: State, seat: int, start: Start) -> Start:
    """The proposal with the registered time. Refused for another game or another seat than the registered ones.

    Another time is not refused, for many programs cannot but name one; the others are told what will be played.
    """
    if start.side not in (None, seat):
        raise Refused(Why.BAD_OPTION, f"this table is registered: your seat is number {seat + 1}, not {start.side + 1}")
    asked, registered = start.settings, state.settings
    if asked is not None and replace(asked, time=None, rated=False) != replace(registered, time=None, rated=False):
        raise Refused(Why.BAD_OPTION, f"this table is registered: {state.game.title} {_in_words(registered)}")
    return start if asked is None else replace(start, settings=registered)


def _in_words(settings: Settings) -> str:
    """Rule set, board and options; the size of a board is no option to people."""
    board = f"{settings.variant} {settings.width}x{settings.height}" if settings.width else settings.variant
    options = [f"{name} {text}" for name, text in settings.options if name != "size"]
    return ", ".join([board, *options, *(["from a position of its own"] if settings.start else [])])


def check(state: State, proposal: Proposal) -> None:
    """Refused when the table's state has no room for this proposal."""
    allowed: dict[type, tuple[Status, ...]] = {
        Start: (Status.OPEN, Status.OVER),
        Draw: (Status.PLAYING,),
        Takeback: (Status.PLAYING,),
        Adjourn: (Status.PLAYING,),
        Abort: (Status.PLAYING,),
        Resume: (Status.ADJOURNED,),
        Rematch: (Status.OVER,),
        End: (Status.PLAYING,),
        Score: (),
    }
    name = type(proposal).__name__.lower()
    if isinstance(proposal, Score | Resume) and (scoring := stopped(state)) is not None:
        if isinstance(proposal, Score):
            scoring.scored(state.position, proposal.squares)  # refuses a claim that the rules do not have
        return
    if state.status not in allowed[type(proposal)]:
        raise Refused(Why.NOT_NOW, f"no {name} now: the table is {state.status}")
    if isinstance(proposal, Takeback):
        _check_takeback(state, proposal)
    if isinstance(proposal, Start) and proposal.side is not None and not 0 <= proposal.side < len(state.seats):
        raise Refused(Why.BAD_OPTION, f"this table has no side {proposal.side}")
    if isinstance(proposal, End) and state.game.judged:
        raise Refused(Why.UNSUPPORTED, f"the rules say when {state.game.title} is over")


def _check_draw(state: State, seat: int) -> None:
    """Refused where ``seat`` would agree to a draw too early (FIDE 5.2.3), in a game that has such a rule."""
    if not state.game.draw_after_moves or not any(
        made.seat != seat and isinstance(made.proposal, Draw) for made in state.proposals
    ):
        return
    if not all(has_moved(state, seat) for seat in participants(state)):
        raise Refused(Why.NOT_NOW, "a draw can be agreed once each side has moved")


def _may_abort(state: State, seat: int) -> bool:
    """True if ``seat`` ends the game without a result alone: it has not moved, and no other players would go on.

    Where others have arranged who plays whom, both agree, or one gives up.
    """
    return len(state.seats) == 2 and not arranged(state) and not has_moved(state, seat)


def _check_takeback(state: State, proposal: Takeback) -> None:
    if isinstance(state.game, Chance):
        raise Refused(Why.UNSUPPORTED, f"a roll cannot be taken back in {state.game.title}")
    if not 1 <= proposal.plies <= state.ply:
        raise Refused(Why.NOT_NOW, f"cannot take back {proposal.plies} of {state.ply} moves")


def _take_effect(draft: Draft, proposal: Proposal, now: float) -> None:
    match proposal:
        case Rematch():
            _change_sides(draft)
            _begin(draft, draft.state.settings, now)
        case Draw():
            turn_flow.end(draft, Outcome(None, Reason.AGREEMENT), now)
        case Adjourn():
            turn_flow.adjourn(draft, now)
        case Abort():
            turn_flow.end(draft, ABORTED, now)
        case Resume():
            _resume(draft, now)
        case Takeback(plies=plies):
            _take_back(draft, plies, now)
        case End(winner=winner):
            turn_flow.end(draft, Outcome(winner, Reason.CLAIM, "agreed"), now)
        case Score():
            _score(draft, proposal, now)
        case Start():
            raise AssertionError("settled elsewhere")


def _change_sides(draft: Draft) -> None:
    """The players' seats in a rematch: two change sides, but for a handicap; more draw theirs where the game has dice.

    A draw is always told, that of the same seats (0) too: so it can be proved, and a record of before has none.
    """
    state = draft.state
    seats = len(state.seats)
    if state.game.handicap(state.settings):
        return
    if seats > 2 and isinstance(state.game, Chance):
        draft.add(ev.SeatsTurned(dice.drawn_seat(dice.game_secret(state.secret, state.games + 1), seats)))
    else:
        draft.add(ev.SeatsTurned(1))


def _score(draft: Draft, claim: Score, now: float) -> None:
    scoring = stopped(draft.state)
    assert scoring is not None, "a claim is made while play has stopped"
    turn_flow.end(draft, scoring.scored(draft.state.position, claim.squares), now)


def _resume(draft: Draft, now: float) -> None:
    draft.add(ev.GameResumed())
    turn, clock = draft.state.game.to_move(draft.state.position), draft.state.clock
    if stopped(draft.state) is not None:
        turn_flow.settle(draft, now)
    if isinstance(turn, int):
        draft.add(
            ev.TurnStarted(turn, None if clock is None else turn_flow.clock_of_turn(draft.state, turn, clock, now))
        )


def _take_back(draft: Draft, plies: int, now: float) -> None:
    """The position comes back with its clocks, whatever was used, added or counted since."""
    state = draft.state
    game, ply = state.game, state.ply - plies
    earlier = evolve(state, ev.MovesTakenBack(plies, ply, (), "")).position
    changed = tuple(differences(game.board(state.position), game.board(earlier)))
    if (clock := clock_of(state, ply, now)) is not None:
        draft.add(ev.ClockSet(clock))
    draft.add(ev.MovesTakenBack(plies, ply, changed, game.brief(earlier)))
    turn_flow.go_on(draft, now)
