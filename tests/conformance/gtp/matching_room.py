"""A server for engines, GUIs and Bogaprot clients of Go, and those whom one test lets in: see Room."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tests.conformance.gtp import records
from tests.conformance.gtp.ends import PATIENCE_S, OnPort
from tests.conformance.gtp.engines import LISTED, Engine, Reply
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer

BOGAPROT, NINE, THIRTEEN, GUIS, TIMED = range(5)
"""The listeners, as places of LISTENERS; three are for engines."""

LISTENERS: Final = (
    "bogaprot",
    "gtp-engine,size=9",
    "gtp-engine,size=13",
    "gtp-gui",
    "gtp-engine,size=9,time=60,most_time=60",
)

_LINE: Final = re.compile(r"table \d+ \((open|playing)\): (.*)")
_WISH: Final = re.compile(r" (proposes|seeks|takes any game) ")
_HOLDERS: Final = re.compile(r" (proposes|seeks|takes any game|waits at a table) ")

_NUMBERS: Final = itertools.count(1)


@contextmanager
def serving(data: Path) -> Iterator[RunningServer]:
    """The server of a module; nothing has failed in it."""
    with fast(data, *LISTENERS, SEATS_GRACE="1s") as running:
        yield running
    assert "Traceback" not in running.log.read_text()


class Room:
    """Those whom one test lets in; all leave at its end."""

    def __init__(self, server: RunningServer, stack: ExitStack) -> None:
        self.ports = server.ports
        self._stack = stack

    def engine(self, door: int = NINE, sizes: str = "", listed: str = LISTED, **replies: Reply) -> Engine:
        """An engine that resigns at its first move, and can play on boards of these sizes only."""
        can = {"boardsize": lambda words: "" if words.split()[1] in sizes.split() else "? unacceptable size"}
        said: dict[str, Reply] = {"genmove": "resign", **(can if sizes else {}), **replies}
        return self._stack.enter_context(Engine(self.ports[door], said, listed=listed))

    def gui(self, *set_up: str, name: str = "") -> OnPort:
        gui = OnPort(self.ports[GUIS], name or f"alice{next(_NUMBERS)}")
        self._stack.callback(gui.close)
        gui.sets(*set_up)
        return gui

    def client(self, game: str) -> SpecClient:
        client = SpecClient(self.ports[BOGAPROT])
        self._stack.callback(client.close)
        assert client.handshake(game) == ("RSP_HANDSHAKE", 0)
        client.until("MSG_SEAT")
        return client

    def sit(self, *count: int) -> None:
        """Wait until so many sit at each table, the oldest first, and have proposed what they want.

        The server says so: its record is ahead of what it has told its clients.
        """
        onlooker = OnPort(self.ports[GUIS])
        deadline = time.monotonic() + PATIENCE_S
        try:
            while (found := _seated(told := onlooker.asks("boardgate-tables"))) != list(count):
                assert time.monotonic() < deadline, f"{found} sit, not {count}: {told}"
                time.sleep(0.01)
        finally:
            onlooker.close()


def _seated(tables: str) -> list[int]:
    """How many sit at each of these tables where a proposal has been made, or a game goes on."""
    found = [_LINE.search(line) for line in tables.splitlines()]
    return [
        len(_HOLDERS.findall(line[2])) if line[1] == "open" else 2
        for line in found
        if line is not None and (line[1] == "playing" or _WISH.search(line[2]))
    ]


@contextmanager
def room(server: RunningServer) -> Iterator[Room]:
    """Those of the test before have left; so have these at the end."""
    with ExitStack() as stack:
        yield Room(server, stack)
    records.until_nobody_waits(server.data)


def waits(gui: OnPort, line: str) -> str:
    """The answer to a command that begins a game: asked again by who is told that nobody waits for it so far."""
    gui.sends(line)
    answer = gui.answer()
    return gui.asks(line) if answer.startswith("? nobody waits for this game") else answer


def begins(client: SpecClient) -> None:
    """Its game begins, and the engine gives up as soon as it is to move."""
    if client.until("REQ_MOVE") == ("REQ_MOVE", client.seat):
        client.move(-1, 0, ("black", "white")[client.seat])
    client.until("MSG_GAMEOVER")
    assert client.winner == client.seat
