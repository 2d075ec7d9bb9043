"""A GAMESMAN player for your own program: the standard library only, one call a move, each returns the reply.

    from clients.gamesman import Player   # or copy this file: it needs nothing else of ours

    player = Player("http://localhost:8080", "alice", "bob")
    reply = player.start()                    # bob's first move; None: you move first
    while not ended_by(reply):                # your program knows the game
        reply = player.move(best_after(reply))
        if reply is None:                     # your move has ended it, and bob agrees
            break
    else:
        player.game_over()                    # bob's move has ended it

A call waits as long as the opponent thinks. When the connection is lost the same request is sent again until it is
answered, and the server plays it once. ``boardgate register`` registers the game. Source: the P2P module documentation
of GAMESMAN; the header Turn is Boardgate's, other servers do not mind it.
"""

from __future__ import annotations

import base64
import http.client
import socket
import ssl
import time
from typing import Final
from urllib.parse import urlsplit

REPEAT_S: Final = 240.0
"""Seconds after which a request that waits is sent again on a new connection: routers forget silent ones."""

PAUSE_S: Final = 1.0
"""Seconds between two attempts to reach the server, or two looks for an opponent who has not come."""

BUSY: Final = (502, 503, 504)
"""Statuses of a proxy while the server starts again."""


class Problem(Exception):
    """The server refuses the request; the text is its own sentence. Nothing has changed."""


class Ignored(Problem):
    """The request came at the wrong moment: it was another's turn, or the game had not begun."""


class Resigned(Exception):
    """The opponent has given up: the game is over."""


class Player:
    """One player of one registered game. Not to be used by two threads at once.

    Where ``name`` is an account's, its ``password``, a ``token`` of it or the seat's ``ticket`` is needed.
    ``patience_s`` is how long the server may be out of reach before a call raises OSError; None: for ever. ``trust`` is
    for https: None trusts whom this system trusts; a server that is not to be trusted raises ssl.SSLError at once.
    """

    def __init__(
        self,
        url: str,
        name: str,
        opponent: str,
        *,
        ticket: str = "",
        password: str = "",
        token: str = "",
        patience_s: float | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """ValueError for a ``url`` that is not like http://HOST[:PORT][/PATH]."""
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"not the address of a server: {url!r}")
        self._secure = (trust or ssl.create_default_context()) if parts.scheme == "https" else None
        self._host, self._port = parts.hostname, parts.port
        self._path = parts.path.rstrip("/") or "/GamesmanServlet"
        self._names = name, opponent
        self._authorization = _authorization(name, ticket, token, password)
        self._patience_s = patience_s
        self._turn = 0

    def start(self) -> str | None:
        """Begin: the opponent's first move once it comes; None, at once, for the player who moves first."""
        try:
            return self._reply(self._ask("SendMove"))
        except Ignored:
            return None

    def move(self, text: str) -> str | None:
        """Play a move; the opponent's answer, None when the game is over. Resigned, or Problem: it is illegal.

        The first move of a game waits until the opponent has come.
        """
        self._turn += 1
        try:
            while True:
                try:
                    return self._reply(self._ask("SendMove", text))
                except Ignored:
                    if self._turn > 1:
                        raise
                    time.sleep(PAUSE_S)
        except Problem:
            self._turn -= 1
            raise

    def game_over(self) -> None:
        """The opponent's last move has ended the game. Problem: by the rules it has not."""
        self._expect(self._ask("GameOver"), "Ack end")

    def resign(self) -> None:
        """Give the game up."""
        self._expect(self._ask("Resign"), "Ack resign")

    def _reply(self, answer: dict[str, str]) -> str | None:
        if answer.get("type") == "Resign":
            raise Resigned(f"{self._names[1]} has resigned")
        self._expect(answer, "SendMove")
        return None if answer.get("move", "null") == "null" else answer["move"]

    def _expect(self, answer: dict[str, str], kind: str) -> None:
        if answer.get("type") == "Resign":
            raise Resigned(f"{self._names[1]} has resigned")
        if answer.get("type") != kind:
            raise Problem(f"the server answers {answer.get('type')!r}, not {kind!r}")

    def _ask(self, kind: str, move: str = "") -> dict[str, str]:
        """The headers of the answer, names in lower case. Problem, Ignored or OSError."""
        given_up = None if self._patience_s is None else time.monotonic() + self._patience_s
        while True:
            try:
                answer = self._try(kind, move)
            except TimeoutError:
                continue
            except ssl.SSLCertVerificationError:
                raise  # it will be the same the next time
            except (OSError, http.client.HTTPException) as error:
                if given_up is not None and time.monotonic() > given_up:
                    raise OSError(f"cannot reach the server: {error}") from error
                time.sleep(PAUSE_S)
                continue
            if "error_code" in answer:
                raise Problem(answer.get("error_message", "no reason is given"))
            if "type" not in answer:
                raise Ignored(f"{kind} {move}".strip() + ": not now")
            return answer

    def _new_connection(self) -> http.client.HTTPConnection:
        if self._secure is not None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=REPEAT_S, context=self._secure)
        return http.client.HTTPConnection(self._host, self._port, timeout=REPEAT_S)

    def _connect(self, connection: http.client.HTTPConnection) -> None:
        try:
            connection.connect()
        except TimeoutError as error:
            raise ConnectionError(str(error)) from error

    def _try(self, kind: str, move: str) -> dict[str, str]:
        connection = self._new_connection()
        try:
            self._connect(connection)
            connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            connection.putrequest("POST", self._path)
            headers = {"type": kind, "Move": move, "SrcPlayer": self._names[0], "DestPlayer": self._names[1]}
            headers |= {"Turn": str(self._turn), "Content-Length": "0"}
            headers["Authorization"] = self._authorization
            for name, value in headers.items():
                if value:
                    connection.putheader(name, value.encode())
            connection.endheaders()
            answer = connection.getresponse()
            answer.read()
            if answer.status in BUSY:
                raise http.client.HTTPException(f"status {answer.status}")
            if answer.status != http.client.OK:
                raise Problem(f"no GAMESMAN here: status {answer.status} {answer.reason}")
            return {name.lower(): _text(value) for name, value in answer.getheaders()}
        finally:
            connection.close()


def _authorization(name: str, ticket: str, token: str, password: str) -> str:
    """The first of these that is there, as the header; "" for none."""
    if ticket:
        return f"Ticket {ticket}"
    if token:
        return f"Bearer {token}"
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode() if password else ""


def _text(value: str) -> str:
    """A header's value as it was meant: UTF-8, which http.client takes for Latin-1."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return value
