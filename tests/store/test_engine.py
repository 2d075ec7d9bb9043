"""Connections: SQLite's pragmas, the lock on its file, and what cannot be a record."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, make_url
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError

from gateway.store.engine import DatabaseInUse, FileLock, reader_engine, writer_engine
from gateway.store.log import SqlLog
from tests import peers
from tests.store.conftest import connected, hosted

IDLE = "idle_in_transaction_session_timeout"
NAME = "application_name"


def pragma(url: str, name: str) -> object:
    with connected(url) as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


@pytest.mark.parametrize(("name", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)])
def test_the_writer_survives_power_loss_and_minds_foreign_keys(tmp_path: Path, name: str, value: object) -> None:
    assert pragma(f"sqlite:///{tmp_path / 'a.db'}", name) == value


def test_a_writer_holds_other_writers_off_from_its_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.store.engine.BUSY_S", 0.01)
    url = f"sqlite:///{tmp_path / 'a.db'}"
    with connected(url) as first, connected(url) as second, first.begin():
        with pytest.raises(OperationalError, match="locked"):
            second.begin()
        assert first.in_transaction()


def test_a_reader_cannot_write(url: str) -> None:
    engine = reader_engine(url)
    with engine.connect() as connection, pytest.raises(DBAPIError, match=r"read-?only"):
        connection.exec_driver_sql("CREATE TABLE t (x int)")
    engine.dispose()


def test_a_connection_that_is_out_when_the_engine_ends_is_closed_when_it_comes_back(url: str) -> None:
    engine = reader_engine(url)
    kept, late = engine.connect(), engine.connect()
    ended = [connection.connection.driver_connection for connection in (kept, late)]
    kept.close()
    engine.dispose()
    late.close()
    for driver in ended:
        assert driver is not None
        with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError), match="closed"):
            driver.execute("SELECT 1")


@peers.needed
def test_postgresql_gives_up_locks_and_connections_of_a_server_it_has_lost(request: pytest.FixtureRequest) -> None:
    with hosted(request) as url, connected(url) as connection:
        shown = {name: connection.exec_driver_sql(f"SHOW {name}").scalar() for name in ("lock_timeout", IDLE, NAME)}
    assert shown == {"lock_timeout": "5s", IDLE: "10s", NAME: "boardgate"}


@peers.needed
def test_a_postgresql_that_has_fallen_silent_is_given_up_after_ten_seconds(request: pytest.FixtureRequest) -> None:
    with hosted(request) as url, connected(url) as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        said = driver.info.get_parameters()
    assert (said["connect_timeout"], said["tcp_user_timeout"]) == ("5", "10000")
    idle, interval, count = (int(said[f"keepalives_{name}"]) for name in ("idle", "interval", "count"))
    assert idle + interval * count == 10


@peers.needed
def test_what_the_url_says_of_the_connection_stands(request: pytest.FixtureRequest) -> None:
    with hosted(request) as url:
        wanted = make_url(url).update_query_dict({"application_name": "mine", "options": "-c lock_timeout=1s"})
        with connected(wanted.render_as_string(hide_password=False)) as connection:
            shown = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in (NAME, "lock_timeout", IDLE)]
    assert shown == ["mine", "1s", "0"]


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="a record needs a file"):
        writer_engine(url)
    with pytest.raises(ValueError, match="a record needs a file"):
        reader_engine(url)


def test_a_second_server_is_told_which_file_and_who_has_it(tmp_path: Path) -> None:
    file = str(tmp_path / "a.db")
    lock = FileLock(file)
    with pytest.raises(DatabaseInUse, match=f"a.db is in use by another server \\(process {os.getpid()}\\)") as raised:
        FileLock(file)
    assert file in str(raised.value)
    lock.release()
    FileLock(file).release()


def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    file = str(tmp_path / "a.db")
    script = f"import os; from gateway.store.engine import FileLock; lock = FileLock({file!r}); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 9
    FileLock(file).release()


def test_a_file_that_is_no_database_is_an_error_at_once_and_leaves_no_lock(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    file.write_bytes(b"not a database at all" * 100)
    with pytest.raises(DatabaseError, match="not a database"):
        SqlLog(f"sqlite:///{file}", lambda batch: None)
    FileLock(str(file)).release()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not say which files are open")
@pytest.mark.parametrize("engine_of", [reader_engine, writer_engine])
def test_a_file_that_is_no_database_is_closed_at_once(tmp_path: Path, engine_of: Callable[[str], Engine]) -> None:
    """An error that is held, for its traceback, does not hold the file."""
    file = tmp_path / "a.db"
    file.write_bytes(b"not a database at all" * 100)
    engine = engine_of(f"sqlite:///{file}")
    with pytest.raises(DatabaseError, match="not a database") as held:
        engine.connect()
    opened = [os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()]
    assert str(file) not in opened, held
    engine.dispose()


def test_the_record_does_not_load_the_object_mapper() -> None:
    script = "import sys, gateway.store.log, gateway.store.views, migrations; sys.exit('sqlalchemy.orm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 0
