"""``boardgate serve``: wires record, house bots, server and listeners together, runs them, stops them cleanly."""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, closing, contextmanager, nullcontext
from functools import partial
from typing import Final

import click
import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError
from starlette.routing import BaseRoute

from gateway import registry
from gateway.accounts.forgotten import MailedLinks
from gateway.accounts.mail import new_code
from gateway.accounts.tokens import AdminToken
from gateway.admission.admission import WebAdmission
from gateway.bots.analyst import Analyst
from gateway.bots.engines import engines
from gateway.bots.players import HousePlayers
from gateway.cli.bus import bus_of, is_database
from gateway.cli.check import check
from gateway.cli.group import explain
from gateway.cli.handover import Supervised
from gateway.cli.host_news import tell_host
from gateway.cli.listening import Listening
from gateway.cli.logs import LogSettings, start_logging
from gateway.cli.options import Written, with_listeners, with_written
from gateway.cli.rereading import Rereading, RunningSettings, try_settings
from gateway.cli.service import READY, STOPPING, announce, drain_on_signal, pass_over_signals, reload_on_hangup
from gateway.cli.workers import BURIED, check_workers, supervise
from gateway.cluster.membership import Buried, Joined
from gateway.commits.commit_queue import CommitQueue
from gateway.config import BadSetting, Config
from gateway.net.listening import OpenListener
from gateway.net.tls import of_proxy
from gateway.ops.rater import Rater
from gateway.ops.retention import Retention
from gateway.ops.server import GameServer
from gateway.push.by_mail import ByMail
from gateway.push.by_push import ByPush, contact_of
from gateway.push.by_webhook import ByWebhook
from gateway.push.sender import Sender
from gateway.push.smtp import MailServer, mail_server
from gateway.relay.listen import accept as accept_callers
from gateway.relay.passing import Gate
from gateway.relay.relay import Relay
from gateway.release import release
from gateway.sessions.transfer import Transfers
from gateway.store.accounts import SqlAccounts
from gateway.store.acts import ActLog
from gateway.store.bans import SqlBans
from gateway.store.engine import SESSION, is_sqlite, session_of
from gateway.store.former import PublicViews
from gateway.store.log import SqlLog
from gateway.store.mail import Letters
from gateway.store.nodes import SqlNodes
from gateway.store.notices import Notices
from gateway.store.rating_views import RatingViews
from gateway.store.ratings import SqlRatings
from gateway.store.results import Results
from gateway.web import guard, relays
from gateway.web.forwarded import Forwarded, ProxyLimiter
from gateway.web.http_dialects import http_dialect_routes
from gateway.web.metrics import Sources, metrics_route
from gateway.web.pages.site import site
from gateway.web.routes import askers_of
from gateway.web.sessions import kept
from gateway.web.takeover import takeover_of, upgrade_routes
from migrations import is_usable, require_usable, upgrade
from protocols.core.errors import BoardgateError

GC_THRESHOLDS: Final = (2_000, 4, 1_000)
"""Objects until a collection, and collections until a longer one. What ends here is free without any; a collection only
finds what libraries leave behind, and looks through all that is new: half a millisecond for this many, five for four
times as many, a tenth of a second for the hundred thousand of a storm of connections. What was there at the start is
frozen, and everything is looked through seldom, or it would double the time of a move at 1,000 tables."""

START_S: Final = 60.0
"""Seconds that joining the other nodes, and claiming tables, may take: a service manager tries again."""

BACKUPS_S: Final = 60.0
"""Seconds between two looks whether a backup was noted: an alarm waits for days."""

LEAVE_S: Final = 1.0
"""Seconds that a node which stops gives the database to free its tables; else they are free when its lease ends."""

_log = structlog.get_logger()


class StartFailed(BoardgateError):
    """The database, or the bus, let the start wait for too long."""


