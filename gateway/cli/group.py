"""A click group that imports a subcommand only when it is run, and explains errors in one line.

``boardgate --help`` therefore answers at once, and a command whose dependency is missing does not hide the others.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from gateway.cli.commands import COMMANDS, Entry
from gateway.cli.explain import explain


class CommandLine(click.Group):
    """The group of the commands of commands.py."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for part in COMMANDS.values() for name in part]

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
        for title, part in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.text) for name, entry in part.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. What is not a defect of ours ends it with one line and status 1."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            text = explain(error)
            if text is None or ctx.params.get("traceback"):
                raise
            raise click.ClickException(text) from error


def _entry(name: str) -> Entry | None:
    return next((part[name] for part in COMMANDS.values() if name in part), None)
