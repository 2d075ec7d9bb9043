"""Defines a game of three seats that ends by agreement: the table plays it without knowing it.

Rows: the seats place stones in a row of nine squares in turn, or pass. When all have passed in a row, play stops. A
claim names stones that do not count; most of the others win. A seat that gives up is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from gateway.games.base import Game, Turn, Variant
from gateway.games.parts import Scoring
from gateway.table.agreement import bot_answer
from gateway.table.evolve import replay
from gateway.table.state import Status, opened, participants, settling
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.commands import MarkDead, PlayMove, Propose
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, HouseRules, Move, Outcome, Reason, Settings
from protocols.core.proposals import Resume, Score, Takeback
from tests.table.tables import SECRET, Conversation, kinds

SQUARES = 9
NAMES = ("red", "green", "blue")


@dataclass(frozen=True)
class Row:
    """``stones`` are by square, "" empty; ``playing`` the seats that have not given up."""

    stones: tuple[str, ...] = ("",) * SQUARES
    turn: int = 0
    passes: int = 0
    playing: tuple[int, ...] = (0, 1, 2)

    def next(self) -> int:
        return next(seat % 3 for seat in range(self.turn + 1, self.turn + 4) if seat % 3 in self.playing)


class Rows(Game[Row], Scoring[Row]):
    name = "rows"
    title = "Rows"
    variants = (Variant("standard", SQUARES, 1, "Nine squares in a row.", (3,)),)
    sides = NAMES
    settles = "which stones count"

    def start(self, settings: Settings) -> Row:
        return Row()

    def to_move(self, position: Row) -> Turn:
        return None if self.settling(position) else position.turn

    def play(self, position: Row, move: Move) -> Row:
        if move not in self.legal_moves(position):
            raise IllegalMove("no such square is free")
        if move == PASS:
            return replace(position, passes=position.passes + 1, turn=position.next())
        stones = [NAMES[position.turn] if at == move.target else stone for at, stone in enumerate(position.stones)]
        return replace(position, stones=tuple(stones), passes=0, turn=position.next())

    def outcome(self, position: Row) -> Outcome | None:
        return None

    def legal_moves(self, position: Row) -> list[Move]:
        if self.settling(position):
            return []
        return [PASS, *(Move(None, at) for at, stone in enumerate(position.stones) if not stone)]

    def withdraw(self, position: Row, seat: int) -> Row | None:
        playing = tuple(other for other in position.playing if other != seat)
        turn = position.next() if position.turn == seat else position.turn
        return replace(position, playing=playing, turn=turn) if len(playing) > 1 else None

    def board(self, position: Row) -> dict[int, str]:
        return {at: stone for at, stone in enumerate(position.stones) if stone}

    def text(self, position: Row) -> str:
        return f"{self.diagram(position)} {position.turn} {position.passes} {position.playing}"

    def diagram(self, position: Row) -> str:
        return "".join(stone[:1] or "." for stone in position.stones)

    def notation(self, position: Row, move: Move) -> str:
        return "pass" if move.target is None else str(move.target)

    def settling(self, position: Row) -> bool:
        return position.passes >= len(position.playing)

    def claimed(self, position: Row, squares: Iterable[int]) -> tuple[int, ...]:
        claim = tuple(sorted(set(squares)))
        if not set(claim) <= set(self.board(position)):
            raise Refused(Why.ILLEGAL, "no stone stands there")
        return claim

    def scored(self, position: Row, claim: Iterable[int]) -> Outcome:
        gone = self.claimed(position, claim)
        counted = [stone for at, stone in self.board(position).items() if at not in gone]
        order = sorted(NAMES, key=counted.count, reverse=True)
        drawn = counted.count(order[0]) == counted.count(order[1])
        return Outcome(None if drawn else NAMES.index(order[0]), Reason.RULES, "by counting")

    def played_on(self, position: Row) -> Row:
        return replace(position, passes=0)


def table_of(*moves: int | None, house: HouseRules | None = None) -> Conversation:
    """Three players, or one where house bots sit down, and these moves; None passes."""
    table = Conversation()
    settings = Rows().settings()
    table.first = table.state = opened(1, Rows(), settings, house or HouseRules(), SECRET)
    table.join("anna") if house is not None else table.join("anna", "bert", "carl")
    for target in moves:
        assert table.state.turn is not None
        table.ask(table.state.turn, PlayMove(Move(None, target)))
    return table


def test_play_stops_and_the_game_ends_when_all_have_made_the_same_claim() -> None:
    table = table_of(0, 1, 2, 3, None, None, None)
    assert settling(table.state)
    table.ask(0, MarkDead(()))
    table.ask(1, MarkDead((0, 3)))
    table.ask(2, MarkDead((3, 0)))
    assert not table.state.outcome
    assert kinds(table.ask(0, MarkDead((0, 3)))) == ["Proposed", "Agreed", "GameEnded"]
    a_stone_each = Outcome(None, Reason.RULES, "by counting", (1, 1, 1))
    assert table.state.outcome == a_stone_each


def test_the_refusals_are_in_the_words_of_the_game() -> None:
    table = table_of(0, None, None, None)
    with pytest.raises(Refused, match="agree on which stones count"):
        table.ask(1, PlayMove(Move(None, 5)))
    with pytest.raises(Refused, match="no stone stands there"):
        table.ask(1, MarkDead((8,)))


def test_one_who_does_not_agree_plays_on() -> None:
    table = table_of(0, None, None, None)
    table.ask(0, MarkDead(()))
    assert kinds(table.ask(1, Propose(Resume()))) == ["Proposed", "GameResumed", "TurnStarted"]
    assert table.state.turn == 1


def test_no_claim_counts_that_not_all_make_where_the_game_does_not_say_so() -> None:
    table = table_of(0, None, None, None)
    table.ask(1, Propose(Resume()))
    for target in (5, None, None, None):
        assert table.state.turn is not None
        table.ask(table.state.turn, PlayMove(Move(None, target)))
    assert len(table.state.stops) == 2
    for seat in range(3):
        table.ask(seat, MarkDead((0,) if seat == 0 else (), program=seat == 0))
    assert table.state.status is Status.PLAYING


def test_those_who_have_given_up_are_not_asked() -> None:
    table = table_of(0, 1)
    table.ask(2, cmd.Resign())
    for seat in (0, 1):
        table.ask(seat, PlayMove(PASS))
    table.ask(0, MarkDead((1,)))
    table.ask(1, MarkDead((1,)))
    assert table.state.outcome == Outcome(0, Reason.RULES, "by counting", (1, 2, 3))


def test_house_bots_go_along_with_the_claim_of_a_player() -> None:
    table = table_of(0, 1, 2, None, None, None, house=HouseRules(bot_after_s=0.0))
    assert bot_answer(table.state, 1, None, claimed=False) is None
    table.ask(0, MarkDead((1,)))
    for seat in (1, 2):
        answer = bot_answer(table.state, seat, None, claimed=False)
        assert answer == Propose(Score((1,)))
        table.ask(seat, answer)
    assert table.state.status is Status.OVER


def test_a_takeback_brings_back_no_seat_that_has_given_up() -> None:
    table = table_of(0, 1, 2, 3)
    table.ask(2, cmd.Resign())
    for seat in (0, 1):
        table.ask(seat, Propose(Takeback(3)))
    assert table.state.game.diagram(table.state.position) == "r........"
    assert (table.state.turn, participants(table.state)) == (1, (0, 1))
    table.ask(1, PlayMove(Move(None, 1)))
    assert table.state.turn == 0, "Blue is passed over"
    opened_by = ev.TableOpened(table.first.settings, table.first.house)
    replayed = replay(1, table.state.game, SECRET, [opened_by, *table.said])
    assert replayed == table.state
