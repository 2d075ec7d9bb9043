"""``boardgate export``: the record, and the forms that a table's game is written in."""

from __future__ import annotations

import io
import json
from pathlib import Path

import chess.pgn
import pytest
from sqlalchemy import create_engine, text

from protocols.core.commands import PlayMove, Propose, Resign
from protocols.core.proposals import Rematch, Takeback
from tests.cli.playing import moves, record, run, store

MATED = moves("f3", "e5", "g4", "Qh4")


def exported(data: Path, form: str = "pgn") -> str:
    result = run("export", 1, "--format", form, data=data)
    assert result.exit_code == 0, result.output
    return result.output


def games(written: str) -> list[chess.pgn.Game]:
    stream, found = io.StringIO(written), []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert game.errors == []
        found.append(game)
    return found


def test_the_record_is_one_json_object_an_event_in_order(tmp_path: Path) -> None:
    store(record(tmp_path), "chess", MATED)
    lines = [json.loads(line) for line in exported(tmp_path, "ndjson").splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    moves_made = [line["body"]["move"] for line in lines if line["kind"] == "MoveMade"]
    assert [(move["source"], move["target"]) for move in moves_made] == [(53, 45), (12, 28), (54, 38), (3, 39)]


def test_chess_is_written_as_pgn(tmp_path: Path) -> None:
    store(record(tmp_path), "chess", MATED)
    (game,) = games(exported(tmp_path))
    assert game.headers["White"] == "Alice"
    assert game.headers["Black"] == "Bob"
    assert game.headers["Date"] == "2026.02.02"
    assert game.headers["Event"] == "Table 1"
    assert game.headers["Site"] == "Boardgate"
    assert game.headers["Result"] == "0-1"
    assert [move.uci() for move in game.mainline_moves()] == ["f2f3", "e7e5", "g2g4", "d8h4"]


def test_every_game_of_the_table_is_written_a_blank_line_between_two(tmp_path: Path) -> None:
    again = [(seat, Propose(Rematch())) for seat in (0, 1)]
    store(record(tmp_path), "chess", [*MATED, *again, (0, PlayMove(text="e4")), (1, Resign())])
    written = exported(tmp_path)
    first, second = games(written)
    assert (first.headers["Round"], first.headers["Result"]) == ("1", "0-1")
    assert (second.headers["Round"], second.headers["Result"]) == ("2", "1-0")
    assert "{Black mates} 0-1\n\n[Event " in written
    assert written.endswith("1. e4 {Black resigns} 1-0\n")


def test_moves_taken_back_are_not_written(tmp_path: Path) -> None:
    takeback = [(seat, Propose(Takeback(1))) for seat in (0, 1)]
    store(record(tmp_path), "chess", [*moves("e4", "e5"), *takeback, (1, PlayMove(text="c5"))])
    assert exported(tmp_path).endswith("\n\n1. e4 c5 *\n")


def test_a_table_where_nothing_was_played_is_written_as_nothing(tmp_path: Path) -> None:
    store(record(tmp_path), "chess")
    assert exported(tmp_path) == ""


@pytest.mark.parametrize(
    ("game", "form", "says"),
    [
        ("tic_tac_toe", "pgn", "Tic-Tac-Toe is not written as 'pgn'; it has ndjson"),
        ("chess", "sgf", "Chess is not written as 'sgf'; it has ndjson, pgn"),
    ],
)
def test_a_form_that_the_game_does_not_have_is_named(tmp_path: Path, game: str, form: str, says: str) -> None:
    store(record(tmp_path), game)
    result = run("export", 1, "--format", form, data=tmp_path)
    assert (result.exit_code, says in result.output) == (2, True)


def test_a_record_that_makes_no_sense_is_sent_to_verify(tmp_path: Path) -> None:
    url = record(tmp_path)
    store(url, "chess", MATED)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE events SET body = '{}' WHERE kind = 'GameStarted'"))
    engine.dispose()
    result = run("export", 1, "--format", "pgn", data=tmp_path)
    assert (result.exit_code, "see boardgate verify 1" in result.output) == (1, True)
    listed = run("tables", data=tmp_path)
    assert (listed.exit_code, "chess" in listed.output) == (0, True), "one bad record hides no list"
