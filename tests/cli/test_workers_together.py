"""Players of every dialect meet who came to different workers: at one of the two, or from one to the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

import migrations
from gateway import registry
from gateway.store.accounts import SqlAccounts
from tests import peers
from tests.conformance.chess_guests import PeerToPeerGuest
from tests.conformance.figures import figures
from tests.conformance.players import OldBoardPlayer
from tests.conformance.playing import Table
from tests.conformance.servers import fast
from tests.conformance.test_metrics_of_every_dialect import (
    LISTENERS,
    bogaprot,
    chess_p2p,
    gtp_engine,
    gtp_gui,
    miniature,
    port,
)
from tests.passwords import hashed
from tests.postgresql import Cluster, cluster
from tests.running import RunningServer

pytestmark = peers.needed

OWN: Final = "http,each_worker=yes"
"""The pages of each of the two workers, behind the ports that both share."""

PASSWORD: Final = "correct horse"

OPENED: Final = "boardgate_connections_opened_total"

TRIES: Final = 40
"""Games at most: in every second one the players come to different workers."""

Play = Callable[[RunningServer], None]


def ggzboard(running: RunningServer) -> None:
    """To the end: who has left a game comes back to it by the address."""
    played = registry.game("checkers").settings()
    Table(*(OldBoardPlayer(port(running, "ggzboard"), played, seed=seat) for seat in range(2))).finish()


of_every_dialect: Final = pytest.mark.parametrize(
    "play", [bogaprot, ggzboard, chess_p2p, miniature, gtp_gui, gtp_engine]
)
"""Of those on sockets of their own; each lets two players come, look for each other and play."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster("max_connections = 100") as found:
        yield found


@contextmanager
def two_workers(folder: Path, postgres: Cluster, **settings: str) -> Iterator[RunningServer]:
    """Nothing goes wrong in them."""
    url = postgres.create(folder.name.replace("-", "_"))
    migrations.upgrade(url)
    with closing(SqlAccounts(url)) as accounts:
        accounts.add("Anna", hashed(PASSWORD), "root")
    both = {"SERVER_DATABASE": url, "SERVER_WORKERS": "2", "CLUSTER_NODE": "club"}
    with fast(folder, *LISTENERS, OWN, ports=None, **both, **settings) as found:
        yield found
        assert found.stop() == 0
    log = found.log.read_text()
    assert "Traceback" not in log
    assert "level=error" not in log


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory, postgres: Cluster) -> Iterator[RunningServer]:
    with two_workers(tmp_path_factory.mktemp("together"), postgres) as found:
        yield found


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory, postgres: Cluster) -> Iterator[RunningServer]:
    """A log of the bytes is one worker's, so that no connection goes to the other."""
    with two_workers(tmp_path_factory.mktemp("apart"), postgres, LOG_WIRE="yes") as found:
        yield found


def let_in(running: RunningServer) -> list[float]:
    """The connections that each worker has let in; one that has gone on at the other was let in by both."""
    found = [figures(port) for port in running.ports[len(LISTENERS) :]]
    return [sum(count for (name, *_), count in each.items() if name == OPENED) for each in found]


def plays_until(running: RunningServer, play: Play, *wanted: list[float]) -> None:
    """Play until the two workers have let in so many players of one game."""
    shared = replace(running, ports=running.ports[: len(LISTENERS)])
    for _ in range(TRIES):
        before = let_in(running)
        play(shared)
        if [now - then for then, now in zip(before, let_in(running), strict=True)] in wanted:
            return
    pytest.fail(f"not once in {TRIES} games")


@pytest.mark.parametrize("play", [bogaprot, ggzboard, chess_p2p, gtp_gui, gtp_engine])
def test_a_player_goes_on_at_the_worker_of_its_opponent_and_notices_nothing(
    together: RunningServer, play: Play
) -> None:
    """Not one of Miniature who has entered under a name, which another connection would not get again."""
    plays_until(together, play, [1, 2], [2, 1])


def test_who_goes_on_at_another_worker_is_told_what_one_is_told_who_stays(together: RunningServer) -> None:
    """Each line once: its welcome, its account, its seat's ticket and its opponent."""
    chess = port(replace(together, ports=together.ports[: len(LISTENERS)]), "chess-p2p")
    heard: dict[bool, list[str]] = {}
    for _ in range(TRIES):
        before = let_in(together)
        with closing(PeerToPeerGuest(chess, "Mia")) as mia, closing(PeerToPeerGuest(chess, "")) as anna:
            mia.go("level 0 300 0")
            mia.until("text your game is proposed")
            anna.say(f"text /login Anna {PASSWORD}")
            anna.until("text you are Anna")
            anna.say("new")
            anna.until(f"name {mia.name}")
            told = [line for line in anna.heard if not line.startswith(f"text {mia.name} waits")]  # whenever it waits
        moved = sum(let_in(together)) - sum(before) == 3
        heard[moved] = [re.sub(rf"{mia.name}|{anna.told_ticket}", "...", line) for line in told]
        if len(heard) == 2:
            break
    assert heard[True] == heard[False]
    assert len(heard[True]) > 3


@of_every_dialect
def test_moves_cross_from_one_worker_to_the_other(apart: RunningServer, play: Play) -> None:
    plays_until(apart, play, [1, 1])
