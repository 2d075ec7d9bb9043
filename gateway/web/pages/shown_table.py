"""A table as its page shows it: rounds of moves, a sentence about the game, the data of its scripts. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup

from gateway import registry
from gateway.games.base import Game
from gateway.table.state import State, Status
from gateway.web.board.description import Description
from gateway.web.pages.words import end_words, rule_words, time_words
from gateway.web.sharing import table_address
from protocols.core import time_text
from protocols.core.events import Event, GameStarted
from protocols.core.model import Settings

MOST_BESIDE: Final = 30
"""Games of a table that its page leads to."""


@dataclass(frozen=True, slots=True)
class TurnShown:
    """The moves that a seat made in a row: ply and notation of each."""

    seat: int
    moves: tuple[tuple[int, str], ...]


def rounds(moves: Iterable[tuple[int, str]]) -> list[list[TurnShown]]:
    """Moves in order, (seat, notation) each, by turns; a round ends where a seat moves that is not behind the last."""
    numbered = [(ply, seat, notation) for ply, (seat, notation) in enumerate(moves, 1)]
    turns: list[TurnShown] = []
    for ply, seat, notation in numbered:
        if turns and turns[-1].seat == seat:
            turns[-1] = TurnShown(seat, (*turns[-1].moves, (ply, notation)))
        else:
            turns.append(TurnShown(seat, ((ply, notation),)))
    found: list[list[TurnShown]] = [turns[:1]] if turns else []
    for before, turn in pairwise(turns):
        if turn.seat < before.seat:
            found.append([])
        found[-1].append(turn)
    return found


def status_line(look: Description, state: State, names: Sequence[str], seat: int | None = None) -> str:
    """The game in a sentence, as long as no script says it: "White to move", "Ann won, checkmate"."""
    if state.outcome is not None:
        return end_words(state.outcome, look.sides, names, seat)
    match state.status:
        case Status.OPEN:
            return "Waiting for players"
        case Status.ADJOURNED:
            return "Adjourned"
        case Status.CLOSED:
            return "The game did not begin"
        case _:
            return f"{look.sides[state.turn].capitalize()} to move" if state.turn is not None else ""


def heading(title: str, names: Iterable[str]) -> str:
    """ "Chess: Ann and Ben"; the title alone while nobody has sat there."""
    players = [name for name in names if name]
    return f"{title}: {', '.join(players[:-1])} and {players[-1]}" if len(players) > 1 else title


def settings_line(settings: Settings) -> str:
    """The rule set, its options and the clock in few words: "Crazyhouse · 5 min + 3 s"."""
    return " · ".join((*rule_words(settings), time_words(settings.time), *(["rated"] if settings.rated else [])))


def beside(table: int, events: Iterable[Event], game: int) -> list[tuple[str, str]]:
    """The other games of the table of ``game``, in words and by their addresses; the last one's is the table's."""
    started = [event.number for event in events if isinstance(event, GameStarted)]
    others = [(f"game {number}", table_address(table, number)) for number in started[-MOST_BESIDE:-1] if number != game]
    return others if started[-1:] == [game] or not started else [*others, ("the last game", table_address(table))]


def again(settings: Settings) -> str:
    """The address that asks for the same game with others, as the lobby's form would."""
    asked = {"variant": settings.variant, "time": time_text.spell(settings.time), "seats": str(settings.seats)}
    chosen = dict(settings.options) | ({"start": settings.start} if settings.start else {})
    rated = {"rated": "yes"} if settings.rated else {}
    return f"/play/{settings.game}?{urlencode(asked | chosen | rated)}"


def position_shown(game: Game[Any], position: Any) -> dict[str, Any]:
    """The position that a game begins with, for the board of a page whose game has not begun."""
    return {
        "board": list(game.board(position).items()),
        "hands": list(game.hands(position)),
        "alarm": game.alarm(position),
        "tally": msgspec.to_builtins(game.tally(position)),
    }


def page_data(**values: Any) -> Markup:
    """Values as JSON that can stand in a script element: nothing in it ends the element or begins a comment."""
    text = msgspec.json.encode(values).decode()
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("\u2028", "\\u2028"))


def ticket_words(game: str) -> list[tuple[str, str]]:
    """Each dialect in which a player of ``game`` can present a ticket, and how: "{ticket}" stands for it."""
    dialects = registry.dialects()
    known = ((name, dialects[name].ticket_words) for name in registry.dialects_for(registry.game(game)))
    return [(name, words.replace("{game}", game)) for name, words in known if words]


def example(game: Game[Any], settings: Settings) -> str:
    """A first move as the game writes it, for the field that takes moves in words; "" where there is none."""
    position = game.start(settings)
    move = next(iter(game.legal_moves(position)), None) if game.judged else None
    return game.notation(position, move) if move is not None else ""
