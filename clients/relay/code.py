"""Relay codes: ROOM-SECRET with a check of typing errors, and the key that both friends derive from it.

The room is the server's and public. The secret is made here, has 105 bits of chance, and is never sent anywhere: so no
guessing helps against recorded traffic.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Final

from protocols.core.errors import BoardgateError

ALPHABET: Final = "23456789bcdfghjkmnpqrstvwxyz"
"""Digits and letters that are not taken for each other, without vowels, so that no code is a word."""

SECRET_LENGTH: Final = 22
"""Symbols of the secret: 22 times 4.8 bits are 105."""

CHECK_LENGTH: Final = 2
GROUP: Final = 6
"""Symbols between two dashes: what people read out in one breath."""

PRIME: Final = 773
"""The check is the rest of a division by the largest prime that two symbols can write: any one wrong symbol, and any
two neighbours exchanged, change it."""

ROOM: Final = re.compile(r"[a-z0-9]{4,16}")


class NotACode(BoardgateError):
    """The text is no relay code; the error says why, for a person."""


@dataclass(frozen=True, slots=True)
class Code:
    """``room`` is told to the server, ``secret`` is not; ``str`` gives what friends tell each other."""

    room: str
    secret: str

    def __str__(self) -> str:
        symbols = self.secret + _check(self.room, self.secret)
        return "-".join([self.room, *(symbols[at : at + GROUP] for at in range(0, len(symbols), GROUP))])

    def __repr__(self) -> str:
        return f"Code({self.room!r}, ...)"  # no secret in a traceback or a log


def new_code(room: str) -> Code:
    """A new secret for this room."""
    return Code(room, "".join(secrets.choice(ALPHABET) for _ in range(SECRET_LENGTH)))


def read_code(text: str) -> Code:
    """The code as typed or pasted; upper case, blanks and other groups do not matter. Raises NotACode."""
    room, dash, rest = text.strip().lower().partition("-")
    symbols = re.sub(r"[-\s]", "", rest)
    if not ROOM.fullmatch(room):
        raise NotACode(f"{text!r} is no relay code: one looks like k7fq9x-{'-'.join(['h2m4t7'] * 4)}")
    if not dash or not symbols:
        raise NotACode(f"{room!r} is the public half of a code only: what follows its first dash is the secret")
    strange = sorted(set(symbols) - set(ALPHABET))
    if strange:
        raise NotACode(f"a code has no {', '.join(map(repr, strange))}: its symbols are {ALPHABET}")
    if len(symbols) != SECRET_LENGTH + CHECK_LENGTH:
        raise NotACode(
            f"this code is not whole: {len(symbols)} symbols after the first dash, not {SECRET_LENGTH + CHECK_LENGTH}"
        )
    secret, check = symbols[:SECRET_LENGTH], symbols[SECRET_LENGTH:]
    if _check(room, secret) != check:
        raise NotACode("there is a typing error in this code: its last two symbols do not fit the others")
    return Code(room, secret)


def _check(room: str, secret: str) -> str:
    rest = int.from_bytes((room + secret).encode()) % PRIME
    return ALPHABET[rest // len(ALPHABET)] + ALPHABET[rest % len(ALPHABET)]
