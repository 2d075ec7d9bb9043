"""The host sees which addresses cost most: on a page, and by the API; nobody else does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from gateway.admission.address_costs import CONNECTIONS, STORED
from tests.hall import alternate, config, hall
from tests.onlooking import page, playing
from tests.web.browsing import checked
from tests.web.club import TOKEN, club
from tests.web.person import Person
from tests.web.test_host_page import the_host


async def test_the_host_sees_the_dearest_addresses_with_a_link_that_bans(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        costs = here.hall.server.costs
        here.hall.server.connection_limits.take("2001:db8::7")
        costs.heard("2001:db8::7", 1000)
        costs.stored("192.0.2.9", 2048)
        costs.refused("192.0.2.9", STORED)
        costs.refused("192.0.2.9", CONNECTIONS)
        host = await the_host(here)
        shown = checked(await host.get("/host/addresses"))
        rows = [[cell.words() for cell in row.all("td")] for row in shown.all("tr")]
        assert rows[1] == ["2001:db8::/64", "1", "0", "1000", "0.0 KiB", ""]
        assert ["192.0.2.9", "0", "0", "0", "2.0 KiB", "connections 1 stored_per_minute 1"] in rows
        (link,) = [each for each in shown.all("a") if each.text == "2001:db8::/64"]
        bans = checked(await host.get(link.attributes["href"]))
        assert "2001:db8::/64" in [field.attributes.get("value") for field in bans.all("input")]
        assert "At this server alone" not in shown.words()


async def test_the_same_is_told_by_the_api_with_the_hosts_token_alone(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        costs = here.hall.server.costs
        costs.refused("192.0.2.9", STORED)
        for _ in range(3):
            await Person(here.port).get("/games")
        told = (await here.ask("/api/addresses", auth=f"Bearer {TOKEN}")).body["addresses"]
        mine, other = told
        assert (mine["address"], other) == (
            "127.0.0.1",
            {
                "address": "192.0.2.9",
                "here": 0,
                "opened": 0,
                "commands": 0,
                "stored_bytes": 0,
                "refused": {"stored_per_minute": 1},
            },
        )
        assert mine["commands"] >= 4
        assert (await here.ask("/api/addresses")).status == 401
        assert (await here.ask("/api/addresses", auth=here.has_account("anna"))).status == 403


async def test_players_cost_connections_commands_and_bytes_where_they_come_from(autojump_clock: MockClock) -> None:
    async with hall() as here:
        guests = [here.dial("192.0.2.1"), here.dial("192.0.2.2")]
        for guest in guests:
            await guest.joins("tic_tac_toe")
        await alternate(guests, 0, 3, 1, 4, 2)
        found = {cost.address: cost for cost in here.server.costs.busiest(9, trio.current_time())}
        one, other = found["192.0.2.1"], found["192.0.2.2"]
        assert (one.commands, other.commands) == (4, 3)
        assert one.stored > other.stored > 100


@pytest.mark.parametrize(
    ("limit", "limits"),
    [
        ("sayings_per_second", {"sayings_burst": 1, "sayings_per_second": 0.01}),
        ("messages_per_second", {"messages_burst": 1, "messages_per_second": 1.0}),
        ("stored_per_minute", {"stored_per_minute": 4096}),
    ],
)
async def test_a_limit_that_holds_an_address_back_is_named(
    limit: str, limits: dict[str, Any], autojump_clock: MockClock
) -> None:
    usual = config()
    async with hall(replace(usual, limits=replace(usual.limits, **limits))) as here:
        _, (anna, _) = await playing(here)
        for _ in range(20):
            await anna.says("say", to="all", text="x" * 400)
        await here.until(
            lambda: any(limit in cost.refused for cost in here.server.costs.busiest(9, trio.current_time()))
        )


async def test_unknown_tickets_words_to_everybody_and_broken_protocols_are_named(autojump_clock: MockClock) -> None:
    async with hall(config(unknown_tickets=1, everybody_per_minute=0.01)) as here:
        carol = await page(here, "192.0.2.7", everybody=True)
        for _ in range(5):
            await carol.says("say", to="everybody", text="hi", name="Carol")
        await carol.until("rejected")
        for _ in range(3):
            await carol.says("join", game="tic_tac_toe", ticket="x" * 24)
            await carol.until("rejected")
        eve = here.dial("192.0.2.7")
        await eve.stream.send_all(b"\xff" * 64)
        assert await eve.rest() == []
        (cost,) = here.server.costs.busiest(9, trio.current_time())
        assert cost.refused["everybody_per_minute"] == 2
        assert cost.refused["unknown_tickets"] >= 1
        assert cost.refused["protocol broken"] == 1
