"""Dice that can be verified afterwards: the server commits to a secret, rolls from it, and reveals it at the end.

Each game of a table has a secret of its own, derived from the table's, so that revealing one game's secret tells
nothing about the next. Every player can check a finished game: ``commitment(secret)`` is what the game began with, and
``roll(secret, n, sides)`` is its n-th roll.
"""

from __future__ import annotations

import hashlib
import hmac

WORD = 1 << 32


def game_secret(table_secret: bytes, number: int) -> bytes:
    """The secret (32 bytes) of the table's ``number``-th game: HMAC-SHA256(table secret, "game " + number)."""
    return hmac.digest(table_secret, b"game %d" % number, "sha256")


def commitment(secret: bytes) -> str:
    """SHA-256 of a game's secret, in hexadecimal: published before the first roll."""
    return hashlib.sha256(secret).hexdigest()


def roll(secret: bytes, number: int, sides: int) -> int:
    """The ``number``-th roll (from 1) of a die with ``sides`` sides: 1..sides, all equally likely."""
    return _drawn(secret, b"roll %d" % number, sides) + 1


def drawn_seat(secret: bytes, seats: int) -> int:
    """By how many of ``seats`` the players move on before a rematch with this secret: 0..seats - 1, equally likely."""
    return _drawn(secret, b"seats", seats)


def _drawn(secret: bytes, message: bytes, values: int) -> int:
    """One of ``values`` numbers from 0 on, which ``message`` names.

    HMAC-SHA256(secret, message) read as eight big-endian 32-bit words: the first word below the largest multiple of
    ``values`` decides, modulo ``values``. If none is (less than once in 10^60 for a die of six), the next eight words
    come from the message + " again" + count.
    """
    limit = WORD - WORD % values
    asked, again = message, 0
    while True:
        digest = hmac.digest(secret, asked, "sha256")
        for at in range(0, 32, 4):
            word = int.from_bytes(digest[at : at + 4], "big")
            if word < limit:
                return word % values
        again += 1
        asked = b"%b again %d" % (message, again)
