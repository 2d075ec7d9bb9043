"""``boardgate account list`` and ``show``: what a host sees of accounts. No secret of one is printed."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Iterable, Iterator
from typing import Any

import click

from gateway.cli.drawing import Table, plain, say
from gateway.cli.options import with_settings
from gateway.cli.record import kept, second
from gateway.config import Config
from gateway.lobby.banned import Banned
from gateway.store.account_views import MOST, AccountLine, AccountView, AccountViews, MailState
from gateway.store.accounts import NoAccount
from gateway.store.bans import Ban, SqlBans
from gateway.store.tokens import SCOPES, Token
from gateway.store.views import moment

MAIL: dict[MailState, str] = {
    "": "no address",
    "waits": "an address that is not confirmed",
    "confirmed": "a confirmed address",
}
"""An account's mail address in words."""


@click.command()
@click.option("--search", "part", default="", metavar="PART", help="Only names with this in them, in any letter case.")
@click.option("--after", default="", metavar="NAME", help="Only names behind this one: the next lines of a long list.")
@click.option("--most", type=click.IntRange(1, MOST), default=100, show_default=True, help="Lines to show.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list, for programs.")
@with_settings
def listed(config: Config, part: str, after: str, most: int, as_json: bool) -> None:
    """List accounts by name: since when, last seen, how many tokens, and who is a program or disabled.

    "Seen" is the last use of a browser's session, to an hour, or of a token, to a day, as long as one of them is left.

    \b
      boardgate account list
      boardgate account list --search ali --json
    """
    with kept(config, AccountViews) as views:
        lines, more = views.page(part.strip(), after.strip(), most, time.time())
    if as_json:
        click.echo(json.dumps([_tree(line) for line in lines], indent=2, ensure_ascii=False))
    else:
        say(_drawn(lines))
    if more:
        click.echo(f"there are more: --after {shlex.quote(plain(lines[-1].name))}", err=True)


