"""Miniature's lines: bytes to lines, words abbreviated as in FICS, the parts of a line.

Source: the draft of Miniature's P2P protocol; the help pages of FICS that it names, for what it leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from protocols.chess_words.fen import same_position
from protocols.chess_words.text import from_move, read_level, to_move
from protocols.core.events import MoveMade
from protocols.core.model import Move, Settings, TimeControl, TimeKind
from protocols.core.proposals import Start

LONGEST_LINE: Final = 2048
"""Bytes of a line: 400 characters to tell, of four bytes each, and the words before them."""

MOST_MINUTES: Final = 999
"""Minutes, or seconds of increment, of a seek: three digits are what FICS takes."""

MOST_CHANGED: Final = 4
"""Squares that one move changes at most: those of castling."""

COMMANDS: Final = ("tell", "seek", "move", "takeback", "draw", "resign", "adjourn", "play", "help", "sync")
"""In the order in which a beginning stands for one of them: "t" is tell, "ta" takeback, "s" seek, "sy" sync."""

ANSWERS: Final = ("welcome", "result", "error")
"""Words of a gateway. From a peer they ask nothing: two gateways would answer each other's errors for ever."""

_SEEK_WORDS: Final = ("rated", "unrated", "white", "black", "any", "manual", "automatic")
_SIDES: Final = {"white": 0, "black": 1, "any": None}
_MOVE: Final = re.compile(
    r"(?:[a-h][1-8][-x]?[a-h][1-8]|(?:[a-h]x)?[a-h][1-8]|[kqrbn][a-h]?[1-8]?x?[a-h][1-8]|[pqrbn]@[a-h][1-8])"
    r"(?:=?[qrbnk])?[+#]?",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^ ;]*")
_CASTLING: Final = re.compile(r"[o0]-[o0](-[o0])?[+#]?", re.IGNORECASE)
_RATINGS: Final = re.compile(r"[0-9]{0,4}-[0-9]{0,4}")
_LONGEST_MOVE: Final = 16


def decode(line: bytes) -> str:
    """The text of a line. ValueError says what is wrong with it."""
    try:
        text = line.removesuffix(b"\r").decode().replace("\t", " ").strip()
    except UnicodeDecodeError:
        raise ValueError(f"not UTF-8: {line[:40]!r}") from None
    if not text.isprintable():
        raise ValueError(f"a line holds text only: {text[:40]!r}")
    return text


def command(line: str) -> tuple[str, str]:
    """The command a line begins with, in full where it is known, and the rest; a bare move is the command move.

    A semicolon ends the word, too: "sync; fen FEN" is "sync ; fen FEN".
    """
    first = _WORD.match(line)[0]  # type: ignore[index]  # matches anything
    rest = line[len(first) :]
    if is_move(line.partition(";")[0].strip()):
        return "move", line
    word = full(first.lower(), COMMANDS)
    return word if word in (*COMMANDS, *ANSWERS) else first, rest.strip()


def full(word: str, known: Iterable[str]) -> str:
    """The first of the ``known`` words that begins so; the word itself where none does."""
    return next((name for name in known if name.startswith(word)), word)


def is_move(text: str) -> bool:
    """True if this is a move by its form alone: coordinates, SAN, a drop, castling. No command ends so."""
    return bool(_MOVE.fullmatch(text) or _CASTLING.fullmatch(text))


def read_seek(text: str, usual: TimeControl | None = None) -> Start:
    """The seek of "TIME INC rated|unrated white|black|any manual", each part optional; ``usual`` is its time then.

    ValueError shows what cannot be read.
    """
    words = text.lower().split()
    numbers = list(takewhile(_whole, words[:2]))
    found: dict[str, str] = {}
    for word in words[len(numbers) :]:
        name = full(word, _SEEK_WORDS)
        kind = {"rated": "rating", "unrated": "rating"}.get(name, "side" if name in _SIDES else name)
        if name not in _SEEK_WORDS or kind in found:
            form = "whole minutes and seconds, then rated or unrated, white, black or any, manual"
            raise ValueError(f"{word!r} in a seek: it is TIME INC, {form}")
        found[kind] = name
    time = _time(numbers) if numbers else usual
    settings = Settings("chess", "normal", 0, 0, 0, time, rated=found.get("rating") == "rated")
    return Start(settings, _SIDES[found.get("side", "any")], "manual" in found)


def ratings_apart(text: str) -> tuple[str, str]:
    """The words of a seek without a range of ratings, which FICS has behind or between them, and the range, "" none."""
    words = text.split()
    ranges = [word for word in words if _RATINGS.fullmatch(word)][:1]
    return " ".join(word for word in words if word not in ranges), "".join(ranges)


def names_time(text: str) -> bool:
    """True if a seek says its time itself."""
    return _whole(text.strip().partition(" ")[0])


