"""Rooms: which callers may meet, by which code, and until when. Pure state; time (seconds) and codes are arguments.

A room belongs to the first two sides that met in it. What its connections are told because of a change is returned as
steps, each for the connection of one side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from gateway.admission.token_bucket import TokenBuckets
from gateway.config import Config, Relay
from protocols.core.errors import BoardgateError

LETTERS: Final = "23456789bcdfghjkmnpqrstvwxz"
"""Letters of a code: no vowels, so that it is never a word, and no two that look alike."""

LETTERS_EACH: Final = 8
"""Letters of a code: 280 thousand million codes, of which some thousand exist for some minutes."""

GUESSES: Final = 20
"""Unknown codes one address may name at once, and then so many a minute: people mistype, programs try."""


class Refusal(BoardgateError):
    """The relay refuses: ``reason`` is a word for programs and counters, the text is for people."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def unknown_code() -> Refusal:
    """The refusal of a code without a room."""
    return Refusal("unknown_code", "there is no such code; it may have expired")


class Stage(Enum):
    """The progress of one side."""

    AWAY = auto()
    WAITING = auto()
    MET = auto()
    JOINING = auto()  # it has said JOIN
    JOINED = auto()
    DIRECT = auto()


_TOGETHER: Final = frozenset((Stage.MET, Stage.JOINING, Stage.JOINED, Stage.DIRECT))


class Step(Enum):
    """The fate of a side's connection, or a word to it."""

    CLOSE = auto()
    WAIT = auto()
    PEER = auto()
    JOINED = auto()
    DIRECT = auto()


Steps = list[tuple[int, Step]]
"""Each for the connection that this side had before."""


@dataclass(slots=True)
class Room:
    """``sides`` are digests; ``quiet_since`` is when the two sides were last together; ``dialect`` is the record's."""

    code: str
    opener: str
    opened: float
    dialect: str = ""
    recorded: bool = False
    sides: list[bytes | None] = field(default_factory=lambda: [None, None])
    stages: list[Stage] = field(default_factory=lambda: [Stage.AWAY, Stage.AWAY])
    met: bool = False
    used: bool = False
    """Two programs have met at its one-time port."""
    quiet_since: float | None = None

    def meet(self, side: bytes, now: float) -> tuple[int, Steps]:
        """A connection of ``side``: which of the two it is, and the steps. The newer replaces the older. Refusal."""
        at = self._index(side)
        other = 1 - at
        steps: Steps = []
        if self.stages[at] is not Stage.AWAY:
            steps.append((at, Step.CLOSE))
        if self.stages[other] in _TOGETHER:
            steps.append((other, Step.CLOSE))
            self.stages[other] = Stage.AWAY
        self.sides[at] = side
        self.stages[at] = Stage.WAITING
        steps.append((at, Step.WAIT))
        if self.stages[other] is Stage.WAITING:
            self.met = True
            self.stages[:] = [Stage.MET, Stage.MET]
            steps += [(at, Step.PEER), (other, Step.PEER)]
        self._hush(now)
        return at, steps

    def _index(self, side: bytes) -> int:
        if self.used:
            raise Refusal("in_use", "this code is in use by two others")
        if side in self.sides:
            return self.sides.index(side)
        if None not in self.sides:
            raise Refusal("in_use", "this code is in use by two others")
        return self.sides.index(None)

    def join(self, at: int) -> Steps:
        """This side wants the relay; where it was told DIRECT meanwhile, it has not read that yet."""
        if self.stages[at] is Stage.MET:
            self.stages[at] = Stage.JOINING
        if self.stages != [Stage.JOINING, Stage.JOINING]:
            return []
        self.stages[:] = [Stage.JOINED, Stage.JOINED]
        return [(0, Step.JOINED), (1, Step.JOINED)]

    def direct(self, at: int) -> Steps:
        """This side reaches the other without us."""
        other = 1 - at
        if self.stages[other] not in (Stage.MET, Stage.JOINING, Stage.DIRECT):
            return []
        self.stages[:] = [Stage.DIRECT, Stage.DIRECT]
        return [(other, Step.DIRECT)]

    def gone(self, at: int, now: float) -> Steps:
        """The connection of this side ended. Who waited for its choice is to meet again."""
        other = 1 - at
        was, self.stages[at] = self.stages[at], Stage.AWAY
        if not self.met:
            self.sides[at] = None  # the next caller in its place may have started anew, with another side
        steps: Steps = []
        if self.stages[other] in _TOGETHER and was is not Stage.DIRECT:
            self.stages[other] = Stage.AWAY
            steps.append((other, Step.CLOSE))
        self._hush(now)
        return steps

    def _hush(self, now: float) -> None:
        """Note since when no two have been together."""
        if not self.met or not _TOGETHER.isdisjoint(self.stages):
            self.quiet_since = None
        elif self.quiet_since is None:
            self.quiet_since = now

    def over(self, now: float, limits: Relay) -> str:
        """Why this room has ended; "" while it has not."""
        if self.used:
            return ""
        if not self.met:
            return "this code has expired" if now - self.opened >= limits.expires_s else ""
        if self.quiet_since is not None and now - self.quiet_since >= limits.grace_s:
            return "the other side has not come back"
        return ""


class Rooms:
    """All rooms by code, and what one address may open and guess."""

    def __init__(self, limits: Relay) -> None:
        self._limits = limits
        self._rooms: dict[str, Room] = {}
        self._guesses: TokenBuckets[str] = TokenBuckets(GUESSES / 60, GUESSES)

    def reread(self, config: Config) -> None:
        """Keep to these limits from now on, for rooms that are open, too."""
        self._limits = config.relay

    def __len__(self) -> int:
        return len(self._rooms)

    def open(self, code: str, opener: str, now: float) -> Room:
        """A new room. Refusal when there are too many, of all or of this address."""
        if len(self._rooms) >= self._limits.rooms:
            raise Refusal("full", "the relay is full; try again in some minutes")
        if sum(room.opener == opener for room in self._rooms.values()) >= self._limits.rooms_per_address:
            raise Refusal("too_many", f"{self._limits.rooms_per_address} codes of this address are in use already")
        room = self._rooms[code] = Room(code, opener, now)
        return room

    def __contains__(self, code: str) -> bool:
        return code in self._rooms

    def find(self, code: str, asker: str, now: float) -> Room | None:
        """The room of this code; None: there is none here, which counts as a guess. Refusal: there were too many."""
        guesses = self._guesses.known(asker)
        if guesses is not None and guesses.wait_s(0, now):
            raise Refusal("guessing", "too many unknown codes; wait a minute")
        if code in self._rooms:
            return self._rooms[code]
        self._guesses.bucket(asker, now).wait_s(1, now)
        return None

    def excuse(self, asker: str, now: float) -> None:
        """A code that is unknown here was no guess: another node has its room."""
        if (guesses := self._guesses.known(asker)) is not None:
            guesses.wait_s(-1, now)

    def close(self, room: Room) -> None:
        """Forget it. Idempotent."""
        self._rooms.pop(room.code, None)

    def over(self, now: float) -> list[tuple[Room, str]]:
        """Rooms that have ended by themselves, each with the reason; old guesses are forgotten."""
        self._guesses.forget(now)
        ended = ((room, room.over(now, self._limits)) for room in self._rooms.values())
        return [(room, why) for room, why in ended if why]
