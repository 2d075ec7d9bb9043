"""Notices, and the browsers that want to be told of them while no page is open: rows of the database.

A notice is stored with the step that it is of (batch.py). ``spread`` makes of each a delivery to every browser of its
player, and to the mail address (mail.py); deliveries wait as waiting.py says. Everything here blocks.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Exists,
    Table,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.exc import IntegrityError

from gateway.store import codec
from gateway.store.mail import mail_notice
from gateway.store.offers import DECLINED
from gateway.store.schema import (
    accounts,
    events,
    guest_seats,
    lasting_offers,
    mail_deliveries,
    notices,
    push_deliveries,
    push_keys,
    push_subscriptions,
    push_tickets,
    seats,
    tickets,
    web_sessions,
    webhooks,
)
from gateway.store.waiting import Queued
from protocols.core.events import SeatTaken
from protocols.core.model import SeatKind

MOST_BROWSERS: Final = 10
"""Browsers of one account that are told. The oldest goes when one more is added."""

AT_ONCE: Final = 200
"""Notices, or deliveries, of one call: a transaction stays short."""

KEPT_S: Final = 30 * 86_400.0
"""Seconds that a notice is kept."""

CHALLENGE: Final = "offer"
"""The kind of a notice of an offer that lasts: to who may take it, or to its maker once it was declined."""

TAKER, MAKER = 0, 1
"""The seats of such notices, which have no event."""

LONE_S: Final = 86_400.0
"""Seconds that a guest's browser is kept whose tickets stand for no seat any more."""

