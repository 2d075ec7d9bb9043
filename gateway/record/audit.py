"""Proves a record: the chain is whole, the game was played by its rules, the dice are what was committed to.

A record cut off at its end is a whole record of a shorter past. So it is also held against the rows of its table
(``Kept``), and against what was noted of it elsewhere (``Anchor``). While a game runs its secret is not revealed and
its dice are "not yet provable". Where the record's game is not installed here, the chain alone is proved.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from msgspec import structs

from gateway import registry
from gateway.games.base import CHANCE, differences
from gateway.games.parts import Chance, chance_of, stopped
from gateway.store import codec
from gateway.store.proving import Kept
from gateway.store.records import EventRow
from gateway.table import dice
from gateway.table import state as states
from gateway.table.evolve import evolve
from gateway.table.state import State, Status
from gateway.table.turn_flow import DEAD, places
from protocols.core import events as ev
from protocols.core.errors import BoardgateError
from protocols.core.model import Outcome, Reason, SeatKind
from protocols.core.proposals import Rematch, Score

_OVER: Final = (Status.OVER, Status.CLOSED)

NONSENSE: Final = (BoardgateError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, struct.error)
"""Errors of rules and ``evolve`` for an event that their state cannot have: a seat that is not there, a move from an
empty square."""


@dataclass(frozen=True, slots=True)
class Defect:
    """The first thing that is wrong: the event's place in the record (from 1) and why."""

    seq: int
    reason: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """A note of a record kept elsewhere: the digest of event ``seq``, and when it was stored (Unix time in seconds)."""

    table: int
    seq: int
    digest: bytes
    at: float


@dataclass(frozen=True, slots=True)
class Report:
    """The extent of a proof up to the first defect (None: everything).

    ``rolls`` counts dice, ``proved`` those of games whose secret is revealed. ``digest`` is the last event's that is
    sound, ``at`` when that was stored. ``unknown`` names a game that is not installed here: games, moves and rolls are
    counted then, and not proved.
    """

    table: int
    events: int
    games: int
    moves: int
    rolls: int
    proved: int
    digest: bytes
    at: float
    defect: Defect | None = None
    unknown: str = ""

    @property
    def anchor(self) -> Anchor:
        """The note of this record's end."""
        return Anchor(self.table, self.events, self.digest, self.at)

    @property
    def unproved(self) -> int:
        """Rolls that are not yet provable: their game's secret is not revealed."""
        return self.rolls - self.proved


class Unsound(Exception):
    """An event is not what it must be; the text says why."""


class DishonestDice(Unsound):
    """A roll or a draw of seats, found out when the secret was revealed; ``seq`` is its own."""

    def __init__(self, seq: int, text: str) -> None:
        super().__init__(text)
        self.seq = seq


@dataclass(frozen=True, slots=True)
class _Roll:
    """A roll to be proved when the secret is known."""

    seq: int
    number: int
    sides: int
    value: int


@dataclass(slots=True)
class _Audit:
    """The replay of the record so far; without its game there is no ``state``.

    ``rematch``: the game that begins next is one. ``drawn`` is the draw of seats before the game, to be proved when the
    secret is known: the seq of its event, and by how many seats; None without one, as in records of before.
    """

    table: int
    kept: Kept | None = None
    anchor: Anchor | None = None
    state: State | None = None
    unknown: str = ""
    digest: bytes = codec.GENESIS
    at: float = 0.0
    events: int = 0
    games: int = 0
    moves: int = 0
    rolls: int = 0
    proved: int = 0
    commitment: str = ""
    rematch: bool = False
    drawn: tuple[int, int] | None = None
    claim: tuple[int, ...] | None = None
    pending: list[_Roll] = field(default_factory=list)
    played: list[tuple[tuple[int, str], ...]] = field(default_factory=list)

    def report(self, defect: Defect | None = None) -> Report:
        counted = (self.events, self.games, self.moves, self.rolls, self.proved)
        return Report(self.table, *counted, self.digest, self.at, defect, self.unknown)


def verify(table: int, rows: Iterable[EventRow], kept: Kept | None = None, anchor: Anchor | None = None) -> Report:
    """Replay the whole record of ``table``, from its first event. Never raises for what is in the rows.

    It is held against the rows of its table as they were read before, and against an older anchor, where they are
    given. Events that were stored since belong to it.
    """
    audit = _Audit(table, kept, anchor)
    for row in rows:
        try:
            _take(audit, row)
        except DishonestDice as found:
            return audit.report(Defect(found.seq, str(found)))
        except Unsound as found:
            return audit.report(Defect(audit.events + 1, str(found)))
    if kept is not None and audit.events < max(1, kept.last_seq):
        return audit.report(Defect(audit.events + 1, f"is missing: the table's row counts {kept.last_seq} events"))
    if anchor is not None and audit.events < anchor.seq:
        return audit.report(Defect(audit.events + 1, f"is missing: the anchor is event {anchor.seq}"))
    return audit.report()


