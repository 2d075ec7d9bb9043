"""``boardgate export``: a table's record on standard output, in a form that other programs read."""

from __future__ import annotations

import click

from gateway.cli.options import with_settings
from gateway.cli.record import NoRecord, found, opened
from gateway.cli.remote import Remote, with_server
from gateway.config import Config
from gateway.exported import RECORD, written
from gateway.store.records import Unreadable
from protocols.core.errors import Refused


@click.command()
@click.argument("table", type=int)
@click.option("--format", "form", default=RECORD, show_default=True, metavar="NAME")
@with_server
@with_settings
def export(config: Config, server: str, table: int, form: str) -> None:
    """Write a table's record to standard output.

    ndjson is one JSON object an event, for every game: its number, time, kind, content, and the digest that chains it
    to the event before. Other forms depend on the game, such as pgn for chess: every game that was played at the
    table, one after another.

    \b
      boardgate export 12 > table-12.ndjson
      boardgate export 12 --format pgn > table-12.pgn

    From another server comes what it shows to everybody: without what players said to each other.
    """
    if server:
        click.echo(Remote(server).text(f"/api/tables/{table}/export", format=form), nl=False)
        return
    with opened(config) as views:
        view = found(views, table)
        try:
            for line in written(views, view, form, config.server.name):
                click.echo(line)
        except Refused as refused:
            raise click.BadParameter(refused.text, param_hint="--format") from None
        except Unreadable as error:
            raise NoRecord(f"{error}; see boardgate verify {table}") from error
