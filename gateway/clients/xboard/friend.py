"""A peer that is met by a relay code: the tunnel to it, and the connection that the shell talks through instead.

A lost connection is the tunnel's matter: the shell's own lasts until the tunnel is given up, so neither adapter notices
more than a pause. Not here: the tunnel itself (gateway.clients.relay).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

from gateway.clients.joining import Address
from gateway.clients.relay.code import Code
from gateway.clients.relay.ends import Given
from gateway.clients.relay.transport import Rendezvous
from gateway.clients.relay.tunnel import Tunnel
from protocols.core.errors import BoardgateError

DELIVER_S: Final = 0.4
"""Seconds for the last lines to arrive: a GUI allows its engine a second or so between quit and the end."""


class Friend:
    """``stream`` is ours. One friend a code: when the tunnel has ended it stays so, and ``why`` says how it came."""

    def __init__(self, code: Code, server: Address, told: Callable[[str], None], *, direct: bool) -> None:
        ours, theirs = trio.socket.socketpair()
        self.stream = trio.SocketStream(ours)
        self.why = ""
        self._over = False
        self._end = Given(trio.SocketStream(theirs))
        self._tunnel = Tunnel(Rendezvous(code, server, told, direct=direct), self._end, told)

    async def keep(self) -> None:
        """Meet, and carry for as long as that lasts; ``stream`` ends then."""
        try:
            await self._tunnel.run()
        except BoardgateError as error:
            self.why = str(error)
        finally:
            self._over = True
            self._tunnel.met.set()
            with trio.CancelScope(shield=True):
                await self._end.close()

    async def met(self) -> bool | None:
        """Wait for the friend; whether we are the one that answers, as if called. None: nobody will come."""
        await self._tunnel.met.wait()
        return None if self._over else self._tunnel.first

    async def leave(self) -> None:
        """Deliver what was sent on ``stream``, which is closed, and stop."""
        with trio.move_on_after(DELIVER_S, shield=True):
            await self._tunnel.said()
        await self._tunnel.leave()
