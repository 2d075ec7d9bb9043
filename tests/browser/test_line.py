"""A page's line to the server: cut, held, lost with the server, taken by another tab, refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, Route, WebSocket, expect

from gateway.cli import main
from tests import peers
from tests.browser.test_table import NO_TABLE_FOR_STRANGERS, mover_first, says, status
from tests.browser.visitors import Visitors, visitors
from tests.conformance.servers import fast
from tests.faults.guests import Guest
from tests.proxy import Wire, wire
from tests.running import RunningServer

pytestmark = peers.needed

LOST = r"WebSocket connection to|ERR_|Failed to load resource"
"""The lines that chromium writes about connections that a test takes away."""

NO_SOCKETS = """
  window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.({}), 1); } close() {} };
  window.WebSocket.OPEN = 1;
"""
"""Every socket is refused, as by a proxy that knows none."""


SOCKETS_LATER = """
  const Real = window.WebSocket, later = window.setTimeout;
  window.WebSocket = function (address) {
    if (window.allowed) return new Real(address);
    setTimeout(() => this.onclose?.({}), 1);
    this.close = () => {};
  };
  window.setTimeout = (done, wait) => later(done, wait === 60000 ? 500 : wait);
"""
"""The same until sockets are ``allowed``; the page's minute until it tries one again is half a second."""


@pytest.fixture
def cable(running: RunningServer) -> Iterator[Wire]:
    with wire(("127.0.0.1", running.ports[0])) as found:
        yield found


def test_a_cut_line_is_mended_behind_the_last_event(chromium: Browser, running: RunningServer, cable: Wire) -> None:
    with visitors(chromium, cable.port) as far, visitors(chromium, running.ports[0]) as near:
        far.allow(LOST)
        ann = far.arrives("/play/tic_tac_toe")
        status(ann, "Waiting for an opponent")
        bob = near.arrives("/play/tic_tac_toe")
        mover, _ = mover_first(ann, bob)
        sent: list[str] = []
        ann.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
        if mover is bob:
            says(bob, "b2")
            status(ann, "Your turn")
            says(ann, "a3")
        else:
            says(ann, "b2")
        status(bob, "Your turn")
        cable.cut()
        expect(ann.locator("#link")).to_contain_text("Connection lost")
        says(bob, "c1")
        status(bob, "to move")
        cable.mend()
        status(ann, "Your turn")
        expect(ann.locator("#link")).to_be_hidden()
        expect(ann.locator("#moves a")).to_have_count(3 if mover is bob else 2)
        (hello,) = {text for text in sent if '"hello"' in text}
        assert re.search(r'"after":\d+', hello)
        says(ann, "a1")
        status(bob, "Your turn")


def test_a_page_comes_back_to_its_seat_when_the_server_can_take_it_again(chromium: Browser, tmp_path: Path) -> None:
    """The server is full when the page returns; as when its database is away, the page is told to try again later."""
    with (
        fast(tmp_path, "http", "bogaprot", LIMITS_CONNECTIONS="40", LIMITS_CONNECTIONS_PER_ADDRESS="1000") as server,
        wire(("127.0.0.1", server.ports[0])) as cable,
        visitors(chromium, cable.port) as far,
        visitors(chromium, server.ports[0]) as near,
    ):
        far.allow(LOST)
        ann, bob = far.arrives("/play/tic_tac_toe"), near.arrives("/play/tic_tac_toe")
        status(bob, "Your turn|to move")
        cable.cut()
        expect(ann.locator("#link")).to_contain_text("Connection lost")
        expect(bob.locator("#far .badges")).to_contain_text("away")
        with ExitStack() as crowd:
            guests = [crowd.enter_context(Guest(server.ports[1])) for _ in range(45)]
            assert guests[-1].asks("tic_tac_toe") == (1, "server overload, try again later")
            cable.mend()
            expect(ann.locator("#link")).to_contain_text("try again")
        expect(ann.locator("#link")).to_be_hidden(timeout=30_000)
        mover, other = mover_first(ann, bob)
        says(mover, "b2")
        status(other, "Your turn")


