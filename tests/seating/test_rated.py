"""Guests propose no rated game: they get no seat for one, and a guest called like a newer account is still a guest.

The rule itself is in tests/lobby/test_rating.py, every dialect's words in tests/conformance/test_rated.py.
"""

from __future__ import annotations

import trio
from trio.testing import MockClock

from gateway.config import Listen
from gateway.ops.server import ACCOUNTS_S
from gateway.sessions.listener import open_listener
from protocols.core.proposals import Start
from tests.hall import PATIENCE_S, Guest, Hall, hall

WHY = "a rated game is between accounts, and carl has none: play unrated, or log in by "
MADE = "; accounts are made on the page /login"


class Talker:
    """A guest at a port of lines."""

    def __init__(self, here: Hall, dialect: str, **options: str) -> None:
        listener = open_listener(Listen(dialect, "127.0.0.1", 0, options), here.server.house_rules)
        here.listeners.append(listener)
        self.guest: Guest = here.dial(listener=listener)
        self._heard = b""

    async def says(self, line: str) -> None:
        await self.guest.stream.send_all(line.encode() + b"\n")

    async def until(self, start: str) -> str:
        """The next line that begins so."""
        while True:
            while b"\n" not in self._heard:
                with trio.fail_after(PATIENCE_S):
                    self._heard += await self.guest.stream.receive_some(4096)
            line, _, self._heard = self._heard.partition(b"\n")
            if line.startswith(start.encode()):
                return line.decode()


async def test_a_guest_who_asks_for_a_rated_game_gets_no_seat(autojump_clock: MockClock) -> None:
    async with hall() as here:
        gui = Talker(here, "gtp-gui", rated="yes")
        await gui.says("# name carl")
        await gui.says("play b C3")
        assert await gui.until("?") == f"? {WHY}boardgate-login NAME PASSWORD{MADE}"
        assert here.server.tables == {}


async def test_a_guest_whose_name_becomes_an_accounts_proposes_no_rated_game(autojump_clock: MockClock) -> None:
    async with hall() as here:
        carl = Talker(here, "miniature")
        await carl.says("tell gateway name carl")
        await carl.says("seek 5 0 u w")
        await carl.until("tell gateway table")
        here.server.accounts.add("Carl", "hash", "root")
        await trio.sleep(2 * ACCOUNTS_S)
        assert here.server.lobby.names.owned("carl")
        await carl.says("seek 5 0 r w")
        how = "tell gateway leave, then tell gateway login NAME PASSWORD"
        assert await carl.until("error") == f"error no-account {WHY}{how}{MADE}"
        (made,) = here.state().proposals
        assert isinstance(made.proposal, Start)
        assert made.proposal.settings is not None
        assert not made.proposal.settings.rated
