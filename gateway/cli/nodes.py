"""``boardgate nodes``: shows the servers that share the database, and tells one of them to drain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click
from click.core import ParameterSource

from gateway.cli.drawing import Table, plain, say, styled
from gateway.cli.options import operator_name, with_settings
from gateway.cli.record import kept, second
from gateway.config import Config
from gateway.store.engine import is_sqlite
from gateway.store.nodes import Node, SqlNodes, tree
from gateway.store.schema import LOBBY
from protocols.core.errors import BoardgateError

STYLES: Final = {"serving": "green", "draining": "yellow", "late": "red"}


class NoNode(BoardgateError):
    """No node has this name, or there cannot be any."""


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON list, for programs.")
@with_settings
@click.pass_context
def nodes(context: click.Context, config: Config, as_json: bool) -> None:
    """Show the servers that share one PostgreSQL database, or tell one to drain.

    Each server process on the database is a node. It renews a lease every half second. A node whose lease has ended is
    late: the others bury it within a second, and take its tables over. A draining node gives its tables to the others.

    Without a command it lists the nodes: the version that runs there, the tables it serves, the seconds until its lease
    ends, the node that seats newcomers (lobby), and since when each runs.

    \b
    To restart a node and disturb nobody:
      boardgate nodes drain gate-2
      boardgate nodes                   until gate-2 has 0 tables
      systemctl restart boardgate       on gate-2's machine
    """
    if context.invoked_subcommand is None:
        _show(config, as_json=as_json)
        return
    given = [name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if given:
        raise click.UsageError(f"write the options behind {context.invoked_subcommand}", context)


@nodes.command()
@click.argument("name")
@with_settings
def drain(config: Config, name: str) -> None:
    """Tell the node NAME to give its tables to the others.

    It seats nobody new. The players who are connected to it stay connected, and play on; after cluster.linger, an hour,
    they are hung up on, and go on at another node. A node that starts again serves. Who did it is noted: boardgate log.
    """
    _steer(config, name, on=True)


@nodes.command()
@click.argument("name")
@with_settings
def undrain(config: Config, name: str) -> None:
    """Tell the node NAME to serve again."""
    _steer(config, name, on=False)


def _show(config: Config, *, as_json: bool) -> None:
    with _opened(config) as found:
        living, lobby = found.living(), found.role(LOBBY)
    holder = None if lobby is None else lobby.node
    if as_json:
        click.echo(json.dumps([tree(node, holder) for node in living], indent=2, ensure_ascii=False))
    elif not living:
        click.echo("no nodes: no server runs on this database")
    else:
        say(_drawn(living, holder))


def _drawn(living: list[Node], lobby: int | None) -> Table:
    drawn = Table("name", "id", "version", "state", "tables", "lease (s)", "role", "since (UTC)", right=(1, 4, 5))
    for node in living:
        state = styled(node.standing, STYLES[node.standing])
        role, lease = "lobby" if node.id == lobby else "", f"{node.lease_s:.1f}"
        words = plain(node.name), str(node.id), plain(node.version)
        drawn.add_row(*words, state, str(node.tables), lease, role, second(node.started_at))
    return drawn


def _steer(config: Config, name: str, *, on: bool) -> None:
    with _opened(config) as found:
        if not found.drain(name, on, operator_name()):
            names = ", ".join(node.name for node in found.living()) or "none"
            raise NoNode(f"there is no node {name}; the nodes that live: {names}")
        alone = all(node.name == name or node.standing != "serving" for node in found.living())
    click.echo(f"{name}: {'draining' if on else 'serving again'}")
    if on and alone:
        click.echo("no other node serves: its games go on there, and new tables are refused")


@contextmanager
def _opened(config: Config) -> Iterator[SqlNodes]:
    """The nodes of the settings' database. NoNode: it is of one process."""
    if is_sqlite(config.database_url):
        raise NoNode("there are no nodes: SQLite is used by one process, several servers need PostgreSQL")
    with kept(config, SqlNodes) as found:
        yield found
