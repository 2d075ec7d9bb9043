"""A running server says of a slow move where the time went: the rules, the record, or telling it."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from gateway import registry
from gateway.metrics import STAGES
from gateway.tables.move_times import SLOW
from tests.faults.guests import GAME, Guest
from tests.laws.test_plug_ins import GUESSING, install
from tests.running import RECORD, RunningServer, server
from tests.web_client import WebClient

PATIENCE_S: Final = 30.0

SLOW_S: Final = 1.0
"""Far more than any other stage takes on a busy machine."""


def slowly(name: str, method: str) -> str:
    """The module of a game called so, of which this method of its rules takes long."""
    head = f"    def {method}(self, position, move):\n"
    assert head in GUESSING
    text = GUESSING.replace(head, f"{head}        time.sleep({SLOW_S})\n").replace('"guessing"', f'"{name}"')
    return text.replace("from gateway.games.base", "import time\n\nfrom gateway.games.base", 1)


@pytest.fixture
def slow_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two games more: ``thinking`` is slow to judge a move, ``writing`` to write it down."""
    folder = tmp_path / "plug-ins"
    folder.mkdir()
    modules = {"thinking": slowly("thinking", "play"), "writing": slowly("writing", "notation")}
    lines = "".join(f"{name} = {name}:Guessing\n" for name in modules)
    install(folder, "slow-games", f"[boardgate.games]\n{lines}", **modules)
    monkeypatch.syspath_prepend(str(folder))
    registry.forget()
    yield
    registry.forget()


def log_of(running: RunningServer, event: str) -> dict[str, Any]:
    """The first line of this event, waiting for it."""
    patience = time.monotonic() + PATIENCE_S
    while True:
        lines = [json.loads(line) for line in running.log.read_text().splitlines(keepends=True) if line.endswith("\n")]
        for line in lines:
            if line["event"] == event:
                return dict(line)
        assert time.monotonic() < patience, f"no line says {event!r}"
        time.sleep(0.02)


def fattest(line: dict[str, Any]) -> str:
    """The stage of a slow move that took the longest; the stages are all that it took."""
    spent: dict[str, float] = {stage: line[f"{stage}_ms"] for stage in STAGES}
    assert sum(spent.values()) == pytest.approx(line["took_ms"], abs=0.5)
    return max(spent, key=lambda stage: spent[stage])


@pytest.mark.usefixtures("slow_games")
@pytest.mark.parametrize(("game", "stage"), [("thinking", "decided"), ("writing", "told")])
def test_slow_rules_are_seen_where_a_move_is_decided_and_slow_words_where_it_is_told(
    game: str, stage: str, tmp_path: Path
) -> None:
    with server(tmp_path / "data", "http", LOG_FORMAT="json", BOTS_WORKERS="0") as running:
        ann, bea = WebClient(running.ports[0]), WebClient(running.ports[0])
        for name, page in (("ann", ann), ("bea", bea)):
            page.hello()
            page.say("join", game=game, name=name)
            page.until("seated")
        ann.until("moves")
        ann.play(None, 0, "guess")
        bea.until("GameEnded")
        line = log_of(running, SLOW)
        ann.close()
        bea.close()
    assert (line["table"], line["seat"], line["dialect"]) == (ann.table, 0, "web")
    assert fattest(line) == stage
    assert line["took_ms"] > SLOW_S * 1000


def test_a_locked_database_is_seen_where_a_move_is_committed(tmp_path: Path) -> None:
    with (
        server(tmp_path, "bogaprot", LOG_FORMAT="json", BOTS_WORKERS="0") as running,
        Guest(running.ports[0]) as anna,
        Guest(running.ports[0]) as bert,
    ):
        anna.joins(GAME)
        bert.joins(GAME)
        other = sqlite3.connect(tmp_path / RECORD, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        anna.say("MSG_MOVE", -1, 4, "")
        waits = log_of(running, "a game waits for the record")
        other.execute("ROLLBACK")
        other.close()
        bert.hear("MSG_MOVE")
        line = log_of(running, SLOW)
    assert line["table"] == waits["table"]
    assert (line["seat"], line["dialect"], fattest(line)) == (0, "bogaprot", "committed")
    assert line["took_ms"] >= 1000
