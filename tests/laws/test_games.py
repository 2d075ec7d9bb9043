"""Laws of every installed game, tried on positions of seeded games and of the playthroughs."""

from __future__ import annotations

import math
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest

from gateway.games.base import CHANCE, Game, differences
from gateway.games.parts import Chance, Scoring, stopped
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import Move, Reason
from tests.laws.observing import begun, drawn, movers, observed, taken_or_illegal
from tests.laws.odd_moves import HUGE, odd_moves, scratched, some
from tests.laws.playouts import LONGEST, TABLES, Table, positions, traces

pytestmark = pytest.mark.nightly_too

every_table = pytest.mark.parametrize("table", TABLES, ids=str)
judged_tables = pytest.mark.parametrize("table", [table for table in TABLES if table.rules().judged], ids=str)
tables_of_many = pytest.mark.parametrize("table", [table for table in TABLES if table.seats > 2], ids=str)


@every_table
def test_a_seeded_game_ends_or_is_cut(table: Table) -> None:
    game = table.rules()
    for trace in traces(table):
        last = trace.positions[-1]
        assert game.outcome(last) is not None or stopped(game, last) or len(trace.steps) == LONGEST
        assert all(game.outcome(position) is None for position in trace.positions[:-1])


@every_table
def test_turn_legal_moves_and_outcome_agree(table: Table) -> None:
    game = table.rules()
    for _, position in positions(table):
        turn, moves = game.to_move(position), game.legal_moves(position)
        assert (game.outcome(position) is None) is (turn is not None or stopped(game, position) is not None)
        assert bool(moves) is isinstance(turn, int)
        assert turn in (None, CHANCE, *range(table.seats))
        assert len(set(moves)) == len(moves)
        assert game.legal_moves(position) == moves


@every_table
def test_a_game_ends_by_its_rules_for_a_seat_or_nobody(table: Table) -> None:
    game = table.rules()
    outcomes = [game.outcome(trace.positions[-1]) for trace in traces(table)]
    for outcome in filter(None, outcomes):
        assert outcome.reason is Reason.RULES
        assert outcome.winner in (None, *range(table.seats))


@every_table
def test_play_that_stopped_is_scored_or_goes_on_and_else_neither(table: Table) -> None:
    game = table.rules()
    for settings, position in positions(table):
        if not isinstance(game, Scoring):
            continue
        pieces = list(game.board(position))
        if not game.settling(position):
            for settle in (lambda now: game.scored(now, ()), game.played_on):
                with pytest.raises(Refused):
                    settle(position)
            continue
        assert game.to_move(position) is None
        assert game.to_move(game.played_on(position)) in range(table.seats)
        assert not game.settling(game.played_on(position))
        for marked in ([], pieces[:1], pieces[-1:], pieces):
            dead = game.claimed(position, marked)
            assert set(marked) <= set(dead) <= set(pieces)
            assert game.claimed(position, dead) == dead == tuple(sorted(dead))
            assert game.scored(position, dead).winner in (None, *range(table.seats))
        for square in (-1, settings.width * settings.height, HUGE):
            with pytest.raises(Refused):
                game.scored(position, [square])


@every_table
def test_every_legal_move_is_accepted_and_leaves_the_position_as_it_was(table: Table) -> None:
    game = table.rules()
    for _, position in positions(table):
        before, number = pickle.dumps(position), hash(position)
        for move in some(game.legal_moves(position)):
            after = game.play(position, move)
            assert isinstance(hash(after), int)
            assert game.play(position, move) == after
        assert hash(position) == number
        assert pickle.loads(before) == position


@judged_tables
def test_every_other_move_is_illegal_and_nothing_worse(table: Table) -> None:
    game = table.rules()
    for settings, position in positions(table):
        legal = set(game.legal_moves(position))
        for move in odd_moves(settings, legal):
            if move not in legal:
                with pytest.raises(IllegalMove):
                    game.play(position, move)


