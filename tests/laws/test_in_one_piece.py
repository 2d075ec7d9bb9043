"""Law of every installed dialect: what arrives in one piece is answered like the same messages sent one by one.

A real house serves both conversations: in the first the peer waits after each message until nothing happens any more,
in the second it sends all of them at once. The other player has made its own proposal before and is silent then.
"""

from __future__ import annotations

import contextlib
import itertools
import secrets
import socket
from collections.abc import Mapping, Sequence

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock, wait_all_tasks_blocked

from gateway import registry
from gateway.lobby.registration import Registration
from gateway.sessions.listener import EntryPoint
from gateway.sessions.peer import SocketPeer
from protocols.core.dialect import Dialect
from tests.hall import Hall, config, hall
from tests.laws.conversations import option_sets, scripts
from tests.laws.playouts import NIGHTLY

MANY = settings(max_examples=500 if NIGHTLY else 15)

LEAD_IN: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "chess-p2p": (("name bob", "new", "go"), ("name alice", "new", "move e2e4", "go", "accepted")),
    "miniature": (("tell gateway name bob", "seek 0 0 u b"), ("tell gateway name alice", "play")),
    "bogaprot": (
        ('REQ_HANDSHAKE "checkers?name=bob" 1',),
        ('REQ_HANDSHAKE "checkers?name=alice" 1', "MSG_MOVE 41 32"),
    ),
    "gtp-gui": (("# name bob", "play b D4"), ("# name alice", "genmove b")),
}
"""The other player's first words, and beginnings of a conversation. A plug-in's dialect needs none."""

FREQUENT: Mapping[str, tuple[str, ...]] = {
    "chess-p2p": (
        "move d8h4", "result 0-1 {Black mates}", "result 1-0 {resigns}", "result 1/2-1/2 {}", "new", "go", "remove",
        "level 0 300 0", "move e2e4", "move d2d4", "accepted", "undo", "text hello",
        "setboard 7k/8/8/8/8/8/8/K6R w - -",
    ),
    "miniature": (
        "move e2-e4", "sync", "sync; fen x", "move d2-d4", "draw", "takeback 1", "resign", "seek 5 0 u w", "play",
        "tell #obs hello", "adjourn",
    ),
    "bogaprot": ("MSG_MOVE 41 32", "MSG_MOVE 40 33", 'MSG_MOVE -1 -1 "draw"', 'MSG_MOVE -1 -1 "resign"',
                 'MSG_MOVE -1 -1 "accept"', 'REQ_HANDSHAKE "ludo" 1'),
}  # fmt: skip
"""Messages whose meaning depends on earlier ones."""

AT_ONCE = ("ping", "pong", "# interrupt")
"""Messages that are meant to overtake others (docs/wire.md)."""

APART: Mapping[str, tuple[str, ...]] = {
    "gtp-gui": ("boardsize", "clear_board", "komi", "kgs-", "time_settings", "fixed_", "place_", "set_free", "play w"),
    "ics": ("shout", "tell 1 ", "set gin", "set pin", "iset pin", "follow"),
}
"""Messages after which something comes that is no answer, so nobody can wait for it: the lobby calls a GUI to another
table; words to everybody, and news, come in their time."""


def spoken(name: str, options: Mapping[str, str]) -> list[str]:
    """Whole messages of a dialect's transcripts as text, each once."""
    kind = registry.dialects()[name]
    skipped = ("hex", *AT_ONCE, *APART.get(name, ()))
    found: dict[str, None] = dict.fromkeys(FREQUENT.get(name, ()))
    for script in scripts(name):
        if script.options == options:
            for step in script.steps():
                shown = kind.wire_to_text(step.wire, sent=False, options=options) if step.wire else []
                found.update(
                    dict.fromkeys(line for line in shown if not line.lstrip("0123456789 ").startswith(skipped))
                )
    return list(found)


class Talker:
    """A client: sends bytes, and collects the answers."""

    def __init__(self, here: Hall, kind: type[Dialect], options: Mapping[str, str], address: str) -> None:
        ours, theirs = socket.socketpair()
        here.ends.append(ours)
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        self._kind, self._options = kind, options
        self.heard = b""
        here.server.enter(EntryPoint(kind, dict(options), here.server.house_rules), SocketPeer(theirs), address)

    async def listen(self) -> None:
        with contextlib.suppress(trio.BrokenResourceError):
            while data := await self._stream.receive_some(65_536):
                self.heard += bytes(data)

    async def say(self, *messages: str) -> None:
        """Send these in one piece; returns when nothing happens any more."""
        wire = self._kind.text_to_wire(messages, sent=False, options=self._options)
        with contextlib.suppress(trio.BrokenResourceError):
            await self._stream.send_all(wire)
        await wait_all_tasks_blocked(0.002)

    def shown(self) -> list[str]:
        return self._kind.wire_to_text(self.heard, sent=True, options=self._options)


async def conversation(name: str, options: Mapping[str, str], pieces: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the messages to two players, the second of which sends these pieces."""
    kind = registry.dialects()[name]
    async with hall(config()) as here, trio.open_nursery() as nursery:
        if kind.by_name:
            checkers = registry.game("tic_tac_toe").settings("")
            await here.server.registrar.register(Registration(checkers, ("A", "B")))
        talkers = []
        for address in ("192.0.2.1", "192.0.2.2"):
            talkers.append(Talker(here, kind, options, address))
            nursery.start_soon(talkers[-1].listen)
            await wait_all_tasks_blocked(0.002)
            if len(talkers) == 1:
                for message in LEAD_IN.get(name, ((), ()))[0]:
                    await talkers[0].say(message)
        for piece in pieces:
            await talkers[1].say(*piece)
        nursery.cancel_scope.cancel()
    return [talker.shown() for talker in talkers]


def run(name: str, options: Mapping[str, str], pieces: Sequence[Sequence[str]]) -> list[list[str]]:
    """Every conversation is told the same tickets and dice."""
    numbers = itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_urlsafe", lambda size: f"{'ticket':x<22}{next(numbers)}")
        patch.setattr(secrets, "token_bytes", bytes)
        return trio.run(conversation, name, options, pieces, clock=MockClock())


@pytest.mark.parametrize("name", registry.dialects())
@MANY
@given(data=st.data())
def test_what_is_sent_in_one_piece_is_answered_as_if_its_sender_had_waited(name: str, data: st.DataObject) -> None:
    options = data.draw(st.sampled_from(option_sets(name)))
    first = LEAD_IN.get(name, ((), ()))[1] if data.draw(st.booleans()) else ()
    rest = data.draw(st.lists(st.sampled_from(spoken(name, options) or [""]), min_size=1, max_size=8))
    messages = [*first, *filter(None, rest)]
    assert run(name, options, [messages]) == run(name, options, [[message] for message in messages])
