"""Observes positions for the laws of games: their meaning to the rules, their drawing, the next movers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gateway.games.base import CHANCE, Game
from gateway.games.parts import chance_of
from protocols.core.errors import IllegalMove, Refused
from protocols.core.model import Move, Settings


def drawn(text: str, width: int) -> str:
    """The board of a text as dots and letters: FEN counts empty squares, and marks promoted pieces."""
    board = text.partition(" ")[0]
    if all(len(row) == width for row in board.split("/")):
        return board
    return re.sub(r"\d", lambda count: "." * int(count[0]), board.replace("~", ""))


def taken_or_illegal(game: Game[Any], settings: Settings, position: Any, move: Move) -> None:
    """Without rules any move may be taken; then it stands in the text."""
    try:
        after = game.play(position, move)
    except IllegalMove:
        return
    assert game.start(replace(settings, start=game.text(after))) == after
    assert game.to_move(after) != game.to_move(position)


def begun(game: Game[Any], settings: Settings) -> Any:
    """The first position, or why it was refused."""
    try:
        return game.start(settings)
    except Refused as error:
        return error.why


def observed(game: Game[Any], position: Any) -> tuple[object, ...]:
    """A position's meaning to the rules."""
    due = chance_of(game).chance(position) if game.to_move(position) == CHANCE else None
    return (
        game.to_move(position),
        game.outcome(position),
        due,
        game.board(position),
        game.legal_moves(position),
    )


def movers(game: Game[Any], position: Any, choice: random.Random, steps: int = 30) -> Iterator[int]:
    """The seats that move or roll in the next ``steps`` steps of random play."""
    for _ in range(steps):
        turn = game.to_move(position)
        if turn is None:
            return
        if turn == CHANCE:
            due = chance_of(game).chance(position)
            yield due.seat
            position = chance_of(game).rolled(position, choice.randint(1, due.sides))
        else:
            yield int(turn)
            position = game.play(position, choice.choice(game.legal_moves(position)))
