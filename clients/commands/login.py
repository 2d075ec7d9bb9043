"""``boardgate login`` and ``logout``: a token of an account, kept in a file of the user for our other commands."""

from __future__ import annotations

import os
import shlex
from typing import Final

import click

from gateway.cli import credentials
from gateway.cli.credentials import PASSWORD, Credential
from gateway.cli.options import read_password, with_tls_ca
from gateway.cli.remote import USUAL, Remote, Unanswered, Unknown, basic, server_address

HOME: Final = ("127.0.0.1", "localhost", "::1")

NOT_WITHDRAWN: Final = 3
"""The exit status of logout where the token is forgotten here and still valid at the server."""


@click.command()
@click.argument("server", metavar="[URL]", default=USUAL)
@click.option("--name", default="", help="The account's name; asked for otherwise.")
@with_tls_ca
def login(server: str, name: str) -> None:
    """Log in at a server: play, bot, watch, register, xboard and gtp then use your account there.

    URL is the server's HTTP address, http://127.0.0.1:8080 unless you say otherwise. The password is asked for, read
    from BOARDGATE_PASSWORD, or from the first line of standard input. It is not kept: a token is, for 90 days, in a
    file that you alone can read.

    \b
      boardgate login https://games.example.org --name alice
      boardgate logout https://games.example.org
    """
    name = name or click.prompt("name", err=True)
    host, tls = server_address(server)
    if not tls and host not in HOME:
        click.echo(f"{server} is not encrypted: the password and the token can be read on the way", err=True)
    password = os.environ.get(PASSWORD) or read_password(f"password of {name}")
    answer = Remote(server, basic(name, password)).post("/api/tokens", {})
    file = credentials.store(host, Credential(answer["account"], answer["token"]), tls=tls)
    click.echo(f"{answer['account']} is logged in at {host} until {answer['expires_at'][:10]}; the token is in {file}")


@click.command()
@click.argument("server", metavar="[URL]", default=USUAL)
@with_tls_ca
@click.pass_context
def logout(ctx: click.Context, server: str) -> None:
    """End the token that login has stored for a server, there and here.

    Where the server cannot be reached, the token is forgotten here only, and the status is 3: it stays valid at the
    server until it expires.
    """
    host, _ = server_address(server)
    kept = credentials.stored(host)
    if kept is None:
        raise click.ClickException(f"no token is stored for {host}")
    remote = Remote(server, f"Bearer {kept.secret}")
    credentials.forget(host)
    try:
        remote.delete("/api/tokens")
    except Unknown:
        pass  # it has expired, or was ended before
    except Unanswered as error:
        click.echo(
            f"{error}\nThe token of {kept.name} is forgotten here, but could not be withdrawn at {host}. It is valid "
            f"there for up to 90 days. The host can end it: boardgate account revoke {shlex.quote(kept.name)}",
            err=True,
        )
        ctx.exit(NOT_WITHDRAWN)
    click.echo(f"{kept.name} is logged out at {host}")
