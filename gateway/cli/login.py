"""``boardgate login`` and ``logout``: a token of an account, kept in a file of the user for our other commands.

Not here: the file (gateway.clients.credentials), and what a token is (gateway.accounts.tokens).
"""

from __future__ import annotations

import base64
import os
from typing import Final
from urllib.parse import urlsplit

import click

from gateway.cli.password import read_password
from gateway.cli.remote import USUAL, Remote
from gateway.cli.secure import with_tls_ca
from gateway.clients import credentials
from gateway.clients.credentials import PASSWORD, Credential

HOME: Final = ("127.0.0.1", "localhost", "::1")


@click.command()
@click.argument("server", metavar="[URL]", default=USUAL)
@click.option("--name", default="", help="The account's name; asked for otherwise.")
@with_tls_ca
def login(server: str, name: str) -> None:
    """Log in at a server: play, bot, xboard and gtp then use your account there.

    URL is the server's HTTP address, http://127.0.0.1:8080 unless you say otherwise. The password is asked for, read
    from BOARDGATE_PASSWORD, or from the first line of standard input. It is not kept: a token is, for 90 days, in a
    file that you alone can read.

    \b
      boardgate login https://games.example.org --name alice
      boardgate logout https://games.example.org
    """
    name = name or click.prompt("name", err=True)
    host, tls = _place(server)
    if not tls and host not in HOME:
        click.echo(f"{server} is not encrypted: the password and the token can be read on the way", err=True)
    password = os.environ.get(PASSWORD) or read_password(f"password of {name}")
    basic = "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()
    answer = Remote(server, basic).post("/api/tokens", {})
    file = credentials.store(host, Credential(answer["account"], answer["token"]), tls=tls)
    click.echo(f"{answer['account']} is logged in at {host} until {answer['expires_at'][:10]}; the token is in {file}")


@click.command()
@click.argument("server", metavar="[URL]", default=USUAL)
@with_tls_ca
def logout(server: str) -> None:
    """End the token that login has stored for a server, there and here."""
    host, _ = _place(server)
    kept = credentials.stored(host)
    if kept is None:
        raise click.ClickException(f"no token is stored for {host}")
    credentials.forget(host)
    Remote(server, f"Bearer {kept.secret}").delete("/api/tokens")
    click.echo(f"{kept.name} is logged out at {host}")


def _place(server: str) -> tuple[str, bool]:
    """The host of a URL, and whether it is encrypted. Unanswered, a BoardgateError: it is no such address."""
    parts = urlsplit(Remote(server).url)
    return parts.hostname or "", parts.scheme == "https"
