"""Plays at random at the tables of several nodes: clients without sockets, which a History watches.

A player is a Subscriber and a newcomer as a Connection is: it serves its commands one after another, and asks its table
without waiting for answers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Final

import trio

from gateway import registry
from gateway.lobby.party import Party
from gateway.ops.server import GameServer
from gateway.table.state import State, Status
from gateway.tables.seams import Table
from protocols.core import commands as cmd
from protocols.core import proposals as prop
from protocols.core.commands import Command
from protocols.core.errors import Refused, Why
from protocols.core.events import Said
from protocols.core.model import Move
from protocols.core.notifications import CalledAway, Notification
from tests.cluster.history import Client, History, Question
from tests.cluster.world import Member

GAMES: Final[tuple[tuple[str, tuple[tuple[str, str], ...]], ...]] = (
    *(("tic_tac_toe", ()), ("tic_tac_toe", ()), ("tic_tac_toe", ()), ("reversi", ())),
    ("chess", (("start", "3k4/8/8/8/8/8/8/3K3R w - - 98 80"),)),
    ("go", (("size", "5"),)),
    ("open", ()),
)
"""Games and wishes: in chess a draw can be claimed soon, in Go the dead are settled, the open one is judged by nobody.
"""

PROPOSALS: Final = (
    *(
        prop.Takeback(1),
        prop.Draw(),
        prop.Start(),
        prop.Adjourn(),
        prop.Abort(),
        prop.Resume(),
        prop.Rematch(),
        prop.Score(),
    ),
    *(prop.End(0), prop.End(1)),
)

PASSES: Final = 0.4
"""Of the moves where a pass is one, so many are."""
DIALECTS: Final = ("bogaprot", "bogaprot", "web")
"""Of them the last one's clients can be called to another table."""

MOST_OPEN: Final = 3
"""Commands that a player sends before the first is answered."""

_numbers = count(1_000_000)


