"""One game of the record as the lichess API exports it as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from gateway.games.base import Game, Played
from gateway.store.records import StoredEvent
from protocols.core import events as ev
from protocols.lichess import objects
from protocols.lichess.wire import Tree


def exported(game: Game[object], played: Played, record: Iterable[StoredEvent]) -> Tree:
    """The game ``played`` of a table whose ``record`` this is; the API has words for its settings. Times are ms."""
    settings, outcome = played.settings, played.outcome
    status = objects.ending(outcome)
    told: Tree = {
        "id": objects.game_id(played.table, played.number),
        "rated": settings.rated,
        "variant": objects.variant(settings)["key"],
        "speed": objects.speed(settings.time),
        "perf": objects.speed(settings.time),
        "createdAt": int(played.begun * 1000),
        "lastMoveAt": int(_last_move_at(played, record) * 1000),
        "status": status,
        "players": {objects.colour(seat): _player(name) for seat, name in enumerate(played.names[:2])},
        "moves": " ".join(made.notation for made in played.moves),
    }
    if settings.start or settings.variant == "fischerandom":
        told["initialFen"] = game.brief(game.start(settings))
    if settings.time is not None and settings.time.by_days:
        told["daysPerTurn"] = objects.time_control(settings.time)["daysPerTurn"]
    elif settings.time is not None:
        limit, increment = int(settings.time.main_s), int(settings.time.increment_s)
        told["clock"] = {"initial": limit, "increment": increment, "totalTime": limit + 40 * increment}
    return told | objects.winner(outcome)


def _player(name: str) -> Tree:
    return {"user": {"id": objects.user_id(name), "name": name}} if name else {}


def _last_move_at(played: Played, record: Iterable[StoredEvent]) -> float:
    """When the last move of a game was made, or, before any, when the game began: Unix time in seconds."""
    number, at = 0, played.begun
    for stored in record:
        if isinstance(stored.event, ev.GameStarted):
            number = stored.event.number
        elif isinstance(stored.event, ev.MoveMade) and number == played.number:
            at = stored.at
    return at
