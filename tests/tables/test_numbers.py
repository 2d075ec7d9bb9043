"""What a page is told has the numbers of the record, each once, whatever is stored and told to nobody."""

from __future__ import annotations

import json
from typing import Any

import trio
from trio.testing import MockClock

from protocols.web.dialect import Web
from tests.failing_record import Waiting, waiting
from tests.hall import Hall, hall
from tests.tables.test_seams import Client
from tests.web_client import masked

GAME = "tic_tac_toe?time=600"


class Page(Client):
    """A stand-in for a page's connection; ``told`` are the kinds of its events by their numbers."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.dialect = Web()
        self.dialect.receive_data(masked(b'{"type":"hello","v":1}'))
        self.told: dict[int, str] = {}
        self._read()

    def tell(self, messages: Any, seq: int = 0) -> None:
        self._take(self.dialect.send_step(messages, seq)[0])
        self._read()

    def _read(self) -> None:
        self._take(b"".join(iter(self.dialect.data_to_send, b"")))

    def _take(self, data: bytes) -> None:
        for line in Web.wire_to_text(data, sent=True, options={}):
            message = json.loads(line)
            for event in message.get("events", [message]):
                if "seq" in event and "table" not in event:
                    assert event["seq"] == len(self.told) + 1
                    self.told[event["seq"]] = event.get("kind", "TurnStarted")


async def record(here: Hall) -> list[str]:
    return [type(stored.event).__name__ for stored in await here.server.commits.read(1)]


async def test_what_a_pause_stores_unsaid_is_told_by_its_number(autojump_clock: MockClock) -> None:
    """The clocks that a pause sets stand in the record before the next move, and nobody is told of them."""
    async with hall(log=Waiting) as here:
        anna, bert = await here.seat(GAME)
        page = Page(7)
        await here.server.tables[1].watch(page, "olga")
        held = waiting(here)
        held.waits = True
        await anna.say("MSG_MOVE", -1, 4, "")
        await here.until(lambda: len(held.held) == 1)
        await trio.sleep(100.0)
        held.go()
        assert await anna.hear("RSP_MOVE") == (0,)
        assert await bert.puts(0) == (0,)
        assert await anna.puts(8) == (0,)
        stored = await record(here)
        told = [page.told[seq] for seq in sorted(page.told)]
        assert len(told) == len(stored)
        assert [kind for kind, shown in zip(stored, told, strict=True) if shown == "Hidden"] == ["ClockSet"]
        assert [kind for kind, shown in zip(stored, told, strict=True) if shown not in ("Hidden", kind)] == []


async def test_words_that_others_hear_are_told_by_their_number(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, _ = await here.seat("tic_tac_toe")
        page = Page(7)
        await here.server.tables[1].watch(page, "olga")
        await anna.say("MSG_MOVE", -1, -1, "say players hello")
        assert await anna.hear("RSP_MOVE") == (0,)
        assert await anna.puts(4) == (0,)
        assert [page.told[seq] for seq in sorted(page.told)][-2:] == ["Hidden", "MoveMade"]
        assert len(page.told) == len(await record(here))