class Player:
    """A client of a node; a gateway.tables.seams.Subscriber."""

    def __init__(self, member: Member, seen: Client, dialect: str = "bogaprot") -> None:
        self.member = member
        self.seen = seen
        self.number = seen.number = next(_numbers)
        self.address = "192.0.2.1"
        self.account = self.program = ""
        self.asking = 0
        self.delay_s = 0.0
        """Seconds that its network takes one way."""
        self.speaks = dialect
        self.dialect = registry.dialects()[dialect]()
        self.rules = member.server.house_rules
        self.table: Table | None = None
        self.seat: int | None = None
        self.ready = False
        self.party: Party | None = None
        self.called_away: trio.Event | None = None
        self.movable = False
        self.ended = False
        self.busy = False
        self._goes = False
        """True while it goes to another table, or from its own."""
        self.refused: Refused | None = None
        """Why it has got no seat when it asked for one last, or does not look on."""
        self._commands: deque[Command] = deque()
        self._join: Command | None = None
        self._said = trio.Event()
        self._scope = trio.CancelScope()
        member.server.background.start_soon(self._serve)

    # As its table sees it.

    def seated(self, table: Table, seat: int | None, *, ready: bool = False, name: str = "") -> None:
        self.table, self.seat, self.ready = table, seat, ready

    def turned(self, seat: int) -> None:
        self.seat = self.seen.seat = seat

    def released(self) -> None:
        assert self.table is not None
        if not (self._goes or self.ended or self.seen.ended or self.table.state.status is Status.CLOSED):
            self.seen.is_put_off()
        self.table = self.seat = None
        self.seen.leaves()

    def displaced(self) -> None:
        self.table = self.seat = None
        self.seen.leaves()
        self.end()

    def tell(self, messages: Sequence[Notification], seq: int = 0) -> None:
        self.seen.is_told(messages, seq)
        if self._join is not None and CalledAway() in messages:
            self._commands.appendleft(self._join)
            self._said.set()

    async def hears(self, words: Said) -> None:
        self.seen.is_told([words], 0)

    def refuse(self, refused: Refused) -> None:
        self.seen.is_refused(f"{refused.why.value}: {refused}")

    def answered(self) -> None:
        self.seen.is_answered()

    def moved(self, since: float) -> None:
        """Nothing is measured."""

    def lag_s(self) -> float:
        return self.delay_s

    def close(self) -> None:
        self.end()

    # As its peer does.

    def asks(self, command: Command) -> None:
        """The peer sends a command."""
        self._commands.append(command)
        self._said.set()

    @property
    def idle(self) -> bool:
        """True if nothing that it has asked waits for its answer."""
        return not (self.busy or self._commands or self.seen.open)

    def end(self) -> None:
        """Its connection ends, as soon as its task finds out."""
        self.seen.hung_up = True
        self._scope.cancel()

    def _end(self) -> None:
        self.ended = True
        if self.table is not None:
            self.table.gone(self)
        self.member.server.tables.rematching.settled(self.party)
        self.member.node.ended(self)

    async def _serve(self) -> None:
        with self._scope:
            while True:
                while self._commands:
                    self.busy = True
                    if self.called_away is not None:
                        await self.called_away.wait()
                    await self._put(self._commands.popleft())
                    self.busy = False
                self._said = trio.Event()
                await self._said.wait()
        if self.member.living:
            self._end()

    async def _put(self, command: Command) -> None:
        self.refused = None
        self._goes = isinstance(command, cmd.Join | cmd.Watch | cmd.Leave)
        try:
            match command:
                case cmd.Join():
                    self._join = command
                    await self.member.server.joining.seat(self, command)
                case cmd.Watch():
                    await self.member.server.joining.watch(self, command)
                case cmd.Leave():
                    if self.table is not None:
                        await self.table.leave(self, lost=command.lost)
                case _ if self.table is not None:
                    await self._ask(self.table, command)
        except Refused as refused:
            self.refused = refused
            if isinstance(command, cmd.Watch):
                self.seen.history.is_refused(command.table, refused)
        self._goes = False

    async def _ask(self, table: Table, command: Command) -> None:
        since = trio.current_time()
        self.seen.asks(command)
        try:
            if not table.play_now(self, command, since):
                await table.ask(self, command, since)
        except Refused as refused:
            self.refuse(refused)
            self.answered()


