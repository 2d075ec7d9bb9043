"""Tells what a game came to, as its row of results: who played, their places, whether it counts, and else why not.

It is made in the step that ends the game, from the state before that. ``backfill`` makes the rows of rated games whose
records were written by an older version; it replays them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from types import MappingProxyType
from typing import Final

from gateway import registry
from gateway.record.audit import NONSENSE
from gateway.store import codec
from gateway.store.records import EventRow, Player, Result
from gateway.store.results import Results, placed
from gateway.store.views import Views
from gateway.table.evolve import replaying
from gateway.table.state import BOT, TAKEBACK, State, newest_first
from protocols.core import events as ev
from protocols.core.model import Move, Outcome, Reason, Seat, SeatKind

UNKNOWN_ENGINE: Final = "unknown engine"

NOT_COUNTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "unrated": "the game was not rated",
        "unjudged": "nothing judges this game's rules",
        "void": "the game is void",
        "handicap": "the game began with handicap stones",
        "short": "a player made fewer than two moves",
        TAKEBACK: "a move was taken back",
        BOT: "a house bot took a player's seat",
        "no account": "a player has no account",
        "one account": "one account played on two sides",
        "one engine": "one engine played on two sides",
        UNKNOWN_ENGINE: "the engine has not said its version",
    }
)
"""The codes of ``Result.why``, each in words for people."""

LEAST_MOVES: Final = 2
"""Moves that each player of a game that counts has made."""

OPENING: Final = 20
"""Moves by which games that begin alike are known."""

AT_ONCE: Final = 100
"""Tables that are looked at in one query, for rated games without a row."""


def result(
    state: State,
    outcome: Outcome,
    *,
    is_account: Callable[[str], bool],
    house_bot: str = "",
    addresses: Mapping[int, str] = MappingProxyType({}),
) -> Result:
    """The result of the game that ends so in ``state``, without its place in the record.

    ``house_bot`` is the name, version and level of the table's; ``addresses`` are by seat those that players came from.
    """
    settings = state.settings
    moves = _moves(state)
    made = Counter(seat for seat, _ in moves)
    players = tuple(_player(state, seat, is_account, house_bot) for seat in state.seats)
    return Result(
        table=state.table,
        number=state.games,
        seq=0,
        at=0.0,
        digest=b"",
        started_at=0.0,
        game=settings.game,
        variant=settings.variant,
        width=settings.width,
        rated=settings.rated,
        reason=outcome.reason.value,
        players=players,
        places=_places(state, outcome),
        plies=len(moves),
        fewest=min((made[seat.index] for seat in state.seats if seat.index not in state.absent), default=0),
        opening=_opening(state, [move for _, move in moves[:OPENING]]),
        why=_why(state, outcome, players, made),
        related=state.house.private or _share(players, addresses),
    )


def unplayed(state: State, *, is_account: Callable[[str], bool], house_bot: str) -> Result:
    """The result of the game that begins in ``state``, as if it was drawn after moves enough to count.

    ``why`` is known already where nothing that is played can make it count. The arguments are those of ``result``.
    """
    drawn = Outcome(None, Reason.AGREEMENT)
    found = result(state, drawn, is_account=is_account, house_bot=house_bot)
    moved = {seat.index: LEAST_MOVES for seat in state.seats}
    return replace(found, why=_why(state, drawn, found.players, moved))


def _moves(state: State) -> list[tuple[int, Move]]:
    return [(step.seat, step.move) for step in newest_first(state.last) if step.move is not None][::-1]


def _player(state: State, seat: Seat, is_account: Callable[[str], bool], house_bot: str) -> Player:
    if seat.index in state.absent:
        return Player("")
    if seat.kind is SeatKind.BOT and not seat.absent:
        return Player(seat.name, "", house_bot)
    name = seat.owner
    return Player(name, name.casefold() if is_account(name) else "", state.programs[seat.index])


def _places(state: State, outcome: Outcome) -> tuple[int, ...]:
    """The places of the outcome; for two, and in records of before, the winner is first and all others are second."""
    if outcome.places:
        return outcome.places
    others = 1 if outcome.winner is None else 2
    played = [seat.index not in state.absent for seat in state.seats]
    return tuple((1 if seat == outcome.winner else others) if there else 0 for seat, there in enumerate(played))


def _opening(state: State, moves: Iterable[Move]) -> bytes:
    settings = state.settings
    start = (settings.variant, f"{settings.width}x{settings.height}", settings.start, repr(settings.options))
    coded = (f"{move.source} {move.target} {move.piece}" for move in moves)
    return sha256("\n".join((*start, *coded)).encode()).digest()


def _why(state: State, outcome: Outcome, players: Sequence[Player], made: Mapping[int, int]) -> str:
    """The first reason for which the game does not count; "": it does."""
    there = [seat.index for seat in state.seats if seat.index not in state.absent]
    bots = [players[seat] for seat in there if state.seats[seat].kind is SeatKind.BOT]
    people = [players[seat] for seat in there if state.seats[seat].kind is not SeatKind.BOT]
    reasons = {
        "unrated": not state.settings.rated,
        "unjudged": not state.game.judged,
        "void": outcome.reason is Reason.VOID,
        "handicap": state.game.handicap(state.settings),
        "short": any(made[seat] < LEAST_MOVES for seat in there),
        state.spoiled: bool(state.spoiled),
        "no account": any(not player.account for player in people),
        "one account": len({player.account for player in people}) < len(people),
        UNKNOWN_ENGINE: any(not player.engine for player in bots),
        "one engine": len({player.engine for player in bots}) < len(bots),
    }
    return next((why for why, applies in reasons.items() if applies), "")


def _share(players: Sequence[Player], addresses: Mapping[int, str]) -> bool:
    """True if two accounts came from one address."""
    known = [addresses[seat] for seat, player in enumerate(players) if player.account and addresses.get(seat)]
    return len(set(known)) < len(known)


def backfill(views: Views, results: Results, tell: Callable[[int, int], None] = lambda looked, kept: None) -> int:
    """Make the rows of rated games that have ended without one, from their records; the number of games.

    Idempotent, and harmless beside a running server: a game that has its row keeps it. ``tell`` is told after each
    part how many tables were looked at, and how many games were kept. A record that cannot be replayed is left out.
    """
    after = looked = kept = 0
    while numbers := results.tables(after, AT_ONCE):
        for table in results.lacking(numbers):
            kept += results.keep(list(from_record(views, table)))
        after, looked = numbers[-1], looked + len(numbers)
        tell(looked, kept)
    return kept


def from_record(views: Views, table: int) -> Iterator[Result]:
    """The results of a table's rated games, by its record. Their players were accounts: else none had begun."""
    row = views.table(table)
    if row is None or row.game not in registry.games():
        return
    rows = list(views.rows(table))
    try:
        yield from _results(table, row.game, rows)
    except NONSENSE:
        return  # ``boardgate verify`` says what is wrong


def _results(table: int, game: str, rows: Sequence[EventRow]) -> Iterator[Result]:
    events = [codec.decode(row.kind, row.body) for row in rows]
    states = islice(replaying(table, registry.game_of_record(game), b"", events), len(rows))
    before: State | None = None
    began_at = 0.0
    for row, event, state in zip(rows, events, states, strict=True):
        if isinstance(event, ev.GameStarted):
            began_at = row.at
        elif isinstance(event, ev.GameEnded) and before is not None and before.settings.rated:
            yield placed(result(before, event.outcome, is_account=bool), row, began_at)
        before = state
