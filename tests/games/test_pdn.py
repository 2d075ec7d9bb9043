"""PDN: moves, positions and games of checkers, written and read, and pydraughts reads the same."""

from __future__ import annotations

import random
from pathlib import Path

import draughts
import pytest
from draughts.PDN import PDNReader, PDNWriter

from gateway.games.base import Played, PlayedMove
from gateway.games.checkers.rules import Checkers, Position
from protocols.core.commands import PlayMove
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import Outcome, Reason
from tests.table.tables import Conversation, kinds

GAME = Checkers()
JUMPS = "B:W6,15,32:B1,12"
"""Black's man on 1 takes 6 and 15."""

TWO_WAYS = "B:W7,6,14,15,32:B2,12"
"""Black's man on 2 takes two of these men, and comes to 18 by 9 or by 11."""


def at(start: str) -> Position:
    return GAME.start(GAME.settings(start=start))


def turned(position: Position, text: str) -> Position:
    for move in GAME.turn(position, text):
        position = GAME.play(position, move)
    return position


def game(start: str = "", seed: int | None = None, words: str = "", outcome: Outcome | None = None) -> Played:
    """A game of these words, or a random one."""
    settings, chance = GAME.settings(start=start), random.Random(seed)
    position, made, left = GAME.start(settings), list[PlayedMove](), words.split()
    while left if seed is None else GAME.outcome(position) is None and (len(made) < 200 or position.hopper):
        moves = GAME.turn(position, left.pop(0)) if seed is None else (chance.choice(GAME.legal_moves(position)),)
        for move in moves:
            made.append(PlayedMove(position.turn, move, GAME.notation(position, move)))
            position = GAME.play(position, move)
    ended = outcome or GAME.outcome(position)
    return Played(12, 1, "Boardgate", 1_770_000_000.25, settings, ("Alice", 'Bob "B"'), tuple(made), ended)


def moves_of(text: str) -> list[str]:
    """The moves that pydraughts reads; of a set-up with Black to move it lists the first one twice."""
    (read,) = PDNReader(text).games
    return list(read.moves[1:] if read.tags.get("FEN", "W").startswith("B") else read.moves)


def pdn(played: Played) -> str:
    return GAME.formats["pdn"](played)


@pytest.mark.parametrize("text", ["1x10x19", "1x19", "1-10-19", "1-19", " 1X10X19! ", "1:19"])
def test_a_capture_of_several_hops_is_one_word(text: str) -> None:
    assert GAME.brief(turned(at(JUMPS), text)).startswith("......../......../.......b/......../.....b../")


def test_a_hop_is_a_word_of_its_own_and_the_rest_follows() -> None:
    position = turned(at(JUMPS), "1x10")
    assert position.turn == 0
    assert turned(position, "10-19") == turned(at(JUMPS), "1x19")


def test_a_word_that_may_be_two_captures_is_refused_and_names_both() -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.turn(at(TWO_WAYS), "2x18")
    assert caught.value.text == "'2x18' may be 2x9x18 or 2x11x18 here"
    assert turned(at(TWO_WAYS), "2x9x18") != turned(at(TWO_WAYS), "2x11x18")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, Why.ILLEGAL) for text in ("1x26", "1x10x18")),
        *((text, Why.SYNTAX) for text in ("1", "1x", "x19", "1x10x19" + "x1" * 20, "1--10", "0x9", "33-34")),
    ],
)
def test_what_is_no_turn_here_is_refused(text: str, why: Why) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.turn(at(JUMPS), text)
    assert caught.value.why is why


def test_a_table_plays_all_hops_of_a_word() -> None:
    table = Conversation("checkers", start=JUMPS)
    table.join("anna", "bert")
    assert kinds(table.ask(0, PlayMove(text="1x19"))) == ["MoveMade", "TurnStarted", "MoveMade", "TurnStarted"]
    assert (table.state.turn, table.state.ply) == (1, 2)


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        (JUMPS, ".b....../..w...../.......b/....w.../......../......../......../......w. 0"),
        ("b:b12,1:w32,15,6", ".b....../..w...../.......b/....w.../......../......../......../......w. 0"),
        ("B:W6,15,32:B1,12.", ".b....../..w...../.......b/....w.../......../......../......../......w. 0"),
        ("W:WK1-3,30:BK32", ".W.W.W../......../......../......../......../......../......../..w...B. 1"),
        ("B:W21-32:B1-12", GAME.text(Position())),
        ("B:W:BK5", "......../B......./......../......../......../......../......../........ 0"),
    ],
)
def test_a_position_of_pdn_begins_a_table(fen: str, text: str) -> None:
    assert GAME.settings(start=fen).start == text


