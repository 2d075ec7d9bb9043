"""``boardgate games``: the installed games and their rule sets."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from gateway import registry
from gateway.cli.drawing import Table, say


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON list, for programs.")
def games(as_json: bool) -> None:
    """List the games that are installed here, with their rule sets, board sizes and seats.

    The names are what "boardgate play" and the engine name of a Bogaprot handshake take; the first rule set of a game
    is its default.
    """
    for line in registry.left_out():
        click.echo(line, err=True)
    listed = [(name, variant) for name, game in registry.games().items() for variant in game.variants]
    if as_json:
        click.echo(json.dumps([{"game": name, **asdict(variant)} for name, variant in listed], indent=2))
        return
    table = Table("game", "rules", "board", "seats", "")
    for name, variant in listed:
        board, seats = f"{variant.width}x{variant.height}", ", ".join(map(str, variant.seats))
        table.add_row(name, variant.name, board, seats, variant.text)
    say(table)
