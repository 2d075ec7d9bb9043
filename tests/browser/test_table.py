"""The table page alive: a bot, a friend by link, offers, talk, refusals, observers and looking back."""

from __future__ import annotations

import json
import re
from time import monotonic
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Page, Route, WebSocket, expect

from gateway import registry
from gateway.web.board.description import described
from tests import peers
from tests.browser.table_page import TablePage, enters
from tests.browser.visitors import PHONE, Visitors, drawn, screenshot, violations

pytestmark = peers.needed

SETTINGS = {"BOTS_WORKERS": "1", "BOTS_PAUSE": "0s"}

NO_TABLE_FOR_STRANGERS = r"status of 404 .*/table/\d+"
"""The line that chromium writes when a private table's page is loaded anew: its script takes the seat from there."""


def status(page: Page, text: str) -> None:
    expect(page.locator("#status")).to_have_text(re.compile(text))


def says(page: Page, move: str) -> None:
    """Plays a move by the text field, which "/" focuses."""
    page.locator("#status").click()
    page.keyboard.press("/")
    enters(page, move)


def mover_first(ann: Page, bob: Page) -> tuple[Page, Page]:
    """The two players of a game that has just begun: the one who is to move, and the other one."""
    for page in (ann, bob):
        status(page, "Your turn|to move")
    return (ann, bob) if "Your" in ann.locator("#status").inner_text() else (bob, ann)


def friends(people: Visitors, query: str = "", game: str = "tic_tac_toe") -> tuple[Page, Page]:
    """Two people at one table, by an invitation: the one who begins, and the other one."""
    ann = people.arrives(f"/play/{game}?against=friend&side=0{query}")
    link = ann.get_by_label("Link for your friend").input_value()
    assert re.fullmatch(rf"{people.origin}/seat#[\w-]{{22,}}", link)
    bob = people.arrives(link.removeprefix(people.origin))
    bob.get_by_label("Your name").fill("Bob <b>")
    bob.get_by_role("button", name="Sit down").click()
    status(ann, "Your turn")
    return ann, bob


def test_a_die_is_drawn_beside_the_name_of_who_rolled_it_and_rolls(people: Visitors) -> None:
    ann = people.arrives("/play/ludo?against=friend&side=0&seats=2", reduced_motion="no-preference")
    ann.evaluate(
        """() => {
            window.rolling = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...told) {
                if (this.matches(".die")) window.rolling += 1;
                return animate.apply(this, told);
            };
        }"""
    )
    bob = people.arrives(ann.get_by_label("Link for your friend").input_value().removeprefix(people.origin))
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").click()
    said = ann.locator("#dice")
    expect(said).to_have_text(re.compile(r"rolled 6\.$"))
    six = ann.locator(".seat.turn .rolled")
    expect(six).to_have_attribute("aria-label", re.compile("6$"))
    assert six.locator(".die").last.locator("path").get_attribute("d").count("M") == 6  # type: ignore[union-attr]
    assert ann.evaluate("window.rolling") > 0
    expect(ann.locator("#far .seat")).to_contain_text("yellow")  # where its yard is
    assert "right" in str(ann.locator("#near .seat").get_attribute("class"))


def test_a_bot_is_played_within_ten_seconds_of_opening_the_site(people: Visitors) -> None:
    begun = monotonic()
    page = people.arrives("/")
    page.get_by_role("button", name=re.compile("computer|bot", re.IGNORECASE)).first.click()
    status(page, "Your turn|to move")
    assert monotonic() - begun < 10


def test_a_bot_answers_and_the_page_goes_on_when_it_is_loaded_anew(people: Visitors) -> None:
    people.allow(NO_TABLE_FOR_STRANGERS)
    page = people.arrives("/play/tic_tac_toe?against=bot")
    status(page, "Your turn")
    says(page, "b2")
    expect(page.locator("#moves a")).to_have_count(2)
    status(page, "Your turn")
    page.reload()
    expect(page.locator("#moves a")).to_have_count(2)
    status(page, "Your turn")


