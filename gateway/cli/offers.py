"""``boardgate offers``: games that are offered at a running server, to one player or to everybody: make, take, end."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from gateway.cli.drawing import say, styled
from gateway.cli.options import with_tls_ca
from gateway.cli.register import pair, ways
from gateway.cli.remote import USUAL, NoTable, Remote, Unanswered, account_at

T = TypeVar("T")

LOOK_S: Final = 1.0
"""Seconds between two looks whether somebody has taken an offer."""

SIDES: Final = ("first", "second")


@click.group()
def offers() -> None:
    """Offer games of two to players who are here, and take theirs: show, make, take, end.

    An offer has a number, that of the table which comes of it. After boardgate login you ask as your account. Else
    --account names it, and BOARDGATE_PASSWORD, or a question, gives its password.

    \b
      boardgate offers show
      boardgate offers make chess bob --time 300+5 --rated
      boardgate offers make chess --rated --rating 1400-1600 --manual
      boardgate offers make chess bob --time 3d/move --minutes 1440     for a day
      boardgate offers make go --option size=9            to everybody
      boardgate offers take 12
      boardgate offers end 12                             withdraws yours, declines one to you
    """


def _at_server(function: Callable[..., T]) -> Callable[..., T]:
    """Adds what every command here needs to know: the server, and the account."""
    function = click.option("--account", default="", metavar="NAME", help="Ask as this account.")(with_tls_ca(function))
    return click.option("--server", default=USUAL, show_default=True, metavar="URL", help="The server.")(function)


@offers.command()
@_at_server
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def show(server: str, account: str, as_json: bool) -> None:
    """Show what is offered to everybody and to your account, and your own offers."""
    found = Remote(server, account_at(server, account)).get("/api/offers")
    if as_json:
        click.echo(json.dumps(found))
        return
    say("\n".join(map(_line, found["offers"])) or "nothing is offered")


@offers.command()
@click.argument("game")
@click.argument("name", default="")
@click.option("--variant", default="", help="The rule set; the game's default one otherwise.")
@click.option("--time", default="none", metavar="TIME", help="How much time, in seconds: 300+3, 600, 3d/move.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A choice the game itself has.")
@click.option("--side", type=click.Choice(SIDES), help="The side you want; it is drawn otherwise.")
@click.option("--rated", is_flag=True, help="A rated game.")
@click.option("--manual", is_flag=True, help="To everybody: you confirm who plays, by taking their offer to you.")
@click.option("--rating", default="", metavar="RANGE", help="The ratings a rated one is for: 1400-1600, 1400-.")
@click.option("--minutes", default=60, show_default=True, help="How long it stands; to an account up to 10080, a week.")
@_at_server
def make(
    game: str,
    name: str,
    variant: str,
    time: str,
    options: tuple[str, ...],
    side: str | None,
    rated: bool,
    manual: bool,
    rating: str,
    minutes: int,
    server: str,
    account: str,
) -> None:
    """Offer a game of GAME to the player NAME, to everybody without, and wait for who takes it.

    Then your ticket is told, which takes your seat in any client. Ctrl+C withdraws the offer. A manual one is not
    waited for, nor one that stands for more than an hour, whose ticket is told at once and is good once it is taken.
    """
    remote = Remote(server, account_at(server, account))
    asked = {"game": game, "to": name, "variant": variant, "time": time, "rated": rated, "minutes": minutes}
    asked |= ({"ratings": rating} if rating else {}) | ({"manual": True} if manual else {})
    asked |= {"options": dict(map(pair, options)), "side": None if side is None else SIDES.index(side)}
    made = remote.post("/api/offers", asked)
    number, seat = made["id"], made["seat"]
    if seat is None and manual:
        click.echo(f"offer {number} stands for {minutes} minutes; boardgate offers show tells who asks you")
        return
    if seat is None and minutes > 60:
        click.echo(f"offer {number} to {name} stands for {minutes} minutes; boardgate offers end {number} withdraws it")
        click.echo(f"your ticket for table {number}: {made['ticket']}")
        return
    if seat is None:
        told = f"offer {number} to {name or 'everybody'} stands for {minutes} minutes; Ctrl+C withdraws it"
        seat = _wait(remote, number, made["by"], told)
    _tell_seat(remote, number, seat, made["ticket"])


@offers.command()
@click.argument("number", type=int)
@click.option("--side", type=click.Choice(SIDES), help="The side you want, where the other wants none.")
@_at_server
def take(number: int, side: str | None, server: str, account: str) -> None:
    """Take the offer of this number; your ticket is told, which takes your seat in any client.

    A manual one's maker is asked by an offer of yours, and waited for. Ctrl+C withdraws that.
    """
    remote = Remote(server, account_at(server, account))
    asked = {"side": None if side is None else SIDES.index(side)}
    taken = remote.post(f"/api/offers/{number}/take", asked)
    table, seat = taken["table"], taken["seat"]
    if seat is None:
        seat = _wait(remote, table, taken["by"], f"its maker is asked by offer {table}; Ctrl+C withdraws it")
    _tell_seat(remote, table, seat, taken["ticket"])


@offers.command()
@click.argument("number", type=int)
@_at_server
def end(number: int, server: str, account: str) -> None:
    """Withdraw an offer of yours, or decline one that was made to you."""
    Remote(server, account_at(server, account)).delete(f"/api/offers/{number}")
    click.echo(f"offer {number} stands no more")


def _wait(remote: Remote, number: int, maker: str, told: str) -> int:
    """Says ``told``; its maker's seat, when the offer has been taken. Unanswered: it stands no more.

    Whoever has read ``told`` may interrupt, and withdraws the offer.
    """
    try:
        click.echo(told)
        while remote.get(f"/api/offers/{number}")["state"] == "stands":
            clock.sleep(LOOK_S)
        seats = remote.get(f"/api/tables/{number}")["seats"]
        return next(int(seat["seat"]) for seat in seats if seat["name"] == maker)
    except KeyboardInterrupt:
        remote.delete(f"/api/offers/{number}")
        raise
    except NoTable:
        raise Unanswered(f"nobody has taken offer {number}") from None


def _tell_seat(remote: Remote, table: int, seat: int, ticket: str) -> None:
    shown = remote.get(f"/api/tables/{table}")
    names = " - ".join(each["name"] for each in shown["seats"])
    say(styled(f"table {table}  {shown['game']} {shown['variant']}: {names}", bold=True))
    say("\n".join(f"  {line}" for line in ways(remote, shown["game"], shown["seats"][seat]["name"], ticket)))


def _line(offer: dict[str, Any]) -> str:
    side = "" if offer["side"] is None else f", {SIDES[offer['side']]} side"
    rated = ", rated" if offer["rated"] else ""
    rated += f" {offer['ratings']}" if offer.get("ratings") else ""
    rated += ", manual" if offer.get("manual") else ""
    game = f"{offer['game']} {offer['variant']}, {offer['time']}{rated}{side}"
    rating = offer.get("rating")
    by = f"{offer['by']} ({rating['rating']}{'?' if rating['provisional'] else ''})" if rating else offer["by"]
    return f"{offer['id']:>6}  {by:<20} to {offer['to'] or 'everybody':<20} {game}"
