"""A start with many unfinished tables: clients are let in first, and each waits for its own part of the record only."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from threading import Event

import pytest
import trio

import migrations
from bench import unfinished
from gateway.store.log import SqlLog
from gateway.store.records import HIGHEST, Append, TableRow
from gateway.tables import recovery
from gateway.tables.recovery import READING
from protocols.core.errors import Refused, Why
from tests.hall import Guest, Hall, config, hall

TABLES, EVENTS, PART = 10, 12, 4


class Slow(SqlLog):
    """A record of which the first part only is read before ``goes_on``."""

    def __init__(self, url: str, deliver: Callable[[list[Append]], None]) -> None:
        super().__init__(url, deliver)
        self.goes_on = Event()

    def claim(self, after: int = 0, last: int = HIGHEST, most: int = HIGHEST) -> list[TableRow]:
        if after:
            assert self.goes_on.wait(20.0)
        return super().claim(after, last, most)


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hall]:
    monkeypatch.setattr(recovery, "AT_ONCE", PART)
    url = f"sqlite:///{tmp_path / 'boardgate.db'}"
    migrations.upgrade(url)
    unfinished.build(url, TABLES, EVENTS, lambda _: None)
    async with hall(config(), log=lambda deliver: Slow(url, deliver), blocking=True, patience_s=20.0) as found:
        yield found
        log(found).goes_on.set()


def log(here: Hall) -> Slow:
    found = here.server.commits.log
    assert isinstance(found, Slow)
    return found


def engine(table: int, seat: int) -> str:
    return f"{unfinished.game(table)}#{unfinished.ticket(table, seat)}"


async def test_a_ticket_s_holder_waits_until_its_part_is_read_and_no_longer(here: Hall) -> None:
    late, early = here.dial("192.0.2.1"), here.dial("192.0.2.2")
    seats: list[int] = []

    async def joins(guest: Guest, table: int) -> None:
        assert await guest.joins(engine(table, 0)) == 0
        seats.append(table)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(joins, late, TABLES)
        await joins(early, PART)
        assert seats == [PART], "the other's part is not read yet"
        log(here).goes_on.set()
    assert seats == [PART, TABLES]


async def test_newcomers_wait_until_all_names_are_read_and_who_names_a_table_for_that_alone(here: Hall) -> None:
    answers: list[str] = []
    guest = here.dial()

    async def newcomer() -> None:
        await guest.joins(f"checkers?name={unfinished.name(TABLES, 0)}")
        answers.append("seated")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(newcomer)
        table = await here.server.tables.find(1)
        assert table is not None
        assert table.state.table == 1
        assert answers == []
        log(here).goes_on.set()
    (number,) = (number for number in here.server.tables if number > TABLES)
    assert here.state(number).seats[0].name != unfinished.name(TABLES, 0), "the name of a kept seat is no guest's"


async def test_numbers_of_new_tables_are_behind_all_of_the_record(here: Hall) -> None:
    log(here).goes_on.set()
    await here.dial().joins("ludo")
    assert list(here.server.tables) == [TABLES + 1]
    assert len(here.server.tables.recovery) == TABLES


async def test_a_client_that_waits_too_long_is_told_to_try_again(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "CLAIMED_S", 0.05)
    with pytest.raises(Refused, match=READING) as refused:
        await here.server.tables.find(TABLES)
    assert refused.value.why is Why.OVERLOAD
    assert "try again" in str((await here.dial().asks(engine(TABLES, 0)))[1])