@click.command()
@with_listeners
@click.option("--workers", type=int, metavar="N", help="Processes that serve (server.workers); needs PostgreSQL.")
@click.option("--check", "only_check", is_flag=True, help="Say what a start would meet, and start nothing.")
@with_written
def serve(written: Written, only_check: bool) -> None:
    """Start the server.

    Prints a line for every listener, then "ready", and the address to open in a browser, on standard output; the log
    goes to standard error. Ctrl-C or SIGTERM stops it: players are told, everything they were told is stored, and
    running games go on when it starts again. SIGHUP has it read settings and certificates anew.

    \b
    Everything on this machine only, with house bots:
      boardgate serve
    Ludo for everybody, nothing else:
      boardgate serve --listen bogaprot=0.0.0.0:5701,game=ludo
    Look at settings, addresses, certificates, database and engines, and start nothing:
      boardgate serve --check
    """
    config = written.load()
    if only_check:
        start_logging("error", config.log.format)
        check(config)
        return
    pass_over_signals()
    start_logging(config.log.level, config.log.format)
    _log.info("starting", **release()._asdict())
    _name_left_out(config)
    check_workers(config)
    if not (is_database(config.cluster.bus) or is_sqlite(config.database_url)):
        bus_of(config)  # wrong words end the start before others hear of this node
    token = AdminToken(config.registration)
    if config.server.workers == 1:
        run_server(config, token, written)
        return
    try_settings(config)
    _bring_up_to_date(config.database_url)
    _allow_many_files()
    if status := trio.run(supervise, config, written):
        raise click.exceptions.Exit(status)


def _name_left_out(config: Config) -> None:
    """Log each plug-in that does not load. BadSetting: the settings ask for all of them."""
    for line in registry.left_out():
        if config.server.broken_plugins == "stop":
            raise BadSetting(f"{line} (server.broken_plugins)")
        _log.warning("a plug-in is left out", why=line)


def run_server(config: Config, token: AdminToken, source: Written | Supervised) -> None:
    """Serve in this process, until a signal stops it. New settings come from ``source``, Supervised where this is a
    worker of several.

    click.exceptions.Exit with status BURIED: other nodes have declared this one dead.
    """
    pass_over_signals()
    opened = Listening(config)
    try:
        if isinstance(source, Written):
            try_settings(config)
            for listen in config.listen:
                opened.open(listen)
        config.make_data_directory()
        _bring_up_to_date(config.database_url)
        _allow_many_files()
        trio.run(_serve, config, token, source, opened)
    except BaseExceptionGroup as errors:
        if errors.split(Buried)[1] is not None:
            raise
        click.echo(f"Error: {explain(errors)}", err=True)
        raise click.exceptions.Exit(BURIED) from errors
    finally:
        opened.close()


def _bring_up_to_date(url: str) -> None:
    if is_usable(url):
        return
    if not is_sqlite(url):
        require_usable(url)
    upgrade(
        url,
        lambda line: _log.info("database", step=line),
        copied=lambda name: _log.info("the database is copied before its schema changes", copy=name),
    )


def _allow_many_files() -> None:
    """Each connection is a file descriptor: use as many as the system allows this process."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def _serve(config: Config, token: AdminToken, source: Written | Supervised, opened: Listening) -> None:
    url = config.database_url
    joined = None
    if not is_sqlite(url):
        with _deadline("the database"):
            joined = await _join(config)
    session = SESSION if joined is None else session_of(joined.me)
    commits = CommitQueue(lambda deliver: SqlLog(url, deliver, session))
    try:
        async with AsyncExitStack() as stack:
            bots = analyst = None
            if config.bots.workers:
                found = engines(config.bot)
                analyst = await stack.enter_async_context(Analyst.open(url, found))
                bots = await stack.enter_async_context(HousePlayers.open(config.bots.workers, found))
            accounts = stack.enter_context(closing(SqlAccounts(config.database_url)))
            bans = stack.enter_context(closing(SqlBans(config.database_url)))
            transfers = Transfers(source.channel) if isinstance(source, Supervised) else None
            server = GameServer(config, commits, accounts, bans, bots, joined, transfers, analyst)
            await _run(server, bots, token, source, opened)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(commits.close)
            if joined is not None:
                with trio.move_on_after(LEAVE_S):
                    await trio.to_thread.run_sync(_leave, joined, abandon_on_cancel=True)
    _log.info("stopped")


@contextmanager
def _deadline(of: str) -> Iterator[None]:
    """StartFailed, where the block takes longer than START_S."""
    with trio.move_on_after(START_S) as scope:
        yield
    if scope.cancelled_caught:
        raise StartFailed(f"{of} has not answered within {START_S:g} s: nothing was started")


async def _join(config: Config) -> Joined:
    """Become a node of the database's server."""
    nodes = SqlNodes(config.database_url, config.cluster.lease_s, START_S)
    name = config.cluster.node or socket.gethostname()
    me = await trio.to_thread.run_sync(nodes.join, name, str(release()), abandon_on_cancel=True)
    _log.info("joined", node=me, name=name)
    return Joined(nodes, me, bus_of(config, me), name)


