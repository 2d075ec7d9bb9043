"""``boardgate relay``: two programs that cannot reach each other are joined, whatever they say.

``relay open`` asks a server for a code (relay_open.py); ``relay CODE`` is one friend's end. Not here: the tunnel
(gateway.clients.relay), the server's side (gateway.relay).
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from gateway.cli.secure import trusted, with_tls_ca

if TYPE_CHECKING:
    import trio

    from gateway.clients.joining import Address
    from gateway.clients.relay.ends import End
    from gateway.clients.relay.tunnel import Tunnel

PORT = 5030
"""Where ``boardgate serve`` listens for helpers."""

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
    """``relay open`` is a command of its own; whatever else follows ``relay`` is a code."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["open"]:
            from gateway.cli.relay_open import opening

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

    import trio

    from gateway.clients.joining import address
    from gateway.clients.relay.code import NotACode, read_code

    try:
        words, where = read_code(code), address(server, PORT, trusted())
        end = _end(command, to, listen)
    except NotACode as error:
        raise click.BadParameter(str(error), param_hint="CODE") from error
    except ValueError as error:
        raise click.BadParameter(str(error)) from error

    async def main() -> int:
        from gateway.clients.relay.transport import Rendezvous
        from gateway.clients.relay.tunnel import Tunnel

        await _announce(end)
        return await _until_signal(Tunnel(Rendezvous(words, where, _tell, direct=direct), end, _tell), end)

    status = trio.run(main)
    if status:
        raise SystemExit(status)


def _end(command: Sequence[str], to: str, listen: str) -> End:
    """What is joined here. ValueError."""
    from gateway.clients.relay.ends import Awaited, Command, Dialled, Plain

    if command:
        return Command(command)
    if to:
        return Dialled(_place(to, 1))
    return Awaited(_place(listen, 0)) if listen else Plain()


def _place(text: str, least: int) -> Address:
    """[HOST:]PORT, the port at ``least`` this: 0 is any free one. ValueError."""
    from gateway.clients.joining import DEFAULT_HOST, Address

    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and least <= int(port) < 65536):
        raise ValueError(f"{text!r} names no port")
    return Address(host.strip("[]") or DEFAULT_HOST, int(port))


async def _announce(end: End) -> None:
    from gateway.clients.relay.ends import Awaited

    if isinstance(end, Awaited):
        _tell(f"listening at {await end.listen()}")


async def _until_signal(tunnel: Tunnel, end: End) -> int:
    """Run the tunnel; the exit status. Ctrl-C and the like tell the other side, and stop it. Raises BoardgateError."""
    import trio

    from protocols.core.errors import BoardgateError

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
    import trio

    kinds = [number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None))]
    with trio.open_signal_receiver(*kinds) as signals:
        task_status.started()
        async for _ in signals:
            interrupted.set()
            await tunnel.leave()


def _tell(words: str) -> None:
    click.echo(words, err=True)
