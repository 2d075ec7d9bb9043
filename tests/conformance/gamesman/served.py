"""Registers at a running server, and plays whole games as a GAMESMAN client with a brain."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable
from typing import Any

from clients.gamesman import Player
from protocols.core.errors import IllegalMove
from protocols.core.model import Outcome, Settings
from tests.conformance.brains import Brain
from tests.conformance.spec_client import PATIENCE_S


def register(port: int, game: str, first: str, second: str, **more: Any) -> list[str]:
    """Register a table over the API; the tickets, by seat."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        body = json.dumps({"game": game, "seats": [{"name": first}, {"name": second}], **more})
        connection.request("POST", "/api/tables", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        read = json.loads(answer.read())
        assert answer.status == 201, read
        return list(read["tickets"])
    finally:
        connection.close()


def thread(work: Callable[[], object]) -> threading.Thread:
    """Run this in a thread of its own."""
    running = threading.Thread(target=work, daemon=True)
    running.start()
    return running


class WholeGame(threading.Thread):
    """Plays a game to its end in a thread of its own; ``outcome`` is what its brain makes of it.

    Knows the game by GAMESMAN alone: its board is made of its own moves and of the answers.
    """

    def __init__(
        self, port: int, name: str, opponent: str, settings: Settings, seed: int = 1, moves: int = 2000
    ) -> None:
        super().__init__(daemon=True)
        self.player = Player(f"http://127.0.0.1:{port}", name, opponent, patience_s=PATIENCE_S)
        self.brain = Brain(settings, seed)
        self.error: BaseException | None = None
        self.turns = 0
        self._moves = moves
        self.start()

    def run(self) -> None:
        try:
            self._play()
        except BaseException as error:
            self.error = error

    def _play(self) -> None:
        reply = self.player.start()
        while True:
            if reply is not None:
                self._hear(reply)
            if self.brain.outcome is not None:
                self.player.game_over()
                return
            if self.turns == self._moves:
                self.player.resign()
                return
            self.turns += 1
            reply = self.player.move(self._turn())
            if reply is None:
                assert self.brain.outcome is not None, "the server ends a game that is not over"
                return

    def _hear(self, text: str) -> None:
        for step in self._steps(text):
            self.brain.play(self.brain.game.parse(self.brain.position, step))

    def _steps(self, text: str) -> list[str]:
        try:
            self.brain.game.parse(self.brain.position, text)
        except IllegalMove:
            return text.split()
        return [text]

    def _turn(self) -> str:
        """One turn of the brain's, all its steps."""
        turn, steps = self.brain.turn, []
        while self.brain.turn == turn and self.brain.outcome is None:
            move = self.brain.choose()
            steps.append(self.brain.game.notation(self.brain.position, move))
            self.brain.play(move)
        return " ".join(steps)

    def finish(self) -> Outcome | None:
        """Wait for the end; how it ended by the rules."""
        self.join(PATIENCE_S)
        assert not self.is_alive(), f"{self.player} still waits after {self.turns} turns"
        if self.error is not None:
            raise self.error
        return self.brain.outcome
