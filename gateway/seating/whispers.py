"""Carries what is said beyond the speaker's table: to a player at any table, to a speaker without a seat, to everybody.

Whoever speaks without a seat enters (entering.py), and can be spoken to by the name that it gets. Such words are told
to one client, or to all who listen (everybody.py), and are in no record.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Final, TypeAlias

import trio

from gateway.accounts.circle import Circle
from gateway.admission.table_limits import ChatLimits
from gateway.lobby.lobby import Lobby
from gateway.lobby.names import BOTS
from gateway.lobby.spelling import tidy
from gateway.seating.entering import Entering, Speaker
from gateway.seating.everybody import Everybody
from gateway.table.decide import one_line
from gateway.table.refusals import PlayerAway, TableClosed, away
from gateway.tables.directory import Tables
from protocols.core.commands import Say
from protocols.core.errors import Refused, Why
from protocols.core.events import CHANNEL, GROUPS, Said

NO_TABLE: Final = 0
"""Stands for a table where words beyond tables are counted: by the speaker's address."""

OBSERVERS: Final = "observers"

LOOKS_ELSEWHERE: Final = 8
"""Times that an absent player is looked for where the table may be on the way to another node, which takes a moment."""

AGAIN_S: Final = 0.25
"""Seconds between two of these looks: two in all, for the speaker's next moves wait behind its words."""


Far: TypeAlias = Callable[[Said], Awaitable[bool]]
"""Says words to whoever has no seat and is called so at another node; False: nobody is. Refused: not heard."""


class Whispers:
    """One server's carrier of words beyond tables."""

    def __init__(
        self,
        lobby: Lobby,
        tables: Tables,
        entering: Entering,
        chat: ChatLimits,
        far: Far,
        circle: Circle,
        everybody: Everybody,
    ) -> None:
        self._everybody = everybody
        self._circle = circle
        self._lobby = lobby
        self._tables = tables
        self._entering = entering
        self._chat = chat
        self._far = far

    async def carry(self, speaker: Speaker, said: Say) -> Say | None:
        """Carry words that leave the speaker's table. What its table is to serve comes back, with the speaker's name.

        Refused (NOT_NOW): they are not heard; (TOO_FAST), (SYNTAX); as for any name where the speaker's is none.
        """
        table = speaker.table
        if said.to == CHANNEL:
            self._everybody.check(speaker)
        if table is None and said.to in GROUPS:
            raise Refused(Why.NOT_SEATED, "take a seat first")
        if speaker.seat is None and said.to != OBSERVERS:
            said = replace(said, name=self._called(speaker, said.name or speaker.called))
        if said.to in GROUPS:
            return said
        called = said.name if speaker.seat is None else speaker.called
        if said.to == CHANNEL:
            await self._everybody.say(speaker, called, said.text)
            return None
        spellings = _spellings(said.to)
        if table is not None and any(_is(seat.name, spellings) for seat in table.state.seats):
            return said
        await self._whisper(speaker, replace(said, name=called), spellings)
        return None

    def _called(self, speaker: Speaker, wanted: str) -> str:
        """The name of a speaker without a seat, who is told where it is another one. Refused: it may not be used."""
        before = self._lobby.here.entry(speaker.speaks_for)
        name = self._entering.enter(speaker, wanted)
        another = not wanted or tidy(wanted).casefold() != name.casefold()
        if another and (before is None or before.name != name):
            self._entering.tell(speaker, wanted, name)
        return name

    async def _whisper(self, speaker: Speaker, said: Say, spellings: tuple[str, ...]) -> None:
        self._chat.count(NO_TABLE, None, speaker.address)
        words = Said(None, said.to, one_line(said.text), said.name)
        if _is(said.name, spellings):
            raise Refused(Why.NOT_NOW, f"{said.name} is what you are called yourself")
        await self._circle.check(speaker.account, said.to)
        try:
            for name in spellings:
                if await self._to_player(replace(words, to=name)) or await self.to_visitor(replace(words, to=name)):
                    return
            for name in spellings:
                if await self._far(replace(words, to=name)):
                    return
        except Refused as refused:
            if refused.why in (Why.NOT_NOW, Why.TOO_FAST):
                raise
            raise Refused(Why.NOT_NOW, f"{said.to} cannot be told anything just now") from None
        if any(BOTS.fullmatch(name) for name in spellings):
            raise Refused(Why.NOT_NOW, f"{said.to} is a house bot and does not talk")
        raise Refused(Why.NOT_NOW, f"nobody called {said.to[:40]!r} is here")

    async def _to_player(self, words: Said) -> bool:
        """Say it to the player of that name; False: no player is called so.

        Refused (NOT_NOW): the player is away, or cannot be told.
        """
        for _ in range(LOOKS_ELSEWHERE if self._tables.elsewhere().several else 1):
            tables = self._lobby.tables_of(words.to)
            for number in (number for number, here in tables if here):
                if await self._at_table(number, words):
                    return True
            if not tables:
                return False
            if self._tables.elsewhere().several:
                await trio.sleep(AGAIN_S)  # its table may be on the way from one node to another
        raise away(words.to)

    async def _at_table(self, number: int, words: Said) -> bool:
        """Say it to the player at this table; False: it is not there. Refused (NOT_NOW): it cannot be told."""
        try:
            await self._tables.asked(number).whisper(words)
        except (TableClosed, PlayerAway):
            return False
        return True

    async def to_visitor(self, words: Said) -> bool:
        """Say it to all clients that are here by that name; False: there are none. Refused: none of them hears it."""
        refusals = []
        clients = self._entering.clients(words.to)
        for client in clients:
            try:
                await client.hears(words)
            except Refused as refused:
                refusals.append(refused)
        if refusals and len(refusals) == len(clients):
            raise refusals[0]
        return bool(clients)


def _spellings(name: str) -> tuple[str, ...]:
    """The names that may be meant: dialects of words write blanks as "_"."""
    said = tidy(name)
    return tuple(dict.fromkeys((said, said.replace("_", " "))))


def _is(name: str, spellings: Iterable[str]) -> bool:
    return name.casefold() in (spelled.casefold() for spelled in spellings)
