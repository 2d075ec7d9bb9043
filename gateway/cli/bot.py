"""``boardgate bot``: a bot at your end, over Bogaprot or GAMESMAN. Not here: the bot itself (gateway/clients)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from gateway import registry
from gateway.bots.chooser import DEFAULT_LEVEL, LEVELS
from gateway.cli.play import GAMESMAN, game_options, logged_in, registered, server_address, time_control, with_dialect
from gateway.cli.secure import with_tls_ca
from gateway.clients import gamesman_bot
from gateway.clients.joining import Address, Wish
from gateway.config import BadSetting, EngineBot, duration

if TYPE_CHECKING:
    from gateway.bots.engines import Engine
    from gateway.clients.bot_client import Host


@click.command()
@click.argument("game", metavar="GAME")
@click.argument("server", metavar="[[tls://]HOST[:PORT]]", default="", callback=server_address)
@with_dialect
@with_tls_ca
@click.option("--name", default="", help="What the others see; an account's name needs BOARDGATE_PASSWORD or a login.")
@click.option("--ticket", default="", help="Take the seat this ticket is for, in the first game.")
@click.option("--variant", default="", help="The rule set; the game's default one otherwise.")
@click.option("--seats", default=0, type=click.IntRange(0, 64), help="Seats at the table, where the game has a choice.")
@click.option(
    "--time", default="", metavar="TIME", callback=time_control, help="How much time, in seconds: 300+3, 600, 10/move."
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=game_options,
    help="A choice the game itself has, such as size=9 of go; may be given several times.",
)
@click.option(
    "--level", default=DEFAULT_LEVEL, show_default=True, type=click.IntRange(min(LEVELS), max(LEVELS)), help="How well."
)
@click.option(
    "--engine", default="", metavar="COMMAND", help="An engine chooses the moves: this program, as a shell has it."
)
@click.option(
    "--protocol", type=click.Choice(["auto", "uci", "cecp", "gtp"]), default="auto", help="How the engine is talked to."
)
@click.option("--move-time", default="500ms", show_default=True, metavar="DURATION", help="What a move may take it.")
@click.option(
    "--engine-option",
    "engine_options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=game_options,
    help="An option of the engine itself; may be given several times.",
)
@click.option(
    "--games",
    default=0,
    type=click.IntRange(0),
    help="Leave after so many games; 0 stays until stopped, over GAMESMAN until the registered one is over.",
)
def bot(
    game: str,
    server: Address,
    dialect: str,
    opponent: str,
    name: str,
    ticket: str,
    variant: str,
    seats: int,
    time: str,
    options: tuple[tuple[str, str], ...],
    level: int,
    engine: str,
    protocol: str,
    move_time: str,
    engine_options: tuple[tuple[str, str], ...],
    games: int,
) -> None:
    """Let a program play GAME at your end, against whoever sits down at the server.

    The server is 127.0.0.1:5700 unless you say otherwise, over GAMESMAN port 8080. A line is printed for every game;
    Ctrl+C stops it.

    \b
      boardgate bot chess --engine stockfish --engine-option "Skill Level=3"
      boardgate bot chess games.example.org --engine fairymax --time 300+3
      boardgate bot go --engine "gnugo --mode gtp" --option size=9
    """
    if dialect == GAMESMAN and engine:
        raise click.UsageError("--engine plays over Bogaprot: leave out --dialect")
    if dialect == GAMESMAN:
        with registered(game, variant, dict(options), server, name, opponent, ticket) as (player, board):
            gamesman_bot.play(player, board, opponent, level, click.echo)
        return
    import trio  # with the bot it is a good part of a second; --help needs none of it

    from gateway.clients.bot_client import Host

    rules = registry.game(game)
    wish = Wish(rules.name, name, variant, seats, ticket=ticket, time=time, options=options, clocks=bool(engine))
    wish = logged_in(wish, server)
    found = _engine(rules.name, engine, protocol, move_time, dict(engine_options)) if engine else None
    trio.run(_play, Host(rules, wish, server, level, click.echo), found, games)


async def _play(host: Host, engine: Engine | None, games: int) -> None:
    from gateway.clients.bot_client import play_games
    from gateway.clients.engine_player import EnginePlayer

    await play_games(replace(host, engine=None if engine is None else EnginePlayer(engine, host.level)), games)


def _engine(game: str, command: str, protocol: str, move_time: str, options: dict[str, str]) -> Engine:
    """The engine that is asked for. BadParameter: there is none, or it cannot play this game."""
    from gateway.bots.engines import engine_of

    try:
        move_time_s = duration(move_time)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--move-time") from error
    if not move_time_s:
        raise click.BadParameter("a move takes some time", param_hint="--move-time")
    try:
        return engine_of(EngineBot(game, command, protocol, 1, move_time_s, options=options), "--engine:")
    except BadSetting as error:
        raise click.ClickException(str(error)) from error
