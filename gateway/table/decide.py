"""Decides commands: ``decide(state, seat, command, now) -> Draft`` or Refused, and what time alone brings.

Pure: time comes in as ``now`` (seconds on the server's monotonic line), chance out of the table's secret.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, assert_never

from gateway.table import agreement, seating, turn_flow
from gateway.table import clock as clocks
from gateway.table.draft import Draft
from gateway.table.state import State, Status, arranged, first_move_due, participants, stopped
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.errors import IllegalMove, LocalProtocolError, Refused, Why
from protocols.core.model import DAY_S, Move, Outcome, Reason, TimeKind
from protocols.core.proposals import Draw, End, Score

LONGEST_SAYING: Final = 400
"""Characters of one Say: what any dialect's line can carry."""


MOST_GIVEN_S: Final = 600
"""Seconds that a player gives at once: more is another game."""

NOT_BEGUN: Final = Outcome(None, Reason.VOID, "aborted: no first move")
"""The end of a game that one of its two players never took up."""


def decide(state: State, seat: int | None, command: cmd.Command, now: float, lag_s: float = 0.0) -> Draft:
    """The events ``command`` brings, asked by ``seat`` (None: by a client without a seat, which may only Join).

    What was asked before the running clock was set, while the game waited or before the turn, counts as asked then.
    ``lag_s`` is the measured network delay of the asker. Refused, of which IllegalMove is one, when the state or the
    rules do not allow it; the state is untouched then.
    """
    draft, clock = Draft(state), state.clock
    if clock is not None and clock.running is not None:
        now = max(now, clock.since)
    if isinstance(command, cmd.Join):
        seating.join(draft, seat, command, now)
        return draft
    if seat is None:
        raise Refused(Why.NOT_SEATED, "take a seat first")
    match command:
        case cmd.PlayMove():
            _play(draft, seat, command, now, lag_s)
        case cmd.Propose(proposal=proposal):
            agreement.propose(draft, seat, proposal, now)
        case cmd.Resign():
            _must_play(state, seat)
            turn_flow.lose(draft, seat, Reason.RESIGNATION, now)
        case cmd.Forfeit(text=text, late=late):
            _must_play(state, seat)
            turn_flow.lose(draft, seat, Reason.TIME if late else Reason.FORFEIT, now, _plain(text)[:LONGEST_SAYING])
        case cmd.Leave(lost=lost):
            seating.leave(draft, seat, now, lost=lost)
        case cmd.Decline(kind=kind):
            _decline(draft, seat, kind)
        case cmd.Say(to=to, text=text):
            _say(draft, seat, to, text)
        case cmd.ClaimEnd(winner=winner):
            _claim(draft, seat, winner, now)
        case cmd.Dispute(text=text):
            _dispute(draft, seat, text, now)
        case cmd.MarkDead(points=points, program=program):
            _claim_score(draft, seat, points, now, program)
        case cmd.GiveTime(seconds=seconds):
            _give_time(draft, seat, seconds, now)
        case cmd.Login() | cmd.Enter() | cmd.Watch() | cmd.Unwatch() | cmd.Inquire() | cmd.ListMoves():
            raise LocalProtocolError(f"a table does not serve {type(command).__name__}")
        case cmd.Offer() | cmd.Take() | cmd.Withdraw():
            raise LocalProtocolError(f"a table does not serve {type(command).__name__}")
        case _:
            assert_never(command)
    if draft.state.seats is not state.seats:
        seating.conclude(draft, now)
    return draft


