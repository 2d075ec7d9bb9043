"""Chess in words that several dialects share: coordinate moves, time controls in seconds, results and their reasons.

The rules are in gateway/games/chess. Sources: the CECP document shipped with XBoard (move notation, results), the
peer-to-peer document (TC in seconds), the project's square numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from protocols.core import squares
from protocols.core.line_text import clean
from protocols.core.model import Move, Outcome, Reason, TimeControl, TimeKind

SIDES: Final = ("White", "Black")
"""The seats of a chess table, by number."""

PIECES: Final[Mapping[str, str]] = {
    "p": "pawn",
    "n": "knight",
    "b": "bishop",
    "r": "rook",
    "q": "queen",
    "k": "king",
}
_LETTERS: Final = {word: letter for letter, word in PIECES.items()}

LONGEST_S: Final = 30 * 24 * 3600.0
"""Seconds: no single time is longer than thirty days, which also keeps out numbers that are none."""

MOST_MOVES: Final = 9999
"""Moves in one period of a time control: more than any game has."""

_STEP = re.compile(r"([a-h][1-8])[-x]?([a-h][1-8])(?:=?([nbrqk]))?")
_DROP = re.compile(r"([pnbrq])@([a-h][1-8])")
_BISHOP = re.compile(r"B[1-8][-x]?[a-h]")
"""In SAN the bishop on this row; coordinates have capitals throughout, or none."""

LONGEST_MOVE: Final = len("e7-e8=q")

_KING_PROMOTIONS: Final = frozenset(("suicide", "giveaway"))
_DROPS: Final = frozenset(("crazyhouse",))

PER_MOVE: Final = -1
"""The MPS that says: TC is for one move."""


def to_move(text: str, variant: str = "normal") -> Move | None:
    """The move written in coordinates: "e2e4", "e2-e4", "e7e8q", "e7-e8=Q", "P@e4"; letter case is free.

    None for anything else, and for what ``variant`` does not have (drops outside crazyhouse, a king as promotion
    outside suicide and giveaway): only a board can tell what such words mean, castling as O-O and "B2c3" among them.
    """
    written = text.strip()
    return None if len(written) > LONGEST_MOVE else _move(written, variant)


@lru_cache(4096)
def _move(written: str, variant: str) -> Move | None:
    """One object for every time the same move is read: a game has few different ones."""
    plain = written.lower()
    if _BISHOP.match(written):
        return None
    if step := _STEP.fullmatch(plain):
        letter = step[3] or ""
        if letter == "k" and variant not in _KING_PROMOTIONS:
            return None
        return Move(_number(step[1]), _number(step[2]), PIECES.get(letter, ""))
    drop = _DROP.fullmatch(plain)
    if drop is None or variant not in _DROPS:
        return None
    return Move(None, _number(drop[2]), PIECES[drop[1]])


@lru_cache(4096)
def from_move(move: Move) -> str:
    """The move in coordinates: "e2e4", "e7e8q", "P@e4"; the piece's own text for a Move(None, None, text).

    "" for a pass and a removal, which chess does not have.
    """
    if move.target is None:
        return clean(move.piece) if move.source is None else ""
    letter = _LETTERS.get(move.piece, "")
    target = squares.name(move.target, 8, 8)
    if move.source is None:
        return f"{letter.upper()}@{target}"
    return f"{squares.name(move.source, 8, 8)}{target}{letter}"


def read_level(mps: int, tc: float, inc: float) -> TimeControl | None:
    """The time control of ``level MPS TC INC``, TC and INC in seconds; None without a clock (all zero).

    ValueError for numbers that are no time control.
    """
    if not (PER_MOVE <= mps <= MOST_MOVES and 0 <= tc <= LONGEST_S and 0 <= inc <= LONGEST_S):
        raise ValueError(f"no time control: level {mps} {tc:g} {inc:g}")
    if tc == 0 and (inc == 0 or mps != 0):
        return None
    if mps == PER_MOVE:
        return TimeControl(TimeKind.PER_MOVE, period_s=float(tc))
    if mps > 0:
        return TimeControl(TimeKind.MOVES, main_s=float(tc), increment_s=float(inc), moves=mps)
    return TimeControl(TimeKind.FISCHER if inc else TimeKind.ABSOLUTE, main_s=float(tc), increment_s=float(inc))


def write_level(time: TimeControl | None) -> tuple[int, float, float]:
    """MPS, TC and INC of ``level``, TC and INC in seconds.

    Overtime by blocks or periods (canadian, byoyomi) has no such words: its main time alone is said.
    """
    if time is None:
        return 0, 0, 0
    if time.kind is TimeKind.PER_MOVE:
        return PER_MOVE, time.period_s, 0
    moves = time.moves if time.kind is TimeKind.MOVES else 0
    return moves, time.main_s, time.increment_s


def result_words(outcome: Outcome) -> str:
    """The result as chess writes it: "1-0", "0-1", "1/2-1/2", or "*" for a game without one."""
    if outcome.reason is Reason.VOID:
        return "*"
    if outcome.winner is None:
        return "1/2-1/2"
    return "1-0" if outcome.winner == 0 else "0-1"


def result_reason(outcome: Outcome) -> str:
    """The reason as a chess program writes it in the braces after a result: "White mates", "Black resigns"."""
    detail = re.sub(r"[{}]", "", clean(outcome.detail))
    if outcome.winner is None:
        words = _DRAWN.get(outcome.reason, "draw")
        return words if outcome.reason is Reason.TIME else detail or words
    winner, loser = SIDES[outcome.winner != 0], SIDES[outcome.winner == 0]
    if detail == "checkmate":
        return f"{winner} mates"
    words = _WON.get(outcome.reason, "{winner} wins").format(winner=winner, loser=loser)
    return f"{words}: {detail}" if detail and outcome.reason in (Reason.RULES, Reason.CLAIM) else words


def _number(name: str) -> int:
    return squares.number(name, 8, 8)


_DRAWN: Final[Mapping[Reason, str]] = {
    Reason.AGREEMENT: "draw by agreement",
    Reason.TIME: "time is over, but there is no mating material",
    Reason.ABANDONMENT: "both sides abandoned the game",
    Reason.CLAIM: "draw claimed",
    Reason.VOID: "no result",
}
_WON: Final[Mapping[Reason, str]] = {
    Reason.RESIGNATION: "{loser} resigns",
    Reason.TIME: "{loser} forfeits on time",
    Reason.ABANDONMENT: "{loser} abandoned the game",
    Reason.FORFEIT: "{loser} forfeits",
    Reason.AGREEMENT: "{winner} wins by agreement",
}
