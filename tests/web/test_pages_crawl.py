"""Every page keeps the rules of all pages, and every link on any page leads to one."""

from __future__ import annotations

from collections import deque
from pathlib import Path

from gateway.config import Seats
from tests.hall import alternate, config
from tests.web.browsing import asked, checked, links
from tests.web.club import club

MOST = 400
"""Addresses that are asked for: all of them, where no link is made without end."""


async def test_every_link_of_every_page_leads_to_a_page(tmp_path: Path) -> None:
    async with club(tmp_path, config(seats=Seats(bot_after_s=None))) as here:
        await here.hall.seat("Chess?name=ann")
        await alternate(await here.hall.seat("Tic_tac_toe"), 0, 3, 1, 4, 2)
        await here.hall.dial().joins("Go?name=wanda&size=9")
        seen, todo = {"/"}, deque(["/"])
        pages = 0
        while todo:
            path = todo.popleft()
            answer = await asked(here.port, path)
            assert answer.status in (200, 302, 303), (path, answer.status)
            if answer.headers.get("content-type", "").startswith("text/html") and answer.status == 200:
                pages += 1
                new = [link for link in links(checked(answer)) if link not in seen]
                seen.update(new)
                todo.extend(new)
            assert len(seen) <= MOST, sorted(seen)
    assert pages > 20
    assert {"/tv", "/games", "/connect", "/table/1", "/table/2"} <= seen
