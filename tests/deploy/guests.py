"""Clients of the Bogaprot document: two who dial again when they were lost, and one who plays against a house bot."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from secrets import token_urlsafe
from typing import Final

from tests.conformance.brains import Brain, settings
from tests.conformance.players import SpecPlayer
from tests.conformance.playing import Table
from tests.conformance.spec_client import SpecClient

BOGAPROT: Final = 5700
SECRET: Final = "a-secret-that-{}-has-brought"
Network = Callable[[], AbstractContextManager[None]]


class Couple:
    """A game of checkers between two, who hear who is to move after each call. They dial from ``network``."""

    def __init__(self, network: Network, *names: str) -> None:
        self._network, self._names = network, names
        self._table = Table(*self._dial())
        self._table.listen()

    def play(self, moves: int) -> None:
        self._table.play(moves)
        self._table.listen()

    def come_back(self) -> None:
        """Both dial again, and are told the board they had and who is to move."""
        old = [self._table.players[seat] for seat in (0, 1)]
        for player in old:
            player.close()
        back = self._dial()
        for player, before in zip(back, old, strict=True):
            assert isinstance(before, SpecPlayer)
            assert player.come_back(before) == self._table.asked
        self._table.players = dict(enumerate(back))

    def finish(self) -> None:
        self._table.finish()

    def leave(self) -> None:
        for player in self._table.players.values():
            player.close()

    def _dial(self) -> list[SpecPlayer]:
        with self._network():
            return [
                SpecPlayer(BOGAPROT, settings("checkers"), f"Checkers?name={name}#{SECRET.format(name)}", seed=seed)
                for seed, name in enumerate(self._names, 1)
            ]


class Opponent:
    """Somebody who plays against the house, moves first, and does not come back."""

    def __init__(self, network: Network, game: str, name: str, **wishes: int) -> None:
        wished = "".join(f"{key}={value}&" for key, value in wishes.items())
        with network():
            self.client = SpecClient(BOGAPROT, Brain(settings(game)).usual)
        engine = f"{game}?{wished}against=bot&name={name}#{token_urlsafe()}"
        assert self.client.handshake(engine) == ("RSP_HANDSHAKE", 0)
        self.client.until("REQ_MOVE")

    def moves(self, source: int, target: int) -> None:
        """It is the house's turn after that."""
        self.client.move(source, target)
        assert self.client.until("RSP_MOVE") == ("RSP_MOVE", 0)
        assert self.client.until("REQ_MOVE") == ("REQ_MOVE", 1)

    def is_answered(self) -> None:
        """The house makes a move, and waits for the next."""
        assert self.client.until("REQ_MOVE") == ("REQ_MOVE", 0)