def _leave(joined: Joined) -> None:
    """Other nodes take the tables at once. A database that is away ends the lease by itself."""
    try:
        joined.nodes.leave(joined.me)
    except SQLAlchemyError as error:
        _log.warning("the node could not leave: its lease ends in some seconds", error=str(error))
    finally:
        joined.nodes.close()


async def _run(
    server: GameServer,
    bots: HousePlayers | None,
    token: AdminToken,
    source: Written | Supervised,
    opened: Listening,
) -> None:
    """Serve at every listener until a signal, say goodbye. ``opened``: the listeners, none where it is supervised."""
    supervised = source if isinstance(source, Supervised) else None
    if supervised is not None:
        opened = supervised.listening()
    certificates = [*opened.certificates(), *of_proxy(server.config.server.proxy_certificate)]
    relay = _relay(server, opened.relays)
    worker = "" if supervised is None else server.config.cluster.node
    settings = RunningSettings(server.config, (LogSettings(worker), token, opened, server))
    rereading = Rereading(source, settings.take) if isinstance(source, Written) else None
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            await nursery.start(reload_on_hangup, certificates, rereading)
            if rereading is not None:
                nursery.start_soon(rereading.run)
            await nursery.start(drain_on_signal, server.drain)
            async with trio.open_nursery() as starting:
                starting.start_soon(_stop_early, signals, nursery.cancel_scope)
                with _deadline("the database, or the bus to other nodes,") if server.node.several else nullcontext():
                    await nursery.start(server.run)
                starting.cancel_scope.cancel()
            if bots is not None:
                nursery.start_soon(bots.tend)
            if server.analyst is not None:
                nursery.start_soon(server.analyst.run)
            nursery.start_soon(server.disk.watch)
            nursery.start_soon(_follow_backups, server)
            nursery.start_soon(_rate, server)
            nursery.start_soon(_tell_ratings, server)
            nursery.start_soon(_retention(server).run)
            for listener in opened.listeners:
                nursery.start_soon(server.acceptor.accept, listener)
            if server.transfers is not None:
                nursery.start_soon(server.transfers.run, opened.listeners, server.enter)
            if relay is not None:
                server.ban_enforcer.also(relay.send_away)
                await nursery.start(relay.run)
                for relay_listener in opened.relays:
                    nursery.start_soon(accept_callers, relay, relay_listener, server.admission.no_tls, server.proxies)
            if server.config.notices.push:
                nursery.start_soon(_push, server)
            if server.config.notices.webhooks:
                nursery.start_soon(_webhooks, server)
            if (mail := mail_server(server.config)) is not None:
                nursery.start_soon(_mail, server, mail)
            nursery.start_soon(tell_host, server.config, server)
            if opened.pages or opened.proxied:
                counters = relay.counters if relay is not None else None
                pids: Callable[[], Sequence[int]] = bots.pids if bots is not None else tuple
                sources = Sources(server, counters, certificates, pids)
                routes: list[BaseRoute] = [
                    *relays.routes(relay, lambda: server.drain.on),
                    *http_dialect_routes(server, registry.dialects()),
                ]
                nursery.start_soon(_serve_pages, server, opened, routes, token, sources)
            if supervised is None:
                opened.say_ready()
            else:
                nursery.start_soon(supervised.watch, settings.take)
                supervised.ready()
            _log.info("ready", name=server.config.server.name, public_host=server.config.server.public_host)
            gc.collect()
            gc.freeze()
            gc.set_threshold(*GC_THRESHOLDS)
            if supervised is None:
                announce(READY)
            stopping = await anext(signals)
            if supervised is None:
                announce(STOPPING)
            _log.info("stopping", signal=signal.Signals(stopping).name)
            await server.farewell()
            nursery.cancel_scope.cancel()


