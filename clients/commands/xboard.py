"""``boardgate xboard``: looks like a chess engine to a GUI, and is the player at the other end of a connection."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli.options import trusted, with_tls_ca

if TYPE_CHECKING:  # imported late: the GUI gives an engine up that says nothing for a moment
    from clients.joining import Address
    from clients.xboard.link import Friend

PORT = 27015
"""Default port of chess peer-to-peer programs."""

RELAY_PORT = 5030
"""Default port of ``boardgate serve`` for helpers that meet by a code."""

EPILOG = """
\b
xboard -fcp "boardgate xboard games.example.org"        play the next player at the server
xboard -fcp "boardgate xboard tls://games.example.org"  the same, encrypted, where the server has a certificate
xboard -fcp "boardgate xboard --listen 27015"           two without a server: one listens,
xboard -fcp "boardgate xboard HOST"                     the other calls

xboard -fcp "boardgate xboard games.example.org --relay CODE"
                                                        both behind routers; boardgate relay open makes the CODE
"""


@click.command(epilog=EPILOG)
@click.argument("peer", metavar="[[tls://]HOST[:PORT]]", default="")
@click.option(
    "--name", default="", help="What the opponent sees (usually guest-1 or so); an account's needs its password."
)
@click.option("--ticket", default="", help="Take the seat this ticket is for.")
@with_tls_ca
@click.option("--listen", metavar="[HOST:]PORT", default="", help="Wait for a call, on all addresses or this one.")
@click.option(
    "--relay", metavar="CODE", default="", help="Play the friend with the same code; HOST is the relay, port 5030."
)
@click.option("--direct/--no-direct", default=True, help="With --relay: try without the relay first (yes).")
@click.option(
    "--log",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every line to this file, without passwords.",
)
def xboard(peer: str, name: str, ticket: str, listen: str, relay: str, direct: bool, file: Path | None) -> None:
    """Play chess in XBoard, or in any other GUI that runs engines of its protocol.

    Start it from the GUI, as an engine. HOST is a server (127.0.0.1 unless you say otherwise) or a listening peer;
    the port is 27015. A lost connection is taken up again by itself.

    Your account: boardgate login stores a token for a host, which is used there. Or give --name, and the password in
    BOARDGATE_PASSWORD. Or type /login NAME PASSWORD into "Send line" before a game. Only servers are told the password.

    Say --name: a GUI tells its user's name only when a game begins, and at a server you have sat down by then. Your
    user name on this machine is not sent, except by your GUI as that name.
    """
    if relay and listen:
        raise click.UsageError("give --relay or --listen, not both")
    friend = _friend(relay, peer, direct) if relay else None
    here = _address(peer, "127.0.0.1") if not listen and not relay else None
    there = _address(listen if ":" in listen else f":{listen}", "") if listen else None
    if there is not None and there.tls:
        raise click.UsageError("who listens has no certificate; --relay CODE encrypts between the two of you")
    log = file.open("a", encoding="utf-8", buffering=1) if file else None
    _speak_to_the_gui_alone(log.fileno() if log else None)
    os.write(1, b"feature done=0\n")  # what follows takes longer than some GUIs wait

    import trio

    from clients.joining import new_ticket
    from clients.xboard.adapter import Adapter, Self
    from clients.xboard.shell import Line, Shell
    from gateway.cli.credentials import Credential, credential
    from protocols.chess_p2p.words import LOGIN

    def write(direction: str, line: str) -> None:
        said, login, secret = line.partition(f"{LOGIN} ")
        if log is not None:
            log.write(f"{time.time():.3f} {direction} {said}{login}{'...' if secret else ''}\n")

    found = Credential(name) if here is None else credential(name, here.host, tls=here.tls)
    own = Self(found.name, ticket or new_ticket(), str(here or ""), found.secret, bool(ticket))
    adapter = Adapter(own, time.monotonic())
    trio.run(Shell(adapter, Line(here, there, friend), write, lambda text: _read(text, "127.0.0.1")).run)


def _friend(code: str, server: str, direct: bool) -> Callable[[Callable[[str], None]], Friend]:
    """Makes the peer of this code; a wrong code or server is reported before the GUI is spoken to."""
    from clients.joining import address
    from clients.relay.code import NotACode, read_code

    try:
        words, where = read_code(code), address(server, RELAY_PORT, trusted())
    except (NotACode, ValueError) as error:
        raise click.BadParameter(str(error)) from error

    def made(told: Callable[[str], None]) -> Friend:
        from clients.xboard.link import Friend

        return Friend(words, where, told, direct=direct)

    return made


def _speak_to_the_gui_alone(log: int | None) -> None:
    """Nothing but the protocol may reach the GUI, which reads standard error too; and it stops us by quit alone."""
    target = log if log is not None else os.open(os.devnull, os.O_WRONLY)
    os.dup2(target, 2)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _address(text: str, host: str) -> Address:
    try:
        return _read(text, host)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _read(text: str, host: str) -> Address:
    """The address of a peer; ``host`` and PORT stand for missing parts. ValueError."""
    from clients.joining import address

    return address(text, PORT, trusted(), host, least=0)
