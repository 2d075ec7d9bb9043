"""Refusals as nodes send them each other: a cause, and its text in the squares of each kind of dialect."""

from __future__ import annotations

from gateway.cluster.messages import Denied
from protocols.core.errors import Refused, SquareWords, Why


def why_of(value: str) -> Why:
    """The cause of a refusal; one that only a newer version has is NOT_NOW, whose text says all."""
    try:
        return Why(value)
    except ValueError:
        return Why.NOT_NOW


def refusal_of(why: str, text: str, numbered: str = "") -> Refused:
    """What a node has refused so; ``numbered`` as in Refusal."""
    return Refused(why_of(why), SquareWords(text, numbered) if numbered else text)


def denied(n: int, refused: Refused, *, elsewhere: bool = False) -> Denied:
    """Request ``n`` was refused so."""
    return Denied(n, refused.why.value, str(refused.text), elsewhere)
