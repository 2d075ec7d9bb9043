"""``boardgate export``: a table's record on standard output, in a form that other programs read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click

from gateway import played, registry
from gateway.audit import NONSENSE
from gateway.cli.options import with_settings
from gateway.cli.record import NoRecord, found, opened
from gateway.config import Config
from gateway.store.views import TableView, Views

RECORD: Final = "ndjson"
"""The form of every game's record; the others are the games' own (Game.formats)."""


@click.command()
@click.argument("table", type=int)
@click.option("--format", "form", default=RECORD, show_default=True, metavar="NAME")
@with_settings
def export(config: Config, table: int, form: str) -> None:
    """Write a table's record to standard output.

    ndjson is one JSON object an event, for every game: its number, time, kind, content, and the digest that chains it
    to the event before. Other forms depend on the game, such as pgn for chess: every game that was played at the
    table, one after another.

    \b
      boardgate export 12 > table-12.ndjson
      boardgate export 12 --format pgn > table-12.pgn
    """
    with opened(config) as views:
        view = found(views, table)
        lines = views.ndjson(table) if form == RECORD else _games(config, views, view, form)
        for line in lines:
            click.echo(line)


def _games(config: Config, views: Views, view: TableView, form: str) -> Iterator[str]:
    """Every game in one of its game's own forms, a blank line between two. NoRecord when it cannot be read."""
    game = registry.game(view.game)
    write = game.formats.get(form)
    if write is None:
        offered = ", ".join([RECORD, *sorted(game.formats)])
        raise click.BadParameter(f"{game.title} is not written as {form!r}; it has {offered}", param_hint="--format")
    try:
        for at, one in enumerate(played.games(view.table, config.server.name, views.events(view.table))):
            yield f"{chr(10) if at else ''}{write(one).rstrip(chr(10))}"
    except NONSENSE as error:
        text = f"the record of table {view.table} cannot be read: {error}; see boardgate verify {view.table}"
        raise NoRecord(text) from error
