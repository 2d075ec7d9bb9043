"""Results of games that tests keep in a database, and the steps that end these games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from gateway.store.records import Player, Result

ANNA_BEAT_BERT: Final = Result(
    table=7,
    number=1,
    seq=9,
    at=1000.0,
    digest=bytes(32),
    started_at=900.0,
    game="chess",
    variant="normal",
    width=8,
    rated=True,
    reason="rules",
    players=(Player("Anna", "anna"), Player("bert", "bert")),
    places=(1, 2),
    plies=40,
    fewest=20,
    opening=bytes(range(32)),
)


def result(table: int, number: int = 1, **changed: Any) -> Result:
    """ANNA_BEAT_BERT at another table."""
    return replace(ANNA_BEAT_BERT, table=table, number=number, **changed)
