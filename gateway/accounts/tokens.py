"""Tokens: random secrets that stand in for an account's password, and the admin token of the settings."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from typing import Final

from gateway.config import BadSetting
from gateway.config.model import Registering
from gateway.config.values import first_line

PREFIX: Final = "bgt_"
"""The first characters of every token: programs that look for leaked secrets know it by them."""

TOKEN_BYTES: Final = 24
"""Random bytes of a token: 192 bits."""

TOKEN_S: Final = 90 * 86_400.0
"""Seconds from its making until a token expires."""

SHORTEST: Final = 22
"""Characters of the admin token: 128 random bits in base64."""


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


def is_token(secret: str) -> bool:
    """True if a secret has a token's form."""
    return secret.startswith(PREFIX)


def digest(token: str) -> bytes:
    """The stored form of a token. It has too many random bits for a slow hash to make a difference."""
    return sha256(token.encode()).digest()


class AdminToken:
    """The host's secret for the API, compared in constant time; without one in the settings nothing fits."""

    def __init__(self, settings: Registering) -> None:
        """BadSetting: the file cannot be read, or the secret is too short to be one."""
        secret, file = settings.admin_token, settings.admin_token_file
        if file and not secret:
            secret = first_line(file, "[registration] admin_token_file")
        if (secret or file) and len(secret) < SHORTEST:
            raise BadSetting(f"[registration] the admin token has {len(secret)} characters; at least {SHORTEST}")
        if settings.who == "admin" and not secret:
            raise BadSetting('[registration] who = "admin" needs admin_token_file or admin_token')
        self._secret = secret.encode()

    @property
    def given(self) -> bool:
        """True if the settings have one."""
        return bool(self._secret)

    def fits(self, text: str) -> bool:
        return bool(self._secret) and hmac.compare_digest(self._secret, text.encode())
