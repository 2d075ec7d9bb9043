"""``boardgate account``: registered names in the database of the settings. Running servers notice changes."""

from __future__ import annotations

import sys
import time
from collections.abc import Collection
from contextlib import closing
from typing import Final

import click

from gateway.cli.accounts_shown import listed, shown, tokens_drawn
from gateway.cli.drawing import Table, plain, say
from gateway.cli.options import Duration, operator_name, read_password, with_settings
from gateway.cli.record import kept, second
from gateway.config import Config
from gateway.store.accounts import NoAccount, SqlAccounts
from gateway.store.tokens import ALL, SCOPES, NoToken

FOR: Final = Duration("how long it is good, such as 14d")


@click.group()
def account() -> None:
    """Register names for people and programs, look at them, and what belongs to them: passwords, links, tokens.

    A registered name belongs to its owner, in any letter case. Passwords are asked for, or read
    from standard input. Every change is written down with who made it.

    \b
      boardgate account add alice
      boardgate account list --search ali
      boardgate account show alice
      boardgate account passwd alice --password-stdin < file
      boardgate account disable alice
      boardgate account reset alice
      boardgate account token alice-bot --bot
    """


account.add_command(listed, "list")
account.add_command(shown, "show")


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
    from gateway.ops.word_file import WordFile

    with kept(config, SqlAccounts) as accounts:
        wanted = free_name(name, accounts.names(), guest=False)
        WordFile(config).filter.check_name(wanted)
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

    It leads to mail.pages, else to server.public_host. An older link of NAME ends.
    """
    from gateway.accounts.forgotten import new_link

    with kept(config, SqlAccounts) as accounts:
        registered, code, expires_at = new_link(accounts, name, operator_name(), lasts_s)
    click.echo(f"{registered}: {_url(config)}/password#{code}, good once, until {second(expires_at)} UTC")


@account.command()
@click.argument("name")
@click.option("--for", "lasts_s", type=FOR, default="1d", help="How long the link is good, such as 1d.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_settings
def reset(config: Config, name: str, lasts_s: float, yes: bool) -> None:
    """Give NAME back to its owner, after somebody else has got into the account.

    The password is good no more. Browsers and programs of NAME are logged out: sessions, tokens and older links end.
    Its mail address, its webhook, its links to logins elsewhere and its browsers that are told while away are removed,
    for whoever was in may have set them. Games, ratings, lists and preferences stay. Then a one-time link for another
    password is printed, as by "account link": give it to the owner alone. Who is at a table stays there until that
    connection ends.
    """
    from gateway.accounts.forgotten import nobodys_password, taken_back
    from gateway.accounts.logins import hashed

    if not yes:
        click.confirm(f"log {name} out everywhere, and take its password and mail address away", abort=True)
    with kept(config, SqlAccounts) as accounts:
        nobodys = hashed(nobodys_password())
        registered, code, expires_at = taken_back(accounts, name, operator_name(), nobodys, lasts_s)
    _said(registered, "reset")
    if code:
        click.echo(f"{registered}: {_url(config)}/password#{code}, good once, until {second(expires_at)} UTC")
    else:
        click.echo(f"{registered}: is disabled and gets no link; enable it, then boardgate account link {registered}")


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
@click.argument("name")
@click.option("--name", "label", default="", metavar="TEXT", help="What to call the token; else what it is for.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(list(SCOPES)),
    help="What it is for; may be repeated; else all.",
)
@click.option("--until", default="", metavar="DAY", help="Its last day, such as 2027-06-30; else until it is revoked.")
@click.option("--bot", is_flag=True, help="Mark NAME as a program's account, and print what a lichess-bot needs.")
@click.option("--list", "listing", is_flag=True, help="Show the tokens of NAME instead.")
@click.option("--revoke", default="", metavar="TOKEN", help="End this token instead, by its name or its id.")
@with_settings
def token(
    config: Config, name: str, label: str, scopes: tuple[str, ...], until: str, bot: bool, listing: bool, revoke: str
) -> None:
    """Make a token, by which a program logs in as NAME. It is printed once.

    It lasts until it is revoked, unless --until says a day. A program gives it in place of the password.

    \b
      boardgate account token alice --name laptop --scope board:play
      boardgate account token alice-bot --bot
      boardgate account token alice --list
      boardgate account token alice --revoke laptop
    """
    from gateway.accounts.issuing import issue

    making = bool(label or scopes or until or bot)
    if listing + bool(revoke) + making > 1:
        raise click.UsageError("--list and --revoke stand alone")
    with kept(config, SqlAccounts) as accounts:
        found = accounts.find(name)
        if found is None:
            raise NoAccount(f"there is no account {name!r}")
        if listing:
            say(tokens_drawn(accounts.tokens(name, time.time())))
        elif revoke:
            _end_token(accounts, found.name, revoke)
        else:
            if bot and accounts.set_bot(name, True, operator_name()):
                _said(found.name, "marked as a program's")
            wanted = scopes or (("bot:play",) if bot else (ALL,))
            secret, _ = issue(accounts, found.name, operator_name(), label or _usual(wanted), wanted, until)
            click.echo(f'token: "{secret}"')
            if bot:
                click.echo(f'url: "{_url(config)}/"')


def _usual(scopes: Collection[str]) -> str:
    """A name for a token that is given none."""
    return "lichess-bot" if tuple(scopes) == ("bot:play",) else "a program"


def _end_token(accounts: SqlAccounts, name: str, wanted: str) -> None:
    """NoToken: the account has none of this name or id."""
    for one in accounts.tokens(name, time.time()):
        if wanted.casefold() == one.label.casefold() or wanted == one.id:
            accounts.end_token(one.digest, operator_name())
            _said(name, f"the token {one.label or one.id} is ended")
            return
    raise NoToken(f"{name} has no token {wanted!r}: --list shows them")


def _url(config: Config) -> str:
    """The address of the server's pages; where the settings have none, that of its first listener of HTTP."""
    from gateway.accounts.registering import pages_of
    from gateway.cli.listening import HTTP, opened_by_browser
    from gateway.net.tls import CERT

    here = [opened_by_browser(listen, CERT in listen.options) for listen in config.listen if listen.dialect == HTTP]
    return pages_of(config) or next(iter(here), "http://HOST:PORT")


@account.command()
@click.argument("name")
@click.option("--off", is_flag=True, help="It is a person's account again.")
@with_settings
def bot(config: Config, name: str, off: bool) -> None:
    """Mark NAME as the account of a program."""
    with kept(config, SqlAccounts) as accounts:
        changed = accounts.set_bot(name, not off, operator_name())
    whose = "a person's" if off else "a program's"
    if changed:
        _said(name, f"marked as {whose}")
    else:
        click.echo(f"{name}: was {whose} already")


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
