"""A guest with no page open is told by the browser of the friend who came; the switch, and the notice itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

from playwright.sync_api import Page, expect

from tests import peers
from tests.browser.test_installed import WORKS
from tests.browser.test_two_people import LINES_FAIL, sits_down
from tests.browser.visitors import DESKTOP, NARROW, PHONE, Visitors, screenshot, too_wide, violations
from tests.conformance.figures import until
from tests.push.service import Service

pytestmark = peers.needed

NOTIFIES = True

SETTINGS: Final = {"REGISTRATION_ACCOUNTS": "open", "NOTICES_PRIVATE_SERVICES": "true"}

WAIT_S: Final = 30.0
"""Seconds that a message may take: it waits some by itself."""

AGAIN_S: Final = 10.0
"""Seconds after which chromium is asked once more to hand a message over."""

NO_MAKER: Final = """(told) => {
    let held = JSON.parse(localStorage.getItem("test.push") ?? "null");
    const {endpoint, key, auth} = told;
    const made = {endpoint, toJSON: () => ({endpoint, keys: {p256dh: key, auth}}), unsubscribe: async () => put(null)};
    const put = (value) => { held = value; localStorage.setItem("test.push", JSON.stringify(value)); return true; };
    PushManager.prototype.getSubscription = async () => held && made;
    PushManager.prototype.subscribe = async (wanted) => {
        if (!wanted.userVisibleOnly || wanted.applicationServerKey.length !== 87) throw new TypeError("no key");
        put("yes");
        return made;
    };
}"""
"""A browser's own maker cannot be reached from here: its subscription is one at our service."""

SHOWN: Final = """async () => {
    const found = [];
    for (const {title, body, tag, data, actions} of await (await navigator.serviceWorker.ready).getNotifications()) {
        found.push({title, body, tag, data, actions: actions.map(({action}) => action)});
    }
    return found;
}"""

ONE: Final = f"""async ([tag, body]) => {{
    const same = (await ({SHOWN})()).filter((one) => one.tag === tag);
    return same.length === 1 && same[0].body === body && same[0];
}}"""
"""The notice of this tag, once it is the only one and says this."""


@contextmanager
def push_service() -> Iterator[tuple[Service, SimpleQueue[Any]]]:
    """The service, and the messages that it gets."""
    service, told = Service(), SimpleQueue[Any]()

    class Asked(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            service.checked(self.headers["authorization"])
            told.put(json.loads(service.opened(self.rfile.read(int(self.headers["content-length"])))))
            self.send_response(201)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *said: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Asked) as server:
        service.port = server.server_address[1]
        Thread(target=server.serve_forever, daemon=True).start()
        yield service, told
        server.shutdown()


HEARD: Final = """
localStorage.setItem("boardgate.sound", "on");
window.heard = 0;
window.AudioContext = class extends AudioContext { constructor() { super(); window.heard += 1; } };
"""
"""Sound is chosen, and counted."""


def looked_at(page: Page, name: str) -> None:
    for size, of in ((DESKTOP, "desktop"), (PHONE, "phone"), (NARROW, "narrow")):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert too_wide(page) == []
            assert violations(page) == []
            screenshot(page, f"told/{name}-{of}-{scheme}")


def test_a_guest_with_no_page_open_is_told_of_the_friend(people: Visitors) -> None:
    people.allow(*LINES_FAIL)
    with push_service() as (service, told):
        ann = people.arrives("/play/chess?against=friend&side=1&time=3d%2Fmove")
        ann.context.grant_permissions(["notifications"], origin=people.origin)
        ann.context.add_init_script(f"({NO_MAKER})({json.dumps(service.subscription())})")
        ann.get_by_role("button", name="Sit down").click()
        link = ann.get_by_role("textbox", name="Link for your friend").input_value()

        ann.goto(f"{people.origin}/yours")
        ann.get_by_role("button", name="Tell me in this browser").click()
        expect(ann.locator("#notices-note")).to_have_text("This browser tells you from now on.")
        looked_at(ann, "on")
        ann.evaluate(WORKS)
        ann.context.add_init_script(HEARD)
        ann.goto(people.origin)
        ann.get_by_role("heading", name="Play now").click()

        ben = people.context().new_page()
        ben.goto(link)
        sits_down(ben, "Ben")
        here = told.get(timeout=WAIT_S)
        assert here["title"] == "Ben is here"
        assert re.fullmatch(r"/table/\d+#play", here["url"])
        shown(ann, people, here)
        ann.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(ann.locator(".turns")).to_have_text("Your games: 1")
        expect(ann).to_have_title(re.compile(r"^\(1\) "))
        until(partial(ann.evaluate, "heard"), bool)

        ann.goto(f"{people.origin}/yours")
        expect(ann.get_by_role("region", name="Your games").locator(".mini")).to_contain_text("Ben is here")
        ann.get_by_role("button", name="Tell me no more in this browser").click()
        expect(ann.locator("#notices-note")).to_have_text("This browser tells you nothing from now on.")
        looked_at(ann, "off")


def shown(page: Page, people: Visitors, message: dict[str, str]) -> None:
    """The browser shows what its maker hands over, one notice for each table, and the table is opened by a click."""
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    until(lambda: page.evaluate(WORKS) or found, bool)

    def handed_over(said: dict[str, str]) -> Any:
        """None: chromium was too busy to hand it over at once, and does so once more."""
        told = {"origin": people.origin, "registrationId": found[0], "data": json.dumps(said)}
        devtools.send("ServiceWorker.deliverPushMessage", told)
        with suppress(AssertionError):
            return until(partial(page.evaluate, ONE, [said["tag"], said["body"]]), bool, AGAIN_S)
        return None

    for said in (message | {"body": "the one before"}, message):
        same = until(partial(handed_over, said), bool, 4 * AGAIN_S)
        assert (same["title"], same["data"], same["actions"]) == (said["title"], said["url"], ["off"])
    devtools.detach()
