"""Bots of the lichess API against players of other dialects, and programs that berserk makes."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import pytest

from tests.conformance.chess_players import ChessPlayer
from tests.conformance.chess_text_players import MiniaturePlayer, PeerToPeerPlayer
from tests.conformance.lichess.runner import Runner, first
from tests.conformance.lichess.served import Served, made, serving

PLAYERS: list[type[ChessPlayer]] = [MiniaturePlayer, PeerToPeerPlayer]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("lichess")
    tokens = made(data, bots=("Robo", "Mecha"), people=("Anna", "Bert"))
    with serving(data, tokens, *(kind.listener for kind in PLAYERS)) as served:
        yield served


@pytest.fixture
def bot(here: Served) -> Iterator[Runner]:
    runner = Runner(here.port, here.tokens["Robo"])
    runner.start()
    runner.wait(lambda: "event" in runner.streams)
    yield runner
    runner.stop()


@pytest.mark.parametrize("kind", PLAYERS, ids=lambda kind: kind.dialect)
@pytest.mark.parametrize("white", [True, False], ids=["white", "black"])
def test_a_bot_plays_whoever_waits_for_a_game(here: Served, bot: Runner, kind: type[ChessPlayer], white: bool) -> None:
    player = kind(here.running.ports[1 + PLAYERS.index(kind)], "mina")
    board = chess.Board()
    player.sit(white, "e2e4")
    player.begin()
    for _ in range(6):
        if board.turn == white:
            move = "e2e4" if not board.move_stack else first(board)
            player.move(move)
        else:
            move = first(board)
            player.hears(move)
        board.push_uci(move)
    game = bot.wait(lambda: bot.events("gameStart"))[0]["game"]
    assert game["opponent"]["username"] == "mina"
    assert game["color"] == ("black" if white else "white")
    player.asks("resign")
    bot.wait(lambda: bot.last(game["gameId"])["status"] == "resign")
    player.close()