def test_a_silent_line_is_found_when_the_page_is_looked_at_again(
    chromium: Browser, running: RunningServer, cable: Wire
) -> None:
    with visitors(chromium, cable.port) as people:
        people.allow(LOST)
        ann = people.arrives("/play/connect_four")
        ann.wait_for_url("**/table/*")  # it is seated: the line stands
        cable.hold()
        ann.evaluate("dispatchEvent(new Event('online'))")
        expect(ann.locator("#link")).to_contain_text("Connection lost", timeout=8000)
        cable.mend()
        expect(ann.locator("#link")).to_be_hidden(timeout=8000)


def test_a_page_that_is_left_before_its_line_stands_writes_no_warning(
    chromium: Browser, running: RunningServer, cable: Wire
) -> None:
    with visitors(chromium, cable.port) as people:
        ann = people.arrives("/play/reversi")
        ann.wait_for_url("**/table/*")  # it is seated: the line stands
        cable.hold()
        with ann.expect_websocket():
            ann.evaluate("dispatchEvent(new Event('online'))")
        ann.close(run_before_unload=True)
    assert people.troubles == []


def test_a_line_is_dialled_while_the_script_is_on_its_way_which_then_takes_it(people: Visitors) -> None:
    page = people.context().new_page()
    held, dialled = list[Route](), list[WebSocket]()
    page.route("**/js/table.js", lambda script: held.append(script))
    page.on("websocket", lambda line: dialled.append(line))
    with page.expect_websocket():
        page.goto(f"{people.origin}/play/tic_tac_toe?against=anyone", wait_until="commit")
    for script in held:
        script.continue_()
    page.unroute("**/js/table.js")
    status(page, "Waiting for an opponent")
    page.wait_for_url("**/table/*")  # it is seated
    assert len(held) == len(dialled) == 1


def test_a_line_that_has_been_hung_up_before_the_script_came_is_dialled_anew(people: Visitors) -> None:
    page = people.context().new_page()
    held = list[Route]()
    page.route("**/js/table.js", lambda script: held.append(script))
    with page.expect_websocket():
        page.goto(f"{people.origin}/play/tic_tac_toe?against=anyone", wait_until="commit")
    page.wait_for_function("() => early.readyState === WebSocket.OPEN")
    page.evaluate("early.close()")
    page.wait_for_function("() => early.readyState === WebSocket.CLOSED")
    for script in held:
        script.continue_()
    page.wait_for_url("**/table/*")


def test_a_page_of_a_banned_address_says_why_it_gets_no_line(chromium: Browser, tmp_path: Path) -> None:
    with fast(tmp_path, "http") as server, visitors(chromium, server.ports[0]) as people:
        people.allow(LOST)
        ann = people.arrives("/play/tic_tac_toe")
        status(ann, "Waiting for an opponent")
        ban = ("ban", "add", "127.0.0.1", "--reason", "throws the pieces", "--data", str(tmp_path))
        assert CliRunner().invoke(main, ban).exit_code == 0
        expect(ann.locator("#link")).to_have_text("you are banned here: throws the pieces")


def test_a_second_tab_takes_the_seat_and_the_first_one_offers_to_take_it_back(people: Visitors) -> None:
    ann = people.arrives("/play/tic_tac_toe")
    status(ann, "Waiting for an opponent")
    bob = people.arrives("/play/tic_tac_toe")
    status(bob, "Your turn|to move")
    second = ann.context.new_page()
    second.goto(ann.url)
    mover, _ = mover_first(bob, second)  # by what the page says that has been there all along
    here = ann.get_by_role("button", name="Play here")
    expect(here).to_be_visible()
    expect(ann.locator("#move-form")).to_be_hidden()
    status(mover, "Your turn")
    says(mover, "b2")
    expect(ann.locator("#moves a")).to_have_count(1)
    here.click()
    expect(second.get_by_role("button", name="Play here")).to_be_visible()
    expect(ann.locator("#move-form")).to_be_visible()
    expect(here).to_be_hidden()


@pytest.mark.parametrize("sockets", [True, False])
def test_a_game_goes_on_after_the_server_was_killed(chromium: Browser, tmp_path: Path, *, sockets: bool) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(fast(tmp_path, "http"))
        port = first.ports[0]
        people = stack.enter_context(visitors(chromium, port))
        people.allow(LOST, NO_TABLE_FOR_STRANGERS)
        ann, bob = (people.context().new_page() for _ in range(2))
        for page in (ann, bob):
            if not sockets:
                page.add_init_script(NO_SOCKETS)
            page.goto(f"{people.origin}/play/tic_tac_toe")
            page.wait_for_url("**/table/*")
        mover, other = mover_first(ann, bob)
        says(mover, "b2")
        status(other, "Your turn")
        first.kill()
        expect(mover.locator("#link")).to_contain_text("Connection lost")
        stack.enter_context(fast(tmp_path, "http", ports={0: port}))
        expect(other.locator("#link")).to_be_hidden(timeout=20_000)
        expect(mover.locator("#link")).to_be_hidden(timeout=20_000)
        status(other, "Your turn")
        says(other, "a3")
        status(mover, "Your turn")
        expect(mover.locator("#moves a")).to_have_count(2)


