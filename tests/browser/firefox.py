"""Drives Debian's Firefox over WebDriver BiDi, the protocol that it serves itself: JSON in the frames of a WebSocket.

    with firefox() as window:
        window.goes("http://127.0.0.1:8080/")
        window.clicks("main a")

Source: the W3C's WebDriver BiDi draft. No driver in between is needed, and none is in Debian.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Ping, Request, TextMessage

from tests import peers
from tests.browser.visitors import PATIENCE_S

START_S: Final = 60.0
PART: Final = 65536

PREFERENCES: Final[dict[str, bool | int | str]] = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "",
    "toolkit.telemetry.enabled": False,
}
"""It asks nobody for anything."""


POLICY: Final = """() => addEventListener("securitypolicyviolation", found =>
    console.error(`violates ${found.effectiveDirective}: ${found.blockedURI} ${found.sample}`))"""
"""Firefox keeps violations of the content security policy from the log that BiDi reads."""


class Window:
    """The one window of a Firefox.

    ``troubles`` is what its pages wrote to the console, errors of their scripts, and violations of their policy.
    """

    def __init__(self, port: int) -> None:
        self._sock = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._wire = WSConnection(ConnectionType.CLIENT)
        self._numbers = count(1)
        self._open = False
        self._texts: list[str] = []
        self._part = ""
        self.troubles: list[str] = []
        self._sock.sendall(self._wire.send(Request(host=f"127.0.0.1:{port}", target="/session")))
        while not self._open:
            self._hears()
        self._asks("session.new", capabilities={})
        self._asks("session.subscribe", events=["log.entryAdded"])
        self._asks("script.addPreloadScript", functionDeclaration=POLICY)
        self._context = self._asks("browsingContext.getTree")["contexts"][0]["context"]

    def close(self) -> None:
        self._sock.close()

    def goes(self, url: str) -> None:
        """Load a page."""
        self._asks("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def says(self, script: str) -> Any:
        """The value of an expression in the page: JSON's kinds, no objects."""
        answer = self._asks("script.evaluate", expression=script, target={"context": self._context}, awaitPromise=True)
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return answer["result"].get("value")

    def until(self, script: str) -> Any:
        """The value of an expression as soon as it is true. AssertionError if it never is."""
        deadline = time.monotonic() + PATIENCE_S
        while not (value := self.says(script)):
            assert time.monotonic() < deadline, f"never true: {script}"
        return value

    def until_it_is(self, found: Callable[[], object], wanted: object) -> None:
        """Wait until ``found`` gives this. AssertionError if it never does."""
        deadline = time.monotonic() + PATIENCE_S
        while (value := found()) != wanted:
            assert time.monotonic() < deadline, f"{value}, not {wanted}"

    def clicks(self, selector: str) -> None:
        """Press and release the mouse's button in the middle of the first element that a CSS selector finds."""
        self._presses(self._middle(selector), [])

    def drags(self, source: str, target: str) -> None:
        """Press the mouse's button in the middle of one element, and release it in the middle of another."""
        start = self._middle(source)
        self._presses(start, [self._middle(target)])

    def _middle(self, selector: str) -> dict[str, Any]:
        """The mouse's way to the middle of an element, which is scrolled to."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.says(f"{element}.scrollIntoView({{block: 'nearest', behavior: 'instant'}})")
        box = f"(box => `${{box.x + box.width / 2}} ${{box.y + box.height / 2}}`)({element}.getBoundingClientRect())"
        x, y = (round(float(part)) for part in self.says(box).split())
        return {"type": "pointerMove", "x": x, "y": y}

    def _presses(self, start: dict[str, Any], way: list[dict[str, Any]]) -> None:
        """Press the mouse's button at the start of a way, and release it at its end."""
        pressed, released = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._acts({"type": "pointer", "id": "mouse", "actions": [start, pressed, *way, released]})

    def types(self, *keys: str) -> None:
        """Press these keys one after the other: characters, or the draft's code points of other keys."""
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._acts({"type": "key", "id": "keys", "actions": strokes})

    def _acts(self, source: dict[str, Any]) -> None:
        self._asks("input.performActions", context=self._context, actions=[source])

    def _asks(self, method: str, **parameters: Any) -> Any:
        """The result of a command; events that come before it are looked at."""
        number = next(self._numbers)
        self._sock.sendall(
            self._wire.send(TextMessage(json.dumps({"id": number, "method": method, "params": parameters})))
        )
        while (message := json.loads(self._next())).get("id") != number:
            if message.get("method") == "log.entryAdded":
                self.troubles.append(f"{message['params']['level']}: {message['params']['text']}")
        assert message["type"] == "success", f"{method}: {message}"
        return message["result"]

    def _next(self) -> str:
        """The next whole text that the browser sends."""
        while not self._texts:
            self._hears()
        return self._texts.pop(0)

    def _hears(self) -> None:
        """Take in what comes next."""
        received = self._sock.recv(PART)
        assert received, "Firefox has hung up"
        self._wire.receive_data(received)
        for event in self._wire.events():
            match event:
                case AcceptConnection():
                    self._open = True
                case TextMessage():
                    self._part += event.data
                    if event.message_finished:
                        self._texts.append(self._part)
                        self._part = ""
                case Ping():
                    self._sock.sendall(self._wire.send(event.response()))
                case _:
                    raise AssertionError(f"Firefox sends {event}")


@contextmanager
def firefox() -> Iterator[Window]:
    """A Firefox without a screen and with a profile of its own; it is ended by its id."""
    program = peers.program("firefox-esr")
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        (Path(profile) / "user.js").write_text("\n".join(lines))
        process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        try:
            window = Window(_port(process.stderr))
            try:
                yield window
            finally:
                window.close()
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_S)


def _port(lines: IO[str]) -> int:
    """Where it listens, once it says so."""
    for line in lines:
        if found := re.search(r"WebDriver BiDi listening on ws://[^:]+:(\d+)", line):
            return int(found[1])
    raise AssertionError("Firefox did not start")
