"""``boardgate serve``: wires record, house bots, server and listeners together, runs them, stops them cleanly."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, closing
from functools import partial
from typing import Final

import click
import structlog
import trio
from starlette.routing import BaseRoute

from gateway import registry
from gateway.accounts.logins import Logins
from gateway.accounts.tokens import AdminToken
from gateway.admission.admission import WebAdmission
from gateway.bots.engines import engines
from gateway.bots.players import HousePlayers
from gateway.cli.check import check
from gateway.cli.listening import Listening
from gateway.cli.logs import start_logging
from gateway.cli.options import with_listeners, with_settings
from gateway.cli.service import READY, STOPPING, announce, drain_on_signal, reload_on_hangup
from gateway.commits.commit_queue import CommitQueue
from gateway.config import BadSetting, Config
from gateway.ops.retention import forget
from gateway.ops.server import GameServer
from gateway.relay.listen import RelayListener
from gateway.relay.listen import accept as accept_callers
from gateway.relay.relay import Relay
from gateway.store.accounts import SqlAccounts
from gateway.store.bans import SqlBans
from gateway.store.engine import is_sqlite
from gateway.store.former import PublicViews
from gateway.store.log import SqlLog
from gateway.web import guard, relays
from gateway.web.askers import Askers
from gateway.web.forwarded import Forwarded, proxy_limiter
from gateway.web.http_dialects import http_dialect_routes
from gateway.web.kept import kept
from gateway.web.metrics import Sources, metrics_route
from gateway.web.pages.site import site
from gateway.web.routes import askers_of
from gateway.web.takeover import takeover_of, upgrade_routes
from migrations import is_current, upgrade

GC_THRESHOLDS: Final = (2_000, 4, 1_000)
"""Objects until a collection, and collections until a longer one. What ends here is free without any; a collection only
finds what libraries leave behind, and looks through all that is new: half a millisecond for this many, five for four
times as many, a tenth of a second for the hundred thousand of a storm of connections. What was there at the start is
frozen, and everything is looked through seldom, or it would double the time of a move at 1,000 tables."""

_log = structlog.get_logger()


@click.command()
@with_listeners
@click.option("--check", "only_check", is_flag=True, help="Say what a start would meet, and start nothing.")
@with_settings
def serve(config: Config, only_check: bool) -> None:
    """Start the server.

    Prints a line for every listener, the address to open in a browser, and then "ready" on standard output; the log
    goes to standard error. Ctrl-C or SIGTERM stops it: players are told, everything they were told is stored, and
    running games go on when it starts again.

    \b
    Everything on this machine only, with house bots:
      boardgate serve
    Ludo for everybody, nothing else:
      boardgate serve --listen bogaprot=0.0.0.0:5701,game=ludo
    Look at settings, addresses, certificates, database and engines, and start nothing:
      boardgate serve --check
    """
    if only_check:
        start_logging("error", config.log.format)
        check(config)
        return
    start_logging(config.log.level, config.log.format)
    token = AdminToken(config.registration)
    config.make_data_directory()
    _bring_up_to_date(config.database_url)
    _allow_many_files()
    trio.run(_serve, config, token)


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


async def _serve(config: Config, token: AdminToken) -> None:
    commits = CommitQueue(lambda deliver: SqlLog(config.database_url, deliver))
    try:
        async with AsyncExitStack() as stack:
            bots = None
            if config.bots.workers:
                found = engines(config.bot)
                bots = await stack.enter_async_context(HousePlayers.open(config.bots.workers, found))
            accounts = stack.enter_context(closing(SqlAccounts(config.database_url)))
            bans = stack.enter_context(closing(SqlBans(config.database_url)))
            logins = Logins(accounts, config.registration.logins_at_once)
            await _run(config, GameServer(config, commits, accounts, bans, bots, logins), bots, token, logins)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(commits.close)
    _log.info("stopped")


async def _run(
    config: Config, server: GameServer, bots: HousePlayers | None, token: AdminToken, logins: Logins
) -> None:
    """Open every listener, run until a signal, say goodbye."""
    opened = _open_listeners(config, server)
    relay = _relay(config, server, opened.relays)
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            await nursery.start(reload_on_hangup, opened.certificates())
            await nursery.start(drain_on_signal, server.drain)
            await nursery.start(server.run)
            if bots is not None:
                nursery.start_soon(bots.tend)
            nursery.start_soon(server.disk.watch)
            if config.record.delete_after_s is not None:
                after_s = config.record.delete_after_s
                nursery.start_soon(forget, config.database_url, server.commits, server.tables, after_s)
            for listener in opened.listeners:
                nursery.start_soon(server.acceptor.accept, listener)
            if relay is not None:
                server.ban_enforcer.also(relay.send_away)
                await nursery.start(relay.run)
                for relay_listener in opened.relays:
                    nursery.start_soon(accept_callers, relay, relay_listener, server.admission.no_tls)
            if opened.pages or opened.proxied:
                counters = relay.counters if relay is not None else None
                pids: Callable[[], Sequence[int]] = bots.pids if bots is not None else tuple
                sources = Sources(server, counters, opened.certificates(), pids)
                askers = askers_of(server, token, logins)
                routes: list[BaseRoute] = [
                    metrics_route(sources, askers),
                    *relays.routes(relay, lambda: server.drain.on),
                    *http_dialect_routes(server, registry.dialects()),
                ]
                nursery.start_soon(_serve_pages, server, opened, routes, askers, pids)
            for line in opened.lines:
                click.echo(line)
            click.echo("ready")
            for address in opened.to_open():
                click.echo(f"open {address}")
            _log.info("ready", name=config.server.name, public_host=config.server.public_host)
            gc.collect()
            gc.freeze()
            gc.set_threshold(*GC_THRESHOLDS)
            announce(READY)
            stopping = await anext(signals)
            announce(STOPPING)
            _log.info("stopping", signal=signal.Signals(stopping).name)
            await server.farewell()
            nursery.cancel_scope.cancel()


def _open_listeners(config: Config, server: GameServer) -> Listening:
    """In the order of the settings."""
    opened = Listening()
    for listen in config.listen:
        opened.open(listen, server.house_rules, config.server.name)
    return opened


def _relay(config: Config, server: GameServer, listeners: list[RelayListener]) -> Relay | None:
    """One relay for all its listeners; helpers are sent to the first of them, where one-time ports are opened, too."""
    if not listeners:
        return None
    record_all = any(listener.wire_log for listener in listeners)
    shown, tls = listeners[0].shown, listeners[0].certificate is not None
    return Relay(config, server.connection_limits, shown.host, shown.port, server.lines, tls=tls, record_all=record_all)


async def _serve_pages(
    server: GameServer,
    opened: Listening,
    routes: list[BaseRoute],
    askers: Askers,
    pids: Callable[[], Sequence[int]],
) -> None:
    """Pages, the API, ``routes``, and what the application has by itself; ``pids`` are of house bots."""
    config = server.config
    url, hosts = config.database_url, config.registration.host_accounts.split()
    with closing(PublicViews(url)) as views, kept(url, server.ban_enforcer.name, hosts) as found:
        takeover = takeover_of(server, registry.dialects().values(), found.sessions.account)
        sockets = upgrade_routes(takeover.paths) if takeover is not None else []
        application = site(server, views, askers, found, opened.shown(), [*sockets, *routes], pids)
        serve_pages = partial(guard.serve, limits=config.limits, lines=server.lines, takeover=takeover)
        async with trio.open_nursery() as nursery:
            if opened.pages:
                limiter = WebAdmission(server.connection_limits, server.metrics, server.admission)
                nursery.start_soon(partial(serve_pages, opened.pages, application, limiter=limiter))
            if opened.proxied:
                proxied = proxy_limiter(config.limits)
                nursery.start_soon(partial(serve_pages, opened.proxied, Forwarded(application), limiter=proxied))