def tick(state: State, now: float, kept: Collection[int] | None = None, lag_s: float = 0.0) -> Draft:
    """The events due by time: a flag that fell, a grace that ended, open seats that bots take. May be none.

    ``kept`` are the seats that a player can return to however late, None: all. ``lag_s`` is the measured network
    delay of the seat to move. Afterwards the state's deadline for this delay is later than ``now``, or there is none.
    """
    draft = Draft(state)
    control, clock = state.settings.time, state.clock
    playing = state.status is Status.PLAYING
    if playing and control is not None and clock is not None and clock.running is not None:
        falls = clocks.flag_falls(control, clock, lag_s)
        if falls is not None and falls <= now:
            turn_flow.lose(draft, clock.running, Reason.TIME, now)
    if (first := first_move_due(draft.state)) is not None and first <= now:
        _not_begun(draft, now)
    seating.end_graces(draft, now, range(len(state.seats)) if kept is None else kept)
    seating.end_waiting(draft, now)
    seating.seat_bots(draft, now)
    if draft.state.seats is not state.seats:
        seating.conclude(draft, now)
    return draft


def _not_begun(draft: Draft, now: float) -> None:
    """The seat to move has not made its first move in time: the game is aborted, where nobody else would go on with it
    and nobody has arranged it; elsewhere the seat is out on time."""
    state = draft.state
    if len(state.seats) == 2 and not arranged(state):
        turn_flow.end(draft, NOT_BEGUN, now)
    elif state.turn is not None:
        turn_flow.lose(draft, state.turn, Reason.TIME, now)


def _claim_score(draft: Draft, seat: int, points: tuple[int, ...], now: float, program: bool) -> None:
    scoring = stopped(draft.state)
    if scoring is None:
        raise Refused(Why.NOT_NOW, "a score is claimed when play has stopped")
    agreement.propose(draft, seat, Score(scoring.claimed(draft.state.position, points), program), now)


def _must_play(state: State, seat: int) -> None:
    """Refused: no game is played (NOT_PLAYING), or ``seat`` has given it up (NOT_NOW)."""
    if state.status is not Status.PLAYING:
        raise Refused(Why.NOT_PLAYING, f"no game is being played: the table is {state.status}")
    agreement.must_take_part(state, seat)


def _play(draft: Draft, seat: int, command: cmd.PlayMove, now: float, lag_s: float) -> None:
    state = draft.state
    _must_play(state, seat)
    if (scoring := stopped(state)) is not None:
        raise Refused(Why.NOT_NOW, f"play has stopped: agree on {scoring.settles}, or resume")
    if state.turn != seat:
        raise Refused(Why.NOT_YOUR_TURN, "it is not your turn")
    if command.ply is not None and command.ply != state.ply:
        raise Refused(Why.WRONG_PLY, f"{state.ply} moves have been made, not {command.ply}")
    control, clock = state.settings.time, state.clock
    if control is not None and clock is not None and clocks.has_fallen(control, clock, now, lag_s):
        turn_flow.lose(draft, seat, Reason.TIME, now)
        return
    if command.move is None:
        for move in state.game.turn(state.position, command.text):
            _make(draft, seat, move, state.game.play(draft.state.position, move), now, lag_s)
    else:
        _make(draft, seat, *_reading(state, command.move, command.others), now, lag_s)


def _make(draft: Draft, seat: int, move: Move, position: Any, now: float, lag_s: float) -> None:
    """Make a legal move, which leads to ``position``; a draw that was claimed with it ends the game."""
    state = draft.state
    changes = tuple(state.game.changes(state.position, move))
    draft.add(ev.MoveMade.unwritten(seat, move, state.ply + 1, changes), position)
    claim = state.game.claim(draft.state.position) if state.claims == state.moment else None
    if claim is not None and claim.winner is None:
        turn_flow.end(draft, claim, now, lag_s)
    else:
        turn_flow.go_on(draft, now, seat, lag_s)


def _reading(state: State, meant: Move, others: Sequence[Move]) -> tuple[Move, Any]:
    """The move that is meant, and the position after it: of several readings the first legal one."""
    game, position = state.game, state.position
    first: IllegalMove | None = None
    for reading in (meant, *others):
        move = game.normal(position, reading)
        try:
            return move, game.play(position, move)
        except IllegalMove as error:
            first = first or error
    raise first or IllegalMove("no move")


def _decline(draft: Draft, seat: int, kind: str) -> None:
    agreement.must_take_part(draft.state, seat)
    if not any(type(made.proposal).__name__ == kind for made in draft.state.proposals):
        raise Refused(Why.NOT_NOW, f"nobody proposed {kind!r}")
    draft.add(ev.Declined(seat, kind))


