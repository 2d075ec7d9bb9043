"""Variations of a finished game: the position and the legal moves behind moves that a person tries on its board.

No engine is asked. Where a running game stands at the position, it is not shown all the same (gateway/web/finished.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.logins import Tries
from gateway.bots.examining import played
from gateway.games.base import CHANCE, Game
from gateway.table.evolve import played_on
from gateway.table.legal import choices
from gateway.table.state import State
from gateway.web.api import JSON, NO_STORE
from gateway.web.api_analysis import person_of
from gateway.web.finished import FinishedGames
from gateway.web.pages.shown_table import position_shown
from gateway.web.reading import Reading, bad
from gateway.web.refusals import body_of, check_type, decoded, refusing
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move
from protocols.core.notifications import Choice

BURST, PER_S = 120, 2.0
"""Positions that one person may ask for at once, and then a second: a hand moves no faster for long."""

LONGEST: Final = 200
"""Moves of a variation."""

BODY_BYTES: Final = 16_384
"""A variation of that length, of long names of pieces."""


class Tried(msgspec.Struct, forbid_unknown_fields=True):
    """The body: ``moves`` after the first ``ply`` moves of the game."""

    ply: int
    moves: list[tuple[int | None, int | None, str]]


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a variation leads to; ``notations`` are of its moves, ``last`` the squares of the last one."""

    position: Any
    ply: int
    notations: list[str]
    last: tuple[int, ...]


class VariationPage:
    """Answers the script of a finished table's page."""

    def __init__(self, games: FinishedGames, reading: Reading) -> None:
        self._games = games
        self._reading = reading
        self._tries = Tries()

    def routes(self) -> list[Route]:
        return [Route("/table/{table:int}/variation", refusing(self.answer), methods=["POST"])]

    async def answer(self, request: Request) -> Response:
        """The position behind the moves. Refused: one is illegal, or a running game stands there."""
        view, _, asker = await self._reading.found(request)
        check_type(request)
        asked = decoded(await body_of(request, BODY_BYTES), Tried)
        self._tries.count(person_of(asker), PER_S, BURST, "positions were asked for by you")
        state = await self._games.state(view)
        if not state.game.judged:
            raise Refused(Why.NOT_INSTALLED, f"the rules of {view.game} are not known here")
        if not 0 <= asked.ply <= state.ply or len(asked.moves) > LONGEST:
            raise bad(f"a variation has at most {LONGEST} moves, behind one of {state.ply} moves")
        reached = await self._reading.do(tried, state, asked.ply, [Move(*move) for move in asked.moves])
        await self._games.check_position(state, reached.position, reached.ply)
        return Response(await self._reading.do(_told, state, reached), 200, NO_STORE, JSON)


def tried(state: State, ply: int, moves: Sequence[Move]) -> Reached:
    """The position after ``moves``, made after the first ``ply`` moves of the state's game. IllegalMove."""
    game, position = state.game, played(state).positions[ply]
    notations: list[str] = []
    last: tuple[int, ...] = ()
    for move in moves:
        position = played_on(game, position)
        if not isinstance(game.to_move(position), int):
            raise IllegalMove("nobody can move there")
        meant = game.normal(position, move)
        if meant not in game.legal_moves(position):
            raise IllegalMove("that is no legal move there")
        notations.append(game.notation(position, meant))
        position = game.play(position, meant)
        last = tuple(at for at in (meant.source, meant.target) if at is not None)
    return Reached(position, ply + len(moves), notations, last)


def _told(state: State, reached: Reached) -> bytes:
    game, position = state.game, reached.position
    turn, outcome = game.to_move(position), game.outcome(position)
    return msgspec.json.encode(
        {
            "position": position_shown(game, position),
            "last": reached.last,
            "notations": reached.notations,
            "turn": turn if isinstance(turn, int) else None,
            "dice": turn == CHANCE,
            "outcome": outcome,
            "legal": [_choice(choice) for choice in _choices(state, game, position)],
            "pass": PASS in game.legal_moves(position),
        }
    )


def _choices(state: State, game: Game[Any], position: Any) -> list[Choice]:
    squares = range(state.settings.width * state.settings.height)
    return choices(game.legal_moves(position), lambda: set(squares).difference(game.board(position)))


def _choice(choice: Choice) -> dict[str, Any]:
    """A choice as static/js/moves.js reads it."""
    if choice.source is not None:
        named = {} if choice.pieces == ("",) else {"as": choice.pieces}
        return {"from": choice.source, "to": choice.targets, **named}
    if choice.others:
        return {"piece": choice.pieces[0], "to": "*", "but": choice.targets}
    return {"piece": choice.pieces[0], "to": choice.targets}
