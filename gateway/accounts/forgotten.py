"""Gives an account another password by a one-time link of the host, for a person who has forgotten the old one.

The link's code is random, and the database has its SHA-256. An account has one link at a time: a new one, any other new
password, and the account's disabling end it.
"""

from __future__ import annotations

import secrets
import time
from typing import Final

import trio

from gateway.accounts.logins import ADDRESS_BURST, ADDRESS_PER_S, Logins, Tries
from gateway.accounts.tokens import TOKEN_BYTES, digest
from gateway.net.addresses import address_key
from gateway.store.accounts import Accounts, NoLink
from protocols.core.errors import Refused, Why

LINK_S: Final = 86_400.0
"""Seconds that a link is good: the host hands it over by another way, and the person reads it in the evening."""


def new_link(accounts: Accounts, name: str, by: str, lasts_s: float = LINK_S) -> tuple[str, str, float]:
    """The account's name as it was registered, the code, and until when it is good in Unix time.

    NoAccount: there is none, or it is disabled. Blocks.
    """
    code, now = secrets.token_urlsafe(TOKEN_BYTES), time.time()
    return accounts.add_link(digest(code), name, by, now, now + lasts_s), code, now + lasts_s


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
