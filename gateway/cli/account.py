"""``boardgate account``: registered names in the database of the settings. A running server learns of them by itself.

Not here: how passwords are kept (gateway.accounts), and logging in (the web).
"""

from __future__ import annotations

import sys

import click
from rich import box
from rich.table import Table

from gateway.cli.options import with_settings
from gateway.cli.password import read_password
from gateway.cli.record import console, kept, plain, second
from gateway.cli.whoever import whoever
from gateway.config import Config
from gateway.store.accounts import NameOwned, SqlAccounts


@click.group()
def account() -> None:
    """Register names for people: add, passwd, disable, enable, revoke, log.

    A registered name is its owner's: nobody else gets it, in whatever letter case. Passwords are asked for, or read
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
    """Register NAME, for whoever knows the password."""
    from gateway.accounts.passwords import hashed  # after --help has been answered
    from gateway.lobby.names import check, is_guest
    from gateway.lobby.spelling import keys

    wanted = check(name, guest=False)
    if is_guest(wanted):
        raise click.BadParameter(f"{wanted} is what guests are called", param_hint="NAME")
    with kept(config, SqlAccounts) as accounts:
        for other in accounts.names():
            if other.casefold() != wanted.casefold() and not keys(other).isdisjoint(keys(wanted)):
                raise NameOwned(f"{wanted} looks like {other}, which is registered already")
        accounts.add(wanted, hashed(_new_password(wanted, from_stdin)), whoever())
    _said(wanted, "added")


@account.command()
@click.argument("name")
@_with_password
@with_settings
def passwd(config: Config, name: str, from_stdin: bool) -> None:
    """Give NAME another password; the old one ends at once, and every token with it."""
    from gateway.accounts.passwords import hashed

    with kept(config, SqlAccounts) as accounts:
        accounts.set_password(name, hashed(_new_password(name, from_stdin)), whoever())
    _said(name, "password changed")


@account.command()
@click.argument("name")
@with_settings
def disable(config: Config, name: str) -> None:
    """Let NAME log in no more. The name stays taken."""
    with kept(config, SqlAccounts) as accounts:
        accounts.set_disabled(name, True, whoever())
    _said(name, "disabled")


@account.command()
@click.argument("name")
@with_settings
def enable(config: Config, name: str) -> None:
    """Let NAME log in again."""
    with kept(config, SqlAccounts) as accounts:
        accounts.set_disabled(name, False, whoever())
    _said(name, "enabled")


@account.command()
@click.argument("name")
@with_settings
def revoke(config: Config, name: str) -> None:
    """End every token of NAME: its programs log in anew. The password stays."""
    with kept(config, SqlAccounts) as accounts:
        accounts.revoke(name, whoever())
    _said(name, "tokens ended")


@account.command()
@with_settings
def log(config: Config) -> None:
    """Show who changed which account when."""
    drawn = Table("when (UTC)", "account", "change", "by", box=box.SIMPLE)
    with kept(config, SqlAccounts) as accounts:
        for change in accounts.changes():
            drawn.add_row(second(change.at), plain(change.name), change.change, plain(change.by))
    console().print(drawn)


def _new_password(name: str, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return read_password(f"password for {name}", twice=True)


def _said(name: str, change: str) -> None:
    import structlog

    structlog.get_logger().info("account changed", name=name, change=change, by=whoever())
    click.echo(f"{name}: {change}")
