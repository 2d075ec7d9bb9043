"""Compresses answers by gzip for those who can unpack it: pages, their files, descriptions of boards."""

from __future__ import annotations

import zlib
from typing import Final

from starlette.requests import Request

from gateway.web.headers import accepts

WORTH_COMPRESSING: Final = 400
"""Bytes: a shorter file fits one packet as it is."""

GZIP: Final = zlib.MAX_WBITS + 16
"""The largest window, with gzip's header and checksum (zlib's manual, deflateInit2)."""

MEMORY: Final = 9
"""zlib's most for its inner state: symbols are counted over longer blocks, some tenths of a percent less to load."""


def accepts_gzip(request: Request) -> bool:
    """True if the browser can unpack gzip."""
    return accepts(request, "accept-encoding", "gzip")


def packed(content: bytes, level: int = 9) -> bytes | None:
    """``content`` compressed by gzip; None where that gains nothing."""
    if len(content) < WORTH_COMPRESSING:
        return None
    squeezer = zlib.compressobj(level, zlib.DEFLATED, GZIP, MEMORY)
    found = squeezer.compress(content) + squeezer.flush()
    return found if len(found) < len(content) else None
