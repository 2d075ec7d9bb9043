"""A table without rules accepts moves, keeps pieces, and never ends by itself."""

from __future__ import annotations

import pytest

from gateway.games.open import LONGEST_MOVE, Open, Position
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move

GAME = Open()


def opaque(text: str) -> Move:
    return Move(None, None, text)


def begun(variant: str = "", start: str = "") -> Position:
    return GAME.start(GAME.settings(variant, start=start))


def played(*moves: Move) -> Position:
    position = begun()
    for move in moves:
        position = GAME.play(position, move)
    return position


def test_two_seats_move_in_turn_and_nothing_ever_ends() -> None:
    position = played(opaque("c7c8n"), opaque("O-O-O"), opaque("e8e9"))
    assert (GAME.to_move(position), GAME.outcome(position), GAME.judged) == (1, None, False)


@pytest.mark.parametrize(
    ("variant", "width", "height"),
    [("", 8, 8), ("capablanca", 10, 8), ("courier", 12, 8), ("shogi", 9, 9), ("xiangqi", 9, 10), ("grand", 10, 10)],
)
def test_the_boards_are_as_large_as_in_xboard(variant: str, width: int, height: int) -> None:
    settings = GAME.settings(variant)
    assert (settings.width, settings.height) == (width, height)
    assert GAME.diagram(GAME.start(settings)) == "\n".join(["." * width] * height)


def test_the_default_fits_any_game_and_no_name_is_taken_from_chess() -> None:
    assert GAME.settings().variant == "any"
    assert not {"normal", "crazyhouse", "atomic"} & {variant.name for variant in GAME.variants}


@pytest.mark.parametrize("text", ["e2e4", "E2E4", "P@e4", "c3d4,d4e5", "+R*5c", "e7-e8 = Amazon", "歩5e", "resign?"])
def test_a_text_is_a_move_letter_by_letter(text: str) -> None:
    move = GAME.parse(begun(), f" {text}\n")
    assert move == opaque(text)
    assert GAME.notation(begun(), move) == text
    assert GAME.play(begun(), move).moves == (opaque(text),)


@pytest.mark.parametrize(
    ("move", "written"),
    [
        (PASS, "pass"),
        (Move(52, 36), "e2e4"),
        (Move(12, 4, "queen"), "e7e8queen"),
        (Move(None, 36, "pawn"), "pawn@e4"),
        (Move(36, None), "e4"),
        (Move(64, 99), "6499"),
    ],
)
def test_any_triple_of_squares_and_piece_is_a_move_too(move: Move, written: str) -> None:
    assert GAME.notation(begun(), move) == written
    assert GAME.play(begun(), move).moves == (move,)


def test_passing_can_be_written() -> None:
    assert GAME.parse(begun(), "pass") == PASS


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "a\nb", "\x1b[2J", "x" * (LONGEST_MOVE + 1)])
def test_what_cannot_be_kept_or_shown_is_a_syntax_error(text: str) -> None:
    for attempt in (lambda: GAME.parse(begun(), text), lambda: GAME.play(begun(), opaque(text or "\0"))):
        with pytest.raises(IllegalMove) as caught:
            attempt()
        assert caught.value.why is Why.SYNTAX


@pytest.mark.parametrize("move", [Move(-1, 0), Move(0, 1024), Move(2**70, None), Move(None, -5, "pawn")])
def test_a_square_that_no_board_has_is_out_of_bounds(move: Move) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.play(begun(), move)
    assert caught.value.why is Why.OUT_OF_BOUNDS


def test_the_text_holds_every_move_and_reads_back() -> None:
    position = played(opaque('e2 "e4"'), Move(12, 28), PASS, opaque("é"), Move(None, 3, "pawn"))
    text = GAME.text(position)
    assert text == f'{"/".join(["........"] * 8)} 1 ["e2 \\"e4\\"",[12,28,""],"","é",[null,3,"pawn"]]'
    assert begun(start=text) == position
    assert GAME.to_move(begun(start=GAME.brief(position))) == 1


@pytest.mark.parametrize(
    "start",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        f"{'/'.join(['........'] * 8)} 2",
        f"{'/'.join(['........'] * 8)} 0 [1]",
        f"{'/'.join(['........'] * 8)} 0 [[1,2]]",
        f'{"/".join(["........"] * 8)} 0 [[1,2000,""]]',
        f"{'/'.join(['........'] * 8)} 0 " + "[" * 20_000,
        f"{'/'.join(['..........'] * 8)} 0",
    ],
)
def test_anything_else_is_no_start(start: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.settings(start=start)
    assert caught.value.why is Why.BAD_OPTION


def test_nothing_is_known_of_the_board() -> None:
    position = played(Move(12, 28))
    assert (GAME.board(position), GAME.changes(position, Move(28, 12)), GAME.evaluate(position, 0)) == ({}, [], 0.0)
    assert (GAME.can_win(position, 0), GAME.claim(position)) == (True, None)
