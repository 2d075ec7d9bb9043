"""``boardgate export``: a table's record on standard output, in a form that other programs read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import click

from gateway.cli.options import with_settings
from gateway.cli.record import found, opened
from gateway.config import Config
from gateway.store.views import Views

FORMATS: Final[dict[str, Callable[[Views, int], Iterator[str]]]] = {"ndjson": Views.ndjson}
"""The forms there are: name to the lines of a table's record."""


@click.command()
@click.argument("table", type=int)
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="ndjson", show_default=True)
@with_settings
def export(config: Config, table: int, form: str) -> None:
    """Write a table's record to standard output.

    ndjson is one JSON object an event, for every game: its number, time, kind, content, and the digest that chains it
    to the event before.

    \b
      boardgate export 12 > table-12.ndjson
    """
    with opened(config) as views:
        for line in FORMATS[form](views, found(views, table).table):
            click.echo(line)
