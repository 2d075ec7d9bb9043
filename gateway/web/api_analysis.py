"""The JSON API of analyses: asks for what the host's engine says of a finished game, and shows it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.logins import Tries
from gateway.bots.analyst import Analyst
from gateway.bots.examining import Result
from gateway.net.addresses import address_key
from gateway.store.analyses import Analysis
from gateway.store.views import TableView
from gateway.table.state import State
from gateway.web.api import JSON, NO_STORE
from gateway.web.askers import Asker
from gateway.web.finished import FinishedGames
from gateway.web.reading import Reading
from gateway.web.refusals import refusing
from gateway.web.shapes import Analysed
from protocols.core.errors import Refused, Why

BURST, PER_S = 10, 1 / 360
"""Games that one person may ask for at once, and then a second: an evening's games, and one every six minutes."""


class AnalysisApi:
    """``analyst`` None: nothing is analysed here."""

    def __init__(self, analyst: Analyst | None, games: FinishedGames, reading: Reading) -> None:
        self._analyst = analyst
        self._games = games
        self._reading = reading
        self._tries = Tries()

    def routes(self) -> list[Route]:
        path = "/api/tables/{table:int}/analysis"
        return [
            Route(path, refusing(self.look), methods=["GET"]),
            Route(path, refusing(self.ask), methods=["POST"]),
        ]

    async def look(self, request: Request) -> Response:
        """The analysis as far as it has come."""
        view, _, _ = await self._reading.found(request)
        analyst, engine, state = await self._finished(view)
        return _answered(await self._told(analyst, state, await analyst.find(view.table, state.games, engine)))

    async def ask(self, request: Request) -> Response:
        """Queue the game, unless that was done before."""
        view, _, asker = await self._reading.found(request)
        analyst, engine, state = await self._finished(view)
        known = await analyst.find(view.table, state.games, engine)
        if known is None or known.refused is not None:
            self._tries.count(person_of(asker), PER_S, BURST, "games were asked for by you")
            await self._games.check(state)
            if not await analyst.ask(view.table, state.games, engine):
                raise Refused(Why.OVERLOAD, "too many games wait for analysis: ask again later")
            known = await analyst.find(view.table, state.games, engine)
        return _answered(await self._told(analyst, state, known), HTTPStatus.ACCEPTED)

    async def _finished(self, view: TableView) -> tuple[Analyst, str, State]:
        """The analyst, its engine, the state at the end of the game. Refused: there is nothing to be analysed."""
        state = await self._games.state(view)
        engine = None
        if self._analyst is not None:
            engine = self._analyst.engine_of(state.game, state.settings.variant, len(state.seats))
        if self._analyst is None or engine is None:
            raise Refused(Why.NOT_INSTALLED, "no engine here looks at games of this kind")
        return self._analyst, engine, state

    async def _told(self, analyst: Analyst, state: State, found: Analysis | None) -> Analysed:
        stage: Literal["none", "waiting", "running", "done", "failed"] = "none"
        ahead, result = 0, None
        if found is not None and found.result is not None:
            await self._games.check(state)
            stage, result = "done", msgspec.json.decode(found.result, type=Result)
        elif found is not None and found.refused is not None:
            stage = "failed"
        elif found is not None:
            stage = "running" if found.total else "waiting"
            ahead = 0 if found.total else await analyst.ahead(found)
        done, total = (0, 0) if found is None else (found.done, found.total)
        return {
            "table": state.table,
            "state": stage,
            "ahead": ahead,
            "done": done,
            "total": total,
            "why": "" if found is None else found.refused or "",
            "result": result,
        }


def person_of(asker: Asker) -> str:
    """The asker's account, or the network of a guest."""
    return asker.registrant.account or address_key(asker.registrant.address)


def _answered(told: Analysed, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(msgspec.json.encode(told), status, NO_STORE, JSON)
