"""A table's record in the forms that other programs read: NDJSON for every game, and the games' own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from gateway import registry
from gateway.record import played
from gateway.record.audit import NONSENSE
from gateway.store.records import EventRow, Unreadable
from gateway.store.views import TableView, ndjson_lines, stored
from protocols.core.errors import Refused, Why

RECORD: Final = "ndjson"
"""The form of every game's record."""


def forms(game_name: str) -> tuple[str, ...]:
    """The forms in which a table of this game can be written."""
    game = registry.games().get(game_name)
    return (RECORD, *sorted(game.formats if game is not None else ()))


def written(
    rows: Iterable[EventRow],
    view: TableView,
    form: str,
    site: str,
    heard: Callable[[EventRow], bool] = lambda row: True,
) -> Iterator[str]:
    """The record of a table as text, line by line or game by game, without line ends; ``site`` is the server's name.

    ``heard`` says which rows of a record are shown with their bodies. Refused (BAD_OPTION), before anything is written:
    the game has no such form; NOT_INSTALLED, it is not here; Unreadable, at any time: the record is damaged.
    """
    if form == RECORD:
        return ndjson_lines(view.table, rows, heard)
    game = registry.game_of_record(view.game)
    if form not in game.formats:
        offered = ", ".join(forms(view.game))
        raise Refused(Why.BAD_OPTION, f"{game.title} is not written as {form!r}; it has {offered}")
    return _games(rows, view, form, site)


def _games(rows: Iterable[EventRow], view: TableView, form: str, site: str) -> Iterator[str]:
    """Every game, a blank line between two."""
    game = registry.game_of_record(view.game)
    try:
        for at, one in enumerate(played.games(game, view.table, site, stored(rows))):
            yield f"{chr(10) if at else ''}{game.formats[form](one).rstrip(chr(10))}"
    except NONSENSE as error:
        raise Unreadable(f"the record of table {view.table} cannot be read: {error}") from error
