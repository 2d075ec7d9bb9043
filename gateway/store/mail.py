"""Mail addresses of accounts, and the messages that wait for the mail server: rows of the database.

An address counts once its owner has shown the code that was sent there. The database has that code's SHA-256, and no
message: what is written in one, codes too, is made when it is sent. Everything here blocks.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from gateway.store.accounts import NoAccount, NoLink
from gateway.store.schema import accounts, mail_addresses, mail_deliveries, notices
from gateway.store.waiting import Queued

Kind = Literal["confirm", "asked", "password", "notice"]
"""Kinds of message: a code for an address; what was typed for a new password, and then each account that is meant; a
notice."""

HOST: Final = ""
"""The name under which messages to the host wait (reports.py): no account's."""

OFF_BYTES: Final = 16
"""Random bytes of the code in the link that ends notices."""

ONE_ADDRESS: Final = 5
"""Accounts with one address that get links when it is typed: a family's."""

AT_ONCE: Final = 50
"""Messages of one call."""


@dataclass(frozen=True, slots=True)
class MailAddress:
    """The addresses of an account: ``address`` is confirmed, ``wanted`` is not yet; "" none. ``told``: notices go to
    ``address``."""

    address: str = ""
    wanted: str = ""
    told: bool = False


@dataclass(frozen=True, slots=True)
class Letter:
    """A message that waits. ``address`` is where it goes, "" nowhere any more; ``name`` the account's as registered.

    Of a notice, about the event ``seq``: ``news`` is its kind and ``at`` when that was, ``off`` ends notices; ``seen``:
    the player has come or moved meanwhile.
    """

    kind: Kind
    folded: str
    name: str
    address: str
    table: int
    seat: int
    seq: int
    made_at: float
    tries: int
    due_at: float
    until: float
    news: str
    at: float
    off: bytes
    seen: bool

    @property
    def key(self) -> Mapping[str, object]:
        of_seat = {"table_id": self.table, "seat": self.seat, "seq": self.seq}
        return {"folded": self.folded, "kind": self.kind, "made_at": self.made_at, **of_seat}


class Letters(Queued):
    """Addresses and messages over SQLite or PostgreSQL. Names are accounts', in any letter case."""

    waiting = mail_deliveries

    def address(self, name: str, now: float) -> MailAddress:
        """The addresses of this account."""
        wanted = select(mail_addresses).where(mail_addresses.c.folded == name.casefold())
        with self._reading.connect() as connection:
            found = connection.execute(wanted).first()
        if found is None:
            return MailAddress()
        wanted_now = found.wanted or "" if (found.wanted_until or 0.0) > now else ""
        return MailAddress(found.address or "", wanted_now, bool(found.told and found.address))

    def want(self, name: str, address: str, now: float, until: float) -> None:
        """The account wants this address: a code goes there, good until then. What is confirmed stays until it is
        shown. NoAccount."""
        folded = name.casefold()
        values = {"wanted": address, "wanted_until": until, "code": None}
        with self._writing.begin() as connection:
            if connection.execute(select(accounts.c.folded).where(accounts.c.folded == folded)).first() is None:
                raise NoAccount(f"there is no account {name!r}")
            changed = update(mail_addresses).where(mail_addresses.c.folded == folded).values(**values)
            if connection.execute(changed).rowcount == 0:
                row = {"folded": folded, "told": False, "off": secrets.token_bytes(OFF_BYTES), **values}
                connection.execute(insert(mail_addresses).values(**row))
            _forget(connection, folded, "confirm")
            _wait(connection, folded, "confirm", now, until)

    def code_sent(self, letter: Letter, digest: bytes, now: float) -> bool:
        """The code with this SHA-256 is on its way to the letter's address; an older one ends. False: the account wants
        another address by now, or none."""
        wanted = update(mail_addresses).where(mail_addresses.c.folded == letter.folded)
        wanted = wanted.where(mail_addresses.c.wanted == letter.address, mail_addresses.c.wanted_until > now)
        with self._writing.begin() as connection:
            return connection.execute(wanted.values(code=digest)).rowcount == 1

    def confirm(self, digest: bytes, now: float) -> str:
        """The address that this code was sent to is its account's; the code is used up. The account's folded name.

        NoLink: there is no such code, or it was good until earlier.
        """
        good = (mail_addresses.c.code == digest) & (mail_addresses.c.wanted_until > now)
        values = {"address": mail_addresses.c.wanted, "wanted": None, "wanted_until": None, "code": None}
        with self._writing.begin() as connection:
            changed = update(mail_addresses).where(good).values(**values, off=secrets.token_bytes(OFF_BYTES))
            folded = connection.execute(changed.returning(mail_addresses.c.folded)).scalar()
            if folded is None:
                raise NoLink("this link is unknown here, was used already, or has expired")
            _forget(connection, folded, "confirm")
        return str(folded)

    def remove(self, name: str) -> None:
        """The account has no address any more, and what waits for it is not sent. Idempotent."""
        with self._writing.begin() as connection:
            for table in (mail_addresses, mail_deliveries):
                connection.execute(delete(table).where(table.c.folded == name.casefold()))

    def tell(self, name: str, *, on: bool) -> None:
        """Notices go to this account's address from now on, or no more."""
        with self._writing.begin() as connection:
            _tell(connection, mail_addresses.c.folded == name.casefold(), on=on)

    def tell_no_more(self, off: bytes) -> bool:
        """No notices go any more to the address whose messages have this code. False: there is none. Idempotent."""
        with self._writing.begin() as connection:
            return _tell(connection, mail_addresses.c.off == off, on=False)

    def ask(self, typed: str, now: float, until: float) -> None:
        """A person has typed this, the name or the address of an account, for a new password.

        The same is done whether there is an account or not, so that the time it takes tells nothing.
        """
        try:
            with self._writing.begin() as connection:
                _wait(connection, typed.casefold(), "asked", now, until)
        except IntegrityError:
            pass  # it waits already

    def meant(self, letter: Letter, now: float) -> None:
        """Make a message of what a person has typed for each account that it means."""
        ours = or_(mail_addresses.c.folded == letter.folded, mail_addresses.c.address == letter.folded)
        wanted = select(mail_addresses.c.folded).where(ours, mail_addresses.c.address.is_not(None)).limit(ONE_ADDRESS)
        with self._writing.begin() as connection:
            for folded in list(connection.execute(wanted).scalars()):
                _forget(connection, folded, "password")
                _wait(connection, folded, "password", now, letter.until)

    def due(self, now: float) -> list[Letter]:
        """The messages to try now, those that have waited longest first."""
        columns, of = mail_deliveries.c, notices.c
        same = (of.table_id == columns.table_id) & (of.seat == columns.seat) & (of.seq == columns.seq)
        joined = mail_deliveries.outerjoin(accounts, accounts.c.folded == columns.folded)
        joined = joined.outerjoin(mail_addresses, mail_addresses.c.folded == accounts.c.folded)
        joined = joined.outerjoin(notices, same & (columns.kind == "notice"))
        theirs = (mail_addresses.c.address, mail_addresses.c.wanted, mail_addresses.c.told, mail_addresses.c.off)
        more = (accounts.c.name, *theirs, of.kind.label("news"), of.at, of.seen_at)
        wanted = select(mail_deliveries, *more).select_from(joined).where(columns.folded != HOST, columns.due_at <= now)
        with self._reading.connect() as connection:
            return [_letter(row) for row in connection.execute(wanted.order_by(columns.due_at).limit(AT_ONCE))]

    def tidy(self, now: float) -> None:
        """Delete addresses that nobody has confirmed in time, and what other versions' servers leave of an account."""
        nobodys = mail_addresses.c.folded.not_in(select(accounts.c.folded))
        late = mail_addresses.c.wanted_until <= now
        with self._writing.begin() as connection:
            connection.execute(update(mail_addresses).where(late).values(wanted=None, wanted_until=None, code=None))
            empty = mail_addresses.c.address.is_(None) & mail_addresses.c.wanted.is_(None)
            connection.execute(delete(mail_addresses).where(empty | nobodys))
            self.give_up(connection, now)


