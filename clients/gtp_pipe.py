"""A Go GUI on standard input and output joined to a server; in trio.

A GUI's commands go to the server one at a time. When the connection drops the pipe calls again with its ticket, tells
the server what this GUI knows (``Memory``), and sends the command that has no answer yet once more: a GUI that waits
in genmove just goes on waiting. Nothing but GTP goes to standard output.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import trio

from clients.backoff import Backoff
from clients.gtp_link import CHUNK, Link, connected, remark, write_out
from clients.joining import Address, new_ticket
from gateway.net.calling import because
from gateway.net.sockets import Stream
from protocols.core.notifications import DISPLACED
from protocols.gtp.codec import Answer, GtpCommand, decoded, parse, read_answer, write_answer

NEW_BOARD: Final = ("boardsize", "clear_board")
"""Commands that begin another game, as far as one has begun."""

_KINDS: Final = {
    "boardsize": "size",
    "komi": "komi",
    "kgs-rules": "rules",
    "time_settings": "time",
    "kgs-time_settings": "time",
    "fixed_handicap": "handicap",
    "place_free_handicap": "handicap",
    "set_free_handicap": "handicap",
}
"""The last command of each kind counts; the size is said first, for handicap stones stand on it."""

OBSERVE: Final = "boardgate-observe"
"""The command that shows a game of others until a new board."""

GENMOVE: Final = ("genmove", "kgs-genmove_cleanup")


class Memory:
    """``moves`` are those the GUI knows, as commands: the opponent's too, whom genmove told."""

    def __init__(self) -> None:
        self.moves: list[str] = []
        self._set_up: dict[str, str] = {}
        self._observed = ""

    def note(self, command: GtpCommand, text: str) -> bool:
        """Take in a command that was answered with "=" and this text; whether that left a game that had begun."""
        name = command.name
        left = name in NEW_BOARD and bool(self.moves)
        if name in NEW_BOARD:
            self.forget_moves()
            self._set_up.pop("handicap", None)
        if name == OBSERVE:
            self.moves, self._observed = [], _words(command)
        if name in _KINDS:
            self._set_up[_KINDS[name]] = _words(command)
        elif name == "play" and len(command.arguments) == 2:
            self._moved(*command.arguments)
        elif name in GENMOVE and command.arguments:
            self._moved(command.arguments[0], text)
        elif name == "undo" and self.moves:
            self.moves.pop()
        return left

    def _moved(self, colour: str, vertex: str) -> None:
        if vertex.lower() != "resign":
            self.moves.append(f"play {colour} {vertex}")

    def again(self) -> list[str]:
        """All of it as commands, in the order in which a server takes them."""
        first = sorted(self._set_up, key=lambda kind: (kind == "handicap", kind != "size"))
        observed = [self._observed] if self._observed else []
        return [*(self._set_up[kind] for kind in first), *observed, *self.moves]

    def forget_moves(self) -> None:
        """The game is not there any more."""
        self.moves, self._observed = [], ""


def _words(command: GtpCommand) -> str:
    return " ".join((command.name, *command.arguments))


FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 20.0
LONGEST_IN_GAME_S: Final = 2.0
"""The first and the longest pauses before a new call. In a game the opponent waits, and a clock runs."""

STEADY_S: Final = 5.0
"""Seconds after which a connection counts as good: two with one ticket would take the seat from each other all day."""

PATIENCE_S: Final = 30.0
"""Seconds without a connection after which a command in a game is answered with "?": all but genmove, which may take
hours with one."""

PARTING_S: Final = 2.0
"""Seconds in which commands before quit, or before the end of the input, may still be answered."""

RETURN: Final = "boardgate-return"
"""The GUI's command that takes the seat back from another client."""

LOGIN: Final = "boardgate-login"
"""The server's command that logs an account in."""

LONGEST_LINE: Final = 65536
"""Bytes of a line from the GUI; what is longer has no end that we should wait for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command of the GUI and its line as it came."""

    line: str
    command: GtpCommand


