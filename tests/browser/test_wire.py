"""The page of a table's bytes shows both wires live to who holds a seat there, and to nobody else."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests import peers
from tests.browser.visitors import NARROW, PATIENCE_S, Visitors, screenshot, violations

pytestmark = peers.needed

WAIT_MS = PATIENCE_S * 1000

SIT = """() => new Promise((done) => {
  const socket = window.socket = new WebSocket(location.origin.replace("http", "ws") + "/ws");
  window.say = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => { say({type: "hello", v: 1}); say({type: "join", game: "tic_tac_toe", name: "ann"}); };
  socket.onmessage = ({data}) => {
    const told = JSON.parse(data);
    if (told.type !== "seated") return;
    localStorage.setItem("boardgate.seats", JSON.stringify([[told.table, told.ticket]]));
    done([told.table, told.ticket]);
  };
})"""
"""Takes a seat as the table's page does; answers with its table and ticket."""


def seated(people: Visitors) -> tuple[Page, int, str]:
    page = people.arrives("/connect")
    table, ticket = page.evaluate(SIT)
    return page, table, ticket


def say(page: Page, to: str, text: str) -> None:
    page.evaluate("(said) => window.say({type: 'say', ...said})", {"to": to, "text": text})


def test_a_player_sees_what_its_page_says_and_is_told(people: Visitors) -> None:
    player, table, ticket = seated(people)
    page = player.context.new_page()
    page.goto(f"{people.origin}/table/{table}/bytes")
    expect(page.locator("#wires h2")).to_contain_text("ann", timeout=WAIT_MS)
    say(player, "players", "between us")
    expect(page.locator(".wire .remark").filter(has_text="talk that is not for everybody")).to_have_count(
        2, timeout=WAIT_MS
    )
    say(player, "all", "hello all")
    for side in ("in", "command", "told", "out"):
        expect(page.locator(f".wire .{side}").filter(has_text="hello all")).to_be_visible(timeout=WAIT_MS)
    text = page.content()
    assert "between us" not in text
    assert ticket not in text
    screenshot(page, "bytes-light")
    assert violations(page) == []
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_a_stranger_sees_no_wire(people: Visitors) -> None:
    people.allow("403")
    _, table, _ = seated(people)
    page = people.arrives(f"/table/{table}/bytes")
    expect(page.locator("#standing")).to_contain_text("present the ticket of a seat", timeout=WAIT_MS)
    assert page.locator(".wire").count() == 0
