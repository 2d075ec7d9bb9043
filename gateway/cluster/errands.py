"""Serves what other nodes ask of this node's tables for requests that come from no client there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec
import trio

from gateway.cluster import messages
from gateway.cluster.whispering import words_of
from gateway.lobby.claims import Ticket
from gateway.tables.asked import AskedHere
from gateway.tables.directory import Tables
from gateway.tables.runner import TableRunner
from protocols.core.commands import PlayMove

AtTable: TypeAlias = messages.Move | messages.Reissue | messages.Supersede | messages.EndByHost

Errand: TypeAlias = AtTable | messages.Attend | messages.Register | messages.Call | messages.Whisper

encode = msgspec.json.Encoder().encode


class Errands:
    """``here_is`` finds a table of this node, and wakes it. Refused: it is not here, or over.

    ``register`` registers a table at this node; ``invite`` lets a caller into a room of its relay; ``whisper`` says
    something to a client of this node that plays at no table of its own.
    """

    def __init__(
        self,
        tables: Tables,
        here_is: Callable[[int], Awaitable[TableRunner]],
        register: Callable[[messages.Register], Awaitable[int]],
        invite: Callable[[messages.Call], Awaitable[str]],
        whisper: Callable[[messages.Whisper], Awaitable[str]],
    ) -> None:
        self._tables = tables
        self._here_is = here_is
        self._register = register
        self._invite = invite
        self._whisper = whisper

    async def serve(self, errand: Errand) -> str:
        """The answer as JSON. Refused: the table is not here, or says no."""
        match errand:
            case messages.Attend(table=table):
                return encode(self._tables.presence_here(table)).decode()
            case messages.Register():
                return str(await self._register(errand))
            case messages.Call():
                return await self._invite(errand)
            case messages.Whisper(table=0):
                return await self._whisper(errand)
            case messages.Whisper(table=table):
                await AskedHere(await self._here_is(table)).whisper(words_of(errand))
                return "heard"
            case _:
                return await _served(AskedHere(await self._here_is(errand.table)), errand)


async def _served(table: AskedHere, errand: AtTable) -> str:
    match errand:
        case messages.Move(seat=seat, address=address):
            command = messages.command(errand.command)
            assert isinstance(command, PlayMove)
            since = trio.current_time() - errand.age_s
            return encode(await table.move(seat, address, command, since)).decode()
        case messages.Reissue(name=name, digest=digest):
            return str(await table.reissue(name, Ticket(bytes.fromhex(digest))))
        case messages.Supersede(game=game):
            await table.supersede(game)
            return ""
        case messages.EndByHost(reason=reason):
            return encode(await table.end_by_host(reason)).decode()
