"""The account page: seats and games, preferences, password, tokens, browsers, mute, deletion and former players."""

from __future__ import annotations

import json
import runpy
import time
from pathlib import Path

import pytest
from sqlalchemy import insert

from gateway.accounts.tokens import digest
from gateway.store.rating_schema import result_players, results
from gateway.store.records import FORMER, Player
from gateway.store.results import columns
from gateway.store.tokens import FOREVER, Token
from tests.peers import ROOT
from tests.store.conftest import connected
from tests.store.results import result
from tests.web.browsing import checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.person import Person

HOSTILE = "<script>alert(1)</script>"


async def logged_in(here: Club, name: str) -> Person:
    """A person whose account is made for it."""
    here.has_account(name)
    person = Person(here.port)
    assert (await person.send("/login", name=name, password=PASSWORD)).status == 303
    return person


async def test_a_stranger_is_sent_to_the_login(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        assert (await Person(here.port).get("/account")).headers["location"] == "/login?next=/account"
        assert (await Person(here.port).send("/account/password", password="x")).status == 403


async def test_a_seat_that_waits_is_shown_to_its_account(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await here.register("anna", "bert", auth=basic("anna", PASSWORD))
        page = checked(await anna.get("/account"))
        assert "Waiting for players" in page.words()
        assert "/table/1#play" in [link.attributes["href"] for link in page.all("a")]


async def test_preferences_stand_in_every_page_and_are_kept(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        chosen = {"theme": "dark", "board": "slate", "pieces": "club", "confirm": "on", "sound": "on"}
        page = checked(await anna.sends("/account/preferences", **chosen))
        assert "Your preferences are kept." in page.words()
        document = next(page.all("html")).attributes
        expected = chosen | {"animate": "off"}
        assert {name.removeprefix("data-"): text for name, text in document.items() if name != "lang"} == (
            expected | {"account": "anna"}
        )
        selected = [option.attributes["value"] for option in page.all("option") if "selected" in option.attributes]
        assert selected == ["dark", "slate", "club", "on"]
        page = checked(
            await anna.sends("/account/preferences", theme=HOSTILE, board="marble", pieces="gold", animation="on")
        )
        document = next(page.all("html")).attributes
        assert document == {"lang": "en", "data-account": "anna"}


async def test_one_preference_is_changed_and_the_others_stay(tmp_path: Path) -> None:
    """As the settings of a table's page change it."""
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await anna.send("/account/preferences", theme="dark", board="slate", animation="on")
        kept = {"lang": "en", "data-account": "anna", "data-theme": "dark", "data-board": "slate"}
        for name, value, told in (
            ("sound", "on", {"data-sound": "on"}),
            ("confirm", "on", {"data-confirm": "on", "data-sound": "on"}),
            ("animation", "off", {"data-confirm": "on", "data-sound": "on", "data-animate": "off"}),
            ("confirm", HOSTILE, {"data-sound": "on", "data-animate": "off"}),
        ):
            answer = await anna.send("/account/preference", name=name, value=value)
            assert (answer.status, answer.text) == (204, "")
            assert next(checked(await anna.get("/")).all("html")).attributes == kept | told
        assert (await anna.send("/account/preference", name="muted", value="x")).status == 400
        guest = Person(here.port)
        await guest.send("/guest", name="Zoë")
        assert (await guest.send("/account/preference", name="theme", value="dark")).status == 403


async def test_a_new_password_ends_tokens_and_other_browsers(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, elsewhere = await logged_in(here, "anna"), Person(here.port)
        await elsewhere.send("/login", name="anna", password=PASSWORD)
        fields = {"current": "wrong one", "password": "another password", "again": "another password"}
        assert (await anna.send("/account/password", None, **fields)).status == 403
        fields["current"] = PASSWORD
        assert (await anna.send("/account/password", None, **fields | {"again": "x"})).status == 400
        page = checked(await anna.sends("/account/password", **fields))
        assert "The password is changed." in page.words()
        assert (await elsewhere.get("/account")).status == 303
        assert (await elsewhere.send("/login", name="anna", password=PASSWORD)).status == 403
        assert (await elsewhere.send("/login", name="anna", password="another password")).status == 303


async def test_a_token_with_a_name_is_made_shown_once_listed_and_ended(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        accounts, fields = here.hall.server.accounts, {"label": "my <b>bot", "bot:play": "on", "current": PASSWORD}
        for wrong, status, said in (
            ({"current": "wrong one"}, 403, "check name and password"),
            ({"label": " "}, 400, "Give the token a name"),
            ({"bot:play": ""}, 400, "not for nothing"),
            ({"until": "2020-01-01"}, 400, "a day to come"),
        ):
            answer = await anna.send("/account/tokens", None, **fields | wrong)
            assert (answer.status, said in checked(answer).words()) == (status, True)
        page = checked(await anna.send("/account/tokens", None, **fields))
        [secret] = [code.text for code in page.all("code") if code.text.startswith("bgt_")]
        made = accounts.token(digest(secret), time.time())
        assert made is not None
        assert (made.label, made.scopes, made.lasting) == ("my <b>bot", frozenset({"bot:play"}), True)
        page = checked(await anna.send("/account/tokens", None, **fields))
        assert "has a token called" in page.words()
        page = checked(await anna.get("/account"))
        assert secret not in page.words()
        assert "my <b>bot bot:play, made" in page.words()
        page = checked(await anna.sends("/account/token", token=made.id))
        assert "my <b>bot" not in page.words()
        assert accounts.token(digest(secret), time.time()) is None


@pytest.mark.parametrize("ended", [False, True])
async def test_a_new_password_ends_tokens_with_names_where_that_is_wished(tmp_path: Path, *, ended: bool) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        here.hall.server.accounts.add_token(Token(b"\x01", "anna", 100.0, FOREVER, "my bot"))
        fields = {"current": PASSWORD, "password": "another password", "again": "another password"}
        page = checked(await anna.sends("/account/password", **fields, tokens="end" if ended else ""))
        assert ("my bot" not in page.words()) == ended


async def test_the_owner_says_that_a_program_plays_until_a_rated_game_has_ended(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        page = checked(await anna.sends("/account/bot", bot="yes"))
        assert "This name is shown as a program's" in page.words()
        page = checked(await anna.sends("/account/bot", bot=""))
        assert "A person's account" in page.words()
        with connected(f"sqlite:///{tmp_path / 'record.db'}") as database, database.begin():
            for rated, table in ((False, 7), (True, 8)):
                game = result(table, rated=rated, players=(Player("anna", "anna"), Player("bert", "bert")))
                database.execute(insert(results).values(columns(game)))
                database.execute(insert(result_players).values(player="anna", table_id=table, number=1))
        refused = await anna.send("/account/bot", None, bot="yes")
        assert refused.status == 409
        assert "This account has played a rated game" in checked(refused).words()
        assert here.hall.server.accounts.set_bot("anna", True, "root")


async def test_tokens_and_other_browsers_are_listed_and_ended(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert = await logged_in(here, "anna"), await logged_in(here, "bert")
        now = time.time()
        here.hall.server.accounts.add_token(Token(b"\x01", "anna", now, now + 60))
        here.hall.server.accounts.add_token(Token(b"\x02", "bert", now, now + 60))
        await Person(here.port).send("/login", name="anna", password=PASSWORD)
        page = checked(await anna.get("/account"))
        assert "Logged in with 2 browsers" in page.words()
        values = [field.attributes.get("value") for field in page.all("input") if field.attributes["name"] == "token"]
        assert values == ["01"]
        await anna.send("/account/token", token="02")
        assert here.hall.server.accounts.token(b"\x02", now) is not None
        page = checked(await anna.sends("/account/token", token="01"))
        assert "The token is ended." in page.words()
        assert here.hall.server.accounts.token(b"\x01", now) is None
        page = checked(await anna.sends("/account/browsers"))
        assert "Logged in with" not in page.words()
        assert (await bert.get("/account")).status == 200


async def test_a_muted_name_is_remembered_until_it_is_heard_again(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await anna.send("/account/mute", name=f" {HOSTILE} ", on="yes")
        await anna.send("/account/mute", name="EVE", on="yes")
        assert json.loads((await anna.get("/account/muted")).text) == [HOSTILE, "eve"]
        page = checked(await anna.get("/account"))
        assert HOSTILE in page.words()
        await anna.send("/account/mute", name="Eve")
        assert json.loads((await anna.get("/account/muted")).text) == [HOSTILE]
        assert json.loads((await Person(here.port).get("/account/muted")).text) == []


async def test_a_guest_sees_its_name_and_the_preferences_of_its_browser(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        guest = Person(here.port)
        await guest.send("/guest", name="Zoë & Co")
        page = checked(await guest.get("/account"))
        assert [title.text for title in page.all("h1")] == ["Zoë & Co"]
        assert "Kept in this browser." in page.words()
        assert "Delete the account" not in page.words()


async def test_a_deleted_account_is_a_former_player_everywhere_and_the_record_stays(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "Anna")
        await here.register("Anna", "bert", auth=basic("Anna", PASSWORD))
        before = (await here.ask("/api/tables/1/export")).body
        assert (await anna.send("/account/delete", current="wrong one")).status == 403
        page = checked(await anna.send("/account/delete", current=PASSWORD))
        assert "Your account is deleted" in page.words()
        assert anna.cookies == {}
        table = (await here.ask("/api/tables/1")).body
        assert [seat["name"] for seat in table["seats"]] == [FORMER, "bert"]
        assert table["players"] == [FORMER, "bert"]
        after = (await here.ask("/api/tables/1/export")).body
        assert "Anna" not in after
        lines = [
            (json.loads(old), json.loads(new)) for old, new in zip(before.splitlines(), after.splitlines(), strict=True)
        ]
        assert [old["digest"] for old, _ in lines] == [new["digest"] for _, new in lines]
        assert [new["seq"] for _, new in lines if new.get("renamed")] == [2]
        check = runpy.run_path(str(ROOT / "docs" / "check_record.py"))["check"]
        assert check(after.splitlines()).startswith(f"{len(lines)} events in one chain, 1 under another name, ")
        assert (await Person(here.port).get("/people/Anna")).status == 404
        assert (await Person(here.port).get(f"/people/{FORMER.replace(' ', '%20')}")).status == 404
        assert (await Person(here.port).send("/login", name="Anna", password=PASSWORD)).status == 403
        taken = await Person(here.port).send("/register", name="anna", password=PASSWORD, again=PASSWORD)
        assert taken.status == 409


async def test_the_checker_takes_no_other_event_as_renamed(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "Anna")
        await here.register("Anna", "bert", auth=basic("Anna", PASSWORD))
        await anna.send("/account/delete", current=PASSWORD)
        first, second, *rest = (await here.ask("/api/tables/1/export")).body.splitlines()
    check = runpy.run_path(str(ROOT / "docs" / "check_record.py"))["check"]
    forged = [
        [first.replace(',"body":', ',"renamed":true,"body":').replace('"seats":2', '"seats":3'), second, *rest],
        [first, second.replace(FORMER, "Eve"), *rest],
        [first, second.replace('"renamed":true,', ""), *rest],
    ]
    assert len({"\n".join(lines) for lines in [*forged, [first, second, *rest]]}) == 4
    for lines in forged:
        with pytest.raises(ValueError, match=r"the chain breaks at event [12]"):
            check(lines)
