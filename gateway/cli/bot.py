"""``boardgate bot``: a bot at your end, over Bogaprot or GAMESMAN. Not here: the bot itself (gateway/clients)."""

from __future__ import annotations

import click

from gateway import registry
from gateway.bots.chooser import DEFAULT_LEVEL, LEVELS
from gateway.cli.play import GAMESMAN, game_options, registered, server_address, time_control, with_dialect
from gateway.cli.secure import with_tls_ca
from gateway.clients import gamesman_bot
from gateway.clients.joining import Address, Wish


@click.command()
@click.argument("game", metavar="GAME")
@click.argument("server", metavar="[[tls://]HOST[:PORT]]", default="", callback=server_address)
@with_dialect
@with_tls_ca
@click.option("--name", default="", help="What the others see; the server finds one otherwise.")
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
    games: int,
) -> None:
    """Let a program play GAME at your end, against whoever sits down at the server.

    The server is 127.0.0.1:5700 unless you say otherwise, over GAMESMAN port 8080. A line is printed for every game;
    Ctrl+C stops it.
    """
    if dialect == GAMESMAN:
        with registered(game, variant, dict(options), server, name, opponent, ticket) as (player, board):
            gamesman_bot.play(player, board, opponent, level, click.echo)
        return
    import trio  # with the bot it is a good part of a second; --help needs none of it

    from gateway.clients.bot_client import Host, play_games

    rules = registry.game(game)
    wish = Wish(rules.name, name, variant, seats, ticket=ticket, time=time, options=options)
    trio.run(play_games, Host(rules, wish, server, level, click.echo), games)