@click.command()
@click.argument("name")
@click.option("--mail", is_flag=True, help="Print the mail address in full; else only whether there is one.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@with_settings
def shown(config: Config, name: str, mail: bool, as_json: bool) -> None:
    """Show what is known of NAME: sessions, tokens, games by number, bans, reports, the last acts.

    Tokens are shown by what they are called, never by their secrets. What the account has played and said, and all that
    is kept of it, is in the file of "account export".

    \b
      boardgate account show alice
      boardgate account show alice --mail
    """
    now = time.time()
    with kept(config, AccountViews) as views, kept(config, SqlBans) as bans:
        found = views.of(name.strip(), now)
        if found is None:
            raise NoAccount(f"there is no account {name!r}")
        ban = Banned(bans.current(now)).name(found.line.name, now)
    if as_json:
        click.echo(json.dumps(_whole(found, ban, mail), indent=2, ensure_ascii=False))
        return
    say("\n".join(_facts(found, ban, mail)))
    for drawn in _tables(found):
        say(drawn)


def tokens_drawn(tokens: Iterable[Token]) -> Table:
    """Tokens by what they are called."""
    drawn = Table("id", "name", "good for", "made", "last used", "until")
    for one in tokens:
        used = second(one.used_at).partition(" ")[0] if one.used_at is not None else "never"
        until = "revoked" if one.lasting else second(one.expires_at)
        cells = (one.id, plain(one.label or "(login)"), ", ".join(_scopes(one)), second(one.created_at), used, until)
        drawn.add_row(*cells)
    return drawn


def _drawn(lines: Iterable[AccountLine]) -> Table:
    drawn = Table("name", "since (UTC)", "seen (UTC)", "tokens", "state", right=(3,))
    for line in lines:
        seen = second(line.seen_at) if line.seen_at is not None else ""
        drawn.add_row(plain(line.name), second(line.created_at), seen, str(line.tokens or ""), line.state)
    return drawn


def _facts(found: AccountView, ban: Ban | None, mail: bool) -> Iterator[str]:
    line = found.line
    yield f"{plain(line.name)}: {line.state or 'a person'}, since {second(line.created_at)} UTC"
    if line.disabled_at is not None:
        yield f"disabled: since {second(line.disabled_at)} UTC"
    if ban is not None:
        until = f"until {second(ban.ends_at)} UTC" if ban.ends_at is not None else "until it is removed"
        yield f"banned: as {plain(ban.target)}, {until}" + (f": {plain(ban.reason)}" if ban.reason else "")
    yield f"seen: {second(line.seen_at) + ' UTC' if line.seen_at is not None else 'not known'}"
    yield f"mail: {MAIL[found.mail]}" + (f", {plain(found.address)}" if mail and found.address else "")
    for link in found.links:
        yield f"linked: to a login of {plain(link.issuer)}, since {second(link.linked_at)} UTC"
    yield f"games: {found.tables} tables, {found.rated} rated games that ended"
    yield f"logged in: {len(found.sessions)} browsers, {line.tokens} tokens"


def _tables(found: AccountView) -> Iterator[Table]:
    """The tables that have rows."""
    if found.sessions:
        drawn = Table("browser since (UTC)", "last used", "until")
        for one in found.sessions:
            drawn.add_row(second(one.created_at), second(one.used_at), second(one.expires_at))
        yield drawn
    if found.tokens:
        yield tokens_drawn(found.tokens)
    if found.reports:
        drawn = Table("report", "when (UTC)", "by", "table", "state", "text")
        for report in found.reports:
            table = str(report.table) if report.table is not None else ""
            state = "waits" if report.closed_at is None else "closed"
            cells = (str(report.id), second(report.at), plain(report.by), table, state)
            drawn.add_row(*cells, plain(report.text.replace("\n", " ")))
        yield drawn
    if found.acts:
        drawn = Table("when (UTC)", "change", "by")
        for act in found.acts:
            drawn.add_row(second(act.at), act.act.partition(".")[2], plain(act.by))
        yield drawn


def _whole(found: AccountView, ban: Ban | None, mail: bool) -> dict[str, Any]:
    banned = ban and {"target": ban.target, "reason": ban.reason, "ends_at": _moment(ban.ends_at)}
    return _tree(found.line) | {
        "mail": found.mail or None,
        **({"mail_address": found.address or None} if mail else {}),
        "linked": [{"issuer": each.issuer, "linked_at": moment(each.linked_at)} for each in found.links],
        "tables": found.tables,
        "rated": found.rated,
        "banned": banned,
        "sessions": [
            {"created_at": moment(each.created_at), "used_at": moment(each.used_at), "until": moment(each.expires_at)}
            for each in found.sessions
        ],
        "token_list": [_token(each) for each in found.tokens],
        "reports": [
            {
                "id": each.id,
                "at": moment(each.at),
                "by": each.by,
                "table": each.table,
                "text": each.text,
                "closed_at": _moment(each.closed_at),
            }
            for each in found.reports
        ],
        "acts": [{"at": moment(act.at), "act": act.act, "by": act.by} for act in found.acts],
    }


def _tree(line: AccountLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "created_at": moment(line.created_at),
        "seen_at": _moment(line.seen_at),
        "program": line.bot_since is not None,
        "disabled_at": _moment(line.disabled_at),
        "tokens": line.tokens,
    }


def _token(one: Token) -> dict[str, Any]:
    until = None if one.lasting else moment(one.expires_at)
    times = {"created_at": moment(one.created_at), "used_at": _moment(one.used_at), "until": until}
    return {"id": one.id, "name": one.label, "scopes": _scopes(one), **times}


def _scopes(one: Token) -> list[str]:
    return [scope for scope in SCOPES if scope in one.scopes]


def _moment(at: float | None) -> str | None:
    return None if at is None else moment(at)
