"""An anchor in a ladder of CGOS engines: a house bot's rating is pinned, and the engines are measured against it."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

from gateway.store.accounts import SqlAccounts
from tests import peers
from tests.conformance.cgos.clients import Brain, CgosClient, Game, first_legal
from tests.conformance.cgos.test_games import PASSWORD
from tests.conformance.cgos.test_gnugo import GnuGo
from tests.conformance.cgos.test_ladder import asked
from tests.conformance.figures import until
from tests.conformance.gtp.gnugos import gnugo, options
from tests.conformance.servers import fast
from tests.passwords import hashed
from tests.running import RECORD, RunningServer, made_record

pytestmark = peers.needed

POOL: Final = "go/7/engines"
PINNED: Final = 1800
BEGINNER: Final = 1500


def gives_up(game: Game) -> str:
    """Moves that a game needs to count, and no more."""
    return "resign" if len(game.moves) >= 6 else first_legal(game)


def plays(running: RunningServer, name: str, brain: Brain, games: int) -> CgosClient:
    """A client, through with so many games against the house bot."""
    client = CgosClient(running.ports[0], name, PASSWORD, brain)
    with closing(client):
        client.plays(games)
    return client


def ratings(running: RunningServer, games: int) -> dict[str, float]:
    """The ratings of the pool by account, "" for the house bot's, once it has played so many games."""
    path = f"/api/ratings?pool={POOL}&list="

    def found() -> dict[str, tuple[float, int]]:
        players = [each for kind in ("ranked", "others") for each in asked(running.ports[1], path + kind)["players"]]
        return {each["name"]: (each["rating"], each["games"]) for each in players}

    now = until(found, lambda players: players.get("", (0.0, 0))[1] == games)
    return {name: rating for name, (rating, _) in now.items()}


def test_an_anchor_keeps_its_rating_and_the_others_are_measured_against_it(tmp_path: Path) -> None:
    with closing(SqlAccounts(made_record(tmp_path / RECORD))) as accounts:
        for name in ("Weak", "Strong"):
            accounts.add(name, hashed(PASSWORD), "test")
    bot = f"go={' '.join([gnugo(), *options(seed=3)])}"
    listeners = ("cgos,size=7,rated=yes,bot_after=0s", "http")
    settings = {"BOTS_LEVEL": "1", "BOTS_WORKERS": "1", "BOTS_PAUSE": "0s", "BOT": bot}
    with closing(GnuGo(seed=4)) as strong, fast(tmp_path, *listeners, ports=None, **settings) as there:
        weak = plays(there, "Weak", gives_up, 1)
        assert not [line for line in weak.said if "will not be rated" in line]
        before = ratings(there, 1)
        assert before[""] > BEGINNER > before["Weak"]
        others = asked(there.ports[1], f"/api/ratings?pool={POOL}&list=others")["players"]
        (engine,) = (each["engine"] for each in others if not each["name"])
        pin = [
            sys.executable,
            "-m",
            "gateway.cli",
            "ratings",
            "pin",
            "--data",
            str(tmp_path),
            POOL,
            engine,
            str(PINNED),
        ]
        subprocess.run(pin, check=True, capture_output=True, timeout=30)
        anchored = until(lambda: ratings(there, 1), lambda found: found[""] == PINNED)
        assert BEGINNER > anchored["Weak"] > before["Weak"], "a loss against a stronger one weighs less"
        client = plays(there, "Strong", strong, 2)
        found = ratings(there, 3)
        assert found[""] == PINNED
        wins = sum(game.result[0] == "BW"[game.seat] for game in client.games[:2])
        assert (found["Strong"] > BEGINNER) == (wins > 0)
        assert found["Strong"] > found["Weak"]
