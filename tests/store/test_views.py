"""Views show tables, players and games as the commands need them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from gateway.store import codec, views
from gateway.store.records import USED, Append, SeatRow, TableRow, TicketRow
from gateway.store.views import SeatView, Views, ndjson_lines
from protocols.core.events import Declined, Event, GameStarted, Proposed, Said, SeatLeft, SeatTaken, TableOpened
from protocols.core.model import HouseRules, SeatKind, Settings, TimeControl, TimeKind
from protocols.core.proposals import Start
from tests.store.conftest import Desk
from tests.store.steps import AT, SECRET, later, opening


def opened(table: int, game: str, *, private: bool = False) -> Append:
    settings = Settings(game, "standard", 3, 3, 2)
    rows = codec.rows(codec.GENESIS, table, 0, AT, [TableOpened(settings, HouseRules(private=private))])
    row = TableRow(table, 1, "open", game, "standard", SECRET, AT)
    return Append(table, 1, 0, rows, row, seats=(SeatRow(1, 3, "bob", "192.0.2.1"), SeatRow(0, 1, "")))


@pytest.fixture
def seen(sql: Desk, url: str) -> Iterator[Views]:
    """Five tables: 1 and 3 of go, 2, 4 and 5 of ludo; 2 is over, 3 is playing, 4 is private."""
    steps = [opened(table, "go" if table in (1, 3) else "ludo", private=table == 4) for table in range(1, 6)]
    steps += [later(steps[1], "a", "b", status="over"), later(steps[2], "a", status="playing")]
    assert set(sql.store(*steps)) == {None}
    found = Views(url)
    yield found
    found.close()


def test_the_newest_tables_come_first(seen: Views) -> None:
    assert [view.table for view in seen.tables()] == [5, 4, 3, 2, 1]


def test_tables_are_chosen_by_state_and_game(seen: Views) -> None:
    assert [view.table for view in seen.tables(state="open")] == [5, 4, 1]
    assert [view.table for view in seen.tables(game="go")] == [3, 1]
    assert [view.table for view in seen.tables(state="over", game="ludo")] == [2]
    assert seen.tables(state="adjourned") == []


def test_a_list_has_an_end_and_goes_on_below_an_id(seen: Views) -> None:
    assert [view.table for view in seen.tables(limit=2)] == [5, 4]
    assert [view.table for view in seen.tables(limit=2, before=4)] == [3, 2]


def test_a_table_is_shown_with_its_seats_and_without_addresses(seen: Views) -> None:
    view = seen.table(2)
    assert view is not None
    assert (view.status, view.game, view.variant, view.opened_at, view.events) == ("over", "ludo", "standard", AT, 3)
    assert view.seats == (SeatView(0, SeatKind.OPEN, ""), SeatView(1, SeatKind.PLAYER, "bob"))
    assert view.settings == Settings("ludo", "standard", 3, 3, 2)
    assert "192.0.2.1" not in repr(view)


def test_a_private_table_says_so(seen: Views) -> None:
    assert [view.table for view in seen.tables() if view.private] == [4]


def test_a_table_that_does_not_exist_is_none(seen: Views) -> None:
    assert seen.table(99) is None
    assert list(ndjson_lines(99, seen.rows(99))) == []


def test_a_record_is_read_page_by_page_without_a_gap(sql: Desk, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "PAGE", 7)
    sql.store(opening(1, *(str(number) for number in range(21))))
    found = Views(url)
    assert [row.seq for row in found.rows(1)] == list(range(1, 22))
    assert [row.seq for row in found.rows(1, after=12)] == list(range(13, 22))
    found.close()


def test_an_exported_line_is_json_with_the_body_last(seen: Views) -> None:
    line = list(ndjson_lines(2, seen.rows(2)))[1]
    told = json.loads(line)
    assert list(told) == ["table", "seq", "at", "kind", "digest", "body"]
    assert (told["table"], told["seq"], told["kind"], told["body"]["text"]) == (2, 2, "Said", "a")
    assert told["at"] == "2026-02-02T02:40:00.250000Z"


def test_an_outsider_can_prove_an_export_with_nothing_but_the_documentation(seen: Views) -> None:
    lines = list(ndjson_lines(2, seen.rows(2)))
    digest = bytes(32)
    for line in lines:
        told = json.loads(line)
        since = datetime.fromisoformat(told["at"]) - datetime.fromisoformat("1970-01-01T00:00:00Z")
        microseconds = since // timedelta(microseconds=1)
        body = line[line.index('"body":') + len('"body":') : -1]
        numbers = b"".join(number.to_bytes(8, "big") for number in (told["table"], told["seq"], microseconds))
        digest = hashlib.sha256(digest + numbers + told["kind"].encode() + b"\0" + body.encode()).digest()
        assert told["digest"] == digest.hex()
    assert len(lines) == 3


def test_moments_rise_as_times_do_and_have_six_digits() -> None:
    moments = [views.moment(AT + step * 1e-6) for step in range(5)]
    assert all(earlier < after for earlier, after in pairwise(moments))
    assert views.moment(0.0) == "1970-01-01T00:00:00.000000Z"


def test_a_table_shows_what_its_last_game_was_played_by(sql: Desk, url: str) -> None:
    """Opened without a time, agreed upon later, and changed for the second game."""
    first, second = (
        Settings("go", variant, 9, 9, 2, TimeControl(TimeKind.ABSOLUTE, main_s))
        for variant, main_s in (("area", 60.0), ("territory", 300.0))
    )
    step = opened(1, "go")
    begun = codec.rows(step.rows[-1].digest, 1, 1, AT, [GameStarted(first, 1, (), ""), GameStarted(second, 2, (), "")])
    assert set(sql.store(step, opened(2, "go"), Append(1, 1, 1, begun))) == {None}
    found = Views(url)
    later, never = found.tables()[::-1]
    assert (later.settings, later.variant) == (second, "territory")
    assert (never.settings, never.variant) == (Settings("go", "standard", 3, 3, 2), "standard")
    found.close()


def test_a_waiting_table_shows_what_is_proposed_there_first(sql: Desk, url: str) -> None:
    """Withdrawn proposals and those of players who have left count no more, one that takes anything says nothing."""
    settings = [Settings("go", variant, 9, 9, 2) for variant in ("area", "territory")]
    anything, area, territory = Proposed(0, Start()), *(Proposed(1, Start(each)) for each in settings)
    second = replace(territory, seat=0)
    gone = SeatLeft(1, SeatKind.OPEN)
    stories: dict[int, tuple[tuple[Event, ...], str]] = {
        1: ((anything, area), "area"),
        2: ((anything, area, Declined(1, "Start")), "standard"),
        3: ((area, second, gone), "territory"),
        4: ((area, second), "area"),
    }
    for table, (said, _) in stories.items():
        step = opened(table, "go")
        rows = codec.rows(step.rows[-1].digest, table, 1, AT, said)
        assert set(sql.store(step, Append(table, 1, 1, rows))) == {None}
    found = Views(url)
    assert {view.table: view.variant for view in found.tables()} == {
        table: shown for table, (_, shown) in stories.items()
    }
    found.close()


def test_a_ticket_is_found_at_each_of_its_tables_until_it_is_used_up(sql: Desk, url: str) -> None:
    """Also after the end of the game."""
    one, two = opened(1, "go"), opened(2, "go")
    own, used = b"o" * 32, b"u" * 32
    given = [
        later(one, "a", status="over", tickets=[TicketRow(own, 1, 1), TicketRow(used, 1, USED)]),
        later(two, "a", tickets=[TicketRow(own, 2, 0)]),
    ]
    assert set(sql.store(one, two, *given)) == {None}
    found = Views(url)
    assert sorted(found.seats_of([own, used, b"x" * 32])) == [(own, 1, 1), (own, 2, 0)]
    assert found.seats_of([]) == []
    found.close()


def test_several_tables_are_found_by_number(seen: Views) -> None:
    assert [view.table for view in seen.several([1, 4, 99])] == [4, 1]
    assert seen.several([]) == []


def test_talk_is_what_was_said_and_who_came_and_went(sql: Desk, url: str) -> None:
    step = opened(1, "go")
    said: list[Event] = [
        SeatTaken(0, SeatKind.PLAYER, "Ann"),
        Said(0, "all", "hello"),
        Declined(0, "Start"),
        SeatLeft(0, SeatKind.OPEN),
    ]
    rows = codec.rows(step.rows[-1].digest, 1, 1, AT, said)
    assert set(sql.store(step, opened(2, "go"), Append(1, 1, 1, rows))) == {None}
    found = Views(url)
    assert found.talk([1, 2]) == {1: [said[0], said[1], said[3]], 2: []}
    assert found.talk([]) == {}
    found.close()
