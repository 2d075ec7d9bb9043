"""Answers what a client asks the server in words: who is here, which tables there are, what is kept for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol, TypeVar

import trio

from gateway.accounts.circle import Circle
from gateway.lobby.here import Person, everybody, person
from gateway.lobby.lobby import Lobby
from gateway.lobby.names import check
from gateway.lobby.offers import Offer, in_line
from gateway.lobby.party import same_name
from gateway.lobby.table_words import at_no_table_line, kept_line, past_line, people_line, table_line
from gateway.ratings.known import in_words
from gateway.table.state import State, Status, attended
from gateway.tables.directory import Tables
from gateway.tables.seams import Subscriber
from protocols.core.commands import Inquire
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, Why
from protocols.core.events import Event
from protocols.core.model import Settings
from protocols.core.notifications import Answered, ListedGame, ListedOffer, ListedPerson, ListedTable, Points
from protocols.core.numbers import whole

T = TypeVar("T")

MOST_SHOWN: Final = 20
"""Lines of an answer: what fits a terminal."""

MOST_LISTED: Final = 200
"""Tables, or offers, of an answer as data."""

FRESH_S: Final = 1.0
"""Seconds for which an answer on offers is used again, if none has come or gone: ratings may have changed since."""

DIGITS: Final = 15
"""Of a table's number."""


class Asker(Subscriber, Protocol):
    """A client that asks, as an ``account`` ("" a guest)."""

    account: str


class Past(Protocol):
    """Games that have ended (gateway/ops/past_games.py)."""

    async def of(self, name: str, *, own: bool) -> list[ListedGame]:
        """The newest ones of an account, the oldest first."""

    async def newest(self, game: str, width: int) -> list[ListedGame]:
        """The newest ones of a game on boards of this width, 0 any, the oldest first."""

    async def record(self, table: int) -> tuple[ListedGame, tuple[Event, ...]] | None:
        """The last one of a table, and its events; None without one that strangers may see."""


