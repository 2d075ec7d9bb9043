"""One session at the terminal, as a player or as a spectator."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from clients.client_state import ClientState, Phase
from clients.connection import Connection
from clients.joining import Address, Wish
from clients.player_app import AGAIN, PlayerApp
from clients.session import Session
from clients.table_list import TableList, tables_of
from clients.watching import Fetch, Watching
from gateway.games.base import Game
from protocols.core.errors import BoardgateError


@dataclass(frozen=True, slots=True)
class Played:
    """The end of a session at the terminal: the player wants another game, or has left a seat that is still theirs."""

    again: bool
    seat_kept: bool


def run(wish: Wish, game: Game[Any] | None, size: tuple[int, int] | None, address: Address) -> Played:
    """Take a seat and play one game on the terminal.

    BoardgateError: why it could not begin (Unreachable, TurnedAway, Refused), or why it had to end.
    """
    session = Session(replace(wish, clocks=True, talk=True), ClientState(game, wish.variant, size, dict(wish.options)))
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
    return Played(result == AGAIN, app.client_state.phase is Phase.PLAYING and not app.client_state.displaced)


def watch(fetch: Fetch, table: int | None, game: str, address: Address) -> None:
    """Look on at ``table``, or at those that are chosen from the list of ``game``'s ("": every game's).

    BoardgateError: the server cannot be asked, or does not show that table.
    """
    if table is not None:
        asyncio.run(_watch(Watching(fetch, table, address)))
        return
    while (chosen := _choose(fetch, game, address)) is not None:
        asyncio.run(_watch(Watching(fetch, chosen, address)))


def _choose(fetch: Fetch, game: str, address: Address) -> int | None:
    listed = tables_of(fetch, game)
    return TableList(lambda: tables_of(fetch, game), listed, f"Tables of {address}").run()


async def _watch(watching: Watching) -> None:
    await watching.open()
    app = PlayerApp(watching)
    result = await app.run_async()
    if app.return_code:
        raise BoardgateError(result or "the table cannot be followed")
