"""A step is stored once when PostgreSQL's connection is lost in a commit, and a repeated one is refused."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from queue import Empty
from typing import Any

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError

from gateway.store.acts import ActLog, made
from gateway.store.log import SqlLog
from gateway.store.records import Conflict, MaybeStored, PairTaken, TicketRow, noted
from tests import peers
from tests.proxy import Watch, Wire, wire
from tests.store.conftest import PATIENCE_S, Desk, connected, hosted
from tests.store.steps import AT, later, opening, words
from tests.store.test_pairs import registering

pytestmark = peers.needed


@pytest.fixture
def far(request: pytest.FixtureRequest) -> Iterator[tuple[Desk, Wire, str]]:
    """A log whose PostgreSQL is at the end of a wire, the wire, and the database's own URL."""
    with hosted(request) as url:
        direct = make_url(url)
        if not direct.host:
            peers.missing("the PostgreSQL server for the tests has no port")
        with wire((direct.host, direct.port or 5432)) as between:
            through = direct.set(host="127.0.0.1", port=between.port).render_as_string(hide_password=False)
            desk = Desk(lambda deliver: SqlLog(through, deliver))
            yield desk, between, url
            between.mend()
            desk.log.close()


def first_commit() -> Watch:
    """Return whether the client has just sent its first COMMIT, or the first statement that commits by itself."""
    commits, begun = 0, False

    def watch(sent: bytes) -> bool:
        nonlocal commits, begun
        begun = begun or b"BEGIN" in sent
        commit = b"COMMIT" in sent or (b"WITH moved" in sent and not begun)
        begun = begun and not commit
        commits += commit
        return commit and commits == 1

    return watch


MOVE: dict[str, Any] = {}
"""A step of events alone, which is one statement."""

TAKING: dict[str, Any] = {"tickets": [TicketRow(b"t" * 32, 1, 0)]}
"""A step that takes several."""

EACH_STEP = pytest.mark.parametrize("also", [MOVE, TAKING], ids=["a move", "a seat"])


@EACH_STEP
def test_a_commit_that_took_effect_is_not_stored_twice(far: tuple[Desk, Wire, str], also: dict[str, Any]) -> None:
    desk, between, _ = far
    first = opening(1, "a")
    desk.store(first)
    second = later(first, "b", **also)
    between.behind = first_commit()
    (error,) = desk.store(second)
    assert isinstance(error, MaybeStored)
    assert desk.store(second) == [None]
    assert desk.store(later(second, "c")) == [None]
    assert words(desk.log.read(1)) == ["a", "b", "c"]
    assert len(desk.tickets(1)) == len(also)


@EACH_STEP
def test_a_commit_that_never_arrived_is_stored_when_it_is_handed_in_again(
    far: tuple[Desk, Wire, str], also: dict[str, Any]
) -> None:
    desk, between, _ = far
    first = opening(1, "a")
    desk.store(first)
    between.before = first_commit()
    second = later(first, "b", **also)
    (error,) = desk.store(second)
    assert isinstance(error, MaybeStored)
    assert words(desk.log.read(1)) == ["a"]
    assert desk.store(second) == [None]
    assert words(desk.log.read(1)) == ["a", "b"]


def test_of_a_batch_that_was_lost_in_its_commit_each_step_is_stored_once(far: tuple[Desk, Wire, str]) -> None:
    desk, between, _ = far
    between.behind = first_commit()
    steps = [opening(table, "a") for table in range(1, 20)]
    desk.log.submit(*steps)
    assert len(desk.batches.get(timeout=PATIENCE_S)) == 19
    assert [step.error for step in steps] == [None] * 19
    assert [len(desk.log.read(table)) for table in range(1, 20)] == [1] * 19


def test_of_moves_that_were_lost_as_they_were_stored_each_is_stored_once(far: tuple[Desk, Wire, str]) -> None:
    desk, between, _ = far
    steps = [opening(table, "a") for table in range(1, 20)]
    desk.log.submit(*steps)
    desk.batches.get(timeout=PATIENCE_S)
    moves = [later(step, "b") for step in steps]
    between.behind = first_commit()
    desk.log.submit(*moves)
    assert len(desk.batches.get(timeout=PATIENCE_S)) == 19
    assert [step.error for step in moves] == [None] * 19
    assert [words(desk.log.read(table)) for table in range(1, 20)] == [["a", "b"]] * 19


def test_moves_whose_session_is_ended_as_they_are_stored_may_be_stored(far: tuple[Desk, Wire, str]) -> None:
    """PostgreSQL says so where it ends a session, and has then done what it was asked, or has not."""
    desk, _, url = far
    first = opening(1, "a")
    desk.store(first)
    second = later(first, "b")
    with connected(url) as other, other.begin():
        other.exec_driver_sql("SELECT * FROM tables WHERE id = 1 FOR UPDATE")
        desk.log.submit(second)
        ended = "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted"
        until = time.monotonic() + PATIENCE_S
        while not other.exec_driver_sql(f"{ended} AND datname = current_database()").all():
            assert time.monotonic() < until
    desk.batches.get(timeout=PATIENCE_S)
    assert isinstance(second.error, MaybeStored)
    assert desk.store(second) == [None]
    assert words(desk.log.read(1)) == ["a", "b"]


def test_nobody_knows_until_the_database_is_back(far: tuple[Desk, Wire, str]) -> None:
    desk, between, _ = far
    first = opening(1, "a")
    between.behind = first_commit()
    (error,) = desk.store(first)
    assert isinstance(error, MaybeStored)
    between.cut()
    (error,) = desk.store(first)
    assert isinstance(error, MaybeStored), "refused now, but it may have been stored then"
    (other,) = desk.store(opening(2, "a"))
    assert isinstance(other, OperationalError)
    between.mend()
    assert desk.store(first) == [None]


def test_a_registered_table_is_not_in_its_own_way(far: tuple[Desk, Wire, str]) -> None:
    desk, between, _ = far
    between.behind = first_commit()
    first = registering(1)
    assert isinstance(desk.store(first)[0], MaybeStored)
    assert desk.store(first) == [None]
    assert isinstance(desk.store(registering(2))[0], PairTaken)


def test_an_act_is_noted_once(far: tuple[Desk, Wire, str]) -> None:
    desk, between, url = far
    between.behind = first_commit()
    act = made(AT, "root", "drain.begun", "here", running=3)
    assert isinstance(desk.store(noted(act))[0], MaybeStored)
    assert desk.store(noted(act)) == [None]
    with closing(ActLog(url)) as log:
        assert [(found.at, found.act) for found in log.acts()] == [(AT, "drain.begun")]


def test_a_step_that_another_owner_found_stored_is_a_conflict(far: tuple[Desk, Wire, str]) -> None:
    desk, between, url = far
    first = opening(1, "a")
    between.behind = first_commit()
    assert isinstance(desk.store(first)[0], MaybeStored)
    other = SqlLog(url, lambda batch: None)
    assert [row.epoch for row in other.claim()] == [2]
    other.close()
    assert type(desk.store(first)[0]) is Conflict


def test_a_commit_without_an_answer_is_a_slow_one(far: tuple[Desk, Wire, str]) -> None:
    desk, between, _ = far
    desk.store(opening(1, "a"))
    between.hold()
    desk.log.submit(opening(2, "a"))
    with pytest.raises(Empty):
        desk.batches.get(timeout=1.5)
    between.mend()
    (step,) = desk.batches.get(timeout=PATIENCE_S)
    assert step.error is None
