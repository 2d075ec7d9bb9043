"""Chess moves are read in the notations of people and programs, and other words are refused."""

from __future__ import annotations

import random

import pytest

from gateway.games.chess.position import KINDS
from protocols.core.errors import IllegalMove, Why
from protocols.core.model import Move
from protocols.core.squares import name
from tests.games.chess_boards import CASTLING, GAME, at, drop, move

KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
BISHOP_OR_PAWN = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1"
PROMOTION = "2n4k/P7/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "meant"),
    [
        ("", "e4", move("e2e4")),
        ("", "e2e4", move("e2e4")),
        ("", "e2-e4", move("e2e4")),
        ("", "E2E4", move("e2e4")),
        ("", "Pe4", move("e2e4")),
        ("", " Nf3!? ", move("g1f3")),
        ("", "nf3", move("g1f3")),
        ("", "Ng1-f3", move("g1f3")),
        ("", "Ng1f3", move("g1f3")),
        (KNIGHTS, "Nbd2", move("b1d2")),
        (KNIGHTS, "N1d2", move("b1d2")),
        (KNIGHTS, "NFD2", move("f3d2")),
        (BISHOP_OR_PAWN, "bxc3", move("b2c3")),
        (BISHOP_OR_PAWN, "Bxc3", move("d2c3")),
        (BISHOP_OR_PAWN, "bc3", move("b2c3")),
        (BISHOP_OR_PAWN, "Bc3", move("d2c3")),
        (BISHOP_OR_PAWN, "BC3", move("d2c3")),
        (BISHOP_OR_PAWN, "B2xc3", move("d2c3")),
        (BISHOP_OR_PAWN, "B2B3", move("b2b3")),
        (BISHOP_OR_PAWN, "b3", move("b2b3")),
        (BISHOP_OR_PAWN, "b2:c3", move("b2c3")),
        (PROMOTION, "a8", move("a7a8", "queen")),
        (PROMOTION, "a8=N", move("a7a8", "knight")),
        (PROMOTION, "a8n", move("a7a8", "knight")),
        (PROMOTION, "a8(R)", move("a7a8", "rook")),
        (PROMOTION, "a7a8", move("a7a8", "queen")),
        (PROMOTION, "a7a8q", move("a7a8", "queen")),
        (PROMOTION, "a7-a8B", move("a7a8", "bishop")),
        (PROMOTION, "a7-a8=Q+", move("a7a8", "queen")),
        (f"{CASTLING} w KQkq - 0 1", "O-O", move("e1g1")),
        (f"{CASTLING} w KQkq - 0 1", "0-0-0", move("e1c1")),
        (f"{CASTLING} w KQkq - 0 1", "o-o!", move("e1g1")),
        (f"{CASTLING} w KQkq - 0 1", "e1g1", move("e1g1")),
        (f"{CASTLING} w KQkq - 0 1", "e1h1", move("e1g1")),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", move("e5d6")),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8", move("a1a8")),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#", move("a1a8")),
    ],
)
def test_what_people_write_is_understood(fen: str, text: str, meant: Move) -> None:
    assert GAME.parse(at(fen), text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [("P@e4", "pawn"), ("@e4", "pawn"), ("p@E4", "pawn"), ("N@e4", "knight"), ("n@e4", "knight")],
)
def test_drops_are_written_with_an_at_sign(text: str, meant: str) -> None:
    position = at("4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1", "crazyhouse")
    assert GAME.parse(position, text) == drop(meant, "e4")


def test_a_pawn_becomes_a_king_in_suicide_only() -> None:
    suicide = at("2n4k/P7/8/8/8/8/8/4K3 w - - 0 1", "suicide")
    assert GAME.parse(suicide, "a8=K") == move("a7a8", "king")
    with pytest.raises(IllegalMove):
        GAME.parse(at(PROMOTION), "a8=K")


@pytest.mark.parametrize(
    ("text", "meant"),
    [("O-O", "f1h1"), ("f1h1", "f1h1"), ("O-O-O", "f1a1"), ("F1A1", "f1a1"), ("f1c1", "f1a1"), ("f1g1", "f1g1")],
)
def test_castling_in_chess960_is_understood_in_every_notation(text: str, meant: str) -> None:
    assert GAME.parse(at("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", "fischerandom"), text) == move(meant)


