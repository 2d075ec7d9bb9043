"""Move times: counts how long each stage of a move took, and writes a line about a move that took long.

A move's stages are those of its table's task: decided, handed over to the writer, committed, evolved, told
(gateway.metrics.STAGES). Their moments are taken in gateway/sessions/connection.py (heard), tables/runner.py and
tables/fast_path.py (decided, evolved) and commits/commit_queue.py (handed over, committed). The node that has the table
knows them. For a player of another node the line there names the node that has them; the way between the two nodes is
the difference of the two lines.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import structlog
import trio

from gateway.config import Config
from gateway.metrics import STAGES
from gateway.net.log_limiter import LogLimiter
from gateway.tables.seams import Asker
from gateway.tables.step import Step
from gateway.tally import Histogram

SLOW: Final = "a move was slow"

_log = structlog.get_logger()


class MoveTimes:
    """One server's. ``stage_s`` has a histogram for each of STAGES. ``slow_s`` None: no move is slow.

    Times are trio's, in seconds.
    """

    def __init__(self, stage_s: Mapping[str, Histogram], lines: LogLimiter, slow_s: float | None) -> None:
        self._stages = tuple(stage_s[stage] for stage in STAGES)
        self._lines = lines
        self._slow_s = math.inf if slow_s is None else slow_s

    def reread(self, config: Config) -> None:
        """Call moves slow that take longer than these settings say."""
        slow_s = config.log.slow_move_s
        self._slow_s = math.inf if slow_s is None else slow_s

    def told(self, asker: Asker, since: float, step: Step) -> None:
        """The move of ``asker`` that led to ``step``, heard at ``since``, has been told to all."""
        now, append = trio.current_time(), step.append
        assert append is not None
        decided_s, handed_s, committed_s, evolved_s, told_s = self._stages
        decided_s.note(step.decided - since)
        handed_s.note(append.handed - step.decided)
        committed_s.note(append.committed - append.handed)
        evolved_s.note(step.evolved - append.committed)
        told_s.note(now - step.evolved)
        if now - since > self._slow_s and self._lines.admits(SLOW):
            times = pairwise((since, step.decided, append.handed, append.committed, step.evolved, now))
            stages = {f"{stage}_ms": _ms(end - begin) for stage, (begin, end) in zip(STAGES, times, strict=True)}
            _say(asker, step.after.table, now - since, **stages)
        asker.moved(now - since)

    def told_by(self, node: int, asker: Asker, since: float, table: int) -> None:
        """The same of a move that ``node`` has decided, whose table that is."""
        took_s = trio.current_time() - since
        if took_s > self._slow_s and self._lines.admits(SLOW):
            _say(asker, table, took_s, node=node)
        asker.moved(took_s)


def _say(asker: Asker, table: int, took_s: float, **fields: float) -> None:
    _log.info(SLOW, table=table, seat=asker.seat, dialect=asker.speaks, took_ms=_ms(took_s), **fields)


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
