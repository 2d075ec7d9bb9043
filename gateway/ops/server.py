"""Builds the parts of a server process and hands each its collaborators; starts them and stops them.

The only file that knows the whole server. What settings mean is in gateway.config; HTTP is in gateway.web.
"""

from __future__ import annotations

import time
from itertools import chain
from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.accounts.circle import Circle
from gateway.accounts.guest_seats import GuestSeats
from gateway.accounts.logins import Logins
from gateway.accounts.registering import becoming
from gateway.admission.address_costs import AddressCosts
from gateway.admission.admission import Admission
from gateway.admission.authentication import Authenticator
from gateway.admission.ban_enforcer import BanEnforcer
from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.admission.table_limits import ChatLimits, StorageLimits
from gateway.admission.ticket_guessing import TicketGuard
from gateway.background import Background
from gateway.bots.analyst import Analyst
from gateway.cluster.alone import Alone
from gateway.cluster.membership import Joined
from gateway.cluster.node import ClusterNode
from gateway.commits.commit_queue import CommitQueue
from gateway.config import Config, Rereads
from gateway.lobby.here import Person, everybody
from gateway.lobby.lobby import Lobby
from gateway.metrics import Metrics
from gateway.net.log_limiter import LogLimiter
from gateway.net.proxy_reader import ProxyReader, TrustedProxies
from gateway.ops.disk import Disk
from gateway.ops.drain import Drain
from gateway.ops.looking import Looking
from gateway.ops.memory_release import MemoryRelease
from gateway.ops.past_games import PastGames
from gateway.ops.rating_news import RatingNews
from gateway.ops.samples import Samples
from gateway.ops.seat_ratings import SeatRatings
from gateway.ops.sweep import Sweep
from gateway.ops.word_file import WordFile
from gateway.seating.entering import Entering
from gateway.seating.everybody import Everybody
from gateway.seating.joining import Joining
from gateway.seating.lasting import LastingOffers
from gateway.seating.offering import Offering
from gateway.seating.registrar import Registrar
from gateway.seating.rounds import RoundMaster
from gateway.seating.whispers import Whispers
from gateway.sessions.collaborators import Collaborators
from gateway.sessions.connection import Connection, Shared
from gateway.sessions.connections import Connections
from gateway.sessions.listener import Acceptor
from gateway.sessions.transfer import Transfers
from gateway.sessions.visitors import Visitors
from gateway.store.accounts import Accounts
from gateway.store.bans import Bans
from gateway.store.records import Act
from gateway.store.reports import Open
from gateway.tables.bots import HouseBots, Thinker
from gateway.tables.directory import Tables
from gateway.tables.move_times import MoveTimes
from gateway.tables.seams import Subscriber
from protocols.core.errors import Refused, Why

ACCOUNTS_S: Final = 5.0
"""Seconds until a name that another process has registered is reserved here."""

OVERLAP_S: Final = 600.0
"""Seconds that are looked at again: clocks of several machines differ, and a transaction may take its time."""

STUCK_S: Final = 5.0
"""Seconds a step may wait for the disk before the server calls itself not ready."""

_log = structlog.get_logger()


