"""Draws the rounds of engines that wait at this node's lobby, and brings each pair to one table.

The lobby keeps such engines apart until a round has paired two. People, house bots and engines of other dialects sit
down with them at any time.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.config import Config
from gateway.lobby.lobby import Lobby
from gateway.lobby.party import Party
from gateway.lobby.rounds import Rounds, Waits
from gateway.ratings.glicko2 import START
from gateway.ratings.known import Key
from gateway.ratings.pools import Player, pool_of
from gateway.store.rating_views import RatingViews
from gateway.tables.rematching import Rematching
from protocols.core.model import Settings

RESTS: Final = 4
"""Rounds that two who met last have waited through before they meet again."""


class RoundMaster:
    """The rounds of one server, one every ``round_s`` seconds. Only those who wait at this node's lobby are in them."""

    def __init__(self, lobby: Lobby, rematching: Rematching, round_s: float) -> None:
        self._lobby = lobby
        self._rematching = rematching
        self._round_s = round_s
        self._rounds = Rounds(random.random)
        self._waited: dict[int, tuple[str, int]] = {}  # connection -> its name, and the rounds that it has waited

    def reread(self, config: Config) -> None:
        """Draw rounds as often as these settings say, from the next one on."""
        self._round_s = config.seats.round_s

    async def run(self, views: RatingViews) -> None:
        """Draw rounds until cancelled."""
        while True:
            await trio.sleep(self._round_s)
            found: dict[Settings, dict[int, tuple[int, Party]]] = defaultdict(dict)
            for table, party in self._lobby.waiting.in_rounds():
                if party.offer is not None and party.offer.settings is not None:
                    found[party.offer.settings][party.number] = table, party
            paired: set[int] = set()
            for settings, waiting in found.items():
                paired |= await self._draw(settings, waiting, views)
            self._note(found, paired)

    async def _draw(self, settings: Settings, waiting: Mapping[int, tuple[int, Party]], views: RatingViews) -> set[int]:
        """One round of those who wait for a game with these settings: the numbers of all that are paired."""
        if len(waiting) < 2:
            return set()
        keys = {
            number: key for number, (_, party) in waiting.items() if (key := rating_key(settings, party)) is not None
        }
        try:
            found = await trio.to_thread.run_sync(views.standings, list(keys.values()), abandon_on_cancel=True)
        except SQLAlchemyError:  # the rater says so; a round without ratings is one of chance
            found = {}
        ratings = {number: found[key].rating for number, key in keys.items() if key in found}
        drawn = [
            Waits(number, party.name, ratings.get(number, START.rating), self._rests(number), party.blocks)
            for number, (_, party) in waiting.items()
        ]
        pairs = self._rounds.drawn(drawn)
        for one, other in pairs:
            (table, first), (_, second) = waiting[one.number], waiting[other.number]
            first.paired, second.paired = second.number, first.number
            self._rematching.look_around(table)
        return {each.number for pair in pairs for each in pair}

    def _rests(self, number: int) -> bool:
        return self._waited.get(number, ("", 0))[1] >= RESTS

    def _note(self, found: Mapping[Settings, Mapping[int, tuple[int, Party]]], paired: set[int]) -> None:
        """A player who waits has waited one round more; one that found a game without a round has met somebody else."""
        here = {number: party.name for waiting in found.values() for number, (_, party) in waiting.items()}
        for number, (name, _) in self._waited.items():
            if number not in here:
                self._rounds.forget(name)
        self._waited = {
            number: (name, self._waited.get(number, ("", 0))[1] + 1)
            for number, name in here.items()
            if number not in paired
        }


def rating_key(settings: Settings, party: Party) -> Key | None:
    """The pool and the player of the rating of an engine, for a game with these settings among its like; None: a guest
    has none."""
    player = Player(party.name.casefold(), party.program)
    return None if party.guest else (pool_of(settings, [player, player]), player)
