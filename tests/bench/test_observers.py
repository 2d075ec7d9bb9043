"""Observers are measured beside bare sends and other tables; these tests assert no speed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from bench import measure, observers, process, scripts
from bench.audience import Told
from bench.load import Count
from bench.observers import Observed, Side
from bench.pairs import Stuck
from bench.web_pair import WebPair, connected, framed, hello, observer
from gateway.cli import main
from protocols.core.model import Move
from protocols.web.frames import Frames, Text


@pytest.fixture(autouse=True, scope="module")
def short_runs() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scripts, "GAMES", 3)
        patch.setattr(scripts, "LENGTH", 60)
        patch.setattr(scripts, "EFFORT", 600)
        patch.setattr(measure, "WARM_S", 0.1)
        patch.setattr(observers, "TURN_S", 1.0)
        scripts.games.cache_clear()
        yield
        scripts.games.cache_clear()


@pytest.mark.nightly  # a benchmark's own run: the measured code is tried elsewhere
def test_a_short_run_says_what_an_observer_costs_beside_a_bare_send() -> None:
    words = ["--only", "observers", "--observers", "12", "--beside", "2", "--seconds", "1"]
    found = CliRunner().invoke(main, ["bench", *words])
    assert found.exit_code == 0, found.output
    rows = {line.split("│")[1].strip(): line.split("│")[2:-1] for line in found.output.splitlines() if "│" in line}
    assert float(rows["bare sends"][2]) == observers.SIZE, "every witness was told all of it"
    assert float(rows["boardgate"][2]) > 100, "a move of chess and whose turn it is"
    assert all(float(cell) > 0 for name in rows for cell in rows[name][3:]), "the last one was told"
    assert re.search(r"2 other tables, a move every second each: p99 [0-9.]+ ms alone", found.output)


def test_the_servers_time_is_shared_among_observers_and_moves_without_that_of_the_other_tables() -> None:
    found = Observed(observers=100, tables=1, calm_s=0.25, calm=Count(moves=10), disturbed=Count(moves=20))
    found.web = Side(1.5, Told(moves=1000, size=0))
    found.bare = Side(0.5, Told(moves=1000, size=0))
    assert found.each_us == pytest.approx(10.0)
    assert found.bare_us == pytest.approx(5.0)


def test_a_frame_of_a_page_is_masked_and_says_what_was_meant() -> None:
    sent = WebPair.written(Move(52, 36))
    assert b"play" not in sent
    (message,) = Frames().split(sent)
    assert isinstance(message, Text)
    assert json.loads(message.text) == {"type": "play", "move": [52, 36, ""]}


def test_who_may_not_look_on_ends_the_measurement() -> None:
    with process.boardgate(WebPair.carrier) as server:
        with pytest.raises(Stuck, match="nobody may look on"):
            observer(server.address, 1)
        connected(server.address, hello(), framed({"type": "ping", "n": 1})).close()
