"""Read-only queries for one person: what the database keeps of an account, beside the tables that it played at.

No secret is read: no hash of a password, no digest of a cookie or of a token. A push service's address lets whoever
has it send, so its host alone is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, Select, Table, select, union_all

from gateway.store.engine import Reads
from gateway.store.identities import links_of
from gateway.store.offers import DECLINED
from gateway.store.rating_schema import rating_standings, rating_versions, result_players, results
from gateway.store.schema import (
    account_tokens,
    accounts,
    acts,
    guest_seats,
    lasting_offers,
    mail_addresses,
    notices,
    players,
    preferences,
    push_subscriptions,
    reports,
    shares,
    web_sessions,
    webhooks,
)
from gateway.store.sessions import Preferences
from gateway.store.ties import LISTS
from gateway.store.views import moment

SHARED: Final = "/shared/"
"""Before the key of a link, in its address."""


@dataclass(frozen=True, slots=True)
class Personal:
    """An account: its ``name``, Unix time ``since`` when it is there, and the ``rest``, in JSON's values."""

    name: str
    since: float
    rest: Mapping[str, Any]


class PersonalRows(Reads):
    """Queries over one database; may be used from several threads."""

    def of(self, name: str, now: float) -> Personal | None:
        """The account of this name, with all that is kept of it; None: there is none."""
        folded = name.casefold()
        wanted = select(accounts.c.name, accounts.c.created_at).where(accounts.c.folded == folded)
        with self._reading.connect() as connection:
            found = connection.execute(wanted).first()
            return None if found is None else Personal(*found, _rest(connection, folded, *found, now))

    def noticed(self, name: str) -> list[int]:
        """The tables where this person has ever sat, or has kept a seat, and of which there are notices."""
        sat = [select(each.c.table_id).where(each.c.folded == name.casefold()) for each in (players, guest_seats)]
        wanted = select(notices.c.table_id).distinct().where(notices.c.table_id.in_(union_all(*sat)))
        with self._reading.connect() as connection:
            return list(connection.execute(wanted.order_by(notices.c.table_id)).scalars())

    def notices(self, seats: Mapping[int, int]) -> list[dict[str, Any]]:
        """The notices for these seats by table, in JSON's values, the oldest first."""
        wanted = select(notices).where(notices.c.table_id.in_(list(seats))).order_by(notices.c.at)
        with self._reading.connect() as connection:
            rows = connection.execute(wanted).all() if seats else []
        return [
            {"table": row.table_id, "seat": row.seat, "kind": row.kind}
            | {"at": moment(row.at), "told_at": _moment(row.told_at), "seen_at": _moment(row.seen_at)}
            for row in rows
            if seats[row.table_id] == row.seat
        ]


