"""Builds the parts of one node and hands each message to the part that serves it.

The only file of this package that knows all of it. ``gateway.ops.server`` makes a node where the database may have
several servers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, Protocol, TypeVar

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.admission.ticket_guessing import TicketGuard
from gateway.background import Background
from gateway.bus.bus import Bus
from gateway.cluster import messages
from gateway.cluster.away import Away
from gateway.cluster.bells import Bells
from gateway.cluster.branches import NO_ANSWER, Branches
from gateway.cluster.counts import Counts
from gateway.cluster.desk import ELSEWHERE, Desk, Served
from gateway.cluster.giving import Giving
from gateway.cluster.gossip import Gossip
from gateway.cluster.links import Links
from gateway.cluster.membership import Membership
from gateway.cluster.messages import Message, Register
from gateway.cluster.outposts import NODE_BITS, Outposts
from gateway.cluster.posts import Posts
from gateway.cluster.recall import Recall
from gateway.cluster.refusals import AskElsewhere
from gateway.cluster.review import Review
from gateway.cluster.rooms import FarRooms
from gateway.cluster.takeover import JANITOR, Takeover
from gateway.cluster.whispering import FarWhispers
from gateway.commits.commit_queue import CommitQueue
from gateway.config import Cluster
from gateway.lobby.claims import ticket_digest
from gateway.lobby.lobby import Lobby
from gateway.lobby.registration import Registration
from gateway.net.socket_channel import of_one_server
from gateway.seating.joining import Joining, Newcomer
from gateway.seating.registrar import Registrant, Registrar
from gateway.seating.whispers import Whispers
from gateway.store.nodes import Nodes
from gateway.table.state import State, Status
from gateway.tables.directory import Tables
from gateway.tables.recovery import database_gone
from gateway.tables.seams import Subscriber
from protocols.core.commands import Join
from protocols.core.errors import Refused, Why

T = TypeVar("T")

LOBBY_S: Final = 8.0
"""Seconds that a newcomer waits for a node with the lobby."""

TELL_S: Final = 0.1
"""Seconds until everything is told to nodes that may have missed something."""

AGAIN_S: Final = 0.25
"""Seconds until it is asked for again."""

PAUSE_S: Final = 0.05
"""Seconds between two times that a node is asked all that it has not answered."""

_log = structlog.get_logger()


class Drain(Protocol):
    """The drain of this server (gateway.ops.drain). ``wished`` is called when a host begins or ends it."""

    on: bool
    wished: Callable[[bool], None]

    def begin(self, by: str) -> None: ...

    def end(self, by: str) -> None: ...


class ClusterNode:
    """The node ``me`` called ``name``. ``send_away`` tells all players at tables something and hangs up on them."""

    def __init__(
        self,
        settings: Cluster,
        nodes: Nodes,
        me: int,
        bus: Bus,
        name: str,
        commits: CommitQueue,
        lobby: Lobby,
        tables: Tables,
        joining: Joining,
        registrar: Registrar,
        tickets: TicketGuard,
        whispers: Whispers,
        background: Background,
        drain: Drain,
        send_away: Callable[[str], None],
    ) -> None:
        self.me = me
        self._hellos = 0
        self._pauses: dict[int, bool] = {}  # node -> whether to ask it again after the pause
        self._unanswered: dict[int, int] = {}  # node -> the Hello that it has not answered
        self._greets = False
        self._hellos_of: dict[int, int] = {}  # node -> its last Hello
        self._guests: dict[int, int] = {}  # node -> its Hello that is answered next
        self.bus = bus
        self.nodes = nodes
        self._commits = commits
        self._lobby = lobby
        self._tables = tables
        self._registrar = registrar
        self._background = background
        self.name = name
        self._drain = drain
        self.links = Links(bus, me, self._heard, self._missed)
        self.branches = Branches(
            self.links,
            commits,
            background,
            tables,
            self._where,
            lambda table: self.gossip.owner_of(table),
            partial(self._owner, over=True),
        )
        self.whispers = FarWhispers(self._others, self.branches.request, self.branches.local_of)
        whispers.elsewhere, self.whispers.here = self.whispers.to_visitor, whispers.to_visitor
        self.outposts = Outposts(self.links, tables.rematching.settled, self.whispers.to_client)
        self.gossip = Gossip(self.links, lobby, tables, tables.recovery.epoch, self._claimed_elsewhere)
        self.takeover = Takeover(nodes, commits, me, lobby, tables, self.links, self.gossip)
        self.rooms = FarRooms(self._others, self.branches.request)
        self.desk = Desk(
            self.links,
            self.outposts,
            tables,
            background,
            joining.seek,
            lambda: self.has_lobby,
            self.takeover.adopt,
            self._register,
            self.rooms.serve,
            self.whispers.serve,
        )
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
        self.membership.heard, drain.wished = self.links.heard, self.membership.wish
        self.gossip.published = self.giving.look_at
        self.takeover.came = self.branches.came
        self.branches.adopt, self.branches.closed = self.takeover.adopt, self.gossip.closed
        self.takeover.draining = self._gives_away
        self.bells = Bells(self.links, tables, background, self.gossip.node_of)
        self.gossip.over = self._over
        self.review = Review(nodes, commits, me, self.gossip)
        self.counts = Counts(self.links)
        self.posts = Posts(
            self.links, background, self.gossip, lambda node: node in self.membership.living, self.branches
        )
        tables.node, tables.numbers, tables.elsewhere = me, self._numbers, self.branches.find
        tables.away = Away(self.bells, self.gossip.node_of, self._where, self.branches)
        joining.elsewhere = registrar.elsewhere = self
        self.recall = Recall(commits, me, lobby, tables, self.gossip, self._owner)
        tickets.elsewhere, self.posts.recall = self.recall.ticket, self.recall.pair

    def _others(self) -> list[int]:
        """The other living nodes."""
        return [node for node in self.membership.living if node != self.me]

    # gateway.seating.joining.OtherNodes, gateway.seating.registrar.RegistersElsewhere

    @property
    def has_lobby(self) -> bool:
        return self.takeover.has_lobby

    def state_of(self, table: int) -> State | None:
        return self.gossip.state_of(table)

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
        nodes = Counter(self._node_of(party.number) for party in self._lobby.parties(table))
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
        tickets = tuple(digest.hex() for digest in digests)
        make = partial(Register, asked=asked, by=by, digests=tickets)
        asked_before = False

        async def ask(lobby: int) -> int:
            nonlocal asked_before
            if asked_before and (number := await self.recall.registered(digests)) is not None:
                return number  # the lobby that was asked before has stored it, and has gone
            asked_before = True
            return int(await self.branches.request(lobby, make))

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

    async def _register(self, register: Register) -> int:
        """Register a table for another node, which hears of it before it hears of the answer."""
        if not self.has_lobby:
            raise AskElsewhere(Why.OVERLOAD, ELSEWHERE)
        digests = [bytes.fromhex(digest) for digest in register.digests]
        number = await self._registrar.take_in(register.asked, register.by, digests)
        self.gossip.publish()
        return number

    async def is_janitor(self) -> bool:
        """True if this node deletes what is old: it takes the role where no living node has it.

        SQLAlchemyError: the database is in trouble.
        """
        holder = await self._commits.call(self.nodes.take_role, self.me, JANITOR)
        return holder is not None and holder.node == self.me

    def ended(self, client: Subscriber) -> None:
        """A client's connection has ended."""
        self.branches.ended(client)

    # Draining: begun here, by a signal or a page, or by the row in the database.

    @property
    def alone(self) -> bool:
        """True if no other node can take this one's tables."""
        return not self.membership.others()

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
            await self.recall.learn(await self._commits.call(self.nodes.elsewhere, self.me))
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
        return await self._commits.call(self.nodes.table_numbers)

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
            owner = await self._commits.call(self.nodes.owner, table)
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
            case messages.Hello(n=n):
                self._background.start_soon(self._welcome, sender, n)
                if self._hellos_of.get(sender) != n:
                    self._hellos_of[sender] = n
                    self._doubt(sender)
            case messages.Welcome(n=n):
                if self._unanswered.get(sender) == n:
                    del self._unanswered[sender]
            case messages.Lobbying(epoch=epoch):
                self.takeover.hears_lobby(sender, epoch)
            case _ if isinstance(message, Served):
                self.desk.heard(sender, message)
            case messages.Given():
                self.desk.given(message)
            case messages.Counted():
                self.counts.heard(sender, message)
            case messages.Post() | messages.Forgo():
                self.posts.heard(sender, message)
            case messages.Follow() | messages.Rung():
                self.bells.heard(sender, message)
            case _:
                self.branches.heard(sender, message)

    def _missed(self, node: int) -> None:
        """Messages of a node may be lost, or it is new."""
        self._hellos += 1
        self._unanswered[node] = self._hellos
        if not self._greets:
            self._greets = True
            self._background.start_soon(self._greet)
        self.review.soon()
        self._doubt(node)

    def _doubt(self, node: int) -> None:
        """Messages of a node, or to it, may be lost."""
        self.branches.missed(node)
        self.bells.missed(node)
        if node in self._pauses:
            self._pauses[node] = True
        else:
            self._pauses[node] = False
            self._background.start_soon(self._ask_again, node)

    async def _ask_again(self, node: int) -> None:
        """Ask a node what it has not answered, and again after a pause if more was lost meanwhile.

        Without the pause a bus that loses one message in ten would lose some of what is asked for each, for ever.
        """
        again = True
        while again:
            if (hello := self._unanswered.get(node)) is not None:
                self.links.send(node, messages.Hello(hello))
            self.branches.ask_again(node)
            self.outposts.say_known(node)
            await trio.sleep(PAUSE_S)
            again, self._pauses[node] = self._pauses[node], False
        del self._pauses[node]

    async def _greet(self) -> None:
        """Say Hello again where it is not answered, until all have."""
        try:
            while self._unanswered:
                await trio.sleep(AGAIN_S)
                for node, n in self._unanswered.items():
                    self.links.send(node, messages.Hello(n))
        finally:
            self._greets = False

    async def _welcome(self, node: int, n: int) -> None:
        """A node may have missed something: tell it everything, once for all that ask meanwhile."""
        self._guests[node] = n
        if len(self._guests) > 1:
            return
        await trio.sleep(TELL_S)
        guests, self._guests = self._guests, {}
        await self.gossip.tell_all()
        for guest, asked in guests.items():
            self.links.send(guest, messages.Welcome(asked))

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
        self._unanswered.pop(node, None)
        self._hellos_of.pop(node, None)
        self.desk.dead(node)
        self.bells.dead(node)
        self.branches.missed(node)
        self.posts.dead(node)
        self.counts.dead(node)
        self.branches.dead(node)
        self.takeover.soon()
        self.review.soon()
