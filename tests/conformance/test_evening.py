"""An evening of rated games: five accounts, programs of five dialects, challenges between them, two kills.

In the end the ratings are those that anybody computes from the export alone, by the formulas of the paper.
"""

from __future__ import annotations

import base64
import json
import math
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

import pytest

from gateway.store.accounts import SqlAccounts
from protocols.core.model import Settings
from tests.matrix.cell import Cell, Pair
from tests.matrix.client import Place
from tests.matrix.game import Game
from tests.matrix.servers import listeners
from tests.matrix.tables import PATIENCE_S, Registered, Tables
from tests.matrix.wires import Room
from tests.passwords import hashed
from tests.running import RECORD, RunningServer, made_record, server

PASSWORD: Final = "correct horse"
HOSTS: Final = {"anna": "127.0.0.2", "bert": "127.0.0.3", "carl": "127.0.0.4", "dora": "127.0.0.5", "emil": "127.0.0.6"}
"""The accounts, each at an address of its own: quick wins between players at one address do not count."""

PLIES: Final = 6

ANNULLED: Final = 3
"""The game that the host takes back, in the order in which they end."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A game of the evening. ``killed``: the server dies in the middle of it; else "end", right behind it, or "no"."""

    game: str
    players: tuple[str, str]
    dialects: tuple[str, str]
    loser: int
    killed: str = "no"


EVENING: Final = (
    Planned("chess", ("anna", "bert"), ("miniature", "chess-p2p"), 0),
    Planned("chess", ("bert", "carl"), ("web", "bogaprot"), 1, "end"),
    Planned("go", ("dora", "emil"), ("gtp-gui", "web"), 0),
    Planned("chess", ("carl", "anna"), ("chess-p2p", "web"), 1),
    Planned("chess", ("dora", "anna"), ("bogaprot", "miniature"), 0, "middle"),
    Planned("go", ("emil", "carl"), ("web", "gtp-gui"), 0),
    Planned("chess", ("emil", "bert"), ("miniature", "web"), 1),
)


