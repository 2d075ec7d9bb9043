"""A takeback puts the clocks back with the position, for every kind of time control and whatever came between."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, Final

import pytest

from gateway import registry
from gateway.store import codec
from gateway.table import seating
from gateway.table.decide import decide
from gateway.table.draft import Draft
from gateway.table.evolve import replay
from gateway.table.state import Status, opened
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.model import HouseRules, Reading
from protocols.core.proposals import Adjourn, Resume, Takeback
from protocols.core.time_text import read as read_time
from tests import seeds as seeds_of
from tests.table.tables import SECRET, Conversation

TIMES: Final = ("60", "20+5", "3/20", "3/20+2", "6/move", "30+4/20", "0+4/20", "20+3x10", "0+2x10")
GAMES: Final = ("chess", "checkers", "arimaa", "go")
"""One move a turn, several, and one whose play may stop to be scored."""

Readings = tuple[Reading, ...]


class Timed:
    """A table of two whose clocks run; ``told`` are the clocks of each position since the game's start, by its ply, as
    they were told when it came up first."""

    def __init__(self, game: str, time: str, chance: random.Random) -> None:
        rules = registry.game(game)
        self.chance, self.now = chance, 0.0
        settings = rules.settings(options={"size": "5"} if game == "go" else None)
        settings = replace(settings, time=read_time(time))
        self.state = opened(1, rules, settings, HouseRules(), SECRET)
        self.said: list[ev.Event] = [ev.TableOpened(settings, HouseRules())]
        self.told: list[Readings | None] = []
        for name in ("anna", "bert"):
            self.ask(None, cmd.Join(game, name))

    def ask(self, seat: int | None, command: cmd.Command) -> None:
        self._take(decide(self.state, seat, command, self.now))

    def _take(self, draft: Draft) -> None:
        self.state = draft.state
        self.said += draft.events
        for event in draft.events:
            match event:
                case ev.GameStarted():
                    self.told = [None]
                case ev.MoveMade():
                    self.told.append(None)
                case ev.MovesTakenBack(ply=ply):
                    del self.told[ply + 1 :]
                case ev.ClockSet(clock) | ev.TurnStarted(_, clock) if clock is not None and self.told[-1] is None:
                    self.told[-1] = clock.readings

    def move(self) -> None:
        turn = self.state.turn
        if turn is not None:
            moves: list[Any] = self.state.game.legal_moves(self.state.position)
            self.ask(turn, cmd.PlayMove(self.chance.choice(moves)))

    def take_back(self) -> None:
        if not self.state.ply:
            return
        plies = self.chance.randint(1, min(5, self.state.ply))
        expected = self.told[self.state.ply - plies]
        for seat in (0, 1):
            self.ask(seat, cmd.Propose(Takeback(plies)))
        assert self.state.clock is not None
        assert self.state.clock.readings == expected
        assert self.state.clock.running == self.state.turn
        assert self.state.turn is None or self.state.clock.since == self.now, "what was used since is given back"

    def adjourn(self) -> None:
        for proposal in (Adjourn(), Resume()):
            for seat in (0, 1):
                self.ask(seat, cmd.Propose(proposal))
            self.now += 1000.0

    def restart(self) -> None:
        """Another process reads the record and takes the table over; both players come back."""
        record = [codec.decode(*codec.encode(event)) for event in self.said]
        replayed = replay(1, self.state.game, SECRET, record)
        assert replayed.last == self.state.last, "the readings follow from the record"
        self.state = replayed
        self._take(seating.adopt(replayed, self.now, self.now))
        for seat in (0, 1):
            self.ask(seat, cmd.Join(self.state.game.name))


def converse(seed: int) -> None:
    chance = random.Random(seed)
    table = Timed(GAMES[seed % len(GAMES)], chance.choice(TIMES), chance)
    for _ in range(40):
        if table.state.status is not Status.PLAYING:
            return
        table.now += chance.choice([0.0, 0.1, 0.5, 1.0, 3.0])
        (act,) = chance.choices([table.move, table.take_back, table.adjourn, table.restart], [16, 6, 1, 1])
        act()


@pytest.mark.nightly_too
@seeds_of.in_parts(400, 200_000)
def test_every_takeback_gives_the_clocks_of_the_position_back(seeds: range) -> None:
    seeds_of.each(seeds, converse)


def chess(time: str, *moves: tuple[str, float]) -> Conversation:
    """A game of chess; each move with the second in which it is made."""
    table = Conversation("chess", time=time)
    table.join("anna", "bert")
    for move, now in moves:
        assert table.state.turn is not None
        table.ask(table.state.turn, cmd.PlayMove(text=move), now)
    return table


def taken_back(table: Conversation, plies: int, now: float) -> Readings:
    for seat in (0, 1):
        table.ask(seat, cmd.Propose(Takeback(plies)), now)
    assert table.state.clock is not None
    return table.state.clock.readings


@pytest.mark.parametrize("time", ["6/move", "0+1x6", "0+1/6"])
def test_who_grants_a_takeback_begins_the_next_turn_with_its_whole_time(time: str) -> None:
    table = chess(time, ("e2e4", 1.0))
    readings = taken_back(table, 1, 6.5)  # after 5.5 of 6 seconds
    assert [reading.period_s for reading in readings] == [6.0, 6.0]
    table.ask(0, cmd.PlayMove(text="d2d4"), 7.0)
    assert table.wait(12.9) == []


def test_increments_of_moves_that_were_taken_back_are_not_kept() -> None:
    table = chess("20+5", ("e2e4", 1.0), ("e7e5", 2.0), ("g1f3", 3.0), ("b8c6", 4.0))
    assert [reading.main_s for reading in taken_back(table, 4, 5.0)] == [20.0, 20.0]


def test_moves_that_were_taken_back_do_not_count_for_the_session() -> None:
    table = chess("3/20", ("e2e4", 1.0), ("e7e5", 2.0), ("g1f3", 3.0), ("b8c6", 4.0))
    assert taken_back(table, 2, 5.0) == (Reading(19.0, moves=2), Reading(19.0, moves=2))


def test_a_session_that_was_begun_is_not_begun_after_its_last_move_was_taken_back() -> None:
    table = chess("1/20", ("e2e4", 1.0), ("e7e5", 2.0))
    assert taken_back(table, 1, 3.0) == (Reading(39.0, moves=1), Reading(20.0, moves=1))


def test_the_clocks_of_a_position_are_those_with_which_it_came_up_and_not_those_of_an_adjournment() -> None:
    table = chess("60", ("e2e4", 10.0))
    for proposal in (Adjourn(), Resume()):
        for seat in (0, 1):
            table.ask(seat, cmd.Propose(proposal), 15.0)
    table.ask(1, cmd.PlayMove(text="e7e5"), 16.0)
    assert [reading.main_s for reading in taken_back(table, 1, 20.0)] == [50.0, 60.0]


def test_a_record_of_a_takeback_that_kept_the_time_used_leads_to_the_clocks_that_it_names() -> None:
    """Records of earlier versions name the clocks after each takeback, and those count."""
    table = chess("60", ("e2e4", 10.0))
    assert table.state.clock is not None
    kept = replace(table.state.clock, readings=(Reading(50.0), Reading(55.0)), running=None)
    former: list[ev.Event] = [
        ev.Proposed(0, Takeback(1)),
        ev.Proposed(1, Takeback(1)),
        ev.Agreed(Takeback(1)),
        ev.ClockSet(kept),
        ev.MovesTakenBack(1, 0, (), ""),
        ev.TurnStarted(0, replace(kept, running=0, since=15.0)),
    ]
    opening = ev.TableOpened(table.first.settings, table.first.house)
    state = replay(1, table.state.game, SECRET, [opening, *table.said, *former])
    assert state.clock == replace(kept, running=0, since=15.0)
