"""Follows a table's record over the JSON API, beside the page that shows it: what a page shows must be this."""

from __future__ import annotations

import random
import time
from collections import deque
from typing import Any, Final

from gateway.bots.chooser import choose
from protocols.core.model import Move, Settings
from tests.conformance.brains import Brain
from tests.conformance.host import Host

THOUGHT_S: Final = 0.02
"""Seconds of thought for a move: enough to win soon against one who plays at random."""


class Record(Brain):
    """A brain that knows the game from the table's events. It plays well, so that games are short.

    ``winner`` is the seat that the server named at the end, ``over`` whether it has; ``counting``: play has stopped.
    ``made`` are the moves, each behind the seat whose it is.
    """

    def __init__(self, port: int, table: int, settings: Settings, seed: int = 1) -> None:
        super().__init__(settings, seed)
        self.table = table
        self.winner: int | None = None
        self.over = False
        self.counting = False
        self.made: list[tuple[int, Move]] = []
        self._host = Host(port)
        self._next = 0
        self._waiting = deque[dict[str, Any]]()
        self._told = 0
        """The start of the game and the moves that were read."""
        self._chance = random.Random(seed)

    def read_on(self) -> int | None:
        """Read to the next turn that begins: whose; None when the game is over, or has stopped to be counted.

        After a move it is the next turn.
        """
        told, self.counting = self._told, False
        while not (self.over or self.counting or (self._turns() and self._told > told)):
            self._hear(self._event())
        return None if self.over or self.counting else int(str(self.turn))

    def choose(self, *, may_pass: bool = True) -> Move:
        return choose(self.game, self.position, 1, THOUGHT_S, time.monotonic, self._chance)

    def _turns(self) -> bool:
        return self.outcome is None and isinstance(self.turn, int)

    def _event(self) -> dict[str, Any]:
        while not self._waiting:
            status, answer = self._host.ask(f"/api/tables/{self.table}/events?after={self._next}&wait=20")
            assert status == 200, answer
            assert answer["events"], f"nothing happens at table {self.table} after {self._next}"
            self._waiting.extend(answer["events"])
            self._next = answer["next"]
        return self._waiting.popleft()

    def _hear(self, event: dict[str, Any]) -> None:
        match event["kind"], event["body"]:
            case "GameStarted", _:
                self._told += 1
            case "DiceRolled", {"value": int(value)}:
                self.roll([], value)
            case "MoveMade", {"seat": int(seat), "move": {"source": source, "target": target, "piece": piece}}:
                self.made.append((seat, Move(source, target, piece)))
                self.play(self.made[-1][1])
                self._told += 1
            case "GameSettling", _:
                self.counting = True
            case "GameEnded", {"outcome": {"winner": winner}}:
                self.winner, self.over = winner, True
