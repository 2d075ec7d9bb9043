"""``boardgate log``: who did what with the host's rights. ``account log`` and ``ban log`` show parts of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import click

from gateway.cli.drawing import Table, plain, say
from gateway.cli.options import with_settings
from gateway.cli.record import kept, second
from gateway.config import Config, duration
from gateway.store.acts import CATEGORIES, KINDS, ActLog
from gateway.store.records import Act
from gateway.store.views import moment


class Since(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """A duration, which is so long ago, or a day or moment of UTC; Unix time."""

    name = "WHEN"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            ago_s = duration(str(value))
        except ValueError:
            ago_s = None
        if ago_s is not None:
            return time.time() - ago_s
        try:
            when = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r}: write 7d, 2026-11-20 or 2026-11-20T18:30", param, ctx)
        return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp()


@click.command()
@click.option("--since", type=Since(), help="Only what was done since then: 7d, 2026-11-20, 2026-11-20T18:30 (UTC).")
@click.option(
    "--act",
    "of",
    type=click.Choice([*CATEGORIES, *KINDS]),
    metavar="ACT",
    default=None,
    help="Only acts of this kind, such as ban.added, or of a whole category, such as ban.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON list, for programs.")
@with_settings
def log(config: Config, since: float | None, of: str | None, as_json: bool) -> None:
    """Show who did what on this server, the oldest first.

    Everything that was done with the host's rights and concerns the database: accounts, bans, games deleted, tables
    registered with the host's token, draining, copies and migrations. No command takes a line out of it.

    \b
      boardgate log --since 7d
      boardgate log --act games.deleted --json
    """
    with kept(config, ActLog) as noted:
        found = noted.acts(of or "", since)
        if as_json:
            click.echo(json.dumps([_tree(act) for act in found], indent=2, ensure_ascii=False))
        else:
            say(_drawn(found))


def _drawn(found: Iterable[Act]) -> Table:
    drawn = Table("id", "when (UTC)", "by", "act", "object", "detail", right=(0,))
    for act in found:
        detail = ", ".join(f"{name} {value}" for name, value in _told(act, second).items())
        cells = (plain(act.by), plain(act.act), plain(act.object), plain(detail))
        drawn.add_row(str(act.id), second(act.at), *cells)
    return drawn


def _tree(act: Act) -> dict[str, Any]:
    shown = {"id": act.id, "at": moment(act.at), "by": act.by, "act": act.act, "object": act.object}
    return shown | {"detail": _told(act, moment)}


def _told(act: Act, written: Callable[[float], str]) -> dict[str, Any]:
    """The detail, its moments as they are to be ``written``; what is empty says nothing."""
    told = json.loads(act.detail).items()
    return {name: written(value) if name.endswith("_at") else value for name, value in told if value != ""}
