"""The benchmark itself: that it plays, counts and leaves nothing behind. Never how fast anything is."""

from __future__ import annotations

import os
import random
import struct

from click.testing import CliRunner

from gateway import registry
from gateway.bench import process, scripts
from gateway.bench.load import Count, Load
from gateway.bench.pairs import BogaprotPair, LinePair
from gateway.cli import main


def test_a_short_run_prints_every_table() -> None:
    before = os.sched_getaffinity(0)
    found = CliRunner().invoke(main, ["bench", "--tables", "2", "--seconds", "1", "--idle", "4", "--paced", "4"])
    assert found.exit_code == 0, found.output
    for words in ("bare relay", "ratio", "p99 ms", "a move every 1 s", "4 idle connections"):
        assert words in found.output
    assert os.sched_getaffinity(0) == before


def short_game(seed: int) -> list[bytes]:
    """A random game as the scripts write theirs; most are over after seventy moves."""
    game, chance = registry.game(scripts.GAME), random.Random(seed)
    position, moves = game.start(game.settings()), []
    while legal := game.legal_moves(position):
        move = chance.choice(legal)
        moves.append(struct.pack("!iii", scripts.MSG_MOVE, move.source, move.target))
        position = game.play(position, move)
    return moves


def test_pairs_play_whole_games_one_after_another() -> None:
    games = [short_game(1), short_game(2)]
    moves = latencies = 0
    with process.boardgate(scripts.GAME) as server:
        load = Load([BogaprotPair(server.address, games, 0)])
        try:
            load.connect(lambda share: None)
            for _ in range(100):  # however slow the machine is just now
                count = load.run(0.3, lambda share: None)
                moves, latencies = moves + count.moves, latencies + len(count.latencies)
                if moves > sum(map(len, games)):
                    break
        finally:
            load.close()
    assert moves > sum(map(len, games)), "two games were played and a third begun"
    assert latencies > moves / 2


def test_the_relay_tells_both() -> None:
    with process.relay() as server:
        load = Load([LinePair(server.address), LinePair(server.address)])
        try:
            load.connect(lambda share: None)
            count = load.run(0.3, lambda share: None)
        finally:
            load.close()
    assert count.moves > 0
    assert count.rate > 0


def test_scripted_games_are_legal_to_their_end() -> None:
    game = registry.game(scripts.GAME)
    for script in scripts.games()[:2]:
        position = game.start(game.settings())
        for packed in script:
            _, source, target = (int.from_bytes(packed[at : at + 4], "big") for at in (0, 4, 8))
            move = next(move for move in game.legal_moves(position) if (move.source, move.target) == (source, target))
            position = game.play(position, move)
        assert game.outcome(position) is not None


def test_percentiles_are_those_of_the_latencies() -> None:
    count = Count(4, 2.0, [0.4, 0.1, 0.3, 0.2])
    assert count.rate == 2.0
    assert (count.percentile(0.0), count.percentile(0.5), count.percentile(1.0)) == (0.1, 0.3, 0.4)
