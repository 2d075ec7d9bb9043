"""Visitors are told the seeks that stand and what changes, and a flood of seeks does not become one of words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise

import trio
from msgspec.structs import replace
from trio.testing import MockClock

from gateway import registry
from gateway.lobby.notices import PAGE, NoticeBoard
from gateway.lobby.tidings import TidingsBoard
from gateway.sessions.visitors import MOST_AT_ONCE, MOST_NEWS, PAUSE_S, Visitors
from gateway.table.state import Status, opened
from protocols.bogaprot.dialect import Bogaprot
from protocols.core.dialect import Dialect
from protocols.core.events import Proposed
from protocols.core.model import HouseRules, Seat, SeatKind
from protocols.core.notifications import ListedPerson, Noticed, Notification, Tidings
from protocols.core.proposals import Start
from protocols.ics.dialect import Ics
from protocols.miniature.dialect import Miniature

SETTLE_S = 0.01
"""Seconds, which the clock of the test passes at once: every task that need not wait has run."""


@dataclass(eq=False)
class Guest:
    """A connection's end of the notice board: what it was told, and when."""

    dialect: Dialect = field(default_factory=Miniature)
    ended: bool = False
    table: object | None = None
    told: list[tuple[float, Noticed]] = field(default_factory=list)
    news: list[tuple[float, Tidings]] = field(default_factory=list)

    def tell(self, messages: list[Notification]) -> None:
        for message in messages:
            if isinstance(message, Tidings):
                self.news.append((trio.current_time(), message))
                continue
            assert isinstance(message, Noticed)
            self.told.append((trio.current_time(), message))

    @property
    def sees(self) -> set[str]:
        """The names of those who seek, as far as it knows."""
        names: set[str] = set()
        for _, message in self.told:
            names -= {notice.name for notice in message.removed}
            names |= {notice.name for notice in message.posted}
        return names

    def changes(self) -> int:
        return sum(len(message.posted) + len(message.removed) for _, message in self.told)


def seek(board: NoticeBoard, table: int, name: str) -> None:
    """Announce a seek of chess by this player at a table of this number; "" ends it."""
    game = registry.game("chess")
    state = replace(opened(table, game, game.settings(), HouseRules(), b""), table=table)
    if name:
        seats = (Seat(0, SeatKind.PLAYER, name), state.seats[1])
        state = replace(state, seats=seats, proposals=(Proposed(0, Start(state.settings)),))
    board.report(state, takeable=True)


async def introduced(names: Sequence[str]) -> tuple[ListedPerson, ...]:
    return tuple(ListedPerson(name) for name in names)


@asynccontextmanager
async def visited() -> AsyncIterator[tuple[NoticeBoard, Visitors]]:
    board = NoticeBoard(lambda: visitors.wake())
    visitors = Visitors(board, TidingsBoard(), [], introduced)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(visitors.follow)
        yield board, visitors
        nursery.cancel_scope.cancel()


async def test_who_arrives_is_told_at_once_what_stands_and_then_what_changes(autojump_clock: MockClock) -> None:
    async with visited() as (board, visitors):
        seek(board, 1, "anna")
        await trio.sleep(2 * PAUSE_S)
        guest = Guest()
        visitors.arrived(guest)
        assert guest.sees == {"anna"}, "without waiting for a round"
        seek(board, 2, "bert")
        await trio.sleep(SETTLE_S)
        assert guest.sees == {"anna", "bert"}, "the first change after a pause is told at once"
        seek(board, 1, "")
        await trio.sleep(2 * PAUSE_S)
        assert guest.sees == {"bert"}
        visitors.arrived(guest)
        assert guest.changes() == 3, "who is a visitor already is told nothing again"


async def test_a_seek_that_is_taken_and_stands_again_before_the_next_round_is_told_as_gone_and_come(
    autojump_clock: MockClock,
) -> None:
    """A program has answered the first one, and would wait for a word of the second."""
    async with visited() as (board, visitors):
        guest = Guest()
        visitors.arrived(guest)
        seek(board, 1, "anna")
        await trio.sleep(SETTLE_S)
        seek(board, 1, "")
        seek(board, 2, "anna")
        seek(board, 2, "anna")
        await trio.sleep(2 * PAUSE_S)
        (_, come), (_, again) = guest.told
        assert again == Noticed(come.posted, come.posted)
        seek(board, 2, "anna")
        await trio.sleep(2 * PAUSE_S)
        assert len(guest.told) == 2, "it stands as before"


async def test_who_has_a_table_is_told_nothing_and_everything_that_stands_when_it_comes_back(
    autojump_clock: MockClock,
) -> None:
    async with visited() as (board, visitors):
        guest = Guest()
        visitors.arrived(guest)
        guest.table = object()
        visitors.left(guest)
        seek(board, 1, "anna")
        await trio.sleep(2 * PAUSE_S)
        assert guest.told == []
        guest.table = None
        visitors.arrived(guest)
        assert guest.sees == {"anna"}