def test_a_friend_comes_by_a_link_and_a_whole_game_is_played_by_text(people: Visitors) -> None:
    ann, bob = friends(people)
    expect(ann.locator(".seat", has_text="Bob <b>")).to_be_visible()
    for page, move in ((ann, "b2"), (bob, "a3"), (ann, "a2"), (bob, "c3")):
        status(page, "Your turn")
        says(page, move)
    expect(ann.locator("#live")).to_have_text(re.compile(r"O: c3\. Your turn\."))
    says(ann, "c2")
    status(ann, "You won")
    status(bob, "You lost")
    expect(ann.locator("#moves a").last).to_have_attribute("aria-current", "step")
    assert violations(ann) == []
    bob.get_by_role("button", name="Rematch").click()
    ann.get_by_role("button", name="Accept").click()
    expect(ann.locator("#moves a")).to_have_count(0)
    status(ann, "Your turn|to move")


def test_a_refusal_says_why_and_leaves_the_text(people: Visitors) -> None:
    ann, _ = friends(people)
    says(ann, "z9")
    expect(ann.locator("#refused")).to_contain_text("z9")
    expect(ann.locator("#move-text")).to_have_value("z9")
    expect(ann.locator("#live")).to_contain_text("Refused")
    ann.locator("#move-text").fill("b2")
    ann.locator("#move-text").press("Enter")
    expect(ann.locator("#refused")).to_be_hidden()


def test_offers_are_answered(people: Visitors) -> None:
    ann, bob = friends(people)
    says(ann, "b2")
    status(bob, "Your turn")
    ann.get_by_role("button", name="Take back").click()
    expect(bob.locator("#offers")).to_contain_text("Your opponent asks to take back the last move.")
    bob.get_by_role("button", name="Decline").click()
    expect(ann.locator("#talk")).to_contain_text("Your opponent declines the takeback.")
    ann.get_by_role("button", name="Take back").click()
    bob.get_by_role("button", name="Accept").click()
    expect(ann.locator("#moves a")).to_have_count(0)
    status(ann, "Your turn")
    bob.get_by_role("button", name="Offer a draw").click()
    ann.get_by_role("button", name="Accept").click()
    status(ann, "Draw by agreement")
    status(bob, "Draw by agreement")


def test_resigning_is_confirmed(people: Visitors) -> None:
    ann, bob = friends(people)
    says(ann, "b2")
    says(bob, "a1")
    ann.get_by_role("button", name="Resign").click()
    ann.get_by_role("button", name="Play on").click()
    status(ann, "Your turn")
    ann.get_by_role("button", name="Resign").click()
    ann.get_by_role("dialog").get_by_role("button", name="Resign").click()
    status(bob, "You won by resignation")


def say(page: Page, text: str) -> None:
    page.get_by_label("Say something").fill(text)
    page.get_by_label("Say something").press("Enter")


def test_talk_is_text_and_is_heard(people: Visitors) -> None:
    ann, bob = friends(people)
    say(bob, "<img src=x onerror=alert(1)> hello")
    expect(ann.locator("#talk")).to_contain_text(": <img src=x onerror=alert(1)> hello")
    expect(ann.locator("#talk button")).to_contain_text("Bob <b>")
    expect(ann.locator("#live")).to_contain_text("hello")


def test_who_sits_down_before_the_page_has_looked_at_the_seat_sits_there_once(people: Visitors) -> None:
    """The page asks what the seat of its link is. Its player presses the button before that is answered."""
    ann = people.arrives("/play/tic_tac_toe?against=friend&side=0")
    link = ann.get_by_label("Link for your friend").input_value()
    bob = people.context().new_page()
    sit_down = bob.get_by_role("button", name="Sit down")
    asked: list[Route] = []
    disabled: list[bool] = []
    lines: list[WebSocket] = []

    def asks(route: Route) -> None:
        asked.append(route)
        disabled.append(sit_down.is_disabled())
        if len(asked) > 1:
            route.continue_()

    bob.route("**/api/seat", asks)
    bob.on("websocket", lambda line: lines.append(line))  # playwright marks its listeners
    bob.goto(link)
    bob.get_by_label("Your name").fill("Bob")
    sit_down.click()
    status(bob, "X to move")
    with bob.expect_response("**/api/seat"):
        asked[0].continue_()
    say(bob, "still here")
    expect(ann.locator("#talk")).to_contain_text(": still here")
    assert disabled == [False, True]
    assert len(lines) == 1


