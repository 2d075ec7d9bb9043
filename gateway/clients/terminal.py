"""One session at the terminal, from the connection to the last word about the seat. Not here: the app on the screen."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from gateway.clients.connection import Connection
from gateway.clients.joining import Address, Wish
from gateway.clients.mirror import Mirror, Phase
from gateway.clients.player_app import AGAIN, PlayerApp
from gateway.clients.session import Session
from gateway.games.base import Game
from protocols.core.errors import BoardgateError


@dataclass(frozen=True, slots=True)
class Played:
    """How a session at the terminal ended: the player wants another game, or has left a seat that is still theirs."""

    again: bool
    seat_kept: bool


def run(wish: Wish, game: Game[Any] | None, size: tuple[int, int] | None, address: Address) -> Played:
    """Take a seat and play one game on the terminal.

    BoardgateError: why it could not begin (Unreachable, TurnedAway, Refused), or why it had to end.
    """
    session = Session(replace(wish, clocks=True, talk=True), Mirror(game, wish.variant, size, dict(wish.options)))
    return asyncio.run(_run(Connection(session, address)))


async def _run(connection: Connection) -> Played:
    await connection.open()
    app = PlayerApp(connection)
    try:
        result = await app.run_async()
    finally:
        await connection.close()
    if app.return_code:
        raise BoardgateError(result or "the game ended with an error")
    return Played(result == AGAIN, app.mirror.phase is Phase.PLAYING and not app.mirror.displaced)
