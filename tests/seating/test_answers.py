"""Offers as they are listed: put together once for all who ask, and for each as it concerns it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, cast

import trio
from trio.testing import MockClock

from gateway import registry
from gateway.lobby.offers import Offer
from gateway.seating.answers import FRESH_S, Answers, Asker
from gateway.table.state import State
from protocols.core.commands import Inquire
from protocols.core.dialect import Dialect
from protocols.core.events import Event
from protocols.core.model import Settings
from protocols.core.notifications import Answered, ListedGame, Points
from protocols.ics.dialect import Ics
from protocols.igs.dialect import Igs
from tests.hall import Hall, hall

T = TypeVar("T")
CHESS: Final = registry.game("chess").settings()
GO: Final = registry.game("go").settings()


class Ratings:
    """All have the same rating, which is known from the second time on that it is asked for."""

    def __init__(self, points: int) -> None:
        self.points = points
        self.asked = 0
        self._known = False

    def at(self, state: State) -> Sequence[Points | None]:
        return self.named(None, [seat.name for seat in state.seats])

    def last(self, name: str) -> tuple[str, Points] | None:
        return None

    def named(self, settings: Settings | None, names: Sequence[str]) -> Sequence[Points | None]:
        self.asked += 1
        return [Points(self.points) if self._known else None for _ in names]

    async def settled(self, ask: Callable[[], T]) -> T:
        ask()
        self._known = True
        return ask()


@dataclass(frozen=True, slots=True)
class Peer:
    """As much of a client as an answer needs."""

    dialect: Dialect
    account: str
    number: int = 0


class NoPast:
    """Nothing has been played yet."""

    async def of(self, name: str, *, own: bool) -> list[ListedGame]:
        return []

    async def newest(self, game: str, width: int) -> list[ListedGame]:
        return []

    async def record(self, table: int) -> tuple[ListedGame, tuple[Event, ...]] | None:
        return None


def answering(here: Hall, ratings: Ratings) -> Answers:
    server = here.server
    return Answers(server.lobby, server.tables, lambda table: None, server.circle, ratings, NoPast())


def offer(number: int, by: str, settings: Settings, to: str = "") -> Offer:
    return Offer(number, by, True, settings, 0.0, 1e12, to)


async def asked(answers: Answers, name: str, kind: type[Ics] | type[Igs] = Ics) -> Answered:
    return await answers.answer(cast("Asker", Peer(kind(), name)), Inquire("offers"))


async def test_each_dialect_is_told_its_games_and_each_player_what_concerns_it(autojump_clock: MockClock) -> None:
    async with hall() as here:
        offers, found = here.server.lobby.offers, answering(here, Ratings(1500))
        offers.post(offer(1, "anna", CHESS))
        offers.post(offer(2, "bert", GO))
        offers.post(offer(3, "carl", CHESS, "dora"))
        numbers = {}
        for name, kind in (("erna", Ics), ("dora", Ics), ("carl", Ics), ("erna", Igs)):
            told = await asked(found, name, kind)
            numbers[name, kind] = [one.number for one in told.offers or ()]
            assert all("(1500)" in line for line in told.lines if "you offer" not in line)
        assert numbers == {("erna", Ics): [1], ("dora", Ics): [1, 3], ("carl", Ics): [1, 3], ("erna", Igs): [2]}
        (line,) = (await asked(found, "anna")).lines
        assert line.startswith("1: you offer everybody chess")
        (line,) = (await asked(found, "erna")).lines
        assert line.startswith("1: anna (1500) offers everybody chess")


async def test_ratings_that_change_are_told_anew_though_no_offer_does(autojump_clock: MockClock) -> None:
    async with hall() as here:
        ratings = Ratings(1500)
        found = answering(here, ratings)
        for number in range(1, 30):
            here.server.lobby.offers.post(offer(number, f"maker{number}", CHESS))
        first = await asked(found, "anna")
        count = ratings.asked
        assert [(await asked(found, name)) is first for name in ("anna", "bert")] == [True, True]
        assert ratings.asked == count
        here.server.lobby.offers.remove(7)
        second = await asked(found, "anna")
        assert first.offers is not None
        assert second.offers == first.offers[:6] + first.offers[7:]
        await trio.sleep(FRESH_S)
        assert (await asked(found, "anna")).offers == second.offers
        ratings.points = 1600
        await trio.sleep(FRESH_S)
        assert {one.rating for one in (await asked(found, "anna")).offers or ()} == {Points(1600)}