def test_who_gets_no_answer_when_sitting_down_is_told_and_may_ask_again(people: Visitors) -> None:
    people.allow("Failed to load resource: net::ERR_FAILED")
    ann = people.arrives("/play/tic_tac_toe?against=friend&side=0")
    link = ann.get_by_label("Link for your friend").input_value()
    bob = people.context().new_page()
    bob.route("**/api/looks/*", lambda route: route.abort(), times=1)
    bob.goto(link)
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").click()
    expect(bob.locator("#seat-wrong")).to_have_text("The server does not answer. Try again.")
    bob.get_by_role("button", name="Sit down").click()
    status(bob, "X to move")


def test_who_is_refused_a_seat_may_ask_again(people: Visitors) -> None:
    bob = people.arrives("/seat")
    people.allow(r"status of 401 .*/api/seat")
    for ticket in ("not-a-ticket-of-this-server", "nor-this-one-of-that-server"):
        bob.get_by_label("Ticket").fill(ticket)
        bob.get_by_role("button", name="Sit down").click()
        expect(bob.get_by_role("alert").filter(has_text="stands for no seat")).to_be_visible()
        bob.get_by_label("Ticket").fill("")
    expect(bob.get_by_role("button", name="Sit down")).to_be_enabled()


def test_a_clock_is_told_before_one_sits_down_and_runs(people: Visitors) -> None:
    ann = people.arrives("/play/tic_tac_toe?against=friend&side=0&time=65")
    expect(ann.locator("#offers")).to_contain_text("65 s")
    ann.get_by_role("button", name="Sit down").click()
    link = ann.get_by_label("Link for your friend").input_value()
    bob = people.arrives(link.removeprefix(people.origin))
    expect(bob.locator("#seat-text")).to_have_text("You play o. 65 s.")
    bob.get_by_role("button", name="Sit down").click()
    status(ann, "Your turn")
    expect(ann.locator(".seat[data-seat='0'] .clock.running")).to_have_text(re.compile(r"1:0\d"))
    expect(ann.locator("#live")).to_have_text(re.compile(r"Your turn, 1 minute \d\."))
    expect(ann.locator("#live")).to_have_text("60 seconds left.", timeout=15_000)
    expect(bob.locator("#live")).not_to_have_text(re.compile("seconds left"))


def test_one_looks_on_and_back_while_others_play(people: Visitors) -> None:
    ann = people.arrives("/play/tic_tac_toe")
    status(ann, "Waiting for an opponent")
    bob = people.arrives("/play/tic_tac_toe")
    first, second = mover_first(ann, bob)
    eve = people.arrives(ann.url.removeprefix(people.origin))
    says(first, "b2")
    status(second, "Your turn")
    says(second, "a3")
    expect(eve.locator("#moves a")).to_have_count(2)
    eve.locator("#moves a").first.click()
    assert eve.url.endswith("#1")
    expect(eve.locator("#moves a").first).to_have_attribute("aria-current", "step")
    expect(eve.get_by_role("gridcell", name=re.compile("^a3, empty"))).to_have_count(1)
    status(first, "Your turn")
    says(first, "c1")
    expect(eve.locator("#moves a")).to_have_count(3)
    expect(eve.locator("#moves a").first).to_have_attribute("aria-current", "step")
    eve.keyboard.press("ArrowRight")
    expect(eve.get_by_role("gridcell", name=re.compile("^a3, o"))).to_have_count(1)
    eve.get_by_role("button", name="Present position").click()
    expect(eve.locator("#moves a").last).to_have_attribute("aria-current", "step")
    expect(eve.locator("#actions").get_by_role("button", name="Resign")).to_have_count(0)


