"""Moves written when they are asked for are written as they would have been when they were made."""

from __future__ import annotations

import random

import pytest

from gateway import registry
from gateway.store import codec
from gateway.store.records import EventRow
from gateway.table.state import Status
from gateway.table.writing import moves_of, written
from protocols.core.commands import PlayMove, Resign
from protocols.core.events import Event, MoveMade
from protocols.core.model import PASS, Move
from protocols.core.proposals import Rematch, Resume, Takeback
from tests.store.games import Played, old_rows, rows

Texts = tuple[str, str]

MOVES = 60


class RandomGame(Played):
    """A table where seats move at random; ``texts`` are each move's as they were when it was made."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name, seats=max(registry.game(name).variants[0].seats))
        self._chance = random.Random(seed)
        self.texts: list[Texts] = []
        while len(self.texts) < MOVES:
            self._go_on()

    def _go_on(self) -> None:
        """A move, or now and then a takeback or a resignation; where play has stopped it goes on or begins anew."""
        state = self.state
        if state.status is not Status.PLAYING:
            self.agree(Rematch())
        elif state.turn is None:
            self.agree(Resume())
        elif state.ply > 2 and not state.rolls and self._chance.random() < 0.1:
            self.agree(Takeback(2))
        elif len(state.seats) > 2 and self._chance.random() < 0.02:
            self.does(state.turn, Resign())
        else:
            move = self._chance.choice(state.game.legal_moves(state.position))
            after = state.game.play(state.position, move)
            self.texts.append((state.game.notation(state.position, move), state.game.brief(after)))
            self.does(state.turn, PlayMove(move))


def moves(events: list[Event]) -> list[MoveMade]:
    return [event for event in events if isinstance(event, MoveMade)]


def texts(made: list[MoveMade]) -> list[Texts]:
    return [(move.notation, move.position) for move in made]


def read(game: RandomGame, found: list[EventRow]) -> list[MoveMade]:
    """The moves of a record."""
    events = [codec.decode(row.kind, row.body) for row in found]
    return moves(list(written(game.state.game, events)))


@pytest.fixture(params=sorted(registry.games()))
def game(request: pytest.FixtureRequest) -> RandomGame:
    return RandomGame(request.param, seed=7)


def test_moves_of_a_running_table_are_written_in_whatever_order_they_are_asked_for(game: RandomGame) -> None:
    made = moves(game.events)
    for at in random.Random(1).sample(range(len(made)), len(made)):
        assert (made[at].notation, made[at].position) == game.texts[at]


def test_moves_of_a_record_are_written_by_replaying_it(game: RandomGame) -> None:
    found = rows(game.events)
    assert all('"notation"' not in row.body for row in found if row.kind == "MoveMade")
    assert texts(read(game, found)) == game.texts


def test_moves_of_a_record_of_format_1_have_their_texts(game: RandomGame) -> None:
    found = read(game, old_rows(game.events))
    assert all(move.written for move in found)
    assert texts(found) == game.texts


def test_the_moves_that_count_are_those_of_the_last_game_without_those_taken_back() -> None:
    table = Played("tic_tac_toe")
    table.play("a3", "a2", "b3")
    table.agree(Takeback(2))
    table.play("b2", "b3", "c1")
    assert list(moves_of(table.state)) == [
        (0, Move(None, 0, "x"), "a3"),
        (1, Move(None, 4, "o"), "b2"),
        (0, Move(None, 1, "x"), "b3"),
        (1, Move(None, 8, "o"), "c1"),
    ]


def test_each_move_of_a_turn_that_was_said_at_once_is_written_as_itself() -> None:
    table = Played("arimaa")
    table.play("Ra1 Rb1 Rc1")
    made = moves(table.events)
    assert [made[at].notation for at in (1, 0, 2)] == ["Rb1", "Ra1", "Rc1"]
    assert [made[at].position.partition(" ")[0][-8:] for at in (0, 1, 2)] == ["R.......", "RR......", "RRR....."]


def test_a_move_without_a_writer_says_so() -> None:
    unwritten = MoveMade.unwritten(0, PASS, 1, ())
    with pytest.raises(AttributeError, match="writer"):
        _ = unwritten.notation
