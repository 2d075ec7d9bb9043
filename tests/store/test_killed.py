"""Kill -9 in the middle of the load: what was told is in the database."""

from __future__ import annotations

import subprocess
import sys

from sqlalchemy import select

from gateway.store import codec
from gateway.store.rating_schema import results
from gateway.store.schema import events
from gateway.store.views import Views
from tests.processes import started
from tests.store.conftest import connected
from tests.store.killed import TABLES

KILLS = 4
"""Each on what the one before left behind."""


def killed_after(url: str, first: int, lines: int) -> dict[int, int]:
    """The last seq that was told, by table."""
    command = [sys.executable, "-m", "tests.store.killed", url, str(first)]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        told = [child.stdout.readline() for _ in range(lines)]
        child.kill()
        told += child.stdout.readlines()
    assert child.returncode == -9
    return {int(table): int(seq) for table, seq in (line.split() for line in told)}


def test_no_told_step_is_missing_after_kill_9(url: str) -> None:
    for kill in range(KILLS):
        first = 1 + kill * TABLES
        told = killed_after(url, first, 300 + 333 * kill)
        assert len(told) == TABLES
        views = Views(url)
        for table, seq in told.items():
            digest, last = codec.GENESIS, 0
            for row in views.rows(table):
                digest = codec.link(digest, table, row.seq, row.at, row.kind, row.body)
                assert (row.seq, row.digest) == (last + 1, digest)
                last = row.seq
            assert last >= seq
            assert last % 2 == 1, "a step of two events was stored in half"
        views.close()


def test_every_game_that_ended_before_kill_9_has_one_result(url: str) -> None:
    """The row stands and falls with its event."""
    for kill in range(KILLS):
        told = ended_until_killed(url, 1 + kill * 1_000_000, 40 + 17 * kill)
        with connected(url) as connection:
            ends = select(events.c.table_id, events.c.seq, events.c.digest).where(events.c.kind == "GameEnded")
            kept = select(results.c.table_id, results.c.seq, results.c.digest)
            ended, stored = (sorted(map(tuple, connection.execute(each))) for each in (ends, kept))
        assert ended == stored
        assert told <= {table for table, _, _ in ended}


def ended_until_killed(url: str, first: int, lines: int) -> set[int]:
    """The tables whose games were told to have ended."""
    command = [sys.executable, "-m", "tests.store.ended_and_killed", url, str(first)]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        told = [child.stdout.readline() for _ in range(lines)]
        child.kill()
        told += [line for line in child.stdout.readlines() if line.endswith("\n")]
    assert child.returncode == -9
    return set(map(int, told))