async def test_a_dialect_without_words_for_seeks_and_an_ended_connection_hear_nothing(
    autojump_clock: MockClock,
) -> None:
    async with visited() as (board, visitors):
        bogaprot, gone = Guest(Bogaprot()), Guest(ended=True)
        late = Guest()
        for guest in (bogaprot, gone, late):
            visitors.arrived(guest)
        late.ended = True
        seek(board, 1, "anna")
        await trio.sleep(2 * PAUSE_S)
        assert bogaprot.told == gone.told == late.told == []


async def test_a_flood_of_seeks_is_a_page_and_five_changes_a_second_to_a_visitor(autojump_clock: MockClock) -> None:
    """ "twenty seeks when you come, then five changes a second" (docs/protocols/miniature.md)."""
    async with visited() as (board, visitors):
        early, seconds = Guest(), 20
        visitors.arrived(early)
        for moment in range(100 * seconds):
            seek(board, moment % 500, f"player {moment}")
            seek(board, (moment * 7 + 3) % 500, "")
            await trio.sleep(0.01)
        late = Guest()
        visitors.arrived(late)
        assert late.changes() == PAGE
        assert early.changes() <= MOST_AT_ONCE * (seconds / PAUSE_S + 1)
        assert all(later - earlier >= PAUSE_S for (earlier, _), (later, _) in pairwise(early.told))
        assert max(len(message.posted) + len(message.removed) for _, message in early.told) <= MOST_AT_ONCE


async def test_when_a_flood_is_over_everybody_sees_the_same_page(autojump_clock: MockClock) -> None:
    async with visited() as (board, visitors):
        guest = Guest()
        visitors.arrived(guest)
        for table in range(200):
            seek(board, table, f"player {table}")
            await trio.sleep(0.05)
        for table in range(180):
            seek(board, table, "")
        await trio.sleep(30 * PAUSE_S)
        assert guest.sees == {f"player {table}" for table in range(180, 200)}


async def test_what_comes_and_goes_between_two_rounds_is_told_to_nobody(autojump_clock: MockClock) -> None:
    async with visited() as (board, visitors):
        guest = Guest()
        visitors.arrived(guest)
        seek(board, 1, "anna")
        await trio.sleep(SETTLE_S)
        seek(board, 2, "bert")
        seek(board, 2, "")
        await trio.sleep(2 * PAUSE_S)
        assert guest.sees == {"anna"}
        assert guest.changes() == 1


# news of games and people


def listener(dialect: type[Dialect] = Miniature) -> Guest:
    found = Guest(dialect())
    found.dialect.hears_tidings = True
    return found


@asynccontextmanager
async def told(*listeners: Guest) -> AsyncIterator[TidingsBoard]:
    board = TidingsBoard(lambda: visitors.stir())
    visitors = Visitors(NoticeBoard(), board, listeners, introduced)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(visitors.follow)
        yield board
        nursery.cancel_scope.cancel()


def play(board: TidingsBoard, table: int, game: str = "chess", status: Status = Status.PLAYING) -> None:
    rules = registry.game(game)
    state = replace(opened(table, rules, rules.settings(), HouseRules(), b""), status=status)
    board.report(state)


async def test_who_listens_is_told_each_game_that_its_dialect_carries_at_a_table_too_and_others_nothing(
    autojump_clock: MockClock,
) -> None:
    anna, bert, deaf, gone = listener(), listener(Ics), Guest(), listener()
    anna.table, gone.ended = object(), True
    async with told(anna, bert, deaf, gone) as board:
        play(board, 1, "go")
        await trio.sleep(SETTLE_S)
        play(board, 2)
        play(board, 2, status=Status.OVER)
        board.came("Carl")
        await trio.sleep(2 * PAUSE_S)
    (first,), (first_at,) = [[message for _, message in bert.news]], [[at for at, _ in anna.news]]
    assert [(game.table, game.change) for message in first for game in message.games] == [(2, "begins"), (2, "ends")]
    assert [message.came for message in first] == [(ListedPerson("Carl"),)]
    assert anna.news == bert.news, "neither plays go by its dialect"
    assert deaf.news == gone.news == []
    assert first_at[0] >= PAUSE_S


async def test_a_flood_of_news_comes_in_rounds_of_bounded_length_and_is_whole_in_the_end(
    autojump_clock: MockClock,
) -> None:
    anna = listener()
    async with told(anna) as board:
        for table in range(5 * MOST_NEWS):
            play(board, table)
            board.came(f"player {table}")
        await trio.sleep(10 * PAUSE_S)
    assert [len(message.games) for _, message in anna.news] == [MOST_NEWS] * 5
    assert [len(message.came) for _, message in anna.news] == [MOST_NEWS] * 5
    assert all(later - earlier >= PAUSE_S for (earlier, _), (later, _) in pairwise(anna.news))


async def test_news_is_kept_for_nobody(autojump_clock: MockClock) -> None:
    late = listener()
    late.dialect.hears_tidings = False
    async with told(late) as board:
        play(board, 1)
        await trio.sleep(2 * PAUSE_S)
        late.dialect.hears_tidings = True
        play(board, 2)
        await trio.sleep(2 * PAUSE_S)
    assert [game.table for _, message in late.news for game in message.games] == [2]
