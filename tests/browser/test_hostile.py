"""Names and words that would be markup, script, links or templates are text on every page, and break no layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import cycle
from typing import Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests import peers
from tests.browser.crawl import Found, crawl
from tests.browser.visitors import DESKTOP, NARROW, Visitors, drawn, screenshot, too_wide
from tests.conformance.chess_players import Lines
from tests.conformance.host import Host
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer
from tests.web_client import WebClient

pytestmark = peers.needed

PUBLIC: Final = "wire_public=yes"
LISTENERS: Final = (f"http,{PUBLIC}", f"chess-p2p,{PUBLIC}", f"miniature,{PUBLIC}", f"bogaprot,{PUBLIC}")
HTTP, P2P, MINIATURE, BOGAPROT = range(len(LISTENERS))

IMAGE: Final = "<img src=x onerror=alert(1)>"
SCRIPT: Final = '"><script>alert(1)</script>'
LINK: Final = "javascript:alert(1)"
TEMPLATE: Final = "{{7*7}}${7*7}<%=7*7%>"
PATH: Final = "../../host?x=1#y%2e%00\\'`"
ENTITY: Final = "</title>&lt;b&gt;&amp;</li>"
HEBREW: Final = "שלום (1) <2>"
WIDE: Final = "W" * 32
NAMES: Final = (IMAGE, SCRIPT, LINK, TEMPLATE, PATH, ENTITY, HEBREW, WIDE)
"""Names that are allowed. Each holds one seat only, for a second would be numbered."""

REFUSED: Final = {
    "a\u202ecil<b>A": r"'a\u202ecil<b>A'",
    "Al\u200bice": r"'Al\u200bice'",
    "A\u0301\u0301\u0301\u0301\u0301": "U+0301 does not belong into a name",
    "\u0410lice<img src=x>": "letters of one script only",
}
"""Names that nobody may have, and what the page says: turned around, with blanks unseen, towering, of two scripts."""

MOVES: Final = ("<svg/onload=alert(2)>", "</li><b>x", "{{7*7}}")
"""Moves of a game without rules here: texts that are passed on letter by letter."""

SAYINGS: Final = (
    *(IMAGE, SCRIPT, LINK, TEMPLATE, ENTITY, HEBREW),
    "<svg onload=alert(1)><style>*{display:none}</style>",
    "W" * 400,
)

CLEANED: Final = {
    "nobody \u202etxt.exe\u202c here": "nobody ?txt.exe? here",
    "a\u200bb\u2066c\ufeffd": "a?b?c?d",
    "e\u2028f\x1b[31mg\x07": "e f?[31mg?",
}
"""Sayings with characters that are not seen, and as they are shown."""


SORTS: Final = ("/table", "/people", "/report", "/tv", "/?")
"""The beginnings of the addresses of pages that show names, beside the first one."""

TRACES: Final = """() => [...document.querySelectorAll("main *")]
    .filter(element =>
        element.matches("img, iframe, b, u, style, [onerror], [onload], script:not([src], #page-data)")
        || (element.matches("a[href]") && element.origin !== location.origin))
    .map(element => element.outerHTML)"""
"""Elements of a page that no page of ours has: somebody's text would have become them."""


@pytest.fixture(scope="module")
def tables(running: RunningServer) -> Iterator[dict[str, int]]:
    """Tables of players with such names, by what they show."""
    host, ports = Host(running.ports[HTTP]), running.ports
    with ExitStack() as stack:
        opens = stack.enter_context
        white = opens(closing(Lines(ports[P2P])))
        white.until("hallo ")
        white.say(f"name {IMAGE}", "new", "move e2e4", "go")
        white.until("text your game is proposed")
        black = opens(closing(Lines(ports[MINIATURE])))
        black.until("welcome ")
        black.say(f"tell gateway name {SCRIPT}", "play")
        if white.until("go", "accepted") == "go":
            white.say("accepted")
        black.until("move e2-e4")
        for names, moves in (((LINK, TEMPLATE), 5), ((PATH, ENTITY), 3), ((WIDE, HEBREW), 1), (("M" * 32,), 0)):
            players = [opens(closing(_seated(ports[BOGAPROT], name))) for name in names]
            _play(players, (0, 3, 1, 4, 2)[:moves])
        pages = [opens(closing(WebClient(ports[HTTP]))) for _ in range(2)]
        for page, name in zip(pages, ("<u>", "</u>"), strict=True):
            page.hello()
            page.say("join", game="open", name=name)
            page.until("seated")
        for page, move in zip(cycle(pages), MOVES, strict=False):
            page.until("moves")
            page.say("play", text=move)
            page.until("MoveMade")
        newest = host.ask("/api/tables")[1]["tables"][0]["id"]
        yield {"chess": newest - 5, "over": newest - 4, "waiting": newest - 1, "open": newest}


@pytest.fixture(scope="module")
def site(running: RunningServer, tables: dict[str, int]) -> Found:
    return crawl(running.ports[HTTP])


def _seated(port: int, name: str) -> SpecClient:
    client = SpecClient(port)
    assert client.handshake(f"Tic_tac_toe?name={quote(name)}") == ("RSP_HANDSHAKE", 0)
    client.until("MSG_PLAYERS")
    return client


