"""The lobby and the wall in a browser: they follow what happens at the tables of other programs, without a reload."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager

from playwright.sync_api import expect

from protocols.bogaprot.messages import BOGAPROT
from protocols.core.opcode_codec import Wire, codec
from tests import peers
from tests.browser.visitors import Visitors
from tests.running import RunningServer

pytestmark = peers.needed

LISTENERS = ("http", "bogaprot")
SETTINGS = {"SEATS_BOT_AFTER": "never"}

FOLLOWS_MS = 20_000
"""Several polls, on a machine that is busy."""


class Player:
    """A program at a table of Tic-tac-toe."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._wire = Wire(codec(BOGAPROT), "client")
        self._heard: list[str] = []

    def sits_down(self, wish: str) -> None:
        self._sock.sendall(self._wire.build("REQ_HANDSHAKE", f"Tic_tac_toe{wish}", 1))
        self._hears("MSG_SEAT")

    def puts(self, square: int) -> None:
        self._sock.sendall(self._wire.build("MSG_MOVE", -1, square, ""))
        self._hears("RSP_MOVE")

    def _hears(self, name: str) -> None:
        while name not in self._heard:
            data = self._sock.recv(4096)
            assert data, f"the server closed before it sent {name}"
            self._heard += [message.name for message in self._wire.receive_data(data)]
        self._heard = self._heard[self._heard.index(name) + 1 :]


@contextmanager
def player(running: RunningServer, name: str = "", ticket: str = "") -> Iterator[Player]:
    """A player by this name, or by the ticket of a seat."""
    with closing(socket.create_connection(("127.0.0.1", running.ports[1]), 20)) as sock:
        found = Player(sock)
        found.sits_down(f"#{ticket}" if ticket else f"?name={name}")
        yield found


def test_the_lobby_shows_who_comes_and_who_goes(people: Visitors, running: RunningServer) -> None:
    page = people.arrives("/")
    expect(page.get_by_text("Nobody waits just now.")).to_be_visible()
    with player(running, "wanda"):
        row = page.locator(".seek", has_text="wanda")
        expect(row).to_be_visible(timeout=FOLLOWS_MS)
        expect(row.get_by_role("link", name="Join")).to_have_attribute("href", "/play/tic_tac_toe?opponent=wanda")
    expect(row).to_have_count(0, timeout=FOLLOWS_MS)
    expect(page.get_by_text("Nobody waits just now.")).to_be_visible()


def test_a_game_appears_its_moves_too_and_its_result_stays_a_while(people: Visitors, running: RunningServer) -> None:
    page = people.arrives("/tv")
    expect(page.get_by_text("Nothing is being played just now")).to_be_visible()
    with player(running, "ann") as ann, player(running, "ben") as ben:
        board = page.locator(".mini", has_text="ann")
        expect(board).to_be_visible(timeout=FOLLOWS_MS)
        expect(board.locator(".holder.turn .who")).to_have_text("ann")
        for turn, square in enumerate((0, 3, 1, 4)):
            (ann, ben)[turn % 2].puts(square)
        expect(board.locator(".piece")).to_have_count(4, timeout=FOLLOWS_MS)
        ann.puts(2)
        expect(board.locator(".outcome")).to_have_text("X wins, three in a row", timeout=FOLLOWS_MS)
        expect(board).to_have_count(0, timeout=FOLLOWS_MS)
    expect(page.get_by_text("Nothing is being played just now")).to_be_visible()


def test_the_lobby_is_the_same_without_script(people: Visitors, running: RunningServer) -> None:
    with player(running, "carla") as carla, player(running, "dora"), player(running, "emil"):
        carla.puts(4)
        page = people.context(java_script_enabled=False).new_page()
        page.goto(f"{people.origin}/")
        expect(page.locator(".mini", has_text="carla").locator(".piece")).to_have_count(1)
        expect(page.locator(".seek", has_text="emil")).to_be_visible()
        page.get_by_role("radio", name="Tic-Tac-Toe").check()
        page.get_by_role("button", name="Play a friend").click()
        expect(page).to_have_url(re.compile(r"/play/tic_tac_toe\?against=friend$"))


def test_a_command_is_copied_or_selected_and_said(people: Visitors) -> None:
    page = people.arrives("/connect")
    page.get_by_role("button", name="Copy").first.click()
    command = page.locator(".copy code").first.text_content()
    expect(page.locator("#copied")).to_have_text(re.compile(f"^(Copied|Selected.*): {re.escape(command or '')}$"))
