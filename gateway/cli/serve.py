"""``boardgate serve``: wires record, house bots, house and listeners together, runs them, stops them cleanly.

Not here: what any of them does.
"""

from __future__ import annotations

import gc
import signal
from contextlib import AsyncExitStack
from typing import Final

import click
import structlog
import trio

from gateway.bots.engines import engines
from gateway.bots.players import HousePlayers
from gateway.cli.logs import start_logging
from gateway.cli.options import with_listeners, with_settings
from gateway.config import BadSetting, Config
from gateway.server.house import House
from gateway.server.listen import Door, accept, open_door, open_socket
from gateway.server.scribe import Scribe
from gateway.store.engine import is_sqlite
from gateway.store.log import SqlLog
from gateway.web import app, guard
from migrations import is_current, upgrade

HTTP: Final = "http"
"""The listener that is not a dialect of tables: web pages and the API."""

GC_THRESHOLDS: Final = (100_000, 50, 100)
"""Objects until a collection: tables and connections are long-lived, and looking through all of them often doubled
the time of a move at 1,000 tables."""

_log = structlog.get_logger()


@click.command()
@with_listeners
@with_settings
def serve(config: Config) -> None:
    """Start the server.

    Prints a line for every listener and then "ready" on standard output; the log goes to standard error. Ctrl-C or
    SIGTERM stops it: players are told, everything they were told is stored, and running games go on when it starts
    again.

    \b
    Everything on this machine only, with house bots:
      boardgate serve
    Ludo for everybody, nothing else:
      boardgate serve --listen bogaprot=0.0.0.0:5701,game=ludo
    """
    start_logging(config.log.level, config.log.format)
    config.make_data_directory()
    _bring_up_to_date(config.database_url)
    _allow_many_files()
    trio.run(_serve, config)


def _bring_up_to_date(url: str) -> None:
    if is_current(url):
        return
    if not is_sqlite(url):
        raise BadSetting("the database is not of this version; run: boardgate migrate")
    upgrade(url, lambda line: _log.info("database", step=line))


def _allow_many_files() -> None:
    """Each connection is a file descriptor: use as many as the system allows this process."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def _serve(config: Config) -> None:
    scribe = Scribe(lambda deliver: SqlLog(config.database_url, deliver))
    try:
        async with AsyncExitStack() as stack:
            bots = None
            if config.bots.workers:
                found = engines(config.bot).values()
                bots = await stack.enter_async_context(HousePlayers.open(config.bots.workers, found))
            await _run(config, House(config, scribe, bots), bots)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(scribe.log.close)
    _log.info("stopped")


async def _run(config: Config, house: House, bots: HousePlayers | None) -> None:
    """Open every listener, run until a signal, say goodbye."""
    doors, pages, lines = _open_listeners(config, house)
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            await nursery.start(house.run)
            if bots is not None:
                nursery.start_soon(bots.tend)
            for door in doors:
                nursery.start_soon(accept, house, door)
            if pages:
                nursery.start_soon(_serve_pages, config, house, pages)
            for line in lines:
                click.echo(line)
            click.echo("ready")
            _log.info("ready", name=config.server.name, public_host=config.server.public_host)
            gc.collect()
            gc.freeze()
            gc.set_threshold(*GC_THRESHOLDS)
            stopping = await anext(signals)
            _log.info("stopping", signal=signal.Signals(stopping).name)
            await house.farewell()
            nursery.cancel_scope.cancel()


def _open_listeners(config: Config, house: House) -> tuple[list[Door], list[trio.SocketListener], list[str]]:
    """Doors of dialects, listeners of pages, and the lines that announce them, in the order of the settings."""
    doors: list[Door] = []
    pages: list[trio.SocketListener] = []
    lines: list[str] = []
    for listen in config.listen:
        if listen.dialect == HTTP:
            if listen.options:
                raise BadSetting(f"listener {listen}: {HTTP} has no option {min(listen.options)!r}")
            sock, shown = open_socket(listen)
            pages.append(trio.SocketListener(trio.socket.from_stdlib_socket(sock)))
            lines.append(f"listening {HTTP} {shown.address}")
        else:
            doors.append(open_door(listen, house.house_rules(), config.server.name))
            lines.append(doors[-1].line())
    return doors, pages, lines


async def _serve_pages(config: Config, house: House, pages: list[trio.SocketListener]) -> None:
    await guard.serve(pages, app.make_app(house.not_ready), limits=config.limits, places=house.doors)