def _play(players: Sequence[SpecClient], squares: Sequence[int]) -> None:
    """The two put their marks on these squares in turn."""
    for ply, square in enumerate(squares):
        for player in players:
            player.until("REQ_MOVE")
        players[ply % 2].move(-1, square)


def wrongs(page: Page) -> list[str]:
    """The elements made of somebody's text, and those that reach beyond the window."""
    return [*page.evaluate(TRACES), *too_wide(page)]


@pytest.mark.parametrize(
    "window", [NARROW, pytest.param(DESKTOP, marks=pytest.mark.nightly)], ids=["narrow", "desktop"]
)
def test_names_are_text_on_every_page(people: Visitors, site: Found, window: Mapping[str, int]) -> None:
    page = people.context(viewport=window).new_page()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    found, seen = {}, Counter[str]()
    for path in (path for path in site.pages if path == "/" or path.startswith(SORTS)):
        page.goto(people.origin + path)
        drawn(page)
        text = page.locator("main").inner_text()
        seen.update(name for name in NAMES if name in text)
        if wrong := wrongs(page):
            found[path] = wrong
    assert found == {}
    assert dialogs == []
    assert site.broken == ()
    assert min(seen[name] for name in NAMES) >= 4, seen


def test_a_name_that_misleads_is_refused_by_its_code_points(people: Visitors) -> None:
    people.allow("status of 400")
    page = people.arrives("/login", viewport=NARROW)
    for name, shown in REFUSED.items():
        page.locator("#guest-name").fill(name)
        page.locator("form[action='/guest'] button").click()
        expect(page.locator("#guest-fault")).to_contain_text(shown)
        assert wrongs(page) == []


def test_moves_without_rules_are_text_in_the_list_in_the_proof_and_among_the_bytes(
    people: Visitors, tables: dict[str, int]
) -> None:
    page = people.arrives(f"/table/{tables['open']}", viewport=NARROW)
    expect(page.locator("#moves a")).to_have_text(list(MOVES))
    assert wrongs(page) == []
    page.goto(f"{people.origin}/table/{tables['open']}/proof")
    expect(page.locator("#verdict-text")).to_contain_text("The record is whole")
    page.evaluate("document.querySelectorAll('#events details').forEach(details => { details.open = true; })")
    for move in MOVES:
        expect(page.locator("#events")).to_contain_text(move)
    assert wrongs(page) == []
    page.goto(f"{people.origin}/table/{tables['open']}/bytes")
    for move in MOVES:
        expect(page.locator("#wires")).to_contain_text(move)
    assert wrongs(page) == []


def p2p(running: RunningServer, ticket: str) -> tuple[Lines, str, str]:
    """White by chess-p2p; how it speaks to Black, and how it resigns."""
    lines = Lines(running.ports[P2P])
    lines.until("hallo ")
    lines.say(f"ticket {ticket}", "new", "move e2e4", "go")
    if lines.until("go", "accepted") == "go":
        lines.say("accepted")
    lines.until("move e2e4")
    return lines, "text ", f"result 0-1 {{resigns {IMAGE}}}"


def miniature(running: RunningServer, ticket: str) -> tuple[Lines, str, str]:
    """The same by Miniature, which refuses characters that are not seen."""
    lines = Lines(running.ports[MINIATURE])
    lines.until("welcome ")
    lines.say(f"tell gateway seat {ticket}", "play")
    lines.until("tell gateway game 1")
    lines.say("move e2-e4")
    return lines, "tell Kim ", "resign"


@pytest.mark.parametrize(("seated", "cleaned"), [(p2p, CLEANED), (miniature, {})], ids=["p2p", "miniature"])
def test_what_a_player_says_is_text_at_the_table(
    people: Visitors,
    running: RunningServer,
    seated: Callable[[RunningServer, str], tuple[Lines, str, str]],
    cleaned: Mapping[str, str],
) -> None:
    table, (white, black) = Host(running.ports[HTTP]).registers("chess", f"</b>{seated.__name__}", "Kim")
    page = people.arrives(f"/seat#{black}", viewport=NARROW)
    page.wait_for_url(f"**/table/{table}")
    lines, speaks, resigns = seated(running, white)
    expect(page.locator("#status")).to_have_text("Your turn")

    lines.say(*(f"{speaks}{text}" for text in (*SAYINGS, *CLEANED, "the end")))

    expect(page.locator("#talk .said").last).to_contain_text(": the end")
    said = [line.partition(": ")[2] for line in page.locator("#talk .said").all_text_contents()]
    assert said == [*SAYINGS, *cleaned.values(), "the end"]
    lines.say(resigns)
    expect(page.locator("#status")).to_contain_text("You won")
    screenshot(page, f"hostile/talk-{seated.__name__}")
    assert wrongs(page) == []
    page.locator("#talk .said button").first.click()
    expect(page.locator("#talk .news").last).to_contain_text(f"You do not hear </b>{seated.__name__} any more.")
    assert wrongs(page) == []
    lines.close()
