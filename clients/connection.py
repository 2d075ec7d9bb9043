"""Keeps the player's connection to a server, in asyncio, and reconnects when it drops.

The bot at the client's end has its own, in trio (bot_client.py).
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable

from clients.backoff import Backoff
from clients.client_state import Phase
from clients.joining import Address
from clients.news import Tone
from clients.session import Session, TryLater
from gateway.net.calling import START_ONE, NoTls, context, why_not
from protocols.core.errors import BoardgateError, RemoteProtocolError

CONNECT_S = 10.0
"""Seconds to wait for a connection: longer than a slow network needs, shorter than a player's patience."""

WELCOME_S = 15.0
"""Seconds to wait for the answer to a handshake."""

PARTING_S = 1.0
"""Seconds to wait for the server's goodbye."""

CHUNK = 65536
"""Bytes read at once."""

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0
"""The first and the longest pause before a new attempt: soon back after a short break, and no burden on a server that
is down."""


class Unreachable(BoardgateError):
    """No server answers at this address, or none that can be trusted."""


def unreachable(address: Address, error: BaseException) -> Unreachable:
    """The same in words for the user."""
    if isinstance(error, NoTls):
        return Unreachable(f"{address}: {error}")
    return Unreachable(f"no server answers at {address} ({START_ONE})")


class Connection:
    """One session's connection. ``changed`` is called after every change a player might want to see."""

    def __init__(self, session: Session, address: Address, *, first_pause_s: float = FIRST_PAUSE_S) -> None:
        self.session = session
        self.address = address
        self.up = False
        self.changed: Callable[[], None] = lambda: None
        self._first_pause_s = first_pause_s
        self._wanted_back = asyncio.Event()
        self._turn_to_read = asyncio.Lock()
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        """Connect and wait for the welcome.

        Unreachable: no server listens there. TurnedAway: the server's refusal. RemoteProtocolError: no Bogaprot server.
        """
        try:
            async with asyncio.timeout(CONNECT_S):
                self._reader, self._writer = await self._dial()
        except (OSError, TimeoutError) as error:
            raise unreachable(self.address, error) from error
        try:
            async with asyncio.timeout(WELCOME_S):
                self._writer.write(self.session.opening())
                while not self.session.welcome:
                    if not await self._read():
                        raise Unreachable(f"{self.address} closed the connection without a word")
        except (OSError, TimeoutError) as error:
            await self.close()
            raise Unreachable(f"{self.address} does not answer the handshake") from error
        except BoardgateError:
            await self.close()
            raise
        self.up = True

    async def _dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """OSError; NoTls, which is one, when the certificate cannot be trusted."""
        host, port = self.address.host, self.address.port
        if not self.address.tls:
            return await asyncio.open_connection(host, port)
        try:
            return await asyncio.open_connection(host, port, ssl=context(self.address.ca), server_hostname=host)
        except (ssl.SSLError, ConnectionResetError) as error:
            raise NoTls(why_not(error)) from error

    async def keep(self) -> None:
        """Read until the game is over and the server has closed, reconnecting as often as it takes.

        After another client has taken the seat, it is asked for again by ``take_back`` only. TurnedAway: the server
        does not take this player back, and would not in a while.
        """
        while True:
            await self._read_on()
            client_state = self.session.client_state
            if client_state.phase is Phase.OVER:
                return
            if client_state.displaced:
                self._wanted_back.clear()
                await self._wanted_back.wait()
            else:
                client_state.tell(Tone.REFUSAL, "The connection is lost. Your seat is kept for a while.")
            await self._reopen()

    def take_back(self) -> None:
        """Ask for the seat that another client has taken; that client is told, and loses it."""
        self._wanted_back.set()

    def send(self, data: bytes) -> None:
        """Send ``data``; nothing while there is no connection."""
        if self.up and self._writer is not None:
            self._writer.write(data)

    async def close(self) -> None:
        """Close the connection when the server has let the player go: the name is free then. Idempotent."""
        self.up = False
        writer, self._writer = self._writer, None
        if writer is None or self._reader is None:
            return
        try:
            async with asyncio.timeout(PARTING_S):
                if writer.can_write_eof():  # TLS says goodbye as it closes, and waits for the server's
                    writer.write_eof()
                    while await self._data():
                        pass
                writer.close()
                await writer.wait_closed()
        except (OSError, TimeoutError):
            return
        finally:
            writer.close()

    async def _read(self) -> bool:
        """Fold in what comes next; False when the server has closed."""
        data = await self._data()
        if data:
            self.session.receive_data(data)
            if self.session.asks_again and self._writer is not None:
                self._writer.write(self.session.opening())
            self.changed()
        return bool(data)

    async def _data(self) -> bytes:
        """The next bytes; b"" at the end. Also while another task waits for some: each gets its own."""
        assert self._reader is not None
        async with self._turn_to_read:
            return await self._reader.read(CHUNK)

    async def _read_on(self) -> None:
        """Read until the connection ends, for any reason."""
        try:
            while await self._read():
                pass
        except OSError:
            pass
        except RemoteProtocolError as error:
            self.session.client_state.tell(Tone.REFUSAL, f"The server sent what is no Bogaprot: {error}")
        await self.close()
        self.session.client_state.lost()
        self.changed()

    async def _reopen(self) -> None:
        client_state = self.session.client_state
        self.changed()
        backoff = Backoff(self._first_pause_s)
        while not self.up:
            await asyncio.sleep(backoff.next_s(LONGEST_PAUSE_S))
            try:
                await self.open()
            except (Unreachable, TryLater):
                pass  # the screen says that we go on trying
            except RemoteProtocolError as error:
                client_state.tell(Tone.REFUSAL, f"The server sent what is no Bogaprot: {error}")
            else:
                client_state.tell(Tone.GAME, "Connected again.")
            self.changed()
