"""HousePlayers asks a game's engine for a move, and plays one of its own where the engine fails."""

from __future__ import annotations

import random
import re

import pytest
import trio

from gateway.bots.players import HousePlayers
from gateway.games.tic_tac_toe import Position
from protocols.core.errors import Refused
from protocols.core.model import Move
from tests import peers
from tests.bots.running_engines import E2E4, FIRST, GAME, PATIENCE_S, ended, scripted, stockfish

WIN_IN_ONE = Position("xx.oo....")


async def test_each_game_is_played_by_its_own() -> None:
    with trio.fail_after(PATIENCE_S):
        async with HousePlayers.open(1, [scripted("plays")]) as players:
            assert players.pids() == ()
            assert await players.choose("Chess", FIRST) == E2E4
            (engine,) = players.pids()
            assert await players.choose("tic_tac_toe", WIN_IN_ONE) == Move(None, 2, "x")
            assert engine in (both := players.pids())
            assert len(both) == 2
        assert all(ended(pid) for pid in both)


@pytest.mark.parametrize("mode", ["dies", "gone", "illegal", "floods"])
async def test_where_an_engine_fails_the_house_s_own_bot_answers(mode: str) -> None:
    with trio.fail_after(PATIENCE_S):
        async with HousePlayers.open(1, [scripted(mode)]) as players:
            for _ in range(5):
                assert await players.choose("chess", FIRST, 1) in GAME.legal_moves(FIRST)


@peers.needed
async def test_rules_that_an_engine_does_not_have_are_played_by_the_house_s_own_bot() -> None:
    position = GAME.start(GAME.settings("atomic"))
    with trio.fail_after(PATIENCE_S):
        async with HousePlayers.open(1, [stockfish()]) as players:
            assert await players.choose("chess", position, 1) in GAME.legal_moves(position)


@peers.needed
@pytest.mark.parametrize("variant", ["normal", "fischerandom"])
async def test_stockfish_plays_whole_games_by_the_rules_and_beats_chance(variant: str) -> None:
    rng = random.Random(5)
    position = GAME.start(GAME.settings(variant))
    with trio.fail_after(PATIENCE_S):
        async with HousePlayers.open(1, [stockfish(move_time_s=0.02)]) as players:
            while isinstance(turn := GAME.to_move(position), int):
                chance = rng.choice(GAME.legal_moves(position))
                position = GAME.play(position, chance if turn else await players.choose("chess", position, 3))
            (pid,) = players.pids()
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert outcome.winner == 0
    assert ended(pid)


async def test_an_engine_that_nobody_asks_is_ended() -> None:
    with trio.fail_after(PATIENCE_S):
        async with HousePlayers.open(1, [scripted("plays")]) as players, trio.open_nursery() as nursery:
            await players.choose("chess", FIRST)
            (pid,) = players.pids()
            nursery.start_soon(players.tend, 0.2)
            assert await trio.to_thread.run_sync(ended, pid, PATIENCE_S / 2)
            nursery.cancel_scope.cancel()


async def test_garbage_is_the_asker_s_own_trouble() -> None:
    over = GAME.start(GAME.settings(start="R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"))
    with trio.fail_after(PATIENCE_S):
        async with HousePlayers.open(1, [scripted("plays")]) as players:
            with pytest.raises(Refused, match="no game 'nonsense'"):
                await players.choose("nonsense", FIRST)
            with pytest.raises(ValueError, match="no level 0"):
                await players.choose("chess", FIRST, 0)
            with pytest.raises(ValueError, match="nobody can move"):
                await players.choose("chess", over)
            with pytest.raises(AttributeError):
                await players.choose("chess", "not a position")
            assert await players.choose("chess", FIRST) == E2E4
        with pytest.raises(trio.ClosedResourceError):
            await players.choose("chess", FIRST)


@peers.needed
async def test_a_house_bot_is_known_by_its_name_version_and_level_once_it_has_said_them() -> None:
    with trio.fail_after(PATIENCE_S):
        async with HousePlayers.open(1, [stockfish()]) as players:
            assert players.identity("chess", "", 3) == ""
            await players.choose("chess", FIRST, 1)
            assert re.fullmatch(r"stockfish [0-9]\S*.* level 3", players.identity("chess", "", 3))
            assert players.identity("chess", "house", 2) == players.identity("reversi", "", 2) == "house 1 level 2"