class Ratings(Protocol):
    """Ratings beside names (gateway/ops/seat_ratings.py)."""

    def at(self, state: State) -> Sequence[Points | None]:
        """The ratings of those who sit at a table, by seat; None for a guest, and where it is not known."""

    def named(self, settings: Settings | None, names: Sequence[str]) -> Sequence[Points | None]:
        """The ratings of accounts of these names, "" none, who play or would play such a game."""

    def last(self, name: str) -> tuple[str, Points] | None:
        """The pool that an account of this name has played in last, and its rating there; None without one."""

    async def settled(self, ask: Callable[[], T]) -> T:
        """The answer of ``ask`` by these ratings; it is asked once more if some had to be read."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """An answer made of ``offers``, good until then; ``shown`` are those it has lines of, beside their ``ratings``."""

    offers: tuple[Offer, ...]
    until: float
    shown: tuple[Offer, ...]
    ratings: tuple[str, ...]
    answer: Answered


class Answers:
    """The answers of one server; ``state_of`` are tables of other nodes, as far as is heard of them."""

    def __init__(
        self,
        lobby: Lobby,
        tables: Tables,
        state_of: Callable[[int], State | None],
        circle: Circle,
        ratings: Ratings,
        past: Past,
    ) -> None:
        self._past = past
        self._circle = circle
        self._ratings = ratings
        self._lobby = lobby
        self._tables = tables
        self._state_of = state_of
        self._onlooking: tuple[tuple[str, ...], tuple[ListedPerson, ...]] = (), ()

    async def answer(self, asker: Asker, asked: Inquire) -> Answered:
        """Lines for a person; of people and tables the newest last."""
        if asked.topic == "moves":
            return Answered(_legal_moves(asker), asked.topic)
        if asked.topic == "time":
            return Answered((datetime.now(UTC).strftime("%a %b %d, %H:%M UTC %Y"),), asked.topic)
        if asked.topic == "history":
            return await self._history(asker, asked.name)
        if asked.topic == "observers":
            return await self._observers(asker, asked.name)
        if asked.topic == "ended":
            return await self._ended(asker, asked.name, asked.width)
        if asked.topic == "record":
            return await self._record(asked.name)
        await self._tables.recovery.until(lambda: False)  # names, and who waits, are anywhere in it
        if asked.topic == "kept":
            return await self._kept(asker, asked.name)
        if asked.topic == "offers":
            apart = (await self._circle.blocks(asker.account)).apart
            return await self._offers(asker, apart)
        known = [number for number, _ in self._lobby.people()]
        states = [state for number in known if (state := self._running(number)) is not None]
        public = [state for state in states if not state.house.private]
        ratings = await self._ratings.settled(lambda: [self._ratings.at(state) for state in public])
        line = people_line if asked.topic == "who" else table_line
        shown = [line(state, [in_words(each) for each in found]) for state, found in zip(public, ratings, strict=True)]
        people: list[Person] = []
        if asked.topic == "who":
            now = time.time()
            people = everybody(states, self._lobby.here, self._lobby.names)
            shown = [*(at_no_table_line(one, now) for one in people if one.doing == "lobby" and not one.tables), *shown]
        shown = shown[-MOST_SHOWN:] or ["nobody is here"]
        resting = len(known) - len(states)
        lines = (f"tables kept for players who are not here: {resting}", *shown) if resting else tuple(shown)
        if asked.topic == "who":
            listed = await self._ratings.settled(lambda: tuple(map(self._person, people)))
            return Answered(lines, asked.topic, people=listed)
        tables = zip(public, ratings, strict=True)
        mine = [_listed(state, found) for state, found in tables if asker.dialect.can_play(state.game.name)]
        return Answered(lines, asked.topic, tuple(mine[-MOST_LISTED:]))

    async def introduced(self, names: Sequence[str]) -> tuple[ListedPerson, ...]:
        """People of these names, who have just come, as a list of all who are here has them."""
        found = [self._newcomer(name) for name in names]
        return await self._ratings.settled(lambda: tuple(map(self._person, found)))

    def _newcomer(self, name: str) -> Person:
        at = [state for number, _ in self._lobby.tables_of(name) if (state := self._running(number)) is not None]
        plays = any(state.status is Status.PLAYING for state in at)
        bot = any(entry.bot for entry in self._lobby.here.of(name))
        return person(name, self._lobby.here, self._lobby.names, "plays" if plays else "lobby", bot=bot)

    async def _history(self, asker: Asker, name: str) -> Answered:
        found = await self._past.of(name, own=bool(asker.account) and same_name(asker.account, name))
        mine = tuple(game for game in found if asker.dialect.can_play(game.settings.game))
        lines = tuple(past_line(game) for game in found) or (f"{name} has finished no games",)
        return Answered(lines, "history", games=mine)

    async def _observers(self, asker: Asker, named: str) -> Answered:
        """The observers of a table by its number, or of the newest where a player of this name sits.

        Refused (NOT_NOW): there is none, or it is private and none of the asker's.
        """
        table = whole(named, DIGITS)
        number = self._lobby.table_of(named) if table is None else table
        state = None if number is None else self._running(number)
        if state is None or not asker.dialect.can_play(state.game.name) or not _may_see(asker, state):
            raise Refused(Why.NOT_NOW, f"there is no game {named[:40]!r}")
        there = await self._tables.attendance(state.table)
        listed = (_listed(state, [None] * len(state.seats)),)
        words = " and ".join(there.names[:MOST_SHOWN]) or "nobody"
        lines = (f"table {state.table} has {there.watching} observers: {words}",)
        people = self._onlookers(there.names)
        return Answered(lines, "observers", listed, people=people, watching=there.watching)

    def _onlookers(self, names: tuple[str, ...]) -> tuple[ListedPerson, ...]:
        """The observers of these names. The last ones are remembered: programs of all of them ask after each word."""
        if names != self._onlooking[0]:
            known = self._lobby.names
            accounts = ((name, known.is_account(name)) for name in names)
            found = (ListedPerson(name, account, bot=account and known.is_bot(name)) for name, account in accounts)
            self._onlooking = names, tuple(found)
        return self._onlooking[1]

    async def _ended(self, asker: Asker, name: str, width: int) -> Answered:
        found = await self._past.newest(name, width) if asker.dialect.can_play(name) else []
        return Answered(tuple(map(past_line, found[-MOST_SHOWN:])), "ended", games=tuple(found))

    async def _record(self, name: str) -> Answered:
        """The last game that has ended at a table. Refused: there is none that anybody may see."""
        number = whole(name, DIGITS)
        found = None if number is None else await self._past.record(number)
        if found is None:
            raise Refused(Why.NOT_NOW, f"no game that is over at table {name!r}")
        return Answered((past_line(found[0]),), "record", games=found[:1], past=found[1])

    def _person(self, one: Person) -> ListedPerson:
        rating = self._ratings.last(one.name)
        points = None if rating is None else rating[1]
        how = one.doing == "plays", one.idle is not None, one.challenges
        return ListedPerson(one.name, one.account, points, one.bot, *how)

    async def _offers(self, asker: Asker, apart: frozenset[str]) -> Answered:
        """The offers that the asker may take, who is ``apart`` from these, and its own.

        Many programs ask every few seconds. What is for everybody is put together once a second for all of them, of the
        same objects as before where nothing has changed.
        """
        entry = self._lobby.here.entry(asker.number)
        name = asker.account if entry is None else entry.name
        found = self._lobby.offers.shown_to(name, apart)
        kind = asker.dialect if isinstance(asker.dialect, type) else type(asker.dialect)
        now = trio.current_time()
        made = self._lobby.offers.made
        known = last if isinstance(last := made.get(kind), _Standing) else None
        if known is None or known.offers is not found or now >= known.until:
            before = () if known is None else known.answer.offers or ()
            known = await self._ratings.settled(lambda: self._standing(kind, found, before, now + FRESH_S))
            still = self._lobby.offers.shown_to(name, apart) is found
            if still and found and not apart and not any(offer.to for offer in found):
                made[kind] = known
        if not any(offer.to or same_name(offer.by, name) for offer in known.shown):
            return known.answer
        lines = tuple(in_line(offer, name, words) for offer, words in zip(known.shown, known.ratings, strict=True))
        return Answered(lines, "offers", offers=known.answer.offers)

    def _standing(
        self, kind: type[Dialect], found: tuple[Offer, ...], before: Sequence[ListedOffer], until: float
    ) -> _Standing:
        """An answer for peers of this dialect; ``before`` is what some of them were told last."""
        known = {offer.number: offer for offer in before}
        mine = [offer for offer in found if kind.can_play(offer.settings.game)][-MOST_LISTED:]
        ratings = [self._ratings.named(offer.settings, [offer.by])[0] for offer in mine]
        new = [self._offered(offer, points) for offer, points in zip(mine, ratings, strict=True)]
        listed = tuple(old if (old := known.get(one.number)) == one else one for one in new)
        shown, words = tuple(mine[-MOST_SHOWN:]), tuple(map(in_words, ratings[-MOST_SHOWN:]))
        lines = tuple(in_line(offer, "", points) for offer, points in zip(shown, words, strict=True))
        answer = Answered(lines or ("nothing is offered",), "offers", offers=listed)
        return _Standing(found, until, shown, words, answer)

    def _offered(self, offer: Offer, points: Points | None) -> ListedOffer:
        bot = any(entry.bot for entry in self._lobby.here.of(offer.by))
        return ListedOffer(offer.number, offer.by, offer.settings, offer.to, offer.side, points, bot, offer.account)

    def _running(self, table: int) -> State | None:
        """A table of any node where somebody is."""
        if (own := self._tables.get(table)) is not None:
            return own.state
        state = self._state_of(table)
        return state if state is not None and attended(state) else None

    async def _kept(self, asker: Asker, name: str) -> Answered:
        """The newest seats that wait for a player of this name, and how its wire presents their tickets. To an account
        its tables are listed, those where another client of its own sits, too.

        Refused: no player may be called so.
        """
        check(name, guest=not asker.account)
        shown = []
        for number, seat in self._lobby.kept(name)[-MOST_SHOWN:]:
            table = await self._tables.find(number)
            if table is None or not asker.dialect.can_play(table.state.game.name):
                continue
            if not table.state.house.private:
                how = asker.dialect.ticket_words.format(game=table.state.game.name, name=name, ticket="TICKET")
                shown.append(f"{kept_line(table.state, seat)}; its ticket takes it back: {how}")
        own = bool(asker.account) and same_name(asker.account, name)
        listed = [_listed(state, self._ratings.at(state)) for state in await self._own(asker)] if own else []
        return Answered(tuple(shown), "kept", tuple(listed))

    async def _own(self, asker: Asker) -> list[State]:
        """The newest tables where the asker's account has a seat and the game is not over, the oldest first; without
        the one where the asker sits."""
        at = None if asker.table is None else asker.table.state.table
        found = []
        for number, _ in reversed(self._lobby.tables_of(asker.account)[:MOST_SHOWN]):
            state = self._running(number)
            if state is None and (table := await self._tables.find(number)) is not None:
                state = table.state
            mine = state is not None and number != at and asker.dialect.can_play(state.game.name)
            if state is not None and mine and state.status not in (Status.OVER, Status.CLOSED):
                found.append(state)
        return found


def _may_see(asker: Asker, state: State) -> bool:
    """True if the asker may look on at a table, or is there."""
    at = None if asker.table is None else asker.table.state.table
    return not state.house.private or bool(state.house.watched) or at == state.table


def _legal_moves(asker: Asker) -> tuple[str, ...]:
    """The legal moves at the asker's table. Refused: it is at none."""
    if asker.table is None:
        raise Refused(Why.NOT_SEATED, "take a seat first")
    state = asker.table.state
    if state.turn is None:
        return ()
    return tuple(state.game.notation(state.position, move) for move in state.game.legal_moves(state.position))


def _listed(state: State, ratings: Sequence[Points | None]) -> ListedTable:
    names = tuple(seat.name for seat in state.seats)
    playing, adjourned = state.status is not Status.OPEN, state.status is Status.ADJOURNED
    text = "" if state.position is None else state.game.brief(state.position)  # what is heard of other nodes has none
    return ListedTable(state.table, state.settings, playing, names, tuple(ratings), text, state.clock, adjourned)
    playing, adjourned, over = (
        state.status is not Status.OPEN,
        state.status is Status.ADJOURNED,
        state.status is Status.OVER,
    )
    text = state.game.brief(state.position) if playing else ""
    return ListedTable(state.table, state.settings, playing, names, tuple(ratings), text, state.clock, adjourned, over)
