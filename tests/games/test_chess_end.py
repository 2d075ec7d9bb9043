"""Games of chess end by their rules, and a player may claim a draw."""

from __future__ import annotations

import pytest

from protocols.core.model import Outcome, Reason
from tests.games.chess_boards import CASTLING, GAME, at, played, rules


@pytest.mark.parametrize(
    ("variant", "fen", "text", "outcome"),
    [
        ("normal", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8", rules("checkmate", 0)),
        ("normal", "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "Ra1", rules("checkmate", 1)),
        ("normal", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "Qg6", rules("stalemate", None)),
        ("normal", "7k/8/8/8/8/8/1p6/K7 w - - 0 1", "Kxb2", rules("insufficient material", None)),
        ("normal", "7k/8/8/8/8/8/8/KR6 w - - 149 90", "Rb2", rules("seventy-five moves", None)),
        ("normal", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 90", "Ra8", rules("checkmate", 0)),
        ("crazyhouse", "6k1/5ppp/8/8/8/8/8/6K1[R] w - - 0 1", "R@e8", rules("checkmate", 0)),
        ("crazyhouse", "6k1/5ppp/8/8/8/8/8/6K1[Rn] w - - 0 1", "R@e8", None),  # the knight can be dropped on f8
        ("atomic", "rnbqkbnr/ppp1pppp/8/3N4/8/8/8/4K3 w kq - 0 1", "Nxe7", rules("king exploded", 0)),
        ("3check", "4k3/8/8/8/8/8/8/R3K3 w Q - 1+3 0 1", "Ra8", rules("three checks", 0)),
        ("3check", "4k3/8/8/8/8/8/8/R3K3 w Q - 2+3 0 1", "Ra8", None),
        ("suicide", "8/8/8/8/8/1p6/P7/8 w - - 0 1", "axb3", rules("all pieces lost", 1)),
        ("suicide", "8/p7/8/P7/8/8/7p/8 b - - 0 1", "h1=K", None),
        ("suicide", "7b/8/p7/P7/8/8/8/8 b - - 0 1", "Bb2", rules("stalemate with fewer pieces", 0)),
        ("suicide", "8/p7/8/P7/8/8/8/8 b - - 0 1", "a6", rules("stalemate with equal pieces", None)),
        ("giveaway", "8/p7/8/P7/8/8/8/8 b - - 0 1", "a6", rules("no move left", 0)),
        ("kingofthehill", "4k3/8/8/8/8/4K3/8/8 w - - 0 1", "Kd4", rules("king of the hill", 0)),
        ("racingkings", "8/7K/k7/8/8/8/8/8 w - - 0 1", "Kh8", rules("king on the eighth rank", 0)),
        ("racingkings", "8/k6K/8/8/8/8/8/8 w - - 0 1", "Kh8", None),  # black still has a move to come there too
        ("racingkings", "7K/k7/8/8/8/8/8/8 b - - 0 1", "Ka8", rules("both kings on the eighth rank", None)),
        ("horde", "4k3/8/8/8/8/8/1p6/P7 b - - 0 1", "bxa1=Q", rules("horde destroyed", 1)),
    ],
)
def test_a_game_ends_by_its_rules(variant: str, fen: str, text: str, outcome: Outcome | None) -> None:
    position = played(at(fen, variant), text)
    assert GAME.outcome(position) == outcome
    assert (GAME.to_move(position) is None) is (outcome is not None)


KNIGHTS_OUT_AND_BACK = ("Nf3", "Nf6", "Ng1", "Ng8")


def test_the_third_repetition_can_be_claimed_and_the_fifth_ends_the_game() -> None:
    position = played(at(""), *KNIGHTS_OUT_AND_BACK)
    assert GAME.claim(position) is None
    third = played(position, *KNIGHTS_OUT_AND_BACK)
    assert (GAME.claim(third), GAME.outcome(third)) == (Outcome(None, Reason.CLAIM, "threefold repetition"), None)
    assert GAME.claim(played(third, "e4")) is None
    fifth = played(third, *KNIGHTS_OUT_AND_BACK, *KNIGHTS_OUT_AND_BACK)
    assert GAME.outcome(fifth) == rules("fivefold repetition", None)


def test_a_position_with_other_castling_rights_is_another_one() -> None:
    rook_moves = ("Rb1", "Rb8", "Ra1", "Ra8")
    once_with_rights = played(at(f"{CASTLING} w KQkq - 0 1"), *rook_moves, *rook_moves)
    assert GAME.claim(once_with_rights) is None
    assert GAME.claim(played(once_with_rights, *rook_moves)) == Outcome(None, Reason.CLAIM, "threefold repetition")


def test_the_past_is_part_of_the_text_and_of_equality_but_not_of_the_brief_text() -> None:
    position = played(at(""), *KNIGHTS_OUT_AND_BACK)
    first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    assert GAME.text(position) == f"{first} 4 3 from {first} 0 1 moves g1f3 g8f6 f3g1 f6g8"
    assert GAME.brief(position) == f"{first} 4 3"
    assert position != at(f"{first} 4 3")
    again = at(GAME.text(position))
    assert again == position
    assert GAME.claim(played(again, *KNIGHTS_OUT_AND_BACK)) == Outcome(None, Reason.CLAIM, "threefold repetition")


def test_fifty_moves_without_progress_can_be_claimed_but_not_in_crazyhouse() -> None:
    assert GAME.claim(at("7k/8/8/8/8/8/8/KR6 w - - 99 80")) is None
    assert GAME.claim(at("7k/8/8/8/8/8/8/KR6 w - - 100 80")) == Outcome(None, Reason.CLAIM, "fifty moves")
    assert GAME.claim(at("7k/8/8/8/8/8/8/KR6[] w - - 100 80", "crazyhouse")) is None


def test_nothing_can_be_claimed_when_the_game_is_over() -> None:
    assert GAME.claim(played(at("6k1/5ppp/8/8/8/8/8/R5K1 w - - 110 90"), "Ra8")) is None


@pytest.mark.parametrize(
    ("variant", "men", "can_win"),
    [
        ("normal", "4k3/8/8/8/8/8/8/R3K3", (True, False)),
        ("normal", "4k3/8/8/8/8/8/8/N3K3", (False, False)),
        ("normal", "4kb2/8/8/8/8/8/8/N3K3", (True, True)),  # the bishop can help to be mated, and so can the knight
        ("3check", "4k3/8/8/8/8/8/8/N3K3", (True, False)),
        ("horde", "4k3/8/8/8/8/8/8/P7", (False, True)),
        ("kingofthehill", "4k3/8/8/8/8/8/8/4K3", (True, True)),
    ],
)
def test_who_has_no_mating_material_cannot_win_on_time(variant: str, men: str, can_win: tuple[bool, bool]) -> None:
    position = at(f"{men} w - - 0 1", variant)
    assert (GAME.can_win(position, 0), GAME.can_win(position, 1)) == can_win
