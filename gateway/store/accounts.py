"""Registered names in a database, with the hash of each password, and a log of changes.

A name is compared in folded form and belongs to its account for good. Every change is an act (acts.py), noted in the
same transaction. Reading and writing block.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from sqlalchemy import Connection, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from gateway.store import acts, offers
from gateway.store import tokens as token_rows
from gateway.store.engine import ReadsAndWrites
from gateway.store.guest_seats import GuestTicket, keep, kept_seats
from gateway.store.identities import Identity, claim, identities
from gateway.store.offers import HeldOffer, StoredOffer
from gateway.store.results import has_rated
from gateway.store.schema import (
    account_tokens,
    accounts,
    former_names,
    guest_seats,
    invitations,
    mail_addresses,
    mail_deliveries,
    password_links,
    preferences,
    push_subscriptions,
    scores,
    shares,
    web_sessions,
    webhooks,
)
from gateway.store.ties import Blocks, Tie, Tied, blocks_of, forget, tie, tied, untie
from gateway.store.tokens import Token, token_of, tokens_of
from protocols.core.errors import BoardgateError


@dataclass(frozen=True, slots=True)
class Account:
    """``created_at`` and ``disabled_at`` are Unix time in seconds; the latter None while it may be used.

    ``bot_since`` is since when the account is a program's, in Unix time; None of a person's.
    """

    name: str
    password_hash: str
    created_at: float
    disabled_at: float | None = None
    bot_since: float | None = None

    @property
    def bot(self) -> bool:
        """True if the account is a program's."""
        return self.bot_since is not None


@dataclass(frozen=True, slots=True)
class AccountChange:
    """``change`` is what acts.Kind says of accounts: "added", "password", "disabled", "enabled", "deleted", "revoked"
    (all tokens), "token" (one with a name was made), "token_ended", "bot" (a program's from now on), "person", "link"
    (one for another password was made), "reset" (somebody else was in), "linked" (to a provider's person), "unlinked",
    "sessions_ended", "exported" (a host took its data on the pages), or "invited" (a code; ``name`` says nothing).
    ``by`` is who did it."""

    at: float
    name: str
    change: str
    by: str


_ACCOUNT: Final = (
    accounts.c.name,
    accounts.c.password_hash,
    accounts.c.created_at,
    accounts.c.disabled_at,
    accounts.c.bot_since,
)
"""The columns of Account, in its order."""


class NoAccount(BoardgateError):
    """This name is not registered."""


class RatedAlready(BoardgateError):
    """The account has played a rated game, so its owner cannot change whose it is."""


RATED: Final = "this account has played a rated game: whether it is a program's, the host alone may change now"


class NameOwned(BoardgateError):
    """This name is registered already."""


class NoInvitation(BoardgateError):
    """This code was used already, has expired, or was never given."""


class NoLink(BoardgateError):
    """This link for another password was used already, has expired, or was never given."""


