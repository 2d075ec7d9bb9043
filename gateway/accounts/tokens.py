"""Tokens of accounts: random secrets that stand in for a password, so that a client need not keep the password.

Not here: the host's token (token.py), how tokens are stored (gateway.store.accounts), and who may have one (logins.py).
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

PREFIX: Final = "bgt_"
"""What every token begins with, so that a secret is known for a token, by us and by programs that look for leaks."""

TOKEN_BYTES: Final = 24
"""Random bytes of a token: 192 bits."""

TOKEN_S: Final = 90 * 86_400.0
"""Seconds from its making until a token expires."""


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


def is_token(secret: str) -> bool:
    """Whether a secret has a token's form."""
    return secret.startswith(PREFIX)


def digest(token: str) -> bytes:
    """What is stored of a token. It has too many random bits for a slow hash to make a difference."""
    return sha256(token.encode()).digest()