@every_table
def test_a_game_that_does_not_judge_says_so_and_never_ends_by_itself(table: Table) -> None:
    game = table.rules()
    ends = [game.outcome(trace.positions[-1]) for trace in traces(table)]
    assert game.judged or ends == [None] * len(ends)
    if not game.judged:
        settings, position = next(positions(table))
        for move in odd_moves(settings, set(game.legal_moves(position))):
            taken_or_illegal(game, settings, position, move)


@every_table
def test_what_a_peer_means_never_fails_and_a_legal_move_means_itself(table: Table) -> None:
    game = table.rules()
    for settings, position in positions(table):
        legal = game.legal_moves(position)
        assert [game.normal(position, move) for move in some(legal)] == some(legal)
        for move in odd_moves(settings, set(legal)):
            assert isinstance(game.normal(position, move), Move)


@every_table
def test_every_legal_move_is_written_in_its_own_way_and_read_back(table: Table) -> None:
    game = table.rules()
    for _, position in positions(table):
        moves = game.legal_moves(position)
        written = [game.notation(position, move) for move in moves]
        assert len({word if game.cased else word.lower() for word in written}) == len(moves)
        assert all(word and word == word.strip() and word.isprintable() and ", " not in word for word in written)
        for move, word in some(list(zip(moves, written, strict=True)), 8):
            ways = (word, f" {word}\n") if game.cased else (word, word.upper(), f" {word.lower()}\n")
            assert {game.parse(position, way) for way in ways} == {move}


@judged_tables
@pytest.mark.parametrize("text", ["", " ", "?", "\0", "x" * 10_000, "0-0-0-0", "é", "none", "[1]", "99999999999999999"])
def test_what_is_no_move_is_a_syntax_error(table: Table, text: str) -> None:
    game = table.rules()
    for trace in traces(table):
        for position in (trace.positions[0], trace.positions[-1]):
            with pytest.raises(IllegalMove) as caught:
                game.parse(position, text)
            assert caught.value.why is Why.SYNTAX


@every_table
def test_changes_are_the_difference_of_the_boards(table: Table) -> None:
    game = table.rules()
    for _, position in positions(table):
        for move in some(game.legal_moves(position), 8):
            expected = differences(game.board(position), game.board(game.play(position, move)))
            assert game.changes(position, move) == expected


@every_table
def test_a_position_begins_again_from_its_text(table: Table) -> None:
    game = table.rules()
    for settings, position in positions(table):
        text = game.text(position)
        again = game.start(replace(settings, start=text))
        assert game.text(again) == text
        assert again == position
        assert observed(game, again) == observed(game, position)


@every_table
def test_the_brief_text_is_the_text_without_its_past(table: Table) -> None:
    game = table.rules()
    for settings, position in positions(table):
        brief = game.brief(position)
        assert game.text(position).startswith(brief)
        again = game.start(replace(settings, start=brief))
        assert (game.board(again), game.brief(again)) == (game.board(position), brief)


@every_table
def test_a_position_survives_pickling(table: Table) -> None:
    for _, position in positions(table):
        again = pickle.loads(pickle.dumps(position))
        assert again == position
        assert hash(again) == hash(position)


@every_table
def test_the_diagram_has_the_size_of_the_board_and_begins_the_text(table: Table) -> None:
    game = table.rules()
    for settings, position in positions(table):
        diagram = game.diagram(position)
        assert [len(row) for row in diagram.split("\n")] == [settings.width] * settings.height
        assert drawn(game.text(position), settings.width).startswith(diagram.replace("\n", "/"))
        assert game.text(position).isprintable()


@every_table
def test_pieces_stand_on_the_board_and_in_the_diagram(table: Table) -> None:
    game = table.rules()
    for settings, position in positions(table):
        board, letters = game.board(position), game.diagram(position).replace("\n", "")
        assert list(board) == sorted(board)
        assert all(0 <= square < settings.width * settings.height for square in board)
        assert all(piece and letters[square] != "." for square, piece in board.items())


