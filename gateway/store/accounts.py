"""Registered names in a database: who owns one, with which password's hash, and who changed that when.

Not here: passwords themselves, and who may ask (gateway.accounts). A name is compared in folded form and belongs to its
account for good. Every change is an act (acts.py), noted in the same transaction. Reading and writing block.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from gateway.store import acts
from gateway.store.engine import reader_engine, writer_engine
from gateway.store.schema import accounts
from protocols.core.errors import BoardgateError


@dataclass(frozen=True, slots=True)
class Account:
    """``created_at`` and ``disabled_at`` are Unix time in seconds; the latter None while it may be used."""

    name: str
    password_hash: str
    created_at: float
    disabled_at: float | None = None


@dataclass(frozen=True, slots=True)
class AccountChange:
    """``change`` is "added", "password", "disabled" or "enabled"; ``by`` is who did it."""

    at: float
    name: str
    change: str
    by: str


class NoAccount(BoardgateError):
    """Nobody has registered this name."""


class NameOwned(BoardgateError):
    """Somebody has registered this name already."""


class Accounts(Protocol):
    """What a server and the command line need of accounts. The SQL one and the twin in memory both offer it."""

    def add(self, name: str, password_hash: str, by: str) -> None:
        """A new account. NameOwned: there is one of this name, in whatever letter case."""

    def set_password(self, name: str, password_hash: str, by: str) -> None:
        """Another password. NoAccount."""

    def set_disabled(self, name: str, disabled: bool, by: str) -> None:
        """Whether it may not be used. NoAccount."""

    def find(self, name: str) -> Account | None:
        """The account of this name in any letter case."""

    def names(self, since: float = 0.0) -> list[str]:
        """The names registered at or after this Unix time."""

    def changes(self) -> list[AccountChange]:
        """Everything that was ever done to any account, the oldest first."""

    def close(self) -> None:
        """Idempotent."""


class SqlAccounts:
    """Accounts over SQLite or PostgreSQL; several processes may use them at once."""

    def __init__(self, url: str) -> None:
        self._writing = writer_engine(url)
        self._reading = reader_engine(url)

    def add(self, name: str, password_hash: str, by: str) -> None:
        now, folded = time.time(), name.casefold()
        row = {"folded": folded, "name": name, "password_hash": password_hash, "created_at": now}
        with self._writing.begin() as connection:
            try:
                connection.execute(insert(accounts).values(**row))
            except IntegrityError:
                raise NameOwned(f"the name {name} is registered already") from None
            acts.note(connection, acts.made(now, by, "account.added", name))

    def set_password(self, name: str, password_hash: str, by: str) -> None:
        self._change(name, "account.password", by, password_hash=password_hash)

    def set_disabled(self, name: str, disabled: bool, by: str) -> None:
        changed: acts.Kind = "account.disabled" if disabled else "account.enabled"
        self._change(name, changed, by, disabled_at=time.time() if disabled else None)

    def _change(self, name: str, changed: acts.Kind, by: str, **values: str | float | None) -> None:
        """The act is about the name as it was registered, however it is written now."""
        wanted = update(accounts).where(accounts.c.folded == name.casefold()).values(**values)
        with self._writing.begin() as connection:
            registered = connection.execute(wanted.returning(accounts.c.name)).scalar()
            if registered is None:
                raise NoAccount(f"there is no account {name!r}")
            acts.note(connection, acts.made(time.time(), by, changed, registered))

    def find(self, name: str) -> Account | None:
        columns = (accounts.c.name, accounts.c.password_hash, accounts.c.created_at, accounts.c.disabled_at)
        wanted = select(*columns).where(accounts.c.folded == name.casefold())
        with self._reading.connect() as connection:
            found = connection.execute(wanted).first()
        return None if found is None else Account(*found)

    def names(self, since: float = 0.0) -> list[str]:
        wanted = select(accounts.c.name).where(accounts.c.created_at >= since).order_by(accounts.c.name)
        with self._reading.connect() as connection:
            return list(connection.execute(wanted).scalars())

    def changes(self) -> list[AccountChange]:
        found = acts.all_of(self._reading, "account")
        return [AccountChange(act.at, act.object, act.act.partition(".")[2], act.by) for act in found]

    def close(self) -> None:
        self._reading.dispose()
        self._writing.dispose()
