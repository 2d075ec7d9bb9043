"""Lists the legal moves of a table for clients that know no rules, grouped by source."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from gateway.games.parts import Placement
from gateway.table.state import State, Status
from protocols.core.commands import Command, PlayMove
from protocols.core.events import TurnStarted
from protocols.core.model import PASS, Move
from protocols.core.notifications import Choice, MovesListed, Notification, Seated

_UNNAMED: Final = ("",)
"""The piece of moves that name none."""


def listed(state: State, seat: int | None) -> MovesListed:
    """The legal moves of ``seat`` now; none where it is not to move, or the rules do not judge moves."""
    game, position = state.game, state.position
    if state.status is not Status.PLAYING or seat is None or state.turn != seat:
        return MovesListed(state.ply)
    if not game.judged:
        return MovesListed(state.ply)
    claim = game.claim(position)
    if claim is not None and claim.winner not in (None, seat):
        claim = None
    moves = game.legal_moves(position)
    setup = tuple(game.usual_setup(position)) if isinstance(game, Placement) else ()

    def empty() -> Collection[int]:
        return set(range(state.settings.width * state.settings.height)).difference(game.board(position))

    return MovesListed(state.ply, tuple(choices(moves, empty)), PASS in moves, claim, setup)


def forced_pass(state: State, seat: int | None, told: Iterable[Notification]) -> list[Command]:
    """The pass that ``seat`` has to make, where it is ``told`` of a turn in which the rules allow nothing else."""
    if state.status is not Status.PLAYING or seat is None or state.turn != seat or not state.game.judged:
        return []
    begins = any(isinstance(message, TurnStarted | Seated) for message in told)
    only = begins and list(state.game.legal_moves(state.position)) == [PASS]
    return [PlayMove(PASS, ply=state.ply)] if only else []


def choices(moves: Sequence[Move], empty: Callable[[], Collection[int]]) -> list[Choice]:
    """The moves but for a pass, in their order; ``empty`` gives the empty squares of the board."""
    plain: dict[int | None, list[int | None]] = {}
    for move in moves:
        if move.source is None or move.piece:
            return _named(moves, empty)
        plain.setdefault(move.source, []).append(move.target)
    return [Choice(source, tuple(targets), _UNNAMED) for source, targets in plain.items()]


def _named(moves: Iterable[Move], empty: Callable[[], Collection[int]]) -> list[Choice]:
    """The same where moves name pieces, or place them."""
    pieces: dict[tuple[int | None, int | None], list[str]] = {}
    placed: dict[str, list[int | None]] = {}
    for move in moves:
        if move.source is not None:
            pieces.setdefault((move.source, move.target), []).append(move.piece)
        elif move.target is not None:
            placed.setdefault(move.piece, []).append(move.target)
    grouped: dict[tuple[int | None, tuple[str, ...]], list[int | None]] = {}
    for (source, target), named in pieces.items():
        grouped.setdefault((source, tuple(named)), []).append(target)
    found = [Choice(source, tuple(targets), named) for (source, named), targets in grouped.items()]
    if not placed:
        return found
    left = empty()
    return found + [_placing(piece, targets, left) for piece, targets in placed.items()]


def _placing(piece: str, targets: list[int | None], empty: Collection[int]) -> Choice:
    """By the squares where it may not be placed, where these are fewer and all others are empty."""
    wanted = set(targets)
    left = [square for square in empty if square not in wanted]
    if len(left) < len(targets) and len(left) + len(targets) == len(empty):
        return Choice(None, tuple(sorted(left)), (piece,), others=True)
    return Choice(None, tuple(targets), (piece,))
