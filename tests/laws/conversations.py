"""Generates input for the laws of dialects: any value of the vocabulary, pieces of transcripts, and damaged bytes.

Values are odd but of their types and within what a table can hold: squares of a board, seats of a
table, finite seconds; texts are any text at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from inspect import signature
from typing import Any, TypeVar, get_args, get_type_hints

from hypothesis import settings
from hypothesis import strategies as st

from gateway import registry
from gateway.games.parts import chance_of
from protocols.core.commands import Command
from protocols.core.dialect import Dialect
from protocols.core.events import (
    Declined,
    DiceRolled,
    Event,
    GameEnded,
    GameStarted,
    MoveMade,
    SeatLeft,
    SeatTaken,
    TableOpened,
    TurnStarted,
)
from protocols.core.model import HouseRules, Move, Outcome, SeatKind, Settings
from protocols.core.notifications import Aside, Notification, Seated
from protocols.core.proposals import End, Proposal, Start
from protocols.core.text import read
from tests.laws.playouts import NIGHTLY, Table, traces
from tests.transcripts import replay

FUZZ = settings(max_examples=20_000 if NIGHTLY else 40)
"""Streams of up to thirty messages for each dialect and law: six hundred messages by day."""
ODD = settings(max_examples=3_000 if NIGHTLY else 25)
"""Series of odd messages that are told: building them costs ten times as much as telling them."""
COMMANDS = get_args(Command)
Value = TypeVar("Value")

SQUARES = st.one_of(st.integers(0, 7), st.integers(0, 26 * 26 - 1))
SEATS = st.integers(0, 7)
SECONDS = st.one_of(st.just(0.0), st.floats(0, 1e9, allow_nan=False, allow_infinity=False))
COUNTS = st.one_of(st.integers(0, 6), st.integers(0, 2**31 - 1))
TEXTS = st.one_of(
    st.sampled_from(["", "bot", "white king", "yellow pawn", "e2e4", "line\nline", "nul\0nul", "a" * 5_000]), st.text()
)
GAMES = st.one_of(st.sampled_from(sorted(registry.games())), TEXTS)
_BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    "seat": SEATS,
    "winner": st.none() | SEATS,
    "running": st.none() | SEATS,
    "seats": st.integers(1, 8),
    "width": st.integers(1, 26),
    "height": st.integers(1, 26),
    "source": st.none() | SQUARES,
    "target": st.none() | SQUARES,
    "dead": st.lists(SQUARES, max_size=5, unique=True).map(lambda points: tuple(sorted(points))),
    "game": GAMES,
    "table": st.integers(1, 2**31 - 1),
    "past": st.deferred(lambda: st.lists(st.one_of([values(kind) for kind in get_args(Event)]), max_size=6)).map(tuple),
}
_NARROWER: dict[type, dict[str, st.SearchStrategy[Any]]] = {
    Seated: {"seat": st.none() | SEATS},
    End: {"winner": SEATS},
    Start: {"side": st.none() | SEATS},
    SeatTaken: {"kind": st.sampled_from([SeatKind.PLAYER, SeatKind.BOT, SeatKind.RESERVED])},
    Declined: {"kind": st.sampled_from([kind.__name__ for kind in get_args(Proposal)])},
    SeatLeft: {"kind": st.sampled_from([SeatKind.OPEN, SeatKind.RESERVED, SeatKind.ABANDONED])},
}


def values(kind: type[Value]) -> st.SearchStrategy[Value]:
    """Any value of a class of the vocabulary, its fields by their name where that says more than their type."""
    hints = get_type_hints(kind)
    named = {name: _BY_NAME.get(name, _by_type(hints[name])) for name in signature(kind).parameters}
    named |= _NARROWER.get(kind, {})
    return st.builds(kind, **named)


def _by_type(hint: Any) -> st.SearchStrategy[Any]:
    return st.from_type(hint)


st.register_type_strategy(str, TEXTS)
st.register_type_strategy(int, COUNTS)
st.register_type_strategy(float, SECONDS)
for _kind in (*get_args(Event), *get_args(Proposal), Settings, Move, Outcome):
    st.register_type_strategy(_kind, values)


def messages() -> st.SearchStrategy[Notification]:
    """Any message a connection can be told."""
    return st.one_of([values(kind) for kind in get_args(Notification)])


@cache
def option_sets(dialect: str) -> tuple[dict[str, str], ...]:
    """The listener options of a dialect's transcripts, each once; without any, the one all listeners have."""
    found = [script.options for script in scripts(dialect)]
    return tuple(options for at, options in enumerate(found) if options not in found[:at]) or (
        {"game": min(registry.games())},
    )


