"""``boardgate ratings``: what a host does about results and ratings, in the database of the settings."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

import click

from gateway.cli.drawing import Table, bar, plain, say
from gateway.cli.options import operator_name, with_settings
from gateway.cli.record import kept, second
from gateway.config import Config
from gateway.store.bans import LONGEST_REASON

if TYPE_CHECKING:
    from gateway.store.rating_views import Change, Rated

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
    """Look after ratings, and the results that they follow from: show, annul, pin, rebuild, backfill.

    A result is written down when a game ends, and outlives the deletion of old games. A running server rates it within
    a second, and makes all ratings anew when a result is annulled or an engine pinned. Every change is written down
    with who made it: "boardgate log --act result" and "--act rating" show it.

    \b
      boardgate ratings show                       the pools
      boardgate ratings show chess/normal          the players of a pool, the best first
      boardgate ratings show --player alice        what each game of alice has changed, or why not
      boardgate ratings show --flags               games that you may want to look at
      boardgate ratings annul 12 --reason "played with an engine"
      boardgate ratings annul 12/2 --undo
      boardgate ratings pin go/9/mixed "GNU Go 3.8 level 10" 1500
      boardgate ratings backfill
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


@ratings.command()
@click.argument("pool", default="")
@click.option("--player", default="", metavar="NAME", help="An account: its ratings, and its newest games.")
@click.option("--flags", is_flag=True, help="Games with a remark for you; nobody is punished for one.")
@click.option("--most", type=click.IntRange(1, 1000), default=50, show_default=True, help="Lines to show.")
@with_settings
def show(config: Config, pool: str, player: str, flags: bool, most: int) -> None:
    """Show the pools, or the players of POOL, as their ratings are now.

    RD is the standard deviation of a rating; it grows while its player is away. A rating with "?" is provisional. Only
    ranked players have a place, and come first: those whose RD is low enough.
    """
    from gateway.store.rating_views import RatingViews  # after --help has been answered

    now = time.time()
    with kept(config, RatingViews) as views:
        if player:
            say(_standings(views.of(player, now), places=False))
            say(_changes(views.changes(player, most)))
        elif flags:
            say(_changes(views.flagged(most)))
        elif pool:
            listed = [each for ranked in (True, False) for each in views.listed(pool, now, ranked=ranked, most=most)]
            say(_standings(listed[:most], places=True))
        else:
            drawn = Table("pool", "players", "last game (UTC)", right={1})
            for found in views.pools():
                drawn.add_row(found.name, str(found.players), second(found.last_at))
            say(drawn)


@ratings.command()
@click.argument("pool", default="")
@click.argument("engine", default="")
@click.argument("rating", type=click.FloatRange(400.0, 4000.0), required=False)
@click.option("--remove", is_flag=True, help="The engine is rated like everybody else again.")
@with_settings
def pin(config: Config, pool: str, engine: str, rating: float | None, remove: bool) -> None:
    """Pin a house ENGINE in POOL to RATING; without arguments show what is pinned.

    A pinned engine moves the ratings of others, and keeps its own. ENGINE is its name, version and level, as
    "boardgate ratings show POOL" writes them. Pin two or three whose strength does not change, some 300 apart. A
    running server then makes all ratings anew.

    \b
      boardgate ratings show chess/normal/mixed
      boardgate ratings pin chess/normal/mixed "Stockfish 17 level 1" 1300
      boardgate ratings pin chess/normal/mixed "Stockfish 17 level 1" --remove
    """
    from gateway.store.ratings import SqlRatings

    with kept(config, SqlRatings) as stored:
        if not pool:
            drawn = Table("pool", "engine", "rating", right={2})
            for (name, pinned), fixed in sorted(stored.pins().items()):
                drawn.add_row(plain(name), plain(pinned), f"{fixed:.0f}")
            say(drawn)
            return
        if not engine or (rating is None) != remove:
            raise click.UsageError("write POOL ENGINE RATING, or POOL ENGINE --remove")
        if remove and (pool, engine) not in stored.pins():
            raise click.BadParameter(f"{engine} is not pinned in {pool}", param_hint="ENGINE")
        stored.pin(pool, engine, rating, operator_name())
    click.echo(f"{engine} in {pool}: " + ("not pinned any more" if rating is None else f"pinned to {rating:.0f}"))


@ratings.command()
@with_settings
def rebuild(config: Config) -> None:
    """Make all ratings anew from the results.

    The server does so by itself whenever it is needed. What comes out is the same, bit by bit; a server may run
    meanwhile, and shows the former ratings until the new ones are whole.
    """
    from gateway.store.ratings import SqlRatings

    with kept(config, SqlRatings) as stored, bar() as shown:
        made = stored.rebuild(None, time.time(), lambda done, of: shown.show("results", done, of), lambda: None)
    click.echo(f"version {made.version} is current: {made.ordinal} results")


def _standings(found: list[Rated], *, places: bool) -> Table:
    """Players by rating. ``places``: of one pool, with the places of those who are ranked; else of several pools."""
    drawn = Table("place" if places else "pool", "player", "rating", "RD", "games", "last game (UTC)", right={2, 3, 4})
    place = 0
    for each in found:
        place += each.ranked
        first = (str(place) if each.ranked else "") if places else each.pool
        rating = f"{each.rating:.0f}{'?' if each.provisional else ' '}"
        drawn.add_row(first, plain(each.player.shown), rating, f"{each.rd:.0f}", str(each.games), second(each.at))
    return drawn


def _changes(found: list[Change]) -> Table:
    from gateway.ratings.book import FLAGS, REASONS
    from gateway.record.ended import NOT_COUNTED

    words = {**NOT_COUNTED, **REASONS}
    drawn = Table("game", "ended (UTC)", "pool", "player", "before", "after", "remark", right={4, 5})
    for each in found:
        weight = [f"counts {each.weight:.2f}"] if 0.0 < each.weight < 1.0 else []
        why = [f"does not count: {words.get(each.why, each.why)}"] if each.why else weight
        remarks = [*why, *(FLAGS.get(flag, flag) for flag in each.flags.split())]
        numbers = (f"{each.before.rating:.0f}", f"{each.after.rating:.0f}")
        game = f"{each.table}/{each.number}"
        drawn.add_row(game, second(each.at), each.pool, plain(each.player.shown), *numbers, "; ".join(remarks))
    return drawn


@ratings.command()
@with_settings
def backfill(config: Config) -> None:
    """Write the results of rated games that an older version has ended.

    Run it once after the upgrade to this version, and once more when no server of an older one runs any more. A server
    may run meanwhile. Games that have their result keep it, so it may be run again, and be interrupted.
    """
    from gateway.record.ended import backfill as fill
    from gateway.store.results import Results
    from gateway.store.views import Views

    with kept(config, Views) as views, kept(config, Results) as results:
        games = fill(views, results)
    click.echo(f"{games} {'game' if games == 1 else 'games'} written")
