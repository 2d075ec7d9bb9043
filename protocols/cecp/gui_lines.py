"""The Chess Engine Communication Protocol, engine side: what a chess GUI's lines say.

Source: the protocol document version 2 that is shipped with XBoard ("engine-intf"), and what XBoard 4.9.1, cutechess
1.5 and python-chess really send.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

from protocols.chess_words import messages as shared
from protocols.chess_words.messages import *  # noqa: F403 - these are this protocol's messages, too
from protocols.chess_words.messages import Message
from protocols.core.line_text import clean

MOVE = re.compile(r"[a-z]\d{1,2}[a-z]\d{1,2}[A-Za-z+=]?|[A-Za-z+]{1,2}@[a-z]\d{1,2}|[Oo0]-[Oo0](?:-[Oo0])?|@@@@")
"""A move as GUIs write it: coordinates, a drop, castling, XBoard's null move. Boards may be larger than 8x8."""

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")


class Protover(Message, frozen=True):
    """The GUI speaks this version, and reads features."""

    version: int


class FeatureAccepted(Message, frozen=True):
    """The GUI will honour this feature."""

    name: str


class FeatureRejected(Message, frozen=True):
    """The GUI does not know this feature."""

    name: str


class Force(Message, frozen=True):
    """The engine plays neither side until further notice. It does not mean that the user has left the game."""


class PlayOther(Message, frozen=True):
    """The engine plays the side that is not on move."""


class UserMove(Message, frozen=True):
    """The user, or the GUI that loads a game, moved."""

    move: str


class MoveTime(Message, frozen=True):
    """So many seconds for each move."""

    seconds: float


class Computer(Message, frozen=True):
    """The engine's opponent is a program too."""


class Option(Message, frozen=True):
    """The user pressed a button or changed a value of the engine's settings."""

    name: str
    value: str


class Reply(Message, frozen=True):
    """The answer to ``askuser TAG``."""

    tag: str
    text: str


class Ignored(Message, frozen=True):
    """A line of the document that asks nothing of an engine that does not think."""

    line: str


def read(line: str, tags: frozenset[str] = frozenset()) -> Message:
    """The message of a line of the GUI; ``tags`` are those of our own questions, whose answers begin with them."""
    word, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    if word in tags:
        return Reply(word, rest)
    try:
        if word in _WITH_REST:
            return _WITH_REST[word](rest)
    except ValueError:
        return shared.Unknown(line.strip())
    if word in IGNORED or not word:
        return Ignored(line.strip())
    return UserMove(word) if MOVE.fullmatch(word) else shared.Unknown(line.strip())


def read_result(text: str) -> tuple[str, str]:
    """Result and comment of ``1-0 {White mates}``. ValueError where the first word is no result."""
    result, _, comment = text.partition(" ")
    if result == "1/2":
        result = "1/2-1/2"
    if result not in RESULTS:
        raise ValueError(f"no result: {text[:100]!r}")
    return result, comment.strip().removeprefix("{").removesuffix("}").strip()


def _level(text: str) -> shared.Level:
    """``40 5 0``, ``0 0:30 2``: the second number is minutes, or minutes and seconds."""
    moves, base, increment = text.split()
    minutes, _, seconds = base.partition(":")
    return shared.Level(int(moves), _number(minutes) * 60 + _number(seconds or "0"), _number(increment))


def _number(text: str) -> float:
    number = float(text)
    if not 0 <= number < math.inf:
        raise ValueError(f"no time: {text!r}")
    return number


def _option(text: str) -> Option:
    name, _, value = text.partition("=")
    return Option(name.strip(), value.strip())


def _user_move(text: str) -> UserMove:
    if not MOVE.fullmatch(text):
        raise ValueError(f"no move: {text[:100]!r}")
    return UserMove(text)


_WITH_REST: Final[Mapping[str, Callable[[str], Message]]] = {
    "protover": lambda rest: Protover(int(rest)),
    "accepted": FeatureAccepted,
    "rejected": FeatureRejected,
    "new": lambda rest: shared.New(),
    "variant": shared.Variant,
    "setboard": shared.SetBoard,
    "force": lambda rest: Force(),
    "go": lambda rest: shared.Go(),
    "playother": lambda rest: PlayOther(),
    "usermove": _user_move,
    "level": _level,
    "st": lambda rest: MoveTime(_number(rest)),
    "time": lambda rest: shared.Time(int(rest)),
    "otim": lambda rest: shared.OTim(int(rest)),
    "ping": lambda rest: shared.Ping(int(rest)),
    "draw": lambda rest: shared.Draw(),
    "result": lambda rest: shared.Result(*read_result(rest)),
    "undo": lambda rest: shared.Undo(),
    "remove": lambda rest: shared.Remove(),
    "computer": lambda rest: Computer(),
    "name": lambda rest: shared.Name(clean(rest)),
    "option": _option,
    "quit": lambda rest: shared.Quit(),
}

IGNORED: Final = frozenset(
    (
        *("xboard", "random", "post", "nopost", "hard", "easy", "hint", "bk", "white", "black", "sd", "nps", "rating"),
        *("ics", "memory", "cores", "egtpath", "pause", "resume", "analyze", "exit", "edit", ".", "?"),
        *("include", "exclude", "setscore", "lift", "put", "hover"),
    )
)
"""Words of the document that an engine without thoughts, hash tables and a book of its own has no use for."""
