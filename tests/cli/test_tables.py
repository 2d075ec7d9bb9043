"""``boardgate tables`` and ``show`` over a real record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from protocols.core.commands import Command, Join, Leave, PlayMove, Propose, Resign
from protocols.core.events import MovesTakenBack
from protocols.core.proposals import Takeback
from tests.cli.playing import JOINS, moves, record, run, store

WON = moves("a1", "b1", "a2", "b2", "a3")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A record of three tables of tic-tac-toe: one over, one playing, one open."""
    url = record(tmp_path)
    store(url, "tic_tac_toe", WON, table=1)
    store(url, "tic_tac_toe", moves("a1", "b2"), table=2)
    store(url, "tic_tac_toe", JOINS[:1], table=3)
    return tmp_path


def test_tables_are_listed_newest_first_with_who_sits_there(data: Path) -> None:
    lines = [line.split() for line in run("tables", data=data).output.splitlines() if "tic_tac_toe" in line]
    assert [(line[0], line[1]) for line in lines] == [("3", "open"), ("2", "playing"), ("1", "over")]
    assert lines[0][4:6] == ["Alice,", "open"]
    assert lines[1][4:8] == ["Alice,", "Bob", "2026-02-02", "02:40"]


def test_tables_can_be_narrowed_by_state_game_and_number(data: Path) -> None:
    def ids(*options: str) -> list[int]:
        return [row["table"] for row in json.loads(run("tables", "--json", *options, data=data).output)]

    assert ids("--state", "playing") == [2]
    assert ids("--game", "Tic-Tac-Toe") == [3, 2, 1]
    assert ids("--game", "ludo") == []
    assert ids("--limit", "2") == [3, 2]


def test_an_empty_list_is_said_in_words(data: Path) -> None:
    assert run("tables", "--game", "ludo", data=data).output == "no tables\n"


def test_tables_for_programs_say_everything_in_json(data: Path) -> None:
    (row,) = json.loads(run("tables", "--json", "--state", "open", data=data).output)
    assert row == {
        "table": 3,
        "state": "open",
        "game": "tic_tac_toe",
        "variant": "standard",
        "opened_at": "2026-02-02T02:40:00.250000Z",
        "events": row["events"],
        "private": False,
        "time": "none",
        "rated": False,
        "options": {},
        "seats": [{"seat": 0, "kind": "player", "name": "Alice"}, {"seat": 1, "kind": "open", "name": ""}],
    }


def test_show_draws_the_board_the_moves_and_whose_turn_it_is(data: Path) -> None:
    shown = run("show", 2, data=data).output
    assert shown.startswith("table 2  Tic-Tac-Toe (standard)  playing\n")
    assert "  x          Alice  to move\n  o          Bob\n" in shown
    assert "\n...\n.o.\nx..\n" in shown
    assert "1. a1  2. b2" in shown


def test_show_says_how_a_game_ended(data: Path) -> None:
    shown = run("show", 1, data=data).output
    assert "x wins (rules, three in a row)" in shown
    assert "to move" not in shown


def test_show_of_a_table_that_waits_has_no_board(data: Path) -> None:
    shown = run("show", 3, data=data).output
    assert shown.splitlines() == ["table 3  Tic-Tac-Toe (standard)  open", "  x          Alice", "  o          open"]


def test_show_for_programs_has_position_turn_moves_and_outcome(data: Path) -> None:
    playing, over, waiting = (json.loads(run("show", "--json", table, data=data).output) for table in (2, 1, 3))
    assert (playing["position"], playing["turn"], playing["outcome"]) == (".../.o./x.. 0", 0, None)
    assert playing["moves"] == [
        {"seat": 0, "move": {"source": None, "target": 6, "piece": "x"}, "notation": "a1"},
        {"seat": 1, "move": {"source": None, "target": 4, "piece": "o"}, "notation": "b2"},
    ]
    assert over["outcome"] == {"winner": 0, "reason": "rules", "detail": "three in a row"}
    assert (waiting["position"], waiting["diagram"], waiting["moves"]) == (None, None, [])


def test_moves_taken_back_are_not_shown(tmp_path: Path) -> None:
    takeback = [(seat, Propose(Takeback(1))) for seat in (0, 1)]
    asked = [*moves("a1", "b2"), *takeback, (1, PlayMove(text="c3"))]
    store(record(tmp_path), "tic_tac_toe", asked)
    shown = json.loads(run("show", "--json", 1, data=tmp_path).output)
    assert [made["notation"] for made in shown["moves"]] == ["a1", "c3"]
    assert MovesTakenBack.__name__ in run("export", 1, data=tmp_path).output


def test_a_resignation_is_shown_as_one(tmp_path: Path) -> None:
    store(record(tmp_path), "tic_tac_toe", [*moves("a1"), (1, Resign())])
    assert "x wins (resignation)" in run("show", 1, data=tmp_path).output


def test_a_game_that_is_over_still_shows_who_played_it(tmp_path: Path) -> None:
    leaves: tuple[int | None, Command] = (0, Leave(lost=True))
    store(record(tmp_path), "tic_tac_toe", [*WON, leaves])
    assert "  x          Alice (has left)\n  o          Bob\n" in run("show", 1, data=tmp_path).output
    shown = json.loads(run("show", "--json", 1, data=tmp_path).output)
    assert (shown["players"], shown["seats"][0]["kind"]) == (["Alice", "Bob"], "open")


def test_names_cannot_colour_or_move_the_terminal(tmp_path: Path) -> None:
    store(record(tmp_path), "tic_tac_toe", [(None, Join("", "[red]\x1b[2J\r", ready=True))])
    for command in (["tables"], ["show", 1]):
        shown = run(*command, data=tmp_path).output
        assert "[red]\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}" in shown
        assert "\x1b" not in shown


@pytest.mark.parametrize("command", ["show", "export", "verify"])
def test_a_table_that_is_not_there_is_one_line(data: Path, command: str) -> None:
    result = run(command, 99, data=data)
    assert (result.exit_code, result.output) == (1, "Error: there is no table 99; boardgate tables lists them\n")


@pytest.mark.parametrize(
    "command",
    [
        ["tables"],
        ["show", 1],
        ["export", 1],
        ["verify", 1],
        ["account", "add", "anna", "--password-stdin"],
        ["ban", "list"],
        ["log"],
        ["prune", "--older-than", "90d"],
    ],
)
def test_where_nothing_was_ever_played_nothing_is_created(tmp_path: Path, command: list[str | int]) -> None:
    result = run(*command, data=tmp_path / "none")
    assert result.exit_code == 1
    assert f"there is no database at {tmp_path}/none/boardgate.db: say where the server's is" in result.output
    assert not (tmp_path / "none").exists()


def test_a_record_that_makes_no_sense_is_sent_to_verify(data: Path) -> None:
    engine = create_engine(f"sqlite:///{data}/boardgate.db")
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM events WHERE table_id = 1 AND seq = 1"))
    engine.dispose()
    result = run("show", 1, data=data)
    assert (result.exit_code, "see boardgate verify 1" in result.output) == (1, True)
