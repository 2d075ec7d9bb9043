"""PGN as it is written, and as python-chess reads it back."""

from __future__ import annotations

import io
import random
from dataclasses import replace

import chess.pgn
import pytest

from gateway.games.base import Played, PlayedMove
from gateway.games.chess.pgn import COLUMNS, pgn, time_control
from gateway.games.chess.position import ours
from protocols.core.model import Outcome, Reason, Settings
from protocols.core.time_text import read
from tests.games.chess_boards import GAME

BEGUN = 1_770_000_000.25  # 2026-02-02T02:40:00.25Z
FOOLS_MATE = ("f3", "e5", "g4", "Qh4")
MATED = Outcome(1, Reason.RULES, "checkmate")


def played(settings: Settings, *texts: str, outcome: Outcome | None = None, clock_s: float | None = None) -> Played:
    """A game of these moves; each takes a second off a clock that shows ``clock_s`` after the first."""
    position, made = GAME.start(settings), []
    for count, text in enumerate(texts):
        move, seat = GAME.parse(position, text), GAME.to_move(position)
        assert isinstance(seat, int)
        shown = None if clock_s is None else clock_s - count
        made.append(PlayedMove(seat, move, GAME.notation(position, move), shown))
        position = GAME.play(position, move)
    ended = outcome or GAME.outcome(position)
    return Played(12, 3, "Boardgate", BEGUN, settings, ("Alice", "Bob"), tuple(made), ended)


def read_back(text: str) -> chess.pgn.Game:
    """The one game that python-chess finds in ``text``, without an error."""
    stream = io.StringIO(text)
    game = chess.pgn.read_game(stream)
    assert game is not None
    assert game.errors == []
    assert chess.pgn.read_game(stream) is None
    return game


def test_a_whole_game_is_written_so() -> None:
    settings = replace(GAME.settings(), time=read("300+5"))
    assert pgn(played(settings, *FOOLS_MATE, clock_s=303.5)) == (
        '[Event "Table 12"]\n'
        '[Site "Boardgate"]\n'
        '[Date "2026.02.02"]\n'
        '[Round "3"]\n'
        '[White "Alice"]\n'
        '[Black "Bob"]\n'
        '[Result "0-1"]\n'
        '[UTCDate "2026.02.02"]\n'
        '[UTCTime "02:40:00"]\n'
        '[TimeControl "300+5"]\n'
        '[PlyCount "4"]\n'
        '[Termination "normal"]\n'
        "\n"
        "1. f3 {[%clk 0:05:03.5]} 1... e5 {[%clk 0:05:02.5]} 2. g4 {[%clk 0:05:01.5]}\n"
        "2... Qh4# {[%clk 0:05:00.5]} {Black mates} 0-1\n"
    )


def test_a_game_without_clocks_has_its_moves_one_after_another() -> None:
    assert pgn(played(GAME.settings(), *FOOLS_MATE)).endswith("\n\n1. f3 e5 2. g4 Qh4# {Black mates} 0-1\n")


def test_python_chess_reads_the_clocks_and_the_result() -> None:
    settings = replace(GAME.settings(), time=read("7200"))
    game = read_back(pgn(played(settings, *FOOLS_MATE, clock_s=3725.25)))
    assert [node.clock() for node in game.mainline()] == [3725.2, 3724.2, 3723.2, 3722.2]
    assert (game.headers["Result"], game.headers["TimeControl"]) == ("0-1", "7200")
    assert game.end().comment.endswith("Black mates")


@pytest.mark.parametrize("variant", [variant.name for variant in GAME.variants])
@pytest.mark.parametrize("seed", [1, 2])
def test_python_chess_reads_every_rule_set_back_to_the_same_moves(variant: str, seed: int) -> None:
    options = {"position": str(seed * 300)} if variant == "fischerandom" else None
    settings, choice = GAME.settings(variant, options=options), random.Random(seed)
    position, texts = GAME.start(settings), list[str]()
    while GAME.to_move(position) is not None and len(texts) < 200:
        move = choice.choice(GAME.legal_moves(position))
        texts.append(GAME.notation(position, move))
        position = GAME.play(position, move)
    made = played(settings, *texts, clock_s=500.0)
    game = read_back(pgn(made))
    assert [ours(move) for move in game.mainline_moves()] == [one.move for one in made.moves]
    assert game.end().board().fen() == GAME.brief(position)
    assert game.headers.get("Variant", "normal") == variant
    assert game.headers["Result"] == ("*" if made.outcome is None else game.end().board().result())


