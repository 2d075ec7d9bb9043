"""Games wait while the disk is full or slow; no event that a player was told of is lost."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

import migrations
from gateway.commits.commit_queue import RETRY_S
from gateway.record import audit
from gateway.store.log import SqlLog
from gateway.store.records import MaybeStored
from gateway.store.views import TableView, Views
from gateway.store.writer import database_trouble
from gateway.tables.pause import GOES_ON, WAITS
from protocols.core.events import MoveMade, Said
from tests import peers
from tests.conformance.chess_guests import BOGAPROT, MiniatureGuest, PeerToPeerGuest, room
from tests.conformance.host import Host
from tests.faults.databases import (
    HTTP,
    cluster_on_a_small_disk,
    fill,
    serving,
    small_disk,
    unharmed,
    use_up_the_log,
)
from tests.faults.guests import PATIENCE_S, Guest
from tests.postgresql import Cluster, cluster, run_outside
from tests.running import RunningServer
from tests.store.conftest import Desk
from tests.store.steps import opening

FULL_S: Final = 2.0
"""Seconds that a disk stays full, or that somebody else holds the database."""

PAGES: Final = 4 << 20
"""Bytes that are left for pages of tables, so that what finds no room is a file of PostgreSQL's write-ahead log."""

LOG_LEFT: Final = 64 << 10
"""Bytes that are left in the files of that log: some dozen sayings."""

SAYING: Final = "x" * 380
REFUSED_S: Final = 5.0
"""Seconds after which who asks for something new has an answer."""

MOST: Final = 2000
"""Sayings that fill what is left of the database's own pages, at most."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


def recorded(url: str, kind: type) -> int:
    """How many events of this kind the first table's record holds, which must be whole."""
    views = Views(url)
    try:
        assert audit.verify(1, views.rows(1)).defect is None
        return sum(isinstance(stored.event, kind) for stored in views.events(1))
    finally:
        views.close()


def talks_until_nothing_fits(pia: PeerToPeerGuest, mia: MiniatureGuest) -> int:
    """How many sayings were passed on before the game had to wait."""
    for said in range(MOST):
        pia.say(f"text {SAYING}")
        if mia.until(f"tell {pia.name} {SAYING}", f"tell gateway {WAITS}").startswith("tell gateway"):
            return said
    raise AssertionError("the disk never filled up")


def plays_on(running: RunningServer, pia: PeerToPeerGuest, mia: MiniatureGuest) -> None:
    """There is room again: what was said and moved meanwhile is told, and the next move is played."""
    mia.hears(f"tell {pia.name} {SAYING}", f"tell gateway {GOES_ON}")
    pia.hears(f"text {WAITS}", f"text {GOES_ON}", "move e7e5")
    pia.say("move g1f3")
    mia.hears("move g1-f3")
    assert unharmed(running)


def has_all(url: str, said: int) -> None:
    """The record has what was said until the disk was full, and what had to wait."""
    assert recorded(url, Said) == said + 1 + len(["text hello"])
    assert recorded(url, MoveMade) == 3


def plays_through_a_full_disk(running: RunningServer, disk: Path, url: str) -> None:
    with room(running) as here:
        pia, mia = here.mixed()
        filler = fill(disk)
        said = talks_until_nothing_fits(pia, mia)
        mia.say("move e7-e5")
        time.sleep(FULL_S)
        filler.unlink()
        plays_on(running, pia, mia)
    has_all(url, said)


