"""When all have left and all tables have ended, a server keeps nothing of them: every mapping it holds is as at first.

Guests of every dialect speak pieces of transcripts to a running server, register tables and play over GAMESMAN, on a
record that is slow now and then, and hang up in the middle of anything. Then time passes, and every mapping, set and
queue that can be reached from the server is counted. They are found by walking its objects: a new one is counted
without being named here.
"""

from __future__ import annotations

import contextlib
import random
from collections import deque
from collections.abc import Iterator, Mapping, Set
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

import pytest
import trio
from trio.testing import MockClock

from gateway import registry
from gateway.config import Seats
from gateway.lobby.registration import Registration
from gateway.seating.registrar import Registrant
from gateway.sessions.listener import EntryPoint
from gateway.web.http_dialects import http_sessions
from gateway.web.http_sessions import HttpSessions
from protocols.core.errors import Refused
from protocols.gamesman import wire as gamesman
from protocols.gamesman.dialect import Gamesman
from protocols.gamesman.http import Asked, GamesmanHttp
from tests.failing_record import Waiting, waiting
from tests.hall import FirstMove, Guest, Hall, config, hall
from tests.laws.conversations import option_sets, pieces
from tests.laws.playouts import NIGHTLY
from tests.store.memory import MemoryLog

SEEDS: Final = range(300 if NIGHTLY else 6)
STEPS: Final = 150
NAMES: Final = ("anna", "bert", "carl  dora", "carl dora", "carl\u00a0dora")
"""The last three are spellings of one name."""

FORGOTTEN_S: Final = 3_600.0
"""Everything that is kept for a while is forgotten then: graces, failures, last answers of GAMESMAN."""

KNOWN: Final = frozenset((*registry.games(), *registry.dialects()))
"""Keys that there are a few of, however many come."""

Containers = dict[str, int]
"""How many entries each container has, by the attributes that lead to it."""


def counted(*roots: object) -> Containers:
    """Every container that belongs to these objects, but for the record and what is counted by game or dialect."""
    found: Containers = {}
    seen: set[int] = set()
    waiting_for: deque[tuple[str, object]] = deque((type(root).__name__, root) for root in roots)
    while waiting_for:
        path, thing = waiting_for.popleft()
        if id(thing) in seen or isinstance(thing, MemoryLog | type | ModuleType):
            continue
        seen.add(id(thing))
        if isinstance(thing, Mapping | Set | deque) and getattr(thing, "maxlen", None) is None:  # it has no bound
            found[path] = max(found.get(path, 0), sum(not _known(key) for key in thing))
        waiting_for.extend((f"{path}{step}", part) for step, part in _parts(thing))
    return found


def _known(key: object) -> bool:
    return key in KNOWN if isinstance(key, str) else False


def _parts(thing: object) -> Iterator[tuple[str, Any]]:
    """What belongs to it: values of containers, attributes of our own objects, what a function was made with."""
    match thing:
        case Mapping():
            yield from (("[]", part) for part in (*thing.values(), *thing))
        case list() | tuple() | Set() | deque():
            yield from (("[]", part) for part in thing)
        case MethodType():
            yield "", thing.__self__
        case FunctionType():
            yield from (("()", cell.cell_contents) for cell in thing.__closure__ or ())
        case partial():
            yield from (("()", part) for part in (thing.func, *thing.args, *thing.keywords.values()))
        case _ if type(thing).__module__.startswith("gateway."):
            names = (*getattr(thing, "__dict__", ()), *(name for kind in type(thing).__mro__ for name in _slots(kind)))
            yield from ((f".{name}", getattr(thing, name)) for name in dict.fromkeys(names) if hasattr(thing, name))


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def test_the_count_finds_what_hides_in_an_object_of_ours_behind_whatever() -> None:
    server = Asked("anna", "bert")
    sessions = {"a game": server}

    def behind() -> object:
        return sessions

    assert counted(partial(behind))["partial()()"] == 1


