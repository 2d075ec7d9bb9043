"""Names of at most ten letters and digits: what lists of these clients can show. Each stands for a name of this server.

Accents and all other signs go, so "guest-12" is "guest12"; a name without letters is "p" and some of its digest. Where
two come to the same, the later one that a connection meets ends with a number.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from protocols.core.aliases import Aliases

LONGEST: Final = 10
_GUEST: Final = re.compile(r"guest([0-9]{1,5})", re.IGNORECASE)


class Names(Aliases):
    def __init__(self) -> None:
        super().__init__(spelt, LONGEST, str)

    def meant(self, text: str) -> str:
        """The name that a client means by this word; its own text where it stands for none that it knows."""
        known = self.met(text)
        if known is not None or (guest := _GUEST.fullmatch(text)) is None:
            return text if known is None else known
        return f"guest-{int(guest[1])}"


def spelt(name: str) -> str:
    """The word for a name, where no other is spelt so."""
    plain = re.sub("[^A-Za-z0-9]", "", unicodedata.normalize("NFKD", name))[:LONGEST]
    if re.search("[A-Za-z]", plain):
        return plain
    return "p" + hashlib.sha256(name.encode()).hexdigest()[: LONGEST - 1]
