"""Counts of move sequences equal the published ones, for every rule set of chess.

Sources: the perft results of the Chess Programming Wiki (positions 1, 2, 3 and 5), the Chess960 suite that engines
share, and for the other rule sets the suites of lichess's scalachess and shakmaty.
"""

from __future__ import annotations

from typing import Any

import pytest

from gateway import registry

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"

COUNTED = [
    ("normal", "", (20, 400, 8902)),
    ("normal", f"{KIWIPETE} 0 1", (48, 2039, 97862)),
    ("normal", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812, 43238)),
    ("normal", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486, 62379)),
    ("fischerandom", "", (20, 400, 8902)),
    ("fischerandom", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", (21, 528, 12189)),
    ("fischerandom", "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", (21, 807, 18002)),
    ("crazyhouse", "", (20, 400, 8902)),
    ("crazyhouse", "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1", (301, 75353)),
    ("crazyhouse", "2k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1", (67, 3083, 88634)),
    ("atomic", "", (20, 400, 8902)),
    ("atomic", "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", (40, 1238, 45237)),
    ("atomic", "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1", (28, 833, 23353)),
    ("3check", f"{KIWIPETE} 1+1 0 1", (48, 2039, 97848)),
    ("suicide", "", (20, 400, 8067)),
    ("giveaway", "", (20, 400, 8067)),
    ("giveaway", "8/1p6/8/8/8/8/P7/8 w - - 0 1", (2, 4, 4, 3, 1, 0)),
    ("kingofthehill", "", (20, 400, 8902)),
    ("racingkings", "", (21, 421, 11264)),
    ("racingkings", "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1", (6, 33, 178)),
    ("horde", "", (8, 128, 1274, 23310)),
    ("horde", "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1", (30, 241, 6633)),
]


def perft(position: Any, depth: int) -> int:
    """The number of sequences of ``depth`` legal moves."""
    game = registry.game("chess")
    moves = game.legal_moves(position)
    return len(moves) if depth == 1 else sum(perft(game.play(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize(("variant", "fen", "counts"), COUNTED, ids=[f"{row[0]}-{row[1][:20]}" for row in COUNTED])
def test_sequences_of_moves_are_as_many_as_published(variant: str, fen: str, counts: tuple[int, ...]) -> None:
    game = registry.game("chess")
    position = game.start(game.settings(variant, start=fen))
    assert tuple(perft(position, depth) for depth in range(1, len(counts) + 1)) == counts
