"""The words of a login in dialects of text: ``NAME SECRET``, ``"NAME WITH BLANKS" SECRET``, or a token alone."""

from __future__ import annotations

import re
from typing import Final

from protocols.core.commands import Login

FORM: Final = 'NAME PASSWORD, "NAME WITH BLANKS" PASSWORD, or TOKEN'

_NAMED: Final = re.compile(r'(?:"([^"]+)"|([^"\s]\S*))\s+(\S.*)')


def read_login(text: str) -> Login:
    """The login that is written so. ValueError, without the text, where it is none."""
    text = text.strip()
    if text and not re.search(r"\s", text):
        return Login("", text)
    found = _NAMED.fullmatch(text)
    if found is None:
        raise ValueError(f"a login is written {FORM}")
    return Login(found[1] or found[2], found[3])
