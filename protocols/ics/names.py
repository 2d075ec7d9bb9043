"""Names of letters only, as the clients of the chess servers can show them: each stands for one name of this server.

A name of three to seventeen letters is its own. Else accents go and each digit becomes a letter; a guest is "Guest"
and four letters; a name without letters is "Player" and some of its digest. Where two come to the same, the later one
that a connection meets gets letters more.
"""

from __future__ import annotations

import hashlib
import re
import string
import unicodedata
from typing import Final

from protocols.core.aliases import Aliases

SHORTEST: Final = 3
LONGEST: Final = 17
LETTERS: Final = string.ascii_uppercase

_OWN: Final = re.compile(f"[A-Za-z]{{{SHORTEST},{LONGEST}}}")
_GUEST: Final = re.compile(r"guest-([0-9]{1,9})", re.IGNORECASE)
GUEST: Final = re.compile(r"Guest[A-Z]{4,}")


class Names(Aliases):
    def __init__(self) -> None:
        super().__init__(letters_of, LONGEST, lambda count: _counted(count, 1))

    def meant(self, text: str) -> str:
        """The name that a client means by these letters; its own text where they stand for none that it knows."""
        known = self.met(text)
        if known is not None or (guest := GUEST.fullmatch(text[:5].capitalize() + text[5:].upper())) is None:
            return text if known is None else known
        return f"guest-{_number(guest[0].removeprefix('Guest'))}"


def letters_of(name: str) -> str:
    """The letters for a name, where no other has them."""
    if (guest := _GUEST.fullmatch(name)) is not None:
        return "Guest" + _counted(int(guest[1]), 4)
    if _OWN.fullmatch(name) and not GUEST.fullmatch(name):
        return name
    plain = unicodedata.normalize("NFKD", name)
    spelt = "".join(LETTERS[int(letter)] if letter in string.digits else letter for letter in plain)
    found = re.sub("[^A-Za-z]", "", spelt)[:LONGEST]
    if len(found) >= SHORTEST and not GUEST.fullmatch(found):
        return found
    return "Player" + _counted(int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]), 4)[:8]


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
