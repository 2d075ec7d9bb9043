"""``boardgate ratings``: what a host does about results and ratings, in the database of the settings."""

from __future__ import annotations

import re
from typing import Final

import click

from gateway.cli.options import operator_name, with_settings
from gateway.cli.record import kept
from gateway.config import Config
from gateway.store.bans import LONGEST_REASON

GAME: Final = re.compile(r"([1-9]\d{0,17})(?:/([1-9]\d{0,8}))?", re.ASCII)


class Game(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """TABLE or TABLE/GAME as (table, number); the first game of a table is number 1."""

    name = "TABLE[/GAME]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        found = GAME.fullmatch(str(value))
        if found is None:
            self.fail(f"{value!r}: write the table's number, such as 12, or 12/2 for its second game", param, ctx)
        return int(found[1]), int(found[2] or 1)


@click.group()
def ratings() -> None:
    """Look after the results of rated games: annul.

    A result is written down when a game ends, and outlives the deletion of old games. Every change is written down with
    who made it: "boardgate log --act result" shows it.

    \b
      boardgate ratings annul 12 --reason "played with an engine"
      boardgate ratings annul 12/2 --undo
    """


@ratings.command()
@click.argument("game", type=Game(), metavar="TABLE[/GAME]")
@click.option("--reason", default="", metavar="TEXT", help="Why: written into the log of acts. Needed to annul.")
@click.option("--undo", is_flag=True, help="The game counts as before.")
@with_settings
def annul(config: Config, game: tuple[int, int], reason: str, undo: bool) -> None:
    """Have a finished game count for nobody, or as before with --undo.

    TABLE/GAME is a table and the number of its game, such as 12/2; without a number it is the first one. The record of
    the game stays as it is.
    """
    from gateway.store.results import Results  # after --help has been answered

    if not (reason or undo) or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise click.BadParameter(f"1 to {LONGEST_REASON} printable characters", param_hint="--reason")
    with kept(config, Results) as results:
        (results.unannul if undo else results.annul)(*game, operator_name(), reason)
    click.echo(f"game {game[1]} of table {game[0]}: {'counts as before' if undo else 'annulled'}")
