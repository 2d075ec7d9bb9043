"""``boardgate prune`` deletes old games, reports their number, and refuses a wrong age."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.playing import record, run
from tests.store.old import everywhere, finished, kept, put


def test_it_deletes_and_says_how_many(tmp_path: Path) -> None:
    url = record(tmp_path)
    put(url, finished(1, 100), finished(2, 80), finished(3, 100), finished(4, 0))
    told = run("prune", "--older-than", "90d", "--dry-run", data=tmp_path)
    assert (told.exit_code, told.output) == (0, "2 finished games with 6 events are that old\n")
    assert kept(url) == everywhere(1, 2, 3, 4)
    done = run("prune", "--older-than", "90d", data=tmp_path)
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "2 finished games deleted")
    assert kept(url) == everywhere(2, 4)
    assert run("show", 1, data=tmp_path).exit_code == 1
    assert run("show", 2, data=tmp_path).exit_code == 0


@pytest.mark.parametrize("age", ["23h", "never", "90", "soon"])
def test_an_age_must_be_a_day_or_more(tmp_path: Path, age: str) -> None:
    record(tmp_path)
    assert run("prune", "--older-than", age, data=tmp_path).exit_code == 2


def test_without_an_age_nothing_is_deleted(tmp_path: Path) -> None:
    record(tmp_path)
    assert "--older-than" in run("prune", data=tmp_path).output


def test_without_a_database_it_says_so(tmp_path: Path) -> None:
    result = run("prune", "--older-than", "90d", data=tmp_path)
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert list(tmp_path.iterdir()) == []
