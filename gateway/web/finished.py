"""Finished games as they are looked at, and the running games for whose sake some of them are not shown.

No engine helps a player of a running game: the game must be over, only positions that it has reached are looked at, and
nothing is shown while a game that runs on this server, at any node, stands at one of them. The opening is left out of
that, for many games share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from gateway import registry
from gateway.bots.examining import played
from gateway.games.base import Game
from gateway.record.audit import NONSENSE
from gateway.record.shown import replayed
from gateway.store.schema import ADJOURNED, PLAYING
from gateway.store.views import TableView
from gateway.table.state import State, Status
from gateway.tables.directory import Tables
from gateway.web.reading import Reading
from protocols.core.errors import Refused, Why
from protocols.core.model import Settings

OPENING: Final = 20
"""Moves that many games share, at most; on small boards a quarter of the squares."""

ELSEWHERE_MAX: Final = 300
"""Running games of other nodes, and resting ones, that are replayed for one look; each takes some milliseconds."""

RUNS: Final = "a game that is played on this server stands at a position of this one: ask again when it has gone on"
UNFINISHED: Final = "only a finished game is analysed"
CROWDED: Final = "too many games of this kind are played to compare them all: ask again when there are fewer"


class FinishedGames:
    """Reads finished games for those who may see them. Positions of games that no task here runs are remembered, each
    until its game goes on."""

    def __init__(self, tables: Tables, reading: Reading) -> None:
        self._tables = tables
        self._reading = reading
        self._elsewhere: dict[int, tuple[int, Any]] = {}

    async def state(self, view: TableView) -> State:
        """The state at the end of the table's last game. Refused: it is not over, or no move was made."""
        state = await self._reading.do(self._state, view)
        if state.status not in (Status.OVER, Status.CLOSED) or not state.ply:
            raise Refused(Why.NOT_NOW, UNFINISHED)
        return state

    def _state(self, view: TableView) -> State:
        running = self._tables.get(view.table)
        registry.game_of_record(view.game)
        try:
            events = (stored.event for stored in self._reading.views.events(view.table))
            return running.state if running is not None else replayed(view, events)
        except NONSENSE as error:
            raise Refused(Why.OVERLOAD, f"the record of table {view.table} cannot be read") from error

    async def check(self, state: State) -> None:
        """Refused: a running game stands at a position of this finished one."""
        await self._check(state, lambda: played(state).positions[opening(state.settings) + 1 :])

    async def check_position(self, state: State, position: Any, ply: int) -> None:
        """The same of one position, reached after ``ply`` moves."""
        await self._check(state, lambda: [position] if ply > opening(state.settings) else [])

    async def _check(self, state: State, positions: Callable[[], Iterable[Any]]) -> None:
        running = [runner.state for runner in self._tables.values()]
        if await self._reading.do(lambda: self._stand_at(state, positions(), running)):
            raise Refused(Why.NOT_NOW, RUNS)

    def _stand_at(self, state: State, positions: Iterable[Any], running: Sequence[State]) -> bool:
        game = state.game
        own = {_key(game, state.settings, position) for position in positions}
        if not own:
            return False
        here = {each.table for each in running}
        found = (_secret(each) for each in running if each.game is game)
        return any(key in own for key in found) or not own.isdisjoint(self._others(game, here))

    def _others(self, game: Game[Any], here: set[int]) -> list[Any]:
        """The keys of unfinished games that no task of this process runs. Refused: there are too many."""
        views, most = self._reading.views, ELSEWHERE_MAX + len(here) + 1
        found = [view for status in (PLAYING, ADJOURNED) for view in views.tables(status, game.name, most)]
        others = [view for view in found if view.table not in here]
        if len(others) > ELSEWHERE_MAX:
            raise Refused(Why.OVERLOAD, CROWDED)
        if len(self._elsewhere) > 2 * ELSEWHERE_MAX:
            self._elsewhere.clear()
        return [self._as_recorded(view) for view in others]

    def _as_recorded(self, view: TableView) -> Any:
        """The key of a game by its record. None also where it cannot be read: nobody can play on there."""
        events, key = self._elsewhere.get(view.table, (-1, None))
        if events != view.events:
            try:
                key = _secret(replayed(view, (stored.event for stored in self._reading.views.events(view.table))))
            except NONSENSE:
                key = None
            self._elsewhere[view.table] = (view.events, key)
        return key


def _secret(running: State) -> Any:
    """The key of the position at which a running game stands. None: it is over, or still in its opening."""
    if running.status not in (Status.PLAYING, Status.ADJOURNED) or running.ply <= opening(running.settings):
        return None
    return _key(running.game, running.settings, running.position)


def opening(settings: Settings) -> int:
    """Moves of a game that are no secret of its players."""
    return min(OPENING, settings.width * settings.height // 4)


def _key(game: Game[Any], settings: Settings, position: Any) -> Any:
    """The board and the seat to move: a position reached in another order, or under like rules, is the same."""
    return settings.width, settings.height, game.to_move(position), tuple(game.board(position).items())
