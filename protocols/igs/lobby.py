"""Matches: games that people offer each other by name, told and taken by the same words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Inquire, Join, Offer, Propose, Take, Withdraw
from protocols.core.proposals import Start
from protocols.igs import words
from protocols.igs.desk import INFO, Desk
from protocols.igs.lists import Lists
from protocols.igs.reading import Match, read_match, read_nmatch

GAME: Final = "go"
STANDS: Final = 60
"""Minutes that an offer stands, unless its maker goes."""

BOT: Final = re.compile(r"bot|[a-z]+:[0-9]{1,2}", re.IGNORECASE)
"""A house bot, and how well it plays."""


class Lobby:
    """``called`` is the game that has come of an offer last."""

    def __init__(self, desk: Desk, lists: Lists) -> None:
        self._desk = desk
        self._lists = lists
        self._stand: dict[int, ntf.ListedOffer] = {}
        self._waiting: list[ntf.Notice] = []
        self.called: ntf.Called | None = None

    # what stands

    def look(self) -> list[Command]:
        """Ask which offers stand by now, where some are to the peer or its own."""
        return [Inquire("offers")] if any(map(self._named, self._stand.values())) else []

    def _named(self, one: ntf.ListedOffer) -> bool:
        return bool(one.to)

    def _mine(self, one: ntf.ListedOffer) -> bool:
        return one.by == self._desk.name

    def answered(self, message: ntf.Answered) -> None:
        """The offers that stand have come, or word that they have changed."""
        if message.offers is None:
            self._desk.asks.append(Inquire("offers"))
            return
        before = self._stand
        self._stand = {one.number: one for one in message.offers if words.carries(one.settings)}
        for number in before.keys() - self._stand.keys():
            self._gone(before[number])
        for number in self._stand.keys() - before.keys():
            one = self._stand[number]
            self._desk.rate(one.by, one.rating, account=one.account)
            if one.to and not self._mine(one):
                self._requested(one)
        for waits in self._waiting if self._stand.keys() - before.keys() else ():
            self._meet(waits)

    def _requested(self, one: ntf.ListedOffer) -> None:
        desk, who = self._desk, self._desk.alias(one.by)
        size, (minutes, _) = one.settings.width, words.minutes(one.settings)
        side = None if one.side is None else 1 - one.side
        colour = "" if one.side is None else f" as {words.COLOURS[one.side]}"
        desk.tell(INFO, f"Match [{size}x{size}] in {minutes} minutes requested with {who}{colour}.")
        desk.tell(INFO, f"Use <{words.match_words(one.settings, who, side)}> or <decline {who}> to respond.")

    def _gone(self, one: ntf.ListedOffer) -> None:
        if not one.to or (self.called is not None and self.called.table == one.number):
            return
        if self._mine(one):
            self._desk.tell(INFO, f"{self._desk.alias(one.to)} declines your request for a match.")
        else:
            self._desk.tell(INFO, f"{self._desk.alias(one.by)} withdraws the match offer.")

    def noticed(self, message: ntf.Noticed) -> None:
        """Players have come to wait at tables, or wait no more."""
        self._waiting = [one for one in self._waiting if one not in message.removed]
        for one in message.posted:
            if one.game == GAME and not one.start.confirms:
                self._waiting.append(one)
                self._meet(one)

    def _meet(self, waits: ntf.Notice) -> None:
        """Sit down with a player who was asked for a match, and waits at a table for the same."""
        for mine in self._picked("", mine=True):
            settings, side = waits.start.settings, waits.start.side
            fits = settings is not None and words.same(settings, mine.settings) and (side is None or side != mine.side)
            if mine.to.casefold() == waits.name.casefold() and fits:
                self._desk.asks += [*self._without([mine]), *self._beside(waits, Start(mine.settings, mine.side))]
                return

    # what is asked

    def match(self, rest: str) -> list[Command]:
        """Ask somebody for a game, or take theirs where it is the same."""
        if rest and " " not in rest and (table := self._lists.waits_with(self._desk.meant(rest))) is not None:
            return self.sit(table)
        return self._match(read_match(rest, self._desk.usual))

    def nmatch(self, rest: str) -> list[Command]:
        return self._match(read_nmatch(rest, self._desk.usual))

    def _match(self, wanted: Match) -> list[Command]:
        if BOT.fullmatch(wanted.to):
            wishes = (("against", wanted.to),)
            join = Join(GAME, self._desk.name, wishes=wishes, ready=False, settings=wanted.start.settings)
            return [join, Propose(wanted.start)]
        name = self._desk.meant(wanted.to)
        if name.casefold() == self._desk.name.casefold():
            raise ValueError("You can't match yourself.")
        self.called = None
        if (taken := self._fitting(name, wanted.start)) is not None:
            side = wanted.start.side if taken.side is None else None
            return [Take(taken.number, side=side, name=self._desk.name)]
        waits = [one for one in self._waiting if one.name.casefold() == name.casefold()]
        return self._beside(waits[-1], wanted.start) if waits else self._request(name, wanted.start)

    def _beside(self, waits: ntf.Notice, start: Start) -> list[Command]:
        """Sit down with a player who waits at a table; or say for which game."""
        theirs, settings = waits.start, waits.start.settings
        assert start.settings is not None
        if settings is None or not words.carries(settings):
            return self._request(waits.name, start)
        side = start.side if theirs.side is None else 1 - theirs.side
        if not words.same(settings, start.settings) or start.side not in (None, side):
            who = self._desk.alias(waits.name)
            self._desk.tell(INFO, f"{who} waits for another game. Use <{words.match_words(settings, who, side)}>.")
            return []
        wishes = (("opponent", waits.name),)
        join = Join(GAME, self._desk.name, wishes=wishes, ready=False, settings=settings, side=side)
        return [join, Propose(Start(settings, side))]

    def _fitting(self, name: str, start: Start) -> ntf.ListedOffer | None:
        """The newest offer of this player that the peer's words take."""
        assert start.settings is not None
        theirs = [one for one in self._stand.values() if one.by.casefold() == name.casefold()]
        for one in reversed(theirs):
            sides = one.side is None or start.side is None or one.side != start.side
            if sides and words.same(one.settings, start.settings):
                return one
        return None

    def _request(self, name: str, start: Start) -> list[Command]:
        desk = self._desk
        settings = start.settings
        assert settings is not None
        mine = [one for one in self._stand.values() if self._mine(one) and one.to.casefold() == name.casefold()]
        before = self._without(mine)

        def sent() -> None:
            if self.called is None:
                colour = "" if start.side is None else f" as {words.COLOURS[start.side]}"
                desk.tell(
                    INFO, f"Requesting match in {words.minutes(settings)[0]} min with {desk.alias(name)}{colour}."
                )

        desk.finish = sent
        return [*before, Offer(start, name, STANDS, desk.name), Inquire("offers")]

    def _picked(self, rest: str, *, mine: bool) -> list[ntf.ListedOffer]:
        """The named offers that the peer has made, or those made to it; of or to one player only, where one is said."""
        name = self._desk.meant(rest).casefold()
        found = [one for one in self._stand.values() if one.to and self._mine(one) == mine]
        return [one for one in found if not rest or (one.to if mine else one.by).casefold() == name]

    def accept(self, rest: str) -> list[Command] | None:
        """Take the newest match that was asked for; None: none was."""
        found = self._picked(rest, mine=False)
        self.called = None
        return [Take(found[-1].number, name=self._desk.name)] if found else None

    def decline(self, rest: str) -> list[Command] | None:
        """None: nobody has asked for a match."""
        found = self._picked(rest, mine=False)
        for one in found:
            self._desk.tell(INFO, f"You decline the match offer from {self._desk.alias(one.by)}.")
        return self._without(found) or None

    def withdraw(self, rest: str) -> list[Command] | None:
        """None: the peer has asked for no match."""
        found = self._picked(rest, mine=True)
        for one in found:
            self._desk.tell(INFO, f"You withdraw the match offer to {self._desk.alias(one.to)}.")
        return self._without(found) or None

    def _without(self, offers: Sequence[ntf.ListedOffer]) -> list[Command]:
        for one in offers:
            del self._stand[one.number]
        return [Withdraw(one.number) for one in offers]

    def sit(self, table: ntf.ListedTable) -> list[Command]:
        """Sit down at the own seat of a game that waits."""
        return [Join(GAME, table=table.table)]

    def returns(self) -> None:
        """Go back to the own seat in a game that waits; tell of others that do."""
        desk, table = self._desk, self._lists.to_return_to()
        if table is not None:
            desk.asks += self.sit(table)
        for one in self._lists.kept:
            other = next((name for name in one.names if name.casefold() != desk.name.casefold()), "")
            if one is not table:
                desk.tell(INFO, f"A game of yours waits, [{one.table}]: load {desk.alias(other)}")

    def load(self, rest: str) -> list[Command]:
        """Go on with a game that waits: the newest, or that with a player."""
        desk, name = self._desk, self._desk.meant(rest)
        if not desk.account:
            raise ValueError("You have no stored games.")

        def found() -> None:
            table = self._lists.waits_with(name) if rest else next(reversed(self._lists.kept), None)
            if table is None:
                desk.refuse("There is no such game." if rest else "You have no stored games.")
            else:
                desk.asks += self.sit(table)

        desk.finish = found
        return [Inquire("kept", desk.name)]

    def seat(self, rest: str) -> list[Command]:
        """Take the seat that a ticket stands for."""
        if not rest or " " in rest:
            raise ValueError("which seat? seat TICKET")
        return [Join(GAME, self._desk.name, rest, kept=True)]

    def call(self, message: ntf.Called) -> None:
        """A game comes of an offer: the peer goes to its table."""
        self.called = message
        self._stand.pop(message.table, None)
        self._desk.tells_ticket(message.join.ticket)
        self._desk.later += [message.join, Propose(message.start)]
