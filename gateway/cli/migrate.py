"""``boardgate migrate``: brings the database to this version's schema, or moves another one into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from gateway.cli.options import with_settings
from gateway.config import Config


@click.command()
@click.option("--from", "source", metavar="URL", help="Copy this database, sqlite:///FILE, into the empty one.")
@with_settings
def migrate(config: Config, source: str | None) -> None:
    """Bring the database to this version's schema, creating it where there is none.

    On SQLite "boardgate serve" does it by itself. On PostgreSQL run this once, before the new version starts.

    \b
    To move from SQLite to PostgreSQL, stop the server, create an empty database, and run
      export BOARDGATE_SERVER_DATABASE=postgresql+psycopg://boardgate@localhost/boardgate
      boardgate migrate --from sqlite:///boardgate-data/boardgate.db
    Everything is copied and compared before anything is kept; the old database stays as it is.
    """
    from sqlalchemy import make_url  # after --help has been answered

    from migrations import upgrade

    config.make_data_directory()
    url = config.database_url
    upgrade(url, tell=lambda line: click.echo(f"applied {line}"))
    click.echo(f"{make_url(url).render_as_string(hide_password=True)} is up to date")
    if source is not None:
        _copy(source, url)


def _copy(source: str, url: str) -> None:
    from gateway.store.copying import CannotCopy, copy
    from migrations import is_current

    if not is_current(source):
        raise CannotCopy("there is no database of this version to copy from; run boardgate migrate for it first")
    with _bar() as progress:
        copied = copy(source, url, progress)
    for name, rows in copied.rows.items():
        click.echo(f"copied {name}: {rows:,} rows")
    for table, seq in copied.broken:
        click.echo(f"table {table}: the record is not whole at event {seq}, neither here nor there", err=True)
    click.echo("both databases hold the same, and " + ("their records are whole" if not copied.broken else "see above"))


@contextmanager
def _bar() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on standard error while rows are copied and compared, gone afterwards."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task("looking", total=None)
        yield lambda what, done, of: bars.update(bar, description=what, completed=done, total=of)
