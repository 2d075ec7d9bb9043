"""Sets the security headers of pages: what a page may load, who may show it, and what other sites learn of it.

Sources: Content Security Policy 3, Trusted Types, Fetch (Cross-Origin-Resource-Policy), HTML (COOP).
"""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Everything from this origin, nothing inline, no text that becomes markup: players' words cannot become a script."""

ANYWHERE: Final = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
}
"""Headers of files and of pages."""

SECURITY: Final = {
    **ANYWHERE,
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "same-origin",  # with no-referrer our own forms would send "Origin: null"
}
"""Headers of pages."""


def secured(response: Response) -> Response:
    """``response`` with the headers of pages; those that it has set itself stay."""
    for name, value in SECURITY.items():
        response.headers.setdefault(name, value)
    return response
