"""Gives accounts the seats that their people took as guests, by the tickets of those seats."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from gateway.accounts.logins import NOT_NOW
from gateway.store.accounts import Accounts
from gateway.store.guest_seats import GuestTicket
from protocols.core.errors import Refused, Why

_log = structlog.get_logger()


Call: TypeAlias = Callable[..., Awaitable[Any]]
"""Calls a function that blocks on the database with these arguments."""


class GuestSeats:
    """Keeps and finds them in ``accounts``."""

    def __init__(self, accounts: Accounts, call: Call) -> None:
        self._accounts = accounts
        self._call = call

    async def keep(self, account: str, kept: Collection[GuestTicket]) -> None:
        """The account has the seats of these tickets from now on. NoAccount; SQLAlchemyError."""
        await self._call(self._accounts.keep_seats, account, list(kept), time.time())

    async def ticket(self, account: str, table: int) -> bytes | None:
        """The digest of a ticket whose seat at this table the account has kept; None: it has kept none there.

        Refused (OVERLOAD) while the database is in trouble.
        """
        try:
            digest: bytes | None = await self._call(self._accounts.guest_ticket, account, table)
        except SQLAlchemyError as error:
            _log.warning("kept seats cannot be read", error=str(error))
            raise Refused(Why.OVERLOAD, NOT_NOW) from None
        return digest
