"""Rated games are between accounts, and house bots: refuses the steps of a table that would propose or begin one with a
guest.

One rule for every dialect.
"""

from __future__ import annotations

from collections.abc import Callable

from gateway.table.draft import Draft
from gateway.table.state import ABSENT, rated
from protocols.core.errors import Refused, Why
from protocols.core.events import GameStarted, Proposed
from protocols.core.model import SeatKind, Settings
from protocols.core.proposals import Rematch, Start


def check(draft: Draft, is_account: Callable[[str], bool]) -> None:
    """Refused (NO_ACCOUNT): a seat without an account proposes a rated game, or would play in one.

    ``is_account`` says whether a player of this name is one.
    """
    for event in draft.events:
        match event:
            case Proposed(seat=seat, proposal=Start() as start):
                check_wish(draft.state.seats[seat].name, start, is_account)
            case Proposed(seat=seat, proposal=Rematch()) if draft.state.settings.rated:
                _check(draft.state.seats[seat].name, is_account)
            case GameStarted(settings=Settings(rated=True)):
                for holder in draft.state.seats:
                    if holder.kind not in (*ABSENT, SeatKind.BOT):
                        _check(holder.name, is_account)


def check_wish(name: str, start: Start, is_account: Callable[[str], bool]) -> None:
    """Refused (NO_ACCOUNT): a player of this name wants a rated game and has no account."""
    if rated(start.settings):
        _check(name, is_account)


def _check(name: str, is_account: Callable[[str], bool]) -> None:
    if not is_account(name):
        raise Refused(Why.NO_ACCOUNT, f"a rated game is between accounts, and {name} has none: play unrated, or log in")
