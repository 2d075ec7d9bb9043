"""Whole conversations at random: clients come, play, talk, leave, are lost and are cut off between any two steps.

The server is a real one in memory; the clock jumps and the record takes its time. Whatever happens, each client is
where its table says, and when everybody has gone and time has passed nothing is left of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, ClassVar, Final
from unittest.mock import patch

import pytest
import trio
from structlog.testing import capture_logs
from trio._core import _run
from trio.testing import MockClock

from gateway.config import Seats
from gateway.sessions.connection import Connection
from gateway.sessions.listener import EntryPoint
from gateway.sessions.mailbox import Mailbox
from gateway.tables import runner
from gateway.tables.runner import TableRunner
from protocols.core import commands as cmd
from protocols.core import proposals as prop
from protocols.core.commands import Command
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, RemoteProtocolError
from protocols.core.model import PASS, SeatKind
from protocols.core.notifications import Notification
from tests import seeds as seeds_of
from tests.hall import FirstMove, Hall, config, hall
from tests.store.late_log import LateLog
from tests.table.tables import check_cause

GAMES: Final = ("tic_tac_toe", "connect_four", "ludo?seats=3", "go?size=5&komi=0.5", "go?size=5&komi=0.5&time=60")
TICKETS: Final = tuple(f"a-ticket-that-is-brought-{n}" for n in range(4))
ADDRESSES: Final = ("192.0.2.1", "192.0.2.2")
STEPS: Final = 40
"""Most that happens in one conversation."""
BURSTS: Final = (*(1,) * 12, 2, 3, 40)
"""Commands that a client sends at once."""
GRACE_S: Final = 1.0
QUIET_S: Final = 3.0
"""Virtual seconds after which every command has been answered."""
LONG_S: Final = 30.0
"""Virtual seconds after which every grace, wait and adjourned game is over."""


class Direct(Dialect):
    """A dialect whose bytes are numbers of commands: so every command can be asked by a peer, in any order."""

    name: ClassVar[str] = "direct"
    said: ClassVar[dict[int, list[Command]]] = {}

    def receive_data(self, data: bytes) -> list[Command]:
        if data == b"broken\n":
            raise RemoteProtocolError("broken")
        return [command for number in data.split() for command in self.said.pop(int(number))]

    def send(self, message: Notification) -> None:
        """It has no words."""

    @classmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        return [data.decode()]

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        return "".join(lines).encode()


class Thinking(FirstMove):
    """A house bot that takes a moment, passes in Go, and takes nothing for dead."""

    async def choose(self, game_name: str, position: Any, level: int, bot_context: Any) -> Any:
        await trio.sleep(0.3)
        if game_name == "go":
            return PASS
        return await super().choose(game_name, position, level, bot_context)


class Crowd:
    """The clients of one conversation, by their mailboxes."""

    def __init__(self, here: Hall, random: Random) -> None:
        self.here = here
        self.random = random
        self._numbers = 0
        self.inside: dict[Connection, Mailbox] = {}

    def comes(self) -> None:
        before = set(self.here.server.connections)
        mailbox = Mailbox(lambda data: None, lambda: None)
        rules = self.here.server.house_rules
        self.here.server.enter(EntryPoint(Direct, {}, rules), mailbox, self.random.choice(ADDRESSES))
        for connection in self.here.server.connections - before:
            self.inside[connection] = mailbox

    def asks(self, connection: Connection, *commands: Command) -> None:
        self._numbers += 1
        Direct.said[self._numbers] = list(commands)
        self.inside[connection].put(b"%d\n" % self._numbers)

    def anything(self) -> None:
        """One client does something, or something happens to it."""
        random = self.random
        for connection in [connection for connection in self.inside if connection.ended]:
            del self.inside[connection]
        if not self.inside or random.random() < 0.15:
            self.comes()
            return
        connection = random.choice(list(self.inside))
        doing = random.random()
        if doing < 0.06:
            connection.close()
        elif doing < 0.12:
            self.inside[connection].leave()
        elif doing < 0.14:
            self.inside[connection].put(b"broken\n")
        elif doing < 0.20:
            connection._ask_soon([self.command(connection)], trio.current_time())
        else:
            self.asks(connection, *(self.command(connection) for _ in range(random.choice(BURSTS))))

    def command(self, connection: Connection) -> Command:
        random, table = self.random, connection.table
        if table is None or random.random() < 0.1:
            return self.coming()
        state = table.state
        legal = () if state.turn is None else state.game.legal_moves(state.position)
        moves: list[Command] = [cmd.PlayMove(random.choice(legal))] * 4 if legal else [cmd.Propose(prop.Start())] * 2
        proposals: list[prop.Proposal] = [prop.Takeback(1), prop.Draw(), prop.Adjourn(), prop.Abort(), prop.Resume()]
        proposals += [prop.Start(), prop.Rematch(), prop.Score(), prop.Takeback(2)]
        others: list[Command] = [
            cmd.PlayMove(PASS),
            cmd.Propose(random.choice(proposals)),
            cmd.Propose(random.choice(proposals)),
            cmd.Decline(random.choice(["Start", "Takeback", "Draw", "Abort"])),
            cmd.Say(random.choice(["all", "observers"]), "hello"),
            cmd.Resign(),
            cmd.MarkDead((0,)),
            cmd.GiveTime(15),
            cmd.Leave(lost=random.random() < 0.5),
        ]
        return random.choice([*moves, *others])

    def coming(self) -> Command:
        random = self.random
        game, _, wishes = random.choice(GAMES).partition("?")
        asked = tuple(tuple(wish.split("=", 1)) for wish in wishes.split("&") if wish)
        against = (("against", "bot"),) if random.random() < 0.2 else ()
        ticket = random.choice(("", *TICKETS))
        join = cmd.Join(
            game,
            random.choice(("", "anna", "bert")),
            ticket,
            wishes=(*asked, *against),  # type: ignore[arg-type]
            by_address=not ticket and random.random() < 0.5,
            ready=random.random() < 0.8,
        )
        others: list[Command] = [join, join, cmd.Watch(random.randint(1, 4)), cmd.Inquire("tables")]
        return random.choice([join, *others])


def check(here: Hall) -> None:
    """Each client is where its table says, and nowhere else."""
    for connection in here.server.connections:
        if isinstance(connection.table, TableRunner) and connection.seat is not None:
            assert connection.table.subscribers.at(connection.seat) is connection
    for table in here.server.tables.values():
        for seat in table.state.seats:
            at = table.subscribers.at(seat.index)
            if seat.kind is SeatKind.PLAYER:
                assert at is not None, "a player nobody speaks for"
            if at is not None:
                assert (at.table, at.seat, at.ended) == (table, seat.index, False)
        assert all(not observer.subscriber.ended for observer in table.subscribers._observers.values())
    assert not here.server.lobby.waiting._coming, "an open seat that is offered to nobody"


def left(here: Hall) -> dict[str, int]:
    """What is kept of players that have gone, by name; nothing should be."""
    lobby = here.server.lobby
    kept = {
        name: len(found)
        for name, found in vars(lobby).items()
        if isinstance(found, dict | set | list) and name not in ("_tickets", "_issued")
    }
    kept |= {
        "names": len(lobby.names._held),
        "tables": len(here.server.tables),
        "connections": len(here.server.connections),
        "counted": here.server.connection_limits.inside,
        "visitors": len(here.server.visitors._shown),
        "tickets on the way": len(here.server.joining._tickets_on_the_way),
    }
    return {name: count for name, count in kept.items() if count}


async def conversation(random: Random) -> None:
    seats = Seats(grace_s=GRACE_S, bot_after_s=random.choice((None, 1.0)), adjourned_s=random.choice((2.0, 8.0)))
    settings = config(seats=seats, handshake_s=6.0, lobby_s=6.0, connections_per_address=10_000)
    async with hall(settings, log=LateLog, bots=Thinking()) as here:
        log = here.server.commits.log
        assert isinstance(log, LateLog)
        crowd = Crowd(here, random)
        for _ in range(random.randint(1, STEPS)):
            crowd.anything()
            log.slow = random.random() < 0.4
            for _ in range(random.choice((0, 1, 2, 3, 5, 8))):
                await trio.lowlevel.checkpoint()
            if random.random() < 0.3:
                log.slow = False
                log.go()
                await trio.sleep(pause := random.choice((0.0, 0.1, 0.5, QUIET_S)))
                if pause == QUIET_S:
                    check(here)
        log.slow = False
        log.go()
        await trio.sleep(QUIET_S)
        check(here)
        for connection, mailbox in crowd.inside.items():
            random.choice((connection.close, mailbox.leave))()
        with trio.move_on_after(LONG_S):
            while left(here):  # noqa: ASYNC110  # nothing tells that the last of it is gone
                await trio.sleep(1.0)
        assert left(here) == {}


async def put(connection: Connection, command: Command, since: float, serve: Any = Connection._put) -> bool:
    """``serve`` the command; it is refused for none but the causes that its class declares."""
    try:
        served: bool = await serve(connection, command, since)
    except Refused as refused:
        check_cause(command, refused)
        raise
    return served


def converse(seed: int) -> None:
    """One conversation, the same whenever it is held: scheduling, dice and tickets follow the seed, too.

    Unfinished tables rest after a moment: otherwise their deadlines would have to be minutes.
    """
    _run._r.seed(seed)
    Direct.said.clear()
    ordered = patch.object(_run, "_ALLOW_DETERMINISTIC_SCHEDULING", True)
    hurry = patch.multiple(runner, IDLE_S=0.3, SHORT_S=0.5)
    no_chance = patch("secrets.token_bytes", Random(seed).randbytes)
    no_time = patch(
        "time.perf_counter", lambda: 0.0
    )  # rests after work are as long as the work, which a machine delays
    with ordered, hurry, no_chance, no_time, patch.object(Connection, "_put", put), capture_logs() as lines:
        trio.run(conversation, Random(seed), clock=MockClock(autojump_threshold=0))
    assert [line for line in lines if line["log_level"] not in ("debug", "info")] == []


@pytest.mark.nightly_too
@seeds_of.in_parts(200, 2_000_000)
def test_nothing_is_left_of_random_conversations(seeds: range) -> None:
    seeds_of.each(seeds, converse)
