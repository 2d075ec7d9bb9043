"""``boardgate migrate``: brings the database to this version's schema, or moves another one into it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, TypeAlias

import click

from gateway.cli.drawing import bar
from gateway.cli.options import operator_name, with_settings
from gateway.config import Config

Progress: TypeAlias = Callable[[str, int, int], None]

URLS: Final = ("sqlite:///", "postgresql://", "postgresql+psycopg://")


def _database(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
    if url is not None and not url.startswith(URLS):
        raise click.BadParameter("a database is written sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME")
    return url


@click.command()
@click.option(
    "--from",
    "source",
    metavar="URL",
    callback=_database,
    help="Copy this database, sqlite:///FILE, into the empty one.",
)
@click.option("--no-copy", is_flag=True, help="Do not copy an SQLite file before its schema changes.")
@with_settings
def migrate(config: Config, source: str | None, no_copy: bool) -> None:
    """Bring the database to this version's schema, creating it where there is none.

    On SQLite "boardgate serve" does it by itself, too. Before, the file is copied to boardgate.db.schema-NNNN, which is
    the old schema; the newest such copy stays. On PostgreSQL run this once, before the new version starts.

    \b
    To move from SQLite to PostgreSQL, stop the server, create an empty database, and run
      export BOARDGATE_SERVER_DATABASE=postgresql+psycopg://boardgate@localhost/boardgate
      boardgate migrate --from sqlite:///boardgate-data/boardgate.db
    Everything is copied and compared before anything is kept; the old database stays as it is.
    """
    from sqlalchemy import make_url  # after --help has been answered

    from migrations import HEAD, revision, upgrade

    config.make_data_directory()
    url = config.database_url
    upgrade(
        url,
        lambda line: click.echo(f"applied {line}"),
        operator_name(),
        lambda name: click.echo(f"copied to {name}"),
        copy=not no_copy,
    )
    found, shown = revision(url), make_url(url).render_as_string(hide_password=True)
    newer = f"has schema {found}, newer than {HEAD}, and this version can use it"
    click.echo(f"{shown} {'is up to date' if found == HEAD else newer}")
    if source is not None:
        _copy(source, url)


def _copy(source: str, url: str) -> None:
    from gateway.store.copying import CannotCopy, copy
    from migrations import HEAD, is_current, require_usable

    if not is_current(source):
        require_usable(source)
        raise CannotCopy(f"the database to copy from has a newer schema than {HEAD}: copy it with the newer version")
    try:
        with _told() as shown, _interruptible(shown) as progress:
            copied = copy(source, url, progress, operator_name())
    except KeyboardInterrupt:
        raise CannotCopy("interrupted; the database to copy into is as empty as before") from None
    for name, rows in copied.rows.items():
        click.echo(f"copied {name}: {rows:,} rows")
    for table, seq in copied.broken:
        click.echo(f"table {table}: the record is not whole at event {seq}, neither here nor there", err=True)
    click.echo("both databases hold the same, and " + ("their records are whole" if not copied.broken else "see above"))


@contextmanager
def _interruptible(progress: Progress) -> Iterator[Progress]:
    """Ctrl-C takes effect between two pages: inside a statement drivers make an error of their own of it.

    A second one takes effect at once: the database may be away.
    """
    asked: list[int] = []

    def ask(number: int, _frame: FrameType | None) -> None:
        asked.append(number)
        signal.signal(signal.SIGINT, before)

    def step(what: str, done: int, of: int) -> None:
        if asked:
            raise KeyboardInterrupt
        progress(what, done, of)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield step
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _told() -> Iterator[Progress]:
    """Show progress on standard error: on a terminal a bar, gone afterwards, elsewhere a line for all that is done."""
    if not sys.stderr.isatty():
        yield _line
        return
    with bar() as shown:
        yield shown.show


def _line(what: str, done: int, of: int) -> None:
    if done == of > 0:
        click.echo(f"{what}: {of:,} rows", err=True)