class Person:
    """Sits at one table at a time with a ticket of its own, by a client of any node, and comes back when it ends."""

    def __init__(
        self, history: History, nodes: Callable[[], Sequence[Member]], name: str, random: Random, times: Sequence[str]
    ) -> None:
        self.history = history
        self.nodes = nodes
        self.wishes = (("time", random.choice(times)),)
        self.dialect = random.choice(DIALECTS)
        self.name = name
        self.address = f"192.0.2.{ord(name[0])}"
        self.nameless = random.random() < 0.2
        """True if its wire carries neither a name nor a ticket: its address takes its seat back."""
        self.random = random
        self._ticket = self._new_ticket()
        self.player: Player | None = None
        self._count = 0
        self.requests = 0
        """Requests of a program in its name that are not answered."""

    def _new_ticket(self) -> str:
        return f"{self.name}-has-a-ticket-{self.random.getrandbits(64):016x}"

    def has(self, ticket: str) -> None:
        """It brings this ticket from now on: a seat is registered for it."""
        self._ticket = ticket

    @property
    def gone(self) -> bool:
        """True if it has no client that lives."""
        player = self.player
        return player is None or player.ended or player.seen.ended

    def comes(self, member: Member) -> None:
        """Connect to a node, and ask for a seat or look on. One that is ending lets nobody in."""
        if member.server.background.nursery is None or member.server.background.nursery.cancel_scope.cancel_called:
            return
        self._count += 1
        self.player = Player(
            member, self.history.client(f"{self.name}-{self._count}@{member.me}", member), self.dialect
        )
        self.player.address = self.address
        self._joins(self.player)

    def _joins(self, player: Player) -> None:
        if self.random.random() < 0.15:
            known = sorted(player.member.server.lobby._holders) or [0]
            player.asks(cmd.Watch(self.random.choice(known), name=f"{self.name} looks on"))
        else:
            bot = (("against", "bot"),) if self.random.random() < 0.2 else ()
            name, secret = ("", "") if self.nameless else (self.name, self._ticket)
            game, own = self.random.choice(GAMES)
            wishes, ready = (*self.wishes, *bot, *own), self.random.random() < 0.9
            player.asks(cmd.Join(game, name, secret, wishes, ready=ready, by_address=self.nameless))

    def acts(self) -> None:
        """Do something that a player may do now."""
        random, player = self.random, self.player
        assert player is not None
        if player.busy or len(player.seen.open) >= MOST_OPEN:
            return
        if player.table is None:
            self._ticket = self._new_ticket() if random.random() < 0.3 else self._ticket
            self._joins(player)
            return
        if random.random() < 0.04:
            player.end()
            return
        command = self._command(player.table, player.seat)
        if type(command) is not cmd.PlayMove or player.seat is None:
            player.asks(command)
            return
        if random.random() < 0.1:
            self._moves_by_request(player, player.table, player.seat, command)
        if random.random() < 0.9:
            player.asks(command)

    def _moves_by_request(self, player: Player, table: Table, seat: int, command: cmd.PlayMove) -> None:
        """Make a move as a program does that uses the API of any node: at once, with its number."""
        server = self.random.choice(self.nodes()).server
        if server.background.nursery is None or server.background.nursery.cancel_scope.cancel_called:
            return
        numbered = replace(command, ply=table.state.ply)
        question = player.seen.requests(numbered)
        self.requests += 1
        server.background.start_soon(self._request, server, question, seat, numbered)

    async def _request(self, server: GameServer, question: Question, seat: int, move: cmd.PlayMove) -> None:
        try:
            await server.tables.asked(question.table).move(seat, "192.0.2.1", move, trio.current_time())
            question.answer = "served"
        except Refused as refused:
            question.answer = "" if refused.why is Why.OVERLOAD else "refused"
            self.history.is_refused(question.table, refused)
        finally:
            self.requests -= 1

    def _command(self, table: Table, seat: int | None) -> Command:
        random, state = self.random, table.state
        self._count += 1
        say = cmd.Say(random.choice(("all", "players", "observers")), f"{self.name} says {self._count}")
        if seat is None:
            return random.choice((say, cmd.Leave(lost=False)))
        others = [made.proposal for made in state.proposals if made.seat != seat]
        if others and random.random() < 0.3:
            return cmd.Propose(random.choice(others))
        if state.status is Status.OVER and random.random() < 0.6:
            return random.choice((cmd.Leave(lost=False), cmd.Propose(prop.Start())))
        if state.turn is not None and state.turn == seat and random.random() < 0.85:
            return cmd.PlayMove(self._move(state))
        odd: list[Command] = [cmd.PlayMove(self._move(state))] * 3 if state.turn is not None else []
        odd += [
            *(say, say, say, cmd.Propose(random.choice(PROPOSALS)), cmd.ClaimEnd(random.choice((None, 0, 1)))),
            *(cmd.MarkDead(()), cmd.Dispute(f"{self.name} says no {self._count}")),
            cmd.Decline(type(random.choice(others or PROPOSALS)).__name__),
        ]
        odd += [cmd.Resign(), cmd.Forfeit("a fault", late=random.random() < 0.3)] if random.random() < 0.1 else []
        odd += [cmd.Leave(lost=random.random() < 0.7)] if random.random() < 0.1 else []
        return random.choice(odd)

    def _move(self, state: State) -> Move:
        moves = state.game.legal_moves(state.position)
        passes = [move for move in moves if move.target is None]
        return self.random.choice(passes if passes and self.random.random() < PASSES else moves)
