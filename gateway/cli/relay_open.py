"""``boardgate relay open``: asks a server for a room, and makes the code that two friends share.

Not here: what is done with a code (relay.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

import click

from gateway.cli.remote import USUAL, Remote


@dataclass(frozen=True, slots=True)
class Room:
    """What the server gives: a room's name, a one-time port, and until when (ISO 8601)."""

    name: str
    port: int
    expires: str


@click.command()
@click.option("--server", default=USUAL, show_default=True, metavar="URL", help="The server to open it at.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for scripts.")
def opening(server: str, as_json: bool) -> None:
    """Make a code with which two programs are joined through a server.

    The code has two halves: a room at the server, which the server chooses, and a secret that is made here and sent to
    nobody. Tell your friend the whole code in a way that nobody else reads. It works once, for the first two who use
    it, and expires in some minutes if they do not.

    Programs without Boardgate's help need no code: both call the one-time port of the server, and the first two that do
    are joined, without encryption.
    """
    from gateway.clients.relay.code import new_code

    remote = Remote(server)
    room = _open(remote)
    code, host = str(new_code(room.name)), urlsplit(remote.url).hostname or ""
    if as_json:
        found = {"code": code, "room": room.name, "server": host, "port": room.port, "expires": room.expires}
        click.echo(json.dumps(found))
    else:
        click.echo(_explained(code, host, room))


def _explained(code: str, host: str, room: Room) -> str:
    there = "" if host in ("127.0.0.1", "localhost") else f" --server {host}"
    return f"""Your code, good until {_clock(room.expires)}; tell it to your friend, and to nobody else:

    {code}

Each of you joins a program to it, in one of these ways:

    boardgate relay {code}{there} -- COMMAND...
    boardgate relay {code}{there} --listen 5555
    boardgate relay {code}{there} --to localhost:5555
    boardgate xboard --relay {code}{there and f" {host}"}

Or without Boardgate on your side: two programs that call {host} port {room.port} are joined as they are, once."""


def _open(remote: Remote) -> Room:
    """Open a room. A BoardgateError says in words why there is none."""
    try:
        found = remote.post("/api/relays", {})
        return Room(str(found["code"]), int(found["port"]), str(found["expires"]))
    except (ValueError, KeyError, TypeError) as error:
        raise click.ClickException(f"what answers at {remote.url} is no Boardgate server") from error


def _clock(expires: str) -> str:
    try:
        return datetime.fromisoformat(expires).astimezone().strftime("%H:%M")
    except ValueError:
        return expires
