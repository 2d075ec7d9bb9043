"""Gives an account another password by a one-time link, of the host or by mail, for who has forgotten the old one, or
has an account back that somebody else was in.

The link's code is random, and the database has its SHA-256. A new link of the host ends older ones; one by mail does
not, for strangers may ask for it. Any other new password, and the account's disabling, end them all.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection
from typing import Final

import trio

from gateway.accounts.logins import ADDRESS_BURST, ADDRESS_PER_S, Logins, Tries
from gateway.accounts.tokens import TOKEN_BYTES, digest
from gateway.config import Config
from gateway.net.addresses import address_key
from gateway.store.accounts import Accounts, NoAccount, NoLink
from protocols.core.errors import Refused, Why

LINK_S: Final = 86_400.0
"""Seconds that a link is good: the host hands it over by another way, and the person reads it in the evening."""


MAILED_S: Final = 3600.0
"""Seconds that a link by mail is good: whoever has asked for it waits for it."""

BY_MAIL: Final = "mail"
"""The name under which a link by mail is noted: nobody knows who has asked for it."""


def new_link(
    accounts: Accounts, name: str, by: str, lasts_s: float = LINK_S, *, alone: bool = True
) -> tuple[str, str, float]:
    """The account's name as it was registered, the code, and until when it is good in Unix time.

    NoAccount: there is none, or it is disabled. Blocks.
    """
    code, now = secrets.token_urlsafe(TOKEN_BYTES), time.time()
    return accounts.add_link(digest(code), name, by, now, now + lasts_s, alone=alone), code, now + lasts_s


def mailed_link(accounts: Accounts, hosts: Collection[str], name: str) -> str:
    """The code of a link that goes to the account's mail address. An account of the host gets none: whoever reads its
    mail would be the host. NoAccount. Blocks."""
    if name.casefold() in {host.casefold() for host in hosts}:
        raise NoAccount(f"{name} may be the host: boardgate account link makes its link")
    return new_link(accounts, name, BY_MAIL, MAILED_S, alone=False)[1]


class MailedLinks:
    """Makes links for mail by ``mailed_link``; an account of the host is one of the settings as they are now."""

    def __init__(self, accounts: Accounts, config: Config) -> None:
        self._accounts = accounts
        self._hosts = config.registration.host_accounts.split()

    def reread(self, config: Config) -> None:
        """Take the accounts of these settings for the host's."""
        self._hosts = config.registration.host_accounts.split()

    def code(self, name: str) -> str:
        """The code of a link for this account. NoAccount. Blocks."""
        return mailed_link(self._accounts, self._hosts, name)


def nobodys_password() -> str:
    """A password that is told to nobody: an account has it from its reset until its owner has used the link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def taken_back(
    accounts: Accounts, name: str, by: str, password_hash: str, lasts_s: float = LINK_S
) -> tuple[str, str, float]:
    """Reset an account, and make its owner's link: name as registered, code, until when it is good in Unix time.

    ``password_hash`` is that of ``nobodys_password``. A disabled account gets no link: the code is "". NoAccount.
    Blocks.
    """
    registered = accounts.reset(name, password_hash, by)
    try:
        return new_link(accounts, name, by, lasts_s)
    except NoAccount:
        return registered, "", 0.0


class Forgotten:
    """Takes links and new passwords from the network, not too often from one address."""

    def __init__(self, accounts: Accounts, logins: Logins) -> None:
        self._accounts = accounts
        self._logins = logins
        self._tries = Tries()

    async def renew(self, code: str, password: str, address: str) -> str:
        """The account, whose password this is now; its tokens and sessions end.

        Refused: BAD_TICKET, no link; BAD_OPTION, no password; TOO_FAST, OVERLOAD. SQLAlchemyError: the database is in
        trouble.
        """
        self._tries.count(address_key(address), ADDRESS_PER_S, ADDRESS_BURST, "links were tried from your address")
        hashed = await self._logins.hashed(password)
        try:
            return await trio.to_thread.run_sync(self._accounts.use_link, digest(code.strip()), hashed, time.time())
        except NoLink as none:
            raise Refused(Why.BAD_TICKET, str(none)) from None
