"""Measures what a move costs whose player is connected to another node than its table's, and how long a drain takes.

One node alone, and two nodes of one database, play the same at a fixed rate, by turns in one run. A table belongs to
the node where its players were when the game began; there they leave, and come back by their tickets at the node that
the measurement wants. All nodes and PostgreSQL share the server's core.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from time import perf_counter, sleep
from typing import Final

from sqlalchemy import TextClause, create_engine, text

from bench import process, scripts
from bench.load import Count, Load, Progress
from bench.pairs import BogaprotPair, Stuck
from bench.postgresql import Cluster
from migrations import upgrade
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.opcode_codec import Wire, codec

MOVES_S: Final = 2_000
"""Moves a second of all tables: what one core carries with room to spare, so that nobody waits for the processor."""

TABLES: Final = 100
"""Tables of each of the runs."""

CROSSING: Final = (0.0, 0.5, 1.0)
"""Shares of the moves that cross, on two nodes."""

WARM_S: Final = 1.0
"""Seconds of play of each run before anything is counted."""

TURN_S: Final = 2.0
"""Seconds of play by turns."""

MOST_S: Final = 30.0
"""Seconds of each run at most: a game that ended would begin anew at its players' node."""

GIVEN_S: Final = 30.0
"""Seconds that nodes get to meet, or tables to come to their players' node."""

SETTLE_S: Final = 1.0
"""Seconds until a node has read the tables that it was given."""

LOOK_S: Final = 0.05
"""Seconds between two looks at the database."""

DRAINED: Final = 1_000
"""Tables of a node that is drained."""

EACH_S: Final = 1.0
"""Seconds from one move of each of these tables to the next."""

DRAINED_S: Final = 120.0
"""Seconds in which a node has to give all its tables away."""

_DRAIN: Final = text("UPDATE nodes SET draining = true WHERE name = :name")
_OVER: Final = text("SELECT count(*) FROM tables WHERE status = 'over'")

GRACE: Final = "80s"
"""Time that a player has to come back: less than a table rests for."""

_PLAYING: Final = text(
    "SELECT count(*) FROM tables JOIN nodes ON nodes.id = tables.node WHERE nodes.name = :name AND status = 'playing'"
)
_LIVING: Final = text("SELECT count(*) FROM nodes WHERE NOT buried")
_BUS: Final = text("SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_notify%' AND pid <> pg_backend_pid()")


@dataclass(slots=True)
class Crossed:
    """Moves on so many ``nodes``, of which the share ``crossing`` comes from another node than the table's.

    Seconds of processor time: of the table's node, of the players' node, of PostgreSQL without the bus, of its
    sessions that are the bus.
    """

    nodes: int
    crossing: float
    count: Count = field(default_factory=Count)
    table_s: float = 0.0
    players_s: float = 0.0
    database_s: float = 0.0
    bus_s: float = 0.0

    @property
    def all_s(self) -> float:
        return self.table_s + self.players_s + self.database_s + self.bus_s

    def each_us(self, seconds: float) -> float:
        """Microseconds a move."""
        return 1e6 * seconds / self.count.moves if self.count.moves else 0.0

    def more_us(self, base: Crossed) -> float:
        """Microseconds in all that a crossing costs more than a move of ``base``, where none crosses."""
        return (self.each_us(self.all_s) - base.each_us(base.all_s)) / self.crossing


@dataclass(slots=True)
class Drained:
    """A node with so many ``tables`` was drained while each moved once in EACH_S.

    ``before`` are moves before that, ``during`` those until a second after ``seconds``, when all tables were at the
    other node; ``ended`` counts the games that came to an end.
    """

    tables: int
    before: Count
    during: Count
    seconds: float
    ended: int


class TicketPair(BogaprotPair):
    """Two clients with tickets, each with an address of its own, where it takes its seat and comes back to it."""

    listener = ""

    _SEAT: Final = (103).to_bytes(4, "big")

    def __init__(self, addresses: Sequence[tuple[str, int]], games: Sequence[Sequence[bytes]], number: int) -> None:
        super().__init__(addresses[0], games, number)
        self.addresses = addresses
        self.back = False
        """True once they have their seats, and come back to them."""
        self._tickets = [f"ticket-of-pair-{number:06}-seat-{seat}" for seat in (0, 1)]

    def _connected(self) -> socket.socket:
        client = len(self.clients)
        self.address = self.addresses[client]
        made = super()._connected()
        asked = f"{self.game}{'?kept=yes' if self.back else ''}#{self._tickets[client]}"
        made.sendall(Wire(codec(BOGAPROT), "client").build("REQ_HANDSHAKE", asked, 1))
        return made

    def seated(self, received: bytes) -> bool:
        if self._SEAT not in received:
            raise Stuck(f"no seat for a pair: {received[:200]!r}")
        return True


def crossings(seconds: float, progress: Progress) -> list[Crossed]:
    """Each for so many ``seconds``, MOST_S at most, by turns. NotInstalled where there is no PostgreSQL. Linux only."""
    seconds = min(seconds, MOST_S)
    games = TicketPair.script(scripts.games(TicketPair.game))
    with ExitStack() as stack:
        cluster = stack.enter_context(process.postgresql())
        alone, two = (_Nodes(stack, cluster, names) for names in (("alone",), ("players", "tables")))
        runs = [_Run(alone, Crossed(1, 0.0), games, 0)]
        runs += [_Run(two, Crossed(2, share), games, number) for number, share in enumerate(CROSSING, 1)]
        for number, run in enumerate(runs):
            run.seat()
            stack.callback(run.load.close)
            run.load.run(WARM_S, lambda share: None)
            progress(0.3 * (number + 1) / len(runs))
        bus = {int(pid) for nodes in (alone, two) for pid in nodes.column(_BUS)}
        rounds = max(1, round(seconds / TURN_S))
        for number in range(rounds):
            for run in runs:
                run.turn(seconds / rounds, cluster, bus)
            progress(0.3 + 0.7 * (number + 1) / rounds)
    return [run.found for run in runs]


