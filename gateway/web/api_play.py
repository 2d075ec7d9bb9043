"""The JSON API that plays: the legal moves of a table, and a move of a seat. docs/api.md explains it.

A move goes to its table like that of any other client: judged, stored, told to all, and only then answered. Who holds
the seat's connection keeps it.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

import msgspec
import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway import registry
from gateway.record.audit import NONSENSE
from gateway.record.shown import replayed
from gateway.seating.registrar import Registrant
from gateway.store.views import TableView
from gateway.table.state import State, Status
from gateway.tables.asked import Moved
from gateway.tables.directory import Tables
from gateway.web.api import JSON, NO_STORE
from gateway.web.reading import Reading, bad
from gateway.web.refusals import BadRequest, body_of, check_type, decoded, refusing
from gateway.web.shapes import Legal, Made
from protocols.core.commands import PlayMove
from protocols.core.errors import Refused, Why
from protocols.core.model import Move

BODY_BYTES: Final = 2048
"""The longest request: a move's text has some ten characters, in Arimaa some forty."""


class WholeMove(msgspec.Struct, forbid_unknown_fields=True):
    """A move as the record has it, with nothing beside it."""

    source: int | None
    target: int | None
    piece: str = ""


class AskedMove(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a move: ``move`` as in the record, or ``text`` in the game's notation.

    A move may also be an array of its source, target and piece. ``ply`` is the number of moves made before it: a move
    for another moment is refused.
    """

    move: WholeMove | tuple[int | None, int | None, str] | None = None
    text: str = ""
    ply: int | None = None


class PlayingApi:
    """Answers for ``tables``; finished ones are read by ``reading``."""

    def __init__(self, tables: Tables, reading: Reading) -> None:
        self._tables = tables
        self._reading = reading

    def routes(self) -> list[Route]:
        return [
            Route("/api/tables/{table:int}/legal", refusing(self.legal), methods=["GET"]),
            Route("/api/tables/{table:int}/moves", refusing(self.move), methods=["POST"]),
        ]

    async def legal(self, request: Request) -> Response:
        """The legal moves now; none where no seat is to move."""
        view, _, _ = await self._reading.found(request)
        legal = await self._reading.do(lambda: legal_tree(self._state(view)))
        return Response(msgspec.json.encode(legal), 200, NO_STORE, JSON)

    def _state(self, view: TableView) -> State:
        running = self._tables.get(view.table)
        registry.game_of_record(view.game)
        try:
            return running.state if running is not None else replayed(view, self._events(view))
        except NONSENSE as error:
            raise Refused(Why.OVERLOAD, f"the record of table {view.table} cannot be read") from error

    def _events(self, view: TableView) -> list[Any]:
        return [stored.event for stored in self._reading.views.events(view.table)]

    async def move(self, request: Request) -> Response:
        """A move of the asker's seat: on disk, and told to all, when this is answered."""
        view, seat, asker = await self._reading.found(request)
        check_type(request)
        asked = decoded(await body_of(request, BODY_BYTES), AskedMove)
        if (asked.move is None) == (not asked.text):
            raise bad("a move has either move or text")
        if seat is None:
            raise BadRequest(HTTPStatus.FORBIDDEN, "forbidden", "a move needs the ticket of a seat, or its account")
        since = trio.current_time()
        move = PlayMove(_move(asked.move), asked.text, asked.ply)
        moved = await self._moved(view.table, seat, asker.registrant, move, since)
        return JSONResponse(_made(view.table, seat, moved), headers=NO_STORE)

    async def _moved(self, number: int, seat: int, by: Registrant, move: PlayMove, since: float) -> Moved:
        """Refused: the move was not made."""
        try:
            return await self._tables.asked(number).move(seat, by.address, move, since)
        except Refused as refused:
            if refused.why is not Why.TABLE_FULL:
                raise
            raise Refused(Why.NOT_PLAYING, f"table {number} is over") from None


def _move(asked: WholeMove | tuple[int | None, int | None, str] | None) -> Move | None:
    if asked is None:
        return None
    return Move(*asked) if isinstance(asked, tuple) else Move(asked.source, asked.target, asked.piece)


def _made(number: int, seat: int, moved: Moved) -> Made:
    return {"table": number, "seat": seat, "ply": moved.ply, "turn": moved.turn, "state": moved.status}


def legal_tree(state: State) -> Legal:
    """The legal moves now. Where the rules do not judge moves, they are examples."""
    playing = state.status is Status.PLAYING and state.turn is not None
    game, position = state.game, state.position
    legal, claim = (game.legal_moves(position), game.claim(position)) if playing else ([], None)
    return {
        "table": state.table,
        "state": state.status,
        "ply": state.ply,
        "turn": state.turn,
        "judged": game.judged,
        "claim": "" if claim is None else claim.detail,
        "claim_winner": None if claim is None else claim.winner,
        "legal": [{"move": move, "notation": game.notation(position, move)} for move in legal],
    }
