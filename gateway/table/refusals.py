"""Refusals that somebody acts upon, each told apart by its class; of others only the cause and the words matter.

Their words are for people, and cross the links between nodes with the name of the class (gateway.cluster.refusals).
"""

from __future__ import annotations

from typing import Final

from protocols.core.errors import Refused, Why

CLOSED: Final = "this table is closed"

NOT_STORED: Final = "could not be stored, try again"
NOT_READ: Final = "the game cannot be read from the record just now, try again"


class TableClosed(Refused):
    """The table has ended, or is another node's: where it goes on it can be asked again."""


class AskElsewhere(Refused):
    """The node has lost the table, or the role, or has died: another is to be asked under the same id.

    It is not known whether anything has happened.
    """


class TryAgain(Refused):
    """The database is in trouble, and nothing has happened: the same can be asked again in a moment."""


class PlayerAway(Refused):
    """A player is spoken to who is not there."""


def closed_here() -> TableClosed:
    """A new one each time: it keeps every place where it is raised."""
    return TableClosed(Why.TABLE_FULL, CLOSED)


def ask_elsewhere(text: str) -> AskElsewhere:
    """``text`` is for whoever has no other node to ask."""
    return AskElsewhere(Why.OVERLOAD, text)


def try_again(text: str, why: Why = Why.OVERLOAD) -> TryAgain:
    """``text`` is NOT_STORED or NOT_READ."""
    return TryAgain(why, text)


def away(name: str) -> PlayerAway:
    """The player called so is not there."""
    return PlayerAway(Why.NOT_NOW, f"{name} is away")
