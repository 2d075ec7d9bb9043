"""Names of letters only, as the clients of the chess servers can show them: each stands for one name of this server.

A name of three to seventeen letters is its own; a guest is "Guest" and four letters; of "alice-2" the number becomes a
letter. Any other name is what it has of letters, or "Player", and four letters of its digest. So the letters of a name
are the same on every connection. Where two come to the same even so, the later one that a connection meets gets more.
"""

from __future__ import annotations

import hashlib
import re
import string
import unicodedata
from functools import lru_cache
from typing import Final

from protocols.core.aliases import Aliases

SHORTEST: Final = 3
LONGEST: Final = 17
LETTERS: Final = string.ascii_uppercase
DIGEST: Final = 4
"""Letters of a name's digest: one of 456,976 is the same as another's."""

NAMES: Final = 4096
"""Names, and their letters, that are remembered for all connections, which are told the same news."""

_OWN: Final = re.compile(f"[A-Za-z]{{{SHORTEST},{LONGEST}}}")
_GUEST: Final = re.compile(r"guest-([0-9]{1,9})", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"([A-Za-z]{2,12})-([0-9]{1,3})")
GUEST: Final = re.compile(r"Guest[A-Z]{4,}")


class Names(Aliases):
    def __init__(self) -> None:
        super().__init__(letters_of, LONGEST, _one_more, _told)


def _one_more(count: int) -> str:
    return _counted(count, 1)


@lru_cache(NAMES)
def _told(text: str) -> str:
    """The guest for whom such letters stand, or who is called so."""
    guest = GUEST.fullmatch(text[:5].capitalize() + text[5:].upper())
    return text if guest is None else f"guest-{_number(guest[0].removeprefix('Guest'))}"


@lru_cache(NAMES)
def letters_of(name: str) -> str:
    """The letters for a name, where no other has them."""
    if (guest := _GUEST.fullmatch(name)) is not None:
        return "Guest" + _counted(int(guest[1]), 4)
    if _OWN.fullmatch(name) and not GUEST.fullmatch(name):
        return name
    if (numbered := _NUMBERED.fullmatch(name)) is not None:
        return numbered[1] + "".join(LETTERS[int(digit)] for digit in numbered[2])
    found = re.sub("[^A-Za-z]", "", unicodedata.normalize("NFKD", name))[: LONGEST - DIGEST]
    kept = found if len(found) >= SHORTEST and not found.casefold().startswith("guest") else "Player"
    digest = int.from_bytes(hashlib.sha256(name.casefold().encode()).digest()[:4])
    return kept + _counted(digest % len(LETTERS) ** DIGEST, DIGEST).lower()


def _number(text: str) -> int:
    """The number that ``_counted`` writes so."""
    number = 0
    for letter in text:
        number = number * len(LETTERS) + LETTERS.index(letter)
    return number


def _counted(number: int, width: int) -> str:
    """A number in letters, A for nothing, at least so many."""
    text = ""
    while number or len(text) < width:
        number, digit = divmod(number, len(LETTERS))
        text = LETTERS[digit] + text
    return text
