"""``boardgate watch``: look on at the games of a server, over its JSON API."""

from __future__ import annotations

import click

from clients.commands.play import need_terminal
from clients.joining import HTTP_PORT, Address, address
from gateway import registry
from gateway.cli.options import trusted, with_tls_ca
from gateway.cli.remote import NoTable, Remote, account_at
from protocols.core.errors import Refused

EPILOG = """
\b
boardgate watch                            a list of what is played on your own machine
boardgate watch chess                      only chess
boardgate watch 12 games.example.org       table 12 of another server
boardgate watch tls://games.example.org    the list, encrypted, where the server has a certificate
"""


@click.command(epilog=EPILOG)
@click.argument("what", metavar="[GAME|TABLE]", default="")
@click.argument("server", metavar="[[tls://]HOST[:PORT]]", default="")
@with_tls_ca
@click.option("--name", default="", help="Look on as this account: your own games against bots are shown, too.")
@click.pass_context
def watch(ctx: click.Context, what: str, server: str, name: str) -> None:
    """Look on at a game in this terminal: at TABLE, or at one of a list.

    The list shows what is played and which tables wait for players. Enter looks on, q comes back. The server's HTTP
    port is asked: 127.0.0.1:8080 unless you say otherwise. Tables opened with --against are shown to their players
    only.

    Your account: boardgate login stores a token for a host, which is used there. Or give --name; the password is read
    from BOARDGATE_PASSWORD, or asked for.
    """
    if what and not server and not _is_table(what) and _game(what) is None:
        what, server = "", what
    game = _game(what)
    if what and not _is_table(what) and game is None:
        raise click.UsageError(
            f"{what!r} is neither a table's number nor a game; games are {', '.join(registry.games())}"
        )
    try:
        where = address(server, HTTP_PORT, trusted())
    except ValueError as error:
        raise click.BadParameter(str(error), ctx) from error
    need_terminal()
    from clients import terminal  # textual takes a while to import, and --help needs none of it

    asked = int(what) if _is_table(what) else None
    terminal.watch(Api(where, account_at(where.url(), name)), asked, game or "", where)


class Api:
    """Asks the server's API for a path; ``auth`` goes with every request as Authorization, "" nothing."""

    def __init__(self, where: Address, auth: str = "") -> None:
        self._remote = Remote(where.url(), auth)

    def __call__(self, path: str) -> object:
        """Gone where there is no such table; Unanswered, a BoardgateError, where the server does not answer."""
        from clients.watching import Gone

        try:
            return self._remote.get(path)
        except NoTable as error:
            raise Gone(str(error)) from None


def _is_table(what: str) -> bool:
    return what.isascii() and what.isdigit() and len(what) < 19


def _game(what: str) -> str | None:
    """The name of the installed game that is meant; None where there is none."""
    try:
        return registry.game(what).name
    except Refused:
        return None