KEY_BYTES: Final = 32
"""A private key on P-256."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser: ``endpoint`` is its address at its push service, ``key`` and ``auth`` are its keys (RFC 8291).

    ``digest`` names it. It is the account ``folded``'s, as long as ``session`` lasts; None, both: a guest's.
    """

    digest: bytes
    endpoint: str
    key: bytes
    auth: bytes
    folded: str | None
    session: bytes | None


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message that waits: the notice behind the event ``seq`` of a table, for its ``seat``; ``at`` is when that was,
    ``news`` its kind.

    ``seen``: the player has come or moved meanwhile.
    """

    subscription: Subscription
    table: int
    seat: int
    seq: int
    news: str
    at: float
    tries: int
    due_at: float
    until: float
    seen: bool

    @property
    def key(self) -> Mapping[str, object]:
        return {
            "subscription": self.subscription.digest,
            "table_id": self.table,
            "seat": self.seat,
            "seq": self.seq,
        }


_SUBSCRIPTION: Final = (
    *(push_subscriptions.c.digest, push_subscriptions.c.endpoint, push_subscriptions.c.key, push_subscriptions.c.auth),
    *(push_subscriptions.c.folded, push_subscriptions.c.session),
)
"""The columns of Subscription, in its order."""

_HOOK: Final = (
    *(webhooks.c.digest, webhooks.c.address, webhooks.c.secret, literal(b"").label("auth")),
    *(webhooks.c.folded, null().label("session")),
)
"""The same of a webhook, whose ``key`` is its secret."""


class Notices(Queued):
    """Notices and browsers over SQLite or PostgreSQL."""

    waiting = push_deliveries

    def push_key(self) -> bytes:
        """The server's private key for Web Push; all nodes of a database have the same, made by the first that asks."""
        wanted = select(push_keys.c.secret).where(push_keys.c.id == 1)
        with self._reading.connect() as connection:
            found = connection.execute(wanted).scalar()
        if found is not None:
            return bytes(found)
        secret = (1 + secrets.randbelow(_ORDER - 1)).to_bytes(KEY_BYTES, "big")
        try:
            with self._writing.begin() as connection:
                connection.execute(insert(push_keys).values(id=1, secret=secret))
        except IntegrityError:
            return self.push_key()
        return secret

    def subscribe(self, subscription: Subscription, held: Iterable[bytes], now: float) -> None:
        """Tell this browser from now on, for its account and for these tickets alone."""
        digest, folded = subscription.digest, subscription.folded
        row = {"digest": digest, "endpoint": subscription.endpoint, "key": subscription.key, "auth": subscription.auth}
        with self._writing.begin() as connection:
            _unsubscribe(connection, [digest], deliveries=False)
            if folded is not None:
                mine = select(push_subscriptions.c.digest).where(push_subscriptions.c.folded == folded)
                oldest = mine.order_by(push_subscriptions.c.created_at.desc()).offset(MOST_BROWSERS - 1)
                _unsubscribe(connection, list(connection.execute(oldest).scalars()))
            connection.execute(
                insert(push_subscriptions).values(**row, folded=folded, session=subscription.session, created_at=now)
            )
            if pairs := [{"subscription": digest, "ticket": ticket} for ticket in sorted(set(held))]:
                connection.execute(insert(push_tickets), pairs)

    def unsubscribe(self, digest: bytes) -> None:
        """Tell this browser no more. Idempotent."""
        with self._writing.begin() as connection:
            _unsubscribe(connection, [digest])

    def unsubscribe_all(self, account: str) -> None:
        """Tell no browser of this account any more."""
        mine = select(push_subscriptions.c.digest).where(push_subscriptions.c.folded == account.casefold())
        with self._writing.begin() as connection:
            _unsubscribe(connection, list(connection.execute(mine).scalars()))

    def browsers(self, account: str, now: float) -> int:
        """How many browsers of this account are told."""
        wanted = select(func.count()).select_from(push_subscriptions)
        wanted = wanted.where(push_subscriptions.c.folded == account.casefold(), _logged_in(now))
        with self._reading.connect() as connection:
            return connection.execute(wanted).scalar_one()

    def set_hook(self, account: str, address: str, secret: bytes, now: float) -> None:
        """Tell the account's program at this address from now on, and at no other. What waits for another is gone."""
        row = {"folded": account.casefold(), "digest": sha256(secret).digest(), "address": address, "secret": secret}
        with self._writing.begin() as connection:
            connection.execute(delete(webhooks).where(webhooks.c.folded == row["folded"]))
            connection.execute(insert(webhooks).values(**row, made_at=now))

    def hook(self, account: str) -> tuple[str, float] | None:
        """The address at which the account's program is told, and since when; None: it is not."""
        wanted = select(webhooks.c.address, webhooks.c.made_at).where(webhooks.c.folded == account.casefold())
        with self._reading.connect() as connection:
            found = connection.execute(wanted).first()
        return None if found is None else (found.address, found.made_at)

    def unhook(self, account: str) -> None:
        """Tell the account's program no more. Idempotent."""
        with self._writing.begin() as connection:
            connection.execute(delete(webhooks).where(webhooks.c.folded == account.casefold()))

    def spread(self, now: float, settled_s: float, held_s: float, lasts_s: dict[str, float]) -> int:
        """Make deliveries of the notices that are ``settled_s`` old; how many there were.

        A player who sits at the table sees for itself: its notice is held for ``held_s``, in which a lost connection is
        found out, and is seen then. A delivery is given up after ``lasts_s`` of its kind.
        """
        here = select(seats.c.kind).where(seats.c.table_id == notices.c.table_id, seats.c.seat == notices.c.seat)
        kind = here.scalar_subquery()
        sits = (kind == int(SeatKind.PLAYER)).label("sits")
        untold = (notices.c.told_at.is_(None)) & (notices.c.seen_at.is_(None))
        wanted = select(notices, sits).where(untold, notices.c.at <= now - settled_s)
        wanted = wanted.where(or_(kind != int(SeatKind.PLAYER), notices.c.at <= now - held_s))
        with self._reading.connect() as connection:
            found = connection.execute(wanted.order_by(notices.c.at).limit(AT_ONCE)).all()
        challenges = self._challenges(now, lasts_s)
        if not found:
            return challenges
        with self._writing.begin() as connection:
            for row in found:
                key = (notices.c.table_id == row.table_id, notices.c.seat == row.seat, notices.c.seq == row.seq)
                stands = update(notices).where(*key, untold)
                if row.sits:
                    connection.execute(stands.values(seen_at=now))
                elif connection.execute(stands.values(told_at=now)).rowcount == 1:
                    _deliver(connection, row.table_id, row.seat, row.seq, now, row.at + lasts_s[row.kind])
        return len(found) + challenges

    def _challenges(self, now: float, lasts_s: dict[str, float]) -> int:
        """Make deliveries of offers that last, to their accounts, and of declined ones to their makers; how many.

        They count as told at once: a server of the schema before knows no such kind, and sends none.
        """
        of, declined = lasting_offers.c, lasting_offers.c.node == DECLINED
        seat = case((declined, MAKER), else_=TAKER)
        known = exists().where(notices.c.table_id == of.number, notices.c.seat == seat, notices.c.seq == 0)
        whose = case((declined, of.folded), else_=of.other)
        wanted = select(of.number, seat.label("seat"), whose.label("folded")).where(~known).limit(AT_ONCE)
        with self._reading.connect() as connection:
            found = connection.execute(wanted).all()
        for row in found:
            place, until = {"table_id": row.number, "seat": row.seat, "seq": 0}, now + lasts_s[CHALLENGE]
            try:
                with self._writing.begin() as connection:
                    connection.execute(insert(notices).values(**place, kind=CHALLENGE, at=now, told_at=now))
                    mail_notice(connection, [row.folded], row.number, row.seat, 0, now, until)
                    mine = select(push_subscriptions.c.digest).where(push_subscriptions.c.folded == row.folded)
                    hooks = select(webhooks.c.digest).where(webhooks.c.folded == row.folded)
                    told = [*connection.execute(mine.where(_logged_in(now))).scalars()]
                    _wait(connection, [*told, *connection.execute(hooks).scalars()], place, now, until)
            except IntegrityError:
                continue  # another way has found it first
        return len(found)

    def challenge(self, number: int, seat: int = TAKER) -> bytes | None:
        """The body of an offer that lasts, for its taker while it stands, for its maker once it was declined; None."""
        declined = lasting_offers.c.node == DECLINED
        wanted = select(lasting_offers.c.body).where(lasting_offers.c.number == number)
        wanted = wanted.where(declined if seat == MAKER else ~declined)
        with self._reading.connect() as connection:
            found = connection.execute(wanted).scalar()
        return None if found is None else bytes(found)

    def due(self, now: float) -> list[Delivery]:
        """The deliveries to browsers to try now, those that have waited longest first."""
        return self._due(now, push_subscriptions, _SUBSCRIPTION)

    def due_hooks(self, now: float) -> list[Delivery]:
        """The same to programs, by their webhooks."""
        return self._due(now, webhooks, _HOOK)

    def _due(self, now: float, to: Table, about: Sequence[Any]) -> list[Delivery]:
        same = (notices.c.table_id == push_deliveries.c.table_id) & (notices.c.seat == push_deliveries.c.seat)
        joined = push_deliveries.join(to, to.c.digest == push_deliveries.c.subscription)
        joined = joined.join(notices, same & (notices.c.seq == push_deliveries.c.seq))
        columns = (notices.c.table_id, notices.c.seat, notices.c.seq, notices.c.kind, notices.c.at)
        times = (push_deliveries.c.tries, push_deliveries.c.due_at, push_deliveries.c.until, notices.c.seen_at)
        wanted = select(*about, *columns, *times).select_from(joined).where(push_deliveries.c.due_at <= now)
        with self._reading.connect() as connection:
            rows = connection.execute(wanted.order_by(push_deliveries.c.due_at).limit(AT_ONCE)).all()
        return [_delivery(*row) for row in rows]

    def tidy(self, now: float) -> None:
        """Delete old notices, browsers that have logged out, guests' browsers without a seat."""
        seated = select(push_tickets.c.subscription).join(tickets, tickets.c.digest == push_tickets.c.ticket)
        lone = push_subscriptions.c.folded.is_(None) & (push_subscriptions.c.created_at <= now - LONE_S)
        gone = lone & push_subscriptions.c.digest.not_in(seated)
        gone |= push_subscriptions.c.folded.is_not(None) & ~_logged_in(now)
        old = notices.c.at <= now - KEPT_S
        told = select(notices.c.table_id).where(notices.c.kind == CHALLENGE, notices.c.seat == MAKER, old)
        words = (lasting_offers.c.node == DECLINED) & lasting_offers.c.number.in_(told)
        with self._writing.begin() as connection:
            connection.execute(delete(lasting_offers).where(words))
            connection.execute(delete(notices).where(old))
            connection.execute(delete(push_subscriptions).where(gone))
            self.give_up(connection, now)
            connection.execute(delete(mail_deliveries).where(mail_deliveries.c.until <= now))  # nobody may send mail
            known = union_all(select(push_subscriptions.c.digest), select(webhooks.c.digest))
            for belonging in (push_tickets, push_deliveries):
                connection.execute(delete(belonging).where(belonging.c.subscription.not_in(known)))


