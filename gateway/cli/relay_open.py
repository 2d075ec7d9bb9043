"""``boardgate relay open``: asks a server for a room, and makes the code that two friends share.

Not here: what is done with a code (relay.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

import click

from gateway.cli.remote import USUAL, Remote
from gateway.cli.secure import trusted, with_tls_ca

USUAL_PORT: Final = 5030
"""Where ``boardgate serve`` listens for helpers, and where they call if they are told nothing else."""


@dataclass(frozen=True, slots=True)
class Room:
    """The server's answer: a room's name, a one-time port or None, until when (ISO 8601), and the port that helpers
    call, with TLS or not."""

    name: str
    port: int | None
    expires: str
    relay_port: int
    relay_tls: bool


@click.command()
@click.option("--server", default=USUAL, show_default=True, metavar="URL", help="The server to open it at.")
@with_tls_ca
@click.option("--record", is_flag=True, help="Have the server write down what is said at the one-time port.")
@click.option("--dialect", default="", metavar="NAME", help="What will be spoken there, for the record: chess-p2p, ...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for scripts.")
def opening(server: str, record: bool, dialect: str, as_json: bool) -> None:
    """Make a code with which two programs are joined through a server.

    The code has two halves: a room at the server, which the server chooses, and a secret that is made here and sent to
    nobody. Tell your friend the whole code in a way that nobody else reads. It works once, for the first two who use
    it, and expires in some minutes if they do not.

    Programs without Boardgate's help need no code: both call the one-time port of the server, and the first two that do
    are joined, without encryption.
    """
    from gateway.clients.relay.code import new_code

    remote = Remote(server)
    room = _open(remote, {"record": record, "dialect": dialect})
    code, host = str(new_code(room.name)), urlsplit(remote.url).hostname or ""
    if as_json:
        found = {"code": code, "room": room.name, "server": host, "port": room.port, "expires": room.expires}
        click.echo(json.dumps(found | {"relay_port": room.relay_port, "relay_tls": room.relay_tls}))
    else:
        click.echo(_explained(code, host, room))


def _explained(code: str, host: str, room: Room) -> str:
    where = _where(host, room)
    there = f" --server {where}" if where else ""
    without = "Or without Boardgate on your side: two programs that call"
    by_port = f"\n\n{without} {host} port {room.port} are joined as they are, once." if room.port else ""
    return f"""Your code, good until {_clock(room.expires)}; tell it to your friend, and to nobody else:

    {code}

Each of you joins a program to it, in one of these ways:

    boardgate relay {code}{there} -- COMMAND...
    boardgate relay {code}{there} --listen 5555
    boardgate relay {code}{there} --to localhost:5555
    boardgate xboard --relay {code}{where and f" {where}"}{by_port}"""


def _where(host: str, room: Room) -> str:
    """How the relay is named to our commands; "" where it is the one they call anyway."""
    from gateway.clients.joining import Address

    if room.relay_tls:
        return Address(host, room.relay_port, tls=True, ca=trusted()).typed()
    if room.relay_port == USUAL_PORT:
        return "" if host in ("127.0.0.1", "localhost") else host
    return str(Address(host, room.relay_port))


def _open(remote: Remote, wishes: dict[str, str | bool]) -> Room:
    """Open a room. A BoardgateError says in words why there is none."""
    try:
        found = remote.post("/api/relays", wishes)
        port, tls = int(found.get("relay_port", USUAL_PORT)), found.get("relay_tls") is True
        one_time = None if found["port"] is None else int(found["port"])
        return Room(str(found["code"]), one_time, str(found["expires"]), port, tls)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.ClickException(f"what answers at {remote.url} is no Boardgate server") from error


def _clock(expires: str) -> str:
    try:
        return datetime.fromisoformat(expires).astimezone().strftime("%H:%M")
    except ValueError:
        return expires
