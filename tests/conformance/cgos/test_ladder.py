"""A Go laboratory on one machine: ten engines of CGOS clients, a ladder, and a page that looks on at a game."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from gateway.store.accounts import SqlAccounts
from tests.conformance.cgos.clients import PATIENCE_S, CgosClient, Game, first_legal
from tests.conformance.cgos.test_games import PASSWORD, serve
from tests.conformance.figures import until
from tests.conformance.servers import fast
from tests.passwords import hashed
from tests.running import RECORD, made_record
from tests.web_client import WebClient

ENGINES: Final = [f"Engine-{number}" for number in range(10)]
COUNTED: Final = 40
"""Moves of a game of new engines at one address, from which on it counts (docs/ratings.md)."""

GAMES: Final = 4


def strength(name: str) -> int:
    return int(name.rpartition("-")[2])


def decided(game: Game) -> str:
    """Moves that a game needs to count; then the weaker one of the two resigns."""
    mine, other = game.names[game.seat], game.names[1 - game.seat]
    if len(game.moves) >= COUNTED and strength(mine) < strength(other):
        return "resign"
    return first_legal(game, most=60)


def ladder(port: int) -> list[dict[str, Any]]:
    """The players of the pool, the best first."""
    pages = [asked(port, f"/api/ratings?pool=go/9/engines{more}")["players"] for more in ("", "&list=others")]
    return sorted((player for page in pages for player in page), key=lambda player: -player["rating"])


def asked(port: int, path: str) -> Any:
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE_S) as answer:
        return json.load(answer)


def test_ten_engines_are_a_ladder_with_a_page_and_their_games_are_looked_on_at(tmp_path: Path) -> None:
    with closing(SqlAccounts(made_record(tmp_path / RECORD))) as accounts:
        for name in ENGINES:
            accounts.add(name, hashed(PASSWORD), "test")
    with ExitStack() as ending:
        there = ending.enter_context(fast(tmp_path, "cgos,rated=yes", "http", SEATS_ROUND="0.1s"))
        web = there.ports[1]
        engines = [CgosClient(there.ports[0], name, PASSWORD, decided) for name in ENGINES]
        for engine in engines:
            ending.callback(engine.close)
            threading.Thread(target=serve, args=(engine,), daemon=True).start()
        page = ending.enter_context(closing(WebClient(web)))
        page.hello()
        begun = until(partial(asked, web, "/api/tables?state=playing"), lambda found: found["tables"])["tables"][-1]
        page.say("watch", whom=begun["seats"][0]["name"])
        page.until("seated")
        page.until("GameEnded")
        assert page.outcome is not None
        assert len(page.notations) >= COUNTED
        until(lambda: min(sum(bool(game.result) for game in engine.games) for engine in engines), lambda n: n >= GAMES)
        names = [player["name"] for player in until(partial(ladder, web), lambda found: len(found) == len(ENGINES))]
        assert sorted(names) == ENGINES
        assert sum(map(strength, names[:5])) > sum(map(strength, names[5:]))
