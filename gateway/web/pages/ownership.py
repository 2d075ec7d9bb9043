"""Makes sure that what cannot be undone is sent by an account's owner, and not by who has found its browser open.

The owner gives the password; of an account without one, who has logged in a moment ago is the owner.
"""

from __future__ import annotations

from typing import Final

from gateway.accounts.logins import Logins
from gateway.admission.authentication import Authenticator
from gateway.store.accounts import Accounts
from gateway.store.identities import NO_PASSWORD
from gateway.web.sessions import Person, WebSessions
from protocols.core.errors import Refused, Why

FRESH_S: Final = 600.0
"""Seconds after a login in which an account without a password changes what asks for one."""

ANEW: Final = "this account has no password: log in anew below Logins, and do this within ten minutes"

TOKEN: Final = "this is a token: give the password of the account"


class Ownership:
    def __init__(self, authenticator: Authenticator, logins: Logins, sessions: WebSessions, accounts: Accounts) -> None:
        self._authenticator = authenticator
        self._logins = logins
        self._sessions = sessions
        self._accounts = accounts

    async def of(self, person: Person) -> bool:
        """True if the person's account has a password."""
        if not person.account:
            return False
        found = await self._sessions.do(self._accounts.find, person.account)
        return found is not None and found.password_hash != NO_PASSWORD

    async def check(self, person: Person, password: str, address: str) -> None:
        """Refused (BAD_PASSWORD): it is not the account's, or it has none and its login is not fresh; TOO_FAST."""
        if not await self.of(person):
            if await self._sessions.age_s(person) > FRESH_S:
                raise Refused(Why.BAD_PASSWORD, ANEW)
            return
        if self._logins.is_token(password):
            raise Refused(Why.BAD_PASSWORD, TOKEN)
        await self._authenticator.account(person.account, password, address)
