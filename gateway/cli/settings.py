"""``boardgate settings``: every setting with its default and its reason."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from gateway.config import annotated, describe


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON list, for programs.")
def settings(as_json: bool) -> None:
    """Print a boardgate.toml with every setting at its default, each with its reason.

    A running server takes those marked SIGHUP over when it gets that signal.

    \b
    Begin with it and change what you need:
      boardgate settings > boardgate.toml
    """
    if as_json:
        click.echo(json.dumps([asdict(row) | {"variable": row.variable} for row in describe()], indent=2))
    else:
        click.echo(annotated(), nl=False)