class Accounts(Protocol):
    """Accounts as a server and the command line use them: in SQL, or the twin in memory."""

    def add(
        self,
        name: str,
        password_hash: str,
        by: str,
        invitation: bytes | None = None,
        seats: Sequence[GuestTicket] = (),
        identity: Identity | None = None,
    ) -> None:
        """A new account. NameOwned: there is one of this name, in any letter case, or there was one.

        ``invitation`` is the digest of a code that is used up by it. NoInvitation: there is none. ``seats`` are kept as
        by ``keep_seats``. The person of the ``identity`` logs in to it. IdentityTaken.
        """

    def keep_seats(self, name: str, seats: Sequence[GuestTicket], now: float) -> None:
        """The account has the seats of these tickets, which its person took as a guest. NoAccount."""

    def guest_ticket(self, name: str, table: int) -> bytes | None:
        """The digest of a ticket whose seat at this table the account has kept; None: it has kept none there."""

    def tie(self, kind: Tie, by: str, name: str, now: float) -> Tied:
        """The account ``by`` has ``name`` in its list from now on, or since before. NoAccount; TooManyTies."""

    def untie(self, kind: Tie, by: str, name: str) -> None:
        """The account ``by`` has ``name`` in its list no more. Idempotent."""

    def tied(self, kind: Tie, by: str) -> list[Tied]:
        """The accounts in a list of ``by``, by name."""

    def blocks(self, name: str) -> Blocks:
        """The names that are apart from this account by a block."""

    def change_offers(self, node: int, new: Sequence[StoredOffer], gone: Collection[int]) -> None:
        """The node holds these new offers, and those of these numbers stand no more."""

    def held_offers(self, node: int) -> list[HeldOffer]:
        """The offers that a node holds, those of nodes among them that live no more."""

    def invite(self, digest: bytes, by: str, now: float, expires_at: float) -> None:
        """A code, of which this is the digest, is good for one account until then; expired ones go."""

    def delete(self, name: str, by: str) -> None:
        """The account goes, with its password, tokens, sessions, preferences, links, lists, offers and mail address.

        Its name stays taken. NoAccount.
        """

    def set_password(self, name: str, password_hash: str, by: str, *, keep_tokens: bool = False) -> None:
        """Another password; every session and token of the account ends, but with ``keep_tokens`` none that has a name.

        NoAccount.
        """

    def add_link(self, digest: bytes, name: str, by: str, now: float, expires_at: float, *, alone: bool = True) -> str:
        """A link, of which this is the digest, is good for another password until then; if ``alone``, older ones end.

        The name as it was registered. NoAccount: there is none, or it is disabled.
        """

    def use_link(self, digest: bytes, password_hash: str, now: float) -> str:
        """The account of this link has another password, and the link is used up; the account's name.

        Every token and session of the account ends. NoLink.
        """

    def set_disabled(self, name: str, disabled: bool, by: str) -> None:
        """True if it may not be used; disabling ends every token and session of the account. NoAccount."""

    def set_bot(self, name: str, bot: bool, by: str, *, always: bool = True) -> bool:
        """The account is a program's, or a person's, from now on; False: it was before. NoAccount.

        RatedAlready: it is not changed ``always``, and has played a rated game.
        """

    def tokens(self, name: str, now: float) -> list[Token]:
        """The tokens of the account that have not expired, the newest first."""

    def add_token(self, token: Token, by: str = "") -> None:
        """One more token, made ``by`` the account or the host; those that have expired by its ``created_at`` go.

        A login's ends the oldest login's beyond MOST_LOGINS. NoAccount; TokenNamed; TooManyTokens.
        """

    def token(self, digest: bytes, now: float) -> Token | None:
        """A token that has not expired, with the mark of its account; None for others, and where that is disabled."""

    def token_used(self, digest: bytes, now: float) -> None:
        """Keep when this token was last good for something."""

    def end_token(self, digest: bytes, by: str = "") -> bool:
        """This token is good no more; whether there was one."""

    def revoke(self, name: str, by: str) -> None:
        """Every token and session of the account ends. NoAccount."""

    def end_sessions(self, name: str, by: str) -> None:
        """The account is logged in with no browser any more; its tokens stay. NoAccount."""

    def reset(self, name: str, password_hash: str, by: str) -> str:
        """The account goes back to its owner after somebody else was in: it has this password, which nobody knows.

        Sessions, tokens, links, identities, webhook, push and mail address end. Its name as registered. NoAccount.
        """

    def find(self, name: str) -> Account | None:
        """The account of this name in any letter case."""

    def names(self, since: float = 0.0) -> list[str]:
        """The names registered at or after this Unix time, and with 0.0 those of deleted accounts, which stay taken."""

    def bots(self) -> list[str]:
        """The accounts that are programs'."""

    def search(self, part: str, after: str, most: int) -> list[str]:
        """Names of accounts that may be used, with this part in any letter case, in order, behind ``after``."""

    def changes(self) -> list[AccountChange]:
        """Everything that was ever done to any account, the oldest first."""

    def close(self) -> None:
        """Idempotent."""