def _rest(connection: Connection, folded: str, name: str, since: float, now: float) -> dict[str, Any]:
    session, token, push = web_sessions.c, account_tokens.c, push_subscriptions.c
    chosen = connection.execute(select(preferences.c.chosen).where(preferences.c.folded == folded)).scalar()
    state = connection.execute(
        select(accounts.c.bot_since, accounts.c.disabled_at).where(accounts.c.folded == folded)
    ).one()
    mine = (session.folded == folded, session.kind == "account", session.expires_at > now)
    mail = select(mail_addresses.c.address, mail_addresses.c.wanted).where(mail_addresses.c.folded == folded)
    hook = select(webhooks.c.address, webhooks.c.made_at).where(webhooks.c.folded == folded)
    sessions = select(session.created_at, session.used_at, session.expires_at).where(*mine)
    known = (token.label, token.scopes, token.created_at, token.used_at, token.expires_at)
    tokens = select(*known).where(token.folded == folded, token.expires_at > now)
    browsers = select(push.endpoint, push.created_at).where(push.folded == folded)
    links = select(shares.c.table_id, shares.c.key, shares.c.made_at).where(shares.c.folded == folded)
    kept = select(guest_seats.c.table_id, guest_seats.c.kept_at).where(guest_seats.c.folded == folded)
    game = (result_players.c.table_id == results.c.table_id) & (result_players.c.number == results.c.number)
    facts = (results.c.table_id, results.c.number, results.c.game, results.c.variant, results.c.rated)
    times = (results.c.started_at, results.c.at, results.c.annulled_at)
    ended = select(*facts, results.c.reason, results.c.why, *times).join(result_players, game)
    ended = ended.where(result_players.c.player == folded)
    changes = select(acts.c.at, acts.c.act).where(acts.c.object == name, acts.c.act.startswith("account."))
    told = select(reports.c.at, reports.c.table_id, reports.c.text).where(reports.c.by == name, reports.c.at >= since)
    return {
        "program_since": _moment(state.bot_since),
        "disabled_at": _moment(state.disabled_at),
        "preferences": msgspec.to_builtins(
            Preferences() if chosen is None else msgspec.json.decode(chosen, type=Preferences)
        ),
        "mail_addresses": [found for row in connection.execute(mail) for found in row if found],
        "identities": [
            {"issuer": each.issuer, "subject": each.subject, "linked_at": moment(each.linked_at)}
            for each in links_of(connection, name)
        ],
        "sessions": _listed(connection, sessions.order_by(session.created_at)),
        "tokens": _listed(connection, tokens.order_by(token.created_at)),
        "push_services": [
            {"host": urlsplit(row.endpoint).hostname, "created_at": moment(row.created_at)}
            for row in connection.execute(browsers.order_by(push.created_at))
        ],
        "webhooks": _listed(connection, hook),
        **{kind: _listed(connection, _ties(rows, folded)) for kind, rows in LISTS.items()},
        "offers": _offers(connection, folded, now),
        "share_links": [
            {"table": row.table_id, "address": f"{SHARED}{row.key}", "made_at": moment(row.made_at)}
            for row in connection.execute(links.order_by(shares.c.table_id))
        ],
        "seats_kept_from_guest": _listed(connection, kept.order_by(guest_seats.c.table_id)),
        "results": _listed(connection, ended.order_by(results.c.table_id, results.c.number)),
        "ratings": _ratings(connection, folded),
        "changes": _listed(connection, changes.order_by(acts.c.at, acts.c.id)),
        "reports": _listed(connection, told.order_by(reports.c.at)),
    }


def _offers(connection: Connection, folded: str, now: float) -> list[dict[str, Any]]:
    """The offers that last and stand which it has made, or may take; not whom their makers have blocked."""
    of = lasting_offers.c
    wanted = select(of.number, of.body).where((of.folded == folded) | (of.other == folded), of.node != DECLINED)
    found = []
    for number, body in connection.execute(wanted.order_by(of.number)):
        offer = msgspec.json.decode(body)
        if offer["until"] > now:
            times = {"made_at": moment(offer["made"]), "until": moment(offer["until"])}
            found.append({"table": number, **{name: offer[name] for name in ("by", "to", "settings")}, **times})
    return found


def _ratings(connection: Connection, folded: str) -> list[dict[str, Any]]:
    """Its rating in each pool, as it stands."""
    of, current = rating_standings.c, select(rating_versions.c.version).where(rating_versions.c.current)
    wanted = select(of.pool, of.engine, of.rating, of.rd.label("deviation"), of.games, of.at)
    rows = connection.execute(wanted.where(of.version.in_(current), of.account == folded).order_by(of.pool, of.engine))
    return [{**row._mapping, "at": moment(row.at)} for row in rows]


def _ties(rows: Table, folded: str) -> Select[Any]:
    """The accounts in one of its lists, and since when."""
    written = select(accounts.c.name, rows.c.at).join(rows, rows.c.other == accounts.c.folded)
    return written.where(rows.c.folded == folded).order_by(accounts.c.folded)


def _listed(connection: Connection, wanted: Select[Any]) -> list[dict[str, Any]]:
    """The rows as objects: times as text, a table's id as "table"."""
    return [
        {
            "table" if name == "table_id" else name: moment(found) if isinstance(found, float) else found
            for name, found in row._mapping.items()
        }
        for row in connection.execute(wanted)
    ]


def _moment(at: float | None) -> str | None:
    return None if at is None else moment(at)