@pytest.mark.parametrize(
    ("fen", "text", "why", "says"),
    [
        ("", "Nd2", Why.ILLEGAL, "no legal move here is written 'Nd2'"),
        ("", "e5", Why.ILLEGAL, "no legal move here is written 'e5'"),
        ("", "e7e5", Why.NOT_YOUR_PIECE, "no piece of yours on e7"),
        ("", "a1a2", Why.OWN_PIECE_THERE, "a piece of yours is on a2"),
        ("", "e2e4q", Why.NO_SUCH_PIECE, "promotes nothing to 'queen'"),
        ("", "O-O", Why.ILLEGAL, "no legal move here is written 'O-O'"),
        ("", "P@e4", Why.ILLEGAL, "no legal move here is written 'P@e4'"),
        (KNIGHTS, "Nd2", Why.ILLEGAL, "'Nd2' may be Nbd2 or Nfd2 here"),
        ("", "hello", Why.SYNTAX, "'hello' is not the form of a move"),
        ("", "i2i4", Why.SYNTAX, "'i2i4' is not the form of a move"),
        ("", "e2e9", Why.SYNTAX, "'e2e9' is not the form of a move"),
        ("", "0000", Why.SYNTAX, "'0000' is not the form of a move"),
        ("", "e2e4" + "!" * 10_000, Why.SYNTAX, "is not the form of a move"),
        ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "Kg8", Why.NOT_PLAYING, "the game is over"),
    ],
)
def test_what_cannot_be_played_is_refused_for_its_own_reason(fen: str, text: str, why: Why, says: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(at(fen), text)
    assert caught.value.why is why
    assert says in caught.value.text


@pytest.mark.parametrize(
    ("fen", "text", "says"),
    [
        ("6k1/8/2n5/P7/4B3/8/8/1K6 w - - 0 1", "bxc6", "no legal move here is written 'bxc6'; did you mean Bxc6?"),
        ("6k1/8/2n5/1P6/8/8/8/1K6 w - - 0 1", "Bxc6", "no legal move here is written 'Bxc6'; did you mean bxc6?"),
        (BISHOP_OR_PAWN, "bg5", "no legal move here is written 'bg5'; did you mean Bg5?"),
        (BISHOP_OR_PAWN, "b2g5", "a pawn cannot go from b2 to g5; did you mean Bg5?"),
        ("4k3/8/8/8/8/8/1P6/4K3 w - - 0 1", "B2b4", "no legal move here is written 'B2b4'; did you mean b4?"),
        ("4k3/8/8/8/8/B7/1P6/4K3 w - - 0 1", "bb4", "no legal move here is written 'bb4'; did you mean Bb4?"),
        ("", "ee4", "no legal move here is written 'ee4'"),
        ("2n4k/1P6/8/8/8/8/8/4K3 w - - 0 1", "BXC8", "no legal move here is written 'BXC8'; did you mean bxc8=Q+?"),
    ],
)
def test_words_for_one_piece_never_move_another(fen: str, text: str, says: str) -> None:
    """A pawn's words are not the bishop's, nor the bishop's the pawn's, even where only one of them can move."""
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(at(fen), text)
    assert caught.value.text == says


@pytest.mark.parametrize("seed", range(8))
def test_no_text_with_a_small_b_moves_a_bishop_and_none_with_a_capital_one_a_pawn(seed: int) -> None:
    """In random positions, over all texts that differ by the letter's case alone."""
    position, chance = at(""), random.Random(seed)
    for _ in range(chance.randrange(10, 50)):
        if not (moves := GAME.legal_moves(position)):
            break
        position = GAME.play(position, chance.choice(moves))
    men = GAME.board(position)
    for text in [
        f"{rank}{takes}{name(target, 8, 8)}"
        for rank in ("", *"12345678")
        for takes in ("", "x")
        for target in range(64)
    ]:
        for letter, kinds in (("B", {"bishop"}), ("b", {"pawn"} if text[0] in "abcdefghx" else set(KINDS))):
            try:
                found = GAME.parse(position, letter + text)
            except IllegalMove:
                continue
            assert men[found.source or 0].split(" ")[1] in kinds, letter + text


def test_pieces_are_told_apart_by_file_then_rank_then_both() -> None:
    queens = at("8/7k/8/8/8/Q7/8/Q1Q4K w - - 0 1")
    written = {GAME.notation(queens, queen) for queen in (move("a1b2"), move("a3b2"), move("c1b2"))}
    assert written == {"Qa1b2", "Q3b2", "Qcb2"}


def test_a_move_that_wins_by_a_special_rule_is_marked_like_mate() -> None:
    assert GAME.notation(at("4k3/8/8/8/8/4K3/8/8 w - - 0 1", "kingofthehill"), move("e3d4")) == "Kd4#"
