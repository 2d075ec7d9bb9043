"""A Go engine joined to a server's port for engines, over as many connections as its games take; in trio.

The server greets an engine anew on each connection, takes it to the seat of its ticket, sets its board up and replays
the game. Answers that the engine still owes to a lost connection are dropped.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import trio

from clients.backoff import Backoff
from clients.gtp_link import CHUNK, connected, remark
from clients.joining import Address, new_ticket
from clients.session import SeatTaken, TurnedAway
from gateway.net.calling import because
from gateway.net.sockets import Stream
from protocols.core.notifications import DISPLACED
from protocols.gtp.codec import decoded, parse

FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 4.0
"""The first and the longest pause before a new call: the seat is kept for a minute."""

STEADY_S: Final = 5.0
"""Seconds after which a connection counts as good, and the next pause is the first one again."""

PARTING_S: Final = 2.0
"""Seconds an engine started here has to end by itself."""

LONGEST_LINE: Final = 65536
"""Bytes of a line from the engine; more is no GTP."""

GREETING: Final = ("name", "version", "list_commands", "quit")
"""Commands of a server to an engine that it gives no seat."""


class AnswerLines:
    """An engine's bytes, in pieces, to whole lines for the server; counts which command they answer.

    ``owed`` commands have no answer yet; the next ``stale`` answers belong to a lost connection and are dropped.
    """

    def __init__(self) -> None:
        self.owed = 0
        self.stale = 0
        self._rest = b""
        self._inside = False

    def asked(self, line: bytes) -> None:
        """A line goes to the engine."""
        if parse(line.decode(errors="replace")) is not None:
            self.owed += 1

    def connection_lost(self) -> None:
        """Drop the answers that are owed: their asker is gone."""
        self.stale = self.owed

    def receive_data(self, data: bytes) -> bytes:
        """The lines to pass on. ValueError: a line is longer than LONGEST_LINE."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST_LINE:
            raise ValueError(f"a line of more than {LONGEST_LINE} bytes")
        return b"".join(self._kept(line) for line in lines)

    def _kept(self, line: bytes) -> bytes:
        dropped = self.stale > 0
        if not self._inside:
            self._inside = line[:1] in (b"=", b"?")
        elif not line.strip():
            self._inside = False
            self.owed, self.stale = max(0, self.owed - 1), max(0, self.stale - 1)
        return b"" if dropped else line + b"\n"


class EnginePipe:
    """Runs until the server lets the engine go with ``quit``, or the engine ends.

    ``hears`` and ``says`` are file descriptors: what the engine writes is read from ``hears``, and commands for it are
    written to ``says``. ``secret`` is the password or a token of the account ``name``. OSError from ``run``: no server
    can be reached at first. SeatTaken: another client has taken the seat. TurnedAway: the server gives none, and why.
    """

    def __init__(self, address: Address, name: str, ticket: str, hears: int, says: int, secret: str = "") -> None:
        self._address = address
        secrets = ticket or new_ticket(), secret
        self._introduction = _introduction(name, *secrets, known=bool(ticket))
        self._again = _introduction(name, *secrets, known=False)
        self._hears = hears
        self._says = says
        self._answers = AnswerLines()
        self._stream: Stream | None = None
        self._dismissed = self._displaced = self._used = False
        self._told = ""
        """The server's last comment, which is for the engine's user."""
        self._news = trio.Event()

    async def run(self) -> None:
        stream = await connected(self._address)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._read_engine, nursery.cancel_scope.cancel)
            backoff = Backoff(FIRST_PAUSE_S)
            while True:
                since = trio.current_time()
                await self._converse(stream)
                if self._dismissed:
                    break
                remark(f"the connection to {self._address} is lost; trying again")
                if trio.current_time() - since > STEADY_S:
                    backoff.reset()
                stream = await self._call_again(backoff)
            nursery.cancel_scope.cancel()
        if self._displaced:
            raise SeatTaken("another client has taken the seat: this engine stays away")
        if self._dismissed and self._told and not self._used:
            raise TurnedAway(self._told)

    async def _call_again(self, backoff: Backoff) -> Stream:
        """A new connection, once the engine owes no answer to the last one."""
        while True:
            await trio.sleep(backoff.next_s(LONGEST_PAUSE_S))
            while self._answers.stale:
                await self._news.wait()
            try:
                return await connected(self._address)
            except OSError as error:
                remark(f"cannot reach {self._address}{because(error)}; trying again")

    async def _converse(self, stream: Stream) -> None:
        """Pass the server's commands to the engine until this connection is lost."""
        remark(f"connected to {self._address}")
        rest = b""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async with stream:
                await stream.send_all(self._introduction)
                self._introduction = self._again
                self._stream = stream
                while data := bytes(await stream.receive_some(CHUNK)):
                    *lines, rest = (rest + data).split(b"\n")
                    for line in lines:
                        self._command(line)
        self._stream = None
        self._answers.connection_lost()

    def _command(self, line: bytes) -> None:
        text = decoded(line)
        command = parse(text)
        if text.startswith("# "):
            self._told = text.removeprefix("# ")
            remark(self._told)
        self._displaced = self._displaced or self._told == DISPLACED
        self._used = self._used or (command is not None and command.name not in GREETING)
        self._dismissed = self._dismissed or (command is not None and command.name == "quit")
        self._answers.asked(line)
        with suppress(BrokenPipeError):  # the engine has ended, which reading from it tells
            _write(self._says, line + b"\n")

    async def _read_engine(self, over: Callable[[], None]) -> None:
        """Pass the engine's answers to the server until it ends."""
        while data := await trio.to_thread.run_sync(os.read, self._hears, CHUNK, abandon_on_cancel=True):
            try:
                passed = self._answers.receive_data(data)
            except ValueError as error:
                remark(f"the engine speaks no GTP: {error}")
                break
            self._news.set()
            self._news = trio.Event()
            if passed and self._stream is not None:
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await self._stream.send_all(passed)
        over()


@contextmanager
def on_pipes(command: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The descriptors of a program started for this: where it is heard, and where it is spoken to. It is ended after
    the block, at the latest PARTING_S after the end of its input."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.fileno(), process.stdin.fileno()
    finally:
        process.stdin.close()
        try:
            process.wait(PARTING_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _introduction(name: str, ticket: str, secret: str, *, known: bool) -> bytes:
    """The lines before the first answer; an engine without a name of its user is called what it calls itself.

    ``known``: the ticket stands for a seat; else it may be a secret of our own.
    """
    if known:
        login = f"# login {secret}\n" if secret else ""
        return f"# seat {ticket}\n{login}".encode() + (f"{name}\n".encode() if name else b"")
    if secret:
        return f"# ticket {ticket}\n# login {secret}\n{name}\n".encode()
    return f"{name}\n{ticket}\n".encode() if name else f"# ticket {ticket}\n".encode()


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
