"""Chess between every two dialects, as their players wish for it: a game is adjourned, goes on, and ends by mate.

What registered tables carry between every two, tests/matrix tries.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product
from typing import Final

import pytest

from tests.conformance.chess_bogaprot_player import BogaprotPlayer
from tests.conformance.chess_players import ChessPlayer
from tests.conformance.chess_text_players import MiniaturePlayer, PeerToPeerPlayer
from tests.conformance.playing import assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.conformance.web_players import WebChessPlayer
from tests.running import RunningServer

GAME: Final = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]
"""White mates."""

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


def seated(running: RunningServer, kinds: tuple[type[ChessPlayer], type[ChessPlayer]]) -> Pair:
    """White comes first, then Black; their game has begun."""
    ports, number = dict(zip(KINDS, running.ports, strict=True)), next(NUMBERS)
    white, black = kinds[0](ports[kinds[0]], f"Anna{number}"), kinds[1](ports[kinds[1]], f"Bert{number}")
    if isinstance(white, BogaprotPlayer) and isinstance(black, BogaprotPlayer):
        white.asks_for_time = black.asks_for_time = True
    white.sit(True, GAME[0])
    black.sit(False, GAME[0])
    white.begin()
    black.begin()
    return white, black


def play(pair: Pair, first: int, last: int) -> None:
    """The half-moves of the game from ``first`` up to ``last``, counted from 0."""
    for ply in range(first, last):
        mover, other = (pair[0], pair[1]) if ply % 2 == 0 else (pair[1], pair[0])
        mover.move(GAME[ply])
        other.hears(GAME[ply])


def test_a_game_that_is_adjourned_goes_on_and_ends(
    running: RunningServer, kinds: tuple[type[ChessPlayer], type[ChessPlayer]]
) -> None:
    white, black = pair = seated(running, kinds)
    play(pair, 0, 4)
    black.asks("adjourn")
    white.hears_ask("adjourn")
    white.agrees("adjourn")
    white.adjourned()
    black.adjourned()
    white.resumes()
    black.resumes()
    white.resumed(on_move=True)
    black.resumed(on_move=False)
    play(pair, 4, len(GAME) - 1)
    white.move(GAME[-1])
    assert (white.ended(), black.ended()) == ("1-0", "1-0")
    white.close()
    black.close()
    assert_newest_record_is_whole(running.data, moves=len(GAME))
