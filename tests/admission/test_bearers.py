"""The bearer of a token is known by the token alone; wrong ones make their address wait, and bans hold."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from gateway.accounts.issuing import issue
from gateway.accounts.tokens import new_token
from gateway.store.bans import Ban
from protocols.core.errors import Refused, Why
from tests.hall import Hall, config, hall
from tests.store.accounts_memory import MemoryAccounts
from tests.store.bans_memory import MemoryBans

HOME, ELSEWHERE = "192.0.2.9", "198.51.100.7"


@pytest.fixture
def accounts() -> MemoryAccounts:
    made = MemoryAccounts()
    made.add("robot", "hash", "root")
    return made


async def refused(here: Hall, token: str, address: str = HOME) -> Why:
    with pytest.raises(Refused) as refusal:
        await here.server.authenticator.bearer(token, address)
    return refusal.value.why


async def test_a_bearer_is_an_account_with_scopes_and_perhaps_a_program(accounts: MemoryAccounts) -> None:
    token, _ = issue(accounts, "robot", "root", "bot", ["bot:play", "challenge:read"])
    accounts.set_bot("robot", True, "root")
    async with hall(accounts=accounts) as here:
        found = await here.server.authenticator.bearer(token, HOME)
        assert (found.account, found.bot, found.scopes) == ("robot", True, frozenset({"bot:play", "challenge:read"}))
        assert (found.may("bot:play"), found.may("board:play")) == (True, False)
        accounts.revoke("robot", "root")
        assert await refused(here, token) is Why.BAD_PASSWORD


async def test_what_has_no_token_s_form_is_refused(accounts: MemoryAccounts) -> None:
    async with hall(accounts=accounts) as here:
        for address, secret in ((HOME, "correct horse"), (ELSEWHERE, "")):
            assert await refused(here, secret, address) is Why.BAD_PASSWORD


async def test_an_address_that_guesses_tokens_waits_and_with_a_right_one_too(
    accounts: MemoryAccounts, mock_clock: MockClock
) -> None:
    token, _ = issue(accounts, "robot", "root", "bot")
    async with hall(config(unknown_tickets=3), accounts=accounts) as here:
        causes = [await refused(here, new_token()) for _ in range(6)]
        assert (causes[0], causes[-1]) == (Why.BAD_PASSWORD, Why.TOO_FAST)
        assert await refused(here, token) is Why.TOO_FAST
        assert (await here.server.authenticator.bearer(token, ELSEWHERE)).account == "robot"


async def test_a_banned_account_is_told_so(accounts: MemoryAccounts) -> None:
    token, _ = issue(accounts, "robot", "root", "bot")
    bans = MemoryBans()
    bans.add(Ban("name", "robot", "cheating"), "root")
    async with hall(accounts=accounts, bans=bans) as here:
        assert await refused(here, token) is Why.BANNED
