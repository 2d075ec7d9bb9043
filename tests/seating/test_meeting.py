"""Real clients of every dialect come in any order: when it is quiet, no two wait whose proposals match.

The bytes are those of the dialects; connections, tables and the record are real ones in memory, the clock jumps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final, TypeAlias

import pytest
import trio
from trio.testing import MockClock

from gateway.config import Listen
from gateway.sessions.listener import Listener, open_listener
from gateway.table.state import Status
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.opcode_codec import Wire, codec
from protocols.core.proposals import Start
from tests.hall import Hall, hall

VARIANTS: Final = ("3check", "kingofthehill", "normal")
CLOCKS: Final = (180, 300)
RACES: Final = (47, 56, 134, 199, 211)
"""Seeds by which two once waited for each other to sit down where a third sat, until both were refused."""

QUIET_S: Final = 1.0
"""Virtual seconds in which nothing is left to do: the clock jumps only while every task sleeps."""


@dataclass(frozen=True)
class Client:
    """``parts`` are sent one after another, with pauses in which anything else may happen."""

    dialect: str
    parts: tuple[bytes, ...]


People: TypeAlias = Callable[[Random, int], Client]


def chess(random: Random, number: int) -> Client:
    white, clock, variant = random.random() < 0.5, random.choice(CLOCKS), random.choice(VARIANTS)
    kind = random.choice(("miniature", "take", "chess-p2p", "xboard", "bogaprot", "plain"))
    side = "w" if white else "b"
    match kind:
        case "miniature":
            return Client("miniature", _lines(f"tell gateway name m{number}", f"seek {clock // 60} 0 u {side}"))
        case "take":
            return Client("miniature", _lines(f"tell gateway name t{number}", "play"))
        case "chess-p2p" | "xboard":
            level = f"level 0 {clock} 0"
            first = ("move e2e4",) if white else ()
            lines = _lines(f"name p{number}", "new", f"variant {variant}", level, *first, "go")
            return Client("chess-p2p", lines if kind == "xboard" else (b"".join(lines),))
    wishes = "" if kind == "plain" else f"?time={clock}"
    return Client("bogaprot", (_handshake(f"chess{wishes}"),))


def go(random: Random, number: int) -> Client:
    size, black = random.choice((9, 13)), random.random() < 0.5
    if random.random() < 0.3:
        return Client("bogaprot", (_handshake(random.choice((f"go?size={size}", "go"))),))
    first = "play b C3" if black else "play w C3"
    set_up = (f"# name g{number}", f"boardsize {size}")
    return Client("gtp-gui", _lines(*set_up, first, first))  # asked again, the command waits


def _lines(*lines: str) -> tuple[bytes, ...]:
    return tuple(f"{line}\n".encode() for line in lines)


def _handshake(engine: str) -> bytes:
    return Wire(codec(BOGAPROT), "client").build("REQ_HANDSHAKE", engine, 1)


async def come(halls: Sequence[Hall], clients: Sequence[Client], random: Random) -> None:
    """All connect in their order, by turns at these halls; what they say comes in any order, some of it at once."""
    doors = {
        (at, name): _door(here, name) for at, here in enumerate(halls) for name in {each.dialect for each in clients}
    }
    guests = []
    for number, client in enumerate(clients):
        at = number % len(halls)
        guests.append((halls[at].dial(f"192.0.2.{number}", doors[at, client.dialect]), list(client.parts)))
    while guests:
        at = random.randrange(len(guests))
        guest, parts = guests[at]
        await guest.stream.send_all(parts.pop(0))
        if not parts:
            del guests[at]
        if random.random() < 0.5:
            await trio.sleep(random.choice((0.0, 0.0, QUIET_S)))


def _door(here: Hall, dialect: str) -> Listener:
    here.listeners.append(
        open_listener(Listen(dialect, "127.0.0.1", 0, {"bot_after": "never"}), here.server.house_rules)
    )
    return here.listeners[-1]


def proposals(halls: Iterable[Hall]) -> list[tuple[int, str, Start]]:
    """Return the proposals at tables whose game has not begun: table, name, proposal."""
    return [
        (table.state.table, table.state.seats[made.seat].name, made.proposal)
        for here in halls
        for table in here.server.tables.values()
        if table.state.status is Status.OPEN
        for made in table.state.proposals
        if isinstance(made.proposal, Start)
    ]


def check(halls: Sequence[Hall], clients: Sequence[Client]) -> None:
    """All have a seat, and no two wait whose proposals match."""
    connections = [connection for here in halls for connection in here.server.connections]
    for connection in connections:
        taker = connection.party is None or connection.party.name.startswith("t")
        assert taker or connection.table is not None, "only a play that found no seek, or several, gets no seat"
    assert len(connections) == len(clients)
    for one, other in combinations(proposals(halls), 2):
        assert not matches(one[2], other[2]), f"{one} and {other} wait"


def matches(one: Start, other: Start) -> bool:
    same = None in (one.settings, other.settings) or one.settings == other.settings
    return same and (None in (one.side, other.side) or one.side != other.side)


@pytest.mark.parametrize("people", [chess, go])
@pytest.mark.parametrize("seed", [*range(40), *RACES])
async def test_no_two_wait_whose_proposals_match(people: People, seed: int, autojump_clock: MockClock) -> None:
    random = Random(seed)
    clients = [people(random, number) for number in range(random.randint(2, 12))]
    async with hall(bot_after="never") as here:
        await come([here], clients, random)
        await trio.sleep(QUIET_S)
        check([here], clients)
