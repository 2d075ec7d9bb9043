"""Follows and blocks over HTTP and on the pages: lists of an account, and what a block keeps apart."""

from __future__ import annotations

from pathlib import Path

from tests.web.browsing import checked
from tests.web.club import PASSWORD, Club, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_lines import Page, opens
from tests.web.test_offers import CHESS, auth, offered


async def lists(here: Club, who: str) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Whom this asker follows, with what they do, and whom it has blocked."""
    follows = (await here.ask("/api/follows", auth=who)).body["follows"]
    blocks = (await here.ask("/api/blocks", auth=who)).body["blocks"]
    return [(one["name"], one["doing"]) for one in follows], [one["name"] for one in blocks]


async def ties(here: Club, who: str, name: str, word: str, method: str = "PUT") -> int:
    return (await here.ask(f"/api/players/{name}/{word}", method=method, auth=who)).status


async def opens_as(here: Club, name: str) -> Page:
    """A page that has logged in."""
    page = await opens(here)
    await page.say("login", name=name, secret=PASSWORD)
    await page.until("logged_in")
    return page


async def test_an_account_sees_what_those_do_whom_it_follows(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, _, _ = (auth(here, name) for name in ("anna", "Bert", "carl"))
        assert [await ties(here, anna, name, "follow") for name in ("bert", "carl", "BERT")] == [200] * 3
        await (await logged_in(here, "dora")).get("/")
        assert await ties(here, anna, "dora", "follow") == 200
        assert await lists(here, anna) == ([("Bert", None), ("carl", None), ("dora", "lobby")], [])
        assert [await ties(here, anna, "carl", "follow", "DELETE") for _ in range(2)] == [204, 204]
        assert (await lists(here, anna))[0] == [("Bert", None), ("dora", "lobby")]


async def test_only_accounts_have_lists_and_are_in_them(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = auth(here, "anna")
        for word in ("follow", "block"):
            refused = await here.ask(f"/api/players/otto/{word}", method="PUT", auth=anna)
            assert refused.error == (404, "no_such_player")
            refused = await here.ask(f"/api/players/ANNA/{word}", method="PUT", auth=anna)
            assert refused.error == (400, "bad_option")
            assert await ties(here, "", "anna", word) == 401
        for path in ("/api/follows", "/api/blocks"):
            assert (await here.ask(path)).error == (401, "unauthorized")


async def test_who_changes_lists_again_and_again_is_refused(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, _ = auth(here, "anna"), auth(here, "bert")
        statuses = {await ties(here, anna, "bert", "follow", method) for method in ("PUT", "DELETE") * 20}
        assert statuses == {200, 204, 429}


async def test_no_offer_passes_between_two_where_one_has_blocked_the_other(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert, carl = (auth(here, name) for name in ("anna", "bert", "carl"))
        assert await ties(here, anna, "bert", "block") == 200
        for maker, other, name in ((anna, bert, "bert"), (bert, anna, "anna")):
            refused = await here.ask("/api/offers", CHESS | {"to": name}, auth=maker)
            assert refused.error == (409, "not_now")
            assert refused.body["message"] == f"you and {name} play no games: one of you has blocked the other"
            number = (await here.ask("/api/offers", CHESS | {"side": 0}, auth=maker)).body["id"]
            assert [len(await offered(here, who)) for who in (maker, other, carl)] == [1, 0, 1]
            refused = await here.ask(f"/api/offers/{number}/take", {}, auth=other)
            assert (refused.error, "has blocked" in refused.body["message"]) == ((409, "not_now"), True)
            assert (await here.ask("/api/offers", CHESS, auth=other)).body["state"] == "stands"
            for asker in (maker, other):
                for one in await offered(here, asker):
                    await here.ask(f"/api/offers/{one['id']}", method="DELETE", auth=asker)
        assert await ties(here, anna, "bert", "block", "DELETE") == 204
        assert (await here.ask("/api/offers", CHESS | {"to": "bert"}, auth=anna)).body["state"] == "stands"


async def test_a_block_ends_challenges_that_stand_and_bars_the_offers_of_its_maker(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert, carl = (auth(here, name) for name in ("anna", "bert", "carl"))
        for maker, asked in (
            (anna, {"to": "bert"}),
            (bert, {"to": "anna"}),
            (anna, {"to": "carl"}),
            (anna, {"side": 0, "time": "60"}),
        ):
            await here.ask("/api/offers", CHESS | {"side": 1} | asked, auth=maker)
        assert await ties(here, anna, "bert", "block") == 200
        assert [offer["to"] for offer in await offered(here, anna)] == ["carl", ""]
        assert await offered(here, bert) == []
        assert len(await offered(here, carl)) == 2
        made = await here.ask("/api/offers", CHESS | {"side": 1, "time": "60"}, auth=bert)
        assert made.body["state"] == "stands"
        taken = await here.ask("/api/offers", CHESS | {"side": 1, "time": "60"}, auth=carl)
        assert (taken.body["state"], taken.body["seat"]) == ("taken", 1)


async def test_parties_at_tables_and_words_are_kept_apart(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        secrets = {name: auth(here, name) for name in ("anna", "bert", "carl")}
        anna, bert = await opens_as(here, "anna"), await opens_as(here, "bert")
        assert await ties(here, secrets["bert"], "anna", "block") == 200
        for page, other in ((anna, "bert"), (bert, "anna")):
            await page.say("say", to=other, text="hello")
            refused = await page.until("rejected")
            assert "one of you has blocked the other" in refused["text"]
        tables = []
        for page in (anna, bert):
            await page.say("join", game="tic_tac_toe")
            tables.append((await page.until("seated"))["table"])
        assert len(set(tables)) == 2
        carl = await opens_as(here, "carl")
        await carl.say("join", game="tic_tac_toe")
        assert (await carl.until("seated"))["table"] == min(tables)


async def test_the_buttons_of_a_players_page_keep_the_lists(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("bert")
        anna = await logged_in(here, "anna")
        assert "Block" not in checked(await Person(here.port).get("/people/bert")).words()
        assert "Block" not in checked(await anna.get("/people/anna")).words()
        assert "Follow Block" in checked(await anna.get("/people/bert")).words()
        page = checked(await anna.sends("/people/bert", follows="yes"))
        assert "Unfollow Block You follow bert." in page.words()
        assert "People you follow bert not here" in checked(await anna.get("/people")).words()
        page = checked(await anna.sends("/people/bert", blocks="yes"))
        assert "Unblock You have blocked bert" in page.words()
        assert "Blocked bert" in checked(await anna.get("/people")).words()
        assert (await anna.get("/account/muted")).text == '["bert"]'
        for field in ("follows", "blocks"):
            page = checked(await anna.sends("/people/bert", **{field: "no"}))
        assert "Follow Block" in page.words()
        assert "People you follow" not in checked(await anna.get("/people")).words()
        assert (await Person(here.port).send("/people/bert", follows="yes")).status == 403