def _take(audit: _Audit, row: EventRow) -> None:
    due = audit.events + 1
    if row.seq != due:
        raise Unsound(f"event {row.seq} where {due} is due")
    try:
        digest = codec.link(audit.digest, audit.table, row.seq, row.at, row.kind, row.body)
        if digest != row.digest:
            raise Unsound(
                f"digest {row.digest.hex()[:16]}..., but its content and its past give {digest.hex()[:16]}..."
            )
        event = codec.decode(row.kind, row.body)
        if audit.state is not None:
            audit.state = _next(audit, audit.state, event)
        elif audit.unknown:
            _count(audit, event)
        else:
            audit.state = _opened(audit, event)
    except NONSENSE as error:
        raise Unsound(f"{row.kind} cannot be: {error or type(error).__name__}") from error
    if audit.anchor is not None and due == audit.anchor.seq and digest != audit.anchor.digest:
        raise Unsound(f"digest {digest.hex()[:16]}..., but the anchor has {audit.anchor.digest.hex()[:16]}...")
    if audit.kept is not None and audit.state is not None:
        _hold(audit, audit.kept, audit.state, due)
    audit.digest, audit.at, audit.events = digest, row.at, due


def _hold(audit: _Audit, kept: Kept, state: State, seq: int) -> None:
    """Hold the state after event ``seq`` against the rows, where it is the last that they know of.

    Seats stay written as they were when the last game ended (tables/row_changes.py): any of those since then will do.
    """
    if state.status not in _OVER:
        audit.played.clear()
    audit.played.append(tuple((int(seat.kind), seat.name) for seat in state.seats))
    if seq != kept.last_seq:
        return
    status = Status.OVER if state.status is Status.CLOSED else state.status
    _require(kept.status == status.value, f"the table's row says {kept.status}, its record {status.value}")
    fits = kept.seats in (audit.played if state.status in _OVER else audit.played[-1:])
    _require(fits, f"the seats' rows say {_seats(kept.seats)}, the record {_seats(audit.played[-1])}")


def _seats(seats: tuple[tuple[int, str], ...]) -> str:
    return ", ".join(f"{SeatKind(kind).name.lower()} {name}".strip() for kind, name in seats) or "nothing"


def _opened(audit: _Audit, event: ev.Event) -> State | None:
    """The state of a table that was just opened; None where its game is not installed here."""
    if not isinstance(event, ev.TableOpened):
        raise Unsound(f"the first event is {type(event).__name__}, not TableOpened")
    settings, secret = event.settings, b""
    if (kept := audit.kept) is not None:
        _same("game of the table's row", (kept.game, kept.variant), (settings.game, settings.variant))
        secret = kept.secret
    game = registry.games().get(settings.game)
    if game is None:
        audit.unknown = settings.game
        return None
    return states.opened(audit.table, game, settings, event.house, secret)


def _count(audit: _Audit, event: ev.Event) -> None:
    """Count an event of a game that is not installed here."""
    match event:
        case ev.TableOpened():
            raise Unsound("a second TableOpened")
        case ev.GameStarted():
            audit.games += 1
        case ev.MoveMade():
            audit.moves += 1
        case ev.DiceRolled():
            audit.rolls += 1


def _next(audit: _Audit, state: State, event: ev.Event) -> State:
    """The state after a sound event."""
    _require(state.status is not Status.CLOSED, "follows TableClosed")
    match event:
        case ev.TableOpened():
            raise Unsound("a second TableOpened")
        case ev.GameStarted():
            _start(audit, state, event)
        case ev.TurnStarted(seat=seat):
            turn = _to_move(state)
            _require(turn == seat, f"seat {seat} is to move; the rules say {turn}")
        case ev.DiceRolled():
            _roll(audit, state, event)
        case ev.MoveMade():
            _move(state, event)
            audit.moves += 1
        case ev.GameEnded():
            _end(audit, state, event)
        case ev.Agreed(proposal=Score(squares=claim)):
            audit.claim = claim
        case ev.Agreed(proposal=proposal):
            audit.rematch = isinstance(proposal, Rematch)
        case ev.SeatsTurned(by=by):
            _require(0 <= by < len(state.seats), f"turns {len(state.seats)} seats by {by}")
            if audit.rematch and len(state.seats) > 2 and isinstance(state.game, Chance):
                audit.drawn = audit.events + 1, by
        case ev.GameSettling():
            _require(stopped(state.game, state.position) is not None, "play stops where the rules go on")
            audit.claim = None
        case ev.SeatWithdrawn():
            _withdraw(state, event)
        case ev.SeatTaken(seat=seat) | ev.SeatLeft(seat=seat) | ev.Proposed(seat=seat) | ev.Declined(seat=seat):
            _require(0 <= seat < len(state.seats), f"there is no seat {seat}")
    after = evolve(state, event)
    if isinstance(event, ev.MoveMade | ev.MovesTakenBack | ev.SeatWithdrawn):
        _effects(state, after, event)
    return after


