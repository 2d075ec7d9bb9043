"""Measures a flood from a player's seat: the time of moves in calm, and while another process floods a listener.

All of it by turns on one server that is held to its default limits: the players come from so many addresses that each
has room, the floods from others.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from bench import flooder, process, scripts
from bench.floods import HTTP, KINDS, PLAIN, TLS
from bench.load import Count, Load, Progress
from bench.measure import WARM_S
from bench.pairs import DIAL_S, BogaprotPair
from bench.process import self_signed
from gateway.config import Limits
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.opcode_codec import Wire, codec

TURN_S: Final = 2.0
"""Seconds of calm, of one flood, of calm, of the next, again and again."""

AFTER_S: Final = flooder.SETTLE_S + 0.5
"""Seconds of play after each flood that belong to no turn: what waits in the backlog is still being answered."""

PAIRS_EACH: Final = 16
"""Pairs at one address: half of the connections it may have."""

LIMITED: Final = {
    name: str(getattr(Limits(), name.removeprefix("BOARDGATE_LIMITS_").lower()))
    for name in process.UNLIMITED
    if name.startswith("BOARDGATE_LIMITS_")
}
"""The limits as they are by default."""


PLACES: Final = Limits().connections_per_address


@dataclass(frozen=True, slots=True)
class Became:
    """Counts of one flood: connections that were opened, hung up on, still open after it; those that the system did not
    connect; how often the server did what was asked."""

    opened: int
    ended: int
    left: int
    unanswered: int
    served: int


@dataclass(slots=True)
class Trouble:
    """Turns of one kind of flood: what moves took, and over all turns what became of what was opened.

    ``most_left`` is the most that were open after a turn without having been hung up on: an address's limit.
    """

    moves: Count = field(default_factory=Count)
    opened: int = 0
    ended: int = 0
    most_left: int = 0
    unanswered: int = 0
    served: int = 0

    def add(self, moves: Count, became: Became) -> None:
        """Count another turn."""
        self.moves.add(moves)
        self.opened += became.opened
        self.ended += became.ended
        self.most_left = max(self.most_left, became.left)
        self.unanswered += became.unanswered
        self.served += became.served

    def per_second(self, count: int) -> float:
        """Connections a second."""
        return count / self.moves.seconds if self.moves.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Times of moves at ``tables`` that move once a second, in each kind of flood, beside ``calm`` in the same run."""

    tables: int
    calm: Count
    troubles: Mapping[str, Trouble]

    def ratio(self, trouble: Trouble, share: float = 0.99) -> float:
        """The time of a move as a multiple of that in calm."""
        calm = self.calm.percentile(share)
        return trouble.moves.percentile(share) / calm if calm else 0.0


class Visitors(BogaprotPair):
    """Clients with a handshake, from addresses of their own: a client without a word would have no seat."""

    listener = ""
    _HELLO: Final = Wire(codec(BOGAPROT), "client").build("REQ_HANDSHAKE", BogaprotPair.game, 1)

    def __init__(self, address: tuple[str, int], games: list[list[bytes]], number: int) -> None:
        super().__init__(address, games, number)
        self._host = f"127.0.1.{1 + number // PAIRS_EACH}"

    def _connected(self) -> socket.socket:
        client = socket.create_connection(self.address, DIAL_S, source_address=(self._host, 0))
        client.sendall(self._HELLO)
        return client


def disturbance(tables: int, seconds: float, progress: Progress) -> Disturbance:
    """Each kind of turn for so many ``seconds`` altogether."""
    games = Visitors.script(scripts.games(Visitors.game))
    calm, troubles = Count(), {kind: Trouble() for kind in KINDS}
    with _server() as ports, _flooding() as flooding:
        players = [Visitors((flooder.SERVER, ports[PLAIN]), games, number) for number in range(tables)]
        load = Load(players, 1.0)
        try:
            load.connect(lambda share: progress(0.2 * share))
            load.run(WARM_S, lambda share: None)
            rounds = max(1, round(seconds / TURN_S))
            for number in range(rounds):
                for done, (kind, trouble) in enumerate(troubles.items()):
                    calm.add(load.run(seconds / rounds / 2, lambda share: None))
                    trouble.add(*_turn(load, flooding, f"{ports[KINDS[kind].at]} {kind}", seconds / rounds))
                    progress(0.2 + 0.8 * (number + (1 + done) / len(KINDS)) / rounds)
        finally:
            load.close()
    return Disturbance(tables, calm, troubles)


def _turn(load: Load, flooding: subprocess.Popen[str], what: str, seconds: float) -> tuple[Count, Became]:
    assert flooding.stdin is not None
    assert flooding.stdout is not None
    flooding.stdin.write(f"{what} {seconds}\n")
    flooding.stdin.flush()
    moves = load.run(seconds, lambda share: None)
    load.run(AFTER_S, lambda share: None)
    return moves, Became(*map(int, flooding.stdout.readline().split()))


@contextmanager
def _server() -> Iterator[dict[str, int]]:
    """A server's ports by their kind of listener."""
    with self_signed() as secure:
        never = "bot_after=never"
        listeners = {
            PLAIN: f"{Visitors.dialect}=127.0.0.1:0,{never}",
            TLS: f"{Visitors.dialect}=127.0.0.1:0,{never},{secure}",
            HTTP: "http=127.0.0.1:0",
        }
        with process.serving(*listeners.values(), **LIMITED) as servers:
            yield {at: server.address[1] for at, server in zip(listeners, servers, strict=True)}


@contextmanager
def _flooding() -> Iterator[subprocess.Popen[str]]:
    """The flooding process, on the load's core like everything that is started now."""
    command = [sys.executable, "-m", flooder.__name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as flooding:
        try:
            yield flooding
        finally:
            flooding.kill()
