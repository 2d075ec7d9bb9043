"""Rates results and is killed: ``python -m tests.store.killed_rater URL TIMES``.

Each time a process of its own begins to rate, and kills itself before its first statement, the next one before its
second, and so on, the commit among them; behind the last one it rates a result, and the first statement's turn comes
again. Prints how many were killed.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing
from itertools import count

from sqlalchemy import Engine, event

from gateway.store.ratings import SqlRatings


def main(url: str, times: int) -> None:
    killed, statement = 0, 0
    while killed < times:
        statement += 1
        pid = os.fork()
        if pid == 0:
            _rate(url, statement)
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            killed += 1
        elif status == 0:
            statement = 0
        else:
            raise SystemExit("the rater failed")
    print(killed)


def _rate(url: str, statement: int) -> None:
    """Rate one result, or die before that statement."""
    numbers = count(1)

    def next_one(*_: object) -> None:
        if next(numbers) == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    with closing(SqlRatings(url)) as ratings:
        for name in ("before_cursor_execute", "commit"):
            event.listen(Engine, name, next_one)
        ratings.count(None, 1)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
