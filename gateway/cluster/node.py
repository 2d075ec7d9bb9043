"""Builds the parts of one node and hands each message to the part that serves it.

The only file of this package that knows all of it. ``gateway.ops.server`` makes a node where the database may have
several servers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Final, Protocol, TypeVar

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.background import Background
from gateway.cluster import messages
from gateway.cluster.away import Away
from gateway.cluster.bells import Bells
from gateway.cluster.branches import Branches
from gateway.cluster.calls import NO_ANSWER, Caller, Calls
from gateway.cluster.counts import Counts
from gateway.cluster.desk import ELSEWHERE, Desk
from gateway.cluster.errands import Errands
from gateway.cluster.giving import Giving
from gateway.cluster.gossip import Gossip
from gateway.cluster.greetings import Greetings
from gateway.cluster.links import Links
from gateway.cluster.membership import Joined, Membership, Seen
from gateway.cluster.messages import Message, Register
from gateway.cluster.outposts import NODE_BITS, Outposts
from gateway.cluster.posts import Posts
from gateway.cluster.recall import Recall
from gateway.cluster.review import Review
from gateway.cluster.rooms import FarRooms
from gateway.cluster.takeover import JANITOR, LOBBY, Takeover
from gateway.cluster.whispering import FarWhispers
from gateway.commits.commit_queue import CommitQueue
from gateway.config import Cluster
from gateway.lobby.claims import Ticket, ticket_digest
from gateway.lobby.here import Entry
from gateway.lobby.lobby import Lobby
from gateway.lobby.registration import Registration
from gateway.net.socket_channel import of_one_server
from gateway.seating.everybody import Line
from gateway.seating.joining import Newcomer
from gateway.seating.registrar import Registrant
from gateway.store.nodes import Holder
from gateway.store.schema import RATINGS
from gateway.table.refusals import AskElsewhere, ask_elsewhere
from gateway.table.state import State, Status
from gateway.tables.directory import Tables
from gateway.tables.numbering import Blocks
from gateway.tables.recovery import database_gone
from protocols.core.commands import Join
from protocols.core.errors import Refused, Why
from protocols.core.events import Said

T = TypeVar("T")

LOBBY_S: Final = 8.0
"""Seconds that a newcomer waits for a node with the lobby."""

AGAIN_S: Final = 0.25
"""Seconds until the lobby is asked again."""

UNTOLD: Final = "whoever registered it was not answered"

_log = structlog.get_logger()


class Drain(Protocol):
    """The drain of this server (gateway.ops.drain)."""

    on: bool

    def begin(self, by: str) -> None: ...

    def end(self, by: str) -> None: ...


class ClusterNode:
    """The node that has ``joined``. Of its server it uses what stands below it, and these functions.

    ``seek`` finds a seat for a client of another node, ``take_in`` registers a table here, ``to_visitor`` says words to
    whoever has no seat here, ``counted`` counts connections and onlookers. ``contested`` is given an entry of another
    node under a name that is in use here, ``to_everybody`` what was said to everybody there. ``send_away`` tells all
    players at tables something and hangs up on them.
    """

    several = True

    def __init__(
        self,
        settings: Cluster,
        joined: Joined,
        commits: CommitQueue,
        lobby: Lobby,
        tables: Tables,
        background: Background,
        drain: Drain,
        seek: Callable[[Newcomer, Join, Ticket | None], Awaitable[None]],
        take_in: Callable[[Registration, Registrant, Sequence[bytes]], Awaitable[int]],
        to_visitor: Callable[[Said], Awaitable[bool]],
        counted: Callable[[], tuple[int, int]],
        contested: Callable[[Entry], None],
        to_everybody: Callable[[Line], None],
        send_away: Callable[[str], None],
    ) -> None:
        nodes, self.me, bus, _ = joined
        me = self.me
        self.bus = bus
        self._nodes = nodes
        self._commits = commits
        self._lobby = lobby
        self._tables = tables
        self._take_in = take_in
        self._drain = drain
        self.links = Links(bus, me, self._heard, self._missed)
        self.calls = Calls(self.links, background, lambda to, message: self.outposts.send(to, message))
        self.calls.serves(Register, self._register, undo=self._unregister)
        self.gossip = Gossip(
            self.links,
            lobby,
            tables,
            tables.recovery.epoch,
            self._claimed_elsewhere,
            self._over,
            lambda runner: self.giving.look_at(runner),
        )
        self.takeover = Takeover(
            nodes,
            commits,
            me,
            lobby,
            tables,
            self.links,
            self.gossip,
            lambda table: self.branches.came(table),
            self._gives_away,
        )
        self.branches = Branches(
            self.links,
            self.calls,
            commits,
            background,
            tables,
            self._where,
            self.gossip.owner_of,
            partial(self._owner, over=True),
            self.takeover.adopt,
            self.gossip.closed,
        )
        self.whispers = FarWhispers(self._others, self.calls, self.branches.local_of, to_visitor)
        self.outposts = Outposts(self.links, tables.rematching.settled, self.whispers.to_client)
        self.rooms = FarRooms(self._others, self.calls)
        self.desk = Desk(
            self.links,
            self.calls,
            self.outposts,
            tables,
            background,
            seek,
            lambda: self.has_lobby,
            self.takeover.adopt,
        )
        Errands(self.calls, tables, self.desk.here_is, self.whispers.serve)
        self.membership = Membership(
            nodes,
            commits,
            me,
            settings.lease_s,
            settings.patience_s,
            lambda: len(tables) + len(tables.recovery),
            self._dead,
            send_away,
            self._told_to_drain,
            self.links.heard,
        )
        self.giving = Giving(
            nodes,
            commits,
            me,
            tables,
            self.links,
            self.gossip,
            self.branches,
            self.takeover,
            self.membership,
            self.outposts,
            background,
            self._gives_away,
            settings.linger_s,
            send_away,
        )
        self.bells = Bells(self.links, tables, background, self.gossip.node_of)
        self.counts = Counts(self.links, counted, lobby.here, lobby.offers, contested, to_everybody)
        self.greetings = Greetings(
            self.links, background, self.gossip, self.counts, self.calls, self.branches, self.bells, self.outposts
        )
        self.review = Review(nodes, commits, me, self.gossip)
        self.recall = Recall(commits, me, lobby, tables, self.gossip, self._owner)
        self.posts = Posts(
            self.links, self.calls, self.gossip, lambda node: node in self.membership.living, self.recall.pair
        )
        numbers = Blocks(background, self._numbers)
        self.elsewhere = Away(
            me, numbers, self.bells, self.gossip.node_of, self._where, self.branches, self.giving.hand_on
        )
        self.changed, self.ended = self.gossip.note, self.branches.ended
        self.learn, self.whisper = self.recall.ticket, self.whispers.to_visitor
        self.counted, self.load = self.counts.everywhere, self.branches.load
        self.entered, self.offered, self.say = self.counts.entered, self.counts.offered, self.counts.say

    def _others(self) -> list[int]:
        """The other living nodes."""
        return [node for node in self.membership.living if node != self.me]

    # What its server asks of it, as of Alone.

    @property
    def has_lobby(self) -> bool:
        return self.takeover.has_lobby

    def state_of(self, table: int) -> State | None:
        return self.gossip.state_of(table)

    def states(self) -> Iterable[State]:
        return self.gossip.states()

    def name_of(self, table: int) -> str:
        """The name of the node that has a table; "" for this one, and where it is not known."""
        found = self.membership.living.get(self.gossip.node_of(table) or 0)
        return "" if found is None else found.name

    async def seen(self) -> Seen:
        """The nodes as the database has them. SQLAlchemyError."""
        living = await self._commits.call(self._nodes.living)
        holder = await self._commits.call(self._nodes.role, LOBBY)
        return Seen(living, None if holder is None else holder.node)

    async def steer(self, name: str, *, on: bool, by: str) -> bool:
        """Tell a node to drain, or to serve again; False: there is none of this name. SQLAlchemyError."""
        return await self._commits.call(self._nodes.drain, name, on, by)

    def check(self) -> None:
        """Refused (OVERLOAD): this node may be dead to the others, and opens no table."""
        if self.membership.waiting:
            raise Refused(Why.OVERLOAD, "the server does not reach its database just now, try again later")

    def nearer(self, newcomer: Newcomer, table: int) -> str | None:
        if not newcomer.movable:
            return None
        there, here = self._players_of(table), self._node_of(newcomer.number)
        if there is None:
            return None
        other, own = self.membership.living.get(there), self.membership.living.get(here)
        if there == here or other is None or own is None or other.draining or not of_one_server(own.name, other.name):
            return None
        return other.name

    def _players_of(self, table: int) -> int | None:
        """The node of a table's players: its own, or its next, once its game has begun; None: no party waits there."""
        state = self.gossip.state_of(table)
        if state is not None and state.status is not Status.OPEN:
            return self.gossip.node_of(table)
        nodes = Counter(self._node_of(party.number) for party in self._lobby.waiting.at(table))
        return nodes.most_common(1)[0][0] if nodes else self.giving.on_their_way.get(table)

    def _node_of(self, number: int) -> int:
        """The node of the client that has this number here."""
        return number >> NODE_BITS or self.me

    async def seek(self, newcomer: Newcomer, join: Join, secret: str) -> bool:
        digest, asked = ticket_digest(secret), False

        async def ask(lobby: int) -> bool:
            nonlocal asked
            if asked and secret:  # the lobby that was asked before may have given the seat, and have gone
                await self.recall.ticket(digest)
            if lobby == self.me or self._lobby.knows(digest):
                return False
            asked = True
            await self.branches.seek(lobby, newcomer, join, secret)
            return True

        return await self._at_lobby(ask)

    async def register(self, asked: Registration, by: Registrant, digests: Sequence[bytes]) -> int:
        if self.has_lobby:
            return await self._take_in(asked, by, digests)
        tickets = tuple(digest.hex() for digest in digests)
        register, asked_before = Register(asked, by, tickets), False

        async def ask(lobby: int) -> int:
            nonlocal asked_before
            if asked_before and (number := await self.recall.registered(digests)) is not None:
                return number  # the lobby that was asked before has stored it, and has gone
            asked_before = True
            return int(await self.calls.call(lobby, register))

        return await self._at_lobby(ask)

    async def _at_lobby(self, ask: Callable[[int], Awaitable[T]]) -> T:
        """While the lobby changes its node, whoever asks it for something waits. Refused as by it."""
        with trio.move_on_after(LOBBY_S):
            while True:
                lobby = self.takeover.lobby
                if lobby in self.membership.living:
                    try:
                        return await ask(lobby)
                    except AskElsewhere:
                        self.takeover.soon()
                await trio.sleep(AGAIN_S)
        raise Refused(Why.OVERLOAD, NO_ANSWER)

    async def _register(self, register: Register, caller: Caller) -> str:
        """Register a table for another node, which hears of it before it hears of the answer."""
        if not self.has_lobby:
            raise ask_elsewhere(ELSEWHERE)
        digests = [bytes.fromhex(digest) for digest in register.digests]
        number = await self._take_in(register.asked, register.by, digests)
        self.gossip.publish()
        return str(number)

    async def _unregister(self, register: Register, number: str) -> None:
        """End a table again whose number and tickets nobody was told."""
        await self._tables.asked(int(number)).end_by_host(UNTOLD)

    async def is_janitor(self) -> bool:
        """True if this node deletes what is old: it takes the role where no living node has it.

        SQLAlchemyError: the database is in trouble.
        """
        holder = await self._commits.call(self._nodes.take_role, self.me, JANITOR)
        return holder is not None and holder.node == self.me

    async def rates(self) -> Holder | None:
        """The role of who rates results, as this node has it, who takes it where no living node has it; or None.

        SQLAlchemyError: the database is in trouble.
        """
        holder = await self._commits.call(self._nodes.take_role, self.me, RATINGS)
        return holder if holder is not None and holder.node == self.me else None

    # Draining: begun here, by a signal or a page, or by the row in the database.

    @property
    def alone(self) -> bool:
        """True if no other node can take this one's tables."""
        return not self.membership.others()

    def wish(self, on: bool) -> None:
        """A host has said here that this node is to drain, or is to serve again."""
        self.membership.wish(on)

    def _gives_away(self) -> bool:
        return self._drain.on and not self.alone

    def _told_to_drain(self, on: bool) -> None:
        """By the row, whose change is noted by who has changed it."""
        (self._drain.begin if on else self._drain.end)("")

    def reasons(self) -> list[str]:
        """The reasons for GameServer.not_ready."""
        lost = [] if self.bus.connected else ["the bus to other nodes is lost"]
        return [*self.membership.reasons(), *lost]

    async def start(self) -> None:
        """Take part: renew the lease, claim what is nobody's, learn what is others'. Before the first client comes.

        DatabaseGone: a server without its games would be no use.
        """
        await self.membership.look()
        try:
            await self.takeover.look(first=True)
            await self.recall.learn(await self._commits.call(self._nodes.elsewhere, self.me))
        except SQLAlchemyError as error:
            raise database_gone(error) from error

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Until cancelled; started when the node has taken part. Buried: it is dead."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.membership.run)
            await nursery.start(self.links.run)
            await self.start()
            nursery.start_soon(self.takeover.run)
            nursery.start_soon(self.giving.run)
            nursery.start_soon(self.branches.watch)
            nursery.start_soon(self.counts.run)
            nursery.start_soon(self.review.run)
            task_status.started()

    async def _numbers(self) -> Sequence[int]:
        return await self._commits.call(self._nodes.table_numbers)

    async def _where(self, table: int, *, anew: bool = False) -> int | None:
        """The living node that has a table, as was heard, else as by ``_owner``; None: it is this node's, or over."""
        node = None if anew else self.gossip.node_of(table)
        if node is not None and node in self.membership.living:
            return node
        owner = await self._owner(table)
        return None if owner == self.me else owner

    async def _owner(self, table: int, *, over: bool = False) -> int | None:
        """The node that owns a table by the database, this one where nobody does; None: it is over, or never was.

        ``over``: clients are there, and stay where its game is over; where it is closed, too, this node tells them so.
        Refused (OVERLOAD): that cannot be found out just now.
        """
        try:
            owner = await self._commits.call(self._nodes.owner, table)
            if owner is not None and owner.living:
                if owner.node == self.me:
                    await self.takeover.adopt(table)
                return owner.node
            if owner is None or (owner.over and not over):
                return None
            if owner.closed or await self.takeover.claim(table, over=over):
                return self.me
        except SQLAlchemyError as error:
            _log.warning("a table's owner cannot be read", table=table, error=str(error))
        raise Refused(Why.OVERLOAD, NO_ANSWER)

    # What is heard.

    def _heard(self, sender: int, message: Message) -> None:
        match message:
            case messages.Told():  # by far the most frequent, with Ask
                self.branches.heard(sender, message)
            case messages.Ask():
                self.desk.ask(sender, message)
            case messages.Listed() | messages.Unlisted() | messages.Claimed():
                self.gossip.heard(sender, message)
                if isinstance(message, messages.Claimed):
                    self.giving.arrived(message)
            case messages.Hello() | messages.Welcome():
                self.greetings.heard(sender, message)
            case messages.Lobbying(epoch=epoch):
                self.takeover.hears_lobby(sender, epoch)
            case messages.Call() | messages.Reply() | messages.Forgo():
                self.calls.heard(sender, message)
            case messages.Here():
                self.desk.here(sender, message)
            case messages.Ended(number=number):
                self.outposts.gone(sender, number)
            case messages.Given():
                self.desk.given(message)
            case messages.Counted():
                self.counts.heard(sender, message)
            case messages.Follow() | messages.Rung():
                self.bells.heard(sender, message)
            case _:
                self.branches.heard(sender, message)

    def _missed(self, node: int) -> None:
        """Messages of a node may be lost, or it is new."""
        self.greetings.missed(node)
        self.review.soon()

    def _claimed_elsewhere(self, table: int, node: int, epoch: int) -> None:
        """Another node owns a table now."""
        if table in self._tables or table in self._tables.recovery:
            self._tables.let_go(table)
        self.branches.moved(table, node, epoch)
        self.bells.ring(table)

    def _over(self, table: int) -> None:
        """A table of another node is over, or is this node's now."""
        self.bells.ring(table)
        self.branches.over(table)

    def _dead(self, node: int) -> None:
        """A node lives no more."""
        _log.warning("a node has gone", node=node)
        self.links.forget(node)
        self.greetings.dead(node)
        self.outposts.dead(node)
        self.bells.dead(node)
        self.branches.missed(node)
        self.calls.dead(node)
        self.counts.dead(node)
        self.branches.dead(node)
        self.takeover.soon()
        self.review.soon()