def test_a_set_up_position_and_chess960_say_where_they_begin() -> None:
    middle = "4k3/8/8/8/8/8/7p/R3K3 b Q - 0 30"
    text = pgn(played(GAME.settings(start=middle), "Kd7", "O-O-O"))
    assert f'[SetUp "1"]\n[FEN "{middle}"]\n' in text
    assert "\n30... Kd7 31. O-O-O+ *\n" in text
    assert '[FEN "bbqnnrkr/' in pgn(played(GAME.settings("fischerandom", options={"position": "0"})))
    assert '[SetUp "1"]' not in pgn(played(GAME.settings("horde")))


@pytest.mark.parametrize(
    ("outcome", "result", "termination", "says"),
    [
        (Outcome(0, Reason.RESIGNATION), "1-0", "normal", "{Black resigns}"),
        (Outcome(0, Reason.TIME), "1-0", "time forfeit", "{Black forfeits on time}"),
        (Outcome(None, Reason.AGREEMENT), "1/2-1/2", "normal", "{draw by agreement}"),
        (Outcome(None, Reason.CLAIM, "threefold repetition"), "1/2-1/2", "normal", "{threefold repetition}"),
        (Outcome(1, Reason.ABANDONMENT), "0-1", "abandoned", "{White abandoned the game}"),
        (Outcome(1, Reason.FORFEIT), "0-1", "rules infraction", "{White forfeits}"),
        (Outcome(None, Reason.VOID, "nobody came back"), "*", "unterminated", "{nobody came back}"),
    ],
)
def test_the_result_its_kind_and_its_reason_are_told(
    outcome: Outcome, result: str, termination: str, says: str
) -> None:
    text = pgn(played(GAME.settings(), "e4", outcome=outcome))
    assert f'[Result "{result}"]' in text
    assert f'[Termination "{termination}"]' in text
    assert text.endswith(f"\n1. e4 {says} {result}\n")
    assert read_back(text).headers["Result"] == result


def test_a_running_game_has_no_result() -> None:
    text = pgn(played(GAME.settings()))
    assert '[Termination "unterminated"]' in text
    assert text.endswith("\n\n*\n")


@pytest.mark.parametrize(
    ("control", "written"),
    [
        ("none", "-"),
        ("600", "600"),
        ("300+5", "300+5"),
        ("40/5400", "40/5400"),
        ("40/5400+30", "40/5400+30"),
        ("10/move", "1/10"),
        ("600+25/300", "600:25/300"),
        ("600+5x30", "600:1/30"),
    ],
)
def test_time_controls_are_written_as_the_standard_has_them(control: str, written: str) -> None:
    assert time_control(read(control)) == written


def test_names_and_reasons_cannot_break_out_of_their_place() -> None:
    hostile = 'Al"ice\\]\n[Result "1-0"]\x1b'
    ended = Outcome(None, Reason.VOID, 'odd} 1-0 {"')
    game = read_back(pgn(replace(played(GAME.settings(), "e4"), names=(hostile, ""), site="", outcome=ended)))
    assert game.headers["White"] == r"Al\"ice\\] [Result \"1-0\"]"  # python-chess leaves the standard's escapes in
    assert (game.headers["Black"], game.headers["Site"], game.headers["Result"]) == ("?", "?", "*")
    assert len(list(game.mainline_moves())) == 1


def test_no_line_of_moves_is_longer_than_the_standard_allows() -> None:
    shuffle = ("Nf3", "Nf6", "Ng1", "Ng8") * 3
    text = pgn(played(GAME.settings(), *shuffle, outcome=Outcome(0, Reason.RULES, "a very long reason " * 20)))
    assert max(len(line) for line in text.splitlines()) <= COLUMNS
    assert read_back(text).end().comment.count("reason") == 20
