"""Tokens: random secrets that stand in for an account's password, and the admin token of the settings."""

from __future__ import annotations

import hmac
import secrets
import string
from hashlib import sha256
from typing import Final

import structlog

from gateway.config import BadSetting, Config
from gateway.config.model import Registering
from gateway.config.values import first_line

PREFIX: Final = "bgt_"
"""The first characters of every token: programs that look for leaked secrets know it by them."""

CHARACTERS: Final = string.ascii_letters + string.digits
"""The characters of a token behind PREFIX: every program that takes tokens of the lichess API takes these."""

TOKEN_LENGTH: Final = 32
"""Random characters of a token: 190 bits."""

TOKEN_BYTES: Final = 24
"""Random bytes of a link's code: 192 bits."""

SHORTEST: Final = 22
"""Characters of the admin token: 128 random bits in base64."""


_log = structlog.get_logger()


def new_token() -> str:
    return PREFIX + "".join(secrets.choice(CHARACTERS) for _ in range(TOKEN_LENGTH))


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
        self._secret = _secret(settings)

    def reread(self, config: Config) -> None:
        """Have the secret of these settings, read anew; the one before fits no more.

        It stays where the new one, which was good a moment ago, is no good any more.
        """
        try:
            self._secret = _secret(config.registration)
        except BadSetting as error:
            _log.warning("the admin token was not read anew", error=str(error))

    @property
    def given(self) -> bool:
        """True if the settings have one."""
        return bool(self._secret)

    def fits(self, text: str) -> bool:
        return bool(self._secret) and hmac.compare_digest(self._secret, text.encode())


def _secret(settings: Registering) -> bytes:
    """The secret, b"" where there is none. BadSetting: as by AdminToken."""
    secret, file = settings.admin_token, settings.admin_token_file
    if file and not secret:
        secret = first_line(file, "[registration] admin_token_file")
    if (secret or file) and len(secret) < SHORTEST:
        raise BadSetting(f"[registration] the admin token has {len(secret)} characters; at least {SHORTEST}")
    if settings.who == "admin" and not secret:
        raise BadSetting('[registration] who = "admin" needs admin_token_file or admin_token')
    return secret.encode()
