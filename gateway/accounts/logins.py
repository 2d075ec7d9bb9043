"""Names, passwords and tokens that come in by the network: checked in few threads, and not too often.

A password that was right is known again for some minutes without being checked anew, as long as the account stays as
it was: programs send it with every request. Not here: HTTP, and how passwords are stored (passwords.py).
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from hashlib import blake2b
from typing import Final, TypeVar

import trio

from gateway.accounts.passwords import fits
from gateway.accounts.tokens import TOKEN_S, digest, is_token, new_token
from gateway.lobby.spelling import tidy
from gateway.net.addresses import place_of
from gateway.net.allowance import Allowance
from gateway.store.accounts import Account, Accounts, Token
from protocols.core.errors import Refused, Why

K = TypeVar("K")
V = TypeVar("V")

WAITING: Final = 32
"""Checks that may wait for a thread: at 150 ms each, two at a time, the last one is answered within three seconds."""

ADDRESS_BURST, ADDRESS_PER_S = 10, 0.2
"""Checks from one address at once, and then a second: a family behind one router forgets its passwords in turns."""

NAME_BURST, NAME_PER_S = 20, 0.1
"""The same for one name from wherever: nobody guesses a password at a try in ten seconds."""

REMEMBERED: Final = 10_000
"""Addresses, names and right passwords that are remembered; those not seen for longest are forgotten first."""

REMEMBERED_S: Final = 300.0
"""Seconds a right password is known again."""


class Logins:
    """Checks who somebody is; ``at_once`` passwords at the same time."""

    def __init__(self, accounts: Accounts, at_once: int) -> None:
        self._accounts = accounts
        self._threads = trio.CapacityLimiter(at_once)
        self._waiting = 0
        self._tries: OrderedDict[str, Allowance] = OrderedDict()
        self._right: OrderedDict[bytes, float] = OrderedDict()
        self._key = secrets.token_bytes(32)

    async def account(self, name: str, password: str, address: str) -> str | None:
        """The account's name as it was registered; None when name and password do not go together.

        ``password`` may be a token instead; with one, "" for the name is the token's own. Refused (TOO_FAST): too many
        tries of this address or for this name. Unknown and disabled accounts take as long as wrong passwords.
        """
        name = tidy(name)
        if is_token(password):
            return await self._by_token(name, password)
        if not name:
            return None
        found = await trio.to_thread.run_sync(self._accounts.find, name)
        if found is not None and found.disabled_at is None and self._knows(found, password):
            return found.name
        self._count(f"address {place_of(address)}", ADDRESS_PER_S, ADDRESS_BURST)
        self._count(f"name {name.casefold()[:64]}", NAME_PER_S, NAME_BURST)
        if not await self._fits(found, password) or found is None or found.disabled_at is not None:
            return None
        _remember(self._right, self._mark(found, password), trio.current_time() + REMEMBERED_S)
        return found.name

    def is_token(self, secret: str) -> bool:
        """Whether a secret has a token's form."""
        return is_token(secret)

    async def _by_token(self, name: str, token: str) -> str | None:
        found = await trio.to_thread.run_sync(self._accounts.token_owner, digest(token), time.time())
        if found is None or found.disabled_at is not None or name.casefold() not in ("", found.name.casefold()):
            return None
        return found.name

    async def new_token(self, account: str) -> tuple[str, float]:
        """A token for an account whose password was right, and when it expires, in Unix time."""
        token, now = new_token(), time.time()
        made = Token(digest(token), account, now, now + TOKEN_S)
        await trio.to_thread.run_sync(self._accounts.add_token, made)
        return token, made.expires_at

    async def end_token(self, token: str) -> bool:
        """This token is good no more; whether it was."""
        return await trio.to_thread.run_sync(self._accounts.end_token, digest(token))

    async def _fits(self, found: Account | None, password: str) -> bool:
        if self._waiting >= WAITING:
            raise Refused(Why.OVERLOAD, "too many passwords are being checked, try again in a moment")
        self._waiting += 1
        try:
            password_hash = None if found is None else found.password_hash
            return await trio.to_thread.run_sync(fits, password_hash, password, limiter=self._threads)
        finally:
            self._waiting -= 1

    def _count(self, who: str, per_s: float, burst: int) -> None:
        now = trio.current_time()
        tries = self._tries.get(who) or Allowance(per_s, burst, now)
        _remember(self._tries, who, tries)
        if wait_s := tries.refuses_s(1, now):
            raise Refused(Why.TOO_FAST, f"too many passwords were tried; try again in {wait_s:.0f} s")

    def _knows(self, found: Account, password: str) -> bool:
        return self._right.get(self._mark(found, password), 0.0) > trio.current_time()

    def _mark(self, found: Account, password: str) -> bytes:
        """Names the password without holding it; another password or account makes another mark."""
        mark = blake2b(key=self._key)
        for part in (found.name, found.password_hash, password):
            mark.update(len(part.encode()).to_bytes(4, "big") + part.encode())
        return mark.digest()


def _remember(memory: OrderedDict[K, V], key: K, value: V) -> None:
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)
