"""Lets people give their accounts a mail address, and ask for a new password by mail, not too often.

Nothing is sent here: messages wait in the database for the node that sends them (gateway/push).
"""

from __future__ import annotations

import re
import secrets
import time
from functools import partial
from typing import Final

import trio

from gateway.accounts.logins import ADDRESS_BURST, ADDRESS_PER_S, Tries
from gateway.accounts.tokens import TOKEN_BYTES, digest
from gateway.net.addresses import address_key
from gateway.store.accounts import NoLink
from gateway.store.mail import Letters, MailAddress
from protocols.core.errors import Refused, Why

LONGEST: Final = 254
"""Characters of an address (RFC 5321, 4.5.3.1.3, without the brackets)."""

ADDRESS: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@"
    r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+"
)
"""An address as browsers take it (HTML, 4.10.5.1.5, type=email), with a dot in its domain."""

CONFIRMED_S: Final = 86_400.0
"""Seconds in which an address is to be confirmed."""

ASKED_S: Final = 900.0
"""Seconds that a person's question for a new password waits for the mail server."""

GIVEN_BURST, GIVEN_PER_S = 3, 1 / 1200
"""Addresses that one account gives at once, and then a second: each is a message to somebody."""

PEER_BURST, PEER_PER_S = 10, 1 / 600
"""Messages that are asked for from one network address at once, and then a second: a school class in a lesson."""


def new_code() -> tuple[str, bytes]:
    """A code for an address, and its stored form."""
    code = secrets.token_urlsafe(TOKEN_BYTES)
    return code, digest(code)


def read_mail_address(text: str) -> str:
    """The address that a person has typed, in lower case. Refused (BAD_OPTION): it is none."""
    wanted = text.strip()
    if len(wanted) > LONGEST or not ADDRESS.fullmatch(wanted):
        raise Refused(Why.BAD_OPTION, "this is no mail address, such as ada@example.org")
    return wanted.lower()


class Mailing:
    """``letters`` has the addresses. ``on``: the host has set a mail server up."""

    def __init__(self, letters: Letters, *, on: bool) -> None:
        self._letters = letters
        self.on = on
        self._tries = Tries()

    async def of(self, account: str) -> MailAddress:
        """The account's addresses. SQLAlchemyError here and below: the database is in trouble."""
        return await trio.to_thread.run_sync(self._letters.address, account, time.time())

    async def want(self, account: str, typed: str, peer: str) -> None:
        """Have a code sent to this address, which is the account's once it is shown.

        Refused: BAD_OPTION, no address; TOO_FAST. NoAccount.
        """
        address, now = read_mail_address(typed), time.time()
        self._tries.count(f"account {account}", GIVEN_PER_S, GIVEN_BURST, "messages were sent for this account")
        self._tries.count(f"peer {address_key(peer)}", PEER_PER_S, PEER_BURST, "messages were sent for your address")
        await trio.to_thread.run_sync(self._letters.want, account, address, now, now + CONFIRMED_S)

    async def confirm(self, code: str, peer: str) -> None:
        """The address where this code was sent is its account's. Refused: BAD_TICKET, no code; TOO_FAST."""
        self._tries.count(f"codes {address_key(peer)}", ADDRESS_PER_S, ADDRESS_BURST, "links were tried from there")
        try:
            await trio.to_thread.run_sync(self._letters.confirm, digest(code.strip()), time.time())
        except NoLink as none:
            raise Refused(Why.BAD_TICKET, str(none)) from None

    async def remove(self, account: str) -> None:
        """The account has no address any more."""
        await trio.to_thread.run_sync(self._letters.remove, account)

    async def tell(self, account: str, *, on: bool) -> None:
        """Notices go to the account's address from now on, or no more."""
        await trio.to_thread.run_sync(partial(self._letters.tell, account, on=on))

    async def tell_no_more(self, off: bytes) -> bool:
        """End the notices whose messages have this code. False: there are none. Not bounded: a mail provider asks for
        all of its people from few addresses."""
        return await trio.to_thread.run_sync(self._letters.tell_no_more, off)

    async def ask(self, typed: str, peer: str) -> None:
        """Have links for a new password sent to the accounts of this name or address, if there are any.

        Refused (TOO_FAST): too often from there. How often an account gets one is for the sender to bound, silently.
        """
        wanted, now = typed.strip()[:LONGEST], time.time()
        self._tries.count(f"peer {address_key(peer)}", PEER_PER_S, PEER_BURST, "messages were sent for your address")
        if wanted:
            await trio.to_thread.run_sync(self._letters.ask, wanted, now, now + ASKED_S)
