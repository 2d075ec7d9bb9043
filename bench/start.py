"""Measures a start on a record full of unfinished games: time to open ports, to seat a player, and memory.

The record is this measurement's own (unfinished.py), and as a killed server leaves it: every game was being played.
"""

from __future__ import annotations

import random
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Final

from bench import process, unfinished
from bench.load import Progress
from bench.pairs import DIAL_S, Stuck
from gateway.store.schema import ADJOURNED
from gateway.store.views import Views
from migrations import upgrade
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.opcode_codec import Wire, codec

PLAYERS: Final = 20
"""Ticket holders who come back, one after another, each to another table."""

SETTLE_S: Final = 3.0
"""Seconds after the last of them until memory is read: longer than an empty table stays awake."""

BUILDING: Final = 0.8
"""The share of the time that the record takes, for the progress bar."""


@dataclass(frozen=True, slots=True)
class Started:
    """A server on ``tables`` unfinished games of ``events`` events in all.

    Seconds until its ports are open, and seconds of the processor for that; until the first ticket holder has a seat
    after that, and the median of the others; bytes of memory while nearly all tables rest, and at most while all are
    replayed because their graces are over; tables a second that are.
    """

    tables: int
    events: int
    open_s: float
    processor_s: float
    first_s: float
    other_s: float
    resting_bytes: int
    replaying_bytes: int
    replayed_per_second: float


def start(tables: int, events: int, seconds: float, progress: Progress) -> Started:
    """Build a record of ``tables`` games with so many ``events`` each, and start a server on it twice.

    The second one's graces end at once, and it is looked at for ``seconds``. Linux only.
    """
    with tempfile.TemporaryDirectory(prefix="boardgate-bench-") as data:
        url = f"sqlite:///{Path(data) / 'boardgate.db'}"
        upgrade(url)
        stored = unfinished.build(url, tables, events, lambda share: progress(BUILDING * share))
        begun = perf_counter()
        with process.serving("bogaprot=127.0.0.1:0", data=data) as (server,):
            open_s, processor_s = perf_counter() - begun, server.processor_s()
            chance = random.Random(tables)
            waits = [_comes_back(server, chance.randint(1, tables)) for _ in range(PLAYERS)]
            sleep(SETTLE_S)
            resting = server.memory_bytes()
        with process.serving("bogaprot=127.0.0.1:0", data=data, BOARDGATE_SEATS_GRACE="1s") as (server,):
            most, rate = _replays(server, url, tables, seconds)
        progress(1.0)
    return Started(tables, stored, open_s, processor_s, waits[0], median(waits[1:]), resting, most, rate)


def _comes_back(server: process.Server, table: int) -> float:
    """Seconds from dialling until the holder of a ticket of this table is told its seat."""
    begun, wire = perf_counter(), Wire(codec(BOGAPROT), "client")
    with socket.create_connection(server.address, DIAL_S) as sock:
        sock.sendall(wire.build("REQ_HANDSHAKE", f"{unfinished.game(table)}#{unfinished.ticket(table, 0)}", 1))
        while data := sock.recv(1 << 16):
            for message in wire.receive_data(data):
                if message.name == "MSG_SEAT":
                    return perf_counter() - begun
    raise Stuck(f"the holder of a ticket of table {table} was hung up on")


def _replays(server: process.Server, url: str, tables: int, seconds: float) -> tuple[int, float]:
    """The most memory during this time, and how many tables a second were replayed and adjourned."""
    views, most, begun = Views(url), 0, perf_counter()
    try:
        while perf_counter() - begun < seconds:
            sleep(min(1.0, seconds))
            most = max(most, server.memory_bytes())
        spent = perf_counter() - begun
        return most, len(views.tables(ADJOURNED, limit=tables)) / spent
    finally:
        views.close()
