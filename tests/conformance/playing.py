"""A table of players driven to the end, and what must hold there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gateway.record import audit
from gateway.store.views import Views
from tests.conformance.players import Player

LONGEST_GAME: Final = 2000
"""Moves: a game of these players is over long before."""


class Table:
    """Players of one game, who take turns as the server says; on seats of ``bots`` the server plays by itself.

    ``asked`` is who is to move, None until all have heard.
    """

    def __init__(self, *players: Player, bots: Sequence[int] = ()) -> None:
        self.players = {player.seat: player for player in players}
        if len(self.players) < len(players):  # one has heard already that seats turned, another has not
            self.players = dict(enumerate(players))
        self._bots = bots
        self.asked: int | None = None
        self.over = False

    def listen(self) -> None:
        """Everybody listens; all must hear the same seat asked to move, or all that the game is over."""
        players = list(self.players.values())
        turns = {player.turn() for player in players}
        self.players = {player.seat: player for player in players}  # seats may have turned when the game began
        assert sorted([*self.players, *self._bots]) == list(range(len(players) + len(self._bots)))
        assert len(turns) == 1, f"the players do not agree on whose turn it is: {turns}"
        self.asked = turns.pop()
        self.over = self.asked is None

    def play(self, moves: int) -> None:
        """So many moves, fewer if the game ends; nobody has listened after the last of them."""
        for _ in range(moves):
            while self.asked is None and not self.over:
                self.listen()
                if self.asked in self._bots:
                    self.asked = None
            if self.asked is None:
                return
            untold = self.players[self.asked].move()
            self.asked = None
            if untold is not None:
                for player in self.players.values():
                    player.watched(untold)

    def finish(self) -> None:
        """To the end, which everybody must have seen coming and been told; then all hang up."""
        self.play(LONGEST_GAME)
        assert self.over
        players = list(self.players.values())
        outcome = players[0].brain.outcome
        assert outcome is not None
        assert [player.brain.outcome for player in players] == [outcome] * len(players)
        assert {player.winner for player in players} == {outcome.winner}
        assert len({player.brain.plies for player in players}) == 1
        for player in players:
            player.close()


def assert_newest_record_is_whole(data: Path, moves: int) -> None:
    """The record of the table opened last is one chain, its moves legal, its dice honest, and has so many moves."""
    views = Views(f"sqlite:///{data / 'boardgate.db'}")
    try:
        newest = views.tables(limit=1)[0].table
        report = audit.verify(newest, views.rows(newest))
    finally:
        views.close()
    assert report.defect is None
    assert (report.games, report.moves, report.unproved) == (1, moves, 0)
