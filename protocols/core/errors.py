"""Errors by cause. The same causes everywhere; each dialect has its own words for them."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Self


class Why(StrEnum):
    """The cause of a refusal. A dialect words the causes its document names and uses the text for the others."""

    # finding a seat
    UNKNOWN_GAME = "unknown game"
    OLD_VERSION = "old version"
    NEW_VERSION = "new version"
    OVERLOAD = "overload"
    BAD_OPTION = "bad option"
    BAD_TICKET = "bad ticket"
    NAME_TAKEN = "name taken"
    BAD_PASSWORD = "bad password"
    PASSWORD_NEEDED = "password needed"
    TABLE_FULL = "table full"
    NOT_SEATED = "not seated"
    ALREADY_SEATED = "already seated"
    NOT_INSTALLED = "not installed"
    BANNED = "banned"
    NO_ACCOUNT = "no account"
    # moving
    NOT_PLAYING = "not playing"
    NOT_YOUR_TURN = "not your turn"
    WRONG_PLY = "wrong ply"
    SYNTAX = "syntax"
    OUT_OF_BOUNDS = "out of bounds"
    NOT_YOUR_PIECE = "not your piece"
    OWN_PIECE_THERE = "own piece there"
    PLACEMENTS_FIRST = "placements first"
    NO_SUCH_PIECE = "no such piece"
    ILLEGAL = "illegal"
    # the rest
    NOT_NOW = "not now"
    UNSUPPORTED = "unsupported"
    TOO_FAST = "too fast"


class SquareWords(str):
    """Words that name squares as the game's notation does; ``numbered`` are the same for dialects that count them.

    What is written as JSON needs them plain: ``str(words)``.
    """

    numbered: str

    def __new__(cls, words: str, numbered: str) -> Self:
        made = super().__new__(cls, words)
        made.numbered = numbered
        return made


def naming(form: str, name: Callable[[int], str], *squares: int) -> SquareWords:
    """``form`` with the squares of these numbers in its places."""
    numbered = form.replace("square {}", "{}").format(*(f"position {square}" for square in squares))
    return SquareWords(form.format(*map(name, squares)), numbered)


def numbered(text: str) -> str:
    """The words for dialects that count squares."""
    return text.numbered if isinstance(text, SquareWords) else text


class BoardgateError(Exception):
    """Base of every error this project raises on purpose."""


class RemoteProtocolError(BoardgateError):
    """The peer broke its protocol: answer what the dialect has queued, then close. Nothing more can be read."""


class LocalProtocolError(BoardgateError):
    """A protocol was broken by our side: a defect."""


class Refused(BoardgateError):
    """A command that the table's state or the rules do not allow; nothing has changed.

    ``option`` is the name of the wish that is wrong, where it is one.
    """

    def __init__(self, why: Why, text: str = "", *, option: str = "") -> None:
        super().__init__(text or str(why))
        self.why = why
        self.text = text or str(why)
        self.option = option


class IllegalMove(Refused):
    """A move that the rules of the game do not allow here. ``why`` is its cause, ILLEGAL where no finer one fits."""

    def __init__(self, text: str, why: Why = Why.ILLEGAL) -> None:
        super().__init__(why, text)
