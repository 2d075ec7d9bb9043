"""Chess between every two dialects, each on either side: whole games, with everything that needs two.

One game has promotion, castling on both sides, en passant, a takeback declined and one agreed to, a draw declined, an
adjournment and its end, and mate; three short ones end by an agreed draw, a resignation and a flag.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product
from pathlib import Path
from typing import Final

import chess
import pytest

from gateway.store.views import Views
from protocols.core import events as ev
from tests.conformance.chess_bogaprot_player import BogaprotPlayer
from tests.conformance.chess_players import ChessPlayer
from tests.conformance.chess_text_players import MiniaturePlayer, PeerToPeerPlayer
from tests.conformance.playing import assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.conformance.web_players import WebChessPlayer
from tests.running import RunningServer

GAME: Final = [
    *("e2e4", "g8f6", "e4e5", "d7d5", "e5d6", "g7g6", "d6c7", "f8g7", "c7b8q", "a8b8", "d2d4", "e8g8", "c1f4"),
    *("b7b6", "b1c3", "a7a6", "d1d2", "a6a5", "e1c1", "f6g4", "f4e5", "g7f6", "d2h6", "f6g7", "h6g7"),
]
"""En passant at the fifth half-move, promotion at the ninth, Black castles short, White long, and mates."""

NUMBERS: Final = count(1)
"""Nobody of one test comes back in the next."""

KINDS: Final[tuple[type[ChessPlayer], ...]] = (PeerToPeerPlayer, MiniaturePlayer, BogaprotPlayer, WebChessPlayer)

Pair = tuple[ChessPlayer, ChessPlayer]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("chess"), *(kind.listener for kind in KINDS)) as found:
        yield found


@pytest.fixture(params=list(product(KINDS, KINDS)), ids=lambda pair: f"{pair[0].dialect}-{pair[1].dialect}")
def kinds(request: pytest.FixtureRequest) -> tuple[type[ChessPlayer], type[ChessPlayer]]:
    found: tuple[type[ChessPlayer], type[ChessPlayer]] = request.param
    return found


def seated(running: RunningServer, kinds: tuple[type[ChessPlayer], type[ChessPlayer]], seconds: int = 300) -> Pair:
    """White comes first, then Black; their game has begun."""
    ports, number = dict(zip(KINDS, running.ports, strict=True)), next(NUMBERS)
    white, black = kinds[0](ports[kinds[0]], f"Anna{number}"), kinds[1](ports[kinds[1]], f"Bert{number}")
    if isinstance(white, BogaprotPlayer) and isinstance(black, BogaprotPlayer):
        white.asks_for_time = black.asks_for_time = True
    white.sit(True, GAME[0], seconds)
    black.sit(False, GAME[0], seconds)
    white.begin()
    black.begin()
    return white, black


def play(pair: Pair, first: int, last: int, moves: list[str] = GAME) -> None:
    """The half-moves of the game from ``first`` up to ``last``, counted from 0."""
    for ply in range(first, last):
        mover, other = (pair[0], pair[1]) if ply % 2 == 0 else (pair[1], pair[0])
        mover.move(moves[ply])
        other.hears(moves[ply])


def close(*players: ChessPlayer) -> None:
    for player in players:
        player.close()


def outcome(data: Path) -> str:
    """How the game of the newest table ended, as the record says it."""
    views = Views(f"sqlite:///{data / 'boardgate.db'}")
    try:
        newest = views.tables(limit=1)[0].table
        (end,) = [row.body for row in views.rows(newest) if row.kind == ev.GameEnded.__name__]
    finally:
        views.close()
    return end


def test_the_game_is_what_it_says() -> None:
    """The script itself: legal, with all that it promises, and mate at the end."""
    board, seen = chess.Board(), set()
    for text in GAME:
        move = board.parse_uci(text)
        seen |= {"en passant"} if board.is_en_passant(move) else set()
        seen |= {"promotion"} if move.promotion else set()
        seen |= {f"{'white' if board.turn else 'black'} castles"} if board.is_castling(move) else set()
        board.push(move)
    assert seen == {"en passant", "promotion", "white castles", "black castles"}
    assert board.is_checkmate()


def test_a_whole_game_with_everything_in_it(
    running: RunningServer, kinds: tuple[type[ChessPlayer], type[ChessPlayer]]
) -> None:
    white, black = pair = seated(running, kinds)
    play(pair, 0, 6)
    white.asks("takeback")
    black.hears_ask("takeback")
    black.declines()
    white.hears_no("takeback")
    other_moves = [*GAME[:6], "h2h3", "h7h6"]
    play(pair, 6, 8, other_moves)
    white.asks("takeback")
    black.hears_ask("takeback")
    black.agrees("takeback")
    white.taken_back(asker=True)
    black.taken_back(asker=False)
    play(pair, 6, 10)
    white.asks("draw")
    black.hears_ask("draw")
    black.declines()
    white.hears_no("draw")
    play(pair, 10, 14)
    black.asks("adjourn")
    white.hears_ask("adjourn")
    white.agrees("adjourn")
    white.adjourned()
    black.adjourned()
    white.resumes()
    black.resumes()
    white.resumed(on_move=True)
    black.resumed(on_move=False)
    play(pair, 14, len(GAME) - 1)
    white.move(GAME[-1])
    assert (white.ended(), black.ended()) == ("1-0", "1-0")
    close(*pair)
    assert "checkmate" in outcome(running.data)
    assert_newest_record_is_whole(running.data, moves=len(GAME) + 2)


def test_a_draw_that_is_agreed_upon(running: RunningServer, kinds: tuple[type[ChessPlayer], type[ChessPlayer]]) -> None:
    white, black = pair = seated(running, kinds)
    play(pair, 0, 2)
    white.asks("draw")
    black.hears_ask("draw")
    black.agrees("draw")
    assert (white.ended(), black.ended()) == ("1/2-1/2", "1/2-1/2")
    close(*pair)
    assert "agreement" in outcome(running.data)


def test_a_resignation(running: RunningServer, kinds: tuple[type[ChessPlayer], type[ChessPlayer]]) -> None:
    white, black = pair = seated(running, kinds)
    play(pair, 0, 2)
    white.resigns(True)
    assert (white.ended(), black.ended()) == ("0-1", "0-1")
    close(*pair)
    assert "resignation" in outcome(running.data)


def test_a_flag_that_falls(running: RunningServer, kinds: tuple[type[ChessPlayer], type[ChessPlayer]]) -> None:
    """Nobody moves for a second: the fall is found by itself."""
    white, black = pair = seated(running, kinds, seconds=1)
    play(pair, 0, 1)
    assert (white.ended(), black.ended()) == ("1-0", "1-0")
    close(*pair)
    assert '"time"' in outcome(running.data)
