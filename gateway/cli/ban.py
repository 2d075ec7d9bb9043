"""``boardgate ban``: bans in the database of the settings. A running server learns of them by itself."""

from __future__ import annotations

import time
from typing import Final

import click

from gateway.cli.drawing import Table, plain, say
from gateway.cli.options import Duration, operator_name, with_settings
from gateway.cli.record import kept, second
from gateway.config import Config
from gateway.store.bans import LONGEST_REASON, Ban, SqlBans

FOR: Final = Duration("how long it lasts, such as 7d; without --for it lasts until it is removed")


@click.group()
def ban() -> None:
    """Keep networks and names out: add, remove, list, log.

    A TARGET is an address, a network or a name. A banned network cannot connect; under a banned name, or one that looks
    like it, no player takes a seat, looks on or uses an account. Those who are there are told and sent away. A running
    server knows within five seconds. Every change is written down with who made it.

    \b
      boardgate ban add 192.0.2.0/24 --reason "spam" --for 7d
      boardgate ban add mallory --reason "plays with an engine"
      boardgate ban remove mallory
    """


@ban.command()
@click.argument("target")
@click.option("--reason", default="", metavar="TEXT", help="Told to the banned; shown in the list.")
@click.option("--for", "lasts_s", type=FOR, help="How long it lasts, such as 7d; without it until it is removed.")
@with_settings
def add(config: Config, target: str, reason: str, lasts_s: float | None) -> None:
    """Ban TARGET, in place of an older ban."""
    from gateway.lobby.banned import target_of  # after --help has been answered

    kind, banned = target_of(target)
    if len(reason) > LONGEST_REASON or not reason.isprintable():
        raise click.BadParameter(f"up to {LONGEST_REASON} printable characters", param_hint="--reason")
    ends_at = None if lasts_s is None else time.time() + lasts_s
    with kept(config, SqlBans) as bans:
        bans.add(Ban(kind, banned, reason, ends_at), operator_name())
    _said(f"{kind} {banned}", "banned" + (f" until {_shown(ends_at)} UTC" if ends_at is not None else ""))


@ban.command()
@click.argument("target")
@with_settings
def remove(config: Config, target: str) -> None:
    """Let TARGET in again, written as the list shows it."""
    from gateway.lobby.banned import target_of

    kind, banned = target_of(target)
    with kept(config, SqlBans) as bans:
        bans.remove(kind, banned, operator_name())
    _said(f"{kind} {banned}", "no longer banned")


@ban.command(name="list")
@with_settings
def show(config: Config) -> None:
    """Show the bans that have not ended."""
    drawn = Table("kind", "target", "until (UTC)", "reason")
    with kept(config, SqlBans) as bans:
        for found in bans.current(time.time()):
            drawn.add_row(found.kind, plain(found.target), _shown(found.ends_at), plain(found.reason))
    say(drawn)


@ban.command()
@with_settings
def log(config: Config) -> None:
    """Show who banned whom when, and who took it back."""
    drawn = Table("when (UTC)", "kind", "target", "change", "until (UTC)", "by", "reason")
    with kept(config, SqlBans) as bans:
        for made in bans.changes():
            found = made.ban
            until = _shown(found.ends_at)
            cells = (found.kind, plain(found.target), made.change, until, plain(made.by), plain(found.reason))
            drawn.add_row(_shown(made.at), *cells)
    say(drawn)


def _shown(at: float | None) -> str:
    return "never" if at is None else second(at)


def _said(target: str, change: str) -> None:
    import structlog

    structlog.get_logger().info("ban changed", target=target, change=change, by=operator_name())
    click.echo(f"{target}: {change}")
