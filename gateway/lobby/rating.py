"""Rated games are between accounts: refuses the steps of a table that would propose or begin one with anybody else.

One rule for every dialect, house bots included. Not here: who owns which name (names.py), and registered tables, whose
players are checked when they are registered (gateway.server.registrar).
"""

from __future__ import annotations

from collections.abc import Callable

from gateway.table.draft import Draft
from gateway.table.state import rated
from protocols.core.errors import Refused, Why
from protocols.core.events import GameStarted, Proposed
from protocols.core.model import Settings
from protocols.core.proposals import Start


def check(draft: Draft, owned: Callable[[str], bool]) -> None:
    """Refused (NO_ACCOUNT): a seat without an account proposes a rated game, or would play in one.

    ``owned`` says whether a name is an account's.
    """
    for event in draft.events:
        match event:
            case Proposed(seat=seat, proposal=Start() as start):
                check_wish(draft.state.seats[seat].name, start, owned)
            case GameStarted(settings=Settings(rated=True)):
                for holder in draft.state.seats:
                    _check(holder.name, owned)


def check_wish(name: str, start: Start, owned: Callable[[str], bool]) -> None:
    """Refused (NO_ACCOUNT): a player of this name wants a rated game and has no account."""
    if rated(start.settings):
        _check(name, owned)


def _check(name: str, owned: Callable[[str], bool]) -> None:
    if not owned(name):
        raise Refused(Why.NO_ACCOUNT, f"a rated game is between accounts, and {name} has none: play unrated, or log in")
