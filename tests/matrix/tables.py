"""Registers the tables of a cell over the JSON API, and reads what the server has in its record of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Any, Final
from urllib.request import Request, urlopen

from protocols.core.model import Settings

PATIENCE_S: Final = 20.0
OPEN: Final = "open"

_NUMBERS: Final = count(1)
"""Nobody of one table comes back at the next."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A table that waits for its players: its number, and by seat their names and tickets, "" where a seat is open."""

    number: int
    names: tuple[str, ...]
    tickets: tuple[str, ...]


class Tables:
    """The API of one running server."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/api/tables"

    def register(self, settings: Settings, named: Sequence[bool], time: str = "none") -> Registered:
        """A table for two players, by seat with a name of their own, or open."""
        number = next(_NUMBERS)
        names = tuple(f"{who}{number}" if has else "" for who, has in zip(("Anna", "Bert"), named, strict=True))
        body = {
            "game": settings.game,
            "variant": settings.variant,
            "options": dict(settings.options),
            "time": time,
            "seats": [{"name": name} if name else OPEN for name in names],
        }
        answer = self._ask(Request(self._url, json.dumps(body).encode(), {"Content-Type": "application/json"}))
        tickets = tuple(ticket or "" for ticket in answer["tickets"])
        return Registered(answer["id"], names, tickets)

    def shown(self, number: int) -> dict[str, Any]:
        """The table as its record has it: moves, outcome."""
        return self._ask(Request(f"{self._url}/{number}"))

    def until_lost(self, number: int, seat: int) -> None:
        """Ask until the server has noticed that the player of a seat is gone."""
        patience = monotonic() + PATIENCE_S
        while self._ask(Request(f"{self._url}/{number}/presence"))["seats"][seat]["kept_s"] is None:
            assert monotonic() < patience, f"table {number} does not miss seat {seat}"

    def _ask(self, request: Request) -> dict[str, Any]:
        with urlopen(request, timeout=PATIENCE_S) as answer:
            found: dict[str, Any] = json.load(answer)
        return found
