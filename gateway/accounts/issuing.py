"""Issues tokens: each has a name or is a login's, is good for its scopes, and ends on a day or when it is ended."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final

from gateway.accounts.tokens import digest, new_token
from gateway.store.accounts import Accounts
from gateway.store.tokens import ALL, FOREVER, SCOPES, Token
from protocols.core.errors import Refused, Why

LOGIN_S: Final = 90 * 86_400.0
"""Seconds from its making until a login's token expires."""

LONGEST_LABEL: Final = 40
"""Characters of a token's name: a line of a list."""


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
