"""Choosing in a browser: the lobby's options by keyboard and by touch, and a wall of one's own that fills its page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from playwright.sync_api import Page, expect

from gateway.lobby.names import LONGEST
from tests import peers
from tests.browser.test_lists import FOLLOWS_MS, player
from tests.browser.visitors import NARROW, ON_A_PHONE, Visitors, drawn, screenshot, too_wide, violations
from tests.running import RunningServer

pytestmark = peers.needed

LISTENERS = ("http", "bogaprot")
SETTINGS = {"SEATS_BOT_AFTER": "never", "BOTS_WORKERS": "1", "BOTS_PAUSE": "0s"}

CUT = """nodes => nodes.filter(node => {
    const style = getComputedStyle(node);
    return style.textOverflow !== "clip" || node.scrollWidth > node.clientWidth || style.whiteSpace === "nowrap";
}).map(node => node.textContent)"""
"""The texts of elements that do not show all of it."""


@contextmanager
def goes_by(page: Page, address: str) -> Iterator[None]:
    """Inside it the page goes to an address that ends like this, which is its table's as soon as it is seated."""
    with page.expect_navigation(url=re.compile(address), wait_until="commit"):
        yield


def chooses(page: Page, game: str) -> None:
    page.get_by_role("radio", name=game, exact=True).check(force=True)


def test_options_are_chosen_by_keyboard_and_stand_at_the_table(people: Visitors) -> None:
    page = people.arrives("/")
    page.get_by_role("radio", name="Go", exact=True).focus()
    page.keyboard.press("Space")
    page.get_by_text("More options of Go").locator("xpath=ancestor-or-self::summary").press("Enter")
    page.get_by_label("Board", exact=True).select_option("9x9")
    page.get_by_label("Handicap", exact=True).select_option("4 stones")
    page.get_by_label("You play").and_(page.locator(":visible")).select_option("White")
    page.get_by_label("Komi", exact=True).fill("half")
    people.allow("status of 400")
    page.get_by_role("button", name="Play a friend").press("Enter")
    wrong = page.get_by_label("Komi", exact=True)
    expect(wrong).to_have_accessible_description(re.compile("^A number, not 'half'"))
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Board", exact=True)).to_have_value("9")
    screenshot(page, "choosing/wrong-komi")
    wrong.fill("-0.5")
    with goes_by(page, r"/play/go\?.*komi=-0.5.*&side=white&against=friend$"):
        page.get_by_role("button", name="Play a friend").press("Enter")
    expect(page.locator("#settings-line")).to_have_text(re.compile("9x9 .*handicap 4 stones.*komi -0.5"))
    expect(page.locator("#near .plays")).to_have_text("white")


def test_a_phone_shows_the_options_of_the_chosen_rules_and_a_time_of_ones_own(people: Visitors) -> None:
    page = people.arrives("/", **{**ON_A_PHONE, "viewport": NARROW})
    chooses(page, "Chess")
    page.locator(".of-game .more summary:visible").tap()
    number = page.get_by_label("First position (Chess960)")
    expect(number).to_be_hidden()
    page.get_by_label("Rules of Chess").select_option("Chess960")
    number.fill("7")
    page.get_by_label("another time").check(force=True)
    page.get_by_label("Minutes").fill("2.5")
    page.get_by_label("Seconds").fill("1")
    assert too_wide(page) == violations(page) == []
    screenshot(page, "choosing/phone-options")
    chooses(page, "Go")
    expect(page.get_by_label("Komi", exact=True)).to_be_visible()
    expect(page.get_by_label("Points for handicap (Area counting)")).to_be_visible()
    page.get_by_label("Rules of Go").select_option("Territory counting")
    expect(page.get_by_label("Points for handicap (Area counting)")).to_be_hidden()
    screenshot(page, "choosing/phone-go")
    chooses(page, "Chess")
    with goes_by(page, r"/play/chess\?variant=fischerandom&time=150%2B1&position=7$"):
        page.get_by_role("button", name="Play anybody").tap()
    expect(page.locator("#settings-line")).to_have_text("Chess960 · first position 7 · 150 s + 1 s")


