"""Compresses answers by gzip for those who can unpack it: pages, their files, descriptions of boards."""

from __future__ import annotations

import gzip
from typing import Final

from starlette.requests import Request

WORTH_COMPRESSING: Final = 400
"""Bytes: a shorter file fits one packet as it is."""


def accepts_gzip(request: Request) -> bool:
    """True if the browser can unpack gzip."""
    offers = request.headers.get("accept-encoding", "").lower().replace(" ", "").split(",")
    return any(offer.partition(";")[0] == "gzip" and not offer.endswith(";q=0") for offer in offers)


def packed(content: bytes, level: int = 9) -> bytes | None:
    """``content`` compressed by gzip; None where that gains nothing."""
    if len(content) < WORTH_COMPRESSING:
        return None
    found = gzip.compress(content, level, mtime=0)
    return found if len(found) < len(content) else None
