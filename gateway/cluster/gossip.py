"""Tells the lobbies of all nodes of every node's tables: their seats, tickets, proposals, and who owns them.

A node publishes what others need of a table when its own lobby learns it, once for all changes of a moment. So each
node knows names, tickets, kept seats and open tables as if all tables were its own. What is heard may be some
milliseconds old: the table itself decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

import structlog
import trio

from gateway import registry
from gateway.cluster import messages
from gateway.cluster.links import Links
from gateway.cluster.messages import Listed, Message
from gateway.lobby.lobby import Lobby
from gateway.table.state import State, Status
from gateway.tables.runner import TableRunner
from protocols.core.errors import Refused
from protocols.core.events import Proposed

BY: Final = 50
"""Listings sent to a new node before others are served."""

_log = structlog.get_logger()


class FarTable:
    """A table of another node as it was heard of last: ``state`` has what gateway.lobby reads, and no position."""

    __slots__ = ("epoch", "node", "seq", "state")

    def __init__(self, node: int, epoch: int, seq: int, state: State | None) -> None:
        self.node = node
        self.epoch = epoch
        self.seq = seq
        self.state = state


class Gossip:
    """``own`` are this node's running tables, ``resting`` gives the epoch of one that rests here, else 0.

    ``moved`` is called with a table that another node owns now, the node and its epoch; ``over`` with each table of
    another node that is over, or is this node's now; ``published`` with each own table that has changed for others.
    """

    def __init__(
        self,
        links: Links,
        lobby: Lobby,
        own: Mapping[int, TableRunner],
        resting: Callable[[int], int],
        moved: Callable[[int, int, int], None],
        over: Callable[[int], None],
        published: Callable[[TableRunner], None],
    ) -> None:
        self._links = links
        self._lobby = lobby
        self._own = own
        self._resting = resting
        self._moved = moved
        self._elsewhere: dict[int, FarTable] = {}
        self._changed: dict[int, None] = {}
        self._over = over
        self._tell_of = published
        self._published: dict[int, int] = {}  # own table -> its epoch

    def node_of(self, table: int) -> int | None:
        """The node that owns a table, as far as was heard."""
        found = self._elsewhere.get(table)
        return None if found is None else found.node

    def state_of(self, table: int) -> State | None:
        """A table of another node, as was heard last; it has no position."""
        found = self._elsewhere.get(table)
        return None if found is None else found.state

    def heard_of(self) -> list[int]:
        """The tables of other nodes."""
        return list(self._elsewhere)

    def states(self) -> Iterable[State]:
        """The tables of other nodes, by rising number."""
        return (found.state for _, found in sorted(self._elsewhere.items()) if found.state is not None)

    def tables_of(self, node: int) -> int:
        """Number of tables that a node was heard to own."""
        return sum(found.node == node for found in self._elsewhere.values())

    # What this node tells.

    def note(self, table: int) -> None:
        """The lobby has learnt something of a table."""
        if table in self._elsewhere and table not in self._own:
            return
        if not self._changed:
            self._links.soon(self.publish)
        self._changed[table] = None

    def publish(self) -> None:
        """Tell all that has changed and was not told yet."""
        changed, self._changed = self._changed, {}
        alone = self._links.alone
        for table in changed:
            runner = self._own.get(table)
            if runner is not None and runner.state.status is not Status.CLOSED:
                if runner.seq and not alone:  # it is in the record
                    self._tell(runner)
                    self._tell_of(runner)
            elif table in self._published and not self._resting(table):
                self._links.publish(messages.Unlisted(table, self._published.pop(table)))

    def _tell(self, runner: TableRunner) -> None:
        """Of a table that is too long for the bus others hear less: how it begins is in the record, and its seats."""
        listed = self._listed(runner)
        self._published[listed.table] = listed.epoch
        if not self._links.publish(listed):
            listed.settings = replace(listed.settings, start="")
            if not self._links.publish(listed):
                self._links.publish(messages.Claimed(((listed.table, listed.epoch),)))

    def _listed(self, runner: TableRunner) -> Listed:
        state = runner.state
        return Listed(
            state.table,
            runner.epoch,
            runner.seq,
            state.game.name,
            state.status.value,
            state.settings,
            state.seats,
            tuple(messages.coded(Proposed(made.seat, made.proposal)) for made in state.proposals),
            state.registered,
            state.house,
            tuple(runner.addresses),
            tuple((digest.hex(), seat) for digest, seat in self._lobby.tickets(state.table)),
            state.outcome,
        )

    async def tell_all(self) -> None:
        """Publish every running table: a node may have missed something."""
        for count, runner in enumerate(list(self._own.values())):
            if runner.seq and runner.state.status is not Status.CLOSED:
                self._tell(runner)
            if count % BY == BY - 1:
                await trio.lowlevel.checkpoint()

    # What other nodes tell.

    def heard(self, sender: int, message: Message) -> None:
        """Take over what another node says of its tables."""
        match message:
            case Listed(table=table):
                if self._is_news(sender, table, message.epoch, message.seq):
                    self._list(sender, message)
            case messages.Unlisted(table=table, epoch=epoch):
                self.over_under(table, epoch)
            case messages.Claimed(tables=tables):
                for table, epoch in tables:
                    self.claimed(sender, table, epoch)

    def over_under(self, table: int, epoch: float) -> None:
        """A table of another node was over under this epoch, or a later one."""
        if (known := self._elsewhere.get(table)) is not None and known.epoch <= epoch:
            self.closed(table)

    def closed(self, table: int) -> None:
        """A table is over that was not this node's."""
        self._elsewhere.pop(table, None)
        self._lobby.dropped(table)
        self._over(table)

    def claimed(self, node: int, table: int, epoch: int) -> None:
        """Another node owns a table now."""
        known = self._elsewhere.get(table)
        if known is not None and known.epoch >= epoch:
            return
        if self._is_older(table, epoch):
            return
        runner = self._own.get(table)
        state = runner.state if runner is not None else None if known is None else known.state
        self._published.pop(table, None)
        self._elsewhere[table] = FarTable(node, epoch, 0, state)
        self._moved(table, node, epoch)

    def gave(self, runner: TableRunner, to: int) -> None:
        """This node has given a table away."""
        self._published.pop(runner.state.table, None)
        self._elsewhere[runner.state.table] = FarTable(to, runner.epoch + 1, 0, runner.state)

    def owner_of(self, table: int) -> tuple[int, int] | None:
        """The node that owns a table of another node, and its epoch, as far as was heard."""
        found = self._elsewhere.get(table)
        return None if found is None else (found.node, found.epoch)

    def ours(self, table: int, epoch: int) -> None:
        """This node owns a table now, and tells all that it has claimed it."""
        self._published[table] = epoch
        if self._elsewhere.pop(table, None) is not None:
            self._over(table)

    def _is_news(self, sender: int, table: int, epoch: int, seq: int) -> bool:
        known = self._elsewhere.get(table)
        if self._is_older(table, epoch):
            return False
        return known is None or (epoch, seq) >= (known.epoch, known.seq)

    def _is_older(self, table: int, epoch: int) -> bool:
        """True if this node owns the table since: what is heard of it was true before."""
        runner = self._own.get(table)
        return epoch <= (self._resting(table) if runner is None else runner.epoch)

    def _list(self, sender: int, listed: Listed) -> None:
        try:
            state = _state(listed)
        except (Refused, ValueError, KeyError) as error:  # a game that this version does not know
            _log.warning("a table of another node was not understood", table=listed.table, error=str(error))
            return
        before = self._elsewhere.get(listed.table)
        self._elsewhere[listed.table] = FarTable(sender, listed.epoch, listed.seq, state)
        tickets = [(bytes.fromhex(digest), seat) for digest, seat in listed.tickets]
        self._lobby.heard(state, listed.addresses, tickets)
        if before is None or (before.node, before.epoch) != (sender, listed.epoch):
            self._moved(listed.table, sender, listed.epoch)


def _state(listed: Listed) -> State:
    """As much of a state as a lobby reads."""
    nobody = (0.0,) * len(listed.seats)
    proposals = tuple(messages.notification(code, 0.0) for code in listed.proposals)
    return State(
        listed.table,
        registry.game_of_record(listed.game),
        listed.settings,
        listed.house,
        b"",
        listed.seats,
        nobody,
        nobody,
        listed.registered,
        status=Status(listed.status),
        proposals=tuple(made for made in proposals if isinstance(made, Proposed)),
        outcome=listed.outcome,
    )
