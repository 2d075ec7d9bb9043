"""``boardgate play``: a terminal board over Bogaprot, or a plain one over GAMESMAN. Not here: the clients themselves
(gateway/clients).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import click

from gateway import registry
from gateway.cli.secure import trusted, with_tls_ca
from gateway.clients.credentials import credential
from gateway.clients.gamesman import Player, Problem
from gateway.clients.gamesman_board import Board, run
from gateway.clients.joining import DEFAULT_PORT, Address, Wish, address, new_ticket
from gateway.clients.secure import context
from gateway.clients.session import PasswordNeeded
from gateway.games.base import Game
from gateway.table import time_text
from protocols.core.errors import Refused

EPILOG = """
\b
boardgate play ludo --against bot          against the house, on your own machine
boardgate play ludo --seats 4 --against bot:3   against three of its bots, which play as well as they can
boardgate play checkers games.example.org  against whoever comes next
boardgate play go tls://games.example.org  the same, encrypted, where the server has a certificate
boardgate play ludo --seats 4              a table of four, who all type the same
boardgate play chess --time 300+3          five minutes each, and three seconds a move
boardgate play go --option size=9          a small board; all who sit down at it type the same
boardgate play checkers --dialect gamesman --name alice --opponent bob      a registered game, by HTTP
"""


GAMESMAN: Final = "gamesman"
GAMESMAN_PORT: Final = 8080
"""Where ``boardgate serve`` listens for HTTP."""


def server_address(ctx: click.Context, param: click.Parameter, value: str) -> Address:
    """[tls://]HOST[:PORT] as an Address; the port is that of the dialect which is spoken."""
    try:
        return address(value, GAMESMAN_PORT if ctx.params.get("dialect") == GAMESMAN else DEFAULT_PORT, trusted())
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error


def board_size(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int] | None:
    """COLUMNSxROWS as a pair, None for ""."""
    if not value:
        return None
    found = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)", value)
    if found is None:
        raise click.BadParameter(f"{value!r} is not the size of a board, like 8x8", ctx, param)
    return int(found[1]), int(found[2])


def time_control(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """A time control as it was written, once it can be read."""
    try:
        time_text.read(value)
    except Refused as error:
        raise click.BadParameter(str(error), ctx, param) from error
    return value


def game_options(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """NAME=VALUE, as often as it was given, as pairs."""
    pairs = [text.partition("=") for text in values]
    for name, equals, value in pairs:
        if not (name and equals and value):
            raise click.BadParameter(f"{name + equals + value!r} is not NAME=VALUE", ctx, param)
    names = [name.lower() for name, _, _ in pairs]
    if len(set(names)) < len(names):
        raise click.BadParameter("an option of the game is given twice", ctx, param)
    return tuple((name, value) for name, (_, _, value) in zip(names, pairs, strict=True))


def with_dialect(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options --dialect and --opponent."""
    dialect = click.option(
        "--dialect",
        type=click.Choice(["bogaprot", GAMESMAN]),
        default="bogaprot",
        is_eager=True,
        help="What is spoken; gamesman is for games that were registered for two names (boardgate register).",
    )
    return dialect(click.option("--opponent", default="", metavar="NAME", help="gamesman: whom you play.")(command))


@click.command(epilog=EPILOG)
@click.argument("game", metavar="GAME")
@click.argument("server", metavar="[[tls://]HOST[:PORT]]", default="", callback=server_address)
@with_dialect
@with_tls_ca
@click.option("--name", default="", help="What the others see; an account's name needs its password.")
@click.option("--ticket", default="", help="Take the seat this ticket is for.")
@click.option(
    "--against",
    default="",
    metavar="BOT[:LEVEL]",
    help="Have a house bot sit down at once: bot, house, or an engine such as gnugo or stockfish:3; levels are 1 to 3.",
)
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
    "--board",
    "size",
    default="",
    metavar="WxH",
    callback=board_size,
    help="Board size of a game that is not installed here.",
)
def play(
    game: str,
    server: Address,
    dialect: str,
    opponent: str,
    name: str,
    ticket: str,
    against: str,
    variant: str,
    seats: int,
    time: str,
    options: tuple[tuple[str, str], ...],
    size: tuple[int, int] | None,
) -> None:
    """Play GAME in this terminal, against whoever sits down at the server, or a bot.

    The server is 127.0.0.1:5700 unless you say otherwise, over GAMESMAN port 8080. Keys are shown by "?".
    """
    if dialect == GAMESMAN:
        by_letter(game, variant, dict(options), server, name, opponent, ticket)
        return
    rules = installed(game)
    if rules is None and size is None:
        known = ", ".join(registry.games())
        raise click.UsageError(
            f"no game {game!r} is installed here; there are {known}. "
            "For one that only the server has say how large its board is: --board 8x8"
        )
    need_terminal()
    from gateway.clients import terminal  # textual takes a while to import, and --help needs none of it

    wanted = Wish(rules.name if rules else game, name, variant, seats, against, time=time, options=options)
    wanted = logged_in(replace(wanted, exact=bool(name)), server)
    again = True
    while again:
        wish = replace(wanted, ticket=ticket or new_ticket())
        try:
            played = terminal.run(wish, rules, size, server)
        except PasswordNeeded as needed:
            password = click.prompt(f"{needed}, or Enter for another name", "", hide_input=True, show_default=False)
            wanted = replace(wanted, secret=password, exact=False)
            continue
        again, ticket = played.again, ""
        if played.seat_kept:
            click.echo(f"Your seat is kept for a while. To take it back: {_return(wish, server)}")


def logged_in(wish: Wish, server: Address) -> Wish:
    """The wish with the account that the environment or ``boardgate login`` names for this server."""
    found = credential(wish.name, server.host, tls=server.tls)
    return replace(wish, name=found.name, secret=found.secret)


def need_terminal() -> None:
    """UsageError, which ends with status 2, where there is no terminal to draw on or to read keys from."""
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError(
            "this is no terminal, and a board needs one. From a script: boardgate bot, or play --dialect gamesman"
        )


def by_letter(
    game: str, variant: str, options: dict[str, str], server: Address, name: str, opponent: str, ticket: str
) -> None:
    """One registered game on standard input and output."""
    with registered(game, variant, options, server, name, opponent, ticket) as (player, board):
        run(player, board, opponent, sys.stdin, click.echo)


@contextmanager
def registered(
    game: str, variant: str, options: dict[str, str], server: Address, name: str, opponent: str, ticket: str
) -> Iterator[tuple[Player, Board]]:
    """A player of a registered game with the board it begins from; what goes wrong is said in words."""
    if not (name and opponent):
        raise click.UsageError("over GAMESMAN two names find the game: --name and --opponent")
    rules = registry.game(game)
    try:
        trust = context(server.ca) if server.tls else None
        found = credential(name, server.host, tls=server.tls)
        player = Player(server.url(), name, opponent, ticket=ticket, password=found.secret, trust=trust)
        yield player, Board(rules, rules.start(rules.settings(variant, options=options or None)))
    except (Problem, OSError) as error:
        raise click.ClickException(str(error)) from error


def _return(wish: Wish, server: Address) -> str:
    options = f" --variant {wish.variant}" if wish.variant else ""
    options += f" --time {wish.time}" if wish.time else ""
    return f"boardgate play {wish.game} {server.typed()}{options}{wish.choices()} --ticket={wish.ticket}"


def installed(name: str) -> Game[Any] | None:
    """The game of this name, None where its rules are not installed here."""
    try:
        return registry.game(name)
    except Refused:
        return None