class SqlAccounts(ReadsAndWrites):
    """Accounts over SQLite or PostgreSQL."""

    def add(
        self,
        name: str,
        password_hash: str,
        by: str,
        invitation: bytes | None = None,
        seats: Sequence[GuestTicket] = (),
        identity: Identity | None = None,
    ) -> None:
        now, folded = time.time(), name.casefold()
        row = {"folded": folded, "name": name, "password_hash": password_hash, "created_at": now}
        former = select(former_names.c.folded).where(former_names.c.folded == folded)
        with self._writing.begin() as connection:
            if invitation is not None:
                good = (invitations.c.digest == invitation) & (invitations.c.expires_at > now)
                if connection.execute(delete(invitations).where(good)).rowcount != 1:
                    raise NoInvitation("this invitation is unknown here, was used already, or has expired")
            try:
                if connection.execute(former).first() is not None:
                    raise NameOwned(f"the name {name} was a player's who has left, and stays theirs")
                connection.execute(insert(accounts).values(**row))
            except IntegrityError:
                raise NameOwned(f"the name {name} is registered already") from None
            acts.note(connection, acts.made(now, by, "account.added", name))
            keep(connection, name, seats, now)
            if identity is not None:
                claim(connection, name, identity, now)

    def keep_seats(self, name: str, seats: Sequence[GuestTicket], now: float) -> None:
        there = select(accounts.c.folded).where(accounts.c.folded == name.casefold())
        with self._writing.begin() as connection:
            if connection.execute(there).first() is None:
                raise NoAccount(f"there is no account {name!r}")
            keep(connection, name, seats, now)

    def guest_ticket(self, name: str, table: int) -> bytes | None:
        return next((kept.digest for kept in kept_seats(self._reading, name, [table])), None)

    def tie(self, kind: Tie, by: str, name: str, now: float) -> Tied:
        with self._writing.begin() as connection:
            found = tie(connection, kind, by, name, now)
        if found is None:
            raise NoAccount(f"there is no account {name!r}")
        return found

    def untie(self, kind: Tie, by: str, name: str) -> None:
        with self._writing.begin() as connection:
            untie(connection, kind, by, name)

    def tied(self, kind: Tie, by: str) -> list[Tied]:
        return tied(self._reading, kind, by)

    def blocks(self, name: str) -> Blocks:
        return blocks_of(self._reading, name)

    def change_offers(self, node: int, new: Sequence[StoredOffer], gone: Collection[int]) -> None:
        with self._writing.begin() as connection:
            offers.change(connection, node, new, gone)

    def held_offers(self, node: int) -> list[HeldOffer]:
        return offers.held(self._reading, self._writing, node)

    def invite(self, digest: bytes, by: str, now: float, expires_at: float) -> None:
        row = {"digest": digest, "made_by": by, "created_at": now, "expires_at": expires_at}
        with self._writing.begin() as connection:
            connection.execute(delete(invitations).where(invitations.c.expires_at <= now))
            connection.execute(insert(invitations).values(**row))
            acts.note(connection, acts.made(now, by, "account.invited", "an invitation", expires_at=expires_at))

    def delete(self, name: str, by: str) -> None:
        now, folded = time.time(), name.casefold()
        with self._writing.begin() as connection:
            for belonging in (
                account_tokens,
                web_sessions,
                preferences,
                password_links,
                mail_addresses,
                mail_deliveries,
                push_subscriptions,
                guest_seats,
                identities,
                scores,
                shares,
                webhooks,
            ):
                connection.execute(delete(belonging).where(belonging.c.folded == folded))
            forget(connection, folded)
            offers.forget(connection, folded)
            gone = connection.execute(delete(accounts).where(accounts.c.folded == folded).returning(accounts.c.name))
            registered = gone.scalar()
            if registered is None:
                raise NoAccount(f"there is no account {name!r}")
            connection.execute(insert(former_names).values(folded=folded, name=registered, deleted_at=now))
            acts.note(connection, acts.made(now, by, "account.deleted", registered))

    def set_password(self, name: str, password_hash: str, by: str, *, keep_tokens: bool = False) -> None:
        with self._writing.begin() as connection:
            values = {"password_hash": password_hash}
            self._changed(connection, name, "account.password", by, values, keep_tokens=keep_tokens)

    def add_link(self, digest: bytes, name: str, by: str, now: float, expires_at: float, *, alone: bool = True) -> str:
        folded = name.casefold()
        wanted = select(accounts.c.name).where(accounts.c.folded == folded, accounts.c.disabled_at.is_(None))
        ended = password_links.c.expires_at <= now
        if alone:
            ended |= password_links.c.folded == folded
        row = {"digest": digest, "folded": folded, "created_at": now, "expires_at": expires_at}
        with self._writing.begin() as connection:
            registered = connection.execute(wanted).scalar()
            if registered is None:
                raise NoAccount(f"there is no account {name!r} that may log in")
            connection.execute(delete(password_links).where(ended))
            connection.execute(insert(password_links).values(**row))
            acts.note(connection, acts.made(now, by, "account.link", registered, expires_at=expires_at))
        return str(registered)

    def use_link(self, digest: bytes, password_hash: str, now: float) -> str:
        good = (password_links.c.digest == digest) & (password_links.c.expires_at > now)
        with self._writing.begin() as connection:
            folded = connection.execute(delete(password_links).where(good).returning(password_links.c.folded)).scalar()
            usable = (accounts.c.folded == folded) & accounts.c.disabled_at.is_(None)
            name = None if folded is None else connection.execute(select(accounts.c.name).where(usable)).scalar()
            if name is None:
                raise NoLink("this link is unknown here, was used already, or has expired")
            self._changed(connection, name, "account.password", name, {"password_hash": password_hash})
        return str(name)

    def set_disabled(self, name: str, disabled: bool, by: str) -> None:
        changed: acts.Kind = "account.disabled" if disabled else "account.enabled"
        self._change(name, changed, by, disabled_at=time.time() if disabled else None)

    def revoke(self, name: str, by: str) -> None:
        self._change(name, "account.revoked", by, folded=name.casefold())

    def end_sessions(self, name: str, by: str) -> None:
        folded = name.casefold()
        with self._writing.begin() as connection:
            registered = connection.execute(select(accounts.c.name).where(accounts.c.folded == folded)).scalar()
            if registered is None:
                raise NoAccount(f"there is no account {name!r}")
            mine = (web_sessions.c.folded == folded) & (web_sessions.c.kind == "account")
            connection.execute(delete(web_sessions).where(mine))
            acts.note(connection, acts.made(time.time(), by, "account.sessions_ended", registered))

    def reset(self, name: str, password_hash: str, by: str) -> str:
        with self._writing.begin() as connection:
            registered = self._changed(connection, name, "account.reset", by, {"password_hash": password_hash})
            for told in (push_subscriptions, mail_addresses, mail_deliveries, identities):
                connection.execute(delete(told).where(told.c.folded == name.casefold()))
        return registered

    def _change(self, name: str, changed: acts.Kind, by: str, **values: str | float | None) -> None:
        with self._writing.begin() as connection:
            self._changed(connection, name, changed, by, values)

    def _changed(
        self,
        connection: Connection,
        name: str,
        changed: acts.Kind,
        by: str,
        values: Mapping[str, str | float | None],
        *,
        keep_tokens: bool = False,
    ) -> str:
        """The act is about the name as it was registered, however it is written now; that name.

        Tokens, sessions, links and webhooks end with any change; with ``keep_tokens`` tokens that have a name stay.
        """
        wanted = update(accounts).where(accounts.c.folded == name.casefold()).values(**values)
        registered = connection.execute(wanted.returning(accounts.c.name)).scalar()
        if registered is None:
            raise NoAccount(f"there is no account {name!r}")
        for ended in (account_tokens, web_sessions, password_links, webhooks):
            gone = delete(ended).where(ended.c.folded == name.casefold())
            if keep_tokens and ended is account_tokens:
                gone = gone.where(ended.c.label.is_(None))
            connection.execute(gone)
        acts.note(connection, acts.made(time.time(), by, changed, registered))
        return str(registered)

    def set_bot(self, name: str, bot: bool, by: str, *, always: bool = True) -> bool:
        mine = accounts.c.folded == name.casefold()
        with self._writing.begin() as connection:
            found = connection.execute(select(accounts.c.name, accounts.c.bot_since).where(mine)).first()
            if found is None:
                raise NoAccount(f"there is no account {name!r}")
            if (found.bot_since is not None) == bot:
                return False
            if not always and has_rated(connection, name):
                raise RatedAlready(RATED)
            now = time.time()
            connection.execute(update(accounts).where(mine).values(bot_since=now if bot else None))
            acts.note(connection, acts.made(now, by, "account.bot" if bot else "account.person", found.name))
        return True

    def tokens(self, name: str, now: float) -> list[Token]:
        return tokens_of(self._reading, name, now)

    def add_token(self, token: Token, by: str = "") -> None:
        wanted = select(accounts.c.name).where(accounts.c.folded == token.name.casefold())
        with self._writing.begin() as connection:
            registered = connection.execute(wanted).scalar()
            if registered is None:
                raise NoAccount(f"there is no account {token.name!r}")
            token_rows.add(connection, token)
            if token.label:
                told = {"token": token.label, "scopes": " ".join(sorted(token.scopes))}
                until = None if token.lasting else token.expires_at
                act = acts.made(token.created_at, by, "account.token", registered, **told, expires_at=until)
                acts.note(connection, act)

    def token(self, digest: bytes, now: float) -> Token | None:
        return token_of(self._reading, digest, now)

    def token_used(self, digest: bytes, now: float) -> None:
        with self._writing.begin() as connection:
            token_rows.used(connection, digest, now)

    def end_token(self, digest: bytes, by: str = "") -> bool:
        with self._writing.begin() as connection:
            gone = token_rows.end(connection, digest)
            if gone is not None and gone[1]:
                name = connection.execute(select(accounts.c.name).where(accounts.c.folded == gone[0])).scalar()
                acts.note(connection, acts.made(time.time(), by, "account.token_ended", str(name), token=gone[1]))
        return gone is not None

    def find(self, name: str) -> Account | None:
        return self._found(select(*_ACCOUNT).where(accounts.c.folded == name.casefold()))

    def _found(self, wanted: Select[Any]) -> Account | None:
        with self._reading.connect() as connection:
            found = connection.execute(wanted).first()
        return None if found is None else Account(*found)

    def names(self, since: float = 0.0) -> list[str]:
        wanted = select(accounts.c.name).where(accounts.c.created_at >= since).order_by(accounts.c.name)
        with self._reading.connect() as connection:
            found = list(connection.execute(wanted).scalars())
            if not since:
                found += connection.execute(select(former_names.c.name)).scalars()
        return found

    def bots(self) -> list[str]:
        with self._reading.connect() as connection:
            return list(connection.execute(select(accounts.c.name).where(accounts.c.bot_since.is_not(None))).scalars())

    def search(self, part: str, after: str, most: int) -> list[str]:
        like = accounts.c.folded.contains(part.casefold(), autoescape=True)
        wanted = select(accounts.c.name).where(like, accounts.c.folded > after.casefold())
        wanted = wanted.where(accounts.c.disabled_at.is_(None)).order_by(accounts.c.folded).limit(most)
        with self._reading.connect() as connection:
            return list(connection.execute(wanted).scalars())

    def changes(self) -> list[AccountChange]:
        found = acts.all_of(self._reading, "account")
        return [AccountChange(act.at, act.object, act.act.partition(".")[2], act.by) for act in found]