def test_a_phone_shows_the_buttons_that_begin_a_game_without_scrolling(people: Visitors) -> None:
    page = people.arrives("/", **{**ON_A_PHONE, "viewport": {"width": 390, "height": 664}})
    for words in ("Play anybody", "Play computer", "Play a friend"):
        expect(page.get_by_role("button", name=words)).to_be_in_viewport(ratio=1)


def test_options_work_without_script(people: Visitors) -> None:
    page = people.context(java_script_enabled=False).new_page()
    page.goto(f"{people.origin}/")
    chooses(page, "Chess")
    page.locator(".of-game .more summary:visible").click()
    page.get_by_label("First position (Chess960)").fill("960")
    people.allow("status of 400")
    page.get_by_role("button", name="Play a friend").click()
    assert "Only under the rules Chess960" in page.locator("form.play").inner_text() or "0 to 959" in page.content()
    page.get_by_label("Rules of Chess").select_option("Chess960")
    page.get_by_label("First position (Chess960)").fill("959")
    page.get_by_role("button", name="Play a friend").click()
    expect(page).to_have_url(re.compile(r"/play/chess\?variant=fischerandom&position=959&against=friend$"))


def test_a_game_with_the_computer_may_be_looked_at_by_who_has_its_address(people: Visitors) -> None:
    page = people.arrives("/")
    chooses(page, "Tic-Tac-Toe")
    page.get_by_label("may look on").check()
    page.get_by_role("button", name="Play computer").click()
    expect(page).to_have_url(re.compile(r"/table/\d+$"))
    expect(page.locator(".cell").first).to_be_visible()
    other = people.arrives(page.url.removeprefix(people.origin))
    expect(other.locator(".board svg").first).to_be_visible()
    expect(people.arrives("/tv").locator(".mini")).to_have_count(0)


def test_few_games_fill_the_wall_and_no_name_is_cut(people: Visitors, running: RunningServer) -> None:
    names = ["".join(chr(ord("A") + at) for _ in range(LONGEST)) for at in range(6)]
    page, narrow = people.arrives("/tv"), people.arrives("/tv", **{**ON_A_PHONE, "viewport": NARROW})
    with ExitStack() as there:
        for games in (1, 2, 3):
            for name in names[2 * games - 2 : 2 * games]:
                there.enter_context(player(running, name))
            for each in (page, narrow):
                expect(each.locator(".mini")).to_have_count(games, timeout=FOLLOWS_MS)
                drawn(each)
                screenshot(each, f"choosing/wall-{games}-{'narrow' if each is narrow else 'wide'}")
                assert each.locator(".what, .who, .over").evaluate_all(CUT) == []
                assert too_wide(each) == []
            boards = [box for each in page.locator(".mini .picture").all() if (box := each.bounding_box())]
            wide = page.viewport_size
            assert wide is not None
            assert sum(board["width"] for board in boards) > 0.35 * wide["width"]
            assert {round(board["width"]) for board in boards} == {round(boards[0]["width"])}
            left, right = boards[0]["x"], wide["width"] - boards[-1]["x"] - boards[-1]["width"]
            assert abs(left - right) < 24, "centred"
            assert all(board["y"] + board["height"] < wide["height"] for board in boards)


def test_a_wall_of_ones_own_is_chosen_without_script(people: Visitors, running: RunningServer) -> None:
    with player(running, "ann"), player(running, "ben"):
        page = people.context(java_script_enabled=False).new_page()
        page.goto(f"{people.origin}/tv")
        expect(page.locator(".mini", has_text="ann")).to_be_visible()
        page.get_by_text("Choose games", exact=True).click()
        screenshot(page, "choosing/wall-choice")
        page.get_by_role("checkbox", name="Go", exact=True).check()
        page.get_by_role("checkbox", name="Atomic", exact=True).check()
        page.get_by_role("button", name="Show these").click()
        expect(page).to_have_url(re.compile(r"/tv\?variant=chess\.atomic&game=go$"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Watch Chess (Atomic), Go")
        expect(page.locator(".mini")).to_have_count(0)
        page.get_by_role("link", name="Watch other games").click()
        expect(page.locator(".mini", has_text="ann")).to_be_visible()
