"""Plays the sample game of each page of docs/games through a running server, in Bogaprot and in the dialect ``web``.

The moves are those of the playthrough ``NAME_sample.txt``. What the client on seat 0 says and is told is what the page
shows. A game that is not over at the end of its playthrough ends there: seat 0 gives up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from gateway.games.base import CHANCE
from protocols.core import squares
from protocols.core.model import Move
from tests.conformance.servers import FAST
from tests.conformance.spec_client import OPEN, SpecClient, Told
from tests.playthroughs.__main__ import TABLE_SECRET
from tests.playthroughs.form import HERE, NOTHING, Playthrough, Step, parsed, read, taken
from tests.running import server
from tests.web_client import WebClient

SECRET: Final = "brings-a-secret-of-22-characters"
HEAD: Final = 36
TAIL: Final = 12
AROUND: Final = 3
"""Lines of a conversation that are shown: its beginning, its end, and before and after the first one between them that
tells of more than a plain move."""

MORE: Final = re.compile(r'<< MSG_MOVE (?:\d+ -1|-1 \d+ )|"changes":\[\[[^]]*\],\[[^]]*\],\[')

LONGEST_LIST: Final = 3
LONGEST_TEXT: Final = 60
"""Items of a list and characters of a text that are shown of a message in JSON."""

OTHERWISE: Final = frozenset({"house", "ticket", "now", "limits", "server", "at", "secret", "commitment"})
"""Fields of messages that differ from game to game, and the rules of the house: their values are not shown."""


def sample(name: str) -> Iterator[str]:
    """The sample game of a page."""
    played = _played(name)
    moves = " ".join(step.word for step in played.steps if step.kind == "play")
    yield from ("", f"The moves as the game writes them: {moves}", "")
    yield from ("What the client on seat 0 says (`>>`) and is told (`<<`) in [Bogaprot](../protocols/bogaprot.md):", "")
    yield from ("```", *_shortened(spoken(name)["bogaprot"]), "```", "")
    yield from ("The same in the dialect [web](../protocols/web.md); `…` stands for what is left out here:", "")
    yield from ("```", *_shortened(spoken(name)["web"]), "```", "")


@cache
def spoken(name: str) -> dict[str, list[str]]:
    """By dialect, the lines of the conversation on seat 0. Each game has a server, each dialect names of its own."""
    secret = TABLE_SECRET.hex()
    with (
        TemporaryDirectory() as folder,
        server(Path(folder), "bogaprot", "http", ports={}, table_secret=secret, **FAST) as running,
    ):
        bogaprot, http = running.ports
        return {
            "bogaprot": _talk(name, bogaprot, Bogaprot, ("ann", "bob", "cleo", "dan")),
            "web": _talk(name, http, Web, ("eve", "fay", "gus", "hal")),
        }


@cache
def _played(name: str) -> Playthrough:
    return read((HERE / f"{name}_sample.txt").read_text(encoding="utf-8"))


def _shortened(lines: list[str]) -> Iterator[str]:
    end = len(lines) - TAIL
    yield from lines[:HEAD]
    first = next((at for at in range(HEAD, end) if MORE.search(lines[at])), None)
    if first is not None:
        yield from ("...", *lines[max(HEAD, first - AROUND) : min(first + AROUND, end)])
    yield from (*(["..."] if end > HEAD else []), *lines[max(HEAD, end) :])


def _talk(name: str, port: int, kind: type[Bogaprot] | type[Web], names: tuple[str, ...]) -> list[str]:
    """Play the sample game by clients of one kind, and return what the first has written down."""
    played = _played(name)
    clients: list[Bogaprot | Web] = [kind(port, played, who) for who in names[: played.settings().seats]]
    _play(played, clients)
    for client in clients:
        client.close()
    return clients[0].lines


def _play(played: Playthrough, clients: list[Bogaprot | Web]) -> None:
    game, settings = played.rules(), played.settings()
    position: Any = game.start(settings)
    for step in played.steps:
        turn = game.to_move(position)
        if step.kind == "play":
            assert isinstance(turn, int)
            for client in clients:
                assert client.asked() == turn
                assert client.board == game.board(position) or not game.judged
            clients[turn].moves_piece(_with_squares(parsed(game, position, step.word), played))
        elif step.kind == "score":
            _settle(played, step, clients)
        else:
            assert turn == CHANCE
        position = taken(game, settings, position, step)[0]
    if played.cut:
        for client in clients:
            assert client.asked() == game.to_move(position)
        clients[0].resigns()
    for client in clients:
        client.ended()


def _settle(played: Playthrough, step: Step, clients: list[Bogaprot | Web]) -> None:
    """Every seat says that the same stones are dead."""
    settings = played.settings()
    words = [] if step.word == NOTHING else step.word.split()
    dead = [squares.number(word, settings.width, settings.height) for word in words]
    for client in clients:
        client.stopped()
    for client in clients:
        client.marks(dead)
        if client is not clients[-1]:
            client.marked()


def _with_squares(move: Move, played: Playthrough) -> Move:
    """A move that is a text of two squares, as a triple: numbered messages have no texts."""
    found = re.fullmatch(r"([a-z]\d+)([a-z]\d+)", move.piece) if move.source is None and move.target is None else None
    if found is None:
        return move
    width, height = played.settings().width, played.settings().height
    source, target = (squares.number(word, width, height) for word in found.groups())
    return Move(source, target)


class Bogaprot(SpecClient):
    """A client of the document that writes its conversation down."""

    def __init__(self, port: int, played: Playthrough, name: str) -> None:
        settings, game = played.settings(), played.rules()
        unknown = {} if game.judged else dict.fromkeys(range(settings.width * settings.height), "a piece")
        super().__init__(port, game.board(game.start(settings)) or unknown)
        self.lines: list[str] = []
        wishes = {"name": name} | ({"seats": str(settings.seats)} if settings.seats > 2 else {}) | played.options
        engine = f"{settings.game}?{'&'.join(f'{key}={value}' for key, value in wishes.items())}#{name}-{SECRET}"
        self.lines.append(f'>> REQ_HANDSHAKE "{engine}" 1')
        assert self.handshake(engine) == ("RSP_HANDSHAKE", 0)
        self.until("MSG_PLAYERS")

    def read(self) -> Told:
        message = super().read()
        words = [json.dumps(value, ensure_ascii=False) for value in message[1:]]
        if message[0] == "MSG_PLAYERS":
            each = [(str(kind), *([] if kind == OPEN else [json.dumps(name)])) for kind, name in self.players]
            words = [str(len(each)), *(word for player in each for word in player)]
        self.lines.append(" ".join(["<<", str(message[0]), *words]))
        return message

    def moves_piece(self, move: Move) -> None:
        """A move of the game; what a pawn becomes is said before."""
        if move.source is not None and move.piece:
            self._word(f"promote {move.piece}")
        if move.source is None and move.target is None:
            self._word("pass")
            return
        ends = [-1 if at is None else at for at in (move.source, move.target)]
        words = [*map(str, ends), *([json.dumps(move.piece)] if ends[0] < 0 else [])]
        self.lines.append(f">> MSG_MOVE {' '.join(words)}")
        self.move(ends[0], ends[1], move.piece)

    def _word(self, word: str) -> None:
        self.lines.append(f'>> MSG_MOVE -1 -1 "{word}"')
        self.move(-1, -1, word)

    def asked(self) -> int:
        return int(self.until("REQ_MOVE")[1])

    def stopped(self) -> None:
        while self.until("MSG_MOVE")[-1] != "settle":
            pass

    def marks(self, dead: list[int]) -> None:
        self._word(" ".join(["dead", *map(str, dead)]))

    def marked(self) -> None:
        while not str(self.until("MSG_MOVE")[-1]).startswith("dead"):
            pass

    def resigns(self) -> None:
        self._word("resign")

    def ended(self) -> None:
        self.until("MSG_GAMEOVER")


class Web(WebClient):
    """A page that writes its conversation down."""

    def __init__(self, port: int, played: Playthrough, name: str) -> None:
        super().__init__(port)
        settings = played.settings()
        self.lines: list[str] = []
        self.hello()
        options = ({"seats": settings.seats} if settings.seats > 2 else {}) | played.options
        self.say("join", game=settings.game, name=name, **({"options": options} if options else {}))
        self.until("seated")

    def say(self, kind: str, **fields: Any) -> int:
        number = super().say(kind, **fields)
        self.lines.append(f">> {_written({'type': kind, 'id': number, **fields})}")
        return number

    def read(self) -> dict[str, Any]:
        message = super().read()
        self.lines.append(f"<< {_written(message)}")
        return message

    def asked(self) -> int:
        turn = int(self.until("turn")["seat"])
        if turn == self.seat:
            self.until("moves")
        return turn

    def moves_piece(self, move: Move) -> None:
        self.play(move.source, move.target, move.piece)

    def stopped(self) -> None:
        self.until("GameSettling")

    def marks(self, dead: list[int]) -> None:
        self.say("propose", what="score", dead=dead)

    def marked(self) -> None:
        self.until("Proposed")

    def resigns(self) -> None:
        self.say("resign")

    def ended(self) -> None:
        self.until("GameEnded")


def _written(message: dict[str, Any]) -> str:
    """A message of JSON on one line, long lists and texts cut."""
    return json.dumps(_cut(message), ensure_ascii=False, separators=(",", ":")).replace('"…"', "…")


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        cut = {key: "…" if key in OTHERWISE else _cut(inner) for key, inner in value.items()}
        return cut | ({"table": 1} if "table" in cut else {})
    if isinstance(value, list):
        return [*map(_cut, value[:LONGEST_LIST]), *(["…"] if len(value) > LONGEST_LIST else [])]
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"{value[:LONGEST_TEXT]}…"
    return value