@cache
def scripts(dialect: str) -> tuple[replay.Script, ...]:
    """The transcripts of a dialect."""
    kind = registry.dialects()[dialect]
    return tuple(replay.parse(kind, path.read_text(encoding="utf-8")) for path in replay.files(dialect))


@cache
def pieces(dialect: str) -> tuple[bytes, ...]:
    """Everything a peer sends in a dialect's transcripts, piece by piece."""
    return tuple(sorted({step.wire for script in scripts(dialect) for step in script.steps() if step.wire}))


@cache
def tellings(dialect: str) -> tuple[Notification | Aside, ...]:
    """Everything a connection is told in a dialect's transcripts."""
    return tuple(read(step.told) for script in scripts(dialect) for step in script.steps() if step.told)


def arrivals(dialect: str) -> st.SearchStrategy[bytes]:
    """Bytes that may arrive: pieces of transcripts, whole, cut or changed, numbers, and noise."""
    noise = st.one_of(st.binary(max_size=40), st.integers(-2, 200).map(lambda n: n.to_bytes(4, "big", signed=True)))
    known = pieces(dialect)
    if not known:
        return noise
    whole = st.sampled_from(known)
    return st.one_of(
        whole,
        whole,
        noise,
        st.tuples(whole, st.integers(0, 60)).map(lambda cut: cut[0][: cut[1]]),
        st.tuples(whole, st.integers(0, 60), st.binary(max_size=4)).map(
            lambda hit: hit[0][: hit[1]] + hit[2] + hit[0][hit[1] + len(hit[2]) :]
        ),
    ).filter(bool)


def conversations(dialect: str) -> st.SearchStrategy[list[bytes | Notification | Aside | None]]:
    """Events of a connection in any order: bytes that arrive, messages that are told, None: all is answered."""
    known = tellings(dialect)
    told = st.sampled_from(known) if known else messages()
    return st.lists(st.one_of(arrivals(dialect), arrivals(dialect), told, st.none()), max_size=30)


def take_part(peer: Dialect, step: bytes | Notification | Aside | None) -> list[Command]:
    """One step of a conversation."""
    if step is None:
        return peer.resume()
    if isinstance(step, bytes):
        return peer.receive_data(step)
    replay.tell(peer, step)
    return peer.prompted()


def game_record(table: Table) -> Iterator[Notification]:
    """A seeded game of this table as the connection in seat 0 is told of it, from taking the seat to the end."""
    trace = traces(table)[0]
    game = registry.games()[trace.settings.game]
    names = tuple(SeatTaken(seat, SeatKind.PLAYER, f"player {seat}") for seat in range(trace.settings.seats))
    yield Seated(1, 0, (TableOpened(trace.settings, HouseRules()), names[0]))
    yield from names[1:]
    first = trace.positions[0]
    yield GameStarted(trace.settings, 1, tuple(game.board(first).items()), game.text(first))
    plies = rolls = 0
    for position, step in zip(trace.positions, trace.steps, strict=False):
        if isinstance(step, int):
            rolls += 1
            yield DiceRolled(chance_of(game).chance(position).seat, rolls, step)
        else:
            plies += 1
            yield from _moved(game, position, step, plies)
    outcome = game.outcome(trace.positions[-1])
    if outcome is not None:
        yield GameEnded(outcome)


def _moved(game: Any, position: Any, move: Move, ply: int) -> Iterator[Event]:
    seat = game.to_move(position)
    after = game.play(position, move)
    yield TurnStarted(seat)
    changes = tuple(game.changes(position, move))
    yield MoveMade(seat, move, ply, game.notation(position, move), changes, game.text(after))
