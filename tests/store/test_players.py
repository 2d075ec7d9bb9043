"""Who has sat at which table is kept with the seats, and goes with the table."""

from __future__ import annotations

from sqlalchemy import select

from gateway.store.log import SqlLog
from gateway.store.records import SeatRow
from gateway.store.schema import players
from tests.store.conftest import Desk, connected
from tests.store.steps import later, opening


def found(url: str) -> set[tuple[str, int]]:
    with connected(url) as connection:
        return {(row.folded, row.table_id) for row in connection.execute(select(players))}


def test_people_stay_with_a_table_whose_seats_they_leave(url: str) -> None:
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    one = opening(1, "a", seats=[SeatRow(0, 3, "Anna"), SeatRow(1, 1, "")])
    two = later(one, "b", seats=[SeatRow(0, 3, "anna"), SeatRow(1, 2, "bot-2")])
    three = later(two, "c", seats=[SeatRow(0, 1, ""), SeatRow(1, 4, "ÅSA")])
    other = opening(2, "a", seats=[SeatRow(0, 3, "ANNA")])
    assert desk.store(one, other, two, three) == [None] * 4
    desk.log.close()
    assert found(url) == {("anna", 1), ("åsa", 1), ("anna", 2)}
