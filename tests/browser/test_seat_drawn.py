"""A seat is drawn once: what a script shows after something has changed is what the server draws for a new visitor."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Final

from playwright.sync_api import Locator, Page, Route, expect

from tests import peers
from tests.browser.test_lists import player
from tests.browser.visitors import Visitors
from tests.conformance.host import Host
from tests.running import RunningServer
from tests.web_client import WebClient

pytestmark = peers.needed

LISTENERS = ("http", "bogaprot")
SETTINGS = {"SEATS_BOT_AFTER": "never"}

RANKS: Final = {"first": "1500", "later": "1523"}


def bare(people: Visitors, path: str) -> Page:
    """The page as the server draws it."""
    page = people.context(java_script_enabled=False).new_page()
    page.goto(people.origin + path)
    return page


def drawn(found: Locator) -> list[str]:
    """The markup of these elements, without what changes with the time and what the picture of a board is made of."""
    markup = found.evaluate_all(
        """found => found.map(element => {
            const copy = element.cloneNode(true);
            for (const part of copy.querySelectorAll(".clock, .picture")) part.replaceChildren();
            for (const clock of copy.querySelectorAll(".clock")) clock.className = "clock";
            for (const name of ["version", "left", "running", "key"]) delete copy.dataset[name];
            return copy.outerHTML;
        })"""
    )
    return [re.sub(r"\s*([<>])\s*", r"\1", re.sub(r", \d+ ms", "", text)) for text in markup]


def test_seats_that_fill_and_empty_are_drawn_as_for_a_new_visitor(people: Visitors, running: RunningServer) -> None:
    host = Host(running.ports[0])
    table, tickets = host.registers("tic_tac_toe", "ann", "ben", time="300+3")
    page = people.arrives(f"/table/{table}")
    seats = page.locator(".seat")
    expect(seats.filter(has_text="ann")).to_contain_text("away")
    assert drawn(seats) == drawn(bare(people, f"/table/{table}").locator(".seat"))
    with player(running, ticket=tickets[0]):
        expect(seats.filter(has_text="ann")).to_contain_text("bogaprot")
        assert drawn(seats) == drawn(bare(people, f"/table/{table}").locator(".seat"))
        with player(running, ticket=tickets[1]):
            host.until(table, "GameStarted")
            expect(seats.filter(has_text="ben")).to_contain_text("bogaprot")
            expect(page.locator(".seat.turn")).to_have_count(1)
            assert drawn(seats) == drawn(bare(people, f"/table/{table}").locator(".seat"))
        expect(seats.filter(has_text="ben")).to_contain_text("away")
        assert drawn(seats) == drawn(bare(people, f"/table/{table}").locator(".seat"))


def test_what_was_taken_is_drawn_as_for_a_new_visitor_and_as_it_was_before_any_move(
    people: Visitors, running: RunningServer
) -> None:
    host = Host(running.ports[0])
    table, tickets = host.registers("checkers", "ann", "ben")
    page = people.arrives(f"/table/{table}")
    tally = page.locator(".tally")
    with closing(WebClient(running.ports[0])) as black, closing(WebClient(running.ports[0])) as white:
        for who, ticket in zip((black, white), tickets, strict=True):
            who.hello(table=table, ticket=ticket)
            who.say("propose", what="start")
        for who, source, target in ((black, 21, 28), (white, 42, 35), (black, 28, 42)):
            who.until("moves")
            who.play(source, target)
        expect(tally.locator(".taken")).to_have_attribute("aria-label", "Taken: white man")
        assert drawn(tally) == drawn(bare(people, f"/table/{table}").locator(".tally"))
        page.locator("#replay-first").click()
        expect(tally.locator(".taken")).to_have_count(0)


def test_a_field_that_only_the_server_knows_is_shown_on_load_and_after_changes(
    people: Visitors, running: RunningServer
) -> None:
    """A rank is put into the seats and into their template. No script has heard of it."""
    host = Host(running.ports[0])
    table, tickets = host.registers("tic_tac_toe", "ann", "bob")
    ranks = RANKS["first"]

    def ranked(route: Route) -> None:
        answer = route.fetch()
        text = answer.text().replace('{"seat":', f'{{"rank":"{ranks}","seat":')
        if route.request.resource_type == "document":
            text = text.replace('<span class="badges">', '<span class="badges"><span class="badge">{rank}</span>')
            before, found, after = text.partition("<template")
            text = before.replace("{rank}", ranks) + found + after
        route.fulfill(status=answer.status, content_type=answer.headers["content-type"], body=text)

    people.allow("ERR_BLOCKED_BY_LOCAL_NETWORK_ACCESS_CHECKS")  # from a page that a test has rewritten: it polls
    page = people.context().new_page()
    page.route(re.compile(rf"/table/{table}(/seats)?$"), ranked)
    page.goto(f"{people.origin}/table/{table}")
    seats = page.locator(".seat .badges")
    expect(seats).to_have_text([re.compile(RANKS["first"])] * 2)
    with player(running, ticket=tickets[0]):
        expect(page.locator(".seat", has_text="ann")).to_contain_text("bogaprot")
        expect(seats).to_have_text([re.compile(RANKS["first"])] * 2)
        ranks = RANKS["later"]
        with player(running, ticket=tickets[1]):
            expect(seats).to_have_text([re.compile(RANKS["later"])] * 2)
            expect(page.locator(".seat", has_text="bob")).to_contain_text("bogaprot")


def test_cards_and_rows_that_scripts_add_are_those_that_the_server_draws(
    people: Visitors, running: RunningServer
) -> None:
    lobby, wall = people.arrives("/"), people.arrives("/tv")
    with player(running, "carl"), player(running, "dora"), player(running, "wanda"):
        for page, path in ((lobby, "/"), (wall, "/tv")):
            card = page.locator(".mini", has_text="dora")
            expect(card.locator(".holder.turn .who")).to_have_text("carl")
            assert drawn(card) == drawn(bare(people, path).locator(".mini", has_text="dora"))
        row = lobby.locator(".seek", has_text="wanda")
        expect(row).to_be_visible()
        assert drawn(row) == drawn(bare(people, "/").locator(".seek"))
