"""Players who are away are told: a move, a push service, and what it can read; browsers are told and told no more."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from gateway.config.model import Noticing
from gateway.push.by_push import ByPush
from gateway.push.sender import HELD_S, SETTLED_S, Sender
from gateway.store.former import PublicViews
from gateway.store.notices import Delivery
from tests.hall import config
from tests.push.service import Service, push_service
from tests.web.browsing import Answer, checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_lines import opens

JSON = "application/json"
BOB = basic("bob", PASSWORD)
PRIVATE = replace(config(), notices=Noticing(private_services=True))


@dataclass
class Telling:
    """A server, a push service with one browser, and the loop between them, whose rounds the test begins."""

    club: Club
    service: Service
    sender: Sender[Delivery]

    async def later(self, seconds: float = SETTLED_S + 1) -> list[Any]:
        """The messages that the browser gets in a round that is so much later."""
        before = len(self.service.told)
        await self.sender.round(time.time() + seconds)
        return self.service.told[before:]


@asynccontextmanager
async def telling(folder: Path, *, per_hour: int = 30) -> AsyncIterator[Telling]:
    async with club(folder, PRIVATE) as here, push_service() as service:
        assert here.kept is not None

        async def may() -> bool:
            return True

        with closing(PublicViews(here.hall.server.config.database_url)) as views:
            way = ByPush(here.kept.notices, views, "mailto:host@x.example", per_hour, private=True)
            yield Telling(here, service, Sender(way, may))


async def begins(person: Person, wanted: dict[str, Any], **headers: str) -> Answer:
    sent = {"origin": f"http://127.0.0.1:{person.port}", "content_type": JSON} | headers
    return await person._asks("/notices/on", "POST", json.dumps(wanted), sent)


async def ends(person: Person, service: Service) -> Answer:
    sent = {"origin": f"http://127.0.0.1:{person.port}", "content_type": JSON}
    return await person._asks(
        "/notices/off", "POST", json.dumps({"endpoint": service.subscription()["endpoint"]}), sent
    )


async def game_by_days(here: Club, *names: str, auth: str = "") -> tuple[int, list[str], list[Any]]:
    """A correspondence game that both have sat down to: its table, tickets, pages."""
    made = (await here.register(*names, auth=auth, time="3d/move", private=True)).body
    pages = []
    for ticket in made["tickets"]:
        pages.append(await opens(here))
        await pages[-1].say("join", game="tic_tac_toe", ticket=ticket, ready=True)
        await pages[-1].until("seated")
    for page in pages:
        await page.until("turn")
    return made["id"], made["tickets"], pages


async def leaves(here: Club, page: Any, table: int, seat: int) -> None:
    """Its connection ends, and the seat is kept."""
    assert (await here.ask("/api/line", method="DELETE", auth=page.auth)).status == 204
    await here.hall.until(lambda: here.hall.state(table).seats[seat].kind.name == "RESERVED")


async def test_a_guest_who_has_closed_the_page_is_told_of_its_turn_once(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        table, tickets, (ann, bob) = await game_by_days(here.club, "ann", "bob")
        wanted = here.service.subscription() | {"tickets": [[table, tickets[1]]]}
        assert (await begins(Person(here.club.port), wanted)).status == 204
        await leaves(here.club, bob, table, 1)
        await ann.say("play", move=[None, 4, ""])
        await ann.until("MoveMade")

        assert await here.later(0) == []
        (told,) = await here.later()
        assert told == {
            "title": "Your move against ann",
            "body": "Tic-Tac-Toe. You have 2 days 23 h.",
            "url": f"/table/{table}#play",
            "tag": f"table-{table}-1",
        }
        (headers,) = here.service.headers
        assert (headers["urgency"], headers["topic"]) == ("normal", f"table-{table}-1")
        assert 86_000 < int(headers["ttl"]) <= 86_400
        assert await here.later(60) == []
        assert await here.later(600) == []


async def test_an_account_is_told_in_its_browsers_until_it_logs_out(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        bob = await logged_in(here.club, "bob")
        assert (await begins(bob, here.service.subscription())).status == 204
        table, tickets, (ann, seat) = await game_by_days(here.club, "ann", "bob", auth=BOB)
        await leaves(here.club, seat, table, 1)
        await ann.say("play", move=[None, 4, ""])
        await ann.until("MoveMade")
        assert [told["title"] for told in await here.later()] == ["Your move against ann"]
        assert "One browser of yours is told" in checked(await bob.get("/account")).words()

        back = await opens(here.club, auth=BOB)
        await back.say("join", game="tic_tac_toe", ticket=tickets[1])
        await back.until("seated")
        await back.say("play", move=[None, 0, ""])
        await ann.until("MoveMade")
        await leaves(here.club, back, table, 1)
        await bob.send("/logout")
        await ann.say("play", move=[None, 8, ""])
        await ann.until("MoveMade")
        assert await here.later() == []


async def test_who_sits_at_the_table_is_told_only_where_that_was_a_dead_connection(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        table, tickets, (ann, bob) = await game_by_days(here.club, "ann", "bob")
        await begins(Person(here.club.port), here.service.subscription() | {"tickets": [[table, tickets[1]]]})
        await ann.say("play", move=[None, 4, ""])
        await ann.until("MoveMade")
        assert await here.later() == []
        await leaves(here.club, bob, table, 1)
        assert [told["title"] for told in await here.later()] == ["Your move against ann"]

    async with telling(tmp_path) as here:
        table, tickets, (ann, bob) = await game_by_days(here.club, "cat", "dan")
        await begins(Person(here.club.port), here.service.subscription() | {"tickets": [[table, tickets[1]]]})
        await ann.say("play", move=[None, 4, ""])
        await ann.until("MoveMade")
        assert await here.later(HELD_S + 1) == []
        await leaves(here.club, bob, table, 1)
        assert await here.later(HELD_S + 1) == []


async def test_who_has_moved_meanwhile_is_not_told(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        table, tickets, (ann, bob) = await game_by_days(here.club, "ann", "bob")
        await begins(Person(here.club.port), here.service.subscription() | {"tickets": [[table, tickets[1]]]})
        await leaves(here.club, bob, table, 1)
        await ann.say("play", move=[None, 4, ""])
        await ann.until("MoveMade")
        moved = await here.club.ask(
            f"/api/tables/{table}/moves", {"move": [None, 0, ""], "ply": 1}, auth=f"Ticket {tickets[1]}"
        )
        assert moved.status < 300, moved.body
        assert await here.later() == []


async def test_the_friend_who_opens_an_invitation_is_news(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        made = (await here.club.register("ann", "open", private=True)).body
        table, (mine, invitation) = made["id"], made["tickets"]
        await begins(Person(here.club.port), here.service.subscription() | {"tickets": [[table, mine]]})
        friend = await opens(here.club)
        await friend.say("join", game="tic_tac_toe", ticket=invitation, name="Ben", ready=True)
        await friend.until("seated")
        (told,) = await here.later()
        assert (told["title"], told["body"]) == ("Ben is here", "Tic-Tac-Toe. Your seat is kept: come and play.")
        assert here.service.headers[0]["urgency"] == "high"


async def test_who_left_the_invitation_waiting_is_told_of_the_friend(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        made = (await here.club.register("open", "open", private=True, time="3d/move")).body
        table, (invitation, mine) = made["id"], made["tickets"]
        ann = await opens(here.club)
        await ann.say("join", game="tic_tac_toe", ticket=mine, name="Ann", ready=True)
        kept = [[table, (await ann.until("seated"))["ticket"]]]
        assert (await begins(Person(here.club.port), here.service.subscription() | {"tickets": kept})).status == 204
        await here.club.ask("/api/line", method="DELETE", auth=ann.auth)
        await here.club.hall.until(lambda: here.club.hall.state(table).seats[1].kind.name == "OPEN")
        ben = await opens(here.club)
        await ben.say("join", game="tic_tac_toe", ticket=invitation, name="Ben", ready=True)
        await ben.until("seated")
        assert [told["title"] for told in await here.later()] == ["Ben is here"]


@pytest.mark.parametrize(("answer", "tries"), [((404, {}), 1), ((410, {}), 1), ((400, {}), 1), ((503, {}), 2)])
async def test_what_a_service_answers_decides_whether_it_is_tried_again(
    tmp_path: Path, answer: tuple[int, dict[str, str]], tries: int
) -> None:
    async with telling(tmp_path) as here:
        assert here.club.kept is not None
        bob = await logged_in(here.club, "bob")
        await begins(bob, here.service.subscription())
        table, _, (ann, seat) = await game_by_days(here.club, "ann", "bob", auth=BOB)
        await leaves(here.club, seat, table, 1)
        here.service.answers.append(answer)
        await ann.say("play", move=[None, 4, ""])
        await ann.until("MoveMade")
        assert len(await here.later()) == 1
        assert await here.later(20) == []
        assert len(await here.later(60)) == tries - 1
        assert await here.later(3600) == []
        known = here.club.kept.notices.browsers("bob", time.time())
        assert known == (0 if answer[0] in (404, 410) else 1)


async def test_a_service_may_say_when_to_try_again(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        table, tickets, (ann, bob) = await game_by_days(here.club, "ann", "bob")
        await begins(Person(here.club.port), here.service.subscription() | {"tickets": [[table, tickets[1]]]})
        await leaves(here.club, bob, table, 1)
        here.service.answers.append((429, {"Retry-After": "600"}))
        await ann.say("play", move=[None, 4, ""])
        await ann.until("MoveMade")
        assert len(await here.later()) == 1
        assert await here.later(300) == []
        assert len(await here.later(700)) == 1


async def test_one_person_is_told_so_often_in_an_hour(tmp_path: Path) -> None:
    async with telling(tmp_path, per_hour=2) as here:
        await begins(await logged_in(here.club, "bob"), here.service.subscription())
        for _ in range(4):
            table, _, (ann, seat) = await game_by_days(here.club, "ann", "bob", auth=BOB)
            await leaves(here.club, seat, table, 1)
            await ann.say("play", move=[None, 4, ""])
            await ann.until("MoveMade")
            await ann.say("resign")
            await ann.until("GameEnded")
        assert await here.later() == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://push.example/x"},
        {"endpoint": "https://push.example:8443/x"},
        {"key": "AA"},
        {"key": "B" + "A" * 86},
        {"auth": "AA"},
        {"auth": "ä"},
        {"tickets": []},
        {"tickets": [[1, "x" * 24]]},
        {"more": 1},
    ],
)
async def test_a_browser_that_cannot_be_told_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    async with club(tmp_path) as here:
        made = (await here.register("ann", "open", private=True)).body
        good = Service().subscription() | {
            "endpoint": "https://push.example/x",
            "tickets": [[made["id"], made["tickets"][0]]],
        }
        answer = await begins(Person(here.port), good | wrong)
        assert answer.status == 400
        assert json.loads(answer.text)["message"]
        assert (await begins(Person(here.port), good)).status == 204


async def test_only_a_page_of_this_server_asks_for_it(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        bob = await logged_in(here.club, "bob")
        assert (await begins(bob, here.service.subscription(), origin="https://evil.example")).status == 403
        assert (await begins(bob, here.service.subscription(), content_type="text/plain")).status == 415
        assert here.club.kept is not None
        assert here.club.kept.notices.browsers("bob", time.time()) == 0


async def test_a_person_turns_it_off_in_the_notice_or_for_all_browsers(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        bob = await logged_in(here.club, "bob")
        page = checked(await bob.get("/account"))
        (part,) = [each for each in page.all("section") if each.attributes.get("id") == "notices"]
        assert len(part.attributes["data-key"]) == 87
        for number in (1, 2, 3):
            await begins(bob, here.service.subscription(number))
        assert "3 browsers of yours are told" in checked(await bob.get("/account")).words()
        assert (await ends(Person(here.club.port), here.service)).status == 204
        assert "2 browsers of yours are told" in checked(await bob.get("/account")).words()
        assert "None of your browsers is told" in checked(await bob.sends("/account/notices")).words()
        assert "of yours are told" not in checked(await bob.get("/account")).words()
        assert (await Person(here.club.port).send("/account/notices")).status == 403


async def test_a_host_may_do_without(tmp_path: Path) -> None:
    async with club(tmp_path, replace(config(), notices=Noticing(push=False))) as here:
        bob = await logged_in(here, "bob")
        for path in ("/account", "/yours"):
            assert 'id="notices"' not in (await bob.get(path)).text
        assert (await begins(bob, Service().subscription())).status == 404
