"""Runs a small server to be killed: ``python -m tests.store.killed URL FIRST`` until standard input ends.

Tables FIRST to FIRST + 49 are played on without end; every delivered step is a line ``TABLE SEQ`` on standard output,
written at once.
"""

from __future__ import annotations

import os
import sys

from gateway.store.log import SqlLog
from gateway.store.records import Append
from tests.store.steps import later, opening

TABLES = 50


def main(url: str, first: int) -> None:
    def deliver(batch: list[Append]) -> None:
        lines = "".join(f"{append.table} {append.rows[-1].seq}\n" for append in batch if append.error is None)
        os.write(1, lines.encode())
        for append in batch:
            log.submit(later(append, "a move", "a turn"))

    log = SqlLog(url, deliver)
    for table in range(first, first + TABLES):
        log.submit(opening(table, "opened"))
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
