"""Hashes passwords, and checks names, passwords and tokens from the network: in few threads, and not too often.

argon2id takes a processor some 150 ms (RFC 9106, its second recommended parameters). A password that was right is known
again for some minutes while the account stays as it was: programs send it with every request.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from typing import Final, TypeVar

import structlog
import trio
from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.exc import SQLAlchemyError

from gateway.accounts.tokens import digest, is_token
from gateway.admission.token_bucket import TokenBucket
from gateway.config import Config
from gateway.lobby.spelling import tidy
from gateway.net.addresses import address_key
from gateway.store.accounts import Account, Accounts, NoAccount
from gateway.store.identities import NO_PASSWORD
from gateway.store.tokens import PLAY, Token
from protocols.core.errors import Refused, Why

SHORTEST: Final = 8
LONGEST: Final = 256
"""Characters of a password. A longer text costs time to hash and protects no better."""

K = TypeVar("K")
V = TypeVar("V")

_hasher: Final = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4, type=Type.ID)


def hashed(password: str) -> str:
    """The stored form of a password: parameters, salt and digest. Refused (BAD_OPTION): too short, or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refused(Why.BAD_OPTION, f"a password has {SHORTEST} to {LONGEST} characters, not {len(password)}")
    return _hasher.hash(password)


def fits(password_hash: str | None, password: str) -> bool:
    """True if this is the password. None, for an unknown name, and NO_PASSWORD never fit and take as long."""
    known = password_hash if password_hash != NO_PASSWORD else None
    try:
        same = _hasher.verify(known or _nobodys(), password[: LONGEST + 1])
    except (VerificationError, InvalidHashError):
        return False
    return same and known is not None


@cache
def _nobodys() -> str:
    """The hash that passwords of unknown names are compared with, so that time does not tell which names there are."""
    return _hasher.hash("nobody has this password")


WAITING: Final = 32
"""Checks that may wait for a thread: at 150 ms each, two at a time, the last one is answered within three seconds."""

ADDRESS_BURST, ADDRESS_PER_S = 10, 0.2
"""Checks from one address at once, and then a second: a family behind one router forgets its passwords in turns."""

NAME_BURST, NAME_PER_S = 20, 0.1
"""The same for one name from all addresses: a try in ten seconds guesses no password."""

REMEMBERED: Final = 10_000
"""Addresses, names and right passwords that are remembered; those not seen for longest are forgotten first."""

REMEMBERED_S: Final = 300.0
"""Seconds a right password is known again."""


NOT_NOW: Final = "accounts cannot be read just now, try again in a moment"

TRIED: Final = "passwords were tried"

_log = structlog.get_logger()


DAY_S: Final = 86_400.0
"""Seconds after which the last use of a token is written down anew."""

NO_PLAY: Final = f"this token is not good for playing: that needs {' or '.join(PLAY)}"


@dataclass(frozen=True, slots=True)
class Bearer:
    """A client that presents a token that is good: its ``account``, and whether that is a program's (``bot``)."""

    account: str
    bot: bool
    token: Token

    @property
    def scopes(self) -> frozenset[str]:
        """Words of ``gateway.store.tokens.SCOPES``: the token is good for these."""
        return self.token.scopes

    def may(self, *scopes: str) -> bool:
        """True if the token is good for one of these."""
        return self.token.may(*scopes)


class Tries:
    """Counts what one address, or one name, tries; those that have not tried for longest are forgotten first."""

    def __init__(self) -> None:
        self._tries: OrderedDict[str, TokenBucket] = OrderedDict()

    def count(self, who: str, per_s: float, burst: int, what: str) -> None:
        """One more. Refused (TOO_FAST) says that too many of ``what``."""
        now = trio.current_time()
        self.forget(now)
        tries = self._tries.get(who) or TokenBucket(per_s, burst, now)
        _remember(self._tries, who, tries)
        if wait_s := tries.refuses_s(now):
            raise Refused(Why.TOO_FAST, f"too many {what}; try again in {wait_s:.0f} s")

    def forget(self, now: float) -> None:
        """Forget those that may try as often as anybody again."""
        while self._tries and next(iter(self._tries.values())).full(now):
            self._tries.popitem(last=False)


