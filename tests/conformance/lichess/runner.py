"""A small runner that does what lichess-bot does, request by request, as its published source and its runs show.

Its order of requests, its time-outs, its headers and what it reads of each object are those of lichess-bot 2026.8. It
plays the first legal move that its brain gives, by python-chess.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from typing import Any, Final
from urllib.parse import urlencode

import chess
import chess.variant

READ_S: Final = 15.0
"""Seconds that a stream may be silent."""

AGAIN_S: Final = 0.1
"""Seconds until a request is sent again after a lost connection, or a status of 5xx."""

GIVE_UP_S: Final = 60.0

AGENT: Final = "lichess-bot/2026.8.2.1 user:{}"

Brain = Callable[[chess.Board], str]
"""The move in a position; "" resigns."""


class Ended(Exception):
    """The runner ends, as the text says."""


class Asker:
    """Requests of one process; ``ports`` are taken in turns."""

    def __init__(self, ports: Iterable[int], token: str, name: str = "?") -> None:
        self._ports, self._token, self.name = cycle(ports), token, name

    def headers(self, content: str = "") -> dict[str, str]:
        found = {"Authorization": f"Bearer {self._token}", "User-Agent": AGENT.format(self.name), "Accept": "*/*"}
        return found | ({"Content-Type": content} if content else {})

    def ask(self, method: str, path: str, body: str = "", content: str = "") -> tuple[int, Any]:
        """Status and JSON; asked again while the server is away."""
        until = time.monotonic() + GIVE_UP_S
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", next(self._ports), timeout=READ_S)
            try:
                connection.request(method, path, body.encode() if body else None, self.headers(content))
                answer = connection.getresponse()
                said = answer.read()
                if answer.status < 500:
                    kind = answer.headers.get("content-type", "")
                    return answer.status, json.loads(said) if kind == "application/json" else said.decode()
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            if time.monotonic() > until:
                raise Ended(f"{path} is not answered")
            time.sleep(AGAIN_S)

    def post(self, path: str, **fields: str) -> tuple[int, Any]:
        return self.ask("POST", path, urlencode(fields), "application/x-www-form-urlencoded" if fields else "")

    def stream(self, path: str) -> Stream:
        return Stream(next(self._ports), path, self.headers())


class Stream:
    """An open stream: its objects, None for an empty line. It ends where the server ends it."""

    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=READ_S)
        try:
            self._connection.request("GET", path, headers=headers)
            assert self._connection.sock is not None
            self._socket = self._connection.sock
            self._answer = self._connection.getresponse()
        except BaseException:
            self._connection.close()
            raise
        self.status = self._answer.status
        self.kind = self._answer.headers["content-type"]

    def __iter__(self) -> Iterator[Any]:
        with suppress(http.client.IncompleteRead, ConnectionError, ValueError, AttributeError):
            while raw := self._answer.readline():
                yield json.loads(raw) if raw.strip() else None

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # a thread that still reads lets go
        self._socket.close()
        self._connection.close()
        with suppress(OSError, ValueError, AttributeError):
            self._answer.close()


def first(board: chess.Board) -> str:
    """The first legal move, by its text."""
    return min(move.uci() for move in board.legal_moves)


class Runner:
    """A bot: ``heard`` are the objects of its event stream, ``games`` its workers by game, ``moved`` answers to moves.

    ``takes`` says whether it accepts a challenge, or the reason for which it declines. It says ``greeting`` before its
    first move and ``goodbye`` after a game.
    """

    def __init__(
        self,
        port: int | Sequence[int],
        token: str,
        brain: Brain = first,
        takes: Callable[[dict[str, Any]], str] = lambda challenge: "",
    ) -> None:
        self._ports = (port,) if isinstance(port, int) else tuple(port)
        self.asker = Asker(self._ports, token)
        self._token, self._brain, self._takes = token, brain, takes
        self.name = ""
        self.heard: list[dict[str, Any]] = []
        self.streams: list[str] = []
        self.told: dict[str, list[dict[str, Any]]] = {}
        self.moved: list[tuple[str, str, int]] = []
        self.offers_draw = False
        self.silent = False
        """True: it makes no moves of its own."""
        self._event: Stream | None = None
        self._open: list[Stream] = []
        self._threads: list[threading.Thread] = []
        self._stopped = False
        self.news = threading.Condition()

    def log_in(self) -> None:
        """The requests before the event stream. Ended: the token or the account does not do."""
        status, tested = self.asker.ask("POST", "/api/token/test", self._token)
        assert status == 200, tested
        if tested[self._token] is None:
            raise Ended("token is not valid")
        if "bot:play" not in tested[self._token]["scopes"].split(","):
            raise Ended("please use a token with the scope bot:play")
        status, account = self.asker.ask("GET", "/api/account")
        assert status == 200, account
        self.name = self.asker.name = account["username"]
        assert account["id"] == self.name.lower()
        if account.get("title") != "BOT":
            raise Ended(f"{self.name} is not a bot account")

    def start(self) -> None:
        """Log in, and follow the event stream in a thread."""
        self.log_in()
        status, playing = self.asker.ask("GET", "/api/account/playing")
        assert status == 200
        assert all(game["gameId"] and game["opponent"]["username"] for game in playing["nowPlaying"])
        self._spawn(self._follow)

    def _spawn(self, work: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def stop(self) -> None:
        """End as a killed process does."""
        self._stopped = True
        for stream in [self._event, *self._open]:
            if stream is not None:
                stream.close()
        for thread in self._threads:
            thread.join(READ_S)

    def _follow(self) -> None:
        while not self._stopped:
            try:
                self._event = self.asker.stream("/api/stream/event")
                self.streams.append("event")
                for event in self._event:
                    if event is not None and not self._stopped:
                        self._obey(event)
                self._event.close()
            except (OSError, http.client.HTTPException):
                time.sleep(AGAIN_S)

    def _obey(self, event: dict[str, Any]) -> None:
        with self.news:
            self.heard.append(event)
            self.news.notify_all()
        if event["type"] == "challenge":
            self._answer(event["challenge"])
        elif event["type"] == "gameStart":
            self._spawn(self._work, event["game"]["id"])

    def _answer(self, challenge: dict[str, Any]) -> None:
        assert challenge["variant"]["key"]
        assert challenge["perf"]["name"]
        assert challenge["speed"]
        assert isinstance(challenge["rated"], bool)
        if challenge["color"] == "random":
            assert challenge["finalColor"] in ("white", "black")
        if challenge["timeControl"]["type"] == "clock":
            assert isinstance(challenge["timeControl"]["limit"], int)
        if challenge["challenger"]["name"].lower() == self.name.lower():
            return
        self.asker.ask("GET", "/api/account/playing")
        if reason := self._takes(challenge):
            self.asker.post(f"/api/challenge/{challenge['id']}/decline", reason=reason)
        else:
            self.asker.ask("POST", f"/api/challenge/{challenge['id']}/accept")

    def _work(self, game: str) -> None:
        """One worker of a game, until its stream ends."""
        asker = Asker(reversed(self._ports), self._token, self.name)
        stream = asker.stream(f"/api/bot/game/stream/{game}")
        if stream.status != 200:
            stream.close()
            return
        self._open.append(stream)
        self.streams.append(game)
        lines = iter(stream)
        full = next(lines)
        with self.news:
            told = self.told.setdefault(game, [])
            told.append(full)
            self.news.notify_all()
        mine = full["white"]["name"].lower() == self.name.lower()
        start = None if full["initialFen"] == "startpos" else full["initialFen"]
        known, greeted = None, False
        state = full["state"]
        while not self._stopped:
            if state is not None and state.get("type") == "gameState":
                if state["status"] != "started":
                    break
                board = board_of(full["variant"]["name"], start, state["moves"])
                due = state["moves"] != known and board.turn == mine and not board.is_game_over()
                if due and not self.silent:
                    known = state["moves"]
                    if not greeted:
                        greeted = True
                        self._chat(asker, game, "player", "Good luck!")
                        self._chat(asker, game, "spectator", "Welcome.")
                    self._move(asker, game, self._brain(board))
            try:
                state = next(lines)
            except (StopIteration, OSError):
                break
            if state is not None:
                with self.news:
                    told.append(state)
                    self.news.notify_all()
                if state["type"] == "chatLine":
                    assert state["text"][0]
                    assert state["room"]
                    assert state["username"]
        over = state is not None and state.get("type") == "gameState" and state["status"] != "started"
        if over and not self._stopped:
            self._chat(asker, game, "player", "Good game!")
        stream.close()

    def _chat(self, asker: Asker, game: str, room: str, text: str) -> None:
        status, body = asker.post(f"/api/bot/game/{game}/chat", room=room, text=text)
        assert (status, body) == (200, {"ok": True})

    def _move(self, asker: Asker, game: str, move: str) -> None:
        if not move:
            assert asker.post(f"/api/bot/game/{game}/resign")[0] == 200
            return
        path = f"/api/bot/game/{game}/move/{move}?offeringDraw={str(self.offers_draw).lower()}"
        status, _ = asker.ask("POST", path)
        with self.news:
            self.moved.append((game, move, status))
            self.news.notify_all()

    def wait(self, found: Callable[[], Any], within_s: float = 30.0) -> Any:
        """The result of ``found``, once it is true."""
        until = time.monotonic() + within_s
        with self.news:
            while not found():
                assert time.monotonic() < until, (self.heard[-3:], self.told, self.moved[-5:])
                self.news.wait(0.1)
            return found()

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.heard if event["type"] == kind]

    def last(self, game: str) -> dict[str, Any]:
        """The newest state of a game."""
        states = [line for line in self.told.get(game, ()) if line["type"] in ("gameFull", "gameState")]
        return {} if not states else states[-1].get("state", states[-1])


def board_of(variant: str, start: str | None, moves: str) -> chess.Board:
    """The position of a stream, as lichess-bot sets it up."""
    if variant == "Chess960":
        board = chess.Board(start or chess.STARTING_FEN, chess960=True)
    elif variant == "From Position":
        board = chess.Board(start or chess.STARTING_FEN)
    else:
        board = chess.variant.find_variant(variant)()
    for move in moves.split():
        board.push_uci(move)
    return board
