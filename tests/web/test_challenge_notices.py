"""An account that is away is told of a challenge that stands for more than an hour: by push, mail and webhook, once.

Its maker is told so that it was declined.
"""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

from gateway.store.notices import MAKER
from tests.push.mail_room import PAGES, text_of
from tests.web.club import PASSWORD, Club, basic
from tests.web.mail_club import mail_club
from tests.web.test_account_page import logged_in
from tests.web.test_lines import opens
from tests.web.test_mail_notices import BOBS, SETTLED, bob_is_told
from tests.web.test_notices import begins, telling
from tests.web.test_webhook import checked, hooked

ANN, BOB = basic("ann", PASSWORD), basic("bob", PASSWORD)
CHESS: dict[str, Any] = {"game": "chess", "time": "3d/move", "to": "Bob", "minutes": 1440, "side": 0}
TITLE = "ann challenges you"


async def challenges(here: Club, **more: object) -> int:
    """The number of a challenge of ann to bob."""
    made = await here.ask("/api/offers", CHESS | more, auth=ANN)
    assert made.status == 201
    return int(made.body["id"])


async def test_a_browser_is_told_of_a_challenge_once(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        here.club.has_account("ann")
        bob = await logged_in(here.club, "bob")
        assert (await begins(bob, here.service.subscription())).status == 204
        await challenges(here.club, minutes=60)
        assert await here.later() == []
        number = await challenges(here.club)
        (told,) = await here.later()
        assert (told["title"], told["url"], told["tag"]) == (TITLE, "/challenges", f"offer-{number}")
        assert told["body"] == "Chess normal, 3 days a move, unrated. Take or decline it, as long as it stands."
        assert await here.later(60) == []


async def test_a_challenge_that_has_ended_meanwhile_is_not_told(tmp_path: Path) -> None:
    async with telling(tmp_path) as here:
        here.club.has_account("ann")
        bob = await logged_in(here.club, "bob")
        await begins(bob, here.service.subscription())
        number = await challenges(here.club)
        assert here.club.kept is not None
        here.club.kept.notices.spread(time.time(), 0.0, 0.0, {"offer": 60.0})
        await here.club.ask(f"/api/offers/{number}", method="DELETE", auth=ANN)
        assert await here.later() == []


async def test_a_program_is_told_of_a_challenge(tmp_path: Path) -> None:
    async with hooked(tmp_path) as here:
        here.club.has_account("ann")
        secret = (await here.sets()).body["secret"]
        number = await challenges(here.club)
        ((headers, body),) = await here.round()
        told = checked(secret, headers, body)
        shown = {name: told[name] for name in ("kind", "table", "seat", "seq", "game", "title")}
        assert shown == {"kind": "offer", "table": number, "seat": 0, "seq": 0, "game": "chess", "title": TITLE}
        assert await here.round(600) == []


async def test_a_browser_of_its_maker_is_told_once_that_a_challenge_was_declined(tmp_path: Path) -> None:
    """And no more of the challenge to who has declined it."""
    async with telling(tmp_path) as here:
        here.club.has_account("ann")
        bob = await logged_in(here.club, "bob")
        await begins(bob, here.service.subscription())
        made = await here.club.ask("/api/offers", CHESS | {"to": "ann"}, auth=BOB)
        here.club.hall.server.lobby.here.look(math.inf)  # bob has closed the page
        await here.club.ask(f"/api/offers/{made.body['id']}", method="DELETE", auth=ANN)
        assert here.club.hall.server.accounts.held_offers(0) == []
        (told,) = await here.later()
        assert (told["title"], told["url"]) == ("ann declines your challenge", "/challenges")
        assert told["body"] == "Chess normal, 3 days a move, unrated. It stands no more."
        assert await here.later(60) == []


async def test_a_maker_who_is_here_or_withdraws_gets_no_notice(tmp_path: Path) -> None:
    async with hooked(tmp_path) as here:
        here.club.has_account("ann")
        await here.sets()
        for ends in (BOB, ANN):
            if ends == ANN:
                page = await opens(here.club)
                await page.say("login", name="bob", secret=PASSWORD)
                await page.until("logged_in")
            made = await here.club.ask("/api/offers", CHESS | {"to": "ann"}, auth=BOB)
            await here.club.ask(f"/api/offers/{made.body['id']}", method="DELETE", auth=ends)
            assert await here.round(600) == []


async def test_the_program_of_its_maker_is_told_that_a_challenge_was_declined(tmp_path: Path) -> None:
    """No node shows it any more, and its words go with the notice."""
    async with hooked(tmp_path) as here:
        here.club.has_account("ann")
        await here.sets()
        made = (await here.club.ask("/api/offers", CHESS | {"to": "ann"}, auth=BOB)).body
        await here.club.ask(f"/api/offers/{made['id']}", method="DELETE", auth=ANN)
        accounts = here.club.hall.server.accounts
        assert [accounts.held_offers(node) for node in (0, 7)] == [[], []]
        ((_, body),) = await here.round()
        told = json.loads(body)
        shown = {name: told[name] for name in ("kind", "table", "seat", "seq", "title")}
        title = "ann declines your challenge"
        assert shown == {"kind": "offer", "table": made["id"], "seat": 1, "seq": 0, "title": title}
        assert here.club.kept is not None
        notices, later = here.club.kept.notices, time.time() + 40 * 86_400.0
        assert notices.challenge(made["id"], MAKER) is not None
        notices.tidy(later)
        assert notices.challenge(made["id"], MAKER) is None


async def test_a_letter_tells_of_a_challenge(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        await bob_is_told(here)
        await logged_in(here.club, "anna")
        made = await here.club.ask("/api/offers", CHESS, auth=basic("anna", PASSWORD))
        assert made.status == 201
        (letter,) = await here.later(SETTLED)
        assert (letter["To"], letter["Subject"]) == (BOBS, "anna challenges you")
        assert f"{PAGES}/challenges" in text_of(letter)
        assert await here.later(3600) == []