def drained(tables: int, progress: Progress) -> Drained:
    """Drain a node with so many tables. Stuck: they were not given away. NotInstalled as by ``crossings``."""
    games = TicketPair.script(scripts.games(TicketPair.game))
    with ExitStack() as stack:
        nodes = _Nodes(stack, stack.enter_context(process.postgresql()), ("players", "tables"))
        home = nodes.servers[-1].address
        load = Load([TicketPair((home, home), games, number) for number in range(tables)], EACH_S)
        stack.callback(load.close)
        load.connect(lambda share: progress(0.7 * share))
        nodes.settle(tables)
        found = Drained(tables, load.run(TURN_S, lambda share: None), Count(), 0.0, 0)
        nodes.tell(_DRAIN, name=nodes.names[-1])
        begun = perf_counter()
        while left := nodes.column(_PLAYING, name=nodes.names[-1])[0]:
            found.during.add(load.run(EACH_S, lambda share: None))
            found.seconds = perf_counter() - begun
            progress(1.0 - 0.3 * left / tables)
            if found.seconds > DRAINED_S:
                raise Stuck(f"{left} tables were not given away")
        found.during.add(load.run(EACH_S, lambda share: None))
        (found.ended,) = nodes.column(_OVER)
        return found


class _Nodes:
    """Servers of one database, by their names; the first has the lobby, the last the tables."""

    def __init__(self, stack: ExitStack, cluster: Cluster, names: Sequence[str]) -> None:
        url = cluster.create("bench_" + "_".join(names))
        upgrade(url)
        self._engine = create_engine(url)
        stack.callback(self._engine.dispose)
        self.names = names
        self.servers = [stack.enter_context(_node(url, name)) for name in names]
        self.playing = 0
        """Tables whose games have begun."""
        _until(lambda: self.column(_LIVING) == [len(names)], "the nodes did not meet")

    def column(self, statement: TextClause, **values: object) -> list[int]:
        """The first column of the rows of an SQL statement."""
        with self._engine.connect() as connection:
            return list(connection.execute(statement, values).scalars())

    def tell(self, statement: TextClause, **values: object) -> None:
        """Execute an SQL statement."""
        with self._engine.begin() as connection:
            connection.execute(statement, values)

    def settle(self, more: int) -> None:
        """Returns when so many more tables are the last node's. Stuck."""
        self.playing += more
        _until(lambda: self.column(_PLAYING, name=self.names[-1]) == [self.playing], "the tables did not change nodes")
        sleep(SETTLE_S)


class _Run:
    """The pairs of one line of the report."""

    def __init__(self, nodes: _Nodes, found: Crossed, games: Sequence[Sequence[bytes]], number: int) -> None:
        self.found = found
        self._nodes = nodes
        self._home = nodes.servers[-1]
        self._players = nodes.servers[0]
        home = self._home.address
        self._pairs = [TicketPair((home, home), games, TABLES * number + table) for table in range(TABLES)]
        self.load = Load([])

    def seat(self) -> None:
        """Sit down at the tables' node, leave, and come back where the players shall be."""
        self.load = Load(self._pairs)
        self.load.connect(lambda share: None)
        self._nodes.settle(len(self._pairs))
        self.load.close()
        home, away = self._home.address, self._players.address
        for pair in self._pairs:
            pair.back = True
            pair.addresses = (away if self.found.crossing == 1.0 else home, away if self.found.crossing else home)
        self.load = Load(self._pairs, TABLES / MOVES_S)
        self.load.connect(lambda share: None)

    def turn(self, seconds: float, cluster: Cluster, bus: set[int]) -> None:
        """Play for so long, and count it."""
        found, servers = self.found, {server.pid for server in self._nodes.servers}
        backends = set(process.children(cluster.pid))
        before = process.spent(backends | servers)
        found.count.add(self.load.run(seconds, lambda share: None))
        after = process.spent(before)
        spent = {pid: after[pid] - before[pid] for pid in after}
        found.table_s += spent[self._home.pid]
        found.players_s += sum(spent[pid] for pid in servers - {self._home.pid})
        found.database_s += sum(spent.get(pid, 0.0) for pid in backends - bus)
        found.bus_s += sum(spent.get(pid, 0.0) for pid in backends & bus)


def _node(url: str, name: str) -> AbstractContextManager[process.Server]:
    settings = {"BOARDGATE_CLUSTER_NODE": name, "BOARDGATE_SEATS_GRACE": GRACE, "BOARDGATE_LOG_LEVEL": "error"}
    return process.boardgate(TicketPair.dialect, database=url, **settings)


def _until(true: Callable[[], bool], otherwise: str) -> None:
    """Wait until this is so. Stuck."""
    begun = perf_counter()
    while not true():
        if perf_counter() - begun > GIVEN_S:
            raise Stuck(otherwise)
        sleep(LOOK_S)
