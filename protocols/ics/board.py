"""A position as FICS's "style 12" writes it, one line for programs, and drawn for a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

RANKS: Final = 8
WORTH: Final = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
"""Points of a man, as the line counts them; a king counts nothing."""

_CASTLED: Final = re.compile(r"O-O(?:-O)?")
_SAN: Final = re.compile(r"([KQRBN]?).*?(?:=\(?([QRBNK])\)?)?[+#]*")


@dataclass(frozen=True, slots=True)
class Position:
    """A FEN as far as the line needs it: eight ``rows`` with "-" for an empty square, the eighth rank's first.

    ``castling`` says for White and Black whether short, then long is still possible. ``idle`` counts half-moves without
    a capture or a pawn's move, ``number`` is that of the next move. ``hands`` are crazyhouse's, White's first.
    """

    rows: tuple[str, ...]
    white_moves: bool
    castling: tuple[bool, bool, bool, bool]
    idle: int
    number: int
    hands: tuple[str, str] | None = None


def read(fen: str) -> Position:
    """The position of a FEN, which may be followed by other words. ValueError: it is none."""
    words = fen.split()
    if len(words) < 4:
        raise ValueError(f"no position: {fen[:40]!r}")
    men, _, pocket = words[0].partition("[")
    rows = tuple(_row(row) for row in men.replace("~", "").split("/"))
    if len(rows) != RANKS or any(len(row) != RANKS for row in rows):
        raise ValueError(f"no board: {words[0][:80]!r}")
    counters = [int(word) for word in words[4:7] if word.isdigit()]
    hands = None
    if "[" in words[0]:
        held = pocket.rstrip("]")
        hands = (_hand(held, upper=True), _hand(held, upper=False))
    idle, number = (*counters, 0, 1)[:2] if len(counters) > 1 else (0, 1)
    return Position(rows, words[1] == "w", _castling(words[2], rows), idle, number, hands)


def _row(text: str) -> str:
    return "".join("-" * int(letter) if letter.isdigit() else letter for letter in text)


def _hand(pocket: str, *, upper: bool) -> str:
    return "".join(sorted(letter.upper() for letter in pocket if letter.isupper() == upper))


def _castling(text: str, rows: Sequence[str]) -> tuple[bool, bool, bool, bool]:
    """The rights; a letter may be the rook's file instead, as in Chess960."""
    white, black = _rights(text, rows[-1], "K"), _rights(text, rows[0], "k")
    return (*white, *black)


def _rights(text: str, home: str, king: str) -> tuple[bool, bool]:
    at = home.find(king)
    short, long = king, "Q" if king == "K" else "q"
    files = [ord(letter.lower()) - ord("a") for letter in text if letter.isupper() == king.isupper()]
    rooks = [file for file in files if 0 <= file < RANKS]
    return (
        short in text or any(file > at for file in rooks),
        long in text or any(file < at for file in rooks),
    )


def material(position: Position) -> tuple[int, int]:
    """The points of White's and Black's men."""
    men = "".join(position.rows)
    return (
        sum(WORTH.get(letter.lower(), 0) for letter in men if letter.isupper()),
        sum(WORTH.get(letter.lower(), 0) for letter in men if letter.islower()),
    )


def long_move(san: str, source: str, target: str) -> str:
    """A move as the line writes it: "P/e2-e4", "P/e7-e8=Q", "o-o", "N/@@-f3"; ``source`` is "" of a drop."""
    if (castled := _CASTLED.match(san)) is not None:
        return castled[0].lower()
    if not source:
        return f"{san.partition('@')[0] or 'P'}/@@-{target}"
    found = _SAN.fullmatch(san)
    man, promoted = (found[1], found[2]) if found is not None else ("", None)
    return f"{man or 'P'}/{source}-{target}{f'={promoted}' if promoted else ''}"


def two_steps(san: str, source: str, target: str) -> int:
    """The file, from 0, of the pawn that has just gone two squares; -1: none has."""
    pawn = bool(san) and san[0] in "abcdefgh" and len(source) == len(target) == 2
    return ord(source[0]) - ord("a") if pawn and abs(int(source[1]) - int(target[1])) == 2 else -1


def spent(seconds: float, *, exact: bool) -> str:
    """The time of a move: "(0:03)", or with thousandths."""
    minutes, rest = divmod(round(max(0.0, seconds), 3), 60)
    return f"({minutes:.0f}:{rest:06.3f})" if exact else f"({minutes:.0f}:{int(rest):02})"


@dataclass(frozen=True, slots=True)
class Shown:
    """All of a line beside the position. ``names`` and ``left``, in seconds, are White's first.

    ``last`` is the last move as ``long_move`` writes it, ``san`` as people do, ``took`` its seconds; ``passed`` is the
    file of ``two_steps``.
    """

    game: int
    names: tuple[str, str]
    relation: int
    minutes: int
    increment: int
    left: tuple[float, float]
    last: str = "none"
    san: str = "none"
    took: float = 0.0
    passed: int = -1
    flip: bool = False
    ticking: bool = False


def style_12(position: Position, shown: Shown, *, exact: bool) -> str:
    """The line; ``exact``: clocks in milliseconds, as a client asks for by ``iset ms 1``."""
    left = [int(seconds * 1000) if exact else int(seconds) for seconds in shown.left]
    return " ".join(
        map(
            str,
            (
                "<12>",
                *position.rows,
                "W" if position.white_moves else "B",
                shown.passed,
                *(int(right) for right in position.castling),
                position.idle,
                shown.game,
                *shown.names,
                shown.relation,
                shown.minutes,
                shown.increment,
                *material(position),
                *left,
                position.number,
                shown.last,
                spent(shown.took, exact=exact),
                shown.san,
                int(shown.flip),
                int(shown.ticking),
                0,
            ),
        )
    )


def drawn(position: Position, shown: Shown) -> list[str]:
    """The board for a person at a terminal, from the side whose men it moves, with the clocks beside it."""
    rows = list(enumerate(position.rows[::-1], 1))
    if not shown.flip:
        rows.reverse()
    beside = [
        f"Move # : {position.number} ({'White' if position.white_moves else 'Black'})",
        "",
        f"{'Black' if position.white_moves else 'White'} Moves : '{shown.san:<7} {spent(shown.took, exact=False)}'"
        if shown.last != "none"
        else "",
        "",
        f"Black Clock : {_clock(shown.left[1])}" if shown.minutes or shown.increment else "No clock",
        f"White Clock : {_clock(shown.left[0])}" if shown.minutes or shown.increment else "",
        f"Black Strength : {material(position)[1]}",
        f"White Strength : {material(position)[0]}",
    ]
    files = "hgfedcba" if shown.flip else "abcdefgh"
    edge = "       " + "-" * 33
    lines = [f"Game {shown.game} ({shown.names[0]} vs. {shown.names[1]})", "", edge]
    for count, ((number, row), note) in enumerate(zip(rows, beside, strict=True)):
        if count:
            lines.append("       |" + "|".join(["---"] * RANKS).replace("|", "+") + "|")
        men = row[::-1] if shown.flip else row
        lines.append((f"    {number}  |" + "|".join(_man(man) for man in men) + f"|     {note}").rstrip())
    lines += [edge, "         " + "   ".join(files)]
    if position.hands is not None:
        lines.append(f"White holding: [{position.hands[0]}]   Black holding: [{position.hands[1]}]")
    return lines


def _man(letter: str) -> str:
    return "   " if letter == "-" else f" {letter} " if letter.isupper() else f"*{letter.upper()} "


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(max(0.0, seconds)), 60)
    return f"{minutes}:{rest:02}"
