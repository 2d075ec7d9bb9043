"""Finds installed games and dialects by name, from the entry points boardgate.games and boardgate.dialects.

A plug-in is one file and one line in some distribution's entry points. After adding a line, install again: entry
points are read from installed metadata. A plug-in that cannot be loaded is left out; ``left_out`` says why.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from gateway.games.base import Game
from gateway.games.options import check_names
from gateway.games.parts import Chance
from protocols.core.dialect import Dialect
from protocols.core.errors import BoardgateError, Refused, Why


class TwoPlugIns(BoardgateError):
    """Two plug-ins of one kind have the same name: records and clients cannot say which of them they mean."""


class Loaded(NamedTuple):
    """``found`` are the plug-ins of one kind by name, sorted; ``left_out`` has a line for each that does not load."""

    found: dict[str, Any]
    left_out: tuple[str, ...]


def games() -> dict[str, Game[Any]]:
    """Every installed game by name, sorted. TwoPlugIns: that cannot be said."""
    return _games().found


def dialects() -> dict[str, type[Dialect]]:
    """Every installed dialect's class by name, sorted. TwoPlugIns: that cannot be said."""
    return _dialects().found


def left_out() -> tuple[str, ...]:
    """A line for each plug-in that is installed and cannot be used: its kind, name, place, and what is wrong."""
    return _games().left_out + _dialects().left_out


def forget() -> None:
    """Load anew what is installed when it is asked for next."""
    _games.cache_clear()
    _dialects.cache_clear()


@cache
def _games() -> Loaded:
    return plug_ins("game", _game)


@cache
def _dialects() -> Loaded:
    return plug_ins("dialect", _dialect)


def _game(point: EntryPoint) -> Game[Any]:
    made = point.load()()
    if not isinstance(made, Game) or made.name != point.name:
        raise TypeError(f"{point.value} is no game called {point.name!r}")
    check_names(made.options)
    return made


def _dialect(point: EntryPoint) -> type[Dialect]:
    kind = point.load()
    if not (isinstance(kind, type) and issubclass(kind, Dialect)) or kind.name != point.name:
        raise TypeError(f"{point.value} is no dialect called {point.name!r}")
    return kind


def plug_ins(kind: str, load: Any) -> Loaded:
    """Every plug-in of a ``kind``; another program's code runs here, so any error of it leaves that plug-in out."""
    found: dict[str, Any] = {}
    wrong = []
    for name, point in installed(kind).items():
        try:
            found[name] = load(point)
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            wrong.append(f"the {kind} {name!r} is left out, {_place(point)} does not load: {reason}")
    return Loaded(found, tuple(wrong))


def installed(kind: str) -> dict[str, EntryPoint]:
    """The entry points of a ``kind`` ("game", "dialect", "client") by name, sorted. TwoPlugIns."""
    points: dict[str, EntryPoint] = {}
    for point in sorted(set(entry_points(group=f"boardgate.{kind}s")), key=lambda point: point.name):
        other = points.setdefault(point.name, point)
        if other.value != point.value:
            places = " and ".join(sorted((_place(other), _place(point))))
            raise TwoPlugIns(f"two {kind}s are called {point.name!r}: {places}; uninstall one of them")
    return points


def _place(point: EntryPoint) -> str:
    return f"{point.value} of {point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def dialects_for(game: Game[Any]) -> dict[str, type[Dialect]]:
    """The dialects whose players can play it: those with listeners, and those that come over HTTP."""
    return {
        name: found
        for name, found in dialects().items()
        if (found.public or found.by_name or found.websocket or found.carried)
        and found.can_play(game.name)
        and (found.dice or not isinstance(game, Chance))
    }


def game(name: str) -> Game[Any]:
    """The game called ``name`` in any letter case, "-" or "_" alike. Refused (UNKNOWN_GAME) lists what there is."""
    found = games().get(name.strip().lower().replace("-", "_"))
    if found is None:
        raise Refused(Why.UNKNOWN_GAME, f"no game {name!r}; there are {', '.join(games())}")
    return found


def game_of_record(name: str) -> Game[Any]:
    """The game that a record names. Refused (NOT_INSTALLED): it was a plug-in's, which is not here any more."""
    found = games().get(name)
    if found is None:
        raise Refused(Why.NOT_INSTALLED, f"the game {name!r} of this table is not installed here")
    return found


def title(name: str) -> str:
    """The title of the game of a record; its name where it is not installed here."""
    found = games().get(name)
    return name if found is None else found.title
