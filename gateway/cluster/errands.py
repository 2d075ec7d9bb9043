"""Serves what other nodes ask of this node's tables for requests that come from no client there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias, get_args

import msgspec
import trio

from gateway.cluster import messages
from gateway.cluster.calls import Caller, Calls
from gateway.cluster.whispering import words_of
from gateway.lobby.claims import Ticket
from gateway.tables.asked import AskedHere
from gateway.tables.directory import Tables
from gateway.tables.runner import TableRunner
from protocols.core.commands import PlayMove

Errand: TypeAlias = messages.Move | messages.Reissue | messages.Supersede | messages.EndByHost | messages.Whisper

_encode = msgspec.json.Encoder().encode


class Errands:
    """``here_is`` finds a table of this node, and wakes it. Refused: it is not here, or over.

    ``whisper`` says something to a client of this node that plays at no table of its own.
    """

    def __init__(
        self,
        calls: Calls,
        tables: Tables,
        here_is: Callable[[int], Awaitable[TableRunner]],
        whisper: Callable[[messages.Whisper], Awaitable[str]],
    ) -> None:
        self._tables = tables
        self._here_is = here_is
        self._whisper = whisper
        calls.serves(messages.Attend, self._attend)
        for kind in get_args(Errand):
            calls.serves(kind, self._serve)

    async def _attend(self, attend: messages.Attend, caller: Caller) -> str:
        return _encode(self._tables.attendance_here(attend.table)).decode()

    async def _serve(self, errand: Errand, caller: Caller) -> str:
        if isinstance(errand, messages.Whisper) and not errand.table:
            return await self._whisper(errand)
        table = AskedHere(await self._here_is(errand.table))
        match errand:
            case messages.Move(seat=seat, address=address, id=id):
                command = messages.command(errand.command)
                assert isinstance(command, PlayMove)
                since = trio.current_time() - errand.age_s
                return _encode(await table.move(seat, address, command, since, id)).decode()
            case messages.Reissue(name=name, digest=digest):
                return str(await table.reissue(name, Ticket(bytes.fromhex(digest))))
            case messages.Supersede(game=game):
                await table.supersede(game)
            case messages.EndByHost(reason=reason):
                return await table.end_by_host(reason)
            case messages.Whisper():
                await table.whisper(words_of(errand))
                return "heard"
        return ""
