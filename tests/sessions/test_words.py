"""The words that the host wants nobody to say are starred wherever a person speaks, in the words of any dialect."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from trio.testing import MockClock

from gateway.seating.registrar import THE_HOUSE
from protocols.core.errors import Refused
from protocols.miniature.dialect import Miniature
from tests.hall import Hall, config, hall
from tests.onlooking import Page, page, playing, watches
from tests.seating.test_everybody import Telnet, at_telnet, listener
from tests.seating.test_registrar import asking


@asynccontextmanager
async def polite(folder: Path) -> AsyncIterator[Hall]:
    """A server whose host does not like the word "twit"."""
    words = folder / "words"
    words.write_text("twit\n")
    usual = config()
    async with hall(replace(usual, server=replace(usual.server, words_file=str(words)))) as here:
        yield here


async def said(hearer: Page, table: int | None = None) -> str:
    return str((await hearer.until("Said", table=table))["body"]["text"])


async def test_at_a_table_to_its_observers_and_from_aside(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with polite(tmp_path) as here:
        table, (anna, bert) = await playing(here)
        watchers = [await page(here), await page(here)]
        for one in watchers:
            await watches(one, table)
        await anna.says("say", to="all", text="you twit")
        for one in (anna, bert):
            assert await said(one) == "you ****"
        for one in watchers:
            assert await said(one, table) == "you ****"
        await watchers[0].says("say", to="observers", text="what a Twit!", table=table)
        assert await said(watchers[1], table) == "what a ****!"
        record = here.server.commits.log
        assert "twit" not in str(vars(record)).casefold()


async def test_to_one_and_to_everybody_by_telnet_and_by_page(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with polite(tmp_path) as here:
        carol, telnet = await listener(here, "Carol"), await at_telnet(here, "Dan", "192.0.2.9")
        await telnet.says("tell carol you twit")
        assert await said(carol) == "you ****"
        await telnet.says("shout you twit")
        assert await said(carol) == "you ****"
        await carol.says("say", to="Dan", text="twit yourself")
        await telnet.until("**** yourself")
        mini = Telnet(here, "192.0.2.10", Miniature)
        await mini.says("tell #all twit, twit")
        assert await said(carol) == "****, ****"


async def test_a_reason_that_others_read_is_a_saying(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with polite(tmp_path) as here:
        anna, bert = await page(here), await page(here)
        for one in (anna, bert):
            await one.says("join", game="open")
        for one in (anna, bert):
            await one.until("turn")
        await anna.says("play", move=[None, 4, "x"])
        await bert.until("MoveMade")
        await bert.says("dispute", text="only a twit plays that")
        assert "only a **** plays that" in str(await anna.until("GameEnded"))


async def test_guests_are_not_called_so_nor_seats_of_registered_tables(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with polite(tmp_path) as here:
        dan = await page(here)
        await dan.says("enter", name="Twit")
        assert (await dan.until("rejected"))["why"] == "bad option"
        await dan.says("join", game="tic_tac_toe", name="a twit")
        assert (await dan.until("rejected"))["why"] == "bad option"
        table, _ = await playing(here)
        await dan.says("watch", table=table, name="twit-1")
        assert (await dan.until("rejected"))["why"] == "bad option"
        with pytest.raises(Refused, match="a word of this name"):
            await here.server.registrar.register(asking("ann", "twit"), THE_HOUSE)
