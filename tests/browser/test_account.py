"""An account in the browser from its first day to its last, by keyboard alone."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final
from urllib.parse import urljoin, urlsplit
from zipfile import ZipFile

from playwright.sync_api import Browser, Locator, Page, expect

from tests import peers
from tests.browser.table_page import enters, tab_to
from tests.browser.visitors import Visitors, violations, visitors
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer

pytestmark = peers.needed

LISTENERS: Final = ("http", "bogaprot")
HTTP, BOGAPROT = range(2)
NAME: Final = "Grace"
FORGETFUL: Final = "Ada"
PASSWORD: Final = "correct horse battery"
TOKEN: Final = "a-secret-of-the-host-of-22-letters"
SETTINGS: Final = {
    "REGISTRATION_ACCOUNTS": "open",
    "REGISTRATION_ADMIN_TOKEN": TOKEN,
    "SEATS_BOT_AFTER": "never",
}


def presses(wanted: Locator, key: str = "Enter") -> None:
    tab_to(wanted)
    wanted.page.keyboard.press(key)


def fills(page: Page, form: str, **fields: str) -> None:
    """Type these into the fields of a form, and send it by Enter in the last one."""
    for name, text in fields.items():
        tab_to(page.locator(f"form[action='{form}'] [name={name}]"))
        page.keyboard.type(text)
    page.keyboard.press("Enter")


def plays(page: Page, text: str) -> None:
    """Type a move."""
    expect(page.locator("#status")).to_have_text("Your turn")
    tab_to(page.locator("#move-text"))
    enters(page, text)


def test_an_account_is_made_played_with_and_deleted(people: Visitors, running: RunningServer) -> None:
    page = people.arrives("/login?next=/account")
    fills(page, "/register", name=NAME, password=PASSWORD, again=PASSWORD)
    expect(page.get_by_role("heading", level=1)).to_have_text(NAME)
    presses(page.get_by_role("button", name="Log out"))
    expect(page).to_have_url(f"{people.origin}/")
    page.goto(f"{people.origin}/login")
    fills(page, "/login", name=NAME.lower(), password=PASSWORD)
    expect(page.get_by_role("heading", level=1)).to_have_text(NAME)
    chooses_a_board(page)

    table = wins_against_lee(page, running.ports[BOGAPROT])

    page.goto(f"{people.origin}/account")
    expect(page.locator(".past li")).to_contain_text("Won")
    downloads_all(page)
    presses(page.locator(".danger summary"))
    fills(page, "/account/delete", current=PASSWORD)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account is deleted")
    stays_as_a_former_player(people, page, table)


def downloads_all(page: Page) -> None:
    """The file of one press has the account and its finished game."""
    assert violations(page) == []
    with page.expect_download() as download:
        presses(page.get_by_role("button", name="Download my data"))
    assert download.value.suggested_filename == f"{NAME}.zip"
    with ZipFile(download.value.path()) as files:
        assert files.testzip() is None
        assert json.loads(files.read("account.json"))["name"] == NAME
        assert files.read("games.ndjson").count(b'"kind":"GameEnded"') == 1


def test_who_has_the_hosts_invitation_makes_an_account_and_nobody_makes_a_second_one(
    chromium: Browser, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(
            fast(tmp_path, "http", REGISTRATION_ACCOUNTS="invitation", REGISTRATION_ADMIN_TOKEN=TOKEN)
        )
        people = stack.enter_context(visitors(chromium, server.ports[HTTP]))
        people.allow("status of 40[0-9]")
        host = people.arrives("/host")
        fills(host, "/host/sign-in", token=TOKEN)
        expect(host.get_by_role("navigation", name="Host")).to_be_visible()
        host.goto(f"{people.origin}/host/settings")
        presses(host.get_by_role("button", name="Make a code"))
        link = host.locator("pre", has_text="/login?").inner_text()
        assert link.startswith(f"{people.origin}/login?invitation=")
        assert violations(host) == []

        page = people.arrives(link.removeprefix(people.origin))
        fills(page, "/register", name=NAME, password=PASSWORD, again=PASSWORD)
        expect(page.get_by_role("heading", level=1)).to_have_text(NAME)
        page = people.arrives(link.removeprefix(people.origin))
        fills(page, "/register", name="Hopper", password=PASSWORD, again=PASSWORD)
        expect(page.locator(".fault")).to_be_visible()


def test_who_has_forgotten_a_password_gets_another_by_the_hosts_link(people: Visitors) -> None:
    """The code of the link is in the form, and in the address no more."""
    page = people.arrives("/login")
    fills(page, "/register", name=FORGETFUL, password=PASSWORD, again=PASSWORD)
    expect(page.get_by_role("heading", level=1)).to_have_text(FORGETFUL)
    host = people.arrives("/host")
    fills(host, "/host/sign-in", token=TOKEN)
    expect(host.get_by_role("navigation", name="Host")).to_be_visible()
    host.goto(f"{people.origin}/host/settings")
    assert violations(host) == []
    fills(host, "/host/link", name=FORGETFUL)
    link = host.locator("pre", has_text="/password#").inner_text()
    assert violations(host) == []

    new = people.arrives("/login")
    presses(new.get_by_role("link", name="Forgot your password?"))
    expect(new.get_by_role("heading", level=1)).to_have_text("A new password")
    new.goto(link)
    expect(new.get_by_label("The host's link, or its code")).to_have_value(link.partition("#")[2])
    assert new.url == f"{people.origin}/password"
    assert violations(new) == []
    fills(new, "/password", password=f"{PASSWORD} again", again=f"{PASSWORD} again")
    expect(new.get_by_role("status")).to_contain_text("Your password is changed.")
    assert violations(new) == []
    fills(new, "/login", name=FORGETFUL, password=f"{PASSWORD} again")
    expect(new.get_by_role("heading", level=1)).to_have_text(FORGETFUL)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your name here")


def chooses_a_board(page: Page) -> None:
    tab_to(page.get_by_label("Board", exact=True))
    page.keyboard.type("slate")
    presses(page.locator("#preferences").get_by_role("button", name="Keep"))
    expect(page.locator(".done")).to_have_text("Your preferences are kept.")
    expect(page.locator("html")).to_have_attribute("data-board", "slate")
    assert violations(page) == []


def wins_against_lee(page: Page, port: int) -> str:
    """A game of Tic-tac-toe against one who waits by Bogaprot; the path of its table."""
    with closing(SpecClient(port)) as lee:
        assert lee.handshake("Tic_tac_toe?name=Lee") == ("RSP_HANDSHAKE", 0)
        page.goto(urljoin(page.url, "/"))
        presses(page.locator(".seek", has_text="Lee").get_by_role("link", name=re.compile("^Join")))
        page.wait_for_url("**/table/*")
        expect(page.locator(".seat", has_text="you").locator(".name")).to_have_text(NAME)
        for square, answer in ((0, "b2"), (1, "c3"), (3, "a1")):
            assert lee.until("REQ_MOVE") == ("REQ_MOVE", 0)
            lee.move(-1, square)
            plays(page, answer)
            assert lee.until("REQ_MOVE") == ("REQ_MOVE", 1)
        assert lee.until("MSG_GAMEOVER") == ("MSG_GAMEOVER", 1)
    expect(page.locator("#status")).to_have_text(re.compile("You won"))
    return urlsplit(page.url).path


def stays_as_a_former_player(people: Visitors, page: Page, table: str) -> None:
    """Everybody sees the game, and nobody the name, nor can anybody have it; the browser that played holds its seat."""
    people.allow("status of 40[349]")
    names = ["former player", "Lee"]
    for seen, seats, won in (
        (page, names[::-1], "You won, three in a row"),
        (people.arrives(table), names, "former player won, three in a row"),
    ):
        seen.goto(f"{people.origin}{table}")
        expect(seen.locator(".seat .name")).to_have_text(seats)
        expect(seen.locator("#status")).to_have_text(won)
        expect(seen.locator("body")).not_to_contain_text(NAME)
    page.goto(f"{people.origin}/people/{NAME}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No such player")
    for form, fields in (("/login", {"password": PASSWORD}), ("/guest", {})):
        page.goto(f"{people.origin}/login")
        fills(page, form, name=NAME, **fields)
        expect(page.locator(".fault")).to_be_visible()
