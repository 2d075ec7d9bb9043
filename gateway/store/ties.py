"""Lists of an account: accounts that it follows, and those that it has blocked; a row for each, in a database.

A row belongs to the account whose list it is in. It goes with either account: a name that is gone stays taken, so no
row is ever about another person.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from sqlalchemy import Connection, Engine, Table, delete, func, insert, select, union_all

from gateway.store.schema import accounts, blocks, follows
from protocols.core.errors import BoardgateError

Tie = Literal["follows", "blocks"]

MOST_TIES: Final = 200
"""Accounts in a list of one account: an offer tells other nodes whom its maker has blocked."""

LISTS: Final[dict[Tie, Table]] = {"follows": follows, "blocks": blocks}


class Tied(NamedTuple):
    """An account in another's list, as its name is written, and since when, in Unix time."""

    name: str
    at: float


class Blocks(NamedTuple):
    """Names in folded form: ``own`` are blocked by an account, ``apart`` have blocked it or are blocked by it."""

    own: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()


class TooManyTies(BoardgateError):
    """The list holds as many accounts as it may."""


def tie(connection: Connection, kind: Tie, by: str, name: str, now: float) -> Tied | None:
    """The account ``by`` has ``name`` in its list from now on, or since before. None: one of them is no account.

    TooManyTies.
    """
    rows, folded, other = LISTS[kind], by.casefold(), name.casefold()
    written = select(accounts.c.folded, accounts.c.name).where(accounts.c.folded.in_((folded, other)))
    found: dict[str, str] = {row.folded: row.name for row in connection.execute(written)}
    if folded not in found or other not in found:
        return None
    there = select(rows.c.at).where(rows.c.folded == folded, rows.c.other == other)
    since = connection.execute(there).scalar()
    if since is not None:
        return Tied(found[other], since)
    if connection.execute(select(func.count()).where(rows.c.folded == folded)).scalar_one() >= MOST_TIES:
        raise TooManyTies(f"your list holds {MOST_TIES} names: take one out")
    connection.execute(insert(rows).values(folded=folded, other=other, at=now))
    return Tied(found[other], now)


def untie(connection: Connection, kind: Tie, by: str, name: str) -> None:
    """The account ``by`` has ``name`` in its list no more. Idempotent."""
    rows = LISTS[kind]
    mine = (rows.c.folded == by.casefold()) & (rows.c.other == name.casefold())
    connection.execute(delete(rows).where(mine))


def tied(reading: Engine, kind: Tie, by: str) -> list[Tied]:
    """The accounts in a list of ``by``, by name."""
    rows = LISTS[kind]
    wanted = select(accounts.c.name, rows.c.at).join(rows, rows.c.other == accounts.c.folded)
    with reading.connect() as connection:
        found = connection.execute(wanted.where(rows.c.folded == by.casefold()).order_by(accounts.c.folded))
        return [Tied(*row) for row in found]


def blocks_of(reading: Engine, name: str) -> Blocks:
    """The names that are apart from the account of this name, whichever of two has blocked the other."""
    folded = name.casefold()
    own = select(blocks.c.folded, blocks.c.other).where(blocks.c.folded == folded)
    others = select(blocks.c.folded, blocks.c.other).where(blocks.c.other == folded)
    with reading.connect() as connection:
        rows = [(row.folded, row.other) for row in connection.execute(union_all(own, others))]
    mine = frozenset(other for by, other in rows if by == folded)
    return Blocks(mine, mine | {by for by, other in rows if other == folded})


def forget(connection: Connection, name: str) -> None:
    """An account goes: its lists, and itself in those of others."""
    for rows in LISTS.values():
        either = (rows.c.folded == name.casefold()) | (rows.c.other == name.casefold())
        connection.execute(delete(rows).where(either))
