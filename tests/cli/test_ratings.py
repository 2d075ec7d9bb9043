"""``boardgate ratings annul``: a finished game counts for nobody, with who and why, and as before when it is undone."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.cli import main
from gateway.store.acts import ActLog
from gateway.store.ratings import SqlRatings
from gateway.store.records import Append, TableRow
from gateway.store.results import Results
from tests.running import made_record
from tests.store.games import TABLE, Played, rows
from tests.store.old import put
from tests.store.results import result
from tests.store.steps import AT, SECRET, opening


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


def test_backfill_writes_what_lacks_and_no_more(tmp_path: Path) -> None:
    """The game is of a record without rows of results, as a version before has left it."""
    url = made_record(tmp_path / "boardgate.db")
    table = Played("tic_tac_toe", rated=True)
    table.play("a3", "a2", "b3", "b2", "c3")
    row = TableRow(TABLE, 1, "over", "tic_tac_toe", "standard", SECRET, AT)
    put(url, Append(TABLE, 1, 0, tuple(rows(table.events)), opened=row))
    arguments = ["ratings", "backfill", "--data", str(tmp_path)]
    assert [CliRunner().invoke(main, arguments).stdout for _ in range(2)] == ["1 game written\n", "0 games written\n"]
    with closing(Results(url)) as stored:
        (found,) = stored.of_table(TABLE)
    assert (found.rated, found.places, found.plies, found.why) == (True, (1, 2), 5, "")


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


def ask(url: str, *arguments: str) -> Result:
    data = str(Path(url.removeprefix("sqlite:///")).parent)
    return CliRunner().invoke(main, ["ratings", *arguments, "--data", data])


def test_ratings_are_made_and_shown(url: str) -> None:
    assert ask(url, "show").exit_code == 0
    with closing(SqlRatings(url)) as ratings:
        ratings.rebuild(None, 1.0, lambda done, of: None, lambda: None)
        assert ratings.count(None) == 2
    assert ["chess/normal", "2"] in [line.split()[:2] for line in ask(url, "show").stdout.splitlines()]
    best = ask(url, "show", "chess/normal").stdout
    assert [line.split()[:2] for line in best.splitlines() if "?" in line] == [["anna", "1741?"], ["bert", "1259?"]]
    assert ask(url, "rebuild").stdout == "version 2 is current: 2 results\n"
    assert ask(url, "show", "chess/normal").stdout == best


def test_the_games_of_a_player_say_what_they_changed_or_why_not(url: str) -> None:
    with closing(SqlRatings(url)) as ratings:
        ratings.rebuild(None, 1.0, lambda done, of: None, lambda: None)
        ratings.count(None)
    lines = ask(url, "show", "--player", "Anna").stdout
    assert "7/1" in lines
    assert "does not count: the same player won by the same first moves a short while ago" in lines
    assert ask(url, "show", "--flags").exit_code == 0


def test_an_engine_is_pinned_shown_and_unpinned_with_who_did_it(url: str) -> None:
    engine = "GNU Go 3.8 level 10"
    assert ask(url, "pin", "go/9/mixed", engine, "1500").stdout == f"{engine} in go/9/mixed: pinned to 1500\n"
    assert f"{engine}" in ask(url, "pin").stdout
    assert ask(url, "pin", "go/9/mixed", engine).exit_code == 2
    assert ask(url, "pin", "go/9/mixed", "another", "--remove").exit_code == 2
    assert ask(url, "pin", "go/9/mixed", engine, "--remove").stdout == f"{engine} in go/9/mixed: not pinned any more\n"
    with closing(ActLog(url)) as log:
        assert [(act.act, act.object) for act in log.acts("rating")] == [
            ("rating.pinned", f"{engine} in go/9/mixed"),
            ("rating.unpinned", f"{engine} in go/9/mixed"),
        ]
