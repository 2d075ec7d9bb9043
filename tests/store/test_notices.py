"""Notices and browsers, on every database: one sender for each message, one key for all nodes, nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import insert, select, update

from gateway.store import codec
from gateway.store.accounts import SqlAccounts
from gateway.store.notices import KEPT_S, LONE_S, MOST_BROWSERS, Notices, Subscription
from gateway.store.schema import (
    accounts,
    events,
    guest_seats,
    notices,
    push_deliveries,
    push_subscriptions,
    push_tickets,
    seats,
    tables,
    tickets,
)
from gateway.store.sessions import Sessions, begun
from protocols.core.events import SeatTaken
from protocols.core.model import SeatKind
from tests.store.conftest import at_once, connected

NOW = 1_800_000_000.0
LASTS = {"turn": 1000.0, "joined": 1000.0, "back": 1000.0}
TABLE = {"epoch": 1, "last_seq": 5, "game": "go", "variant": "", "secret": b"", "opened_at": NOW}


@pytest.fixture
def kept(url: str) -> Iterator[Notices]:
    with closing(Notices(url)) as made:
        yield made


def browser(number: int = 1, folded: str | None = None, session: bytes | None = None) -> Subscription:
    return Subscription(b"%d" % number, f"https://push.example/{number}", b"key", b"auth", folded, session)


def seated(url: str, kind: SeatKind = SeatKind.RESERVED, at: float = NOW) -> None:
    """Table 1 with a guest on seat 0, whose ticket is "t", and a notice for it."""
    with connected(url) as connection, connection.begin():
        connection.execute(insert(tables).values(id=1, status="playing", **TABLE))
        connection.execute(insert(seats).values(table_id=1, seat=0, kind=int(kind), name="ann", address=""))
        connection.execute(insert(tickets).values(table_id=1, digest=b"t", seat=0))
        connection.execute(insert(notices).values(table_id=1, seat=0, seq=5, kind="turn", at=at))


def test_all_nodes_have_the_key_that_the_first_has_made(url: str) -> None:
    found = at_once(lambda: closing(Notices(url)), Notices.push_key)
    assert len(set(found)) == 1
    assert len(found[0]) == 32


def test_of_several_that_would_send_a_message_one_may(url: str, kept: Notices) -> None:
    seated(url)
    kept.subscribe(browser(), [b"t"], NOW)
    assert kept.spread(NOW + 5, 5.0, 90.0, LASTS) == 1
    assert kept.spread(NOW + 5, 5.0, 90.0, LASTS) == 0
    (due,) = kept.due(NOW + 5)
    won = at_once(lambda: closing(Notices(url)), lambda node: node.claim(due, NOW + 65))
    assert sorted(won) == [False, False, False, True]
    assert kept.due(NOW + 6) == []
    (again,) = kept.due(NOW + 65)  # its sender was killed
    assert (again.tries, again.seen) == (1, False)
    kept.done(again)
    assert kept.due(NOW + 1000) == []


@pytest.mark.parametrize(("kind", "later_s", "told"), [(SeatKind.RESERVED, 4.0, 0), (SeatKind.PLAYER, 50.0, 0)])
def test_a_notice_waits(url: str, kept: Notices, kind: SeatKind, later_s: float, told: int) -> None:
    seated(url, kind)
    kept.subscribe(browser(), [b"t"], NOW)
    assert kept.spread(NOW + later_s, 5.0, 90.0, LASTS) == told


def test_a_player_who_sits_there_has_seen_it(url: str, kept: Notices) -> None:
    seated(url, SeatKind.PLAYER)
    kept.subscribe(browser(), [b"t"], NOW)
    assert kept.spread(NOW + 91, 5.0, 90.0, LASTS) == 1
    assert kept.due(NOW + 91) == []
    with connected(url) as connection:
        assert connection.execute(select(notices.c.seen_at, notices.c.told_at)).one() == (NOW + 91, None)


def test_a_browser_belongs_to_one_person_and_an_account_has_so_many(url: str, kept: Notices) -> None:
    with closing(SqlAccounts(url)) as accounts, closing(Sessions(url)) as sessions:
        accounts.add("Ann", "hash", "test")
        sessions.add(b"cookie", begun("account", "Ann", NOW))
        for number in range(MOST_BROWSERS + 3):
            kept.subscribe(browser(number, "ann", b"cookie"), [], NOW + number)
        assert kept.browsers("ANN", NOW) == MOST_BROWSERS
        kept.subscribe(browser(5), [b"t"], NOW)
        assert kept.browsers("Ann", NOW) == MOST_BROWSERS - 1
        sessions.end(b"cookie")
        assert kept.browsers("Ann", NOW) == 0
        kept.tidy(NOW)
        with connected(url) as connection:
            assert connection.execute(select(push_subscriptions.c.digest)).scalars().all() == [b"5"]
        accounts.delete("Ann", "test")


@pytest.mark.parametrize("taken_at", [NOW - 1, NOW + 1])
def test_an_account_is_told_of_the_seats_that_it_has_taken_since_it_was_made(
    url: str, kept: Notices, taken_at: float
) -> None:
    name = 'A"d\\a'
    with closing(SqlAccounts(url)) as made, closing(Sessions(url)) as sessions:
        made.add(name, "hash", "test")
        sessions.add(b"cookie", begun("account", name, NOW))
        kept.subscribe(browser(1, name.casefold(), b"cookie"), [], NOW)
        seated(url)
        kind, body = codec.encode(SeatTaken(0, SeatKind.PLAYER, name))
        with connected(url) as connection, connection.begin():
            connection.execute(update(accounts).values(created_at=NOW))
            connection.execute(update(seats).values(name=name))
            row = {"table_id": 1, "seq": 4, "at": taken_at, "kind": kind, "body": body, "digest": b""}
            connection.execute(insert(events).values(**row))
        kept.spread(NOW + 5, 5.0, 90.0, LASTS)
        assert [due.table for due in kept.due(NOW + 5)] == ([1] if taken_at >= NOW else [])
        made.delete(name, "test")


def test_an_account_is_told_of_a_seat_that_it_has_kept_from_its_time_as_a_guest(url: str, kept: Notices) -> None:
    seated(url)
    with closing(SqlAccounts(url)) as accounts, closing(Sessions(url)) as sessions:
        accounts.add("Ada", "hash", "test")
        sessions.add(b"cookie", begun("account", "Ada", NOW))
        kept.subscribe(browser(1, "ada", b"cookie"), [], NOW)
        with connected(url) as connection, connection.begin():
            connection.execute(insert(guest_seats).values(table_id=1, digest=b"t", folded="ada", kept_at=NOW))
        kept.spread(NOW + 5, 5.0, 90.0, LASTS)
        (due,) = kept.due(NOW + 5)
        assert (due.subscription.digest, due.table, due.seat) == (b"1", 1, 0)
        accounts.delete("Ada", "test")


def test_what_is_old_and_whom_nothing_can_reach_is_deleted(url: str, kept: Notices) -> None:
    seated(url)
    kept.subscribe(browser(1), [b"t"], NOW)
    kept.subscribe(browser(2), [b"another"], NOW)
    kept.spread(NOW + 5, 5.0, 90.0, LASTS)
    kept.tidy(NOW + LONE_S)
    with connected(url) as connection:
        assert connection.execute(select(push_subscriptions.c.digest)).scalars().all() == [b"1"]
        assert connection.execute(select(push_tickets.c.subscription)).scalars().all() == [b"1"]
    kept.unsubscribe(b"1")
    kept.tidy(NOW + KEPT_S)
    with connected(url) as connection:
        for table in (notices, push_tickets, push_deliveries, push_subscriptions):
            assert connection.execute(select(table)).all() == []
