"""Players in a browser: one of any game, and one of chess who plays, offers and answers like the others."""

from __future__ import annotations

from typing import Any

import msgspec

from protocols.core.model import Move, Settings
from tests.conformance.brains import Brain
from tests.conformance.chess_bogaprot_player import place
from tests.conformance.chess_players import ChessPlayer
from tests.web_client import WebClient, WebSocket


class WebPlayer:
    """A page that knows no rules, looked over by a brain that does: board, hands, check, notation and legal moves."""

    def __init__(
        self, port: int, settings: Settings, seed: int = 1, *, name: str = "", socket: Any = WebSocket, **wishes: Any
    ) -> None:
        self.brain = Brain(settings, seed)
        self.client = WebClient(port, socket)
        self.client.size = settings.width * settings.height
        self.client.hello()
        options = dict(settings.options) | ({"seats": str(settings.seats)} if settings.seats > 2 else {})
        self.client.say("join", game=settings.game, variant=settings.variant, name=name, options=options, **wishes)
        self.client.until("seated")
        self.dice: list[int] = []

    @property
    def seat(self) -> int:
        assert self.client.seat is not None
        return self.client.seat

    @property
    def winner(self) -> int | None:
        return None if self.client.outcome is None else self.client.outcome["winner"]

    def turn(self) -> int | None:
        """None, too, when play has stopped to be scored."""
        while True:
            match self.client.read():
                case {"type": "turn", "seat": int(seat)}:
                    assert self.brain.turn == seat
                    self._compare()
                    return seat
                case {"kind": "DiceRolled", "body": body}:
                    self.dice = self.brain.roll(self.dice, body["value"])
                case {"kind": "MoveMade", "body": body, "notation": notation}:
                    self._moved(body["move"], notation)
                case {"kind": "GameEnded" | "GameSettling"}:
                    self._compare()
                    return None
                case {"type": "rejected"} as refused:
                    raise AssertionError(refused)

    def _moved(self, move: dict[str, Any], notation: str) -> None:
        made = Move(move["source"], move["target"], move["piece"])
        game, position = self.brain.game, self.brain.position
        assert notation == game.notation(position, game.normal(position, made))
        self.dice = []
        self.brain.play(made)

    def _compare(self) -> None:
        game, position, page = self.brain.game, self.brain.position, self.client
        assert page.board == self.brain.board
        assert page.hands == [dict(hand) for hand in game.hands(position)]
        assert page.alarm == game.alarm(position)
        assert page.tally == msgspec.json.decode(msgspec.json.encode(game.tally(position)))

    def move(self) -> None:
        if self.client.legal is None:
            self.client.until("moves")
        assert self.client.moves() == {(move.source, move.target, move.piece) for move in self.brain.legal()}
        move = self.brain.choose()
        self.client.play(move.source, move.target, move.piece)

    def watched(self, move: Move) -> None:
        """Told by messages, so not looked at."""

    def close(self) -> None:
        self.client.close()


class WebChessPlayer(ChessPlayer):
    """A page at a game of chess."""

    dialect = "web"
    listener = "http"

    def sit(self, white: bool, first: str, seconds: int = 300) -> None:
        self.client = WebClient(self.port)
        self.client.hello()
        self.client.say("join", game="chess", name=self.name, ready=False)
        self.client.until("seated")
        time = {"kind": "absolute", "main_s": seconds}
        settings = {"game": "chess", "variant": "normal", "time": time}
        self.client.say("propose", what="start", side=0 if white else 1, settings=settings)
        if white:
            self.client.until("Proposed")

    def begin(self) -> None:
        self.client.until("GameStarted")

    def move(self, move: str) -> None:
        self.client.play(place(move[:2]), place(move[2:4]))
        self.hears(move)

    def hears(self, move: str) -> None:
        made = self.client.until("MoveMade")["body"]["move"]
        assert (made["source"], made["target"]) == (place(move[:2]), place(move[2:4]))

    def asks(self, what: str) -> None:
        self.client.say("propose", what=what)

    def hears_ask(self, what: str) -> None:
        while True:
            body = self.client.until("Proposed")["body"]
            if body["proposal"][0] == what.capitalize() and body["seat"] != self.client.seat:
                return

    def agrees(self, what: str) -> None:
        self.asks(what)

    def adjourned(self) -> None:
        self.client.until("GameAdjourned")

    def resumes(self) -> None:
        self.client.say("propose", what="resume")

    def resumed(self, on_move: bool) -> None:
        self.client.until("GameResumed")
        self.client.until("turn")

    def ended(self) -> str:
        outcome = self.client.until("GameEnded")["body"]["outcome"]
        return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[outcome["winner"]]

    def close(self) -> None:
        self.client.close()
