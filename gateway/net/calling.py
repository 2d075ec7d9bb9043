"""Calls to a server: whose certificates are trusted, and in words why none answers. The standard library only.

A server's certificate must be signed by an authority that this system trusts, or by the one authority that is given
instead, and be for the name the user typed. There is no way to switch that off.
"""

from __future__ import annotations

import ssl
from typing import Final

START_ONE: Final = "boardgate serve, or make serve, starts one"
"""Advice to a user whom no server answers."""

NOT_TLS: Final = (
    "WRONG_VERSION_NUMBER",
    "RECORD_LAYER_FAILURE",
    "UNEXPECTED_MESSAGE",
    "HTTP_REQUEST",
    "UNKNOWN_PROTOCOL",
)
"""OpenSSL's names for an answer that is none of TLS."""


class NoTls(OSError):
    """The answering host cannot be trusted; the text says why."""


def context(ca: str = "") -> ssl.SSLContext:
    """Trusts the authorities in the file ``ca`` (PEM), or those of the system. ValueError: there are none in it."""
    try:
        made = ssl.create_default_context(cafile=ca or None)
    except (ssl.SSLError, OSError) as error:
        why = "no certificate in it" if isinstance(error, ssl.SSLError) else error.strerror
        raise ValueError(f"{ca}: {why}") from None
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    return made


def why_not(error: BaseException | None) -> str:
    """The failure of a handshake, in words for the user."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate is not trusted: {_lowered(error.verify_message)}"
    if isinstance(error, ssl.SSLError) and error.reason in NOT_TLS:
        return "what answers there does not speak TLS"
    if isinstance(error, ssl.SSLError) and error.reason:
        return f"no TLS: {error.reason.lower().replace('_', ' ')}"
    return "what answers there hung up before TLS began"


def because(error: BaseException) -> str:
    """For the end of a sentence that says who cannot be reached: the reason, where it is more than that."""
    return f": {error}" if isinstance(error, NoTls) else ""


def _lowered(text: str) -> str:
    """A sentence of OpenSSL as the rest of one of ours; "IP address" stays as it is."""
    return (text if text[:2].isupper() else text[:1].lower() + text[1:]).rstrip(".")
