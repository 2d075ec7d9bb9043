"""Sitting down, going away and coming back; what becomes of seats whose players stay away."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from gateway.table import agreement, turn_flow
from gateway.table import clock as clocks
from gateway.table.draft import Draft
from gateway.table.refusals import closed_here
from gateway.table.state import State, Status, bots_due, by_days, first_move_due, kept_until, participants, seats_of
from protocols.core import events as ev
from protocols.core.commands import Join
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Outcome, Reason, Seat, SeatKind
from protocols.core.proposals import Resume, Start

AT_ONCE_S: Final = 0.001
"""Seconds until a game that its last person has left is adjourned: a moment, for a grace until 0.0 is none."""


def register(draft: Draft, seats: Sequence[Seat], now: float) -> None:
    """The seats of a table that was just opened are given out: RESERVED for a player, to a house BOT, or left OPEN."""
    for seat in seats:
        if seat.kind is not SeatKind.OPEN:
            draft.add(ev.SeatTaken(seat.index, seat.kind, seat.name, now))


def join(draft: Draft, seat: int | None, command: Join, now: float) -> None:
    """A player sits down on ``seat``, held before, or (None) on the first open one.

    Coming to a seat one holds already brings no event: the newer connection takes over. Refused: TABLE_FULL.
    """
    state = draft.state
    if state.status is Status.CLOSED:
        raise closed_here()
    if seat is None:
        seat = next(iter(seats_of(state, SeatKind.OPEN)), None)
        if seat is None or state.status is not Status.OPEN:
            raise Refused(Why.TABLE_FULL, "no seat is open at this table")
    if state.seats[seat].kind is SeatKind.PLAYER:
        return
    name = state.registered[seat] or command.name or state.seats[seat].name
    draft.add(ev.SeatTaken(seat, SeatKind.PLAYER, name, now, command.program))
    seat_bots(draft, now)
    if command.ready and draft.state.status is Status.OPEN:
        agreement.propose(draft, seat, Start(command.settings, _side(draft.state, command)), now)
    elif command.ready and draft.state.status is Status.ADJOURNED and seat in participants(state):
        agreement.propose(draft, seat, Resume(), now)


def _side(state: State, command: Join) -> int | None:
    """The side that a newcomer asks for; None where another player has asked first, or seats were given out before."""
    asked = (made.proposal.side for made in state.proposals if isinstance(made.proposal, Start))
    return None if any(state.registered) or any(side is not None for side in asked) else command.side


def leave(draft: Draft, seat: int, now: float, *, lost: bool) -> None:
    """``seat``'s holder goes, or lost the connection: a running game keeps a lost seat for the grace.

    A registered player's seat is kept in either case: programs say that they go when their user goes on in another. So
    is every seat of a correspondence game, whose players come for a move and go.
    """
    state = draft.state
    match state.status:
        case Status.PLAYING if seat in state.withdrawn and not lost:
            draft.add(ev.SeatLeft(seat, SeatKind.ABANDONED))
        case Status.PLAYING if lost or state.registered[seat] or by_days(state):
            draft.add(ev.SeatLeft(seat, SeatKind.RESERVED, kept_until(state, now)))
        case Status.PLAYING if not _persons(state, but=seat):
            _desert(draft, seat, now)
        case Status.PLAYING:
            _abandon(draft, seat, now)
        case Status.ADJOURNED if seat in state.withdrawn:
            draft.add(ev.SeatLeft(seat, SeatKind.ABANDONED))
        case Status.ADJOURNED:
            draft.add(ev.SeatLeft(seat, SeatKind.RESERVED))
        case Status.OPEN if state.registered[seat]:
            draft.add(ev.SeatLeft(seat, SeatKind.RESERVED))
        case Status.OPEN | Status.OVER:
            draft.add(ev.SeatLeft(seat, SeatKind.OPEN))
        case Status.CLOSED:
            pass


def conclude(draft: Draft, now: float) -> None:
    """Draft the consequences of a change of seats' holders, for every step that changes them.

    A table where no player sits and none is expected closes, and its game ends. Elsewhere an agreement may be
    complete without the seat that went.
    """
    state = draft.state
    if state.status is Status.OPEN and state.house.waits_s:
        return  # it closes when its time is over
    if state.status is Status.CLOSED or seats_of(state, SeatKind.PLAYER, SeatKind.RESERVED):
        agreement.settle_standing(draft, now)
        return
    if state.status in (Status.PLAYING, Status.ADJOURNED):
        turn_flow.end(draft, Outcome(None, Reason.ABANDONMENT, "everybody has left"), now)
    draft.add(ev.TableClosed())


def end_graces(draft: Draft, now: float, kept: Collection[int]) -> None:
    """Lost seats whose grace is over are abandoned; if no player is left at all, the game waits for ``kept`` seats.

    A game that ended meanwhile keeps no seat any longer. A correspondence game that was settled, and goes on, keeps
    each as long as it lasts.
    """
    if draft.state.status is Status.PLAYING and not kept_until(draft.state, now):
        for seat in _late(draft, now):
            draft.add(ev.SeatLeft(seat, SeatKind.RESERVED))
    if draft.state.status is Status.PLAYING and _late(draft, now):
        if seats_of(draft.state, SeatKind.PLAYER):
            _abandon_late(draft, now)
        else:
            _wait_for(draft, kept, now)
    if draft.state.status is Status.OVER and (late := _late(draft, now)):
        for seat in late:
            draft.add(ev.SeatLeft(seat, SeatKind.OPEN))


def _late(draft: Draft, now: float) -> list[int]:
    """The lost seats whose grace is over."""
    return [seat for seat, until in enumerate(draft.state.until) if until and until <= now]


def _abandon_late(draft: Draft, now: float) -> None:
    for seat in _late(draft, now):
        if draft.state.status is Status.PLAYING:
            _abandon(draft, seat, now)


def _wait_for(draft: Draft, kept: Collection[int], now: float) -> None:
    """No player is here: the game is adjourned for those who can return, and void when none can.

    Not before the last grace is over: until then each of them may come back to whom it is kept.
    """
    lost, last = seats_of(draft.state, SeatKind.RESERVED), max(draft.state.until)
    expected = [seat for seat in lost if seat in kept and seat not in draft.state.withdrawn]
    if last > now:
        for seat in _late(draft, now):
            draft.add(ev.SeatLeft(seat, SeatKind.RESERVED, last))
        return
    if not expected:
        _give_up(draft, now)
        return
    for seat in lost:
        if seat in expected:
            draft.add(ev.SeatLeft(seat, SeatKind.RESERVED))
        elif draft.state.status is Status.PLAYING:
            _abandon(draft, seat, now)
    if draft.state.status is Status.PLAYING:
        turn_flow.adjourn(draft, now)
    else:
        draft.add(ev.TableClosed())


def end_waiting(draft: Draft, now: float) -> None:
    """An adjourned game that was not resumed in time is void; a registered table whose game did not begin closes."""
    state = draft.state
    if not state.waits_until or state.waits_until > now:
        return
    if state.status is Status.ADJOURNED:
        _give_up(draft, now)
    elif state.status is Status.OPEN:
        draft.add(ev.Said(None, "all", "the game did not begin in time: this table closes"))
        draft.add(ev.TableClosed())


def supersede(state: State, now: float) -> Draft:
    """The two players are registered anew: their abandoned game is void.

    Refused (NAME_TAKEN): it is not abandoned, for it is not adjourned, or a player sits there.
    """
    if state.status is not Status.ADJOURNED or seats_of(state, SeatKind.PLAYER):
        raise Refused(Why.NAME_TAKEN, f"table {state.table} is not abandoned")
    draft = Draft(state)
    _give_up(draft, now, "registered anew")
    return draft


def end_by_host(state: State, now: float, reason: str) -> Draft:
    """The host ends the table, whoever sits there: a game that is not over is void, and all are told the reason.

    Refused (NOT_NOW): it has ended already.
    """
    if state.status is Status.CLOSED:
        raise Refused(Why.NOT_NOW, f"table {state.table} has ended already")
    draft = Draft(state)
    text = f"the host has ended this table: {reason}" if reason else "the host has ended this table"
    draft.add(ev.Said(None, "all", text))
    if state.status in (Status.PLAYING, Status.ADJOURNED):
        turn_flow.end(draft, Outcome(None, Reason.VOID, "ended by the host"), now)
    draft.add(ev.TableClosed())
    return draft


def _give_up(draft: Draft, now: float, why: str = "nobody came back") -> None:
    """The game is void; a rated one against house bots alone is lost by the person who did not come back."""
    people = [seat for seat in participants(draft.state) if draft.state.seats[seat].kind is not SeatKind.BOT]
    if draft.state.settings.rated and len(people) == 1:
        turn_flow.lose(draft, people[0], Reason.ABANDONMENT, now, why)
    if draft.state.status is not Status.OVER:
        turn_flow.end(draft, Outcome(None, Reason.VOID, why), now)
    draft.add(ev.TableClosed())


def _persons(state: State, but: int) -> bool:
    """True if a player sits at another seat than ``but``, or may come back to one and play."""
    sit, lost = seats_of(state, SeatKind.PLAYER), seats_of(state, SeatKind.RESERVED)
    return any(seat != but for seat in sit) or any(seat != but and seat not in state.withdrawn for seat in lost)


def _desert(draft: Draft, seat: int, now: float) -> None:
    """The last person leaves for good: house bots do not finish a game alone.

    An adjourned game is kept for the seat's ticket, as for a lost connection whose grace is over: ``tick`` adjourns it,
    or ends it where no player can return. Else, and in a rated game, that player loses, and ``conclude`` ends the
    bots' game.
    """
    if draft.state.house.deserted == "adjourn" and not draft.state.settings.rated:
        draft.add(ev.SeatLeft(seat, SeatKind.RESERVED, now + AT_ONCE_S))
        return
    draft.add(ev.SeatLeft(seat, SeatKind.ABANDONED))
    turn_flow.lose(draft, seat, Reason.ABANDONMENT, now)


def _abandon(draft: Draft, seat: int, now: float) -> None:
    """The table waits for ``seat`` no longer: it loses or a house bot takes it, unless it has given up before.

    No house bot plays a rated game for anybody.
    """
    draft.add(ev.SeatLeft(seat, SeatKind.ABANDONED))
    if seat in draft.state.withdrawn:
        return
    if draft.state.house.abandoned == "bot" and not draft.state.settings.rated:
        draft.add(ev.SeatTaken(seat, SeatKind.BOT, bot_name(seat, draft.state.house), now))
    else:
        turn_flow.lose(draft, seat, Reason.ABANDONMENT, now)


def seat_bots(draft: Draft, now: float) -> None:
    """House bots take the open seats once they are due; the game starts if that was all it waited for."""
    due = bots_due(draft.state)
    if due is None or due > now:
        return
    for seat in seats_of(draft.state, SeatKind.OPEN):
        draft.add(ev.SeatTaken(seat, SeatKind.BOT, bot_name(seat, draft.state.house), now))
    agreement.settle(draft, Start(), now)


def bot_name(seat: int, house: HouseRules) -> str:
    """The name of the house bot on this seat: "bot-2", or as it was chosen by its name, "stockfish:3"."""
    if not house.bot:
        return f"bot-{seat + 1}"
    return f"{house.bot}:{house.bot_level}" if house.bot_level else house.bot


def adopt(
    state: State, now: float, since: float, here: frozenset[int] | None = frozenset(), thought_s: float = 0.0
) -> Draft:
    """Another process has taken the table over ``since`` then: monotonic time begins anew, and every connection is gone
    but those of the seats that are ``here``, None: of all.

    Running games keep all players' seats for the grace; of the thinking since the last event ``thought_s`` are charged,
    and nothing of the time until ``now`` in which no server ran the table (a correspondence game's ``thought_s`` has
    it: ``clocks.by_calendar``). What those who are here have proposed at an
    adjourned one still stands. Tables without a game free all seats.
    """
    draft = Draft(state)
    players, lost = seats_of(state, SeatKind.PLAYER), tuple(s for s, until in enumerate(state.until) if until)
    for seat in sorted({*lost, *players} - {*(players if here is None else here)}):
        leave(draft, seat, since, lost=True)
    conclude(draft, now)
    if draft.state.status is Status.ADJOURNED:
        standing = draft.state.proposals
        turn_flow.adjourn(draft, since)
        for proposed in standing:
            draft.add(proposed)
    clock = draft.state.clock
    if draft.state.status is Status.PLAYING and clock is not None and clock.running is not None:
        seat, control = clock.running, draft.state.settings.time
        clock = clocks.start(clock, seat, now - thought_s)
        if control is not None and control.by_days:  # the next process counts from this event
            clock = clocks.start(clocks.stop(control, clock, now, turn_over=False), seat, now)
        draft.add(ev.ClockSet(clock))
    elif clock is not None and first_move_due(draft.state) is not None:
        draft.add(ev.ClockSet(replace(clock, since=now)))  # the first move is waited for anew
    return draft


def stood_still(state: State, since: float, now: float, *, clock: bool = True) -> Draft:
    """Nothing could happen from ``since`` until ``now``: that is added to the running clock and to lost seats' graces.

    So time in which a table could not be served is charged to no seat. A table that another process takes over starts
    its clocks anew (``adopt``). Without ``clock`` the graces alone: players who do not need the server to think go on
    thinking.
    """
    draft = Draft(state)
    running = state.clock
    counts = running is not None and (running.running is not None or first_move_due(state) is not None)
    if clock and state.status is Status.PLAYING and running is not None and counts:
        draft.add(ev.ClockSet(replace(running, since=running.since + now - max(since, running.since))))
    for seat, until in enumerate(state.until):
        if until > since:
            draft.add(ev.SeatLeft(seat, SeatKind.RESERVED, until + now - since))
    return draft
