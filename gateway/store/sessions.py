"""Sessions of browsers, and what accounts have chosen for their pages, in a database.

A session is found by the SHA-256 of its cookie; the cookie itself is stored nowhere. Everything here blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import msgspec
from sqlalchemy import delete, insert, select, update

from gateway.store.engine import ReadsAndWrites
from gateway.store.schema import accounts, preferences, web_sessions

Kind = Literal["account", "guest", "host"]

USED_S: Final = 3600.0
"""Seconds between two notes that a session is in use: a page costs no writing."""

LASTS_S: Final[dict[Kind, float]] = {"account": 30 * 86_400.0, "guest": 30 * 86_400.0, "host": 3600.0}
"""Seconds from its last use until a session ends. The host's is short: whoever finds that page open may end games."""

LONGEST_S: Final[dict[Kind, float]] = {"account": 180 * 86_400.0, "guest": 180 * 86_400.0, "host": 12 * 3600.0}
"""Seconds until it ends in any case."""

MOST_SESSIONS: Final = 50
"""Sessions of one account: browsers on all of a person's machines. The oldest ends when one more is added."""

MOST_MUTED: Final = 500
"""Names that one account may mute."""


@dataclass(frozen=True, slots=True)
class Session:
    """``name`` is the account's, or what the guest is called; "" for the host. Times are Unix time in seconds."""

    kind: Kind
    name: str
    created_at: float
    used_at: float
    expires_at: float


_SESSION: Final = (
    *(web_sessions.c.kind, web_sessions.c.name),
    *(web_sessions.c.created_at, web_sessions.c.used_at, web_sessions.c.expires_at),
)
"""The columns of Session, in its order."""


def begun(kind: Kind, name: str, now: float) -> Session:
    """A session that begins now."""
    return Session(kind, name, now, now, now + LASTS_S[kind])


class Preferences(msgspec.Struct, frozen=True):
    """A person's choices; "" and None leave a thing to the page. ``muted`` are folded names."""

    board: str = ""
    theme: str = ""
    sound: bool = False
    confirm: bool | None = None
    animation: bool = True
    pieces: str = ""
    muted: tuple[str, ...] = ()


class Sessions(ReadsAndWrites):
    """Sessions over SQLite or PostgreSQL."""

    def add(self, digest: bytes, session: Session) -> None:
        """One more session; those that have expired by its beginning go, and the oldest beyond MOST_SESSIONS."""
        folded = session.name.casefold()
        row = {"digest": digest, "kind": session.kind, "folded": folded, "name": session.name}
        times = {"created_at": session.created_at, "used_at": session.used_at, "expires_at": session.expires_at}
        mine = (web_sessions.c.folded == folded) & (web_sessions.c.kind == session.kind)
        newest = select(web_sessions.c.digest).where(mine).order_by(web_sessions.c.used_at.desc())
        with self._writing.begin() as connection:
            connection.execute(delete(web_sessions).where(web_sessions.c.expires_at <= session.created_at))
            if session.kind == "account":
                kept = list(connection.execute(newest.limit(MOST_SESSIONS - 1)).scalars())
                connection.execute(delete(web_sessions).where(mine, web_sessions.c.digest.not_in(kept)))
            connection.execute(insert(web_sessions).values(**row, **times))

    def find(self, digest: bytes, now: float) -> Session | None:
        """The session of this cookie, noted as used; None where it has ended or never was.

        An account's ends with its password, and while the account is disabled.
        """

        wanted = select(*_SESSION).where(web_sessions.c.digest == digest)
        with self._reading.connect() as connection:
            row = connection.execute(wanted.where(web_sessions.c.expires_at > now)).first()
        if row is None:
            return None
        found = Session(*row)
        if now - found.used_at < min(USED_S, LASTS_S[found.kind] / 10):
            return found
        return self._used(digest, found, now)

    def _used(self, digest: bytes, found: Session, now: float) -> Session | None:
        ends = min(now + LASTS_S[found.kind], found.created_at + LONGEST_S[found.kind])
        wanted = update(web_sessions).where(web_sessions.c.digest == digest).values(used_at=now, expires_at=ends)
        with self._writing.begin() as connection:
            if connection.execute(wanted).rowcount != 1:
                return None
        return Session(found.kind, found.name, found.created_at, now, ends)

    def end(self, digest: bytes) -> None:
        """This session is over. Idempotent."""
        with self._writing.begin() as connection:
            connection.execute(delete(web_sessions).where(web_sessions.c.digest == digest))

    def end_others(self, name: str, digest: bytes) -> int:
        """The account's sessions but this one are over; how many."""
        mine = (web_sessions.c.folded == name.casefold()) & (web_sessions.c.kind == "account")
        with self._writing.begin() as connection:
            return connection.execute(delete(web_sessions).where(mine, web_sessions.c.digest != digest)).rowcount

    def of(self, name: str, now: float) -> list[Session]:
        """The account's sessions, the one used last first."""
        mine = (web_sessions.c.folded == name.casefold()) & (web_sessions.c.kind == "account")
        wanted = select(*_SESSION).where(mine, web_sessions.c.expires_at > now)
        with self._reading.connect() as connection:
            return [Session(*row) for row in connection.execute(wanted.order_by(web_sessions.c.used_at.desc()))]

    def preferences(self, name: str) -> Preferences:
        """The account's choices."""
        wanted = select(preferences.c.chosen).where(preferences.c.folded == name.casefold())
        with self._reading.connect() as connection:
            chosen = connection.execute(wanted).scalar()
        return Preferences() if chosen is None else msgspec.json.decode(chosen, type=Preferences)

    def prefer(self, name: str, chosen: Preferences) -> None:
        """Keep it. Nothing is kept where there is no such account."""
        folded, text = name.casefold(), msgspec.json.encode(chosen).decode()
        with self._writing.begin() as connection:
            if connection.execute(select(accounts.c.folded).where(accounts.c.folded == folded)).first() is None:
                return
            connection.execute(delete(preferences).where(preferences.c.folded == folded))
            connection.execute(insert(preferences).values(folded=folded, chosen=text))
