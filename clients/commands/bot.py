"""``boardgate bot``: a bot at your end."""

from __future__ import annotations

import click

from clients import registered
from clients.commands.play import (
    REGISTERED,
    game_options,
    logged_in,
    registered_seat,
    server_address,
    with_dialect,
    with_table,
)
from clients.joining import Address, Wish
from clients.session import DIALECT
from gateway import registry
from gateway.bots.chooser import DEFAULT_LEVEL, LEVELS
from gateway.cli.options import Duration, with_tls_ca
from gateway.config import EngineBot


@click.command()
@click.argument("game", metavar="GAME")
@click.argument("server", metavar="[[tls://]HOST[:PORT]]", default="", callback=server_address)
@with_dialect
@with_tls_ca
@click.option("--name", default="", help="What the others see; an account's name needs BOARDGATE_PASSWORD or a login.")
@click.option("--ticket", default="", help="Take the seat this ticket is for, in the first game.")
@with_table
@click.option(
    "--level", default=DEFAULT_LEVEL, show_default=True, type=click.IntRange(min(LEVELS), max(LEVELS)), help="How well."
)
@click.option(
    "--engine", default="", metavar="COMMAND", help="An engine chooses the moves: this program, as a shell has it."
)
@click.option(
    "--protocol", type=click.Choice(["auto", "uci", "cecp", "gtp"]), default="auto", help="How the engine is talked to."
)
@click.option(
    "--move-time",
    "move_time_s",
    default="500ms",
    show_default=True,
    type=Duration("a move takes some time"),
    help="What a move may take it.",
)
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
    help="Leave after so many games; 0 stays until stopped, by HTTP until the registered one is over.",
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
    move_time_s: float,
    engine_options: tuple[tuple[str, str], ...],
    games: int,
) -> None:
    """Let a program play GAME at your end, against the next player at the server.

    The server is 127.0.0.1:5700 unless you say otherwise, and by HTTP port 8080. A line is printed for every game;
    Ctrl+C stops it.

    \b
      boardgate bot chess --engine stockfish --engine-option "Skill Level=3"
      boardgate bot chess games.example.org --engine fairymax --time 300+3
      boardgate bot go --engine "gnugo --mode gtp" --option size=9
    """
    if dialect in REGISTERED and engine:
        raise click.UsageError(f"--engine plays over {DIALECT}: leave out --dialect")
    if dialect in REGISTERED:
        seat = registered_seat(game, variant, dict(options), server, name, opponent, ticket)
        registered.client(dialect).play_bot(seat, level, click.echo)
        return
    import trio

    from clients.bot_client import Host, play_games
    from clients.engine_player import EnginePlayer
    from gateway.bots.engines import engine_of  # imported late: --help needs none of it

    rules = registry.game(game)
    wish = Wish(rules.name, name, variant, seats, ticket=ticket, time=time, options=options, clocks=bool(engine))
    wish = logged_in(wish, server)
    asked = EngineBot(rules.name, engine, protocol, 1, move_time_s, options=dict(engine_options))
    found = engine_of(asked, "--engine:") if engine else None

    async def play() -> None:
        player = EnginePlayer(found, level) if found is not None else None
        await play_games(Host(rules, wish, server, level, click.echo, player), games)

    trio.run(play)
