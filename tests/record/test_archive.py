"""All data of an account in one file: its games in every form, what it said, and of others their names alone."""

from __future__ import annotations

import gc
import io
import json
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import chess.pgn
import pytest
from sqlalchemy import create_engine, text

from gateway.record import archive
from gateway.record.archive import Archives, Spoken
from gateway.store import codec
from gateway.store.accounts import SqlAccounts
from gateway.store.former import PublicViews
from gateway.store.guest_seats import GuestTicket
from gateway.store.log import SqlLog
from gateway.store.personal import PersonalRows
from gateway.store.records import Append, SeatRow, TableRow
from gateway.store.scores import Scores
from gateway.web.profiles import Profiles
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.model import SeatKind
from protocols.core.proposals import Rematch
from tests.cli.playing import moves, record, store
from tests.store.conftest import Desk
from tests.store.games import rows
from tests.store.steps import AT, SECRET

MATED = moves("f3", "e5", "g4", "Qh4")
REMATCH = [(seat, cmd.Propose(Rematch())) for seat in (0, 1)]


@contextmanager
def archives(url: str) -> Iterator[Archives]:
    with closing(PersonalRows(url)) as found, closing(PublicViews(url)) as views:
        yield Archives(found, views, "Boardgate")


def registered(url: str, *names: str) -> None:
    """Accounts that are older than every game of these tests."""
    with closing(SqlAccounts(url)) as accounts:
        for name in names:
            accounts.add(name, "hash-of-a-password", "host")
    changed(url, "UPDATE accounts SET created_at = 1.5")


