"""A click group that lists the subcommands, imports one only to run it, and explains errors in one line.

``boardgate --help`` therefore answers at once, and a missing dependency of one command does not hide the others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final, NamedTuple

import click

from protocols.core.errors import BoardgateError


class Entry(NamedTuple):
    """``target`` is module:attribute; ``text`` is shown by ``boardgate --help`` without importing it.

    It is listed behind the command ``after``, or as the last of its part.
    """

    target: str
    text: str
    after: str = ""


KIND: Final = "command"
"""Programs beside the server add commands by an entry point of the group boardgate.commands: a table as SERVER is."""

SERVER: Final = {
    "Run a server": {
        "serve": Entry("gateway.cli.serve:serve", "Start the server."),
        "migrate": Entry("gateway.cli.migrate:migrate", "Bring the database to this version."),
        "backup": Entry("gateway.cli.backup:backup", "Back the database up into one file."),
        "restore": Entry("gateway.cli.backup:restore", "Put a backup in the place of the database."),
        "prune": Entry("gateway.cli.prune:prune", "Delete finished games that are old."),
        "nodes": Entry("gateway.cli.nodes:nodes", "Show the servers of one database, and drain one."),
        "account": Entry("gateway.cli.account:account", "Register names for people."),
        "ban": Entry("gateway.cli.ban:ban", "Keep networks and names out."),
        "ratings": Entry("gateway.cli.ratings:ratings", "Look after ratings and results."),
        "log": Entry("gateway.cli.acts:log", "Show who did what with the host's rights."),
        "settings": Entry("gateway.cli.settings:settings", "Print a boardgate.toml with every setting explained."),
    },
    "Look at its games": {
        "register": Entry("gateway.cli.register:register", "Register a table for certain players."),
        "tables": Entry("gateway.cli.tables:tables", "List tables."),
        "show": Entry("gateway.cli.tables:show", "Show one table: seats, board and moves."),
        "export": Entry("gateway.cli.tables:export", "Write a table's record to standard output."),
        "verify": Entry("gateway.cli.verify:verify", "Prove that a record is whole and its dice are honest."),
    },
    "Play": {
        "offers": Entry("gateway.cli.offers:offers", "Offer games to players, and take theirs."),
        "games": Entry("gateway.cli.games:games", "List the games and their rule sets."),
    },
    "Look at the wire": {
        "decode": Entry("gateway.cli.decode:decode", "Turn captured bytes into readable text, and back."),
    },
    "This program": {
        "completion": Entry("gateway.cli.completion:completion", "Print what makes a shell complete commands."),
    },
}
"""The commands of the server itself, by their part of the help."""

Table = Mapping[str, Mapping[str, Entry]]


@cache
def commands() -> Table:
    """The server's commands and those of every installed program, by their part of the help."""
    found = {part: dict(entries) for part, entries in SERVER.items()}
    for point in sorted(entry_points(group=f"boardgate.{KIND}s"), key=lambda point: point.name):
        try:
            table: Table = point.load()
        except Exception as error:
            click.echo(f"the commands of {point.value} are left out: {type(error).__name__}: {error}", err=True)
            continue
        for part, entries in table.items():
            for name, entry in entries.items():
                found[part] = _placed(found.get(part, {}), name, entry)
    return found


def _placed(part: Mapping[str, Entry], name: str, entry: Entry) -> dict[str, Entry]:
    """The part with one more command; a command that is there stays what it is."""
    names = [one for one in part if one != name]
    names.insert(names.index(entry.after) + 1 if entry.after in names else len(names), name)
    return {one: part.get(one, entry) for one in names}


class CommandLine(click.Group):
    """The group of all commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for part in commands().values() for name in part]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = _entry(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        try:
            found = getattr(import_module(module), attribute)
        except ModuleNotFoundError as error:
            raise click.ClickException(f"{cmd_name} cannot run here: {error.name} is not installed") from error
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and _entry(args[0]) is None:
            near = get_close_matches(args[0], self.list_commands(ctx), n=1)
            hint = f"did you mean {near[0]}?" if near else "see boardgate --help"
            raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, part in commands().items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.text) for name, entry in part.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. An error that is no defect ends it with one line and status 1."""
        with explained(traceback=bool(ctx.params.get("traceback"))):
            return super().invoke(ctx)


def _entry(name: str) -> Entry | None:
    """No program that is installed beside the server is looked at for a command of the server."""
    own = (part[name] for part in SERVER.values() if name in part)
    return next(own, None) or next((part[name] for part in commands().values() if name in part), None)


_DATABASES: Final = (
    ("sqlalchemy.exc", "SQLAlchemyError"),
    ("alembic.util", "CommandError"),
    ("gateway.store.engine", "DatabaseInUse"),
)
"""Errors of modules that a command may never have imported; then they cannot have been raised either."""


@contextmanager
def explained(*, traceback: bool = False) -> Iterator[None]:
    """Make a click.ClickException of an error that is no defect; with ``traceback`` all stay what they are."""
    try:
        yield
    except Exception as error:
        text = explain(error)
        if text is None or traceback:
            raise
        told = click.ClickException(text)
        told.exit_code = getattr(error, "exit_status", told.exit_code)  # type: ignore[misc]  # click has one a class
        raise told from error


def explain(error: BaseException) -> str | None:
    """One line about an error that is no defect: a wrong setting, a missing file, an absent database. Else None."""
    if isinstance(error, BaseExceptionGroup):
        texts = [explain(part) for part in error.exceptions]
        return None if None in texts else "; ".join(dict.fromkeys(filter(None, texts)))
    if isinstance(error, BoardgateError):
        return str(error)
    if isinstance(error, BrokenPipeError):
        return None  # the reader of our output has left: click ends quietly
    if isinstance(error, ModuleNotFoundError) and not _ours(error):
        return f"{error.name} is not installed"  # a driver that the settings' database needs
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)
    return _first_line(error) if _of_a_database(error) else None


def _ours(error: ModuleNotFoundError) -> bool:
    """True if a module of Boardgate's own is missing: a defect, which no installing mends."""
    return (error.name or "").partition(".")[0] in ("", "gateway", "protocols", "migrations", "clients", "bench")


def _of_a_database(error: BaseException) -> bool:
    return any(
        module in sys.modules and isinstance(error, getattr(sys.modules[module], name)) for module, name in _DATABASES
    )


def _first_line(error: BaseException) -> str:
    """The database's own words, without the statement that SQLAlchemy wraps them in."""
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return f"database: {lines[0] if lines else type(error).__name__}"
