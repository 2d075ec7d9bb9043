"""Finds the account of a person whom an OpenID Connect provider knows, and links and parts the two. Blocks."""

from __future__ import annotations

from sqlalchemy import delete, select

from gateway.store import acts
from gateway.store.accounts import Account, NoAccount
from gateway.store.engine import ReadsAndWrites
from gateway.store.identities import NO_PASSWORD, Identity, Link, claim, identities, links_of
from gateway.store.schema import accounts
from protocols.core.errors import BoardgateError


class OnlyWay(BoardgateError):
    """The account has no password: without this link nobody could log in."""


class Linking(ReadsAndWrites):
    """Identities over SQLite or PostgreSQL. Names are accounts', in any letter case."""

    def account(self, identity: Identity) -> Account | None:
        """The account that this person logs in to, disabled or not; None: there is none."""
        row = accounts.c
        wanted = select(row.name, row.password_hash, row.created_at, row.disabled_at, row.bot_since)
        wanted = wanted.join(identities, identities.c.folded == row.folded)
        same = (identities.c.issuer == identity.issuer) & (identities.c.subject == identity.subject)
        with self._reading.connect() as connection:
            found = connection.execute(wanted.where(same)).first()
        return None if found is None else Account(*found)

    def links(self, name: str) -> list[Link]:
        """The identities of an account, by issuer."""
        with self._reading.connect() as connection:
            return links_of(connection, name)

    def link(self, name: str, identity: Identity, by: str, now: float) -> None:
        """This person logs in to the account from now on. NoAccount; IdentityTaken. Idempotent."""
        with self._writing.begin() as connection:
            registered = connection.execute(
                select(accounts.c.name).where(accounts.c.folded == name.casefold())
            ).scalar()
            if registered is None:
                raise NoAccount(f"there is no account {name!r}")
            if any((each.issuer, each.subject) == identity for each in links_of(connection, name)):
                return
            claim(connection, name, identity, now)
            acts.note(connection, acts.made(now, by, "account.linked", registered, issuer=identity.issuer))

    def part(self, name: str, issuer: str, by: str, now: float) -> None:
        """The account's person of this issuer logs in to it no more. OnlyWay: it has no password. Idempotent."""
        row = accounts.c
        with self._writing.begin() as connection:
            mine = (identities.c.folded == name.casefold()) & (identities.c.issuer == issuer)
            gone = connection.execute(delete(identities).where(mine)).rowcount
            wanted = select(row.name, row.password_hash).where(row.folded == name.casefold())
            found = connection.execute(wanted).first()
            if not gone or found is None:
                return
            if found.password_hash == NO_PASSWORD:
                raise OnlyWay("this is the only way in to your account: give it a password first")
            acts.note(connection, acts.made(now, by, "account.unlinked", found.name, issuer=issuer))