def _whole(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _time(numbers: list[str]) -> TimeControl | None:
    minutes, increment_s = int(numbers[0][:9]), int(numbers[1][:9]) if len(numbers) > 1 else 0
    if max(minutes, increment_s) > MOST_MINUTES:
        raise ValueError(f"{' '.join(numbers)[:40]!r} in a seek: at most {MOST_MINUTES} minutes and seconds")
    if increment_s and not minutes:
        raise ValueError(f"{' '.join(numbers)[:40]!r} in a seek: a clock begins with at least a minute")
    return read_level(0, minutes * 60, increment_s)


def read_clock(text: str) -> TimeControl | None:
    """The time control of a listener's option: none, "300" or "300+5", seconds. ValueError shows what is none."""
    if text.strip().lower() in ("", "none"):
        return None
    found = re.fullmatch(r"([1-9]\d{0,5})(?:\+(\d{1,3}))?", text.strip(), re.ASCII)
    if found is None:
        raise ValueError(f'time is "none", or seconds like "300" or "300+5", not {text!r}')
    return read_level(0, int(found[1]), int(found[2] or 0))


def write_seek(start: Start) -> str | None:
    """The line that proposes this; None where Miniature has no words for it: set-ups, variants, other clocks."""
    settings = start.settings
    if settings is None or settings.game != "chess" or settings.variant not in ("", "normal"):
        return None
    if settings.start or settings.options or (time := _minutes(settings.time)) is None:
        return None
    manual = " manual" if start.confirms else ""
    return f"seek {time} {'r' if settings.rated else 'u'} {side_letter(start.side)}{manual}"


def side_letter(side: int | None) -> str:
    """The colour of a seek; a side that chess does not have is any."""
    return {0: "w", 1: "b"}.get(side, "a") if side is not None else "a"


def _minutes(time: TimeControl | None) -> str | None:
    if time is None:
        return "0 0"
    minutes, rest = divmod(time.main_s, 60)
    plain = (
        time.kind in (TimeKind.ABSOLUTE, TimeKind.FISCHER) and not rest and time.increment_s == int(time.increment_s)
    )
    if not plain or not 1 <= minutes <= MOST_MINUTES or not 0 <= time.increment_s <= MOST_MINUTES:
        return None
    return f"{int(minutes)} {int(time.increment_s)}"


def parts(text: str) -> tuple[str, str]:
    """The text before the ";" and the FEN behind it, "" without one. ValueError when it is no FEN that follows."""
    before, semicolon, after = text.partition(";")
    label, _, fen = after.strip().partition(" ")
    if semicolon and label and label.lower() != "fen":
        raise ValueError(f"after the ';' comes fen and a position, not {label[:40]!r}")
    return before.strip(), fen.strip()


def read_move(text: str, variant: str) -> tuple[Move | None, str]:
    """A move as squares, or as text that only a board can read: castling, SAN. ValueError: it is neither."""
    if not text or len(text) > _LONGEST_MOVE:
        raise ValueError(f"no move: {text[:40]!r}; a move is written e2-e4, a7-a8=Q, O-O or Nf3")
    if _CASTLING.fullmatch(text):
        return None, re.sub("[oO0]", "O", text)
    return to_move(text.rstrip("+#"), variant), text


def write_move(event: MoveMade, settings: Settings | None) -> str:
    """The move as the draft writes it, e2-e4, a7-a8=Q, P@e4; in other games, and castling in Chess960, its notation."""
    move, notation = event.move, event.notation.replace(";", ",")
    board = settings is not None and settings.game == "chess" and max(move.source or 0, move.target or 0) < 64
    if not board or move.target is None or (settings is not None and _castles_by_rook(settings, notation)):
        return notation or from_move(Move(None, None, move.piece.replace(";", ","))) or "pass"
    plain = from_move(move)
    if move.source is None:
        return plain
    return f"{plain[:2]}-{plain[2:4]}" + (f"={plain[4:].upper()}" if plain[4:] else "")


def _castles_by_rook(settings: Settings, notation: str) -> bool:
    """King onto rook would be read as a capture."""
    return settings.variant == "fischerandom" and notation.startswith("O-O")


def agrees(claimed: str, position: str) -> bool | None:
    """True if a FEN has the pieces and the side to move of ``position``; None when it, or the position, is none.

    Nothing else is compared: the draft's own FENs end there. They also end their last rank with a "/", which is read.
    """
    try:
        return same_position(_placement_and_side(claimed), _placement_and_side(position))
    except ValueError:
        return None


def far(claimed: str, position: str) -> bool:
    """True if no single move leads from ``position`` to this FEN: it shows a game that went on elsewhere.

    False for what is no FEN.
    """
    if agrees(claimed, position) is None:
        return False
    pairs = zip(_squares(claimed), _squares(position), strict=True)
    return sum(one != other for one, other in pairs) > MOST_CHANGED


def _squares(fen: str) -> str:
    """64 letters, "." for an empty square."""
    placed = _placement_and_side(fen).split()[0].replace("/", "").replace("~", "")
    return re.sub("[1-8]", lambda empty: "." * int(empty[0]), placed)[:64]


def _placement_and_side(fen: str) -> str:
    fields = fen.split()[:2]
    placed = re.sub(r"\[[^\]]*\]|/$", "", fields[0]) if fields else ""
    return " ".join([placed, *fields[1:]])
