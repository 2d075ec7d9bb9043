"""The JSON API of analyses: asks for what the host's engine says of a finished game, and shows it.

No engine helps a player of a running game: the game must be over, only positions of its own are looked at, and nothing
is shown while a game that runs on this server, at any node, stands at one of them. The opening is left out of that, for
many games share it.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.accounts.logins import Tries
from gateway.bots.analyst import Analyst
from gateway.bots.examining import Result, played
from gateway.games.base import Game
from gateway.net.addresses import address_key
from gateway.record.audit import NONSENSE
from gateway.record.shown import replayed
from gateway.store.analyses import Analysis
from gateway.store.schema import ADJOURNED, PLAYING
from gateway.store.views import TableView
from gateway.table.state import State, Status
from gateway.tables.directory import Tables
from gateway.web.api import JSON, NO_STORE
from gateway.web.askers import Asker
from gateway.web.reading import Reading
from gateway.web.refusals import refusing
from gateway.web.shapes import Analysed
from protocols.core.errors import Refused, Why
from protocols.core.model import Settings

BURST, PER_S = 10, 1 / 360
"""Games that one person may ask for at once, and then a second: an evening's games, and one every six minutes."""

OPENING: Final = 20
"""Moves that many games share, at most; on small boards a quarter of the squares."""

ELSEWHERE_MAX: Final = 300
"""Running games of other nodes, and resting ones, that are replayed for one look; each takes some milliseconds."""

RUNS: Final = "a game that is played on this server stands at a position of this one: ask again when it has gone on"
UNFINISHED: Final = "only a finished game is analysed"
CROWDED: Final = "too many games of this kind are played to compare them all: ask again when there are fewer"


class AnalysisApi:
    """``analyst`` None: nothing is analysed here."""

    def __init__(self, analyst: Analyst | None, tables: Tables, reading: Reading) -> None:
        self._analyst = analyst
        self._tables = tables
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
            self._tries.count(_person(asker), PER_S, BURST, "games were asked for by you")
            await self._check_elsewhere(state)
            if not await analyst.ask(view.table, state.games, engine):
                raise Refused(Why.OVERLOAD, "too many games wait for analysis: ask again later")
            known = await analyst.find(view.table, state.games, engine)
        return _answered(await self._told(analyst, state, known), HTTPStatus.ACCEPTED)

    async def _finished(self, view: TableView) -> tuple[Analyst, str, State]:
        """The analyst, its engine, the state at the end of the game. Refused: there is nothing to be analysed."""
        state = await self._reading.do(self._state, view)
        if state.status not in (Status.OVER, Status.CLOSED) or not state.ply:
            raise Refused(Why.NOT_NOW, UNFINISHED)
        engine = None
        if self._analyst is not None:
            engine = self._analyst.engine_of(state.game, state.settings.variant, len(state.seats))
        if self._analyst is None or engine is None:
            raise Refused(Why.NOT_INSTALLED, f"no engine here looks at games of {view.game} {view.variant}")
        return self._analyst, engine, state

    def _state(self, view: TableView) -> State:
        running = self._tables.get(view.table)
        registry.game_of_record(view.game)
        try:
            events = (stored.event for stored in self._reading.views.events(view.table))
            return running.state if running is not None else replayed(view, events)
        except NONSENSE as error:
            raise Refused(Why.OVERLOAD, f"the record of table {view.table} cannot be read") from error

    async def _told(self, analyst: Analyst, state: State, found: Analysis | None) -> Analysed:
        stage: Literal["none", "waiting", "running", "done", "failed"] = "none"
        ahead, result = 0, None
        if found is not None and found.result is not None:
            await self._check_elsewhere(state)
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

    async def _check_elsewhere(self, state: State) -> None:
        """Refused: a running game stands at a position of this finished one."""
        running = [runner.state for runner in self._tables.values()]
        if await self._reading.do(self._stands_elsewhere, state, running):
            raise Refused(Why.NOT_NOW, RUNS)

    def _stands_elsewhere(self, state: State, running: list[State]) -> bool:
        game, first = state.game, opening(state.settings)
        own = {_key(game, state.settings, position) for position in played(state).positions[first + 1 :]}
        if not own:
            return False
        here = {each.table for each in running}
        return any(self._stands_at(each, game, own) for each in running) or any(
            self._stands_at(each, game, own) for each in self._others(game, here)
        )

    def _others(self, game: Game[Any], here: set[int]) -> list[State]:
        """The unfinished games that no task of this process runs. Refused: there are too many."""
        views, most = self._reading.views, ELSEWHERE_MAX + len(here) + 1
        found = [view for status in (PLAYING, ADJOURNED) for view in views.tables(status, game.name, most)]
        others = [view for view in found if view.table not in here]
        if len(others) > ELSEWHERE_MAX:
            raise Refused(Why.OVERLOAD, CROWDED)
        states = []
        for view in others:
            try:
                states.append(replayed(view, (stored.event for stored in views.events(view.table))))
            except NONSENSE:
                continue  # nobody can play on there
        return states

    def _stands_at(self, running: State, game: Game[Any], own: set[Any]) -> bool:
        if running.game is not game or running.status not in (Status.PLAYING, Status.ADJOURNED):
            return False
        return running.ply > opening(running.settings) and _key(game, running.settings, running.position) in own


def opening(settings: Settings) -> int:
    """Moves of a game that are no secret of its players."""
    return min(OPENING, settings.width * settings.height // 4)


def _key(game: Game[Any], settings: Settings, position: Any) -> Any:
    """The board and the seat to move: a position reached in another order, or under like rules, is the same."""
    return settings.width, settings.height, game.to_move(position), tuple(game.board(position).items())


def _person(asker: Asker) -> str:
    return asker.registrant.account or address_key(asker.registrant.address)


def _answered(told: Analysed, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(msgspec.json.encode(told), status, NO_STORE, JSON)
