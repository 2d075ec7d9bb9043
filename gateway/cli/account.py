"""``boardgate account``: registered names in the database of the settings. Running servers notice changes."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from typing import Final

import click

from gateway.cli.drawing import Table, plain, say
from gateway.cli.options import Duration, operator_name, read_password, with_settings
from gateway.cli.record import kept, second
from gateway.config import Config
from gateway.store.accounts import NoAccount, SqlAccounts

FOR: Final = Duration("how long it is good, such as 14d")


@click.group()
def account() -> None:
    """Register names for people: add, passwd, link, disable, enable, revoke, export, delete, invite, log.

    A registered name belongs to its owner, in any letter case. Passwords are asked for, or read
    from standard input. Every change is written down with who made it.

    \b
      boardgate account add alice
      boardgate account passwd alice --password-stdin < file
      boardgate account disable alice
    """


def _with_password(function: click.decorators.FC) -> click.decorators.FC:
    text = "Read it from the first line of standard input."
    return click.option("--password-stdin", "from_stdin", is_flag=True, help=text)(function)


@account.command()
@click.argument("name")
@_with_password
@with_settings
def add(config: Config, name: str, from_stdin: bool) -> None:
    """Register NAME with a password."""
    from gateway.accounts.logins import hashed  # after --help has been answered
    from gateway.accounts.registering import free_name

    with kept(config, SqlAccounts) as accounts:
        wanted = free_name(name, accounts.names(), guest=False)
        accounts.add(wanted, hashed(_new_password(wanted, from_stdin)), operator_name())
    _said(wanted, "added")


@account.command()
@click.argument("name")
@_with_password
@with_settings
def passwd(config: Config, name: str, from_stdin: bool) -> None:
    """Give NAME another password; the old one ends at once, and every token with it."""
    from gateway.accounts.logins import hashed

    with kept(config, SqlAccounts) as accounts:
        accounts.set_password(name, hashed(_new_password(name, from_stdin)), operator_name())
    _said(name, "password changed")


@account.command()
@click.argument("name")
@click.option("--for", "lasts_s", type=FOR, default="1d", help="How long it is good, such as 1d.")
@with_settings
def link(config: Config, name: str, lasts_s: float) -> None:
    """Print a one-time link for the owner of NAME, who has forgotten the password.

    It stands behind the address of the server's pages. An older link of NAME ends.
    """
    from gateway.accounts.forgotten import new_link

    with kept(config, SqlAccounts) as accounts:
        registered, code, expires_at = new_link(accounts, name, operator_name(), lasts_s)
    click.echo(f"{registered}: /password#{code}, good once, until {second(expires_at)} UTC")


@account.command()
@click.argument("name")
@with_settings
def disable(config: Config, name: str) -> None:
    """Let NAME log in no more. The name stays taken."""
    with kept(config, SqlAccounts) as accounts:
        accounts.set_disabled(name, True, operator_name())
    _said(name, "disabled")


@account.command()
@click.argument("name")
@with_settings
def enable(config: Config, name: str) -> None:
    """Let NAME log in again."""
    with kept(config, SqlAccounts) as accounts:
        accounts.set_disabled(name, False, operator_name())
    _said(name, "enabled")


@account.command()
@click.argument("name")
@with_settings
def revoke(config: Config, name: str) -> None:
    """End every token of NAME: its programs log in anew. The password stays."""
    with kept(config, SqlAccounts) as accounts:
        accounts.revoke(name, operator_name())
    _said(name, "tokens ended")


@account.command()
@click.option("--for", "lasts_s", type=FOR, default="14d", help="How long it is good, such as 14d.")
@with_settings
def invite(config: Config, lasts_s: float) -> None:
    """Print a code with which one person makes an account on the pages.

    It is needed where [registration] accounts = "invitation". The page /login?invitation=CODE has it filled in.
    """
    from gateway.accounts.registering import new_invitation

    with kept(config, SqlAccounts) as accounts:
        code, expires_at = new_invitation(accounts, operator_name(), lasts_s)
    click.echo(f"invitation {code}, good until {second(expires_at)} UTC")


@account.command()
@click.argument("name")
@with_settings
def export(config: Config, name: str) -> None:
    """Write all data of NAME to standard output, as a ZIP file.

    It is the file that NAME can download on the page /account: what is kept of the account, and the games.

    \b
      boardgate account export alice > alice.zip
    """
    from gateway.record.archive import Archives
    from gateway.store.former import PublicViews
    from gateway.store.personal import PersonalRows

    with kept(config, PersonalRows) as rows, closing(PublicViews(config.database_url)) as views:
        pieces = Archives(rows, views, config.server.name).of(name, time.time())
        if pieces is None:
            raise NoAccount(f"there is no account {name!r}")
        for piece in pieces:
            sys.stdout.buffer.write(piece)


@account.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_settings
def delete(config: Config, name: str, yes: bool) -> None:
    """Delete NAME: password, tokens, sessions and preferences go. The name stays taken.

    Pages and the API show "former player" in its place. The record itself is never changed.
    """
    if not yes:
        click.confirm(f"delete the account {name} for good", abort=True)
    with kept(config, SqlAccounts) as accounts:
        accounts.delete(name, operator_name())
    _said(name, "deleted")


@account.command()
@with_settings
def log(config: Config) -> None:
    """Show who changed which account when."""
    drawn = Table("when (UTC)", "account", "change", "by")
    with kept(config, SqlAccounts) as accounts:
        for change in accounts.changes():
            drawn.add_row(second(change.at), plain(change.name), change.change, plain(change.by))
    say(drawn)


def _new_password(name: str, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return read_password(f"password for {name}", twice=True)


def _said(name: str, change: str) -> None:
    import structlog

    structlog.get_logger().info("account changed", name=name, change=change, by=operator_name())
    click.echo(f"{name}: {change}")
