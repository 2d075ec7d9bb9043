"""The Chess Engine Communication Protocol, engine side: what a chess GUI's lines say.

Not here: the messages themselves (cecp_messages.py), the lines to answer with (cecp_lines.py), and what an engine does
about them (gateway/clients/xboard/adapter.py). Source: the protocol document version 2 that is shipped with XBoard
("engine-intf"), and what XBoard 4.9.1, cutechess 1.5 and python-chess really send.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

from protocols import cecp_messages as said
from protocols.cecp_messages import Message
from protocols.chess_text import clean

MOVE = re.compile(r"[a-z]\d{1,2}[a-z]\d{1,2}[A-Za-z+=]?|[A-Za-z+]{1,2}@[a-z]\d{1,2}|[Oo0]-[Oo0](?:-[Oo0])?|@@@@")
"""A move as GUIs write it: coordinates, a drop, castling, XBoard's null move. Boards may be larger than 8x8."""

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")


def read(line: str, tags: frozenset[str] = frozenset()) -> Message:
    """What a line of the GUI says; ``tags`` are those of our own questions, whose answers begin with them."""
    word, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    if word in tags:
        return said.Reply(word, rest)
    try:
        if word in _WITH_REST:
            return _WITH_REST[word](rest)
    except ValueError:
        return said.Unknown(line.strip())
    if word in IGNORED or not word:
        return said.Ignored(line.strip())
    return said.UserMove(word) if MOVE.fullmatch(word) else said.Unknown(line.strip())


def read_result(text: str) -> tuple[str, str]:
    """Result and comment of ``1-0 {White mates}``. ValueError where the first word is no result."""
    result, _, comment = text.partition(" ")
    if result == "1/2":
        result = "1/2-1/2"
    if result not in RESULTS:
        raise ValueError(f"no result: {text[:100]!r}")
    return result, comment.strip().removeprefix("{").removesuffix("}").strip()


def _level(text: str) -> said.Level:
    """``40 5 0``, ``0 0:30 2``: the second number is minutes, or minutes and seconds."""
    moves, base, increment = text.split()
    minutes, _, seconds = base.partition(":")
    return said.Level(int(moves), _number(minutes) * 60 + _number(seconds or "0"), _number(increment))


def _number(text: str) -> float:
    number = float(text)
    if not 0 <= number < math.inf:
        raise ValueError(f"no time: {text!r}")
    return number


def _option(text: str) -> said.Option:
    name, _, value = text.partition("=")
    return said.Option(name.strip(), value.strip())


def _user_move(text: str) -> said.UserMove:
    if not MOVE.fullmatch(text):
        raise ValueError(f"no move: {text[:100]!r}")
    return said.UserMove(text)


_WITH_REST: Final[Mapping[str, Callable[[str], Message]]] = {
    "protover": lambda rest: said.Protover(int(rest)),
    "accepted": said.FeatureAccepted,
    "rejected": said.FeatureRejected,
    "new": lambda rest: said.New(),
    "variant": said.Variant,
    "setboard": said.SetBoard,
    "force": lambda rest: said.Force(),
    "go": lambda rest: said.Go(),
    "playother": lambda rest: said.PlayOther(),
    "usermove": _user_move,
    "level": _level,
    "st": lambda rest: said.MoveTime(_number(rest)),
    "time": lambda rest: said.EngineClock(int(rest)),
    "otim": lambda rest: said.UserClock(int(rest)),
    "ping": lambda rest: said.Ping(int(rest)),
    "draw": lambda rest: said.DrawOffered(),
    "result": lambda rest: said.GameOver(*read_result(rest)),
    "undo": lambda rest: said.Undo(),
    "remove": lambda rest: said.Remove(),
    "computer": lambda rest: said.Computer(),
    "name": lambda rest: said.UserName(clean(rest)),
    "option": _option,
    "quit": lambda rest: said.Quit(),
}

IGNORED: Final = frozenset(
    (
        *("xboard", "random", "post", "nopost", "hard", "easy", "hint", "bk", "white", "black", "sd", "nps", "rating"),
        *("ics", "memory", "cores", "egtpath", "pause", "resume", "analyze", "exit", "edit", ".", "?"),
        *("include", "exclude", "setscore", "lift", "put", "hover"),
    )
)
"""Words of the document that an engine without thoughts, hash tables and a book of its own has no use for."""