async def _stop_early(signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
    """A signal ends a start that waits for the database, or for the bus."""
    _log.info("stopping", signal=signal.Signals(await anext(signals)).name)
    scope.cancel()


def _retention(server: GameServer) -> Retention:
    url, after_s = server.config.database_url, server.config.record.delete_after_s
    made = Retention(url, server.commits, server.tables, after_s, server.node.is_janitor)
    server.rereads(made)
    return made


def _relay(server: GameServer, listeners: list[OpenListener]) -> Relay | None:
    """One relay for all its listeners; helpers are sent to the first of them, where one-time ports are opened, too."""
    if not listeners:
        return None
    config = server.config
    record_all = any(listener.wire_log for listener in listeners)
    first = listeners[0]
    gate = Gate(config.cluster.relay) if server.node.several and config.cluster.relay else None
    relay = Relay(
        config,
        server.connection_limits,
        first.shown.host,
        first.shown.port,
        server.lines,
        tls=first.certificate is not None,
        record_all=record_all,
        proxies=server.proxies if first.proxy_protocol else None,
        elsewhere=server.node.rooms.find,
        gate=gate,
    )
    server.node.rooms.invite_by(relay.invite)
    server.rereads(relay)
    return relay


async def _follow_backups(server: GameServer) -> None:
    """Know when the last backup was made, whoever made it."""
    with closing(ActLog(server.config.database_url)) as log:
        await server.last_backup.run(partial(log.last, "backup.made"), "last backup", BACKUPS_S)


async def _rate(server: GameServer) -> None:
    """Rate results, where it is this node that does it."""
    session = SESSION if (me := server.node.me) is None else session_of(me)
    with closing(SqlRatings(server.config.database_url, session)) as ratings:
        await Rater(ratings, server.node.rates).run()


async def _tell_ratings(server: GameServer) -> None:
    """Tell this node's tables what rated games have changed, its lists the players' ratings and past games, and its
    rounds the players' ratings, too."""
    url = server.config.database_url
    with (
        closing(RatingViews(url)) as views,
        closing(Results(url)) as results,
        closing(PublicViews(url)) as public,
        server.past_games.reading(results, public, views),
    ):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.rating_news.run, views)
            nursery.start_soon(server.seat_ratings.run, views)
            nursery.start_soon(server.round_master.run, views)


async def _push(server: GameServer) -> None:
    """Tell players who are away, where it is this node that does it."""
    url, rules = server.config.database_url, server.config.notices
    with closing(Notices(url)) as notices, closing(PublicViews(url)) as views:
        contact = contact_of(server.config)
        way = ByPush(notices, views, contact, rules.per_hour, private=rules.private_services)
        server.rereads(way)
        await Sender(way, server.node.is_janitor).run()


async def _webhooks(server: GameServer) -> None:
    """The same for accounts' programs."""
    url, rules = server.config.database_url, server.config.notices
    with closing(Notices(url)) as notices, closing(PublicViews(url)) as views:
        way = ByWebhook(notices, views, rules.per_hour, private=rules.private_services)
        server.rereads(way)
        await Sender(way, server.node.is_janitor).run()


async def _mail(server: GameServer, mail: MailServer) -> None:
    """Send mail, where it is this node that does it."""
    config, links = server.config, MailedLinks(server.accounts, server.config)
    url, most = config.database_url, config.mail.notices_per_hour
    with closing(Letters(url)) as letters, closing(Notices(url)) as notices, closing(PublicViews(url)) as views:
        way = ByMail(letters, notices, views, mail, config.server.name, links.code, new_code, most)
        server.rereads(links)
        server.rereads(way)
        await Sender(way, server.node.is_janitor).run()


async def _serve_pages(
    server: GameServer,
    opened: Listening,
    routes: list[BaseRoute],
    token: AdminToken,
    sources: Sources,
) -> None:
    """Pages, the API, the metrics of ``sources``, ``routes``, and what the application has by itself."""
    config = server.config
    url, hosts = config.database_url, config.registration.host_accounts.split()
    with closing(PublicViews(url)) as views, kept(url, server.ban_enforcer.name, hosts) as found:
        takeover = takeover_of(server, registry.dialects().values(), found.sessions.account)
        askers = askers_of(server, token, views)
        sockets = upgrade_routes(takeover.paths) if takeover is not None else []
        more = [*sockets, metrics_route(sources, askers), *routes]
        application = site(server, views, askers, found, opened.shown(), more, sources.bot_processes)
        serve_pages = partial(guard.serve, limits=config.limits, lines=server.lines, takeover=takeover)
        async with trio.open_nursery() as nursery:
            if opened.pages:
                limiter = WebAdmission(server.connection_limits, server.metrics, server.admission)
                nursery.start_soon(
                    partial(serve_pages, opened.pages, application, limiter=limiter, proxies=server.proxies)
                )
            if opened.proxied:
                proxied = ProxyLimiter(config.limits)
                server.rereads(proxied)
                nursery.start_soon(partial(serve_pages, opened.proxied, Forwarded(application), limiter=proxied))