def changed(url: str, statement: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def downloaded(url: str, name: str) -> dict[str, str]:
    """The files of the archive."""
    with archives(url) as made:
        pieces = made.of(name, time.time())
        assert pieces is not None
        packed = ZipFile(io.BytesIO(b"".join(pieces)))
    assert packed.testzip() is None
    return {entry: packed.read(entry).decode() for entry in packed.namelist()}


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def games(written: str) -> list[chess.pgn.Game]:
    stream, found = io.StringIO(written), []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert game.errors == []
        found.append(game)
    return found


def test_every_game_is_there_in_json_and_in_its_own_form_and_the_numbers_are_the_profiles(tmp_path: Path) -> None:
    url = record(tmp_path)
    registered(url, "Alice", "Carol")
    store(url, "chess", [*MATED, *REMATCH, (0, cmd.PlayMove(text="e4")), (1, cmd.Resign())])
    store(url, "go", [*moves("A1", "B2"), (0, cmd.Resign())], table=2)
    store(url, "checkers", [*moves("11-15"), (1, cmd.Resign())], table=3)
    store(url, "tic_tac_toe", [*moves("a3"), (1, cmd.Resign())], table=4)
    store(url, "chess", moves("e4"), table=5)
    files = downloaded(url, "ALICE")
    assert list(files) == [
        *("account.json", "notices.ndjson", "games.ndjson"),
        *("games/checkers.pdn", "games/chess.pgn", "games/go.sgf"),
    ]
    found = lines(files["games.ndjson"])
    assert list(dict.fromkeys(line["table"] for line in found)) == [5, 4, 3, 2, 1]
    results = [game.headers["Result"] for game in games(files["games/chess.pgn"])]
    assert results == ["*", "0-1", "1-0"]
    assert files["games/go.sgf"].count("(;") == 1
    assert files["games/checkers.pdn"].count("[Result ") == 1

    with closing(SqlAccounts(url)) as accounts, closing(PublicViews(url)) as views, closing(Scores(url)) as kept:
        profile = Profiles(accounts, views, kept).profile("Alice", 1.5, own=True)
    counted = sum(score.won + score.lost + score.drawn for score in profile.scores)
    assert counted == sum(line["kind"] == "GameEnded" for line in found) == 5
    account = json.loads(files["account.json"])
    assert (account["name"], account["server"]) == ("Alice", "Boardgate")
    assert "password" not in files["account.json"].replace("account.password", "")
    assert downloaded(url, "carol")["games.ndjson"] == ""
    with archives(url) as made:
        assert made.of("nobody", 0.0) is None


def test_own_words_are_there_and_those_of_others_are_not(tmp_path: Path) -> None:
    """By the seat, which turns; a spectator of the name is the account, too."""
    url = record(tmp_path)
    registered(url, "Alice")
    said = [(0, cmd.Say("all", "mine at first")), (1, cmd.Say("all", "theirs at first"))]
    turned = [(0, cmd.Say("all", "theirs now")), (1, cmd.Say("all", "mine now"))]
    store(url, "chess", [*MATED, *said, *REMATCH, (0, cmd.PlayMove(text="e4")), *turned])
    found = [line for line in lines(downloaded(url, "alice")["games.ndjson"]) if line["kind"] == "Said"]
    assert [line.get("body", {}).get("text") for line in found] == ["mine at first", None, None, "mine now"]


@pytest.mark.parametrize(
    ("before", "said", "heard"),
    [
        ([ev.SeatTaken(0, SeatKind.PLAYER, "ANNA")], ev.Said(0, "all", "x"), True),
        ([ev.SeatTaken(0, SeatKind.BOT, "anna")], ev.Said(0, "all", "x"), False),
        ([ev.SeatTaken(0, SeatKind.PLAYER, "bert")], ev.Said(0, "all", "x"), False),
        ([], ev.Said(0, "all", "x"), False),
        ([], ev.Said(None, "all", "x", "Anna"), True),
        ([], ev.Said(None, "all", "x", ""), False),
        ([ev.SeatTaken(0, SeatKind.PLAYER, "anna"), ev.SeatsTurned(1)], ev.Said(0, "all", "x"), True),
        (
            [ev.SeatTaken(0, SeatKind.PLAYER, "anna"), ev.SeatTaken(1, SeatKind.PLAYER, "b"), ev.SeatsTurned(1)],
            ev.Said(1, "all", "x"),
            True,
        ),
    ],
)
def test_whose_words_they_are_is_known_by_who_sat_there(before: list[ev.Event], said: ev.Said, heard: bool) -> None:
    spoken = Spoken("Anna", 0.0)
    assert [spoken(row) for row in rows([*before, said])] == [*[True] * len(before), heard]
    late = Spoken("Anna", 9e9)
    assert [late(row) for row in rows([*before, said])] == [*[True] * len(before), False]


def test_a_guest_of_the_name_was_somebody_else_and_a_kept_seat_is_ones_own(tmp_path: Path) -> None:
    url = record(tmp_path)
    store(url, "chess", [*MATED, (0, cmd.Say("all", "as a guest"))])
    store(url, "go", [*moves("A1"), (1, cmd.Resign())], table=2)
    with closing(SqlAccounts(url)) as accounts:
        accounts.add("Alice", "hash", "host")
        accounts.add("Zoe", "hash", "host")
        changed(url, "INSERT INTO tickets (table_id, digest, seat) VALUES (1, x'aa', 0)")
        accounts.keep_seats("Zoe", [GuestTicket(1, b"\xaa")], time.time())
    assert downloaded(url, "alice")["games.ndjson"] == ""
    files = downloaded(url, "zoe")
    assert len(games(files["games/chess.pgn"])) == 1
    assert "as a guest" in files["games.ndjson"]
    assert [seat["table"] for seat in json.loads(files["account.json"])["seats_kept_from_guest"]] == [1]


def test_a_deleted_opponent_has_no_name_and_a_damaged_game_is_left_out_of_its_form_alone(tmp_path: Path) -> None:
    url = record(tmp_path)
    registered(url, "Alice", "Bob")
    store(url, "chess", MATED)
    store(url, "chess", [*moves("e4"), (1, cmd.Resign())], table=2)
    with closing(SqlAccounts(url)) as accounts:
        accounts.delete("bob", "bob")
    changed(url, "UPDATE events SET body = replace(body, '53', '9999') WHERE table_id = 1 AND kind = 'MoveMade'")
    files = downloaded(url, "alice")
    (game,) = games(files["games/chess.pgn"])
    assert (game.headers["White"], game.headers["Black"]) == ("Alice", "former player")
    assert {line["table"] for line in lines(files["games.ndjson"])} == {1, 2}
    assert "Bob" not in "".join(files.values())


def test_the_memory_does_not_grow_with_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One reading of tables and one piece of the file are held at a time."""
    monkeypatch.setattr(archive, "PAGE", 5)
    url = record(tmp_path)
    registered(url, "Alice")
    store(url, "chess", MATED)
    with closing(PublicViews(url)) as views:
        events = [stored.event for stored in views.events(1)]
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    assert set(desk.store(*(finished(table, events) for table in range(2, 7)))) == {None}
    most_held(url)  # what is made once for the process is not counted
    few = most_held(url)
    assert set(desk.store(*(finished(table, events) for table in range(7, 40)))) == {None}
    desk.log.close()
    assert most_held(url) < few + 150_000


def finished(table: int, events: list[ev.Event]) -> Append:
    row = TableRow(table, 1, "over", "chess", "normal", SECRET, AT)
    seats = (SeatRow(0, int(SeatKind.PLAYER), "Alice"), SeatRow(1, int(SeatKind.PLAYER), "Bob"))
    return Append(table, 1, 0, codec.rows(codec.GENESIS, table, 0, AT, events), opened=row, seats=seats)


def most_held(url: str) -> int:
    """The most bytes that are held while an archive is read and thrown away piece by piece.

    SQLAlchemy leaves cycles behind, which the collector takes when it likes, the later the more else the process holds:
    they are collected after each piece. What there was before is frozen, so that this costs little.
    """
    with archives(url) as made:
        gc.collect()
        gc.freeze()
        tracemalloc.start()
        pieces = made.of("Alice", time.time())
        assert pieces is not None
        for piece in pieces:
            assert len(piece) < 200_000
            gc.collect()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        gc.unfreeze()
    return most
