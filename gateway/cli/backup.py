"""``boardgate backup`` and ``boardgate restore``: a copy of the whole database in one file, and the way back."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import click

from gateway.cli.drawing import Bar, bar, plain
from gateway.cli.options import operator_name, with_settings
from gateway.config import Config

FOLDER: Final = "backups"

PRIVATE: Final = 0o077
"""The umask of a backup: it holds what only the host may read."""

LONGEST: Final = 200
"""Letters of a backup's name that are noted."""


def _noted_name(_context: click.Context, _option: click.Parameter, name: str | None) -> str | None:
    if name is not None and not (0 < len(name) <= LONGEST and name.isprintable()):
        raise click.BadParameter(f"a name has 1 to {LONGEST} printable letters")
    return name


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="Then delete all but the newest N of FOLDER.")
@click.option(
    "--made-elsewhere",
    "noted",
    metavar="NAME",
    callback=_noted_name,
    help="Make none: note that another program has made one of this name.",
)
@with_settings
def backup(config: Config, folder: Path | None, keep: int | None, noted: str | None) -> None:
    """Back the whole database up into one file of FOLDER (else ./backups), while a server runs.

    The file is read through before it gets its name, boardgate-TIME.db of SQLite or boardgate-TIME.dump of PostgreSQL,
    which is printed last. PostgreSQL needs its own programs pg_dump and pg_restore here. Settings and certificates are
    not in it. That it was made is noted in the database: boardgate log, /host, and an alarm when it gets old.

    \b
      boardgate backup /var/backups/boardgate --keep 14
      boardgate backup --made-elsewhere snapshot-2026-12-01
    """
    if noted is not None and (folder is not None or keep is not None):
        raise click.UsageError("--made-elsewhere stands alone")
    from gateway.store.backups import note_made  # after --help has been answered
    from migrations import require_usable

    if noted is not None:
        require_usable(config.database_url)
        note_made(config.database_url, operator_name(), noted)
        click.echo(f"noted: {noted}")
        return
    click.echo(_backed_up(config, folder or Path(FOLDER), keep))


def _backed_up(config: Config, folder: Path, keep: int | None) -> Path:
    from sqlalchemy.exc import SQLAlchemyError

    from gateway.store.backups import fresh_name, note_made, rotate
    from gateway.store.dumps import dump
    from gateway.store.engine import database_path, is_sqlite
    from gateway.store.sqlite_copies import copy_database
    from migrations import is_too_new, revision, why_not

    url = config.database_url
    found = revision(url)
    if found is None or is_too_new(found):
        raise why_not(url, found)
    with _private(), bar() as shown:
        folder.mkdir(parents=True, exist_ok=True)
        if is_sqlite(url):
            file = fresh_name(folder, time.time(), ".db")
            size = copy_database(Path(database_path(url)), file, shown.show)
        else:
            file = fresh_name(folder, time.time(), ".dump")
            size = dump(url, file, shown.show)
    try:
        note_made(url, operator_name(), file.name, size)
    except SQLAlchemyError as error:
        click.echo(f"the backup is whole, but it could not be noted in the database: {error}", err=True)
    for old in rotate(folder, keep, file) if keep is not None else ():
        click.echo(f"deleted {old}", err=True)
    return file


