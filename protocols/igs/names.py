"""Names of at most ten letters and digits: what lists of these clients can show. Each stands for a name of this server.

A name of letters and digits is its own; of "guest-12" the dash goes. Any other is what it has of letters and digits,
or "p", and four letters of its digest. So the word for a name is the same on every connection. Where two come to the
same even so, the later one that a connection meets ends with a number.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from typing import Final

from protocols.core.aliases import Aliases

LONGEST: Final = 10
DIGEST: Final = 4
"""Letters of a name's digest: one of a million is the same as another's."""
_OWN: Final = re.compile("[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*")
_NUMBERED: Final = re.compile(r"([A-Za-z]+)-([0-9]+)")
_GUEST: Final = re.compile(r"guest([0-9]{1,5})", re.IGNORECASE)


class Names(Aliases):
    def __init__(self) -> None:
        super().__init__(spelt, LONGEST, str, _told)


def _told(text: str) -> str:
    """The guest for whom such a word stands, or who is called so."""
    guest = _GUEST.fullmatch(text)
    return text if guest is None else f"guest-{int(guest[1])}"


def spelt(name: str) -> str:
    """The word for a name, where no other is spelt so."""
    if len(name) <= LONGEST and _OWN.fullmatch(name):
        return name
    if (numbered := _NUMBERED.fullmatch(name)) is not None and len(numbered[1] + numbered[2]) <= LONGEST:
        return numbered[1] + numbered[2]
    plain = re.sub("[^A-Za-z0-9]", "", unicodedata.normalize("NFKD", name))
    kept = plain[: LONGEST - DIGEST] if re.search("[A-Za-z]", plain[: LONGEST - DIGEST]) else "p"
    return kept + base64.b32encode(hashlib.sha256(name.casefold().encode()).digest()).decode()[:DIGEST].lower()
