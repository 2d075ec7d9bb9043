"""An account keeps the seats of a guest's tickets: the first account each, while the ticket stands for a seat."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from gateway.store.accounts import NameOwned, NoAccount, SqlAccounts
from gateway.store.guest_seats import GuestTicket
from gateway.store.records import USED, SeatRow, TicketRow
from gateway.store.views import Views
from tests.store.conftest import Desk
from tests.store.steps import later, opening

OWN, OTHER, UNUSED = (letter * 32 for letter in (b"o", b"e", b"u"))


@pytest.fixture
def accounts(sql: Desk, url: str) -> Iterator[SqlAccounts]:
    """A table with a seat of two guests, and an invitation that is used up; and another."""
    one, two = opening(1, "a", seats=[SeatRow(0, 3, "zoe")]), opening(2, "a")
    tickets = [TicketRow(OWN, 1, 0), TicketRow(OTHER, 1, 1), TicketRow(UNUSED, 1, USED)]
    assert sql.store(one, two, later(one, "b", tickets=tickets)) == [None] * 3
    with closing(SqlAccounts(url)) as made:
        yield made


def kept(url: str, name: str) -> list[tuple[int, int]]:
    with closing(Views(url)) as views:
        return [(seat.table, seat.seat) for seat in views.kept_seats(name, [1, 2])]


def test_the_seats_come_with_the_account_or_later_and_stay_with_the_first(accounts: SqlAccounts, url: str) -> None:
    accounts.add("Anna", "hash", "Anna", seats=[GuestTicket(1, OWN)])
    accounts.add("bert", "hash", "bert")
    accounts.keep_seats("BERT", [GuestTicket(1, OWN), GuestTicket(1, OTHER)], time.time())
    accounts.keep_seats("bert", [GuestTicket(1, OTHER)], time.time())
    assert (kept(url, "anna"), kept(url, "bert")) == ([(1, 0)], [(1, 1)])
    assert (accounts.guest_ticket("ANNA", 1), accounts.guest_ticket("anna", 2)) == (OWN, None)
    with closing(Views(url)) as views:
        assert [view.table for view in views.seated("anna", over=False)] == [1]
        assert [view.table for view in views.seated("zoe", over=False, before=2, limit=1)] == [1]
        assert views.seated("anna", over=True) == []


def test_a_ticket_that_stands_for_no_seat_is_not_kept(accounts: SqlAccounts, url: str) -> None:
    accounts.add("anna", "hash", "anna", seats=[GuestTicket(1, UNUSED), GuestTicket(2, OWN), GuestTicket(1, b"x" * 32)])
    assert kept(url, "anna") == []


def test_who_loses_the_seat_has_it_no_more(accounts: SqlAccounts, sql: Desk, url: str) -> None:
    accounts.add("anna", "hash", "anna", seats=[GuestTicket(1, OWN)])
    (before,) = sql.log.load([1])
    step = later(later(opening(1, "a"), "b"), "c", revoked=(0,))
    assert before.row.last_seq == step.after
    sql.store(step)
    assert kept(url, "anna") == []


def test_it_is_all_or_nothing_and_goes_with_the_account(accounts: SqlAccounts, url: str) -> None:
    accounts.add("bert", "hash", "bert")
    with pytest.raises(NameOwned):
        accounts.add("BERT", "hash", "bert", seats=[GuestTicket(1, OWN)])
    with pytest.raises(NoAccount):
        accounts.keep_seats("anna", [GuestTicket(1, OWN)], time.time())
    assert kept(url, "bert") == []
    accounts.keep_seats("bert", [GuestTicket(1, OWN)], time.time())
    accounts.delete("bert", "bert")
    assert kept(url, "bert") == []