@every_table
def test_dice_show_their_sides_and_only_when_due(table: Table) -> None:
    game = table.rules()
    for _, position in positions(table):
        sides = 0
        if not isinstance(game, Chance):
            assert game.to_move(position) != CHANCE
            continue
        if game.to_move(position) == CHANCE:
            due = game.chance(position)
            sides = due.sides
            assert due.seat in range(table.seats)
            assert all(game.to_move(game.rolled(position, value)) is not None for value in range(1, sides + 1))
        else:
            with pytest.raises(ValueError, match=r"\w"):
                game.chance(position)
        for value in (0, -1, sides + 1, HUGE):
            with pytest.raises(ValueError, match=r"\w"):
                game.rolled(position, value)


@every_table
def test_an_opinion_is_a_number_and_what_is_good_for_one_of_two_is_bad_for_the_other(table: Table) -> None:
    game = table.rules()
    for _, position in positions(table):
        if game.to_move(position) is None:
            continue
        opinions = [game.evaluate(position, seat) for seat in range(table.seats)]
        assert all(math.isfinite(opinion) for opinion in opinions)
        assert table.seats > 2 or opinions[0] == pytest.approx(-opinions[1])


@every_table
def test_a_bot_has_something_worth_trying_wherever_somebody_is_to_move(table: Table) -> None:
    game = table.rules()
    for _, position in positions(table):
        tried, legal = game.worth_trying(position), game.legal_moves(position)
        assert bool(tried) is bool(legal)
        assert len(set(tried)) == len(tried)
        assert set(tried) <= set(legal)


@tables_of_many
def test_who_withdrew_never_moves_again_and_somebody_plays_on_to_an_end(table: Table) -> None:
    game = table.rules()
    choice = random.Random(str(table))
    for _, position in positions(table):
        seats = list(range(table.seats))
        before = pickle.dumps(position)
        now: Any = position
        while seats and now is not None and game.to_move(now) is not None:
            gone = seats.pop(choice.randrange(len(seats)))
            now = game.withdraw(now, gone)
            assert now is None or set(movers(game, now, choice)) <= set(seats)
        assert now is None or game.to_move(now) is None
        assert pickle.loads(before) == position


@every_table
@pytest.mark.parametrize("start", ["?", "nonsense", "/" * 50, "x" * 10_000, "\0", " 0", "9" * 200, "........ 0 0 0"])
def test_nonsense_is_no_position(table: Table, start: str) -> None:
    with pytest.raises(Refused) as caught:
        table.rules().settings(table.variant, table.seats, start)
    assert caught.value.why is Why.BAD_OPTION


@every_table
def test_a_damaged_text_is_refused_or_a_position_like_any_other(table: Table) -> None:
    game = table.rules()
    choice = random.Random(str(table))
    for settings, position in positions(table):
        found = begun(game, replace(settings, start=scratched(game.text(position), choice)))
        if isinstance(found, Why):
            assert found is Why.BAD_OPTION
            continue
        assert (game.outcome(found) is None) is (game.to_move(found) is not None or stopped(game, found) is not None)
        assert bool(game.legal_moves(found)) is isinstance(game.to_move(found), int)
        assert observed(game, game.start(replace(settings, start=game.text(found)))) == observed(game, found)


@pytest.mark.parametrize("game", {table.game: table.rules() for table in TABLES}.values(), ids=lambda game: game.name)
def test_what_a_game_does_not_have_is_refused_by_name(game: Game[Any]) -> None:
    for asked in ({"variant": "no such"}, {"seats": 99}, {"seats": -1}, {"options": {"no_such": "1"}}):
        with pytest.raises(Refused) as caught:
            game.settings(**asked)
        assert caught.value.why is Why.BAD_OPTION
        assert str(next(iter(asked.values()))).strip("{}").partition(":")[0] in caught.value.text