class Logins:
    """Checks names and passwords, ``at_once`` of them at the same time."""

    def __init__(self, accounts: Accounts, at_once: int) -> None:
        self._accounts = accounts
        self._threads = trio.CapacityLimiter(at_once)
        self._waiting = 0
        self._tries = Tries()
        self._right: OrderedDict[bytes, float] = OrderedDict()
        self._key = secrets.token_bytes(32)

    def reread(self, config: Config) -> None:
        """Check as many at the same time as these settings say; checks that run go on."""
        self._threads.total_tokens = config.registration.logins_at_once

    def forget(self, now: float) -> None:
        """Forget what was tried long ago, as all that counts by address does."""
        self._tries.forget(now)

    async def account(self, name: str, password: str, address: str) -> str | None:
        """The account's name as it was registered; None when name and password do not go together.

        ``password`` may be a token instead; with one, "" for the name is the token's own. Refused (TOO_FAST): too many
        tries of this address or for this name; OVERLOAD: accounts cannot be read, or too many wait for a check;
        BAD_PASSWORD: the token is not good for playing. Unknown and disabled accounts take as long as wrong passwords.
        """
        name = tidy(name)
        if is_token(password):
            bearer = await self.bearer(password)
            if bearer is None or name.casefold() not in ("", bearer.account.casefold()):
                return None
            if not bearer.may(*PLAY):
                raise Refused(Why.BAD_PASSWORD, NO_PLAY)
            return bearer.account
        if not name:
            return None
        found = await _read(self._accounts.find, name)
        if found is not None and found.disabled_at is None and self._knows(found, password):
            return found.name
        self._forget()
        self._tries.count(f"address {address_key(address)}", ADDRESS_PER_S, ADDRESS_BURST, TRIED)
        self._tries.count(f"name {name.casefold()[:64]}", NAME_PER_S, NAME_BURST, TRIED)
        if not await self._fits(found, password) or found is None or found.disabled_at is not None:
            return None
        _remember(self._right, self._mark(found, password), trio.current_time() + REMEMBERED_S)
        return found.name

    async def renewed(self, name: str, passwords: str, address: str) -> str | None:
        """The account's name as it was registered, which has another password from now on; None where the old one is
        wrong.

        ``passwords`` are the old one, a blank, and the new one, which has none. Its sessions and nameless tokens end.
        Said again it changes nothing: who was cut off says it again. A token is no password here. Refused as by
        ``account``; BAD_OPTION as by ``hashed``.
        """
        old, _, new = passwords.rpartition(" ")
        if len(old) < SHORTEST or is_token(old) or is_token(new):
            return None
        if len(new) >= SHORTEST and (changed := await self.account(name, new, address)) is not None:
            return changed
        if (account := await self.account(name, old, address)) is None:
            return None
        change = partial(self._accounts.set_password, keep_tokens=True)
        with suppress(NoAccount):
            await _read(change, account, await self.hashed(new), account)
            return account
        return None

    def is_token(self, secret: str) -> bool:
        """True if a secret has a token's form."""
        return is_token(secret)

    async def bearer(self, token: str) -> Bearer | None:
        """The bearer of this token; None: it is unknown, has expired, or its account is disabled.

        Refused (OVERLOAD): accounts cannot be read.
        """
        now = time.time()
        found = await _read(self._accounts.token, digest(token), now)
        if found is None:
            return None
        if found.used_at is None or now - found.used_at > DAY_S:
            with suppress(SQLAlchemyError):  # a login is worth more than the day of the last one
                await trio.to_thread.run_sync(self._accounts.token_used, found.digest, now)
        return Bearer(found.name, found.bot, found)

    async def hashed(self, password: str) -> str:
        """The stored form of a new password. Refused: BAD_OPTION, as ``hashed``; OVERLOAD."""
        return await self._in_turn(hashed, password)

    async def _fits(self, found: Account | None, password: str) -> bool:
        return await self._in_turn(fits, None if found is None else found.password_hash, password)

    async def _in_turn(self, function: Callable[..., V], *arguments: str | None) -> V:
        """Calls ``function`` in a thread and returns its answer. Refused (OVERLOAD): too many wait for a thread."""
        if self._waiting >= WAITING:
            raise Refused(Why.OVERLOAD, "too many passwords are being checked, try again in a moment")
        self._waiting += 1
        try:
            return await trio.to_thread.run_sync(function, *arguments, limiter=self._threads)
        finally:
            self._waiting -= 1

    def _forget(self) -> None:
        now = trio.current_time()
        while self._right and next(iter(self._right.values())) <= now:
            self._right.popitem(last=False)

    def _knows(self, found: Account, password: str) -> bool:
        return self._right.get(self._mark(found, password), 0.0) > trio.current_time()

    def _mark(self, found: Account, password: str) -> bytes:
        """Names the password without holding it; another password or account makes another mark."""
        mark = blake2b(key=self._key)
        for part in (found.name, found.password_hash, password):
            mark.update(len(part.encode()).to_bytes(4, "big") + part.encode())
        return mark.digest()


async def _read(function: Callable[..., V], *arguments: object) -> V:
    """Call what reads accounts. Refused (OVERLOAD) while the database is in trouble."""
    try:
        return await trio.to_thread.run_sync(function, *arguments)
    except SQLAlchemyError as error:
        _log.warning("accounts cannot be read", error=str(error))
        raise Refused(Why.OVERLOAD, NOT_NOW) from None


def _remember(memory: OrderedDict[K, V], key: K, value: V) -> None:
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)
