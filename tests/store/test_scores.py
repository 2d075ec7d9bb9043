"""Scores are counted once for each table, and anew when it has gone on or the account is another; on every database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from gateway.store import codec, scores
from gateway.store.accounts import SqlAccounts
from gateway.store.guest_seats import GuestTicket
from gateway.store.log import SqlLog
from gateway.store.pruning import Pruning
from gateway.store.records import Append, SeatRow, TableRow, TicketRow
from gateway.store.scores import Games, Scores, Sums, TableScore, Uncounted
from protocols.core.events import Event, Said, TableClosed
from tests.store.conftest import Desk
from tests.store.steps import AT, SECRET, later


def over(table: int, *names: str, closed: bool = True, tickets: tuple[TicketRow, ...] = ()) -> Append:
    events: tuple[Event, ...] = (Said(0, "all", "x"), *([TableClosed()] if closed else []))
    row = TableRow(table, 1, "over", "chess", "normal", SECRET, AT)
    seats = tuple(SeatRow(at, 3, name) for at, name in enumerate(names))
    rows = codec.rows(codec.GENESIS, table, 0, AT, events)
    return Append(table, 1, 0, rows, opened=row, seats=seats, tickets=tickets)


def score(table: int, seq: int, *, private: bool = False, closed: bool = True) -> TableScore:
    return TableScore(table, seq, closed, "chess", private, Games(1, 2, 3), Games(4, 5, 6))


@pytest.fixture
def kept(url: str) -> Iterator[Scores]:
    with closing(Scores(url)) as found:
        yield found


@pytest.fixture
def desk(url: str) -> Iterator[Desk]:
    made = Desk(lambda deliver: SqlLog(url, deliver))
    yield made
    made.log.close()


def test_what_is_kept_is_summed_up_and_not_counted_again(desk: Desk, kept: Scores) -> None:
    assert desk.store(over(1, "Anna"), over(2, "anna", "Bert"), over(3, "bert")) == [None] * 3
    assert kept.uncounted("ANNA", 5.0, 9) == [Uncounted(2, 2, True), Uncounted(1, 2, True)]
    assert kept.uncounted("anna", 5.0, 1) == [Uncounted(2, 2, True)]
    kept.keep("Anna", 5.0, [score(1, 2), score(2, 2, private=True)])
    assert kept.uncounted("anna", 5.0, 9) == []
    both = Sums({"chess": Games(2, 4, 6)}, {"chess": Games(8, 10, 12)})
    assert kept.of("anna", 5.0, private=True) == both
    assert kept.of("anna", 5.0, private=False) == Sums({"chess": Games(1, 2, 3)}, {"chess": Games(4, 5, 6)})
    kept.keep("Anna", 5.0, [score(1, 2)])
    assert kept.of("anna", 5.0, private=True) == both
    assert kept.of("bert", 5.0, private=True) == Sums({}, {})


def test_a_table_that_is_not_closed_is_counted_anew_when_it_has_gone_on(desk: Desk, kept: Scores) -> None:
    first = over(1, "anna", closed=False)
    desk.store(first)
    kept.keep("anna", 0.0, [score(1, 1, closed=False)])
    assert kept.uncounted("anna", 0.0, 9) == []
    desk.store(playing := later(first, "x", status="playing"))
    assert kept.uncounted("anna", 0.0, 9) == []
    desk.store(later(playing, "x", status="over"))
    assert kept.uncounted("anna", 0.0, 9) == [Uncounted(1, 3, False)]
    kept.keep("anna", 0.0, [score(1, 3, closed=False)])
    assert kept.uncounted("anna", 0.0, 9) == []


def test_of_several_pages_of_tables_all_are_found(desk: Desk, kept: Scores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "PAGE", 2)
    monkeypatch.setattr(scores, "AT_ONCE", 2)
    desk.store(*(over(table, "anna") for table in range(1, 8)))
    assert [each.table for each in kept.uncounted("anna", 0.0, 6)] == [7, 6, 5, 4, 3, 2]
    kept.keep("anna", 0.0, [score(table, 2) for table in (7, 6, 4, 2, 1)])
    assert [each.table for each in kept.uncounted("anna", 0.0, 6)] == [5, 3]


def test_an_account_of_the_name_and_a_kept_seat_are_counted_anew(url: str, desk: Desk, kept: Scores) -> None:
    desk.store(over(1, "anna", tickets=(TicketRow(b"\xaa", 1, 0),)), over(2, "anna"))
    kept.keep("anna", 0.0, [score(1, 2), score(2, 2)])
    with closing(SqlAccounts(url)) as accounts:
        accounts.add("Anna", "hash", "host")
        account = accounts.find("anna")
        assert account is not None
        since = account.created_at
        assert [each.table for each in kept.uncounted("anna", since, 9)] == [2, 1]
        kept.keep("anna", since, [score(1, 2), score(2, 2)])
        accounts.keep_seats("anna", [GuestTicket(1, b"\xaa")], since)
        assert [each.table for each in kept.uncounted("anna", since, 9)] == [1]
        accounts.delete("anna", "anna")
    assert kept.of("anna", since, private=True) == Sums({}, {})


def test_a_deleted_table_is_counted_no_more(url: str, desk: Desk, kept: Scores) -> None:
    desk.store(over(1, "anna"), over(2, "anna"))
    kept.keep("anna", 0.0, [score(1, 2), score(2, 2)])
    with closing(Pruning(url, AT + 1, "host")) as pruning:
        assert pruning.step() == 1
    assert kept.of("anna", 0.0, private=True).people == {"chess": Games(1, 2, 3)}
