"""Read-only queries over accounts for the host: a page of a list, and what is known of one.

No secret is read: no hash of a password, no digest of a cookie. A list reads names in their index, and of the rest the
rows of its lines alone. Everything here blocks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import Connection, func, select

from gateway.store.engine import Reads
from gateway.store.identities import Link, links_of
from gateway.store.rating_schema import result_players
from gateway.store.records import Act
from gateway.store.reports import Report
from gateway.store.schema import account_tokens, accounts, acts, mail_addresses, players, reports, web_sessions
from gateway.store.sessions import Session
from gateway.store.tokens import Token, tokens_of

MOST: Final = 1000
"""Lines of one page: a statement takes so many names as parameters."""

NEWEST: Final = 20
"""Reports and acts of one account that are told, the newest."""

SKEW_S: Final = 3600.0
"""Seconds by which the clocks of machines that write acts may differ."""

MailState = Literal["", "waits", "confirmed"]
"""An account's mail address: none, one that its owner has not confirmed, or one that is."""


@dataclass(frozen=True, slots=True)
class AccountLine:
    """An account in a list. Times are Unix time in seconds.

    ``disabled_at`` is None while it may be used, ``bot_since`` None of a person's. ``tokens`` counts those that are
    good. ``seen_at`` is the last use of a session, to an hour, or of a token, to a day; None where neither is left.
    """

    name: str
    created_at: float
    disabled_at: float | None
    bot_since: float | None
    tokens: int
    seen_at: float | None

    @property
    def state(self) -> str:
        """The words to be said at once: "", "program", "disabled", or both."""
        words = {"program": self.bot_since is not None, "disabled": self.disabled_at is not None}
        return ", ".join(word for word, holds in words.items() if holds)


class AccountPage(NamedTuple):
    """Accounts by name; ``more``: others follow."""

    lines: list[AccountLine]
    more: bool


@dataclass(frozen=True, slots=True)
class AccountView:
    """An account as its host sees it.

    ``tables`` counts those where the name has ever sat, a guest's before it among them, ``rated`` its rated games that
    ended. ``address`` is the confirmed mail address, or the one that waits. ``reports`` are about it, ``acts`` change
    it: both the newest first, at most NEWEST. ``links`` are its people of OpenID Connect providers.
    """

    line: AccountLine
    mail: MailState
    address: str
    sessions: list[Session]
    tokens: list[Token]
    tables: int
    rated: int
    reports: list[Report]
    acts: list[Act]
    links: list[Link]


_ROW: Final = (accounts.c.folded, accounts.c.name, accounts.c.created_at, accounts.c.disabled_at, accounts.c.bot_since)


class AccountViews(Reads):
    """Queries over one database; may be used from several threads."""

    def page(self, part: str, after: str, most: int, now: float) -> AccountPage:
        """Up to ``most`` accounts whose names have this part in any letter case, behind the name ``after``."""
        wanted = select(accounts.c.folded).where(accounts.c.folded > after.casefold())
        if part:
            wanted = wanted.where(accounts.c.folded.contains(part.casefold(), autoescape=True))
        wanted = wanted.order_by(accounts.c.folded).limit(min(most, MOST) + 1)
        with self._reading.connect() as connection:
            found = list(connection.execute(wanted).scalars())
            shown = found[: min(most, MOST)]
            lines = _lines(connection, shown, now)
        return AccountPage([lines[folded] for folded in shown if folded in lines], len(found) > len(shown))

    def of(self, name: str, now: float) -> AccountView | None:
        """The account of this name in any letter case; None: there is none."""
        folded = name.casefold()
        with self._reading.connect() as connection:
            line = _lines(connection, [folded], now).get(folded)
            if line is None:
                return None
            mail, address = _mail(connection, folded, now)
            tables = _counted(connection, select(func.count()).where(players.c.folded == folded))
            rated = _counted(connection, select(func.count()).where(result_players.c.player == folded))
            sessions, told = _sessions(connection, folded, now), _reports(connection, line.name)
            changes, links = _acts(connection, line), links_of(connection, name)
        tokens = tokens_of(self._reading, name, now)
        return AccountView(line, mail, address, sessions, tokens, tables, rated, told, changes, links)


def _lines(connection: Connection, folded: Collection[str], now: float) -> Mapping[str, AccountLine]:
    token, session = account_tokens.c, web_sessions.c
    rows = connection.execute(select(*_ROW).where(accounts.c.folded.in_(folded))).all()
    good = select(token.folded, func.count(), func.max(token.used_at)).group_by(token.folded)
    good = good.where(token.folded.in_(folded), token.expires_at > now)
    tokens = {name: (int(count), used) for name, count, used in connection.execute(good)}
    here = select(session.folded, func.max(session.used_at)).group_by(session.folded)
    here = here.where(session.folded.in_(folded), session.kind == "account")
    seen: dict[str, float] = {row[0]: row[1] for row in connection.execute(here)}
    return {row.folded: _line(row, tokens.get(row.folded, (0, None)), seen.get(row.folded)) for row in rows}


def _line(row: Any, tokens: tuple[int, float | None], seen: float | None) -> AccountLine:
    count, used = tokens
    last = max((at for at in (used, seen) if at is not None), default=None)
    return AccountLine(row.name, row.created_at, row.disabled_at, row.bot_since, count, last)


def _mail(connection: Connection, folded: str, now: float) -> tuple[MailState, str]:
    row = connection.execute(select(mail_addresses).where(mail_addresses.c.folded == folded)).first()
    if row is not None and row.address:
        return "confirmed", row.address
    waits = row is not None and row.wanted and (row.wanted_until or 0.0) > now
    return ("waits", row.wanted) if row is not None and waits else ("", "")


def _counted(connection: Connection, wanted: Any) -> int:
    return int(connection.execute(wanted).scalar_one())


def _sessions(connection: Connection, folded: str, now: float) -> list[Session]:
    """The one used last first."""
    row = web_sessions.c
    wanted = select(row.kind, row.name, row.created_at, row.used_at, row.expires_at)
    wanted = wanted.where(row.folded == folded, row.kind == "account", row.expires_at > now)
    return [Session(*found) for found in connection.execute(wanted.order_by(row.used_at.desc()))]


def _reports(connection: Connection, name: str) -> list[Report]:
    row = reports.c
    wanted = select(row.at, row.by, row.address, row.table_id, row.player, row.text, row.closed_at, row.id)
    wanted = wanted.where(func.lower(row.player) == func.lower(name)).order_by(row.id.desc()).limit(NEWEST)
    return [Report(*found) for found in connection.execute(wanted)]


def _acts(connection: Connection, line: AccountLine) -> list[Act]:
    """No act on an account is older than the account, and the log has an index of times."""
    row, since = acts.c, line.created_at - SKEW_S
    wanted = select(row.at, row.by, row.act, row.object, row.detail, row.id).where(row.at >= since)
    wanted = wanted.where(row.object == line.name, row.act.startswith("account.")).order_by(row.id.desc()).limit(NEWEST)
    return [Act(*found) for found in connection.execute(wanted)]