_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of P-256's base point (FIPS 186-4, D.1.2.3)."""


def _delivery(
    digest: bytes,
    endpoint: str,
    key: bytes,
    auth: bytes,
    folded: str | None,
    session: bytes | None,
    *rest: Any,
) -> Delivery:
    table, seat, seq, news, at, tries, due_at, until, seen_at = rest
    to = Subscription(bytes(digest), endpoint, bytes(key), bytes(auth), folded, session)
    return Delivery(to, table, seat, seq, news, at, tries, due_at, until, seen_at is not None)


def _logged_in(now: float) -> Exists:
    """The browser's session, or one that took its place, lasts."""
    same = (web_sessions.c.digest == push_subscriptions.c.session) & (web_sessions.c.kind == "account")
    return exists().where(same, web_sessions.c.folded == push_subscriptions.c.folded, web_sessions.c.expires_at > now)


def _unsubscribe(connection: Connection, digests: Sequence[bytes], *, deliveries: bool = True) -> None:
    connection.execute(delete(push_subscriptions).where(push_subscriptions.c.digest.in_(digests)))
    for belonging in (push_tickets, push_deliveries) if deliveries else (push_tickets,):
        connection.execute(delete(belonging).where(belonging.c.subscription.in_(digests)))


def _deliver(connection: Connection, table: int, seat: int, seq: int, now: float, until: float) -> None:
    """One delivery to each browser of the seat's player, to its program and its mail address; older ones go."""
    held = (tickets.c.table_id == table) & (tickets.c.seat == seat)
    by_ticket = select(push_tickets.c.subscription).join(tickets, tickets.c.digest == push_tickets.c.ticket).where(held)
    kept = select(guest_seats.c.folded).join(
        tickets, (tickets.c.table_id == guest_seats.c.table_id) & (tickets.c.digest == guest_seats.c.digest)
    )
    folded = _account_at(connection, table, seat)
    keepers = connection.execute(kept.where(held)).scalars()
    mail_notice(connection, {*keepers, *([folded] if folded else [])}, table, seat, seq, now, until)
    mine = push_subscriptions.c.digest.in_(by_ticket) | (push_subscriptions.c.folded == (folded or ""))
    mine |= push_subscriptions.c.folded.in_(kept.where(held))
    wanted = select(push_subscriptions.c.digest).where(mine, push_subscriptions.c.folded.is_(None) | _logged_in(now))
    programs = webhooks.c.folded.in_(kept.where(held)) | (webhooks.c.folded == (folded or ""))
    hooks = select(webhooks.c.digest).where(programs)
    browsers = [*connection.execute(wanted).scalars(), *connection.execute(hooks).scalars()]
    _wait(connection, browsers, {"table_id": table, "seat": seat, "seq": seq}, now, until)


