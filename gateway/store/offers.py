"""Offers that stand for longer than an hour: a row each, which outlives the node that holds the offer.

A node holds the rows that bear its number, and takes over those of nodes that live no more. An offer that was declined
while its maker was away is a row that no node holds: its notice is made of it. Everything here blocks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, Engine, delete, exists, insert, or_, select, update

from gateway.store.schema import lasting_offers, mail_addresses, nodes, push_subscriptions, tables, webhooks

DECLINED: Final = -1
"""The node of an offer that was declined. Its ``until`` is past: a node of the version before, which takes it over,
deletes it and shows nothing."""


class StoredOffer(NamedTuple):
    """An offer of the account ``folded`` to the account ``other``. ``body`` is all of it, in its holder's words."""

    number: int
    folded: str
    other: str
    body: bytes


class HeldOffer(NamedTuple):
    """An offer that a node holds. ``taken``: the table of its number was opened."""

    number: int
    body: bytes
    taken: bool


_TAKEN: Final = exists().where(tables.c.id == lasting_offers.c.number)


def change(connection: Connection, node: int, new: Sequence[StoredOffer], gone: Collection[int]) -> None:
    """The node holds these new ones, and those of these numbers stand no more.

    Of those that were DECLINED only such are kept whose maker is told while away.
    """
    if gone:
        connection.execute(delete(lasting_offers).where(lasting_offers.c.number.in_(gone)))
    for offer in new if node != DECLINED else [offer for offer in new if _told_away(connection, offer.folded)]:
        connection.execute(insert(lasting_offers).values(**offer._asdict(), node=node))


def _told_away(connection: Connection, folded: str) -> bool:
    mailed = exists().where(mail_addresses.c.folded == folded, mail_addresses.c.told)
    others = (exists().where(table.c.folded == folded) for table in (push_subscriptions, webhooks))
    return connection.execute(select(or_(mailed, *others))).scalar_one()


def held(reading: Engine, writing: Engine, node: int) -> list[HeldOffer]:
    """The offers that a node holds, those of nodes among them that live no more."""
    living = select(nodes.c.id).where(nodes.c.buried.is_(False))
    left = lasting_offers.c.node.not_in([node, DECLINED]) & lasting_offers.c.node.not_in(living)
    mine = lasting_offers.c.node == node
    with reading.connect() as connection:
        some = connection.execute(select(lasting_offers.c.number).where(left).limit(1)).first()
    if some is not None:
        with writing.begin() as connection:
            connection.execute(update(lasting_offers).where(left).values(node=node))
    wanted = select(lasting_offers.c.number, lasting_offers.c.body, _TAKEN).where(mine)
    with reading.connect() as connection:
        found = connection.execute(wanted.order_by(lasting_offers.c.number))
        return [HeldOffer(number, bytes(body), bool(taken)) for number, body, taken in found]


def forget(connection: Connection, folded: str) -> None:
    """An account goes: what it has offered, and what was offered to it."""
    either = (lasting_offers.c.folded == folded) | (lasting_offers.c.other == folded)
    connection.execute(delete(lasting_offers).where(either))
