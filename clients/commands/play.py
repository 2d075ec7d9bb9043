"""``boardgate play``: a terminal board, or another dialect's client for a registered game."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, Final

import click

from clients import registered
from clients.joining import DEFAULT_PORT, Address, Wish, address, new_ticket
from clients.registered import RegisteredSeat
from clients.session import DIALECT, PasswordNeeded
from gateway import registry
from gateway.cli.credentials import credential
from gateway.cli.options import trusted, with_tls_ca
from gateway.games.base import Game
from protocols.core import time_text
from protocols.core.errors import Refused

EPILOG = """
\b
boardgate play ludo --against bot          against the house, on your own machine
boardgate play ludo --seats 4 --against bot:3   against three of its bots, which play as well as they can
boardgate play checkers games.example.org  against the next player
boardgate play go tls://games.example.org  the same, encrypted, where the server has a certificate
boardgate play ludo --seats 4              a table of four, who all type the same
boardgate play chess --time 300+3          five minutes each, and three seconds a move
boardgate play go --option size=9          a small board; all who sit down at it type the same
"""

DRAWS: Final = "textual"
"""The package that draws boards; whoever only hosts needs none."""

REGISTERED: Final = registered.names()
"""The dialects that have a client for registered games."""

EXAMPLES: Final = "".join(
    f"boardgate play checkers --dialect {name} --name alice --opponent bob      a registered game, by HTTP\n"
    for name in REGISTERED
)


def server_address(ctx: click.Context, param: click.Parameter, value: str) -> Address:
    """[tls://]HOST[:PORT] as an Address; the port is that of the dialect which is spoken."""
    try:
        dialect = ctx.params.get("dialect")
        port = registered.client(dialect).port if dialect in REGISTERED else DEFAULT_PORT
        return address(value, port, trusted())
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


def _listed(words: list[str]) -> str:
    return " or ".join(words)


def with_dialect(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options --dialect and --opponent."""
    dialect = click.option(
        "--dialect",
        type=click.Choice([DIALECT, *REGISTERED]),
        default=DIALECT,
        is_eager=True,
        help=f"What is spoken; {_listed(REGISTERED)} is for games registered for two names (boardgate register).",
    )
    whom = f"{_listed(REGISTERED)}: whom you play."
    return dialect(click.option("--opponent", default="", metavar="NAME", help=whom)(command))


def with_table(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options --variant, --seats, --time and --option."""
    for option in (
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            callback=game_options,
            help="A choice the game itself has, such as size=9 of go; may be given several times.",
        ),
        click.option(
            "--time",
            default="",
            metavar="TIME",
            callback=time_control,
            help="How much time, in seconds: 300+3, 600, 10/move; 3d/move is three days a move.",
        ),
        click.option(
            "--seats", default=0, type=click.IntRange(0, 64), help="Seats at the table, where the game has a choice."
        ),
        click.option("--variant", default="", help="The rule set; the game's default one otherwise."),
    ):
        command = option(command)
    return command


@click.command(epilog=EPILOG + EXAMPLES)
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
@with_table
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
    """Play GAME in this terminal, against the next player at the server, or a bot.

    The server is 127.0.0.1:5700 unless you say otherwise, and by HTTP port 8080. Keys are shown by "?".
    """
    if dialect in REGISTERED:
        seat = registered_seat(game, variant, dict(options), server, name, opponent, ticket)
        registered.client(dialect).play(seat, sys.stdin, click.echo)
        return
    rules = installed(game)
    if rules is None and size is None:
        known = ", ".join(registry.games())
        raise click.UsageError(
            f"no game {game!r} is installed here; there are {known}. "
            "For one that only the server has say how large its board is: --board 8x8"
        )
    need_terminal()
    from clients import terminal  # textual takes a while to import, and --help needs none of it

    wanted = Wish(rules.name if rules else game, name, variant, seats, against, time=time, options=options)
    wanted = logged_in(replace(wanted, exact=bool(name)), server)
    again = True
    while again:
        wish = replace(wanted, ticket=ticket or new_ticket(), kept=bool(ticket))
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
    """UsageError where there is no terminal to draw on or to read from, ClickException where DRAWS is not installed."""
    if find_spec(DRAWS) is None:
        raise click.ClickException(f"a board needs {DRAWS}, which is not installed: pip install 'boardgate[terminal]'")
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError(
            "this is no terminal, and a board needs one. From a script: boardgate bot, "
            f"or play --dialect {_listed(REGISTERED)}"
        )


def registered_seat(
    game: str, variant: str, options: dict[str, str], server: Address, name: str, opponent: str, ticket: str
) -> RegisteredSeat:
    """The seat of a registered game, with the position it begins from. UsageError: a name is missing."""
    if not (name and opponent):
        raise click.UsageError(f"over {_listed(REGISTERED)} two names find the game: --name and --opponent")
    rules = registry.game(game)
    secret = credential(name, server.host, tls=server.tls).secret
    start = rules.start(rules.settings(variant, options=options or None))
    return RegisteredSeat(rules, start, server, name, opponent, ticket, secret)


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
