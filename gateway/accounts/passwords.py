"""Passwords by argon2id: what is stored of one, and whether another is the same. Both take a processor some 150 ms.

Not here: who may try, and how often (logins.py). Source: RFC 9106, its second recommended parameters.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from protocols.core.errors import Refused, Why

SHORTEST: Final = 8
LONGEST: Final = 256
"""Characters of a password. A longer text costs time to hash and protects nobody better."""

_hasher: Final = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4, type=Type.ID)


def hashed(password: str) -> str:
    """What is stored of a password: parameters, salt and digest. Refused (BAD_OPTION): too short, or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refused(Why.BAD_OPTION, f"a password has {SHORTEST} to {LONGEST} characters, not {len(password)}")
    return _hasher.hash(password)


def fits(password_hash: str | None, password: str) -> bool:
    """Whether this is the password. None, the hash of nobody, never fits and takes as long to find out."""
    try:
        same = _hasher.verify(password_hash or _nobodys(), password[: LONGEST + 1])
    except (VerificationError, InvalidHashError):
        return False
    return same and password_hash is not None


@cache
def _nobodys() -> str:
    """The hash that passwords of unknown names are compared with, so that time does not tell which names there are."""
    return _hasher.hash("nobody has this password")
