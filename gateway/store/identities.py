"""Identities: people as an OpenID Connect provider knows them, each with the account that it logs in to.

A person is an issuer and a subject, as the provider's ID token has them. An account has at most one of an issuer.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import Column, Connection, Double, Index, PrimaryKeyConstraint, String, Table, insert, select
from sqlalchemy.exc import IntegrityError

from gateway.store.rating_schema import metadata
from protocols.core.errors import BoardgateError

NO_PASSWORD: Final = "!"
"""Stands for the hash of an account without a password: no password has it, for older servers neither."""

# No foreign key: a server of schema 0024 deletes accounts, and knows no identities. A name stays taken for good, so
# what it leaves behind opens nobody's account.
identities = Table(
    "identities",
    metadata,
    Column("issuer", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("folded", String, nullable=False),
    Column("linked_at", Double, nullable=False),
    PrimaryKeyConstraint("issuer", "subject"),
)
Index(None, identities.c.folded, identities.c.issuer, unique=True)


class Identity(NamedTuple):
    """A person at a provider."""

    issuer: str
    subject: str


class Link(NamedTuple):
    """An identity of an account, and since when, in Unix time."""

    issuer: str
    subject: str
    linked_at: float


class IdentityTaken(BoardgateError):
    """This person has an account already, or the account has another person of that provider."""


def claim(connection: Connection, name: str, identity: Identity, now: float) -> None:
    """This person logs in to the account of this name from now on. IdentityTaken: the transaction is over."""
    row = {"issuer": identity.issuer, "subject": identity.subject, "folded": name.casefold(), "linked_at": now}
    try:
        connection.execute(insert(identities).values(**row))
    except IntegrityError:
        raise IdentityTaken("this login belongs to an account already") from None


def links_of(connection: Connection, name: str) -> list[Link]:
    """The identities of the account of this name."""
    row = identities.c
    wanted = select(row.issuer, row.subject, row.linked_at).where(row.folded == name.casefold())
    return [Link(*found) for found in connection.execute(wanted.order_by(row.issuer))]
