"""Accounts that an account follows, and those that it has blocked: its lists, and what a block keeps apart.

A block counts both ways, as it was when an offer was made or a seat was asked for: a change is a new offer.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

import structlog
from msgspec.structs import replace
from sqlalchemy.exc import SQLAlchemyError

from gateway.accounts.logins import NOT_NOW, Tries
from gateway.lobby.offers import Offers
from gateway.lobby.party import folded, same_name
from gateway.store.accounts import Accounts
from gateway.store.ties import Blocks, Tie, Tied, TooManyTies
from protocols.core.errors import Refused, Why

T = TypeVar("T")

Call: TypeAlias = Callable[..., Awaitable[Any]]
"""Calls a function that blocks on the database with these arguments."""

BURST, PER_S = 30, 0.5
"""Changes of one account's lists at once, and then a second."""

WORDS: Final[Mapping[Tie, str]] = {"follows": "follow", "blocks": "block"}

NOBODY: Final = Blocks()

_log = structlog.get_logger()


class Circle:
    """The lists of all accounts. ``offers`` are those that stand; ``withdraw`` ends one for an account, by number."""

    def __init__(
        self, accounts: Accounts, call: Call, offers: Offers, withdraw: Callable[[str, int], Awaitable[None]]
    ) -> None:
        self._accounts = accounts
        self._call = call
        self._offers = offers
        self._withdraw = withdraw
        self._tries = Tries()

    async def blocks(self, account: str) -> Blocks:
        """The names, as ``party.folded`` gives them, that are apart from an account by a block; none from "", a guest.

        Refused (OVERLOAD) while the database is in trouble.
        """
        if not account:
            return NOBODY
        found: Blocks = await self._asked(self._accounts.blocks, account)
        return Blocks(*(frozenset(folded(name) for name in names) for names in found)) if found.apart else NOBODY

    async def check(self, account: str, name: str) -> None:
        """Refused (NOT_NOW): a block stands between an account, "" a guest, and whoever has this name."""
        if folded(name) in (await self.blocks(account)).apart:
            raise Refused(Why.NOT_NOW, f"you and {name} hear nothing of each other: one of you has blocked the other")

    async def tied(self, kind: Tie, account: str) -> list[Tied]:
        """The accounts in a list, by name. Refused (OVERLOAD)."""
        found: list[Tied] = await self._asked(self._accounts.tied, kind, account)
        return found

    async def tie(self, kind: Tie, account: str, name: str) -> Tied:
        """Put an account into a list. Whoever is blocked is offered nothing more, and offers nothing more.

        NoAccount; Refused: BAD_OPTION, it is the account itself; TOO_FAST, the list is full, or has changed too often;
        OVERLOAD.
        """
        if same_name(account, name):
            raise Refused(Why.BAD_OPTION, f"you cannot {WORDS[kind]} yourself")
        self._count(account)
        try:
            found: Tied = await self._asked(self._accounts.tie, kind, account, name, time.time())
        except TooManyTies as full:
            raise Refused(Why.TOO_FAST, str(full)) from None
        if kind == "blocks":
            await self._part(account, found.name)
        return found

    async def untie(self, kind: Tie, account: str, name: str) -> None:
        """Take an account out of a list; offers that stand stay as they are. Idempotent. TOO_FAST; OVERLOAD."""
        self._count(account)
        await self._asked(self._accounts.untie, kind, account, name)

    def forget(self, now: float) -> None:
        """Forget the changes of those who may change their lists as often as anybody again."""
        self._tries.forget(now)

    def _count(self, account: str) -> None:
        self._tries.count(account.casefold(), PER_S, BURST, "changes of your lists")

    async def _part(self, account: str, name: str) -> None:
        """Offers between these two end. Others of the account are new ones, which this name cannot take."""
        ending = []
        for offer in self._offers:
            mine = same_name(offer.by, account)
            between = same_name(offer.by if not mine else offer.to, name) and (mine or same_name(offer.to, account))
            if between or (mine and not offer.to and offer.node):
                ending.append(offer.number)
            elif mine and not offer.to:
                self._offers.post(replace(offer, blocks=offer.blocks | {folded(name)}))
        for number in ending:
            try:
                await self._withdraw(account, number)
            except Refused as refused:
                if refused.why is not Why.NOT_NOW:  # that it stands no more
                    raise

    async def _asked(self, function: Callable[..., T], *arguments: object) -> T:
        try:
            found: T = await self._call(function, *arguments)
        except SQLAlchemyError as error:
            _log.warning("lists of accounts cannot be read", error=str(error))
            raise Refused(Why.OVERLOAD, NOT_NOW) from None
        return found
