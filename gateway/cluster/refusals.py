"""Refusals as nodes send them each other: a cause, its text in the squares of each kind of dialect, and the class.

Most refusals are for a peer, and any of their classes will do. Those of KINDS tell the asking node what to do.
"""

from __future__ import annotations

from typing import Final

from gateway.cluster.messages import Denied
from gateway.table.refusals import PlayerAway, TableClosed, TryAgain
from protocols.core.errors import Refused, SquareWords, Why


class AskElsewhere(Refused):
    """Another node is to be asked."""


KINDS: Final[dict[str, type[Refused]]] = {
    kind.__name__: kind for kind in (AskElsewhere, PlayerAway, TableClosed, TryAgain)
}


def why_of(value: str) -> Why:
    """The cause of a refusal; one that only a newer version has is NOT_NOW, whose text says all."""
    try:
        return Why(value)
    except ValueError:
        return Why.NOT_NOW


def refusal_of(why: str, text: str, numbered: str = "", kind: str = "") -> Refused:
    """The refusal that a node has said so; ``numbered`` as in Answer, ``kind`` as in Denied."""
    return KINDS.get(kind, Refused)(why_of(why), SquareWords(text, numbered) if numbered else text)


def denied(n: int, refused: Refused) -> Denied:
    """Request ``n`` was refused so."""
    kind = type(refused).__name__
    return Denied(n, refused.why.value, str(refused.text), kind if kind in KINDS else "")
