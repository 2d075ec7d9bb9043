"""``boardgate register``: a table with reserved seats at a running server, and how its players sit down."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import click

from gateway import registry
from gateway.cli.drawing import plain, say, styled
from gateway.cli.options import with_tls_ca
from gateway.cli.remote import USUAL, Remote, account_at, host_token
from gateway.lobby.registration import OPEN, is_bot
from protocols.core.dialect import Dialect

PAIR: Final = 2
"""Players of a game that two names can find."""


@click.command()
@click.argument("game")
@click.argument("seats", nargs=-1, required=True, metavar="FIRST SECOND...")
@click.option("--variant", default="", help="The rule set; the game's default one otherwise.")
@click.option(
    "--time",
    default="none",
    metavar="TIME",
    help="How much time, in seconds: 300+3, 600, 10/move; 3d/move is three days a move.",
)
@click.option("--start", default="", metavar="TEXT", help="The position to begin from, as the game writes it.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A choice the game itself has.")
@click.option("--rated", is_flag=True, help="A rated game, between accounts.")
@click.option("--server", default=USUAL, show_default=True, metavar="URL", help="The server to register at.")
@with_tls_ca
@click.option("--token", default="", metavar="SECRET", help="The host's token, where only the host registers.")
@click.option("--token-file", type=click.Path(path_type=Path), help="The file with that token in its first line.")
@click.option("--account", default="", metavar="NAME", help="Register as this account.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def register(
    game: str,
    seats: tuple[str, ...],
    variant: str,
    time: str,
    start: str,
    options: tuple[str, ...],
    rated: bool,
    server: str,
    token: str,
    token_file: Path | None,
    account: str,
    as_json: bool,
) -> None:
    """Register a table of GAME for these players, in the order of its seats.

    Each seat is a name, "open" for anybody, or "bot" for a house bot ("bot:3", "bot:stockfish:3"). The table waits
    for exactly its players: each name gets a ticket, which takes the seat from any client, and takes it back.

    After boardgate login you register as your account. Else --account names it, and BOARDGATE_PASSWORD, or a question,
    gives its password.

    \b
      boardgate register chess alice bob --time 300+5
      boardgate register go alice open --option size=9 --server https://games.example.org
      boardgate register ludo alice bob bot bot
    """
    asked = {
        "game": game,
        "variant": variant,
        "time": time,
        "start": start,
        "rated": rated,
        "options": dict(pair(option) for option in options),
        "seats": [seat if seat == OPEN or is_bot(seat) else {"name": seat} for seat in seats],
    }
    remote = Remote(server, host_token(token, token_file) or account_at(server, account))
    made = remote.post("/api/tables", asked)
    if as_json:
        click.echo(json.dumps(made))
        return
    shown = remote.get(f"/api/tables/{made['id']}")
    say("\n".join(_lines(remote, shown, made["tickets"])))


def pair(option: str) -> tuple[str, str]:
    """The name and the value of a choice. BadParameter: it is not written so."""
    name, equals, value = option.partition("=")
    if not (name and equals):
        raise click.BadParameter(f"{option!r}: write NAME=VALUE", param_hint="--option")
    return name, value


def _lines(remote: Remote, shown: dict[str, Any], tickets: list[str]) -> Iterator[str]:
    time = "no clock" if shown["time"] == "none" else shown["time"]
    rated = ", rated" if shown["rated"] else ""
    yield styled(f"table {shown['id']}  {shown['game']} {shown['variant']}, {time}{rated}", bold=True)
    for seat, ticket in zip(shown["seats"], tickets, strict=True):
        side = _side(shown["game"], seat["seat"], len(tickets))
        who = plain(f"{seat['name'] or seat['kind']:<20} ")
        yield f"  {side:<10} {who}{styled(ticket, bold=True)}"
    held = next(((seat, ticket) for seat, ticket in zip(shown["seats"], tickets, strict=True) if ticket), None)
    if held is not None:
        yield "\nA ticket takes its seat, and takes it back, in any of these ways:"
        yield from (f"  {line}" for line in ways(remote, shown["game"], held[0]["name"], held[1]))
    names = [seat["name"] for seat in shown["seats"] if seat["kind"] == "reserved"]
    if len(names) == len(tickets) == PAIR:
        yield from _by_name(remote, shown["game"], names)
    yield f"\nshown at {remote.url}/api/tables/{shown['id']}"


def _side(game: str, seat: int, seats: int) -> str:
    """The seat's name, where the game is installed here as well."""
    found = registry.games().get(game)
    sides = found.sides[:seats] if found is not None else ()
    return sides[seat] if seat < len(sides) else f"seat {seat + 1}"


def _by_name(remote: Remote, game: str, names: list[str]) -> Iterator[str]:
    """Lines for dialects in which both names are enough, unless an account owns them."""
    url, tls = urlsplit(remote.url), remote.url.startswith("https:")
    where = url.netloc if url.port else f"{url.netloc}:{443 if tls else 80}"
    for dialect, found in sorted(_dialects(game).items()):
        if found.by_name:
            server = f"tls://{where}" if tls else where
            first, second = map(shlex.quote, names)
            told = f"boardgate play {game} {server} --dialect {dialect} --name {first} --opponent {second}"
            yield f"\nOver {dialect} the two names find it; only those of accounts need a ticket:\n  {told}"


def _dialects(game: str) -> dict[str, type[Dialect]]:
    """The dialects of a game that is installed here as well."""
    found = registry.games().get(game)
    return registry.dialects_for(found) if found is not None else {}


def ways(remote: Remote, game: str, name: str, ticket: str) -> Iterator[str]:
    """Lines that say how to present a ticket: our own commands, then other clients by their dialect."""
    yield f"boardgate play {game} {urlsplit(remote.url).hostname} --ticket {ticket}"
    for dialect, found in sorted(_dialects(game).items()):
        if found.ticket_words:
            yield f"{dialect:<12} {found.ticket_words.format(game=game, name=name, ticket=ticket)}"
    yield f"{'HTTP':<12} Authorization: Ticket {ticket}"