@pytest.mark.parametrize("query", ["reversi", "chess", "go?size=9&handicap=4", "arimaa", "connect_four", "ludo"])
def test_a_table_that_waits_shows_the_position_that_its_game_begins_with(people: Visitors, query: str) -> None:
    """To the player who waits, and to who looks on."""
    name, _, options = query.partition("?")
    game = registry.game(name)
    settings = game.settings("", 0, "", dict(parse_qsl(options)) or None)
    board = game.board(game.start(settings))
    ann = people.arrives(f"/play/{query}")
    status(ann, "Waiting for")
    ann.wait_for_url("**/table/*")
    eve = people.arrives(ann.url.removeprefix(people.origin))
    status(eve, "Waiting for")
    for page in (ann, eve):
        TablePage(page, json.loads(described(game, settings).json)).until_shown(board)
        assert page.locator("#board .pieces > *").count() == len(board)


def test_who_comes_back_to_a_private_table_that_waits_sits_there_at_once(people: Visitors) -> None:
    """Whether or not the server has seen the first page go; the position is that which the game begins with."""
    people.allow(NO_TABLE_FOR_STRANGERS)
    ann = people.arrives("/play/checkers?against=friend")
    link = ann.get_by_label("Link for your friend").input_value()
    ann.wait_for_url("**/table/*")
    table = ann.url
    ann.goto(f"{people.origin}/seat")
    ann.wait_for_function(
        """async ticket => {
            const seats = await (await fetch("/api/seat", {headers: {authorization: `Ticket ${ticket}`}})).json();
            return seats.names.every(name => !name);
        }""",
        arg=link.partition("#")[2],
    )
    ann.goto(table)
    status(ann, "Waiting for")
    expect(ann.get_by_role("gridcell", name=re.compile("(black|white) man"))).to_have_count(24)


def test_a_button_keeps_the_focus_while_the_others_move(people: Visitors) -> None:
    """So that the keyboard does not begin anew at the top of the page; what it does is of the present position."""
    ann, bob = friends(people)
    says(ann, "b2")
    ann.get_by_role("button", name="Take back").focus()
    status(bob, "Your turn")
    says(bob, "a3")
    expect(ann.locator("#moves a")).to_have_count(2)
    status(ann, "Your turn")  # what the buttons do is drawn with it
    expect(ann.get_by_role("button", name="Take back")).to_be_focused()
    ann.keyboard.press("Enter")
    expect(bob.locator("#offers")).to_contain_text("asks to take back 2 moves")


def test_who_scrolls_the_moves_is_left_there_until_there_is_another_one(people: Visitors) -> None:
    ann, bob = friends(people, game="chess")
    for line in (f"{file}{rank}" for rank in "34" for file in "abcdef"):
        for page, move in ((ann, line), (bob, f"{line[0]}{9 - int(line[1])}")):
            status(page, "Your turn")
            says(page, move)
    moves = ann.locator("#moves")
    expect(moves.locator("a")).to_have_count(24)
    moves.evaluate("list => { list.scrollTop = 0; }")
    say(bob, "hello")
    expect(ann.locator("#talk")).to_contain_text("hello")
    drawn(ann)
    assert moves.evaluate("list => list.scrollTop") == 0
    says(ann, "Nf3")
    expect(moves.locator("a").last).to_be_in_viewport()
    assert moves.evaluate("list => list.scrollTop") > 0


def test_a_seat_is_taken_along(people: Visitors) -> None:
    ann, bob = friends(people)
    ann.get_by_role("button", name="Continue elsewhere").click()
    link = ann.get_by_label("Link to your seat").input_value()
    expect(ann.locator("svg.qr path")).to_have_count(1)
    expect(ann.get_by_role("dialog")).to_contain_text(f"tic_tac_toe#{link.rpartition('#')[2]}")
    assert violations(ann) == []
    phone = people.arrives(link.removeprefix(people.origin), viewport=PHONE, has_touch=True, is_mobile=True)
    status(phone, "Your turn")
    expect(ann.locator("#link")).to_contain_text("The game is open in another window.")
    says(phone, "b2")
    status(bob, "Your turn")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(people: Visitors, scheme: str) -> None:
    page = people.arrives("/play/chess?against=bot", color_scheme=scheme)
    status(page, "Your turn")
    assert violations(page) == []
    page.get_by_role("button", name="Settings").click()
    assert violations(page) == []