def _start(audit: _Audit, state: State, event: ev.GameStarted) -> None:
    game = state.game
    _require(state.status in (Status.OPEN, Status.OVER), f"a game starts while the table is {state.status}")
    _require(event.number == state.games + 1, f"game {event.number} where {state.games + 1} is due")
    _require(event.settings.game == game.name, f"a game of {event.settings.game} at a table of {game.name}")
    position = game.start(event.settings)
    _same("position", event.position, game.brief(position))
    _same("board", event.board, tuple(sorted(game.board(position).items())))
    if isinstance(game, Chance):
        _require(bool(re.fullmatch("[0-9a-f]{64}", event.commitment)), f"no commitment: {event.commitment!r}")
        if audit.kept is not None:
            secret = dice.game_secret(audit.kept.secret, event.number)
            committed = dice.commitment(secret) == event.commitment
            _require(committed, "the secret of the table's row is not the one that was committed to")
    audit.commitment, audit.pending, audit.rematch = event.commitment, [], False
    audit.games += 1


def _roll(audit: _Audit, state: State, event: ev.DiceRolled) -> None:
    _require(_to_move(state) == CHANCE, "no roll is due")
    chance = chance_of(state.game).chance(state.position)
    _require(event.seat == chance.seat, f"a roll for seat {event.seat}; it is due for {chance.seat}")
    _require(event.number == state.rolls + 1, f"roll {event.number} where {state.rolls + 1} is due")
    _require(1 <= event.value <= chance.sides, f"a die of {chance.sides} sides shows {event.value}")
    audit.pending.append(_Roll(audit.events + 1, event.number, chance.sides, event.value))
    audit.rolls += 1


def _move(state: State, event: ev.MoveMade) -> None:
    turn = _to_move(state)
    _require(turn == event.seat, f"a move of seat {event.seat}; to move is {turn}")
    _require(event.ply == state.ply + 1, f"ply {event.ply} where {state.ply + 1} is due")
    state.game.play(state.position, event.move)  # before anything is asked about the move: it must be legal
    if event.written:
        _same("notation", event.notation, state.game.notation(state.position, event.move))


def _withdraw(state: State, event: ev.SeatWithdrawn) -> None:
    _to_move(state)
    _require(0 <= event.seat < len(state.seats), f"there is no seat {event.seat}")
    left = state.game.withdraw(state.position, event.seat)
    _require(left is not None, f"the others cannot play on without seat {event.seat}")


def _effects(before: State, after: State, event: ev.MoveMade | ev.MovesTakenBack | ev.SeatWithdrawn) -> None:
    """The board that the event reports is the one the rules lead to."""
    if isinstance(event, ev.MovesTakenBack):
        _require(1 <= event.plies <= before.ply, f"takes {event.plies} of {before.ply} moves back")
        _require(event.ply == before.ply - event.plies, f"ply {event.ply} after {event.plies} of {before.ply} are gone")
    game = before.game
    if not isinstance(event, ev.MoveMade) or event.written:
        _same("position", event.position, game.brief(after.position))
    changes = (
        game.changes(before.position, event.move)
        if isinstance(event, ev.MoveMade)
        else differences(game.board(before.position), game.board(after.position))
    )
    _same("changes", event.changes, tuple(changes))


def _end(audit: _Audit, state: State, event: ev.GameEnded) -> None:
    game = state.game
    _require(state.status in (Status.PLAYING, Status.ADJOURNED), f"a game ends while the table is {state.status}")
    if event.outcome.reason is Reason.RULES:
        scoring = None if audit.claim is None else states.stopped(state)
        true = game.outcome(state.position) if scoring is None else scoring.scored(state.position, audit.claim or ())
        _same("outcome", structs.replace(event.outcome, places=()), true or _other_end(state))
    if event.outcome.places:  # records of before have none
        _same("places", event.outcome.places, places(state, event.outcome))
    if not isinstance(game, Chance):
        return
    secret = bytes.fromhex(event.secret)
    _same("SHA-256 of the secret", dice.commitment(secret), audit.commitment)
    if audit.drawn is not None:
        seq, by = audit.drawn
        fair = dice.drawn_seat(secret, len(state.seats))
        if fair != by:
            raise DishonestDice(seq, f"the seats turned by {by}; the secret gives {fair}")
    for roll in audit.pending:
        fair = dice.roll(secret, roll.number, roll.sides)
        if fair != roll.value:
            raise DishonestDice(roll.seq, f"roll {roll.number} shows {roll.value}; the secret gives {fair}")
    audit.proved += len(audit.pending)
    audit.pending, audit.drawn = [], None


def _other_end(state: State) -> Outcome | None:
    """The end where the rules go on: of a dead position, or one that is claimed now and came by itself before."""
    if state.game.dead(state.position):
        return DEAD
    claim = state.game.claim(state.position)
    return None if claim is None else structs.replace(claim, reason=Reason.RULES)


def _to_move(state: State) -> int | str | None:
    _require(state.status is Status.PLAYING, f"the table is {state.status}, not playing")
    turn: int | str | None = state.game.to_move(state.position)
    return turn


def _same(what: str, told: object, true: object) -> None:
    if told != true:
        raise Unsound(f"{what} {told!r}; it must be {true!r}")


def _require(sound: bool, reason: str) -> None:
    if not sound:
        raise Unsound(reason)
