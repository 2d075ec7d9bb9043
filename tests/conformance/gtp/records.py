"""Reads the record of a table by the host's commands: export, verify."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner

from gateway.cli import main
from gateway.store.views import Views
from tests.conformance.gtp import counting

PATIENCE_S: Final = 20.0


@dataclass(frozen=True, slots=True)
class Record:
    """One table of a server's data; ``number`` is the table's."""

    data: Path
    number: int

    def _run(self, *words: str) -> str:
        done = CliRunner().invoke(main, [words[0], str(self.number), *words[1:], "--data", str(self.data)])
        assert done.exit_code == 0, done.output
        return done.output

    @property
    def sgf(self) -> str:
        return self._run("export", "--format", "sgf")

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._run("export").splitlines()]

    @property
    def text(self) -> str:
        """All events as one text, to look for a word in."""
        return self._run("export")

    def is_whole(self) -> bool:
        return "the record is whole" in self._run("verify")

    def proves_its_result(self) -> counting.Game:
        """The chain is whole, and an independent count of the final position gives the recorded result."""
        assert self.is_whole()
        game = counting.read(self.sgf)
        assert game.count() == game.result
        return game


def newest(data: Path) -> Record:
    """The table opened last of those where a game has begun."""
    records = (Record(data, number) for number in tables(data))
    return next(record for record in records if '"GameStarted"' in record.text)


def tables(data: Path) -> list[int]:
    """Those of Go, the newest first."""
    views = Views(f"sqlite:///{data / 'boardgate.db'}")
    try:
        return [row.table for row in views.tables(limit=100) if row.game == "go"]
    finally:
        views.close()


def until_nobody_waits(data: Path) -> None:
    """Wait until no table of Go is open."""
    _until(data, "open", lambda tables: tables == 0, "somebody still waits")


def until_playing(data: Path, count: int) -> None:
    """Wait until so many games of Go are going on."""
    _until(data, "playing", lambda tables: tables == count, f"there never were {count} games")


def _until(data: Path, state: str, enough: Callable[[int], bool], otherwise: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    views = Views(f"sqlite:///{data / 'boardgate.db'}")
    try:
        while not enough(len(views.tables(state=state, game="go"))):
            assert time.monotonic() < deadline, otherwise
            time.sleep(0.02)
    finally:
        views.close()


def until(record: Record, word: str) -> str:
    """Wait until the record has this word; the record then."""
    deadline = time.monotonic() + PATIENCE_S
    while word not in (text := record.text):
        assert time.monotonic() < deadline, f"the record never says {word!r}: {text[-3000:]}"
        time.sleep(0.05)
    return text