@click.command()
@click.argument("made", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_settings
def restore(config: Config, made: Path, yes: bool) -> None:
    """Put the backup FILE in the place of the database, while no server runs.

    FILE is looked at first: whether it is whole, of Boardgate, and of a schema that this version can take. An older one
    is brought to this version's. What was there is kept until the next time: as boardgate.db.before of SQLite, as the
    database boardgate_before of PostgreSQL. What happened after the backup is lost; unfinished games go on from there.

    PostgreSQL needs its own programs here, and a user who may create databases (CREATEDB).

    \b
      boardgate restore /var/backups/boardgate/boardgate-20261130T041500Z.db
    """
    from gateway.store.engine import is_sqlite

    with bar() as shown:
        if is_sqlite(config.database_url):
            told = _restored_file(config, made, yes, shown)
        else:
            told = _restored_dump(config, made, yes, shown)
    click.echo(told)


def _restored_file(config: Config, file: Path, yes: bool, shown: Bar) -> str:
    from gateway.store.engine import FileLock, database_path
    from gateway.store.restoring import look_at_file, replace_file
    from gateway.store.sqlite_copies import require_room

    _require_kind(file, is_dump=False)
    found = look_at_file(file, shown.show)
    _require_schema(file, found.revision)
    config.make_data_directory()
    database = Path(database_path(config.database_url))
    with ExitStack() as stack:
        stack.callback(FileLock(str(database)).release)
        require_room(database.parent, found.size)
        _ask(file, str(database), yes, shown)
        told: list[str] = []
        replace_file(file, database, lambda url: told.append(_prepared(url, file)), shown.show)
    before = f"{database}.before"
    return f"{told[0]}; {_kept(before) if Path(before).exists() else 'there was nothing before'}"


def _restored_dump(config: Config, file: Path, yes: bool, shown: Bar) -> str:
    from sqlalchemy import make_url

    from gateway.store.dumps import programs
    from gateway.store.restoring import hosted

    url = config.database_url
    _require_kind(file, is_dump=True)
    with programs(url) as found:
        _require_schema(file, found.revision(file, shown.show))
        with hosted(url) as there:
            there.require_fit()
            found.read_through(file, shown.show)
            _ask(file, make_url(url).render_as_string(hide_password=True), yes, shown)
            told: list[str] = []
            before = there.replace(file, found, lambda fresh: told.append(_prepared(fresh, file)), shown.show)
    return f"{told[0]}; {_kept(f'the database {before}')}"


def _require_kind(file: Path, *, is_dump: bool) -> None:
    """NoBackup: the file is one of the other kind of database, or empty. OSError."""
    from gateway.store.dumps import BEGINS, NoBackup

    with file.open("rb") as opened:
        begins = opened.read(len(BEGINS))
    if not begins:
        raise NoBackup(f"{file} is empty")
    if is_dump and begins == b"SQLit":
        raise NoBackup(f"{file} is of SQLite, and the settings name PostgreSQL: boardgate migrate --from copies it")
    if is_dump and begins != BEGINS:
        raise NoBackup(f"{file} is no backup that can be read: pg_dump --format=custom makes one")
    if not is_dump and begins == BEGINS:
        raise NoBackup(f"{file} is of PostgreSQL, and the settings name SQLite: set server.database")


def _require_schema(file: Path, revision: str) -> None:
    """TooNew: a newer version of Boardgate has made the backup."""
    from migrations import HEAD, TooNew, is_too_new

    if is_too_new(revision):
        raise TooNew(
            f"{file} has schema {revision} of a newer version of Boardgate, and this version knows {HEAD}:"
            " restore it with the newer version; nothing was touched"
        )


def _ask(file: Path, database: str, yes: bool, shown: Bar) -> None:
    """click.Abort: the host at a terminal says no."""
    if yes or not sys.stdin.isatty():
        return
    shown.clear()
    click.confirm(f"put {plain(str(file))} in the place of {database}; what is there is kept", abort=True, err=True)


def _prepared(url: str, file: Path) -> str:
    """Bring the new database to this version's schema, and note where it comes from; the number of its tables."""
    from gateway.store.backups import note_restored
    from migrations import upgrade

    upgrade(url, lambda line: click.echo(f"applied {line}", err=True), operator_name(), copy=False)
    count = note_restored(url, operator_name(), file.name, file.stat().st_size)
    return f"restored {count} {'table' if count == 1 else 'tables'} from {plain(str(file))}"


def _kept(where: str) -> str:
    return f"what was there is kept as {where} until the next time"


@contextmanager
def _private() -> Iterator[None]:
    """Files and folders that are made in the block are for their owner alone."""
    before = os.umask(PRIVATE)
    try:
        yield
    finally:
        os.umask(before)
