"""Tokens of accounts in a database: secrets that stand in for the password, each known by its SHA-256 alone.

One table has them all. A token with a name is made for a program and lasts until its owner ends it, or until a day; one
without is made by a login of our own clients, and ends with the password.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine, delete, insert, select, update

from gateway.store.schema import account_tokens, accounts
from protocols.core.errors import BoardgateError

ALL: Final = "all"

PLAY: Final = ("bot:play", "board:play")

SCOPES: Final = {
    ALL: "whatever the account may do",
    "bot:play": "log in and play, as a program",
    "board:play": "log in and play, for a person",
    "challenge:read": "see the offers to the account",
    "challenge:write": "make offers, take them, and decline them",
}
"""The uses of a token, in words of the lichess API, and ``ALL``."""

FOREVER: Final = 253_370_764_800.0
"""The end of a token that lasts until it is ended, in Unix time: the year 9999, which every database and page takes."""

MOST_LOGINS: Final = 20
"""Tokens without a name of one account: one for each of a person's machines. The oldest ends when one more is added."""

MOST_NAMED: Final = 20
"""Tokens with names of one account; one more is refused, for each is some program's."""


@dataclass(frozen=True, slots=True)
class Token:
    """A stored token: its SHA-256, the account's name, and the time from when to when it is good, in Unix time.

    ``label`` is what its owner calls it, "" of a login's. ``used_at`` is when it was last good for something, exact to
    a day; None before. ``bot``: the account is a program's, as was read with the token.
    """

    digest: bytes
    name: str
    created_at: float
    expires_at: float
    label: str = ""
    scopes: frozenset[str] = frozenset({ALL})
    used_at: float | None = None
    bot: bool = False

    @property
    def id(self) -> str:
        """The name by which its owner ends it, and which opens nothing: the first of its digest's digits."""
        return self.digest.hex()[:16]

    @property
    def lasting(self) -> bool:
        """True if it is good until it is ended."""
        return self.expires_at >= FOREVER

    def may(self, *scopes: str) -> bool:
        """True if it is good for one of these."""
        return ALL in self.scopes or not self.scopes.isdisjoint(scopes)


class NoToken(BoardgateError):
    """The account has no such token."""


class TokenNamed(BoardgateError):
    """The account has a token of this name already."""


class TooManyTokens(BoardgateError):
    """The account has as many tokens as it may have."""


_row = account_tokens.c
_COLUMNS: Final = (_row.digest, _row.created_at, _row.expires_at, _row.label, _row.scopes, _row.used_at)


def tokens_of(engine: Engine, name: str, now: float) -> list[Token]:
    """The tokens of an account that have not expired, the newest first."""
    lasting = select(*_COLUMNS).where(_row.folded == name.casefold(), _row.expires_at > now)
    with engine.connect() as connection:
        found = connection.execute(lasting.order_by(_row.created_at.desc(), _row.digest)).all()
    return [_token(name, *row) for row in found]


def token_of(engine: Engine, digest: bytes, now: float) -> Token | None:
    """A token that has not expired, under its account's name as it was registered; None for any other digest, and
    where the account is disabled."""
    joined = account_tokens.join(accounts, accounts.c.folded == _row.folded)
    columns = accounts.c.name, *_COLUMNS, accounts.c.bot_since.is_not(None)
    good = _row.digest == digest, _row.expires_at > now, accounts.c.disabled_at.is_(None)
    with engine.connect() as connection:
        found = connection.execute(select(*columns).select_from(joined).where(*good)).first()
    return None if found is None else _token(*found)


def add(connection: Connection, token: Token) -> None:
    """One more token of an account that is there; those that have expired by its ``created_at`` go.

    TokenNamed; TooManyTokens. A token without a name ends the oldest such one beyond MOST_LOGINS.
    """
    mine = _row.folded == token.name.casefold()
    connection.execute(delete(account_tokens).where(mine, _row.expires_at <= token.created_at))
    if token.label:
        labels = set(connection.execute(select(_row.label).where(mine, _row.label.is_not(None))).scalars())
        refuse(labels, token)
    else:
        newest = select(_row.digest).where(mine, _row.label.is_(None)).order_by(_row.created_at.desc())
        kept = list(connection.execute(newest.limit(MOST_LOGINS - 1)).scalars())
        connection.execute(delete(account_tokens).where(mine, _row.label.is_(None), _row.digest.not_in(kept)))
    row = {"digest": token.digest, "folded": token.name.casefold(), "created_at": token.created_at}
    row |= {"expires_at": token.expires_at, "label": token.label or None, "scopes": " ".join(sorted(token.scopes))}
    connection.execute(insert(account_tokens).values(**row))


def refuse(labels: Iterable[str], token: Token) -> None:
    """Raise TokenNamed or TooManyTokens where the account has tokens of these names, and this one has a name."""
    known = {label.casefold() for label in labels}
    if token.label.casefold() in known:
        raise TokenNamed(
            f"{token.name} has a token called {token.label!r} already: choose another name, or end that one"
        )
    if len(known) >= MOST_NAMED:
        raise TooManyTokens(f"{token.name} has {MOST_NAMED} tokens: end one first")


def used(connection: Connection, digest: bytes, now: float) -> None:
    """Write down that a token was good for something."""
    connection.execute(update(account_tokens).where(_row.digest == digest).values(used_at=now))


def end(connection: Connection, digest: bytes) -> tuple[str, str] | None:
    """Take a token out: its account's name in folded form, and its own name; None where there was none."""
    gone = connection.execute(delete(account_tokens).where(_row.digest == digest).returning(_row.folded, _row.label))
    found = gone.first()
    return None if found is None else (found.folded, found.label or "")


def _token(
    name: str,
    digest: bytes,
    created_at: float,
    expires_at: float,
    label: str | None,
    scopes: str,
    used_at: float | None,
    bot: bool = False,
) -> Token:
    return Token(digest, name, created_at, expires_at, label or "", frozenset(scopes.split()), used_at, bool(bot))
