"""Games as a GUI and its peer know them: one form for each move, positions, and rule sets without rules here."""

from __future__ import annotations

import pytest

from clients.xboard.game import (
    BLACK,
    WHITE,
    Game,
    doubtful,
    end_lines,
    fen,
    known,
    normal,
    reason,
    same,
    to_move,
)
from clients.xboard.peer import time_words

CASTLING = Game(start="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
CHESS960 = Game("fischerandom", "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1")
PROMOTION = Game(start="8/P3k3/8/8/8/8/8/4K3 w - - 0 1")


@pytest.mark.parametrize(
    ("game", "words", "form"),
    [
        (Game(), "e2e4", "e2e4"),
        (Game(), "E2E4", "e2e4"),
        (Game(), "e2e5", None),
        (Game(), "e7e5", None),
        (Game(), "@@@@", None),
        (Game(), "0000", None),
        (CASTLING, "e1g1", "e1g1"),
        (CASTLING, "O-O", "e1g1"),
        (CASTLING, "0-0-0", "e1c1"),
        (CHESS960, "O-O", "O-O"),
        (CHESS960, "c1g1", "O-O"),
        (PROMOTION, "a7a8q", "a7a8q"),
        (PROMOTION, "a7a8N", "a7a8n"),
        (PROMOTION, "a7a8", None),
        (Game("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1"), "P@e4", "P@e4"),
        (Game("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1"), "p@E4", "P@e4"),
        (Game("shogi"), "a1a9+", "a1a9+"),
    ],
)
def test_every_way_to_write_a_move_has_one_form(game: Game, words: str, form: str | None) -> None:
    assert normal(game, words) == form


def test_positions_are_compared_without_counters_and_without_idle_en_passant() -> None:
    """Compare positions by placement, side to move, castling rights (normalised) and en-passant square only if
    capturable; never by the counters: XBoard rewrites the move number to 1."""
    after = Game(moves=("e2e4",))
    assert same(after, Game(start="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 7 30"))
    assert same(after, Game(start="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1"))
    assert not same(after, Game(start="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQk - 0 1"))
    assert not same(after, Game("atomic", moves=("e2e4",)))


def test_the_side_on_move_is_known_without_rules() -> None:
    assert to_move(Game("shogi")) == WHITE
    assert to_move(Game("shogi", moves=("a",))) == BLACK
    assert to_move(Game("shogi", "x b - - 0 1", ("a",))) == WHITE


def test_a_rule_set_without_rules_here_has_no_positions() -> None:
    assert not known(Game("shogi"))
    assert fen(Game("shogi")) is None
    assert known(Game("suicide"))
    assert not known(Game(start="nonsense"))


def test_two_who_differ_in_the_castling_rights_of_suicide_chess_stand_alike() -> None:
    first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {} - 0 1"
    assert same(Game("suicide", first.format("KQkq")), Game("suicide"))
    assert same(Game("suicide", first.format("-")), Game("suicide"))
    assert not same(Game("giveaway", first.format("-")), Game("giveaway"))


def test_a_long_game_told_at_once_is_followed() -> None:
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8") * 300
    assert fen(Game(moves=shuffle)) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1200 601"


@pytest.mark.parametrize(
    ("result", "comment", "why"),
    [
        ("1-0", "White mates", "White mates"),
        ("1-0", "Xboard adjudication: Checkmate", "White mates"),
        ("0-1", "White resigns", "White resigns"),
        ("0-1", "time", "White forfeits on time"),
        ("1/2-1/2", "Stalemate", "stalemate"),
        ("1/2-1/2", "3 repetitions", "repetition"),
        ("1/2-1/2", "threefold", "repetition"),
        ("1/2-1/2", "resign", ""),
        ("1-0", "because I say so", ""),
    ],
)
def test_the_reason_of_an_end_is_in_our_own_words(result: str, comment: str, why: str) -> None:
    assert reason(result, comment) == why


def test_only_a_win_of_the_engine_that_the_board_does_not_show_is_doubtful() -> None:
    assert doubtful("1-0", "White forfeits on time", WHITE)
    assert not doubtful("1-0", "White mates", WHITE)
    assert not doubtful("0-1", "White forfeits on time", WHITE)
    assert not doubtful("1/2-1/2", "", WHITE)


def test_a_result_without_a_winner_is_no_line() -> None:
    assert end_lines("*", "", WHITE, offered=False) == []


@pytest.mark.parametrize(
    ("level", "words"),
    [
        ((40, 300.0, 0.0), "40 moves in 5 min"),
        ((0, 180.0, 2.0), "3 min + 2 s"),
        ((0, 10.0, 0.05), "10 s + 0.05 s"),
        ((-1, 30.0, 0.0), "30 s a move"),
    ],
)
def test_a_time_control_in_words(level: tuple[int, float, float], words: str) -> None:
    assert time_words(level) == words