def _say(draft: Draft, seat: int, to: str, text: str) -> None:
    draft.add(ev.Said(seat, one_line(to), one_line(text), draft.state.seats[seat].name))


def one_line(text: str) -> str:
    """A saying as it is passed on. Refused: there is nothing to show, or more than LONGEST_SAYING characters."""
    plain = _plain(text)
    if not plain or len(plain) > LONGEST_SAYING:
        raise Refused(Why.SYNTAX, f"say 1 to {LONGEST_SAYING} characters, not {len(plain)}")
    return plain


def _plain(text: str) -> str:
    """One line of what can be shown."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


def _claim(draft: Draft, seat: int, winner: int | None, now: float) -> None:
    """Serve a claim: one that the rules allow (an end by repetition), late (the game is over) or wrong.

    Where no rules judge it is believed when it is against the claimer's interest, and otherwise needs agreement.
    """
    state = draft.state
    agreement.must_take_part(state, seat)
    claim = state.game.claim(state.position) if state.status is Status.PLAYING else None
    if claim is not None and claim.winner == winner:
        turn_flow.end(draft, claim, now)
    elif state.status is Status.PLAYING and winner is None and claim is None:
        agreement.propose(draft, seat, Draw(), now)  # FIDE 9.1.2.3: a claim is an offer
    elif state.status is Status.PLAYING and winner is not None and not state.game.judged:
        _claim_unjudged(draft, seat, winner, now)
    elif state.status is not Status.OVER or state.outcome is None:
        raise Refused(Why.NOT_NOW, "the game is not over")
    elif state.outcome.winner != winner:
        raise Refused(Why.NOT_NOW, f"the winner is {state.outcome.winner}, not {winner}")


def _claim_unjudged(draft: Draft, seat: int, winner: int, now: float) -> None:
    if not 0 <= winner < len(draft.state.seats):
        raise Refused(Why.BAD_OPTION, f"there is no seat {winner} that could win")
    if winner == seat:
        agreement.propose(draft, seat, End(winner), now)
    else:
        turn_flow.end(draft, Outcome(winner, Reason.CLAIM, "conceded"), now)


def _give_time(draft: Draft, seat: int, seconds: int, now: float) -> None:
    """The opponents of ``seat`` have more time, and its player is heard to say so. No fallen flag is raised again."""
    state = draft.state
    _must_play(state, seat)
    control, clock = state.settings.time, state.clock
    if control is None or clock is None or control.kind is TimeKind.PER_MOVE:
        raise Refused(Why.UNSUPPORTED, "no time can be given: there is none for the game")
    if not 1 <= seconds <= MOST_GIVEN_S:
        raise Refused(Why.BAD_OPTION, f"give 1 to {MOST_GIVEN_S} seconds, not {seconds}")
    if clocks.has_fallen(control, clock, now):
        raise Refused(Why.NOT_NOW, "the flag has fallen")
    to = [other for other in participants(state) if other != seat]
    if any(clock.readings[other].main_s + seconds > DAY_S for other in to):
        raise Refused(Why.NOT_NOW, "a clock shows a day at most")
    draft.add(ev.ClockSet(clocks.given(clock, to, seconds)))
    whom = "the other side" if len(state.seats) == 2 else "the others"
    draft.add(ev.Said(seat, "all", f"{seconds} more seconds for {whom}", state.seats[seat].name))


def _dispute(draft: Draft, seat: int, text: str, now: float) -> None:
    state = draft.state
    _must_play(state, seat)
    if state.game.judged:
        raise Refused(Why.UNSUPPORTED, "the rules judge moves here")
    if state.last is None or state.last.seat == seat:
        raise Refused(Why.NOT_NOW, "the last move is not the other side's")
    words = _plain(text)[:LONGEST_SAYING]
    turn_flow.end(draft, Outcome(None, Reason.VOID, f"move {state.ply} is not accepted: {words}".rstrip(" :")), now)
