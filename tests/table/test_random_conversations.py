"""Random conversations with tables of every game and number of seats, and what must hold after each step of them.

Players come, play, propose, give up, lose their connections and return, deadlines pass; at last all of them go.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec
import pytest
from msgspec import UNSET

from gateway import registry
from gateway.store import codec
from gateway.table import seating
from gateway.table.decide import decide, tick
from gateway.table.draft import Draft
from gateway.table.evolve import evolve, replay
from gateway.table.state import Status, deadline, opened, participants, seats_of, settling, waiting
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core import proposals as to
from protocols.core.errors import Refused
from protocols.core.model import PASS, HouseRules, Seat, SeatKind
from protocols.core.standing import Standing
from protocols.core.time_text import read as read_time
from tests import seeds as seeds_of
from tests.table.tables import SECRET, check_cause

TABLES: Final = sorted({(name, n) for name, game in registry.games().items() for v in game.variants for n in v.seats})

TIMES: Final = ("none", "none", "60", "30+5", "3/20", "10/move", "20+3/10", "10+3x5")

LONGEST_END: Final = 3_000
"""Moves of house bots and deadlines after which a table that everybody left should have closed."""

PROPOSALS: Final[Sequence[to.Proposal]] = (
    to.Draw(),
    to.Adjourn(),
    to.Abort(),
    to.Resume(),
    to.Rematch(),
    to.Takeback(1),
    to.Takeback(3),
    to.Start(),
    to.Start(side=0),
    to.Start(side=1),
    to.Score(),
    to.End(0),
)

WORDS: Final[Sequence[cmd.Command]] = (
    cmd.Leave(),
    cmd.Leave(lost=True),
    cmd.Leave(lost=True),
    cmd.Resign(),
    cmd.Forfeit("by its own fault"),
    cmd.Decline("Draw"),
    cmd.Decline("Start"),
    cmd.ClaimEnd(None),
    cmd.ClaimEnd(0),
    cmd.Dispute("no"),
    cmd.MarkDead(()),
    cmd.MarkDead((), program=True),
    cmd.GiveTime(30),
    cmd.Say("all", "hello"),
)


class Life:
    """One table and those who come to it; ``said`` is its record."""

    def __init__(self, name: str, seats: int, chance: random.Random) -> None:
        self.chance = chance
        self.game = registry.game(name)
        small = {"size": "5"} if name == "go" else None
        time = read_time(chance.choice(TIMES))
        made = replace(self.game.settings(seats=seats, options=small), time=time, rated=chance.random() < 0.3)
        registered = chance.random() < 0.2
        self.house = HouseRules(
            grace_s=60.0,
            abandoned=chance.choice(["bot", "loss"]),
            deserted=chance.choice(["adjourn", "loss"]),
            bot_after_s=None if registered else chance.choice([None, 0.0, 10.0]),
            adjourned_s=1000.0,
            waits_s=500.0 if registered else 0.0,
            first_move_s=20.0 if chance.random() < 0.3 else UNSET,
            offered=True if registered and chance.random() < 0.5 else UNSET,
        )
        self.state = waiting(opened(1, self.game, made, self.house, SECRET), 500.0)
        self.said: list[ev.Event] = [ev.TableOpened(made, self.house)]
        self.now = 0.0
        if registered:
            given_out = Draft(self.state)
            kept = [Seat(seat, SeatKind.RESERVED, f"r{seat}") for seat in range(chance.randint(1, seats))]
            seating.register(given_out, kept, 0.0)
            self.take(given_out)

    @property
    def closed(self) -> bool:
        return self.state.status is Status.CLOSED

    def take(self, draft: Draft) -> None:
        """The step is stored and taken over, and everything that must hold afterwards does."""
        folded = self.state
        for event in draft.events:
            assert codec.decode(*codec.encode(event)) == event
            folded = evolve(folded, event)
        assert folded == draft.state
        self.state = draft.state
        self.said += draft.events
        self.check()

    def check(self) -> None:
        state = self.state
        assert state.turn is None or state.turn not in state.withdrawn, "a seat that gave up is to move"
        assert len(state.withdrawn) == len(set(state.withdrawn)), "a seat has given up twice"
        if state.status is Status.CLOSED or len(self.said) == 1:
            return
        if not seats_of(state, SeatKind.PLAYER):
            assert self.house.waits_s or seats_of(state, SeatKind.RESERVED), "open, and nobody sits or is expected here"
            assert deadline(msgspec.structs.replace(state, clock=None)) is not None, "nobody's return ends by itself"
        for made in state.proposals:
            agreed = {other.seat for other in state.proposals if other.proposal == made.proposal}
            assert isinstance(made.proposal, to.Start) or not agreed.issuperset(participants(state)), "agreed, undone"

    def ask(self, seat: int | None, command: cmd.Command) -> bool:
        """Whether the table has done it."""
        try:
            self.take(decide(self.state, seat, command, self.now))
        except Refused as refused:
            check_cause(command, refused)
            return False
        return True

    def tick(self, kept: Sequence[int]) -> bool:
        """The next deadline passes; whether there was one."""
        due = deadline(self.state)
        if due is None or self.closed:
            return False
        self.now = max(self.now, due)
        self.take(tick(self.state, self.now, kept))
        later = deadline(self.state)
        assert later is None or later > self.now or self.closed, "the deadline stays"
        return True

    def wait(self, seconds: float) -> None:
        """So long nothing is heard of anybody; some of the lost players have no way back."""
        until = self.now + seconds
        while not self.closed and (due := deadline(self.state)) is not None and due <= until:
            self.tick([seat for seat in range(len(self.state.seats)) if self.chance.random() < 0.7])
        self.now = max(self.now, until)

    def live(self) -> None:
        """One thing that may happen: a move in every second case."""
        state, chance = self.state, self.chance
        people = seats_of(state, SeatKind.PLAYER)
        done = chance.random()
        if done < (0.6 if state.status is Status.OPEN else 0.1) or not people:
            held = [seat.index for seat in state.seats if seat.kind is not SeatKind.OPEN]
            self.ask(chance.choice([None, *held]), cmd.Join(self.game.name, f"p{chance.randrange(99)}"))
        elif done < 0.75 and state.turn is not None:
            self.move(state.turn)
        elif settling(state) and done < 0.9:
            stones = sorted(self.game.board(state.position))
            dead = tuple(chance.sample(stones, min(len(stones), chance.randrange(3))))
            said: list[cmd.Command] = [cmd.MarkDead(dead, program=chance.random() < 0.5), cmd.Propose(to.Resume())]
            self.ask(chance.choice(people), chance.choice(said))
        elif done < 0.82:
            self.ask(chance.choice(people), chance.choice(WORDS))
        else:
            proposal = chance.choice(PROPOSALS)
            for seat in people if chance.random() < 0.5 else people[:1]:
                self.ask(seat, cmd.Propose(proposal))

    def move(self, seat: int) -> None:
        """A player or a house bot on this seat moves; Go is mostly passed, so that there is something to settle."""
        if self.state.seats[seat].kind not in (SeatKind.PLAYER, SeatKind.BOT):
            return
        passes = self.game.name == "go" and self.chance.random() < 0.6
        moves: list[Any] = [PASS] if passes else self.game.legal_moves(self.state.position)
        before = self.state
        if self.ask(seat, cmd.PlayMove(self.chance.choice(moves))) and self.state.ply > before.ply:
            self.offers_stood(before.proposals, seat)

    def offers_stood(self, before: Standing, mover: int) -> None:
        """What the mover has offered, and who agreed with it; each takeback for the position that it named."""
        if self.state.status is not Status.PLAYING:
            return
        own = [made.proposal for made in before if made.seat == mover]
        meant = [
            (
                made.seat,
                to.Takeback(made.proposal.plies + 1) if isinstance(made.proposal, to.Takeback) else made.proposal,
            )
            for made in before
            if made.proposal in own
        ]
        assert [(made.seat, made.proposal) for made in self.state.proposals] == meant

    def bots_go_on(self) -> bool:
        """A house bot does what is its to do; whether there was anything."""
        state = self.state
        bots = seats_of(state, SeatKind.BOT)
        if state.status is Status.PLAYING and state.turn in bots:
            self.move(state.turn)
            return True
        if settling(state):
            return any(self.ask(bot, cmd.Propose(to.Score())) for bot in bots)
        return False

    def everybody_goes(self) -> None:
        """Each player leaves or is lost; house bots play on and time passes until the table closes."""
        for seat in seats_of(self.state, SeatKind.PLAYER):
            self.ask(seat, cmd.Leave(lost=self.chance.random() < 0.5))
        for _ in range(LONGEST_END):
            if self.state.status is Status.CLOSED:
                return
            self.now += 0.01
            if not self.bots_go_on():
                assert self.tick(range(len(self.state.seats))), "nothing will ever close this table"
        pytest.fail(f"left by everybody, the table is {self.state.status} for ever")

    def network_fails(self) -> None:
        """Each player is lost, for longer than a grace."""
        for seat in seats_of(self.state, SeatKind.PLAYER):
            self.ask(seat, cmd.Leave(lost=True))
        self.wait(2 * self.house.grace_s)

    def everybody_returns(self) -> None:
        """Each lost player comes back: an adjourned game goes on."""
        for seat in seats_of(self.state, SeatKind.RESERVED):
            self.ask(seat, cmd.Join(self.game.name))
        for seat in seats_of(self.state, SeatKind.PLAYER):
            self.ask(seat, cmd.Propose(to.Resume()))
        assert self.state.status is not Status.ADJOURNED

    def everybody_agrees(self, proposal: to.Proposal, before: Status) -> None:
        """Each player who takes part makes the proposal: where it may be made, it takes effect."""
        state = self.state
        seats = [seat for seat in participants(state) if state.seats[seat].kind is SeatKind.PLAYER]
        if state.status is before and len(seats) == len(participants(state)):
            for seat in seats:
                self.ask(seat, cmd.Propose(proposal))
            if proposal == to.Draw() and state.game.draw_after_moves and state.ply < len(state.seats):
                return
            assert self.state.status is not before

    def restarts(self) -> None:
        """Another process replays the record, which comes to the same state, and takes the table over."""
        replayed = replay(1, self.game, SECRET, self.said)
        assert msgspec.structs.replace(replayed, waits_until=self.state.waits_until) == self.state
        if self.state.status is not Status.CLOSED:
            self.take(seating.adopt(self.state, self.now, self.now))


def converse(seed: int) -> None:
    chance = random.Random(seed)
    life = Life(*TABLES[seed % len(TABLES)], chance)
    for _ in range(chance.randint(5, 100)):
        life.wait(chance.choice([0.0, 0.1, 0.1, 1.0, 1.0, 5.0, 30.0]))
        if not life.closed:
            life.live()
    if chance.random() < 0.6:
        life.network_fails()
    life.everybody_returns()
    life.everybody_agrees(to.Draw(), Status.PLAYING)
    life.everybody_agrees(to.Rematch(), Status.OVER)
    if chance.random() < 0.3:
        life.restarts()
    if len(life.said) > 1 and not life.closed:
        life.everybody_goes()


@pytest.mark.nightly_too
@seeds_of.in_parts(1_000, 3_000_000)
def test_a_table_serves_whoever_comes_and_closes_when_all_have_gone(seeds: range) -> None:
    seeds_of.each(seeds, converse)
