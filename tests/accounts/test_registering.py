"""Accounts that are made by themselves at several nodes of one database: no two look alike."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from gateway.accounts.logins import Logins
from gateway.accounts.registering import SelfRegistration, becoming
from gateway.config import Config
from gateway.lobby.names import Names
from gateway.ops.server import OVERLAP_S
from gateway.store.guest_seats import GuestTicket
from protocols.core.errors import Refused, Why
from tests.store.accounts_memory import MemoryAccounts

PASSWORD = "correct horse"


def node(accounts: MemoryAccounts) -> SelfRegistration:
    """The registration of one of the database's nodes, with the names that it knows itself."""
    names = Names()

    async def learn() -> None:
        names.own(accounts.names(time.time() - OVERLAP_S))

    async def plays(name: str, own: Mapping[GuestTicket, int]) -> bool:
        return name == "zoe" and not own

    return SelfRegistration("open", accounts, Logins(accounts, 1), names.owned, names.own, learn, plays)


@pytest.mark.parametrize("second", ["pau1", "PAUL"])
async def test_a_name_that_looks_like_one_made_at_another_node_a_moment_ago_is_refused(second: str) -> None:
    accounts = MemoryAccounts()
    one, two = node(accounts), node(accounts)
    assert await one.register("paul", PASSWORD, "", "192.0.2.1") == "paul"
    with pytest.raises(Refused, match="looks like a name that is") as refused:
        await two.register(second, PASSWORD, "", "192.0.2.2")
    assert refused.value.why is Why.NAME_TAKEN
    assert await two.register("peter", PASSWORD, "", "192.0.2.2") == "peter"
    assert sorted(accounts.names()) == ["paul", "peter"]


async def test_a_name_under_which_a_guest_plays_is_refused_until_the_game_is_over() -> None:
    """Its seat would be the account's: an account takes its seats by its name."""
    accounts = MemoryAccounts()
    with pytest.raises(Refused, match="zoe has a game here that is not over") as refused:
        await node(accounts).register("zoe", PASSWORD, "", "192.0.2.1")
    assert refused.value.why is Why.NAME_TAKEN
    assert accounts.names() == []


@pytest.mark.parametrize(
    ("registration", "server", "words"),
    [
        ({}, {}, "accounts are made on the page /login"),
        ({}, {"public_host": "games.example.org"}, "accounts are made on the page https://games.example.org/login"),
        (
            {"accounts": "invitation"},
            {},
            "who has an invitation of the host makes an account on the page /login",
        ),
        ({"accounts": "closed"}, {}, "the host of this server makes accounts"),
    ],
)
def test_guests_are_told_the_way_to_an_account(
    registration: dict[str, Any], server: dict[str, Any], words: str
) -> None:
    usual = Config()
    config = replace(
        usual, registration=replace(usual.registration, **registration), server=replace(usual.server, **server)
    )
    assert becoming(config) == words
