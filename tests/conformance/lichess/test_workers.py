"""Bots whose requests reach two workers of one server in turns: their connections are at one of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import requests

import migrations
from tests import peers
from tests.conformance.figures import until
from tests.conformance.lichess.runner import Asker, Runner
from tests.conformance.lichess.served import added
from tests.conformance.servers import fast
from tests.postgresql import cluster
from tests.running import RunningServer

pytestmark = peers.needed

LISTENERS = ("http,each_worker=yes",)
TOKENS: dict[str, str] = {}


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with cluster("max_connections = 100") as postgres:
        url = postgres.create(f"lichess_{uuid4().hex}")
        migrations.upgrade(url)
        TOKENS.update(added(url, ("Robo", "Mecha"), ("Anna",)))
        data: Path = tmp_path_factory.mktemp("workers")
        with fast(data, *LISTENERS, ports=None, SERVER_DATABASE=url, SERVER_WORKERS="2") as running:
            yield running


def test_a_bot_may_ask_either_worker_for_everything(workers: RunningServer) -> None:
    ports = workers.ports
    assert len(ports) == 2
    bots = [Runner(order, TOKENS[name]) for order, name in ((ports, "Robo"), (ports[::-1], "Mecha"))]
    one = bots[0]
    try:
        for bot in bots:
            bot.start()
            bot.wait(lambda bot=bot: "event" in bot.streams)  # type: ignore[misc]
        status, challenge = one.asker.post("/api/challenge/Mecha", **{"clock.limit": "300", "color": "white"})
        assert status == 200, challenge
        game = str(challenge["id"])
        for bot in bots:
            bot.wait(lambda bot=bot: bot.events("gameStart"))  # type: ignore[misc]
        one.wait(lambda: len(one.last(game).get("moves", "").split()) >= 10)
        for bot in bots:
            assert {answered for _, _, answered in bot.moved} == {200}
            assert bot.streams.count(game) == 1
            playing = [bot.asker.ask("GET", "/api/account/playing")[1]["nowPlaying"] for _ in ports]
            assert [len(shown) for shown in playing] == [1, 1]
        assert one.asker.post(f"/api/bot/game/{game}/resign")[0] == 200
        for bot in bots:
            bot.wait(lambda bot=bot: bot.last(game)["status"] == "resign")  # type: ignore[misc]
            bot.wait(lambda bot=bot: bot.events("gameFinish"))  # type: ignore[misc]
    finally:
        for bot in bots:
            bot.stop()


def test_a_seek_at_the_other_worker_is_open_until_it_is_taken(workers: RunningServer) -> None:
    first, other = workers.ports
    anna, bot = Asker([first], TOKENS["Anna"]), Runner(first, TOKENS["Robo"])
    events = anna.stream("/api/stream/event")
    here = Asker([other], TOKENS["Anna"])
    until(lambda: here.ask("GET", "/api/users/status?ids=anna")[1], lambda shown: bool(shown[0].get("online")))
    path, headers = f"http://127.0.0.1:{other}/api/board/seek", {"Authorization": f"Bearer {TOKENS['Anna']}"}
    try:
        with requests.post(path, {"time": "5", "increment": "3"}, headers=headers, stream=True, timeout=30) as seek:
            assert seek.status_code == 200
            bot.start()
            assert set(seek.iter_lines()) <= {b""}
        game = next(line["game"] for line in events if line is not None and line["type"] == "gameStart")
        assert game["opponent"]["username"] == "Robo"
        assert anna.post(f"/api/board/game/{game['id']}/resign")[0] == 200
    finally:
        bot.stop()
        events.close()