def without_sockets(page: Page) -> list[str]:
    """Loads the page anew, its sockets refused; the messages that it sends by requests from then on."""
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.post_data or "") if one.url.endswith(("/line", "/lines")) else None)
    page.add_init_script(NO_SOCKETS)
    page.reload()
    expect(page.locator("#link")).to_contain_text("Connection lost")
    expect(page.locator("#link")).to_be_hidden()
    return sent


def test_where_sockets_are_refused_a_page_does_everything_by_requests(people: Visitors) -> None:
    people.allow(LOST, NO_TABLE_FOR_STRANGERS)
    ann = people.arrives("/play/tic_tac_toe")
    status(ann, "Waiting for an opponent")
    bob = people.arrives("/play/tic_tac_toe")
    mover, other = mover_first(ann, bob)
    sent = without_sockets(mover)
    expect(other.locator("#far .badges")).to_contain_text("web")
    expect(other.locator("#far .badges")).not_to_contain_text("away")
    says(mover, "b2")
    status(other, "Your turn")
    says(other, "a3")
    expect(mover.locator("#moves a")).to_have_count(2)
    mover.locator("#chat-text").fill("Without a socket!")
    mover.locator("#chat-text").press("Enter")
    expect(other.locator("#talk")).to_contain_text("Without a socket!")
    mover.get_by_role("button", name="Offer a draw").click()
    other.get_by_role("button", name="Accept").click()
    status(mover, "Draw|draw")
    mover.get_by_role("button", name="Rematch").click()
    other.get_by_role("button", name="Accept").click()
    expect(mover.locator("#moves a")).to_have_count(0)
    mover.get_by_role("button", name="Abort the game").click()
    status(other, "No result, aborted")
    assert sum('"type":"propose"' in message for message in sent) == 3


def test_where_sockets_are_refused_a_game_is_found_and_its_seat_is_lost_when_the_page_goes(people: Visitors) -> None:
    people.allow(LOST)
    context = people.context()
    context.add_init_script(NO_SOCKETS)
    ann = context.new_page()
    ann.goto(f"{people.origin}/play/tic_tac_toe")
    status(ann, "Waiting for an opponent")
    bob = people.arrives("/play/tic_tac_toe")
    status(ann, "Your turn|to move")
    status(bob, "Your turn|to move")
    ann.close()
    expect(bob.locator("#far .badges")).to_contain_text("away", timeout=5000)


def test_where_sockets_are_refused_no_longer_a_page_takes_one_and_its_seat_is_never_lost(people: Visitors) -> None:
    people.allow(LOST)
    context = people.context()
    context.add_init_script(SOCKETS_LATER)
    ann = context.new_page()
    ann.goto(f"{people.origin}/play/tic_tac_toe")
    status(ann, "Waiting for an opponent")
    bob = people.arrives("/play/tic_tac_toe")
    mover, other = mover_first(ann, bob)
    with ann.expect_response(lambda answer: "/api/line?" in answer.url and '"open":false' in answer.text()):
        with ann.expect_websocket() as opened:
            ann.evaluate("window.allowed = true")
        opened.value.wait_for_event("framereceived", lambda frame: '"seated"' in str(frame))
    says(mover, "b2")
    status(other, "Your turn")
    says(other, "a3")
    expect(mover.locator("#moves a")).to_have_count(2)
    expect(ann.locator("#link")).to_be_hidden()
    expect(bob.locator("#talk")).not_to_contain_text("is away")


def test_a_page_that_the_server_gives_up_says_so(people: Visitors) -> None:
    """A table that is closed: nothing more is tried."""
    page = people.arrives("/play/tic_tac_toe?opponent=nobody-of-this-name")
    status(page, "No game")
    expect(page.locator("#offers")).to_contain_text("nobody called")
