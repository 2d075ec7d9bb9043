"""Registers accounts for those who ask by themselves: as the host's setting lets them, a few from each address.

``free_name`` is the rule for names of new accounts, here and on the command line.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal

import trio

from gateway.accounts.logins import Logins, Tries
from gateway.accounts.tokens import digest
from gateway.config import Config
from gateway.lobby.names import check, is_guest
from gateway.lobby.spelling import keys
from gateway.lobby.word_filter import WordFilter
from gateway.store.accounts import Accounts, NameOwned, NoInvitation
from gateway.store.guest_seats import GuestTicket
from gateway.store.identities import NO_PASSWORD, Identity, IdentityTaken
from protocols.core.errors import Refused, Why

How = Literal["open", "invitation", "closed"]

LOCAL: Final = "localhost"
"""The host name of a server whose host has set none."""

ADDRESS_BURST, ADDRESS_PER_S = 5, 1 / 3600
"""New accounts from one address at once, and then a second: a family in an evening. A name stays taken for good."""

CODE_BYTES: Final = 15
"""Random bytes of an invitation: 120 bits, twenty letters to copy."""

NO_SEATS: Final[Mapping[GuestTicket, int]] = MappingProxyType({})

INVITED_S: Final = 14 * 86_400.0
"""Seconds that an invitation is good: a letter is answered within a fortnight."""


WAYS: Final[Mapping[How, str]] = {
    "open": "accounts are made on the page {page}",
    "invitation": "who has an invitation of the host makes an account on the page {page}",
    "closed": "the host of this server makes accounts",
}
"""The ways to a new account, for people."""


def becoming(config: Config) -> str:
    """The way to an account here, in words for a guest."""
    return WAYS[config.registration.accounts].format(page=f"{pages_of(config)}/login")


def pages_of(config: Config) -> str:
    """The address of the server's pages, as "https://games.example.org"; "" where the settings have none."""
    host = config.server.public_host
    return config.mail.pages.rstrip("/") or ("" if host == LOCAL else f"https://{host}")


def free_name(wanted: str, taken: Iterable[str], *, guest: bool) -> str:
    """The name of a new account. Refused: it is none, or kept for others; a ``guest`` gets no name of the host's.

    NameOwned: it looks like one of those ``taken``. The same name in any letter case is for the database to refuse.
    """
    name = check(wanted, guest=guest)
    if is_guest(name):
        raise Refused(Why.NAME_TAKEN, f"{name} is what guests are called")
    for other in taken:
        if other.casefold() != name.casefold() and not keys(other).isdisjoint(keys(name)):
            raise NameOwned(f"{name} looks like {other}, which is registered already")
    return name


def new_invitation(accounts: Accounts, by: str, lasts_s: float = INVITED_S) -> tuple[str, float]:
    """A code that is good for one account, and until when in Unix time. Blocks."""
    code, now = secrets.token_urlsafe(CODE_BYTES), time.time()
    accounts.invite(digest(code), by, now, now + lasts_s)
    return code, now + lasts_s


class SelfRegistration:
    """``how`` is the host's setting. ``owned`` says whether a name is an account's or looks like one; ``own`` makes
    names accounts' at once, ``learn`` those that other processes have added. ``plays`` says whether a guest has an
    unfinished game under a name, but for seats of one's own tickets: its seat would be the account's. Accounts of the
    names ``hosts`` are made on the host's command line alone."""

    def __init__(
        self,
        how: How,
        accounts: Accounts,
        logins: Logins,
        owned: Callable[[str], bool],
        own: Callable[[Iterable[str]], None],
        learn: Callable[[], Awaitable[None]],
        plays: Callable[[str, Mapping[GuestTicket, int]], Awaitable[bool]],
        hosts: Iterable[str] = (),
        words: WordFilter | None = None,
    ) -> None:
        """``words`` are in no name of a new account."""
        self.how = how
        self._accounts = accounts
        self._logins = logins
        self._owned = owned
        self._own = own
        self._learn = learn
        self._plays = plays
        self._hosts = _keys_of(hosts)
        self._words = words or WordFilter()
        self._tries = Tries()

    def reread(self, config: Config) -> None:
        """Let those register whom these settings let."""
        self.how = config.registration.accounts
        self._hosts = _keys_of(config.registration.host_accounts.split())

    async def register(
        self, wanted: str, password: str, invitation: str, address: str, own: Mapping[GuestTicket, int] = NO_SEATS
    ) -> str:
        """The new account's name. It keeps the seats of its ``own`` tickets, those of a guest until now.

        Refused: NAME_TAKEN; BAD_OPTION, no name or password; BAD_TICKET, no invitation; NOT_NOW, none are made here;
        TOO_FAST, too many from there. SQLAlchemyError: the database is in trouble.
        """
        return await self._made(wanted, password, invitation, address, own)

    async def register_known(
        self, wanted: str, identity: Identity, invitation: str, address: str, own: Mapping[GuestTicket, int] = NO_SEATS
    ) -> str:
        """The new account's name. It has no password: the person of this identity logs in to it. Refused as by
        ``register``; NOT_NOW, too: this person has an account."""
        return await self._made(wanted, None, invitation, address, own, identity)

    async def _made(
        self,
        wanted: str,
        password: str | None,
        invitation: str,
        address: str,
        own: Mapping[GuestTicket, int],
        identity: Identity | None = None,
    ) -> str:
        if self.how == "closed":
            raise Refused(Why.NOT_NOW, "accounts are made by the host of this server")
        name = free_name(wanted, (), guest=True)
        self._words.check_name(name)
        self._check_free(name)
        if await self._plays(name, own):
            raise Refused(
                Why.NAME_TAKEN, f"{name} has a game here that is not over, and this browser is not its player's"
            )
        code = digest(invitation.strip()) if self.how == "invitation" else None
        self._tries.count(f"account {address}", ADDRESS_PER_S, ADDRESS_BURST, "accounts were made from your address")
        hashed = NO_PASSWORD if password is None else await self._logins.hashed(password)
        await self._learn()  # the database compares whole names: a look-alike may be another node's since a moment ago
        self._check_free(name)
        try:
            await trio.to_thread.run_sync(self._accounts.add, name, hashed, name, code, list(own), identity)
        except NameOwned as owned:
            raise Refused(Why.NAME_TAKEN, str(owned)) from None
        except NoInvitation as none:
            raise Refused(Why.BAD_TICKET, str(none)) from None
        except IdentityTaken as taken:
            raise Refused(Why.NOT_NOW, str(taken)) from None
        self._own([name])
        return name

    def _check_free(self, name: str) -> None:
        """Refused (NAME_TAKEN): it is an account's or the host's, as far as this process knows, or looks like one."""
        if self._owned(name) or not self._hosts.isdisjoint(keys(name)):
            raise Refused(Why.NAME_TAKEN, f"{name} is registered already, or looks like a name that is")


def _keys_of(hosts: Iterable[str]) -> set[str]:
    return {key for name in hosts for key in keys(name)}