@peers.needed
def test_a_full_disk_under_sqlite_and_its_log_is_waited_for(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", mebibytes=16) as disk:
        url = f"sqlite:///{disk / 'boardgate.db'}"
        with serving(disk, url) as running:
            plays_through_a_full_disk(running, disk, url)


@peers.needed
def test_a_full_disk_under_sqlite_refuses_newcomers_within_five_seconds_and_stores_nothing_of_them_later(
    tmp_path: Path,
) -> None:
    """What was refused has not happened: the pair that was refused can be registered when there is room."""
    with small_disk(tmp_path / "disk", mebibytes=3) as disk:
        url = f"sqlite:///{disk / 'boardgate.db'}"
        with serving(tmp_path, url) as running:
            host = Host(running.ports[HTTP])
            filler = fill(disk)
            stored, refused_s = registers_until_nothing_fits(host)
            assert refused_s < REFUSED_S
            with Guest(running.ports[BOGAPROT]) as anna:
                begun = time.monotonic()
                assert anna.asks("tic_tac_toe") == (1, "server overload, try again later")
                assert time.monotonic() - begun < REFUSED_S
            filler.unlink()
            until_there_is_room(running)
            host.registers("tic_tac_toe", *pair(stored))
            with Guest(running.ports[BOGAPROT]) as bert:
                assert bert.joins("tic_tac_toe") == 0
            assert unharmed(running)
        names = {tuple(seat.name for seat in view.seats) for view in every_table(url)}
        assert names == {pair(number) for number in range(stored + 1)} | {("guest-2", "")}


@peers.needed
def test_a_commit_that_finds_sqlites_disk_full_has_not_happened(tmp_path: Path) -> None:
    """There is no doubt about it that would have the step tried again for ever: it is given up like any other."""
    with small_disk(tmp_path / "disk", mebibytes=3) as disk:
        url = f"sqlite:///{disk / 'boardgate.db'}"
        migrations.upgrade(url)
        desk = Desk(lambda deliver: SqlLog(url, deliver))
        with closing(desk.log):
            filler = fill(disk)
            table = 1
            while (error := desk.store(opening(table, SAYING))[0]) is None:
                table += 1
            assert database_trouble(error)
            assert not isinstance(error, MaybeStored)
            filler.unlink()
            assert desk.store(opening(table + 1, SAYING)) == [None]
            assert desk.log.read(table) == []
            assert desk.log.last_table() == table + 1


def registers_until_nothing_fits(host: Host) -> tuple[int, float]:
    """How many pairs were registered, and after how many seconds the next one was refused."""
    for number in range(MOST):
        begun = time.monotonic()
        body = {"game": "tic_tac_toe", "seats": [{"name": name} for name in pair(number)]}
        status, answer = host.ask("/api/tables", body)
        if status != 201:
            assert (status, answer["error"]) == (503, "overload")
            return number, time.monotonic() - begun
    raise AssertionError("the disk never filled up")


def pair(number: int) -> tuple[str, str]:
    return f"ann{number}", f"bob{number}"


def until_there_is_room(running: RunningServer) -> None:
    """What was held, if anything was, has been tried again."""
    time.sleep(3 * RETRY_S)
    assert running.process.poll() is None


def every_table(url: str) -> list[TableView]:
    views = Views(url)
    try:
        return views.tables(limit=MOST)
    finally:
        views.close()


@peers.needed
def test_a_full_disk_under_postgresql_is_waited_for(tmp_path: Path, postgres: Cluster) -> None:
    with small_disk(postgres.data.parent / "disk", mebibytes=32) as disk:
        space = disk / "space"
        space.mkdir(mode=0o700)
        shutil.chown(space, postgres.data.owner())
        run_outside(postgres.url(), f"CREATE TABLESPACE small LOCATION '{space}'")
        run_outside(postgres.url(), "CREATE DATABASE small TABLESPACE small")
        url = postgres.url("small")
        try:
            with serving(tmp_path, url) as running:
                plays_through_a_full_disk(running, disk, url)
        finally:
            run_outside(postgres.url(), "DROP DATABASE small WITH (FORCE)")
            run_outside(postgres.url(), "DROP TABLESPACE small")


@peers.needed
def test_a_full_disk_under_all_of_postgresql_is_waited_for(tmp_path: Path) -> None:
    """Where its write-ahead log finds no room PostgreSQL crashes in the commit, and cannot start again until there is
    some. Its service manager tries in vain; nobody does anything to our server."""
    with cluster_on_a_small_disk(mebibytes=96) as (postgres, disk):
        url = postgres.create("small")
        with serving(tmp_path, url) as running, room(running) as here:
            pia, mia = here.mixed()
            fill(disk, but=PAGES)
            use_up_the_log(postgres.url(), but=LOG_LEFT)
            said = talks_until_nothing_fits(pia, mia)
            mia.say("move e7-e5")
            gone(postgres)
            assert 'PANIC:  could not write to file "pg_wal' in (disk / "log").read_text()
            filler = fill(disk)
            with pytest.raises(OSError, match="pg_ctl"):
                postgres.start()
            filler.unlink()
            postgres.start()
            plays_on(running, pia, mia)
        has_all(url, said)


def gone(postgres: Cluster) -> None:
    """Wait until PostgreSQL has given itself up."""
    patience = time.monotonic() + PATIENCE_S
    while postgres.running:
        assert time.monotonic() < patience, "PostgreSQL lives on"
        time.sleep(0.05)


def test_a_disk_that_takes_seconds_pauses_the_game(tmp_path: Path) -> None:
    """Another program's transaction keeps the server's commit waiting, as a slow disk does."""
    url = f"sqlite:///{tmp_path / 'boardgate.db'}"
    with serving(tmp_path, url) as running, room(running) as here:
        pia, mia = here.mixed()
        other = sqlite3.connect(tmp_path / "boardgate.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        mia.say("move e7-e5")
        for guest, word in ((pia, "text"), (mia, "tell gateway")):
            guest.until(f"{word} {WAITS}")
        time.sleep(FULL_S)
        other.execute("ROLLBACK")
        other.close()
        pia.hears("move e7e5", f"text {GOES_ON}")
        mia.until(f"tell gateway {GOES_ON}")
        assert "cannot be written" not in running.log.read_text(), "it was slow, and did not fail"
        assert unharmed(running)
    assert recorded(url, MoveMade) == 2
