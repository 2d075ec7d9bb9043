"""Runs a server to be killed: ``python -m tests.store.ended_and_killed URL FIRST`` until standard input ends.

It ends games of tables from FIRST on, without end: each has one step, which opens it, and one that ends its game.
"""

from __future__ import annotations

import os
import sys

from gateway.store import codec
from gateway.store.log import SqlLog
from gateway.store.records import Append
from gateway.store.results import placed
from protocols.core.events import GameEnded
from protocols.core.model import Outcome, Reason
from tests.store.results import result
from tests.store.steps import AT, opening

AT_ONCE = 8
"""Games that end side by side: some in one transaction."""


def end_of(opened: Append) -> Append:
    """The step that ends the game of a table, after the one that opened it."""
    assert opened.table is not None
    rows = codec.rows(opened.rows[-1].digest, opened.table, 1, AT, [GameEnded(Outcome(0, Reason.RULES))])
    made = placed(result(opened.table), rows[0], AT)
    return Append(opened.table, opened.epoch, 1, rows, status="over", results=(made,))


def main(url: str, first: int) -> None:
    numbers = iter(range(first, first + 1_000_000))

    def deliver(batch: list[Append]) -> None:
        for append in batch:
            if append.opened is not None:
                log.submit(end_of(append))
            else:
                os.write(1, f"{append.table}\n".encode())
                log.submit(opening(next(numbers), "opened"))

    log = SqlLog(url, deliver)
    for _ in range(AT_ONCE):
        log.submit(opening(next(numbers), "opened"))
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
