"""Hands a worker what it gets from its supervisor, by the channel between the two.

A worker is started with one end of a socket pair, whose descriptor is its only argument, and with its listening
sockets. Internal: supervisor and worker are always of one version.

    supervisor -> worker  Handover as a line of JSON, once, at the start
    worker -> supervisor  READY, once, when it serves players
    supervisor -> worker  its settings as a line of JSON, whenever they were read anew
    either side gone      end of file: a worker without a supervisor stops
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Final

import msgspec
import trio

from gateway.cli.listening import Listening
from gateway.config import Config, Listen
from gateway.net.socket_channel import SocketChannel

READY: Final = b"+"

LONGEST: Final = 1 << 20
"""Bytes of a handover: settings with a thousand listeners have a tenth of it."""

WAITS_S: Final = 30.0
"""Seconds that a worker waits for its handover, which is sent when it is started."""


class Handover(msgspec.Struct, frozen=True):
    """The settings of one worker, and the descriptors of its listeners, in their order.

    ``inbox`` and ``others`` are those of its SocketChannel.
    """

    config: Config
    sockets: Sequence[int]
    inbox: int
    others: Mapping[str, int]


class Supervised:
    """The worker's end of the channel."""

    def __init__(self, control: int) -> None:
        """Read the handover from the descriptor ``control``. OSError, EOFError: the supervisor has gone."""
        self._control = socket.socket(fileno=control)
        self._control.settimeout(WAITS_S)
        self._handover = msgspec.json.decode(self._line(), type=Handover)
        self._control.setblocking(False)
        others = {name: socket.socket(fileno=each) for name, each in self._handover.others.items()}
        self.channel = SocketChannel(socket.socket(fileno=self._handover.inbox), others)
        """Connections go to other workers by it, and come from them."""

    @property
    def config(self) -> Config:
        return self._handover.config

    def _line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            received = self._control.recv(1 << 16)
            if not received or len(line) > LONGEST:
                raise EOFError("no supervisor")
            line += received
        return line

    def listening(self) -> Listening:
        """The listeners on the sockets that the supervisor has opened. BadSetting: a certificate is no good now."""
        opened = Listening(self.config)
        for listen, descriptor in zip(self.config.listen, self._handover.sockets, strict=True):
            opened.open(listen, partial(_inherited, descriptor))
        return opened

    def ready(self) -> None:
        """Tell the supervisor that players can come."""
        self._control.send(READY)

    async def watch(self, take: Callable[[Config], None]) -> None:
        """Have ``take`` go on with new settings. When the supervisor has gone, stop this process as SIGTERM does."""
        with closing(self._control):
            begun = b""
            while received := await self._more():
                *lines, begun = (begun + received).split(b"\n")
                for line in lines:
                    take(msgspec.json.decode(line, type=Config))
            signal.raise_signal(signal.SIGTERM)
            await trio.sleep_forever()

    async def _more(self) -> bytes:
        """Bytes of the supervisor, b"" when it has gone."""
        await trio.lowlevel.wait_readable(self._control)
        try:
            return self._control.recv(1 << 16)
        except BlockingIOError:
            return await self._more()
        except OSError:
            return b""


def _inherited(descriptor: int, listen: Listen) -> tuple[socket.socket, Listen]:
    return socket.socket(fileno=descriptor), listen