def test_settings_are_kept_in_the_browser(people: Visitors) -> None:
    people.allow(NO_TABLE_FOR_STRANGERS)
    page = people.arrives("/play/tic_tac_toe?against=bot")
    status(page, "Your turn")
    page.get_by_role("button", name="Settings").click()
    page.locator("#set-theme").select_option("dark")
    page.locator("#set-board").select_option("slate")
    page.get_by_label("Name for your next game").fill("Ann")
    page.get_by_role("button", name="Done").click()
    page.goto(f"{people.origin}/play/tic_tac_toe?against=bot")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-board", "slate")
    expect(page.locator(".seat", has_text="Ann")).to_be_visible()


def test_dead_stones_are_marked_and_agreed_on(people: Visitors) -> None:
    """Area scoring with komi 7.5: of three stones on 9x9 black has two alive, and with them the whole board but one.

    Marks and the score so far are those of the claim that the page shows: seen, and said.
    """
    ann = people.arrives("/play/go?against=friend&side=0&size=9")
    link = ann.get_by_label("Link for your friend").input_value()
    bob = people.arrives(link.removeprefix(people.origin))
    bob.get_by_role("button", name="Sit down").click()
    for page, move in ((ann, "C3"), (bob, "G7"), (ann, "C4"), (bob, "pass"), (ann, "pass")):
        status(page, "Your turn")
        says(page, move)
    status(bob, "Play has stopped")
    expect(bob.locator("#offers")).to_contain_text("Black 2, White 8.5: White leads by 6.5.")
    expect(bob.locator(".land")).to_have_count(0)
    bob.get_by_role("gridcell", name=re.compile("^C4")).click()
    expect(bob.locator("#offers")).to_contain_text("2 marked as dead.")
    bob.get_by_role("gridcell", name=re.compile("^C3")).click()
    expect(bob.locator("#offers")).to_contain_text("0 marked as dead.")
    bob.get_by_role("gridcell", name=re.compile("^G7")).click()
    expect(bob.locator("#offers")).to_contain_text(
        "Black: 79 surrounded, 2 stones. White: 0 surrounded, 0 stones, komi 7.5"
    )
    expect(bob.locator("#live")).to_have_text(re.compile("Black leads by 73.5"))
    expect(bob.locator(".land")).to_have_count(79)
    expect(bob.get_by_role("gridcell", name=re.compile("counts for black"))).to_have_count(79)
    screenshot(bob, "desktop-light/counting")
    bob.get_by_role("button", name="Propose this").click()
    expect(ann.locator("#offers")).to_contain_text("Your opponent proposes 1 dead.")
    expect(ann.get_by_role("gridcell", name=re.compile("^G7.*marked dead"))).to_have_count(1)
    expect(ann.locator(".land")).to_have_count(79)
    assert violations(ann) == []
    ann.get_by_role("button", name="Agree").click()
    status(ann, r"You won by 73.5 points")
    status(bob, r"You lost by 73.5 points")
    bob.reload()
    expect(bob.locator(".land")).to_have_count(79)
    bob.locator("#replay-back").click()
    expect(bob.locator(".land")).to_have_count(0)


def test_a_usual_set_up_takes_one_click(people: Visitors) -> None:
    people.allow(NO_TABLE_FOR_STRANGERS)
    page = people.arrives("/play/arimaa?against=bot")
    page.get_by_role("button", name="Usual set-up").click()
    expect(page.get_by_role("gridcell", name=re.compile("gold rabbit"))).to_have_count(8)
    expect(page.locator("#moves .turn[data-seat='0'] a")).to_have_count(16)
    status(page, "Silver to move|Your turn")


def test_a_turn_of_steps_is_finished_by_a_button_above_the_moves(people: Visitors) -> None:
    ann = people.arrives("/play/arimaa?against=friend&side=0")
    bob = people.arrives(ann.get_by_label("Link for your friend").input_value().removeprefix(people.origin))
    bob.get_by_role("button", name="Sit down").click()
    for page in (ann, bob):
        page.get_by_role("button", name="Usual set-up").click()
    status(ann, "Your turn")
    finish = ann.locator("#offers").get_by_role("button", name="Finish turn")
    expect(finish).to_have_count(0)
    says(ann, "Ed2n")
    expect(ann.locator("#offers")).to_contain_text("3 steps left.")
    finish.click()
    status(bob, "Your turn")
    expect(finish).to_have_count(0)
