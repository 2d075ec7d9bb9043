"""Lets players play at random on several nodes while nodes, the bus and the database fail: one history a seed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from random import Random
from typing import Final
from unittest.mock import patch

import trio
from structlog.testing import capture_logs
from trio._core import _run
from trio.testing import MockClock, wait_all_tasks_blocked

from gateway import registry
from gateway.config import Seats
from gateway.lobby.registration import Registration
from gateway.ops.server import GameServer
from gateway.store.nodes import Node
from gateway.table.state import Status
from gateway.tables import runner
from protocols.core.errors import Refused, Why
from protocols.core.model import Clock, SeatKind
from tests.cluster.errands import Errands
from tests.cluster.history import History
from tests.cluster.http_pairs import HttpPair
from tests.cluster.players import Person
from tests.cluster.readers import Reader
from tests.cluster.world import Member, World, world
from tests.hall import FirstMove, config

KINDS: Final = ("kills", "bus", "database", "all")
"""What fails in a history: nodes alone, the bus with them, the database with them, or everything."""

MOST_NODES: Final = 4
STEPS: Final = 60
"""Most that happens in one history."""

QUIET_S: Final = 6.0
"""Virtual seconds after which everything is as it must be, once nothing fails any more: two leases, and a request."""

ANSWERED_S: Final = 10.0
"""Virtual seconds in which whoever asks for a seat is answered, where everything works."""

ARRIVES_S: Final = 2.0
"""Virtual seconds in which all that is on its way arrives, and is answered."""

SILENCE_S: Final = 3.0 + 0.15 + 0.6 + 0.5
"""Seconds that a command waits at most where only nodes are killed: the lease, the burial, a look, and half of one."""

LATE_S: Final = 0.01
"""Seconds by which times differ that are the same."""

SAID: Final = ("debug", "info", "warning")

TROUBLE: Final = (
    "the database cannot be written, steps are held",
    "not stored",
    "the database is silent",
    "an act was not noted",
)
"""Beginnings of lines that may be errors: they tell of a database in trouble."""


class Fate:
    """What befalls the nodes of one history, by its seed."""

    def __init__(self, here: World, history: History, persons: Sequence[Person], random: Random, kind: str) -> None:
        self.here = here
        self.history = history
        self.persons = persons
        self.random = random
        self.doings = [self.kill, self.start, self.stop, self.start, self.drain, self.undrain, self.restart]
        self.doings += [self.register, self.register, self.read, self.read, self.end, self.reissue]
        self.readers: list[Reader] = []
        self.errands = Errands(history)
        if kind in ("bus", "all"):
            self.doings += [self.part, self.part, self.join, self.join, self.cut, self.mend]
        if kind in ("database", "all"):
            self.doings += [self.freeze, self.freeze, self.thaw, self.thaw, self.refuse, self.lose_answers]
            self.doings += [self.away, self.back]
        self._names = 0
        self._in_database = random.random() < 0.5
        """Hosts say in the database which nodes are to drain, or at the nodes."""
        self._to_drain: set[int] = set()

    async def start(self) -> None:
        """A node more; sometimes under the name of one that lives."""
        living = self.here.living
        if len(living) < MOST_NODES:
            again = living and self.random.random() < 0.2
            self._names += 1
            await self.here.node(self.random.choice(living).name if again else f"node-{self._names}", FirstMove())
            self.history.calm_from = trio.current_time()

    async def kill(self) -> None:
        """One node less, if there is another."""
        if len(able := self._able()) > 1:
            self.here.kill(self.random.choice(able))
            self.history.calm_from = trio.current_time()

    async def stop(self) -> None:
        """The same, in order."""
        if len(able := self._able()) > 1:
            await self.here.stop(self.random.choice(able))
            self.history.calm_from = trio.current_time()

    async def restart(self) -> None:
        """All nodes are killed, and started again under their names: a power cut."""
        living = self.here.living
        for member in living:
            self.here.kill(member)
        for member in living:
            await self.here.node(member.name, FirstMove())
        self.history.calm_from = trio.current_time()

    def _able(self) -> list[Member]:
        return [member for member in self.here.living if not member.frozen and self.here.nodes.renewable(member.me)]

    async def register(self) -> None:
        """A table is registered for two persons, at any node; who registers it has its tickets then."""
        if (server := self._serving()) is not None:
            server.background.start_soon(self._register, server, self.random.sample(self.persons, 2))

    async def _register(self, server: GameServer, persons: Sequence[Person]) -> None:
        asked = Registration(registry.game("tic_tac_toe").settings(""), tuple(person.name for person in persons))
        with suppress(Refused):
            made = await server.registrar.register(asked)
            self.history.registered.append(made.table)
            for person, ticket in zip(persons, made.tickets, strict=True):
                person.has(ticket)

    async def end(self) -> None:
        """The host ends a table by any node."""
        tables = sorted(self.here.record.tables)
        if tables and (server := self._serving()) is not None:
            server.background.start_soon(self.errands.end, server, self.random.choice(tables))

    async def reissue(self) -> None:
        """A player of a registered table wants a new ticket."""
        tables = self.history.registered[-2:]
        if tables and (server := self._serving()) is not None:
            asked = self.random.choice(tables), self.random.choice(self.persons)
            server.background.start_soon(self.errands.reissue, server, *asked)

    async def read(self) -> None:
        """A reader follows a table by any node."""
        member, tables = self._one(), sorted(self.here.record.tables)
        if tables and member.server.background.nursery is not None:
            reader = Reader(member, self.random.choice(tables))
            member.server.background.start_soon(reader.run)
            self.readers.append(reader)

    async def drain(self) -> None:
        """A node is to give its tables away, if another can take them; sometimes its host is in two minds."""
        serving = [node for node in self.here.nodes.living() if node.id not in self._to_drain]
        if len(serving) > 1:
            node = self.random.choice(serving)
            self._wish(node, on=True)
            if self.random.random() < 0.3:
                await trio.sleep(self.random.uniform(0.0, 0.7))
                self._wish(node, on=False)

    async def undrain(self) -> None:
        for node in self.here.nodes.living():
            self._wish(node, on=False)

    def _wish(self, node: Node, on: bool) -> None:
        (self._to_drain.add if on else self._to_drain.discard)(node.id)
        if self._in_database:
            self.here.nodes.drain(node.name, on)
            return
        for member in self.here.living:
            if member.me == node.id:
                (member.server.drain.begin if on else member.server.drain.end)("a host")

    def check_drains(self) -> None:
        """The last wish of a host counts, at the node and for the others."""
        draining = {node.id for node in self.here.nodes.living() if node.draining}
        for member in self._able():
            assert (member.me in self._to_drain) is (member.me in draining) is member.server.drain.on, member.name

    def _one(self) -> Member:
        return self.random.choice(self.here.living)

    def _serving(self) -> GameServer | None:
        """A node, unless it is ending."""
        server = self._one().server
        nursery = server.background.nursery
        return server if nursery is not None and not nursery.cancel_scope.cancel_called else None

    async def part(self) -> None:
        """The bus loses everything between two nodes, or one way."""
        one, two = self._one(), self._one()
        self.here.board.part([one.me], [two.me], one_way=self.random.random() < 0.5)

    async def join(self) -> None:
        self.here.board.join()

    async def cut(self) -> None:
        self.here.board.cut(self._one().me)

    async def mend(self) -> None:
        for member in self.here.living:
            self.here.board.mend(member.me)

    async def freeze(self) -> None:
        self.here.freeze(self._one())

    async def thaw(self) -> None:
        for member in self.here.living:
            if member.frozen:
                self.here.thaw(member)

    async def refuse(self) -> None:
        self._one().commits.log.failures = self.random.randint(1, 3)

    async def lose_answers(self) -> None:
        self._one().commits.log.unsure = 1

    async def away(self) -> None:
        """A node does not reach its database, and hears the others."""
        self._one().commits.away()

    async def back(self) -> None:
        for member in self.here.living:
            if not member.frozen:
                member.commits.back()

    async def heal(self) -> None:
        """Nothing fails any more, and one node at least takes tables."""
        board = self.here.board
        if self._to_drain.issuperset(member.me for member in self._able()):
            await self.undrain()
        board.lost = board.doubled = 0.0
        board.join()
        for member in self.here.living:
            board.mend(member.me)
            self.here.thaw(member)


async def happens(random: Random, kinds: Sequence[str]) -> History:
    """One history, checked at its end."""
    kind = random.choice(kinds)
    settings = config(seats=Seats(grace_s=random.choice((2.0, 20.0)), adjourned_s=40.0))
    bus = (
        {}
        if kind == "kills"
        else {"lost": random.choice((0.0, 0.0, 0.02, 0.1, 0.4)), "doubled": random.choice((0.0, 0.1))}
    )
    delay_s = (0.0, random.choice((0.0, 0.002, 0.1) if kind == "kills" else (0.0, 0.01, 0.3, 1.5)))
    async with world(settings, random.getrandbits(32), delay_s=delay_s, **bus) as here:
        history = History(here.record, SILENCE_S + 8 * delay_s[1] if kind == "kills" else None)
        times = random.choice((("none",), ("none",), ("10",), ("60+1",), ("none", "10")))
        persons = [
            Person(history, lambda: here.living, name, random, times)
            for name in ("anna", "bert", "carl", "dora", "emil")
        ]
        fate = Fate(here, history, persons, random, kind)
        pair = HttpPair(history, lambda: here.living, Random(random.getrandbits(32)))
        if with_pair := random.random() < 0.5:
            here.nursery.start_soon(pair.run)
        for _ in range(random.choice((2, 2, 3))):
            await fate.start()
        for _ in range(random.randint(10, STEPS)):
            await _step(here, fate, persons, random)
        await fate.heal()
        await trio.sleep(QUIET_S)
        here.board.delay_s = 0.0, 0.0  # what is on its way arrives
        before = pair.progress
        written = {table: len(kept.events) for table, kept in here.record.tables.items()}
        await trio.sleep(ARRIVES_S)
        fate.check_drains()
        for reader in fate.readers:
            reader.check(written[reader.table])
        await ask_for_seats(here, persons)
        await wait_all_tasks_blocked()  # what is stored at this very moment is told, too
        assert pair.progress > before or not with_pair, f"not answered: {pair.waiting}"
        fate.errands.check()
        pair.check()
        history.check(here)
        check_seats(here, persons, pair.tables)
        if kind == "kills":  # a pause, or a message that is held, leaves clocks as they were until the next turn
            check_clocks(here, persons, delay_s[1])
    return history


async def _step(here: World, fate: Fate, persons: list[Person], random: Random) -> None:
    """Something befalls a node, or a few persons do something; then time passes, or does not."""
    if random.random() < 0.12:
        await random.choice(fate.doings)()
    for _ in range(random.choice((1, 1, 2, 4))):
        person = random.choice(persons)
        if not person.gone:
            person.acts()
        elif here.living and random.random() < 0.7:
            person.comes(random.choice(here.living))
    for _ in range(random.choice((0, 0, 1, 3, 8))):
        await trio.lowlevel.checkpoint()
    await trio.sleep(random.choice((0.0, 0.0, 0.01, 0.1, 0.1, 0.5, 2.0)))
    for member in here.living:
        if member.server.background.nursery is None:
            await member.over.wait()


async def ask_for_seats(here: World, persons: list[Person]) -> None:
    """Persons without a client ask any node for a seat, or to look on: none is told to try again."""
    nodes, asked = here.living or [await here.node("last")], []
    for person in persons:
        if person.gone:
            person.comes(person.random.choice(nodes))
            asked.append(person.player)
    with trio.move_on_after(ANSWERED_S):
        await trio.sleep(ARRIVES_S)
        while any(player.busy for player in asked if player is not None):  # noqa: ASYNC110  # virtual time
            await trio.sleep(ARRIVES_S)
    for person in persons:
        assert not person.requests, f"a request of {person.name} is not answered"
    for player in asked:
        assert player is not None
        assert not player.busy, f"{player.seen.name} is not answered"
        refused = player.refused
        assert refused is None or refused.why is not Why.OVERLOAD, f"{player.seen.name} is refused: {refused}"


def check_seats(here: World, persons: list[Person], by_http: Collection[int]) -> None:
    """The table's node knows as players those who sit, and nobody else.

    Of tables that are played by HTTP other players are known.
    """
    sit = {}
    for person in persons:
        player = person.player
        if not person.gone and player is not None and player.table is not None and player.seat is not None:
            assert player.seen.table == player.table.state.table
            sit[player.seen.table, player.seat] = "guest" if person.nameless else person.name
    known = {}
    for member in here.living:
        for number, table in member.server.tables.items():
            assert here.record.tables[number].row.node == member.me, f"table {number} runs at node {member.me}, too"
            if table.state.status is not Status.CLOSED and number not in by_http:
                for seat in table.state.seats:
                    if seat.kind is SeatKind.PLAYER:
                        known[number, seat.index] = seat.name.partition("-")[0]
    assert sit == known, f"seated {sit}, known {known}"


def check_clocks(here: World, persons: list[Person], late_s: float) -> None:
    """Each player was told how the clocks stand at the table; since when is heard as late as the bus brings it."""
    tables = {number: table for member in here.living for number, table in member.server.tables.items()}
    for person in persons:
        player = person.player
        if person.gone or player is None or player.seen.table not in tables:
            continue
        kept, told = tables[player.seen.table].state.clock, player.seen.clock
        if kept is not None and kept.running is not None:
            assert told is not None, f"{player.seen.name} was told no clock"
            off_s = [one - other for one, other in zip(_until(told), _until(kept), strict=True)]
            assert told.running == kept.running, f"{player.seen.name}: {told}, {kept}"
            assert max(map(abs, off_s)) <= late_s + LATE_S, f"{player.seen.name}: {told}, {kept}"


def _until(clock: Clock) -> list[float]:
    """Seconds that each seat has left, and of the running one when its main time ends."""
    return [one.main_s + clock.since * (seat == clock.running) for seat, one in enumerate(clock.readings)]


def holds_killed(seed: int) -> None:
    """A history in which nodes are killed and started, and nothing else fails."""
    holds(seed, ("kills",))


def holds(seed: int, kinds: Sequence[str] | None = None) -> None:
    """One history, the same whenever it happens: scheduling, dice and tickets follow the seed, too."""
    _run._r.seed(seed)
    ordered = patch.object(_run, "_ALLOW_DETERMINISTIC_SCHEDULING", True)
    hurry = patch.multiple(runner, IDLE_S=0.3, SHORT_S=0.5)
    chance = Random(seed)
    no_chance = patch("secrets.token_bytes", chance.randbytes)
    looks = patch("random.uniform", chance.uniform)
    no_time = patch("time.perf_counter", lambda: 0.0)
    with ordered, hurry, no_chance, looks, no_time, capture_logs() as lines:
        trio.run(happens, Random(seed), kinds or KINDS, clock=MockClock(autojump_threshold=0))
    wrong = [line for line in lines if line["log_level"] not in SAID and not line["event"].startswith(TROUBLE)]
    assert wrong == [], wrong
