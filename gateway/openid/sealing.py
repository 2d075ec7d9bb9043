"""Seals what a browser keeps for us between two pages: nobody reads or changes it, and it is good for some minutes.

The key comes from the client's secret, which every node of the server has: the way back may lead to another node than
the way out. The provider knows that secret, too, and could name any person anyway.
"""

from __future__ import annotations

import base64
from typing import Final, TypeVar

import msgspec

T = TypeVar("T")

LASTS_S: Final = 600
"""Seconds that a seal is good: a person finds a password, or thinks of a name, within ten minutes."""

LONGEST: Final = 3500
"""Characters of a sealed text: browsers keep cookies of 4,096."""


class Broken(ValueError):
    """The seal is broken, too old, or somebody else's."""


class Seal:
    """The seal of one ``purpose``; with that of another it does not open."""

    def __init__(self, secret: str, purpose: str) -> None:
        from cryptography.fernet import Fernet  # for servers with a provider, as in gateway/net/tls.py
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        key = HKDF(SHA256(), 32, None, f"boardgate openid {purpose}".encode()).derive(secret.encode())
        self._fernet = Fernet(base64.urlsafe_b64encode(key))

    def close(self, content: msgspec.Struct) -> str:
        """``content``, sealed, in characters of a cookie."""
        return self._fernet.encrypt(msgspec.json.encode(content)).decode()

    def open(self, text: str, kind: type[T]) -> T:
        """The content of a seal that was closed within LASTS_S. Broken."""
        from cryptography.fernet import InvalidToken

        if len(text) > LONGEST:
            raise Broken
        try:
            return msgspec.json.decode(self._fernet.decrypt(text, LASTS_S), type=kind)
        except (InvalidToken, msgspec.DecodeError, ValueError):
            raise Broken from None
