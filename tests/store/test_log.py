"""The log in a database and the one in memory keep the same promises."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from gateway.store.records import Append, Conflict, SeatRow, TicketRow, pair_of
from tests.store.conftest import Desk
from tests.store.steps import AT, SECRET, later, opening, words

ANN, BOB = SeatRow(0, 3, "ann", "192.0.2.1"), SeatRow(1, 3, "bob")


def test_what_was_stored_is_read_back_in_order(desk: Desk) -> None:
    first = opening(1, "a", "b")
    assert desk.store(first, later(first, "c")) == [None, None]
    stored = desk.log.read(1)
    assert words(stored) == ["a", "b", "c"]
    assert [event.seq for event in stored] == [1, 2, 3]
    assert {event.at for event in stored} == {AT}


def test_reading_goes_on_after_a_cursor(desk: Desk) -> None:
    desk.store(opening(1, "a", "b", "c"))
    assert words(desk.log.read(1, after=2)) == ["c"]
    assert desk.log.read(1, after=3) == []


def test_the_digest_that_is_read_back_is_the_one_that_was_stored(desk: Desk) -> None:
    first = opening(1, "a", "b")
    desk.store(first)
    assert [event.digest for event in desk.log.read(1)] == [row.digest for row in first.rows]


def test_tables_are_kept_apart(desk: Desk) -> None:
    desk.store(opening(1, "one"), opening(2, "two"))
    assert (words(desk.log.read(1)), words(desk.log.read(2))) == (["one"], ["two"])


def test_a_table_that_does_not_exist_is_empty(desk: Desk) -> None:
    assert (desk.log.read(9), desk.log.load([9])) == ([], [])


def test_a_step_of_a_table_that_does_not_exist_is_a_conflict(desk: Desk) -> None:
    (error,) = desk.store(later(opening(9, "never stored"), "x"))
    assert isinstance(error, Conflict)
    assert str(error) == "table 9 does not exist"


def test_a_seq_that_is_taken_is_a_conflict(desk: Desk) -> None:
    first = opening(1, "a")
    desk.store(first, later(first, "b"))
    (error,) = desk.store(later(first, "other"))
    assert isinstance(error, Conflict)
    assert str(error) == "table 1 stands at event 2 of epoch 1, not at 1 of 1"
    assert words(desk.log.read(1)) == ["a", "b"]


def test_a_step_that_is_there_already_is_stored_once(desk: Desk) -> None:
    """A step whose storing is uncertain is handed in again."""
    first = opening(1, "a", seats=[ANN])
    second = later(first, "b", "c", status="playing", tickets=[TicketRow(b"t" * 32, 1, 0)])
    assert desk.store(first, second) == [None, None]
    assert desk.store(second) == [None]
    assert words(desk.log.read(1)) == ["a", "b", "c"]
    assert desk.store(later(second, "d")) == [None]
    (error,) = desk.store(second)
    assert isinstance(error, Conflict), "the table has gone on since"
    desk.log.claim()
    (error,) = desk.store(later(second, "d"))
    assert isinstance(error, Conflict), "another owner found it there"


def test_the_ids_of_served_commands_are_read_back_with_the_table(desk: Desk) -> None:
    first = opening(1, "a")
    second, third = later(first, "b", "c"), later(later(first, "b", "c"), "d")
    second.rows = (second.rows[0], structs.replace(second.rows[1], served=(7 << 40) + 1))
    assert desk.store(first, second, third, opening(2, "a")) == [None] * 4
    found, other = desk.log.load([1, 2])
    assert [row.served for row in found.rows] == [0, 0, (7 << 40) + 1, 0]
    assert found.served() == {(7 << 40) + 1}
    assert not other.served()


def test_a_gap_is_a_conflict(desk: Desk) -> None:
    first = opening(1, "a")
    skipped = later(first, "b")
    desk.store(first)
    (error,) = desk.store(later(skipped, "c"))
    assert isinstance(error, Conflict)
    assert words(desk.log.read(1)) == ["a"]


def test_a_gap_inside_a_step_is_a_conflict(desk: Desk) -> None:
    first = opening(1, "a", "b", "c")
    first.rows = (first.rows[0], first.rows[2])
    (error,) = desk.store(first)
    assert str(error) == "table 1: event 3 where 2 is due"
    assert desk.log.last_table() == 0


def test_an_id_that_is_taken_is_a_conflict(desk: Desk) -> None:
    desk.store(opening(1, "a"))
    (error,) = desk.store(opening(1, "other"))
    assert isinstance(error, Conflict)
    assert words(desk.log.read(1)) == ["a"]


def test_an_old_epoch_is_a_conflict(desk: Desk) -> None:
    first = opening(1, "a")
    desk.store(first)
    desk.log.claim()
    (old,) = desk.store(later(first, "from the old owner"))
    (new,) = desk.store(later(first, "from the new one", epoch=2))
    assert isinstance(old, Conflict)
    assert str(old) == "table 1 stands at event 1 of epoch 2, not at 1 of 1"
    assert new is None
    assert words(desk.log.read(1)) == ["a", "from the new one"]


def test_a_step_that_fails_changes_nothing_at_all(desk: Desk) -> None:
    first = opening(1, "a", seats=[ANN])
    desk.store(first)
    bad = later(later(first, "skipped"), "b", status="over", seats=[BOB], tickets=[TicketRow(b"t" * 32, 1, 1)])
    (error,) = desk.store(bad)
    assert isinstance(error, Conflict)
    assert (desk.log.holders().seats[1], desk.tickets(1)) == ([ANN], [])
    assert [row.status for row in desk.log.claim()] == ["open"]


def test_only_the_guilty_step_of_many_fails(desk: Desk) -> None:
    good = [opening(table, "a") for table in (1, 2, 4, 5)]
    bad = later(opening(3, "never stored"), "b")
    errors = desk.store(*good[:2], bad, *good[2:])
    assert [type(error) for error in errors] == [type(None), type(None), Conflict, type(None), type(None)]
    assert [len(desk.log.read(table)) for table in range(1, 6)] == [1, 1, 0, 1, 1]


def test_many_steps_of_one_table_are_stored_in_order(desk: Desk) -> None:
    steps = [opening(1, "0")]
    for number in range(1, 200):
        steps.append(later(steps[-1], str(number)))
    assert set(desk.store(*steps)) == {None}
    assert words(desk.log.read(1)) == [str(number) for number in range(200)]


def test_what_follows_a_failed_step_fails_too(desk: Desk) -> None:
    first = opening(1, "a")
    second = later(first, "b", epoch=7)
    third = later(second, "c", epoch=1)
    errors = desk.store(first, second, third)
    assert errors[0] is None
    assert all(isinstance(error, Conflict) for error in errors[1:])


def test_a_seat_is_replaced_and_the_others_stay(desk: Desk) -> None:
    first = opening(1, "a", seats=[BOB, ANN])
    desk.store(first, later(first, "b", seats=[SeatRow(1, 5, "bob"), SeatRow(1, 2, "house")]))
    assert desk.log.holders().seats[1] == [ANN, SeatRow(1, 2, "house")]


def test_tickets_are_added_and_one_secret_may_serve_several_tables(desk: Desk) -> None:
    first, second = opening(1, "a"), opening(2, "a")
    mine = TicketRow(b"m" * 32, 1, 0)
    elsewhere = TicketRow(b"m" * 32, 2, 1)
    other = TicketRow(b"o" * 32, 1, 1)
    steps = [first, second, later(first, "b", tickets=[mine]), later(second, "b", tickets=[elsewhere])]
    assert set(desk.store(*steps, later(steps[2], "c", tickets=[other]))) == {None}
    assert desk.tickets(1) == [mine, other]
    assert desk.tickets(2) == [elsewhere]


def test_a_seats_new_ticket_ends_its_earlier_one(desk: Desk) -> None:
    first = opening(1, "a")
    before, others, after = TicketRow(b"b" * 32, 1, 0), TicketRow(b"o" * 32, 1, 1), TicketRow(b"a" * 32, 1, 0)
    second = later(first, "b", tickets=[before, others])
    assert set(desk.store(first, second, later(second, "c", tickets=[after]))) == {None}
    assert desk.tickets(1) == [after, others]


def test_a_seat_that_somebody_else_takes_without_a_ticket_has_none(desk: Desk) -> None:
    first = opening(1, "a")
    second = later(first, "b", tickets=[TicketRow(b"b" * 32, 1, 0), TicketRow(b"o" * 32, 1, 1)])
    assert set(desk.store(first, second, later(second, "c", revoked=(0,)))) == {None}
    assert desk.tickets(1) == [TicketRow(b"o" * 32, 1, 1)]


def test_a_step_may_bring_no_event(desk: Desk) -> None:
    first = opening(1, "a")
    assert desk.store(first, later(first, seats=[ANN])) == [None, None]
    assert desk.log.holders().seats[1] == [ANN]
    assert len(desk.log.read(1)) == 1


def test_a_claim_takes_over_what_is_not_over(desk: Desk) -> None:
    first, second, third = opening(1, "a"), opening(2, "a"), opening(3, "a")
    desk.store(first, second, third, later(second, "b", status="over"), later(third, "b", status="adjourned"))
    claimed = desk.log.claim()
    assert [(row.table, row.epoch, row.status) for row in claimed] == [(1, 2, "open"), (3, 2, "adjourned")]
    assert (claimed[0].game, claimed[0].secret, claimed[0].opened_at) == ("tic_tac_toe", SECRET, AT)
    assert [row.epoch for row in desk.log.claim()] == [3, 3]


def test_the_last_table_is_the_highest_id_whatever_became_of_it(desk: Desk) -> None:
    assert desk.log.last_table() == 0
    seventh = opening(7, "a")
    desk.store(opening(3, "a"), seventh, later(seventh, "b", status="over"))
    assert desk.log.last_table() == 7


def test_closing_twice_is_closing_once_and_nothing_is_taken_afterwards(desk: Desk) -> None:
    desk.log.close()
    desk.log.close()
    with pytest.raises(RuntimeError, match="nothing more of table 1"):
        desk.log.submit(opening(1, "late"))


def test_every_step_is_delivered_once(desk: Desk) -> None:
    steps = [opening(table, "a") for table in range(1, 50)]
    desk.store(*steps)
    desk.log.close()
    assert desk.batches.empty()


def test_a_step_handed_in_again_is_not_taken_for_an_old_failure(desk: Desk) -> None:
    first = opening(1, "a")
    second: Append = later(first, "b")
    assert isinstance(desk.store(second)[0], Conflict)
    desk.store(first)
    assert desk.store(second) == [None]


def test_tables_are_loaded_whole_in_one_go(desk: Desk) -> None:
    """Rows, seats and events of many tables at once; a table that does not exist is left out."""
    first, second = opening(1, "a", "b", seats=[BOB, ANN]), opening(2, "x")
    desk.store(first, second, opening(3, "not asked for"), later(second, "y", status="playing"))
    one, two = desk.log.load([2, 9, 1])
    assert (one.row.table, one.row.status, one.row.last_seq, one.seats) == (1, "open", 2, [ANN, BOB])
    assert one.rows == list(first.rows)
    assert (two.row.table, two.row.status, two.row.last_seq, two.seats) == (2, "playing", 2, [])
    assert [row.seq for row in two.rows] == [1, 2]


def test_seats_and_tickets_of_unfinished_tables_are_read_at_once(desk: Desk) -> None:
    mine, over = TicketRow(b"m" * 32, 1, 0), TicketRow(b"o" * 32, 2, 0)
    first, second = opening(1, "a", seats=[ANN]), opening(2, "a", seats=[BOB])
    desk.store(first, second, later(first, "b", tickets=[mine]), later(second, "b", status="over", tickets=[over]))
    held = desk.log.holders()
    assert (held.seats, held.tickets) == ({1: [ANN]}, [mine])


def test_seats_and_tickets_of_some_unfinished_tables_are_read_without_the_others(desk: Desk) -> None:
    """A node that claims tables wants theirs; those that are over have none."""
    steps = [opening(table, "a", seats=[ANN]) for table in (1, 2, 3)]
    tickets = [TicketRow(b"t" * 32, table, 0) for table in (1, 2, 3)]
    desk.store(*steps, *(later(step, "b", tickets=[row]) for step, row in zip(steps, tickets, strict=True)))
    desk.store(later(later(steps[2], "b"), "c", status="over"))
    assert desk.log.holders([2, 3, 9]) == ({2: [ANN]}, [tickets[1]])
    assert desk.log.holders([]) == ({}, [])


def test_a_row_is_read_back_with_its_node(desk: Desk) -> None:
    step = opening(1, "a")
    assert step.opened is not None
    step.opened = replace(step.opened, node=7)
    assert desk.store(step, opening(2, "a")) == [None, None]
    assert [loaded.row.node for loaded in desk.log.load([1, 2])] == [7, None]


def test_a_registrants_tables_are_counted_until_they_are_over(desk: Desk) -> None:
    first, second, hosts = opening(1, "a"), opening(2, "a"), opening(3, "a")
    for step in (first, second):
        assert step.opened is not None
        step.opened = replace(step.opened, registrant="account ann")
    desk.store(first, second, hosts)
    assert [desk.log.registered_by(who) for who in ("account ann", "account bob")] == [2, 0]
    assert [loaded.row.registrant for loaded in desk.log.load([1, 3])] == ["account ann", None]
    desk.store(later(first, "b", status="over"))
    assert desk.log.registered_by("account ann") == 1


def test_the_newest_table_of_two_names_is_found_until_it_is_over(desk: Desk) -> None:
    first, second, others = opening(1, "a"), opening(2, "a"), opening(3, "a")
    for step, names, game in ((first, ("bob", "ann"), "chess"), (second, ("ann", "bob"), "go")):
        assert step.opened is not None
        step.opened = replace(step.opened, pair=pair_of(names), game=game)
    desk.store(first, second, others)
    assert [desk.log.paired(pair) for pair in ("ann\nbob", "ann\ncarl")] == [2, None]
    desk.store(later(second, "b", status="over"))
    assert desk.log.paired("ann\nbob") == 1
    desk.store(later(first, "b", status="over"))
    assert desk.log.paired("ann\nbob") is None


def test_the_table_of_a_ticket_is_found_until_it_is_over(desk: Desk) -> None:
    step = opening(1, "a", seats=[ANN])
    desk.store(step, opening(2, "a"))
    seated = later(step, "b", tickets=[TicketRow(b"t" * 32, 1, 0)])
    desk.store(seated)
    assert [desk.log.ticketed(digest) for digest in (b"t" * 32, b"u" * 32)] == [1, None]
    desk.store(later(seated, "c", status="over"))
    assert desk.log.ticketed(b"t" * 32) is None
