"""A GTP pipe's connection to a server: a command out, its answer in; in trio."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

import trio

from clients.dial import dial, notice_silence
from clients.joining import Address
from gateway.net.sockets import Stream, tcp
from protocols.core.notifications import DISPLACED

CONNECT_S: Final = 10.0
"""Seconds until an address at which nothing answers counts as out of reach."""

CHUNK: Final = 65536

LONGEST_ANSWER: Final = 1 << 20
"""Bytes of an answer from the server."""

_END: Final = b"\n\n"


class Link:
    """One connection: a command out, its answer in. Lost connections raise trio.BrokenResourceError."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._sending = trio.Lock()
        self.displaced = False
        """True if the server has said that another client took the seat: it closes the connection then."""
        self._told, self._answers = trio.open_memory_channel[bytes](8)

    async def hear(self) -> None:
        """Read answers until the connection is lost; raises then."""
        rest = b""
        while data := bytes(await self._stream.receive_some(CHUNK)):
            *blocks, rest = (rest + data).split(_END)
            for block in blocks:
                if block.startswith(b"#"):
                    self._remarked(block[1:].decode(errors="replace").strip())
                else:
                    await self._told.send(block + _END)
            if len(rest) > LONGEST_ANSWER:
                break
        raise trio.BrokenResourceError

    def _remarked(self, text: str) -> None:
        self.displaced = self.displaced or text == DISPLACED
        remark(text)

    async def say(self, line: str) -> None:
        async with self._sending:
            await self._stream.send_all(line.encode() + b"\n")

    async def ask(self, line: str) -> bytes:
        """The answer to a command, as it is sent."""
        await self.say(line)
        return await self._answers.receive()


async def connected(address: Address) -> Stream:
    """A connection. OSError: no answer, or an untrusted one (NoTls)."""
    stream = await dial(address, CONNECT_S)
    notice_silence(tcp(stream))
    return stream


def remark(text: str) -> None:
    """For people: GUIs show an engine's standard error beside the game."""
    with suppress(OSError):
        print(f"boardgate: {text}", file=sys.stderr, flush=True)


def write_out(data: bytes) -> None:
    """To the GUI, whole; one that does not read any more is about to be gone."""
    with suppress(BrokenPipeError):
        while data:
            data = data[os.write(1, data) :]