class GameServer:
    """One server process; ``run`` it once. ``bots`` None: there are none.

    ``joined`` None: no other server has this database. ``transfers`` None: no other process has its ports. ``analyst``
    None: finished games are not analysed.
    """

    def __init__(
        self,
        config: Config,
        commits: CommitQueue,
        accounts: Accounts,
        bans: Bans,
        bots: Thinker | None = None,
        joined: Joined | None = None,
        transfers: Transfers | None = None,
        analyst: Analyst | None = None,
    ) -> None:
        limits = config.limits
        self.config = config
        self.commits = commits
        self.accounts = accounts
        self.bans = bans
        self.analyst = analyst
        self.metrics = Metrics()
        self.lines = LogLimiter()
        self.words = WordFile(config)
        self.lobby = Lobby(
            lambda table: self.node.changed(table),
            lambda: self.visitors.wake(),
            lambda number: self.node.entered(number),
            lambda number: self.node.offered(number),
            lambda: self.visitors.stir(),
            self.words.filter,
        )
        self.connections: set[Connection] = set()
        self.visitors = Visitors(
            self.lobby.notices, self.lobby.tidings, self.connections, lambda names: self.joining.introduced(names)
        )
        self.disk = Disk(config)
        self.last_backup = Looking[Act | None](None)
        self.samples = Samples(
            lambda: len(self.connections), lambda: len(self.tables), lambda: sum(self.metrics.moves.values())
        )
        self.open_reports = Looking(Open(0, 0.0))
        self.background = Background()
        self._release = MemoryRelease()

        self.ban_enforcer = BanEnforcer(self.bans, commits.call, self.connections, self.metrics)
        self.costs = AddressCosts()
        self.connection_limits = ConnectionLimiter(limits, self.ban_enforcer.address)
        self.admission = Admission(self.connection_limits, self.metrics, self.lines, lambda: self.running, self.costs)
        trusted = TrustedProxies(config.server.trusted_proxies)
        no_header = self.admission.no_header
        self.proxies = ProxyReader(trusted, self.connection_limits, limits.handshake_s, no_header)
        self.logins = Logins(accounts, config.registration.logins_at_once)
        self.guest_seats = GuestSeats(accounts, commits.call)
        self._chat_limits = ChatLimits(limits, self.costs)
        self._storage_limits = StorageLimits(limits, self.costs)

        self.house_bots = house_bots = HouseBots(bots, config.bots)
        self.house_rules = config.house_rules
        self.drain = Drain(
            commits,
            config.server.name if joined is None else f"node {joined.name}",
            lambda: self.tables.playing(),
            self._tell,
            lambda: self.node.alone,
            lambda on: self.node.wish(on),
        )
        self.rating_news = RatingNews(lambda number: self.tables.get(number))
        self.past_games = PastGames()
        self.seat_ratings = SeatRatings(self.lobby.names.is_account, house_bots.identity)
        self.tables = Tables(
            config,
            commits,
            self.lobby,
            self.metrics,
            MoveTimes(self.metrics.stage_s, self.lines, config.log.slow_move_s),
            self.background,
            house_bots,
            self._chat_limits,
            self._storage_limits,
            self._check_open,
            lambda: self.node.elsewhere,
            self.rating_news,
        )
        self.node = self._node(joined)
        self.tickets = TicketGuard(self.lobby, limits, self.tables.recovery.until, self.node.learn, self.costs)
        self.authenticator = Authenticator(self.logins, self.tickets, self.ban_enforcer, self.lobby)
        self.entering = Entering(self.lobby, self.ban_enforcer)
        self.circle = Circle(
            accounts, commits.call, self.lobby.offers, lambda name, number: self.offering.withdraw_as(name, number)
        )
        self.everybody = Everybody(
            limits, lambda: self.connections, self.circle, self.background, lambda line: self.node.say(line), self.costs
        )
        self.whispers = Whispers(
            self.lobby, self.tables, self.entering, self._chat_limits, self.node.whisper, self.circle, self.everybody
        )
        self.offering = Offering(
            self.lobby,
            self.tables,
            self.entering,
            self.ban_enforcer,
            self.node.register,
            house_bots,
            self._chat_limits,
            self.house_rules,
            config.seats.registered_s,
            self.circle,
            self.node.state_of,
            self.rating_news,
            LastingOffers(accounts, commits.call, self.lobby.offers, lambda: self.node.me),
        )
        self.joining = Joining(
            limits,
            self.lobby,
            self.tables,
            self.connection_limits,
            self.ban_enforcer,
            self.authenticator,
            self.tickets,
            house_bots,
            self.entering,
            self.whispers,
            self.node,
            self.guest_seats.ticket,
            self.offering,
            self.circle,
            self.seat_ratings,
            self.past_games,
        )
        self.registrar = Registrar(
            config,
            commits,
            self.lobby,
            self.tables,
            house_bots,
            self.house_rules,
            self.ban_enforcer,
            self._storage_limits,
            self.node.register,
        )
        self.round_master = RoundMaster(self.lobby, self.tables.rematching, config.seats.round_s)
        self.sessions: Shared = Collaborators(
            limits,
            self.metrics,
            self.lines,
            self.background,
            self.admission,
            self.visitors,
            self.joining,
            self._ended,
            self.lobby.names.is_bot,
            becoming(config),
            self.words.filter.masked,
            self.costs,
        )
        self.transfers = transfers
        self._inside = Connections(config, self.connections, self.connection_limits, self.sessions, transfers)
        self.enter, self.farewell = self._inside.enter, self._inside.farewell
        self.acceptor = Acceptor(
            self.admission,
            self.connection_limits,
            self.metrics,
            self.lines,
            self.proxies,
            limits.handshake_s,
            self.enter,
        )
        self._sweep = Sweep(self.connections, limits, self.metrics, self.lines, lambda now: self._look(now))
        self._parts: list[Rereads] = [
            self.disk,
            self.connection_limits,
            self.proxies,
            self.logins,
            self._chat_limits,
            self._storage_limits,
            house_bots,
            self.tables,
            self.tables.times,
            self.tables.recovery,
            self.tickets,
            self.everybody,
            self.offering,
            self.words,
            self.joining,
            self.registrar,
            self.round_master,
            self.sessions,
            self._inside,
            self._sweep,
        ]

    def rereads(self, part: Rereads) -> None:
        """One more part that takes settings over whenever this server does."""
        self._parts.append(part)

    def reread(self, config: Config) -> None:
        """Go on with these settings, which differ from those before in live ones alone (gateway.config.reread)."""
        self.config = config
        self.house_rules = config.house_rules
        for part in self._parts:
            part.reread(config)

    def _node(self, joined: Joined | None) -> ClusterNode | Alone:
        """The other nodes of its database, for those parts that are built after it."""
        if joined is None:
            return Alone(
                self.commits,
                self.tables,
                lambda asked, by, digests: self.registrar.take_in(asked, by, digests),
                self._counted,
            )
        return ClusterNode(
            self.config.cluster,
            joined,
            self.commits,
            self.lobby,
            self.tables,
            self.background,
            self.drain,
            lambda newcomer, join, ticket: self.joining.seek(newcomer, join, ticket),
            lambda asked, by, digests: self.registrar.take_in(asked, by, digests),
            lambda words: self.whispers.to_visitor(words),
            self._counted,
            lambda entry: self.entering.contested(entry),
            lambda line: self.everybody.heard(line),
            self._send_away,
        )

    def people(self) -> list[Person]:
        """All who are here now, at any node, by name."""
        states = chain((table.state for table in self.tables.values()), self.node.states())
        return everybody(states, self.lobby.here, self.lobby.names)

    def _counted(self) -> tuple[int, int]:
        """The number of connections here, and of observers of public tables."""
        public = (table for table in self.tables.values() if not table.state.house.private)
        return len(self.connections), sum(table.subscribers.observers for table in public)

    def _ended(self, client: Subscriber) -> None:
        self.tables.rematching.settled(client.party)
        self.entering.left(client.number)
        self.node.ended(client)

    def _send_away(self, text: str) -> None:
        """Players are told so, and look for another node."""
        self._tell(text)
        for connection in list(self.connections):
            connection.close()

    def _tell(self, text: str) -> None:
        self._inside.tell(text)

    @property
    def running(self) -> bool:
        """True if clients are let in and tables can be opened."""
        return self._inside.open

    def _check_open(self) -> None:
        """Refused (OVERLOAD): no table is to be opened now."""
        self.drain.check()
        if not self.running:
            raise Refused(Why.OVERLOAD, "the server is starting or stopping, try again later")
        self.node.check()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled. Started when clients can come: who names a seat or a table waits for its part.

        When cancelled: connections and tables end at once, without a word in the record; ``farewell`` comes before.
        """
        try:
            async with trio.open_nursery() as nursery:
                self.background.attach(nursery)
                nursery.start_soon(self.commits.tend)
                await self.node.elsewhere.numbers.count_on()
                await self._learn_names(0.0)
                await self.ban_enforcer.learn()
                nursery.start_soon(self.tables.recovery.tend)
                await nursery.start(self.node.run)
                nursery.start_soon(self._follow_accounts)
                nursery.start_soon(self.ban_enforcer.follow)
                nursery.start_soon(self.visitors.follow)
                nursery.start_soon(self.offering.follow)
                nursery.start_soon(self._sweep.run)
                task_status.started()
                await trio.sleep_forever()
        finally:
            self.background.detach()

    def _look(self, now: float) -> None:
        """See to what is due now and then."""
        self.drain.look()
        limits = (
            self.connection_limits,
            self.admission,
            self.tickets,
            self._chat_limits,
            self.everybody,
            self._storage_limits,
            self.logins,
            self.circle,
            self.costs,
        )
        for keyed in limits:
            keyed.forget(now)
        self.lobby.here.look(now)
        self.entering.look(now)
        self._release.look(now, self.connection_limits.inside)
        self.lines.look(now)
        self.samples.look(now)

    def not_ready(self) -> list[str]:
        """Why the server should get no new players; empty when it is well."""
        reasons = [] if self.running else ["starting or stopping"]
        if (waiting_s := self.commits.oldest_s()) > STUCK_S:
            reasons.append(f"storing has taken {waiting_s:.0f} s")
        return [*reasons, *self.node.reasons(), *self.disk.reasons, *self.drain.reasons()]

    async def _follow_accounts(self) -> None:
        """Learn the names of accounts that other processes add, which guests do not get, and whose are programs'."""
        while True:
            await trio.sleep(ACCOUNTS_S)
            try:
                await self.learn_names()
            except SQLAlchemyError as error:
                _log.warning("accounts cannot be read", error=str(error))

    async def learn_names(self) -> None:
        """Reserve the names of accounts that other processes have added lately, and mark those of programs.

        SQLAlchemyError: they are unknown.
        """
        await self._learn_names(time.time() - OVERLAP_S)

    async def _learn_names(self, since: float) -> None:
        self.lobby.names.own(await self.commits.call(self.accounts.names, since))
        self.lobby.names.mark(await self.commits.call(self.accounts.bots))
