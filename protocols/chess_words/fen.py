"""Two chess positions compared by their FENs, as two programs write them that agree on the game but not on the style.

Sources: the PGN standard (FEN), X-FEN and Shredder-FEN for castling rights.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_PLACEMENT = re.compile(
    r"((?:[1-8]|[pnbrqk]~?)+(?:/(?:[1-8]|[pnbrqk]~?)+){7})(?:\[([pnbrq]*|-)\]|/([pnbrq]*))?", re.IGNORECASE
)
_RIGHTS = re.compile(r"-|[KQkqA-Ha-h]+")
_SQUARE = re.compile(r"[a-h][1-8]|-")

Square = tuple[int, int]
"""Column and row, (0, 0) is a8."""

_LINES: Final[tuple[tuple[Square, str], ...]] = (
    *(((dx, dy), "rq") for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))),
    *(((dx, dy), "bq") for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1))),
)


@dataclass(frozen=True, slots=True)
class _Position:
    pieces: dict[Square, str]
    pocket: str
    white: bool
    rights: str
    passed: str


def same_position(fen_a: str, fen_b: str, exact: bool = False) -> bool:
    """True if two FENs show the same pieces (on the board and in hand) and the same side to move.

    ``exact`` compares castling rights too, however they are written, and the en-passant square where a pawn can take
    there. Counters and marks of promoted pieces are never compared. ValueError shows a FEN that cannot be read.
    """
    one, other = _read(fen_a), _read(fen_b)
    if (one.pieces, one.pocket, one.white) != (other.pieces, other.pocket, other.white):
        return False
    return not exact or (_rights(one), _passed(one)) == (_rights(other), _passed(other))


def white_to_move(fen: str) -> bool:
    """True if White is to move in this position. ValueError shows a FEN that cannot be read."""
    return _read(fen).white


def _read(fen: str) -> _Position:
    """Fields behind the side to move are "-" where they are missing: many tools leave them out."""
    fields = [*fen.split(), "-", "-"]
    placed = _PLACEMENT.fullmatch(fields[0])
    if placed is None or fields[1] not in ("w", "b") or not _RIGHTS.fullmatch(fields[2]):
        raise ValueError(f"no FEN of an 8x8 board: {fen[:100]!r}")
    passed = fields[3] if len(fields) > 5 else "-"
    if not _SQUARE.fullmatch(passed):
        raise ValueError(f"no FEN, en passant on {passed!r}: {fen[:100]!r}")
    pieces: dict[Square, str] = {}
    for y, rank in enumerate(placed[1].replace("~", "").split("/")):
        x = 0
        for letter in rank:
            if letter.isdigit():
                x += int(letter)
            else:
                pieces[x, y] = letter
                x += 1
        if x != 8:
            raise ValueError(f"no FEN of an 8x8 board, rank {8 - y} has {x} squares: {fen[:100]!r}")
    pocket = "".join(sorted((placed[2] or placed[3] or "").strip("-")))
    return _Position(pieces, pocket, fields[1] == "w", fields[2], passed)


def _rights(position: _Position) -> set[Square]:
    """The rooks that may castle: K and Q mean the outermost rook on that side of the king, letters a file."""
    found: set[Square] = set()
    for letter in position.rights.replace("-", ""):
        y, king, rook = (7, "K", "R") if letter.isupper() else (0, "k", "r")
        kings = [x for x in range(8) if position.pieces.get((x, y)) == king]
        rooks = [x for x in range(8) if position.pieces.get((x, y)) == rook]
        if kings and letter in "Kk":
            rooks = [x for x in rooks if x > kings[0]][-1:]
        elif kings and letter in "Qq":
            rooks = [x for x in rooks if x < kings[0]][:1]
        else:
            rooks = [x for x in rooks if x == ord(letter.lower()) - ord("a")]
        found |= {(x, y) for x in rooks if kings}
    return found


def _passed(position: _Position) -> Square | None:
    """The en-passant square, if a pawn of the side to move can take there without opening a line to its own king."""
    pawn, row, back = ("P", 2, 1) if position.white else ("p", 5, -1)
    if position.passed == "-" or int(position.passed[1]) != 8 - row:
        return None
    target = (ord(position.passed[0]) - ord("a"), row)
    taken = (target[0], row + back)
    for x in (target[0] - 1, target[0] + 1):
        if position.pieces.get((x, taken[1])) != pawn or position.pieces.get(taken) != pawn.swapcase():
            continue
        after = {at: piece for at, piece in position.pieces.items() if at not in ((x, taken[1]), taken)}
        if not _open_line(after | {target: pawn}, position.white):
            return target
    return None


def _open_line(pieces: dict[Square, str], white: bool) -> bool:
    """True if a rook, bishop or queen of the other side looks at the king of this one; never where there is none."""
    king = next((at for at, piece in pieces.items() if piece == ("K" if white else "k")), None)
    if king is None:
        return False
    for (dx, dy), sliders in _LINES:
        x, y = king[0] + dx, king[1] + dy
        while 0 <= x < 8 and 0 <= y < 8 and (x, y) not in pieces:
            x, y = x + dx, y + dy
        if pieces.get((x, y), " ") in (sliders if white else sliders.upper()):
            return True
    return False
