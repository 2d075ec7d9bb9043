"""Refusals as nodes send them each other: a cause, its text in the squares of each kind of dialect, and the class.

Most refusals are for a peer, and any of their classes will do. Those of KINDS tell the asking node what to do.
"""

from __future__ import annotations

from typing import Final

from gateway.table.refusals import AskElsewhere, PlayerAway, TableClosed, TryAgain
from protocols.core.errors import Refused, SquareWords, Why

KINDS: Final[dict[str, type[Refused]]] = {
    kind.__name__: kind for kind in (AskElsewhere, PlayerAway, TableClosed, TryAgain)
}


def why_of(value: str) -> Why:
    """The cause of a refusal; one that only a newer version has is NOT_NOW, whose text says all."""
    try:
        return Why(value)
    except ValueError:
        return Why.NOT_NOW


def refusal_of(why: str, text: str, kind: str = "", numbered: str = "") -> Refused:
    """The refusal that a node has said so; ``kind`` as by ``told``, ``numbered`` as in Answer."""
    return KINDS.get(kind, Refused)(why_of(why), SquareWords(text, numbered) if numbered else text)


def told(refused: Refused) -> tuple[str, str, str]:
    """The cause and words of a refusal, and its class where that matters."""
    kind = type(refused).__name__
    return refused.why.value, str(refused.text), kind if kind in KINDS else ""