class GuiPipe:
    """Runs until the GUI says quit or is gone. ``ticket`` is of the first game's seat; every other game gets one of
    its own.

    ``secret`` is the password or a token of the account ``name``.
    """

    def __init__(self, address: Address, name: str, ticket: str, secret: str = "") -> None:
        self._address = address
        self._name = name
        self._secret = secret
        self._ticket, self._kept = ticket or new_ticket(), bool(ticket)
        self._memory = Memory()
        self._queue: deque[Asked] = deque()
        self._sent = False
        """True if the first command of the queue has been sent to a server."""
        self._link: Link | None = None
        self._lost_at = 0.0
        self._news = trio.Event()
        self._empty = trio.Event()

    async def run(self) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._call)
            farewell = await self._read_gui()
            with trio.move_on_after(PARTING_S):
                while self._queue:
                    self._empty = trio.Event()
                    await self._empty.wait()
            nursery.cancel_scope.cancel()
        self._refuse_all("there is no answer yet, and you leave")
        if farewell is not None:
            write_out(write_answer(Answer(True, "", farewell.id)))

    async def _read_gui(self) -> GtpCommand | None:
        """Until quit, which is returned, or the end of the input."""
        rest = b""
        while data := await trio.to_thread.run_sync(os.read, 0, CHUNK, abandon_on_cancel=True):
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[:LONGEST_LINE]
            for line in lines:
                text = decoded(line)
                command = parse(text)
                if command is not None and command.name == "quit":
                    return command
                await self._heard(text, command)
        return None

    async def _heard(self, text: str, command: GtpCommand | None) -> None:
        if command is not None:
            self._queue.append(Asked(text, command))
            self._wake()
        elif text.startswith("#") and text[1:].split() == ["interrupt"] and self._queue:
            await self._interrupt()

    async def _interrupt(self) -> None:
        if self._link is None:
            self._refuse("interrupted")
            return
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._link.say("# interrupt")

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()

    async def _call(self) -> None:
        """Call, and call again when the connection is lost or refused."""
        backoff = Backoff(FIRST_PAUSE_S)
        while True:
            why = ""
            try:
                stream = await connected(self._address)
            except OSError as error:
                why = because(error)
            else:
                since = trio.current_time()
                if await self._converse(stream):
                    await self._stay_away()
                    continue
                self._lost_at = trio.current_time()
                if self._lost_at - since > STEADY_S:
                    backoff.reset()
            self._lose_patience(why)
            longest_s = LONGEST_IN_GAME_S if self._in_game else LONGEST_PAUSE_S
            with trio.move_on_after(backoff.next_s(longest_s)):
                await self._wanted()

    async def _wanted(self) -> None:
        """Until a command comes that needs an answer now: in a game each does."""
        news = self._news
        await news.wait()
        if self._in_game:
            await trio.sleep_forever()

    @property
    def _in_game(self) -> bool:
        return self._sent or bool(self._memory.moves)

    def _lose_patience(self, why: str) -> None:
        """Without a connection waits are short, but for genmove in a game."""
        if not self._in_game:
            self._refuse_all(f"cannot reach a Boardgate server at {self._address}{why}")
            return
        late = trio.current_time() - self._lost_at > PATIENCE_S
        if late and self._queue and self._queue[0].command.name not in GENMOVE:
            self._refuse(f"the connection to {self._address} is lost; it is tried again")

    async def _stay_away(self) -> None:
        """Another client has the seat: no command but the one that takes it back reaches a server."""
        remark(f"{RETURN} takes it back")
        while not self._queue or self._queue[0].command.name.lower() != RETURN:
            if self._queue:
                self._refuse(f"{DISPLACED}; {RETURN} takes it back")
            else:
                news = self._news
                await news.wait()

    async def _converse(self, stream: Stream) -> bool:
        """Until this connection is lost; whether another client has taken the seat."""
        link = Link(stream)
        remark(f"connected to {self._address}")
        try:
            async with stream, trio.open_nursery() as nursery:
                nursery.start_soon(link.hear)
                await self._introduce(link)
                self._link = link
                await self._serve(link)
        except* (trio.BrokenResourceError, trio.ClosedResourceError):
            if not link.displaced:
                remark(f"the connection to {self._address} is lost; trying again")
        finally:
            self._link = None
        return link.displaced

    async def _introduce(self, link: Link) -> None:
        """Introduce the GUI, and say again what it knows. A game that the server has no more is not begun anew."""
        if self._name:
            await link.say(f"# name {self._name}")
        if self._secret:
            answer = _read(await link.ask(f'{LOGIN} "{self._name}" {self._secret}'))
            remark(answer.text)
        known = self._kept and not self._memory.moves
        await link.say(f"# {'seat' if known else 'ticket'} {self._ticket}")
        if self._memory.moves:
            await link.say(f"# back {len(self._memory.moves)}")
        for line in self._memory.again():
            answer = _read(await link.ask(line))
            if not answer.good:
                self._memory.forget_moves()
                self._refuse(answer.text)
                return

    async def _serve(self, link: Link) -> None:
        """The GUI's commands, each answered before the next is sent."""
        while True:
            while not self._queue:
                news = self._news
                await news.wait()
            asked = self._queue[0]
            self._sent = True
            block = await link.ask(asked.line)
            self._answered(block)
            answer = _read(block)
            if answer.good and self._memory.note(asked.command, answer.text):
                self._ticket, self._kept = new_ticket(), False
                await link.say(f"# ticket {self._ticket}")

    def _answered(self, block: bytes) -> None:
        """The first command has its answer."""
        self._queue.popleft()
        self._sent = False
        write_out(block)
        if not self._queue:
            self._empty.set()

    def _refuse(self, why: str) -> None:
        if self._queue:
            self._answered(write_answer(Answer(False, why, self._queue[0].command.id)))

    def _refuse_all(self, why: str) -> None:
        while self._queue:
            self._refuse(why)


def _read(block: bytes) -> Answer:
    return read_answer(block.decode(errors="replace").strip("\r\n").split("\n") or ["?"])
