"""Signs requests to push services with the server's own key: a browser takes messages of that key alone.

Sources: RFC 8292 (Voluntary Application Server Identification), RFC 7515 (JWS), RFC 7518, section 3.4 (ES256).
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from gateway.push.encrypted import point

LASTS_S: Final = 12 * 3600
"""Seconds that a signature is good: a service refuses more than a day, and clocks differ."""

_HEAD: Final = {"typ": "JWT", "alg": "ES256"}


class Vapid:
    """``secret`` is the private key, ``contact`` an address of the host, "mailto:..." or "https:..."."""

    def __init__(self, secret: bytes, contact: str) -> None:
        self._key = ec.derive_private_key(int.from_bytes(secret, "big"), ec.SECP256R1())
        self._contact = contact
        self.public = base64url(point(self._key.public_key()))
        """The public key, as pages hand it to their browser (applicationServerKey)."""

    def authorization(self, origin: str, now: float) -> str:
        """The header Authorization of a request to the service at ``origin``; ``now`` is Unix time."""
        claims = {"aud": origin, "exp": int(now) + LASTS_S, "sub": self._contact}
        signed = f"{_part(_HEAD)}.{_part(claims)}"
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed}.{signature}, k={self.public}"


def base64url(content: bytes) -> str:
    """Without the padding (RFC 4648, section 5)."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """The bytes of a text with or without padding. ValueError: it is no such text."""
    if not text.isascii():
        raise ValueError(f"{text[:40]!r} is no base64url")
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def _part(told: dict[str, object] | dict[str, str]) -> str:
    return base64url(json.dumps(told, separators=(",", ":")).encode())
