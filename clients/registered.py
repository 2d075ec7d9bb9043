"""Clients of dialects in which two names find a registered game: what the command line needs of one.

A client is an entry point of the group boardgate.clients, under its dialect's name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any, ClassVar, Final

from clients.joining import Address
from gateway import registry
from gateway.games.base import Game
from protocols.core.errors import BoardgateError

KIND: Final = "client"

Show = Callable[[str], None]


class NotPlayed(BoardgateError):
    """The server refuses, or cannot be reached; the text says why."""


@dataclass(frozen=True, slots=True)
class RegisteredSeat:
    """One player's seat at a registered game: ``position`` is where the game begins, ``secret`` an account's or ""."""

    game: Game[Any]
    position: Any
    server: Address
    name: str
    opponent: str
    ticket: str = ""
    secret: str = ""


class RegisteredClient(ABC):
    """Plays registered games in one dialect. Both methods raise NotPlayed, and IllegalMove for a move of the opponent's
    that is none here."""

    port: ClassVar[int]
    """Default port of ``boardgate serve``."""

    @abstractmethod
    def play(self, seat: RegisteredSeat, lines: Iterable[str], show: Show) -> None:
        """Play one game by typed ``lines``; returns at its end, or at theirs. ``show`` gets what there is to read."""

    @abstractmethod
    def play_bot(self, seat: RegisteredSeat, level: int, show: Show) -> None:
        """Let a bot of ``level`` (gateway.bots.chooser) play one game."""


def names() -> list[str]:
    """The dialects that have such a client, sorted."""
    return list(registry.installed(KIND))


def client(dialect: str) -> RegisteredClient:
    """The client of a dialect in ``names``. NotPlayed: it does not load."""
    loaded = registry.plug_ins(KIND, _client)
    if dialect not in loaded.found:
        raise NotPlayed("; ".join(loaded.left_out))
    found: RegisteredClient = loaded.found[dialect]
    return found


def _client(point: EntryPoint) -> RegisteredClient:
    made = point.load()()
    if not isinstance(made, RegisteredClient):
        raise TypeError(f"{point.value} is no RegisteredClient")
    return made
