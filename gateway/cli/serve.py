"""``boardgate serve``: wires record, house bots, house and listeners together, runs them, stops them cleanly.

Not here: what any of them does.
"""

from __future__ import annotations

import gc
import signal
from contextlib import AsyncExitStack, closing
from functools import partial
from typing import Final

import click
import structlog
import trio
from starlette.routing import Route

from gateway.accounts.logins import Logins
from gateway.accounts.token import AdminToken
from gateway.bots.engines import engines
from gateway.bots.players import HousePlayers
from gateway.cli.announce import READY, STOPPING, announce
from gateway.cli.check import check
from gateway.cli.drain import drain_on_signal
from gateway.cli.listening import Listening
from gateway.cli.logs import start_logging
from gateway.cli.options import with_listeners, with_settings
from gateway.cli.reload import reload_on_hangup
from gateway.config import BadSetting, Config
from gateway.relay.listen import RelayDoor
from gateway.relay.listen import accept as accept_callers
from gateway.relay.relay import Relay
from gateway.server.house import House
from gateway.server.listen import accept
from gateway.server.retention import forget
from gateway.server.scribe import Scribe
from gateway.server.threshold import WebThreshold
from gateway.store.accounts import SqlAccounts
from gateway.store.bans import SqlBans
from gateway.store.engine import is_sqlite
from gateway.store.log import SqlLog
from gateway.store.views import Views
from gateway.web import app, gamesman, guard, relays
from gateway.web.askers import Askers
from gateway.web.figures import Sources
from gateway.web.forwarded import Forwarded, proxy_places
from gateway.web.metrics import metrics_route
from gateway.web.routes import api_routes, askers_of
from gateway.web.unbanned import Unbanned
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

    Prints a line for every listener and then "ready" on standard output; the log goes to standard error. Ctrl-C or
    SIGTERM stops it: players are told, everything they were told is stored, and running games go on when it starts
    again.

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
    scribe = Scribe(lambda deliver: SqlLog(config.database_url, deliver))
    try:
        async with AsyncExitStack() as stack:
            bots = None
            if config.bots.workers:
                found = engines(config.bot)
                bots = await stack.enter_async_context(HousePlayers.open(config.bots.workers, found))
            accounts = stack.enter_context(closing(SqlAccounts(config.database_url)))
            bans = stack.enter_context(closing(SqlBans(config.database_url)))
            logins = Logins(accounts, config.registration.logins_at_once)
            await _run(config, House(config, scribe, bots, accounts, bans, logins), bots, token, logins)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(scribe.close)
    _log.info("stopped")


async def _run(config: Config, house: House, bots: HousePlayers | None, token: AdminToken, logins: Logins) -> None:
    """Open every listener, run until a signal, say goodbye."""
    opened = _open_listeners(config, house)
    relay = _relay(config, house, opened.relays)
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            await nursery.start(reload_on_hangup, opened.certificates())
            await nursery.start(drain_on_signal, house.drain)
            await nursery.start(house.run)
            if bots is not None:
                nursery.start_soon(bots.tend)
            nursery.start_soon(house.disk.watch)
            if config.record.delete_after_s is not None:
                nursery.start_soon(forget, house, config.record.delete_after_s)
            for door in opened.doors:
                nursery.start_soon(accept, house, door)
            if relay is not None:
                house.barred.also(relay.send_away)
                await nursery.start(relay.run)
                for relay_door in opened.relays:
                    nursery.start_soon(accept_callers, relay, relay_door, house.threshold.no_tls)
            if opened.pages or opened.proxied:
                counters = relay.counters if relay is not None else None
                sources = Sources(house, counters, opened.certificates(), bots.pids if bots is not None else tuple)
                askers = askers_of(house, token, logins)
                routes = [
                    metrics_route(sources, askers),
                    *relays.routes(relay, lambda: house.drain.on),
                    *gamesman.gamesman_routes(house),
                ]
                nursery.start_soon(_serve_pages, house, opened, routes, askers)
            for line in opened.lines:
                click.echo(line)
            click.echo("ready")
            _log.info("ready", name=config.server.name, public_host=config.server.public_host)
            gc.collect()
            gc.freeze()
            gc.set_threshold(*GC_THRESHOLDS)
            announce(READY)
            stopping = await anext(signals)
            announce(STOPPING)
            _log.info("stopping", signal=signal.Signals(stopping).name)
            await house.farewell()
            nursery.cancel_scope.cancel()


def _open_listeners(config: Config, house: House) -> Listening:
    """In the order of the settings."""
    opened = Listening()
    for listen in config.listen:
        opened.open(listen, house.house_rules(), config.server.name)
    return opened


def _relay(config: Config, house: House, doors: list[RelayDoor]) -> Relay | None:
    """One relay for all its listeners; helpers are sent to the first of them, where one-time ports are opened, too."""
    if not doors:
        return None
    record_all = any(door.wire_log for door in doors)
    shown, tls = doors[0].shown, doors[0].certificate is not None
    return Relay(config, house.doors, shown.host, shown.port, house.lines, tls=tls, record_all=record_all)


async def _serve_pages(house: House, opened: Listening, routes: list[Route], askers: Askers) -> None:
    """The API, ``routes``, and what the application has by itself."""
    config = house.config
    with closing(Views(config.database_url)) as views:
        pages = app.make_app(house.not_ready, [*api_routes(house, views, askers), *routes])
        application = Unbanned(pages, house.barred.address)
        serve_pages = partial(guard.serve, limits=config.limits, lines=house.lines)
        async with trio.open_nursery() as nursery:
            if opened.pages:
                nursery.start_soon(partial(serve_pages, opened.pages, application, places=WebThreshold(house)))
            if opened.proxied:
                places = proxy_places(config.limits)
                nursery.start_soon(partial(serve_pages, opened.proxied, Forwarded(application), places=places))
