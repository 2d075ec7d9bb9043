"""``boardgate verify`` over real records, sound ones and others."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from gateway.table.state import State
from protocols.core.model import Move
from tests.cli.playing import moves, play_out, record, run, store
from tests.terminals import terminal


def first_legal(state: State) -> Move:
    return state.game.legal_moves(state.position)[0]


def change(url: str, statement: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_a_sound_record_is_whole(tmp_path: Path) -> None:
    store(record(tmp_path), "tic_tac_toe", moves("a1", "b1", "a2", "b2", "a3"))
    result = run("verify", 1, data=tmp_path)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "table 1: the record is whole"
    assert lines[2] == "  1 game, 5 moves, all by the rules"
    assert len(lines) == 3


def test_the_last_digest_is_the_one_export_shows(tmp_path: Path) -> None:
    store(record(tmp_path), "tic_tac_toe", moves("a1"))
    last = json.loads(run("export", 1, data=tmp_path).output.splitlines()[-1])
    assert json.loads(run("verify", 1, "--json", data=tmp_path).output)["digest"] == last["digest"]


def test_the_dice_of_a_finished_game_are_proved(tmp_path: Path) -> None:
    play_out(record(tmp_path), "ludo", first_legal)
    report = json.loads(run("verify", 1, "--json", data=tmp_path).output)
    assert report["sound"] is True
    assert report["rolls_proved"] == report["rolls"] > 50
    assert f"{report['rolls']} of {report['rolls']} rolls proved" in run("verify", 1, data=tmp_path).output


def test_the_dice_of_a_running_game_are_not_yet_provable(tmp_path: Path) -> None:
    store(record(tmp_path), "ludo", moves())
    result = run("verify", 1, data=tmp_path)
    assert result.exit_code == 0, result.output
    assert "not yet provable: a game's secret is revealed at its end" in result.output


def test_a_changed_event_is_found_and_named(tmp_path: Path) -> None:
    url = record(tmp_path)
    store(url, "tic_tac_toe", moves("a1", "b1"))
    change(url, "UPDATE events SET body = replace(body, 'Alice', 'Mallo') WHERE seq = 2")
    result = run("verify", 1, data=tmp_path)
    assert result.exit_code == 1
    assert result.output.startswith("table 1: WRONG at event 2: digest ")
    report = json.loads(run("verify", 1, "--json", data=tmp_path).output)
    assert (report["sound"], report["defect"]["seq"], report["events"]) == (False, 2, 1)


LIES = [
    ("UPDATE tables SET last_seq = 13", "event 13: is missing: the table's row counts 13 events"),
    ("DELETE FROM events WHERE seq = 12", "event 12: is missing: the table's row counts 12 events"),
    ("DELETE FROM events", "event 1: is missing: the table's row counts 12 events"),
    ("DELETE FROM events; UPDATE tables SET last_seq = 0", "event 1: is missing: the table's row counts 0 events"),
    ("UPDATE tables SET status = 'over'", "event 12: the table's row says over, its record playing"),
    ("UPDATE tables SET game = 'ludo'", "game of the table's row ('ludo', 'standard'); it must be"),
    (
        "UPDATE seats SET name = 'Mallory' WHERE seat = 1",
        "the seats' rows say player Alice, player Mallory, the record",
    ),
    ("UPDATE seats SET kind = 1 WHERE seat = 1", "the seats' rows say player Alice, open Bob, the record"),
    ("DELETE FROM seats", "the seats' rows say nothing, the record player Alice, player Bob"),
]


@pytest.mark.parametrize(("lie", "said"), LIES)
def test_a_record_is_held_against_the_rows_of_its_table(tmp_path: Path, lie: str, said: str) -> None:
    url = record(tmp_path)
    store(url, "tic_tac_toe", moves("a1", "b1"))
    assert run("verify", 1, data=tmp_path).exit_code == 0
    for statement in lie.split("; "):
        change(url, statement)
    result = run("verify", 1, data=tmp_path)
    assert (result.exit_code, said in result.output) == (1, True), result.output


def test_the_secret_of_a_running_game_is_the_committed_one(tmp_path: Path) -> None:
    url = record(tmp_path)
    store(url, "ludo", moves())
    change(url, "UPDATE tables SET secret = x'00'")
    result = run("verify", 1, data=tmp_path)
    assert result.exit_code == 1
    assert "the secret of the table's row is not the one that was committed to" in result.output


def three(data: Path) -> str:
    """Tables 1 to 3: a running game, a finished one with dice, a running one; the database's URL."""
    url = record(data)
    store(url, "tic_tac_toe", moves("a1", "b1"), table=1)
    play_out(url, "ludo", first_legal, table=2)
    store(url, "checkers", moves("11-15"), table=3)
    return url


def test_all_records_are_proved_at_once(tmp_path: Path) -> None:
    three(tmp_path)
    result = run("verify", "--all", data=tmp_path)
    assert result.exit_code == 0, result.output
    first, *more = result.output.splitlines()
    assert first.startswith("3 records, all whole: ")
    assert "3 games" in first
    assert more[0].endswith("rolls proved to be what was committed to before the game")
    counted = json.loads(run("verify", "--all", "--json", data=tmp_path).output)
    assert (counted["sound"], counted["tables"], counted["wrong"]) == (True, 3, [])