def _letter(row: Any) -> Letter:
    to = row.wanted if row.kind == "confirm" else row.address
    if row.kind == "notice" and not (row.told and row.news):
        to = None
    return Letter(
        *(row.kind, row.folded, row.name or "", to or "", row.table_id, row.seat, row.seq),
        *(row.made_at, row.tries, row.due_at, row.until),
        *(row.news or "", row.at or 0.0, bytes(row.off or b""), row.seen_at is not None),
    )


def mail_notice(
    connection: Connection, folded: Iterable[str], table: int, seat: int, seq: int, now: float, until: float
) -> None:
    """One message to each of these accounts that wants notices by mail; an older one of the same seat goes."""
    ours = mail_addresses.c.folded.in_(set(folded)) & mail_addresses.c.told & mail_addresses.c.address.is_not(None)
    usable = select(accounts.c.folded).where(accounts.c.disabled_at.is_(None))
    wanted = select(mail_addresses.c.folded).where(ours, mail_addresses.c.folded.in_(usable))
    same = (
        (mail_deliveries.c.kind == "notice") & (mail_deliveries.c.table_id == table) & (mail_deliveries.c.seat == seat)
    )
    for one in list(connection.execute(wanted).scalars()):
        connection.execute(delete(mail_deliveries).where(same, mail_deliveries.c.folded == one))
        _wait(connection, one, "notice", now, until, table, seat, seq)


def _tell(connection: Connection, whose: ColumnElement[bool], *, on: bool) -> bool:
    changed = update(mail_addresses).where(whose).values(told=on).returning(mail_addresses.c.folded)
    return connection.execute(changed).first() is not None


def _wait(
    connection: Connection,
    folded: str,
    kind: Kind,
    now: float,
    until: float,
    table: int = 0,
    seat: int = 0,
    seq: int = 0,
) -> None:
    of_seat = {"table_id": table, "seat": seat, "seq": seq}
    row = {"folded": folded, "kind": kind, **of_seat, "made_at": now, "tries": 0, "due_at": now, "until": until}
    connection.execute(insert(mail_deliveries).values(**row))


def _forget(connection: Connection, folded: str, kind: Kind) -> None:
    same = (mail_deliveries.c.folded == folded) & (mail_deliveries.c.kind == kind)
    connection.execute(delete(mail_deliveries).where(same))