def _wait(connection: Connection, browsers: Sequence[bytes], of: Mapping[str, int], now: float, until: float) -> None:
    """One delivery to each of these browsers and programs; older ones of the same seat go."""
    if not browsers:
        return
    same = (push_deliveries.c.table_id == of["table_id"]) & (push_deliveries.c.seat == of["seat"])
    connection.execute(delete(push_deliveries).where(same, push_deliveries.c.subscription.in_(browsers)))
    rows = [{"subscription": each, **of, "tries": 0, "due_at": now, "until": until} for each in browsers]
    connection.execute(insert(push_deliveries), rows)


def _account_at(connection: Connection, table: int, seat: int) -> str | None:
    """The account whose seat this is; None: a guest's, also of one who sat there before the account was made."""
    named = select(seats.c.name).where(seats.c.table_id == table, seats.c.seat == seat)
    folded = (connection.execute(named).scalar() or "").casefold()
    since = connection.execute(select(accounts.c.created_at).where(accounts.c.folded == folded)).scalar()
    if since is None:
        return None
    sat = select(events.c.kind, events.c.body).where(events.c.table_id == table, events.c.at >= since)
    sat = sat.where(events.c.kind == SeatTaken.__name__)
    taken = (codec.decode(row.kind, row.body) for row in connection.execute(sat))
    return folded if any(isinstance(event, SeatTaken) and event.name.casefold() == folded for event in taken) else None
