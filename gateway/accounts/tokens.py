"""Tokens: random secrets that stand in for an account's password, and the admin token of the settings."""

from __future__ import annotations

import hmac
import secrets
import string
import time
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import Final

from gateway.config import BadSetting
from gateway.config.model import Registering
from gateway.config.values import first_line
from gateway.store.accounts import Accounts
from gateway.store.tokens import ALL, FOREVER, SCOPES, Token
from protocols.core.errors import Refused, Why

PREFIX: Final = "bgt_"
"""The first characters of every token: programs that look for leaked secrets know it by them."""

CHARACTERS: Final = string.ascii_letters + string.digits
"""The characters of a token behind PREFIX: every program that takes tokens of the lichess API takes these."""

TOKEN_LENGTH: Final = 32
"""Random characters of a token: 190 bits."""

TOKEN_BYTES: Final = 24
"""Random bytes of a link's code: 192 bits."""

LOGIN_S: Final = 90 * 86_400.0
"""Seconds from its making until a login's token expires."""

LONGEST_LABEL: Final = 40
"""Characters of a token's name: a line of a list."""

SHORTEST: Final = 22
"""Characters of the admin token: 128 random bits in base64."""


def new_token() -> str:
    return PREFIX + "".join(secrets.choice(CHARACTERS) for _ in range(TOKEN_LENGTH))


def issue(
    accounts: Accounts, account: str, by: str, label: str = "", scopes: Iterable[str] = (ALL,), until: str = ""
) -> tuple[str, Token]:
    """A new token of an account, and what is kept of it. Blocks.

    Without a ``label`` it is a login's, and lasts LOGIN_S. With one it lasts until it is ended, or through the day
    ``until``, as 2027-06-30 in UTC. Refused (BAD_OPTION): label, scopes or day are none. NoAccount; TokenNamed;
    TooManyTokens.
    """
    token, now = new_token(), time.time()
    ends = _end(until, now) if until else FOREVER if label else now + LOGIN_S
    made = Token(digest(token), account, now, ends, _label(label), _scopes(scopes))
    accounts.add_token(made, by)
    return token, made


def _label(text: str) -> str:
    label = " ".join(text.split())
    if len(label) > LONGEST_LABEL or not label.isprintable() or bool(text) != bool(label):
        raise Refused(Why.BAD_OPTION, f"a token's name has 1 to {LONGEST_LABEL} characters that can be printed")
    return label


def _scopes(scopes: Iterable[str]) -> frozenset[str]:
    wanted = frozenset(scopes)
    if not wanted or not wanted <= set(SCOPES):
        odd = ", ".join(sorted(wanted - set(SCOPES))) or "nothing"
        raise Refused(Why.BAD_OPTION, f"a token may be good for {', '.join(SCOPES)}, not for {odd}")
    return frozenset({ALL}) if ALL in wanted else wanted


def _end(day: str, now: float) -> float:
    """The end of a day, in Unix time."""
    try:
        end = datetime.combine(date.fromisoformat(day) + timedelta(days=1), datetime.min.time(), UTC).timestamp()
    except (ValueError, OverflowError):
        raise Refused(Why.BAD_OPTION, f"{day[:40]!r} is no day: write it as 2027-06-30") from None
    if not now < end < FOREVER:
        raise Refused(Why.BAD_OPTION, f"a token may last until a day to come, not until {day}")
    return end


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
