"""Headers of pages: what a page may load, who may show it, what other sites learn of it; and how it is compressed.

Sources: Content Security Policy 3, Trusted Types, Fetch (Cross-Origin-Resource-Policy), HTML (COOP).
"""

from __future__ import annotations

import re
import zlib
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types worker",
    )
)
"""Everything from this origin, nothing inline, no text that becomes markup: players' words cannot become a script.
The one policy of Trusted Types names the service worker (static/js/register.js)."""

FRAMED: Final = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""The policy of the one sort of page that pages of other sites may show in a frame (pages/embed.py): it has nothing
that acts, so that nobody can be made to press it."""

NOSNIFF: Final = ("x-content-type-options", "nosniff")
"""The header of every answer: those of the application get it as they are sent (guard.py)."""

HSTS: Final = ("strict-transport-security", "max-age=15552000")
"""Browsers ask this host over TLS alone for half a year (RFC 6797). It counts for every port of the host, so listeners
send it only where all of them end TLS."""

ANYWHERE: Final = {"cross-origin-resource-policy": "same-origin"}
"""Headers of files and of pages."""

_NEVER: Final = re.compile(r"q=0(\.0{0,3})?")

SECURITY: Final = {
    **ANYWHERE,
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "same-origin",  # with no-referrer our own forms would send "Origin: null"
}
"""Headers of pages."""


def accepts(request: Request, header: str, wanted: str) -> bool:
    """True if a list such as Accept names ``wanted`` with a weight that is not 0 (RFC 9110, section 12.4.2)."""
    for part in request.headers.get(header, "").lower().replace(" ", "").split(","):
        name, *parameters = part.split(";")
        if name == wanted:
            return not any(_NEVER.fullmatch(parameter) for parameter in parameters)
    return False


def secured(response: Response) -> Response:
    """``response`` with the headers of pages; those that it has set itself stay."""
    for name, value in SECURITY.items():
        response.headers.setdefault(name, value)
    return response


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
