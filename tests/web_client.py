"""A client of the dialect ``web``, from docs/protocols/web.md: a WebSocket by hand, and a page that knows no rules.

The page's board is what GameStarted says and what the changes of each event make of it. It checks that each number of
the record comes once and in order, and that each message is what the schema says (tests/web_messages.py).
Blocking, as tests are; docs/protocols/web.md has the messages.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import json
import os
import socket
import ssl
from collections.abc import Mapping
from typing import Any, Final

from tests.web_messages import was_said, was_told

PATIENCE_S: Final = 20.0
"""Seconds until a silent server counts as a failure."""

GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10

Message = dict[str, Any]


class Closed(Exception):
    """The connection has ended; ``code`` is that of the close frame, None where none came."""

    def __init__(self, code: int | None, reason: str = "") -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


class NotUpgraded(Exception):
    """The server has answered the handshake with another ``status`` than 101."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status


class WebSocket:
    """The client's end of RFC 6455 over one socket, which it owns."""

    def __init__(
        self,
        port: int,
        path: str = "/ws",
        headers: Mapping[str, str] | None = None,
        host: str = "127.0.0.1",
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._sock: socket.socket = socket.create_connection((host, port), PATIENCE_S)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context is not None:
            self._sock = context.wrap_socket(self._sock, server_hostname=host)
        self._rest = b""
        key = base64.b64encode(os.urandom(16))
        fields = {
            "Host": f"{host}:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key.decode(),
            "Sec-WebSocket-Version": "13",
            **(headers or {}),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self._sock.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
        self._answered(key)

    def _answered(self, key: bytes) -> None:
        while b"\r\n\r\n" not in self._rest:
            self._rest += self._part()
        head, _, self._rest = self._rest.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        status = int(first.split()[1])
        if status != 101:
            self.close()
            raise NotUpgraded(status)
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        assert fields["sec-websocket-accept"] == base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()
        assert "sec-websocket-extensions" not in fields

    def send(self, payload: bytes, opcode: int = TEXT, *, final: bool = True) -> None:
        """One frame under a random mask."""
        self.send_bytes(masked(payload, opcode, final=final))

    def send_bytes(self, data: bytes) -> None:
        """Bytes as they are."""
        self._sock.sendall(data)

    def receive(self) -> tuple[int, bytes]:
        """The next frame: opcode and payload. Closed: it was a close frame, or the connection has ended."""
        first, second = self._take(2)
        assert first & 0x70 == 0, "reserved bits"
        assert second & 0x80 == 0, "a server masks no frame"
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
        payload = self._take(size)
        if first & 0xF == CLOSE:
            code = int.from_bytes(payload[:2], "big") if payload else None
            raise Closed(code, payload[2:].decode())
        assert first & 0x80, "the server sends each message in one frame"
        return first & 0xF, payload

    def _take(self, count: int) -> bytes:
        while len(self._rest) < count:
            self._rest += self._part()
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken

    def _part(self) -> bytes:
        try:
            part = self._sock.recv(65536)
        except ConnectionError:
            part = b""
        if not part:
            raise Closed(None)
        return part

    def close(self) -> None:
        """Hang up without a word."""
        self._sock.close()

    def __del__(self) -> None:
        self.close()  # a test that fails leaves no socket behind


class Line:
    """The same by requests, /api/lines: each message a POST, and long polls for what is told. docs/api.md has it."""

    def __init__(self, port: int) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._key = ""
        self._told: list[Message] = []
        self._open = True

    def send(self, payload: bytes, opcode: int = TEXT) -> None:
        """One message; a close frame ends the line."""
        if opcode == CLOSE:
            self._ask("DELETE", "/api/line")
        elif self._key:
            self._ask("POST", "/api/line", payload)
        else:
            self._key = self._ask("POST", "/api/lines", payload)["line"]

    def receive(self) -> tuple[int, bytes]:
        """The next message. Closed: there are no more."""
        while not self._told:
            if not self._open:
                raise Closed(None)
            answer = self._ask("GET", "/api/line?wait=10")
            self._told, self._open = answer["messages"], answer["open"]
        return TEXT, json.dumps(self._told.pop(0)).encode()

    def _ask(self, method: str, path: str, body: bytes = b"") -> Message:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Line {self._key}"} if self._key else {})
        self._http.request(method, path, body, headers)
        with self._http.getresponse() as answer:
            found = answer.read()
            assert answer.status < 300, (answer.status, found)
        told: Message = json.loads(found) if found else {}
        return told

    def close(self) -> None:
        """Hang up without a word."""
        self._http.close()

    def __del__(self) -> None:
        self.close()


def masked(payload: bytes, opcode: int = TEXT, *, final: bool = True, mask: bytes | None = None) -> bytes:
    """A client's frame; ``mask`` None: a random one."""
    mask = os.urandom(4) if mask is None else mask
    first = opcode | (0x80 if final else 0)
    size = len(payload)
    if size < 126:
        head = bytes([first, 0x80 | size])
    elif size < 0x10000:
        head = bytes([first, 0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([first, 0x80 | 127]) + size.to_bytes(8, "big")
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


class WebClient:
    """A page at a table. ``seat`` is its own by its present number, None for an observer or without a table.

    ``legal`` is what the last ``moves`` said, None since the last turn; ``seq`` is the last number of the record.
    """

    def __init__(self, port: int, socket: Any = WebSocket, **how: Any) -> None:
        self.socket = socket(port, **how)
        self.table = 0
        self.seat: int | None = None
        self.ticket = ""
        self.seq = 0
        self.seats: list[tuple[int, str]] = []
        self.board: dict[int, str] = {}
        self.hands: list[dict[str, int]] = []
        self.alarm: int | None = None
        self.tally: list[dict[str, Any]] = []
        self.ply = 0
        self.notations: list[str] = []
        self.legal: Message | None = None
        self.outcome: Message | None = None
        self.goodbye: Message | None = None
        self.numbers = 0

    def hello(self, **fields: Any) -> Message:
        """The first message; the welcome."""
        self.say("hello", v=1, **fields)
        return self.until("welcome")

    def say(self, kind: str, **fields: Any) -> int:
        """Send a message; its number."""
        self.numbers += 1
        message = {"type": kind, "id": self.numbers, **fields}
        was_said(message)
        self.socket.send(json.dumps(message).encode())
        return self.numbers

    def play(self, source: int | None, target: int | None, piece: str = "", ply: int | None = None) -> int:
        """Ask for a move."""
        move = {"source": source, "target": target, "piece": piece}
        return self.say("play", move=move, ply=self.ply if ply is None else ply)

    def until(self, *names: str) -> Message:
        """Read on to the first message of one of these types, or event of one of these kinds."""
        while True:
            message = self.read()
            if message["type"] in names or message.get("kind") in names:
                return message

    def read(self) -> Message:
        """One message. Closed when the conversation is over."""
        while True:
            opcode, payload = self.socket.receive()
            if opcode == TEXT:
                message: Message = json.loads(payload)
                was_told(message)
                self._take_in(message)
                return message
            assert opcode == PONG, opcode

    def _take_in(self, message: Message) -> None:
        match message["type"]:
            case "seated":
                self._sit(message)
            case "event":
                self._happened(message)
            case "turn":
                self._count(message)
                assert message["ply"] == self.ply
                self.legal = None
            case "moves":
                self.legal = message
            case "goodbye":
                self.goodbye = message

    def _sit(self, message: Message) -> None:
        self.table, self.seat = message["table"], message["seat"]
        self.ticket = message.get("ticket", self.ticket)
        if not message["events"]:
            assert message["seq"] == self.seq, "it goes on behind what the page knows"
            return
        self.seq, self.board, self.seats = 0, {}, []
        now, self.seat = self.seat, None  # the past is told with the seat as it is now
        for event in message["events"]:
            self._happened(event)
        assert message["seq"] == self.seq
        self.seat = now

    def _count(self, event: Message) -> None:
        """Every number of the record comes once, in order."""
        if "seq" in event:
            assert event["seq"] == self.seq + 1, f"{event} after {self.seq}"
            self.seq = event["seq"]

    def _happened(self, event: Message) -> None:
        self._count(event)
        body = event.get("body", {})
        match event["kind"]:
            case "TableOpened":
                self.seats = [(1, "")] * body["settings"]["seats"]
            case "SeatTaken":
                self.seats[body["seat"]] = (body["kind"], body["name"])
            case "SeatLeft":
                self.seats[body["seat"]] = (body["kind"], "" if body["kind"] == 1 else self.seats[body["seat"]][1])
            case "SeatsTurned":
                self._turned(body["by"])
            case "GameStarted":
                self.board, self.ply, self.outcome = dict(body["board"]), 0, None
                self.notations = []
                self._position(event)
            case "MoveMade":
                assert body["ply"] == self.ply + 1
                self.ply = body["ply"]
                self.notations.append(event["notation"])
                self._position(event)
            case "MovesTakenBack":
                self.ply = body["ply"]
                del self.notations[self.ply :]
                self._position(event)
            case "SeatWithdrawn":
                self._position(event)
            case "GameEnded":
                self.outcome = body["outcome"]

    def _turned(self, by: int) -> None:
        count = len(self.seats)
        self.seats = [self.seats[(seat - by) % count] for seat in range(count)]
        if self.seat is not None:
            self.seat = (self.seat + by) % count

    def _position(self, event: Message) -> None:
        for square, piece in event["body"].get("changes", []):
            if piece is None:
                self.board.pop(square, None)
            else:
                self.board[square] = piece
        self.hands = event.get("hands", [])
        self.alarm = event.get("alarm")
        self.tally = event.get("tally", [])

    def moves(self) -> set[tuple[int | None, int | None, str]]:
        """The legal moves as they were told last: source, target, piece."""
        assert self.legal is not None
        found: set[tuple[int | None, int | None, str]] = {(None, None, "")} if self.legal["pass"] else set()
        for choice in self.legal["legal"]:
            if "from" in choice:
                pieces = choice.get("as", [""])
                found |= {(choice["from"], target, piece) for target in choice["to"] for piece in pieces}
            else:
                found |= {(None, target, choice["piece"]) for target in self._targets(choice)}
        return found

    def _targets(self, choice: Message) -> set[int]:
        if choice["to"] != "*":
            return set(choice["to"])
        settings = self.size
        return set(range(settings)) - set(self.board) - set(choice.get("but", []))

    size = 0
    """Squares of the board, for "*": a page knows them from its board."""

    def close(self) -> None:
        """Hang up as a browser does that leaves the page."""
        with contextlib.suppress(OSError):
            self.socket.send((1001).to_bytes(2, "big"), CLOSE)
        self.socket.close()
