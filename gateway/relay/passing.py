"""Passes callers of the relay on to the node that has their room, and lets in those whom other nodes pass on.

The caller's node asks the others which of them has the room, and calls that one with the pass it was given: a secret
that is good for one call, and stands for the caller's address. From then on the bytes of the two connections are
copied; to the room's node it is a caller like any other.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple, TypeAlias

import trio

from gateway.config import BadSetting, Listen
from gateway.config.listeners import parse_address
from gateway.net.log_limiter import LogLimiter
from gateway.net.sockets import Enter, open_socket, set_up, take_in
from gateway.relay.rendezvous import Refusal

SECRET_BYTES: Final = 16
"""Random bytes of a secret; on the wire twice as many hexadecimal digits, and the caller's bytes follow at once."""

WITHIN_S: Final = 5.0
"""Seconds in which a node is called and shown a pass, and so how long one is good."""

UNKNOWN_CALLS: Final = 256
"""Calls that have not shown a pass yet: one more is hung up on."""

NOWHERE: Final = ("0.0.0.0", "::")
"""Addresses at which nobody can be called."""

Address = tuple[str, int]
"""Host and port."""


class Pass(NamedTuple):
    """The address that is called, and the ``secret`` that lets one call in."""

    host: str
    port: int
    secret: str


Elsewhere: TypeAlias = Callable[[str, Address], Awaitable[Pass | None]]
"""Gets a pass of the node that has a room, for a caller from there; None: no other node has it.

Refusal (no_answer): one of them does not say.
"""


async def nowhere(code: str, client: Address) -> Pass | None:
    """Stands for the other nodes of a relay that has none."""
    return None


def read_gate(address: str) -> Listen:
    """The address of the setting ``cluster.relay``. BadSetting: nobody can call there."""
    try:
        listen = Listen("relay", *parse_address(address))
    except BadSetting as error:
        raise BadSetting(f"cluster.relay: {error}") from None
    if listen.host in NOWHERE:
        raise BadSetting(f"cluster.relay: {listen.host} is no address at which other servers can call this one")
    return listen


class Gate:
    """The port of this node where others show their passes."""

    def __init__(self, address: str) -> None:
        """Listen at HOST:PORT. BadSetting: that is impossible."""
        self._sock, shown = open_socket(read_gate(address))
        self._shown = shown.address
        self._address = shown.host, shown.port
        self._passes: dict[str, tuple[Address, float]] = {}
        self._unknown = 0

    def invite(self, client: Address) -> Pass:
        """A pass for the call of a caller from there."""
        now = trio.current_time()
        for secret in [secret for secret, (_, until) in self._passes.items() if until < now]:
            del self._passes[secret]
        secret = secrets.token_hex(SECRET_BYTES)
        self._passes[secret] = client, now + WITHIN_S
        return Pass(*self._address, secret)

    async def accept(self, enter: Enter, lines: LogLimiter) -> None:
        """Let in who shows a pass, from the address for which it stands, until cancelled; closes the port then."""
        async with trio.open_nursery() as nursery:

            def begin(sock: socket.socket, address: object) -> bool:
                if self._unknown >= UNKNOWN_CALLS:
                    sock.close()
                    return False
                set_up(sock)
                self._unknown += 1
                nursery.start_soon(self._show, sock, enter)
                return True

            await take_in(self._sock, self._shown, begin, lines)

    async def _show(self, sock: socket.socket, enter: Enter) -> None:
        client = None
        try:
            with trio.move_on_after(WITHIN_S):
                client = self._taken(await _read_secret(sock))
        except OSError:
            pass
        finally:
            self._unknown -= 1
            if client is None:
                sock.close()
        if client is not None:
            enter(sock, client)

    def _taken(self, secret: str) -> Address | None:
        """The caller for whom a pass stands, which is used up; None: there is no such pass."""
        client, until = self._passes.pop(secret, (None, 0.0))
        return client if trio.current_time() <= until else None


async def call(to: Pass) -> socket.socket:
    """A connection to the node that gave this pass, which was shown there. Refusal: it does not answer."""
    stream = None
    try:
        with trio.fail_after(WITHIN_S):
            stream = await trio.open_tcp_stream(to.host, to.port)
            await stream.send_all(to.secret.encode("ascii"))
    except (OSError, trio.BrokenResourceError, trio.TooSlowError):
        if stream is not None:
            await trio.aclose_forcefully(stream)
        raise no_answer() from None
    sock = socket.socket(fileno=stream.socket.detach())
    set_up(sock)
    return sock


def no_answer() -> Refusal:
    """Why a caller is refused while another node may have its room, and does not say."""
    return Refusal("no_answer", "a part of this server does not answer just now: try again")


async def _read_secret(sock: socket.socket) -> str:
    """Not a byte more is read. "" where the other end closes. OSError."""
    said = b""
    while len(said) < 2 * SECRET_BYTES:
        await trio.lowlevel.wait_readable(sock)
        try:
            came = sock.recv(2 * SECRET_BYTES - len(said))
        except BlockingIOError:
            continue
        if not came:
            return ""
        said += came
    return said.decode("latin-1")
