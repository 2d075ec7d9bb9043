"""Two CGOS clients with GNU Go on their pipes play each other, and a house bot, to the end of their games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests import peers
from tests.conformance.cgos.clients import CgosClient, Game
from tests.conformance.cgos.test_games import together
from tests.conformance.gtp.ends import OnPipes
from tests.conformance.gtp.gnugos import gnugo, options
from tests.conformance.servers import fast

pytestmark = peers.needed

RULES = ("--chinese-rules", "--capture-all-dead")
"""As on CGOS: an engine that leaves dead stones on the board loses by them."""


class GnuGo:
    """An engine that is told a game from its beginning when it does not know it, else only what is new."""

    def __init__(self, seed: int) -> None:
        self._engine = OnPipes([gnugo(), *options(seed), *RULES])
        self._knows: tuple[int, list[str]] = (0, [])

    def close(self) -> None:
        self._engine.close()

    def __call__(self, game: Game) -> str:
        number, known = self._knows
        if number != game.number or game.moves[: len(known)] != known:
            self._engine.sets(f"boardsize {game.size}", "clear_board", f"komi {game.komi}")
            known = []
        for at in range(len(known), len(game.moves)):
            self._engine.sets(f"play {'bw'[at % 2]} {game.moves[at]}")
        answer = self._engine.asks(f"genmove {'bw'[len(game.moves) % 2]}").removeprefix("=").strip()
        self._knows = game.number, [*game.moves, answer.upper()]
        return answer


@pytest.fixture
def engines() -> Iterator[list[GnuGo]]:
    started = [GnuGo(seed) for seed in (1, 2)]
    yield started
    for each in started:
        each.close()


def test_two_play_each_other_twice(tmp_path: Path, engines: list[GnuGo]) -> None:
    with fast(tmp_path, "cgos,size=7", SEATS_ROUND="0.1s") as running:
        one = CgosClient(running.ports[0], "GNU-Go-1", "a secret", engines[0])
        other = CgosClient(running.ports[0], "GNU-Go-2", "a secret", engines[1], end=b"\n")
        with closing(one), closing(other):
            together(lambda: one.plays(2), lambda: other.plays(2))
            for mine, theirs in zip(one.games[:2], other.games[:2], strict=True):
                assert mine.moves == theirs.moves
                assert mine.result == theirs.result
                assert mine.result[2:] not in ("Illegal", "Time")


def test_it_plays_a_house_bot(tmp_path: Path, engines: list[GnuGo]) -> None:
    with (
        fast(tmp_path, "cgos,size=7", SEATS_ROUND="0.1s", SEATS_BOT_AFTER="0s", BOTS_WORKERS="1") as running,
        closing(CgosClient(running.ports[0], "GNU-Go-1", "a secret", engines[0])) as one,
    ):
        game = one.plays()
        assert len(game.moves) > 4
        assert game.result[2:] not in ("Illegal", "Time")
