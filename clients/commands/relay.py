"""``boardgate relay``: joins two programs that cannot reach each other.

``relay open`` asks a server for a room and makes the code; ``relay CODE`` is one friend's end.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

import click
import trio

from clients.joining import DEFAULT_HOST, Address, address
from clients.relay.code import NotACode, new_code, read_code
from clients.relay.ends import Awaited, Command, Dialled, End, Plain
from clients.relay.transport import Rendezvous
from clients.relay.tunnel import Tunnel
from gateway.cli.options import trusted, with_tls_ca
from gateway.cli.remote import USUAL, Remote
from protocols.core.errors import BoardgateError

PORT: Final = 5030
"""Default port of ``boardgate serve`` for helpers."""


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
    """The relay's name for our commands; "" where it is the one they call anyway."""
    if room.relay_tls:
        return Address(host, room.relay_port, tls=True, ca=trusted()).typed()
    if room.relay_port == PORT:
        return "" if host in ("127.0.0.1", "localhost") else host
    return str(Address(host, room.relay_port))


def _open(remote: Remote, wishes: dict[str, str | bool]) -> Room:
    """Open a room. A BoardgateError says in words why there is none."""
    try:
        found = remote.post("/api/relays", wishes)
        port, tls = int(found.get("relay_port", PORT)), found.get("relay_tls") is True
        one_time = None if found["port"] is None else int(found["port"])
        return Room(str(found["code"]), one_time, str(found["expires"]), port, tls)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.ClickException(f"what answers at {remote.url} is no Boardgate server") from error


def _clock(expires: str) -> str:
    try:
        return datetime.fromisoformat(expires).astimezone().strftime("%H:%M")
    except ValueError:
        return expires


INTERRUPTED = 130
"""The exit status of what was stopped by Ctrl-C, as shells have it."""

EPILOG = """
\b
boardgate relay open --server https://games.example.org     makes the code; tell it to your friend alone
boardgate relay CODE --server games.example.org -- gnugo --mode gtp
gogui -program "boardgate relay CODE --server games.example.org"
                                  your Go GUI plays your friend's gnugo: without --, --to or --listen
                                  standard input and output are joined
boardgate relay CODE --server games.example.org --listen 27015
                                  a program of yours calls localhost:27015, and comes to your friend's
boardgate relay CODE --server games.example.org --to localhost:27015
                                  which listens there
\b
boardgate relay open --record --dialect chess-p2p
                                  the server writes down what is said at the one-time port
boardgate relay open --help       says more about codes
"""


class CodeOrOpen(click.Command):
    """``relay open`` is a command of its own; any other word after ``relay`` is a code."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["open"]:
            return opening.make_context(f"{info_name} open", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return ["open | CODE [OPTIONS] [-- COMMAND...]"]


@click.command(cls=CodeOrOpen, epilog=EPILOG)
@click.argument("code")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--server",
    metavar="[tls://]HOST[:PORT]",
    default="",
    help="The relay, 127.0.0.1:5030 unless you say otherwise; tls:// where it speaks TLS.",
)
@with_tls_ca
@click.option("--to", metavar="[HOST:]PORT", default="", help="Call a program that listens there, and join it.")
@click.option(
    "--listen", metavar="[HOST:]PORT", default="", help="Wait for a program to call there, and join it; 0 is any port."
)
@click.option(
    "--direct/--no-direct", default=True, help="Try without the relay first (yes); your friend sees your address then."
)
def relay(code: str, command: tuple[str, ...], server: str, to: str, listen: str, direct: bool) -> None:
    """Join a program here to a program at a friend's, through routers and firewalls.

    Both of you run this with the same CODE and the same server. The two meet there, try a direct connection, and go
    through the relay if there is none; you are told which. What is said is encrypted between the two of you: the server
    cannot read it. When the network drops, the connection is taken up again within a minute, and nothing is lost or
    said twice.

    One connection is carried, both ways, until both programs have ended it. The exit status is that of COMMAND, 0
    without one, 1 when the connection could not be made or kept, 130 after Ctrl-C.
    """
    if sum(map(bool, (command, to, listen))) > 1:
        raise click.UsageError("one program is joined: give only one of -- COMMAND, --to and --listen")

    try:
        words, where = read_code(code), address(server, PORT, trusted())
        end = _end(command, to, listen)
    except NotACode as error:
        raise click.BadParameter(str(error), param_hint="CODE") from error
    except ValueError as error:
        raise click.BadParameter(str(error)) from error

    async def main() -> int:
        await _announce(end)
        return await _until_signal(Tunnel(Rendezvous(words, where, _tell, direct=direct), end, _tell), end)

    status = trio.run(main)
    if status:
        raise SystemExit(status)


def _end(command: Sequence[str], to: str, listen: str) -> End:
    """This side's end. ValueError."""
    if command:
        return Command(command)
    if to:
        return Dialled(_end_address(to, 1))
    return Awaited(_end_address(listen, 0)) if listen else Plain()


def _end_address(text: str, least: int) -> Address:
    """[HOST:]PORT, the port at ``least`` this: 0 is any free one. ValueError."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and least <= int(port) < 65536):
        raise ValueError(f"{text!r} names no port")
    return Address(host.strip("[]") or DEFAULT_HOST, int(port))


async def _announce(end: End) -> None:
    if isinstance(end, Awaited):
        _tell(f"listening at {await end.listen()}")


async def _until_signal(tunnel: Tunnel, end: End) -> int:
    """Run the tunnel; the exit status. Ctrl-C and the like tell the other side, and stop it. Raises BoardgateError."""
    interrupted, why = trio.Event(), None
    async with trio.open_nursery() as nursery:
        await nursery.start(_leave_on_signal, tunnel, interrupted)
        try:
            await tunnel.run()
        except BoardgateError as error:
            why = error
        nursery.cancel_scope.cancel()
    status = await end.close()
    if interrupted.is_set():
        return INTERRUPTED
    if why is not None:
        raise why
    return status


async def _leave_on_signal(tunnel: Tunnel, interrupted: trio.Event, task_status: trio.TaskStatus[None]) -> None:
    kinds = [number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None))]
    with trio.open_signal_receiver(*kinds) as signals:
        task_status.started()
        async for _ in signals:
            interrupted.set()
            await tunnel.leave()


def _tell(words: str) -> None:
    click.echo(words, err=True)