class Challenges(Tables):
    """The API of a server, where tables come of challenges: who has the first seat challenges, the other one takes."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self._root = f"http://127.0.0.1:{port}/api"
        self.players = ("", "")

    def register(self, settings: Settings, named: object, time: str = "none") -> Registered:
        first, second = self.players
        offer = {
            "game": settings.game,
            "variant": settings.variant,
            "options": dict(settings.options),
            "time": time,
            "rated": True,
            "to": second,
            "side": 0,
        }
        made = self.asks(first, "/offers", offer)
        taken = self.asks(second, f"/offers/{made['id']}/take", {})
        assert (taken["table"], taken["seat"]) == (made["id"], 1)
        return Registered(made["id"], self.players, (made["ticket"], taken["ticket"]))

    def asks(self, account: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The answer to a request of an account."""
        secret = base64.b64encode(f"{account}:{PASSWORD}".encode()).decode()
        headers = {"Content-Type": "application/json", "Authorization": f"Basic {secret}"}
        asked = Request(self._root + path, None if body is None else json.dumps(body).encode(), headers)
        with urlopen(asked, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def exported(self, table: int) -> list[dict[str, Any]]:
        """The record of a table, event by event."""
        with urlopen(f"{self._root}/tables/{table}/export", timeout=PATIENCE_S) as answer:
            return [json.loads(line) for line in answer.read().splitlines()]


class Table(Game):
    """A table whose players each have an address of their own."""

    def begin(self, kinds: Any, time: str, observer: Any = None) -> None:
        table = self.tables.register(self.line.settings, (), time)
        self.number = table.number
        for seat, (kind, name) in enumerate(zip(kinds, table.names, strict=True)):
            place = Place(
                table.number, seat, self.line.settings, name, table.names[1 - seat], table.tickets[seat], HOSTS[name]
            )
            self.clients.append(kind(self.room, place))
        for client in self.clients:
            client.come()
            self.until(f"{client.dialect} has a seat", lambda client=client: client.heard.here)  # type: ignore[misc]
        self.start(1)


class Server:
    """The server of the evening, which is started again where it has died; ``ports`` are by what they speak."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.specs = list(dict.fromkeys([*listeners("chess"), *listeners("go")]))
        self.ports: dict[str, int] = {}
        self._stack = ExitStack()
        self.running: RunningServer
        self.starts()

    def starts(self) -> None:
        self.running = self._stack.enter_context(server(self.data, *self.specs, SEATS_BOT_AFTER="never"))
        self.ports.update(zip(self.specs, self.running.ports, strict=True))

    def dies(self) -> None:
        self.running.kill()
        self.starts()

    def stops(self) -> None:
        self.running.stop()
        self._stack.close()


def plays(planned: Planned, here: Server) -> tuple[int, Challenges]:
    """Play a game of the evening; its table."""
    tables = Challenges(here.ports["http"])
    tables.players = planned.players
    cell = Cell(Pair(planned.game, *planned.dialects), here.ports)
    room = Room(here.ports)
    try:
        table = Table(str(cell.pair), room, tables, cell.lines[0])
        table.begin(cell.players, "300+3")
        table.play(PLIES // 2)
        if planned.killed == "middle":
            here.dies()
            for client in table.clients:
                client.cut()
                client.heard.here = False
                client.come_back()
                table.until(f"{client.dialect} is back", lambda client=client: client.heard.here)  # type: ignore[misc]
            table.tables = tables = Challenges(here.ports["http"])
        table.play(PLIES - PLIES // 2)
        table.clients[planned.loser].resign()
        table.until("the result is heard", lambda: all(client.heard.result for client in table.clients))
    finally:
        room.close()
    if planned.killed == "end":
        here.dies()
        tables = Challenges(here.ports["http"])
    return table.number, tables


@dataclass(frozen=True, slots=True)
class Known:
    """A rating as the paper has it, and when the last game ended, in Unix time."""

    rating: float = 1500.0
    deviation: float = 500.0
    volatility: float = 0.09
    at: float | None = None

    def aged(self, at: float) -> Known:
        """RD'² = RD² + periods * sigma², 0.21436 periods a day; up to 500."""
        days = 0.0 if self.at is None else max(0.0, at - self.at) / 86_400
        grown = math.sqrt((self.deviation / SCALE) ** 2 + 0.21436 * days * self.volatility**2) * SCALE
        return replace(self, deviation=min(500.0, grown))


SCALE: Final = 173.7178
TAU: Final = 0.75


def after_a_game(own: Known, other: Known, score: float, at: float) -> Known:
    """Glickman's steps 3 to 8 for one game, but for step 6, the deviation's growth, which time does here."""
    own, other = own.aged(at), other.aged(at)
    phi, rival = own.deviation / SCALE, other.deviation / SCALE
    g = 1 / math.sqrt(1 + 3 * rival**2 / math.pi**2)
    expected = 1 / (1 + math.exp(-g * (own.rating - other.rating) / SCALE))
    v = 1 / (g**2 * expected * (1 - expected))
    delta = v * g * (score - expected)
    sigma = min(0.1, _volatility(own.volatility, delta, phi, v))
    new = 1 / math.sqrt(1 / phi**2 + 1 / v)
    rating = own.rating + SCALE * new**2 * g * (score - expected)
    return Known(rating, min(500.0, max(45.0, new * SCALE)), sigma, at)


def _volatility(sigma: float, delta: float, phi: float, v: float) -> float:
    """The root that step 5 looks for, by halving."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        top = math.exp(x) * (delta**2 - phi**2 - v - math.exp(x))
        return top / (2 * (phi**2 + v + math.exp(x)) ** 2) - (x - a) / TAU**2

    low, high = a - 20.0, a + 20.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return math.exp((low + high) / 4)


def computed(records: list[list[dict[str, Any]]]) -> dict[tuple[str, str], Known]:
    """By pool and account, what these exported games come to, in the order of their ends."""
    games = []
    for events in records:
        names = {event["body"]["seat"]: event["body"]["name"] for event in events if event["kind"] == "SeatTaken"}
        (started,) = (event["body"]["settings"] for event in events if event["kind"] == "GameStarted")
        (ended,) = (event for event in events if event["kind"] == "GameEnded")
        assert started["rated"]
        pool = f"{started['game']}/{started['variant'] if started['game'] != 'go' else started['width']}"
        games.append((datetime.fromisoformat(ended["at"]).timestamp(), pool, names, ended["body"]["outcome"]["winner"]))
    found: dict[tuple[str, str], Known] = {}
    for at, pool, names, winner in sorted(games, key=lambda game: game[0]):
        before = {seat: found.get((pool, name), Known()) for seat, name in names.items()}
        for seat, name in names.items():
            found[pool, name] = after_a_game(before[seat], before[1 - seat], float(seat == winner), at)
    return found


def told(here: Challenges, pools: set[str]) -> dict[tuple[str, str], float]:
    """By pool and account, the rating that the API tells, in tenths of a point."""
    shown = {name: here.asks(name, f"/players/{name}")["ratings"] for name in HOSTS}
    return {
        (rated["pool"], name): rated["rating"]
        for name, found in shown.items()
        for rated in found
        if rated["pool"] in pools
    }


def agree(here: Challenges, records: list[list[dict[str, Any]]]) -> None:
    """Wait until the server's ratings are those that the export comes to."""
    expected = {who: known.rating for who, known in computed(records).items()}
    deadline, found = time.monotonic() + PATIENCE_S, dict[tuple[str, str], float]()
    while time.monotonic() < deadline and found != pytest.approx(expected, abs=0.051):
        found = told(here, {pool for pool, _ in expected})
        time.sleep(0.1)
    assert found == pytest.approx(expected, abs=0.051)


def test_an_evening_of_rated_games_comes_to_what_its_export_says(tmp_path: Path) -> None:
    url = made_record(tmp_path / RECORD)
    with closing(SqlAccounts(url)) as accounts:
        for name in HOSTS:
            accounts.add(name, hashed(PASSWORD), "test")
    here = Server(tmp_path)
    try:
        numbers = []
        for planned in EVENING:
            number, tables = plays(planned, here)
            numbers.append(number)
        records = [tables.exported(number) for number in numbers]
        agree(tables, records)
        annul = [sys.executable, "-m", "gateway.cli", "ratings", "annul", str(numbers[ANNULLED]), "--reason", "a try"]
        subprocess.run([*annul, "--data", str(tmp_path)], check=True, capture_output=True, timeout=PATIENCE_S)
        agree(tables, records[:ANNULLED] + records[ANNULLED + 1 :])
        here.stops()
        assert "Traceback" not in here.running.log.read_text()
    finally:
        here.running.kill()
