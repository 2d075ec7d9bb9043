"""Keeps this node's clients that play elsewhere, the branches where they do, and asks other nodes for their seats."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.background import Background
from gateway.cluster import messages
from gateway.cluster.branch import Branch
from gateway.cluster.calls import Called, Calls
from gateway.cluster.links import Links
from gateway.cluster.local import Local, Place
from gateway.cluster.messages import Guest, Message
from gateway.cluster.office import Where
from gateway.commits.commit_queue import CommitQueue
from gateway.lobby.claims import ticket_of
from gateway.lobby.party import Nearer
from gateway.seating.joining import Newcomer
from gateway.store.records import Loaded
from gateway.table.refusals import NOT_READ, closed_here, try_again
from gateway.table.state import Status
from gateway.tables.directory import Tables
from gateway.tables.requests import check_present
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Subscriber
from protocols.core.commands import Join
from protocols.core.errors import Refused

LOOK_S: Final = 0.5
"""Seconds between two looks whether clients wait for another node."""

_log = structlog.get_logger()


Left: TypeAlias = tuple[Subscriber, int | None, str]
"""A client of a table that has gone: its seat, None: it looks on, as which name."""


class Branches(Mapping[int, Branch]):
    """The branches by table. ``where`` finds the node of a table, None where no other node has it; ``owner_of`` says
    what was heard last: node and epoch. ``owner`` asks the database, and claims what is nobody's; None: it is gone.

    ``adopt`` takes in a table that was given to this node, and says whether it was; ``closed`` is given each table of
    another node that was asked for and is closed.
    """

    def __init__(
        self,
        links: Links,
        calls: Calls,
        commits: CommitQueue,
        background: Background,
        tables: Tables,
        where: Where,
        owner_of: Callable[[int], tuple[int, int] | None],
        owner: Callable[[int], Awaitable[int | None]],
        adopt: Callable[[int], Awaitable[bool]],
        closed: Callable[[int], None],
    ) -> None:
        self._links = links
        self.calls = calls
        self._commits = commits
        self._background = background
        self._tables = tables
        self.times = tables.times
        self._where = where
        self._owner_of = owner_of
        self._owner = owner
        self._adopt = adopt
        self._closed = closed
        self._branches: dict[int, Branch] = {}
        self._locals: dict[int, Local] = {}
        self._parting: set[tuple[int, int, int]] = set()
        """Nodes that are asked to take a client away from a table: node, table and client."""

    def __getitem__(self, table: int) -> Branch:
        return self._branches[table]

    def __iter__(self) -> Iterator[int]:
        return iter(self._branches)

    def __len__(self) -> int:
        return len(self._branches)

    async def watch(self) -> None:
        """Tell clients that wait for another node so, until cancelled."""
        while True:
            await trio.sleep(LOOK_S)
            now = trio.current_time()
            for branch in list(self._branches.values()):
                branch.say_how_long(now)

    def silence_s(self) -> float:
        """The longest time that clients of a branch have been waiting for their table's node now."""
        now = trio.current_time()
        return max((branch.silent_s(now) for branch in self._branches.values()), default=0.0)

    async def find(self, table: int, anew: bool = False) -> Branch | None:
        """The branch of a table of another node; None: no other node has it, or there is none.

        ``anew``: by the database, whatever was heard. Refused (OVERLOAD): its node or its record cannot be found just
        now.
        """
        branch = self._branches.get(table)
        if branch is not None and anew:
            await self.look_for(branch)
            branch = self._branches.get(table)
        if branch is None:
            node = await self._where(table, anew=anew)
            if node is not None:
                branch = self._branches.get(table) or Branch(table, node, self)
        if branch is not None and await branch.open():
            return branch
        if not self._tables.has(table):
            self._closed(table)
        return None

    async def seek(self, lobby: int, newcomer: Newcomer, join: Join, secret: str) -> None:
        """Have the lobby's node find a seat; the client has been told Seated then. Refused with the reason; Nearer."""
        check_present(newcomer)
        local = self.local(newcomer)
        local.ticket, local.rules = secret, newcomer.rules
        ticket = ticket_of(secret)
        digest = "" if ticket is None else ticket.digest.hex()
        seek = messages.Seek(self.guest(newcomer), messages.coded(join), digest, newcomer.movable)
        if worker := await self.ask_for(newcomer, lobby, seek):
            raise Nearer(worker)

    def ended(self, client: Subscriber) -> None:
        """A client's connection has ended: the nodes that know of it hear of it."""
        local = self._locals.pop(client.number, None)
        if local is not None:
            local.ended = True
            for node in local.nodes:
                self._links.send(node, messages.Ended(local.number))

    # What a branch needs of its node (office.Office).

    def send(self, to: int, message: Message) -> bool:
        return self._links.send(to, message)

    def start(self, run: Callable[[], Awaitable[None]]) -> None:
        self._background.start_soon(run)

    async def load(self, table: int) -> Loaded | None:
        try:
            found = await self._commits.call(self._commits.log.load, [table])
        except SQLAlchemyError as error:
            _log.warning("a table of another node cannot be read", table=table, error=str(error))
            raise try_again(NOT_READ) from None
        return found[0] if found and found[0].rows else None

    def guest(self, client: Subscriber) -> Guest:
        who = client.number, client.address, client.account
        return Guest(*who, client.speaks, client.program, self.local(client).rules, client.lag_s(), client.ready)

    def local(self, client: Subscriber) -> Local:
        found = self._locals.get(client.number)
        if found is None:
            found = self._locals[client.number] = Local(client)
        return found

    def local_of(self, number: int) -> Local | None:
        return self._locals.get(number)

    def left(self, branch: Place) -> None:
        if self._branches.get(branch.number) is branch:
            del self._branches[branch.number]

    async def ask_for(self, client: Subscriber, to: int, asked: messages.Enter | messages.Seek) -> str:
        self.local(client).nodes.add(to)
        return await self.calls.call(to, asked)

    def _entering(self, table: int) -> Iterator[tuple[Called, int]]:
        """The calls for a seat at this table, or to look on there, without an answer, and their clients' numbers."""
        for call in self.calls.unanswered():
            if isinstance(call.request, messages.Enter) and call.request.table == table:
                yield call, call.request.guest.number

    # What other nodes say.

    def heard(self, sender: int, message: Message) -> None:
        """Serve a message to a client of this node."""
        match message:
            case messages.Told():  # by far the most frequent
                self._pass_on(sender, message)
                for answered in message.answers:
                    self._answered(sender, answered)
            case messages.Stands(table=table) if self._tables.has(table):
                pass  # of before the table came here
            case messages.Stands(table=table) | messages.Seated(table=table) if table not in self._branches:
                self._branches[table] = Branch(table, sender, self)
                self._branches[table].heard(message)
            case messages.Said() | messages.Stands():
                self._pass_on(sender, message)
            case messages.Known():
                self._check(sender, message)
            case messages.Seated(table=table):
                self._branches[table].heard(message)
            case messages.Answer():
                self._answered(sender, message)

    def _pass_on(self, sender: int, message: messages.Told | messages.Said | messages.Stands) -> None:
        branch = self._branches.get(message.table)
        if branch is not None and branch.node == sender:
            branch.heard(message)

    def _answered(self, sender: int, message: messages.Answer) -> None:
        if (local := self._locals.get(message.number)) is not None:
            place = local.branch
            if place is not None and place.node == sender:
                place.heard(message)

    def moved(self, table: int, node: int, epoch: int) -> None:
        """A table has another node, or has come back to its node after others: it is asked what the last one was."""
        for call, number in self._entering(table):
            if call.to != node:
                if (local := self._locals.get(number)) is not None:
                    local.nodes.add(node)
                self.calls.call_there(call, node)
        branch = self._branches.get(table)
        if branch is not None and epoch >= branch.epoch and (branch.node, branch.epoch) != (node, epoch):
            branch.move(node)

    async def look_for(self, branch: Place) -> None:
        node = await self._owner(branch.number)
        if node is None:
            branch.end()
        elif node == self._links.me:
            branch.go_home()
        else:
            branch.ask_again(node)

    def came(self, table: int) -> None:
        """A table has come to this node: its clients here are its own again, and who asks for a seat asks it."""
        for call, _ in self._entering(table):
            call.refuse(closed_here())
        if (branch := self._branches.get(table)) is not None:
            branch.go_home()

    def over(self, table: int) -> None:
        """End all requests for a seat at a table that no other node has any more.

        Its clients find out where it is: a finished game may go on at this node.
        """
        for call, _ in self._entering(table):
            call.refuse(closed_here())
        if (branch := self._branches.get(table)) is not None:
            branch.missed()

    def stand_in(self, runner: TableRunner, to: int, left: Sequence[Left]) -> Branch | None:
        """The branch for clients of this node in place of a table that has gone to another; None: there are none.

        Those who had not come to the table yet stay there.
        """
        number = runner.state.table
        branch = self._branches.get(number)
        if branch is None:
            if not left:
                return None
            branch = self._branches[number] = Branch(number, to, self)
        branch.stand_in(runner.state, runner.seq, [(self.local(client), seat, name) for client, seat, name in left])
        return branch

    def settle(self, branch: Place) -> None:
        """A client has come to a branch: the table may have moved while the record was read."""
        if self._tables.has(branch.number):
            branch.go_home()
        elif (owner := self._owner_of(branch.number)) is not None and owner[1] > branch.epoch:
            branch.move(owner[0])

    async def home(self, table: int, seats: Sequence[int]) -> TableRunner | None:
        """The table itself, which is this node's now; in ``seats`` are clients."""
        try:
            if not self._tables.has(table):
                await self._adopt(table)
        except SQLAlchemyError as error:
            _log.warning("a table's owner cannot be read", table=table, error=str(error))
            raise try_again(NOT_READ) from None
        for seat in seats:
            self._tables.recovery.present(table, seat)
        return await self._tables.local(table)

    def dead(self, node: int) -> None:
        """The node answers no more."""
        for branch in self._at(node):
            if branch.here and branch.state.status is Status.OVER:  # nobody claims it unasked
                self._background.start_soon(self._look_for, branch)

    async def _look_for(self, branch: Branch) -> None:
        with suppress(Refused):  # it asks again
            await self.look_for(branch)

    def missed(self, node: int) -> None:
        """Messages of this node, or to it, may be lost."""
        for branch in self._at(node):
            branch.missed()

    def ask_again(self, node: int) -> None:
        """Ask this node again who stands there."""
        for branch in self._at(node):
            branch.ask_again(node)

    def _at(self, node: int) -> list[Branch]:
        return [branch for branch in self._branches.values() if branch.node == node]

    def _check(self, node: int, known: messages.Known) -> None:
        """Another node has these clients: tell it which have ended, and take away those that are not there."""
        for number, table in known.clients:
            if number not in self._locals:
                self._links.send(node, messages.Ended(number))
            elif table and not self._is_at(number, table) and (node, table, number) not in self._parting:
                self._parting.add((node, table, number))
                self._background.start_soon(self._part, node, table, number)

    def _is_at(self, number: int, table: int) -> bool:
        """True if a client is at a table as another node says, or that node has the table no more."""
        if self._tables.has(table):
            return True
        branch, local = self._branches.get(table), self._locals.get(number)
        return branch is not None and local is not None and branch.here.get(number) is local

    async def _part(self, node: int, table: int, number: int) -> None:
        """Take a client away from a table, once its own requests are answered and it is not there."""
        try:
            while (call := self._asked_by(number)) is not None:
                await call.done.wait()
            if number in self._locals and not self._is_at(number, table):
                with suppress(Refused):
                    await self.calls.call(node, messages.Part(table, number, lost=True))
        finally:
            self._parting.discard((node, table, number))

    def _asked_by(self, number: int) -> Called | None:
        """A call of this client to get a seat, or to leave one."""
        for call in self.calls.unanswered():
            match call.request:
                case messages.Seek(guest=guest) | messages.Enter(guest=guest) if guest.number == number:
                    return call
                case messages.Part(number=leaving) if leaving == number:
                    return call
        return None