class Crowd:
    """Guests of every dialect who do anything at all."""

    def __init__(self, here: Hall, sessions: HttpSessions, seed: int) -> None:
        self._here = here
        self._sessions = sessions
        self._random = random.Random(seed)
        self._guests: list[Guest] = []
        self._nursery: trio.Nursery | None = None
        self._doors = {
            name: EntryPoint(dialect, option_sets(name)[0], here.server.house_rules)
            for name, dialect in registry.dialects().items()
            if dialect.http is None  # those have sessions of their own
        }

    async def come_and_go(self) -> None:
        acts = (self._comes, self._speaks, self._speaks, self._speaks, self._goes, self._registers, self._asks)
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            for _ in range(STEPS):
                await self._random.choice((*acts, self._slow))()
                await trio.sleep(self._random.choice((0.0, 0.0, 0.05, 0.3, 1.5, 6.0)))
            waiting(self._here).go()
            for guest in self._guests:
                await guest.stream.aclose()
            nursery.cancel_scope.cancel()

    async def _comes(self) -> None:
        if len(self._guests) < 12:
            name = self._random.choice(sorted(self._doors))
            address = f"192.0.2.{self._random.randint(1, 9)}"
            guest = self._here.dial(address, self._doors[name])
            self._guests.append(guest)
            assert self._nursery is not None
            self._nursery.start_soon(_read, guest)
            guest.dialect = name  # type: ignore[attr-defined]

    async def _speaks(self) -> None:
        if self._guests:
            guest = self._random.choice(self._guests)
            try:
                await guest.stream.send_all(self._random.choice(pieces(guest.dialect)))  # type: ignore[attr-defined]
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                self._guests.remove(guest)

    async def _goes(self) -> None:
        if self._guests:
            guest = self._guests.pop(self._random.randrange(len(self._guests)))
            await guest.stream.aclose()

    async def _slow(self) -> None:
        record = waiting(self._here)
        if record.waits:
            record.go()
        else:
            record.waits = True

    async def _registers(self) -> None:
        assert self._nursery is not None
        self._nursery.start_soon(
            self._register, self._random.sample(NAMES, 2), f"192.0.2.{self._random.randint(1, 99)}"
        )

    async def _register(self, names: list[str], address: str) -> None:
        game = registry.game(self._random.choice(("tic_tac_toe", "checkers")))
        asked = Registration(game.settings(), (names[0], names[1]))
        with contextlib.suppress(Refused):
            await self._here.server.registrar.register(asked, Registrant(address=address))

    async def _asks(self) -> None:
        """A request of GAMESMAN whose asker does not wait for the answer."""
        moves = (b"a1", b"b2", b"zz\xff", gamesman.NULL)
        source, dest = self._random.sample(NAMES, 2)
        names = ((gamesman.SRC, source.encode()), (gamesman.DEST, dest.encode()))
        said = ((gamesman.TYPE, gamesman.SEND_MOVE.encode()), (gamesman.MOVE, self._random.choice(moves)))
        self._sessions.ask(Asked(source, dest, fields=(*names, *said)), "192.0.2.200", "")


async def _read(guest: Guest) -> None:
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        while await guest.stream.receive_some(4096):
            pass


@pytest.mark.nightly_too
@pytest.mark.parametrize("seed", SEEDS)
async def test_nothing_is_left_of_those_who_came_and_of_tables_that_ended(autojump_clock: MockClock, seed: int) -> None:
    seats = Seats(bot_after_s=3.0 if seed % 2 else None, grace_s=5.0, adjourned_s=20.0, registered_s=30.0)
    settings = config(seats=seats, handshake_s=3.0, lobby_s=3.0, idle_s=60.0, sayings_burst=5)
    async with hall(settings, log=Waiting, bots=FirstMove() if seed % 2 else None) as here:
        sessions = http_sessions(here.server, Gamesman, GamesmanHttp())
        at_first = counted(here.server, sessions)
        crowd = Crowd(here, sessions, seed)
        await crowd.come_and_go()
        await trio.sleep(FORGOTTEN_S)
        sessions.ask(Asked("nobody", "else"), "", "")
        left = {path: count for path, count in counted(here.server, sessions).items() if count > at_first.get(path, 0)}
    assert left == {}