@pytest.mark.parametrize(
    "fen", ["B:W6,6:B1", "B:W33:B1", "B:W6:W7", "B:W6:B6", "B:W1:B2", "1. 9-13 9-14", "1. 9-14 1-0 *"]
)
def test_what_is_no_position_of_pdn_is_refused(fen: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.settings(start=fen)
    assert caught.value.why is Why.BAD_OPTION


def test_a_game_is_written_with_the_shortest_words_and_its_result() -> None:
    resigned = Outcome(0, Reason.RESIGNATION)
    first = pdn(game(words="11-15 23-19 8-11 22-17", outcome=resigned)).splitlines()
    assert first[2:] == [
        '[Date "2026.02.02"]',
        '[Round "1"]',
        '[Black "Alice"]',
        r'[White "Bob \"B\""]',
        '[Result "0-1"]',
        '[GameType "21,B,8,8,N1,0"]',
        "",
        "1. 11-15 23-19 2. 8-11 22-17 0-1",
    ]
    assert pdn(game(JUMPS, words="1x10x19 32-27")).splitlines()[-1] == "1... 1x19 2. 32-27 *"
    assert pdn(game(TWO_WAYS, words="2x9x18")).splitlines()[-1] == "1... 2x9x18 *"
    assert pdn(game(JUMPS, words="1x10")).splitlines()[-1] == "1... 1x10 *"


@pytest.mark.parametrize("start", ["", JUMPS, "W:W21,22,K10:B1,2,K30"])
@pytest.mark.parametrize("seed", range(6))
def test_pydraughts_reads_the_game_that_was_played(seed: int, start: str) -> None:
    played = game(start, seed)
    (read,) = PDNReader(pdn(played)).games
    board = draughts.Board(variant="english", fen=read.tags["FEN"]) if start else draughts.Board(variant="english")
    for word in moves_of(pdn(played)):
        board.push({move.pdn_move: move for move in board.legal_moves()}[word])
    last = GAME.start(played.settings)
    for made in played.moves:
        last = GAME.play(last, made.move)
    result = {None: "*" if played.outcome is None else "1/2-1/2", 0: "0-1", 1: "1-0"}
    assert read.game_ending == result[played.outcome.winner if played.outcome else None]
    again = GAME.settings(start=pdn(played))
    assert GAME.brief(GAME.start(again)) == GAME.brief(last)


@pytest.mark.parametrize("seed", range(4))
def test_a_game_that_pydraughts_writes_is_read(seed: int, tmp_path: Path) -> None:
    chance, board = random.Random(seed), draughts.Board(variant="english")
    for _ in range(40):
        if not (moves := board.legal_moves()):
            break
        board.push(chance.choice(moves))
    text = PDNWriter(str(tmp_path / "game.pdn"), board).pdn_text
    assert at(text) == at(f'[FEN "{board.initial_fen}"]\n\n1. {" ".join(moves_of(text))} *')
    assert GAME.board(at(text)) == GAME.board(at(board.fen))


def test_comments_variations_and_marks_of_a_game_are_left_out() -> None:
    text = '[Event "x (y) {z}"]\n[GameType "21"]\n\n1. 9-14! {good} (9-13 (x) 22-18) 22-18 $3 ; so\n2... 5-9? *'
    assert at(text) == turned(turned(turned(Position(), "9-14"), "22-18"), "5-9")


def test_a_result_that_the_moves_contradict_is_refused() -> None:
    """White takes the last man: White has won."""
    ends = '[FEN "W:W9:B6"]\n\n1. 9x2 {}'
    for result in ("1-0", "2-0", "*"):
        assert GAME.outcome(at(ends.format(result))) == Outcome(1, Reason.RULES, "black cannot move")
    with pytest.raises(Refused) as caught:
        at(ends.format("1/2-1/2"))
    assert "the moves end the game, and not as 1/2-1/2" in caught.value.text