def test_of_all_records_each_wrong_one_is_named(tmp_path: Path) -> None:
    change(three(tmp_path), "UPDATE events SET at = at + 1 WHERE table_id <> 2 AND seq = 3")
    result = run("verify", "--all", data=tmp_path)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert [line.partition(": digest")[0] for line in lines[:2]] == [f"table {n}: WRONG at event 3" for n in (1, 3)]
    assert lines[2].startswith("3 records, 2 of them WRONG: ")
    told = json.loads(run("verify", "--all", "--json", data=tmp_path).output)
    assert [(one["table"], one["seq"]) for one in told["wrong"]] == [(1, 3), (3, 3)]


def test_on_a_terminal_a_bar_shows_how_far_it_is(tmp_path: Path) -> None:
    three(tmp_path)
    command = [sys.executable, "-m", "gateway.cli", "verify", "--all", "--data", str(tmp_path)]
    with terminal(command, {**os.environ, "TERM": "xterm"}) as host:
        assert host.status() == 0, host.shown
    assert b"3/3" in host.shown
    assert b"3 records, all whole" in host.shown


def test_an_anchor_proves_that_a_record_has_lost_nothing_of_its_end(tmp_path: Path) -> None:
    """ "so that a host can prove the end of a record against yesterday's" """
    data, anchors = tmp_path / "data", tmp_path / "anchors"
    url = three(data)
    noted = run("verify", "--all", "--anchors", anchors, data=data)
    assert (noted.exit_code, noted.output.splitlines()[-1]) == (0, f"{anchors}: noted the ends of 3 records")
    before = anchors.read_text()
    lines = [json.loads(line) for line in before.splitlines()]
    last = json.loads(run("export", 1, data=data).output.splitlines()[-1])
    assert (lines[0]["table"], lines[0]["seq"], lines[0]["digest"]) == (1, last["seq"], last["digest"])

    change(url, f"DELETE FROM events WHERE table_id = 1 AND seq = {last['seq']}")
    change(url, "UPDATE tables SET last_seq = last_seq - 1 WHERE id = 1")
    assert run("verify", "--all", data=data).exit_code == 0  # by itself it is a whole record of a shorter past
    result = run("verify", "--all", "--anchors", anchors, data=data)
    assert result.exit_code == 1
    assert f"table 1: WRONG at event {last['seq']}: is missing: the anchor is event {last['seq']}" in result.output
    assert run("verify", 1, "--anchors", anchors, data=data).exit_code == 1
    assert anchors.read_text() == before


def test_an_anchor_proves_that_a_record_was_not_made_anew(tmp_path: Path) -> None:
    data, anchors = tmp_path / "data", tmp_path / "anchors"
    store(record(data), "tic_tac_toe", moves("a1", "b1"))
    assert run("verify", 1, "--anchors", anchors, data=data).exit_code == 0
    other = tmp_path / "other"
    store(record(other), "tic_tac_toe", moves("a1", "c1", "a2"))
    assert run("verify", 1, data=other).exit_code == 0
    result = run("verify", 1, "--anchors", anchors, data=other)
    assert result.exit_code == 1
    assert "but the anchor has " in result.output


def test_records_that_went_on_are_noted_anew(tmp_path: Path) -> None:
    data, anchors = tmp_path / "data", tmp_path / "anchors"
    store(record(data), "tic_tac_toe", moves("a1", "b1"))
    run("verify", 1, "--anchors", anchors, data=data)
    shorter = json.loads(anchors.read_text())["seq"]
    longer = tmp_path / "longer"
    store(record(longer), "tic_tac_toe", moves("a1", "b1", "a2"))
    assert run("verify", "--all", "--anchors", anchors, data=longer).exit_code == 0
    assert json.loads(anchors.read_text())["seq"] > shorter


def test_a_table_that_is_gone_needs_a_deletion_in_the_log(tmp_path: Path) -> None:
    data, anchors = tmp_path / "data", tmp_path / "anchors"
    url = three(data)
    assert run("verify", "--all", "--anchors", anchors, data=data).exit_code == 0
    before = anchors.read_text()
    assert run("prune", "--older-than", "1d", data=data).exit_code == 0
    result = run("verify", "--all", "--anchors", anchors, data=data)
    assert result.exit_code == 0, result.output
    assert "  1 table of the anchors deleted since, as boardgate log says" in result.output
    assert [json.loads(line)["table"] for line in anchors.read_text().splitlines()] == [1, 3]

    anchors.write_text(before)
    change(url, "DELETE FROM acts")
    result = run("verify", "--all", "--anchors", anchors, data=data)
    assert result.exit_code == 1
    assert "table 2: WRONG at event 1: is missing: the anchor is event " in result.output


@pytest.mark.parametrize("text", ["12", '{"table": 1}', '{"table":1,"seq":1,"digest":"zz","at":0.0}'])
def test_a_file_without_anchors_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    three(tmp_path / "data")
    file = tmp_path / "notes"
    file.write_text(text)
    result = run("verify", "--all", "--anchors", file, data=tmp_path / "data")
    assert (result.exit_code, "notes, line 1: " in result.output) == (1, True)
    assert file.read_text() == text


@pytest.mark.parametrize("words", [(), (1, "--all")])
def test_one_table_or_all_of_them_are_named(tmp_path: Path, words: tuple[object, ...]) -> None:
    three(tmp_path)
    result = run("verify", *map(str, words), data=tmp_path)
    assert (result.exit_code, "name a table, or say --all" in result.output) == (2, True)


def test_a_missing_event_is_found_and_named(tmp_path: Path) -> None:
    url = record(tmp_path)
    store(url, "tic_tac_toe", moves("a1", "b1"))
    change(url, "DELETE FROM events WHERE seq = 3")
    assert run("verify", 1, data=tmp_path).output.startswith("table 1: WRONG at event 3: event 4 where 3 is due")
