"""``boardgate ratings annul``: a finished game counts for nobody, with who and why, and as before when it is undone."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.cli import main
from gateway.store.acts import ActLog
from gateway.store.results import Results
from tests.running import made_record
from tests.store.old import put
from tests.store.results import result
from tests.store.steps import opening


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = made_record(tmp_path / "boardgate.db")
    ended = opening(7, "over")
    ended.results = (result(7), result(7, 2))
    put(url, ended)
    return url


def annul(url: str, *arguments: str) -> Result:
    return CliRunner().invoke(
        main, ["ratings", "annul", *arguments, "--data", str(Path(url.removeprefix("sqlite:///")).parent)]
    )


def test_a_game_is_annulled_and_counts_again(url: str) -> None:
    said = annul(url, "7/2", "--reason", "an engine played")
    assert (said.exit_code, said.stdout) == (0, "game 2 of table 7: annulled\n")
    with closing(Results(url)) as stored:
        assert [game.annulled_at is None for game in stored.of_table(7)] == [True, False]
        assert annul(url, "7/2", "--undo").stdout == "game 2 of table 7: counts as before\n"
        assert stored.of_table(7) == [result(7), result(7, 2)]
    with closing(ActLog(url)) as log:
        first, second = log.acts("result")
    assert (first.act, first.object, json.loads(first.detail)) == (
        "result.annulled",
        "table 7/2",
        {"reason": "an engine played"},
    )
    assert (second.act, second.by) == ("result.unannulled", first.by)


def test_a_table_alone_means_its_first_game(url: str) -> None:
    assert annul(url, "7", "--reason", "an engine played").stdout == "game 1 of table 7: annulled\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["7"], "1 to 200 printable characters"),
        (["7", "--reason", "a\nb"], "1 to 200 printable characters"),
        (["7", "--reason", "a" * 201], "1 to 200 printable characters"),
        (["7/0", "--reason", "a"], "write the table's number"),
        (["seven", "--reason", "a"], "write the table's number"),
        (["8", "--reason", "a"], "there is no finished game 1 of table 8"),
        (["7", "--undo"], "game 1 of table 7 is not annulled"),
    ],
)
def test_what_cannot_be_annulled_is_said(url: str, arguments: list[str], said: str) -> None:
    result = annul(url, *arguments)
    assert result.exit_code != 0
    assert said in result.output
