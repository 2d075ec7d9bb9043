"""A page that plays over a WebSocket, and forgets everything when its line is cut."""

from __future__ import annotations

import json
from typing import Any

from protocols.core.model import Move
from protocols.web.frames import client_frame, texts
from tests.matrix.client import BACK, DRAW, NATIVE, REMATCH, TAKEBACK, Client

UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
CONTROL_BYTES = 125


class WebClient(Client):
    """Its own squares are what GameStarted says and what the changes of each event make of it."""

    dialect = "web"
    asks = frozenset((DRAW, TAKEBACK, REMATCH))
    answers = asks
    observes = True

    def dial_up(self, **hello: Any) -> None:
        self._rest, self._upgraded = b"", False
        self._squares: dict[int, str] = {}
        self.dial().send(UPGRADE.encode(), "GET /ws")
        self._say("hello", v=1, table=self.place.table, **hello)

    def _say(self, kind: str, **fields: Any) -> None:
        assert self.wire is not None
        text = json.dumps({"type": kind, **fields})
        self.wire.send(client_frame(text.encode()), text)

    def receive(self, part: bytes) -> None:
        self._rest += part
        if not self._upgraded:
            head, found, self._rest = self._rest.partition(b"\r\n\r\n")
            if not found:
                self._rest = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._upgraded = True
        whole = _whole(self._rest)
        found_texts, self._rest = texts(self._rest[:whole]), self._rest[whole:]
        for text in found_texts:
            assert self.wire is not None
            self.wire.lines.append(f"<< {text.decode()[-400:]}")
            self._read(json.loads(text))

    def _read(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "seated":
                for event in message["events"]:
                    self._happened(event)
                self.heard.seat = message["seat"]
                self.heard.here = True
            case "event":
                self._happened(message)
            case "rejected":
                self.heard.refusals.append(NATIVE)

    def _happened(self, event: dict[str, Any]) -> None:
        body = event.get("body", {})
        match event["kind"]:
            case "SeatsTurned" if self.heard.seat is not None:
                self.heard.seat = (self.heard.seat + body["by"]) % self.place.settings.seats
            case "GameStarted":
                self._squares = {}
                self.begun()
                self._change(body["board"])
            case "DiceRolled":
                self.board.roll(body["value"])
            case "MoveMade":
                move = body["move"]
                self._answered_by_move(body["seat"])
                self.board.play(Move(move["source"], move["target"], move["piece"]))
                self._change(body["changes"])
                told, own = event["notation"], self.board.written[-1]
                assert told == own, f"{told!r} is told, and is {own!r}\n{self.room.shown()}"
            case "MovesTakenBack":
                self.board.back(body["plies"])
                self._change(body["changes"])
                self.heard.offers.clear()
                self.asked.clear()
            case "Proposed" if body["seat"] != self.place.seat:
                self.offered(body["proposal"][0].lower(), NATIVE)
            case "Proposed":
                self.asked.add(body["proposal"][0].lower())
            case "Declined" if body["seat"] != self.place.seat:
                self.declined(body["kind"].lower(), NATIVE)
            case "Declined":
                self.heard.offers.pop(body["kind"].lower(), None)
            case "GameEnded":
                winner = body["outcome"]["winner"]
                self.over("draw" if winner is None else str(winner), NATIVE)

    def _answered_by_move(self, seat: int) -> None:
        """A move answers what the other side has asked."""
        if seat == self.place.seat:
            self.heard.offers.clear()
        else:
            self.asked.clear()

    def _change(self, changes: list[Any]) -> None:
        for square, piece in changes:
            if piece is None:
                self._squares.pop(square, None)
            else:
                self._squares[square] = piece

    @property
    def legal(self) -> bool:
        return self._squares == self.board.squares

    def come(self) -> None:
        self.heard.games = 0
        self.asked.clear()
        self.dial_up(ticket=self.place.ticket)

    def ready(self, first: list[Move]) -> None:
        self._say("propose", what="start")

    def come_back(self) -> None:
        self.come()

    def watch(self) -> None:
        self.dial_up()

    def move(self, move: Move) -> None:
        self._say("play", move=[move.source, move.target, move.piece], ply=self.board.ply)

    def ask(self, kind: str) -> None:
        self._say("propose", what=kind, plies=BACK)

    def agree(self, kind: str) -> None:
        self.ask(kind)

    def decline(self, kind: str) -> None:
        self._say("decline", what=kind)

    def resign(self) -> None:
        self._say("resign")

    def settle(self) -> None:
        self._say("propose", what="score")


def _whole(rest: bytes) -> int:
    """The bytes of the whole frames that this begins with."""
    at = 0
    while len(rest) >= at + 2:
        size, start = rest[at + 1], at + 2
        if size > CONTROL_BYTES:
            wide = 2 if size == CONTROL_BYTES + 1 else 8
            size, start = int.from_bytes(rest[start : start + wide], "big"), start + wide
        if len(rest) < start + size:
            break
        at = start + size
    return at
