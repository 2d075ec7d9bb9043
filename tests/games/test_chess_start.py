"""A game of chess begins from a legal position, and another start is refused with its reason."""

from __future__ import annotations

import pytest

from protocols.core.errors import Refused, Why
from protocols.core.model import Move
from tests.games.chess_boards import GAME, at, fields

FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize(
    ("variant", "start", "brief"),
    [
        ("normal", FIRST, f"{FIRST} w - - 0 1"),
        ("normal", f"{FIRST} b", f"{FIRST} b - - 0 1"),
        ("normal", f"{FIRST}/ w KQkq", f"{FIRST} w KQkq - 0 1"),
        ("normal", f"  {FIRST}   w  HAha - 3  7 ", f"{FIRST} w KQkq - 3 7"),
        ("normal", "moves e2e4", AFTER_E4),
        ("normal", f"{FIRST} w KQkq - 0 1 moves e2e4", AFTER_E4),
        ("normal", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", AFTER_E4),
        ("normal", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8n", "N3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("normal", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"),
        ("fischerandom", "4k3/8/8/8/8/8/8/R5KR w AH - 0 1 moves g1h1", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"),
        ("fischerandom", "4k3/8/8/8/8/8/8/1RR3K1 w B - 0 1", "4k3/8/8/8/8/8/8/1RR3K1 w Q - 0 1"),
        ("fischerandom", "4k3/8/8/8/8/8/8/1RR3K1 w C - 0 1", "4k3/8/8/8/8/8/8/1RR3K1 w C - 0 1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3/Qn w - - 0 1", "4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3 w", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1 moves P@e4", "4k3/8/8/8/4P3/8/8/4K3[] b - - 1 1"),
        ("3check", f"{FIRST} w KQkq - 1+3 0 1", f"{FIRST} w KQkq - 1+3 0 1"),
        ("3check", f"{FIRST} w KQkq - 0 1 +2+0", f"{FIRST} w KQkq - 1+3 0 1"),
        ("3check", f"{FIRST} w KQkq - 0 1", f"{FIRST} w KQkq - 3+3 0 1"),
        ("suicide", f"{FIRST} w KQkq - 0 1", f"{FIRST} w - - 0 1"),
        ("suicide", "4k3/8/8/8/8/8/4K3/7R w KQkq - 0 1", "4k3/8/8/8/8/8/4K3/7R w - - 0 1"),
        ("suicide", "4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1f1", "4k3/8/8/8/8/8/8/5K1R b - - 1 1"),
    ],
)
def test_a_set_up_position_is_read_leniently_and_written_in_one_way(variant: str, start: str, brief: str) -> None:
    assert GAME.brief(at(start, variant)) == brief


def test_suicide_chess_has_no_castling_and_giveaway_has() -> None:
    """FICS, "help suicide": "Castling is not permitted"; giveaway is ICC's, where it is."""
    castles = [Move(60, 62), Move(60, 58)]
    for variant, rights in (("suicide", "-"), ("giveaway", "KQkq")):
        assert fields(at("", variant)) == f"{FIRST} w {rights} -"
        legal = GAME.legal_moves(at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", variant))
        assert [move for move in castles if move in legal] == (castles if variant == "giveaway" else [])


def test_a_board_that_was_told_is_a_start_whatever_castling_rights_are_guessed() -> None:
    rows = "....k..r/......../......../......../......../......../......../R...K..."
    assert fields(at(f"{rows} 1 KQkq e3 0 1")) == "4k2r/8/8/8/8/8/8/R3K3 b Qk -"


@pytest.mark.parametrize(
    ("variant", "start", "says"),
    [
        ("suicide", "4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1", "e1g1 is not a legal move"),
        ("normal", "8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
        ("normal", "4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("normal", "8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("normal", "4k3/8/8/8/8/8/8/4KKK1 w - - 0 1", "there are too many kings"),
        ("normal", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn stands on the first or last rank"),
        ("normal", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has too many pawns"),
        ("normal", f"{FIRST} w KQkq e3 0 1", "no pawn has just passed the en-passant square"),
        ("normal", "4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "king or rook have left the square they would castle from"),
        ("normal", "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "the side that is not to move is in check"),
        ("normal", f"{FIRST} x KQkq - 0 1", "expected 'w' or 'b'"),
        ("normal", "rnbqkbnr/pppppppp/8/8/8/4P/3/8/PPPP1PPP/RNBQKBNR b", "expected 8 rows"),
        ("normal", f"{FIRST} w KQkq - 0 99999", "a counter is larger than 9999"),
        ("normal", "moves e2e5", f"e2e5 is not a legal move in {FIRST} w KQkq - 0 1"),
        ("normal", "moves e2e4 0000", "0000 is no move"),
        ("normal", "moves f2f3 e7e5 g2g4 d8h4 a2a3", "the game is over before a2a3"),
        ("normal", f"{FIRST} w KQkq - 0 1 from {FIRST} w KQkq - 0 1 moves e2e4", f"the moves lead to {AFTER_E4}"),
        ("normal", "moves" + " e2e4" * 3000, "15005 characters, more than 10000"),
        ("racingkings", f"{FIRST} w - - 0 1", "there are pieces that the race does not have"),
        ("racingkings", "8/8/8/8/8/8/k6R/7K w - - 0 1", "the side that is not to move is in check"),
        ("3check", f"{FIRST} w KQkq - 4+3 0 1", "each side has 0 to 3 checks left"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "a king in hand"),
        ("crazyhouse", f"{FIRST}[Q] w KQkq - 0 1", "more than 32 pieces"),
        ("horde", "4k3/8/8/8/8/8/8/PPPK4 w - - 0 1", "there are too many kings"),
    ],
)
def test_what_cannot_be_a_position_is_refused_in_words(variant: str, start: str, says: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.settings(variant, start=start)
    assert caught.value.why is Why.BAD_OPTION
    assert says in caught.value.text


@pytest.mark.parametrize(
    ("asked", "named"),
    [("chess960", "fischerandom"), ("Standard", "normal"), ("", "normal"), ("koth", "kingofthehill")],
)
def test_rule_sets_have_the_names_that_other_programs_use_too(asked: str, named: str) -> None:
    assert GAME.settings(asked).variant == named


def test_a_960_position_is_an_option_of_fischerandom_only() -> None:
    settings = GAME.settings("fischerandom", options={"position": "007"})
    assert settings.options == (("position", "7"),)
    for variant, number in (("fischerandom", "960"), ("fischerandom", "-1"), ("fischerandom", "x"), ("normal", "518")):
        with pytest.raises(Refused) as caught:
            GAME.settings(variant, options={"position": number})
        assert caught.value.why is Why.BAD_OPTION


def test_moves_at_the_start_go_on_from_the_960_position_that_was_chosen() -> None:
    settings = GAME.settings("fischerandom", start="moves d2d4", options={"position": "0"})
    assert fields(GAME.start(settings)) == "bbqnnrkr/pppppppp/8/8/3P4/8/PPP1PPPP/BBQNNRKR b KQkq -"
