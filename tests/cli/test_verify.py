"""``boardgate verify`` over real records, sound ones and others."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import create_engine, text

from gateway.table.state import State
from protocols.core.model import Move
from tests.cli.playing import moves, play_out, record, run, store


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


def test_a_missing_event_is_found_and_named(tmp_path: Path) -> None:
    url = record(tmp_path)
    store(url, "tic_tac_toe", moves("a1", "b1"))
    change(url, "DELETE FROM events WHERE seq = 3")
    assert run("verify", 1, data=tmp_path).output.startswith("table 1: WRONG at event 3: event 4 where 3 is due")
