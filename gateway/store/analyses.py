"""Analyses of finished games in a database: a queue of those that wait, and the results of those that are done.

One worker of all nodes takes each: it holds a lease and renews it. An analysis whose worker was killed is taken up
again from its beginning when the lease has ended. Nothing of it is kept before it is whole. Everything here blocks.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, delete, func, insert, select, update

from gateway.store.engine import ReadsAndWrites
from gateway.store.schema import analyses

WAITING_MAX: Final = 50
"""Analyses that may wait or run, of all nodes together: with one worker the last one waits for an hour or so."""

LEASE_S: Final = 30.0
"""Seconds that a worker has an analysis without a word: many times as long as a position takes."""

TRIES_MAX: Final = 3
"""Workers that one analysis may cost; then it is refused, for it may be what they died of."""

LOST: Final = "the engine was lost over this game again and again"


@dataclass(frozen=True, slots=True)
class Analysis:
    """``number`` counts the games of the table from 1. ``result`` is JSON, None until it is whole; ``refused`` says why
    there will be none. ``done`` of ``total`` positions are looked at (0 of 0: it waits)."""

    table: int
    number: int
    engine: str
    asked_at: float
    worker: str = ""
    until: float = 0.0
    tries: int = 0
    done: int = 0
    total: int = 0
    result: str | None = None
    refused: str | None = None

    @property
    def open(self) -> bool:
        """True while it waits or is looked at."""
        return self.result is None and self.refused is None


_OPEN: Final = analyses.c.result.is_(None) & analyses.c.refused.is_(None)


class Analyses(ReadsAndWrites):
    """The analyses of one database; times are Unix time in seconds."""

    def find(self, table: int, number: int, engine: str) -> Analysis | None:
        """The analysis of a game by this engine; None where nobody has asked for it."""
        with self._reading.connect() as connection:
            row = connection.execute(select(analyses).where(_is(table, number, engine))).first()
        return None if row is None else Analysis(*row)

    def ask(self, table: int, number: int, engine: str, now: float) -> bool:
        """Queue it, unless it waits, runs or is done; one that was refused waits anew. False: WAITING_MAX wait."""
        with self._writing.begin() as connection:
            known = connection.execute(select(analyses).where(_is(table, number, engine))).first()
            if known is not None and Analysis(*known).refused is None:
                return True
            if connection.execute(_waiting()).scalar_one() >= WAITING_MAX:
                return False
            connection.execute(delete(analyses).where(_is(table, number, engine)))
            connection.execute(insert(analyses).values(**_row(Analysis(table, number, engine, now))))
        return True

    def ahead(self, asked_at: float) -> int:
        """The number of those that wait or run and were asked for earlier."""
        with self._reading.connect() as connection:
            return int(connection.execute(_waiting().where(analyses.c.asked_at < asked_at)).scalar_one())

    def take(self, engines: Collection[str], worker: str, now: float) -> Analysis | None:
        """The oldest for one of these engines that no living worker has: ``worker`` has it now. None: there is none."""
        free = _OPEN & (analyses.c.until < now) & analyses.c.engine.in_(list(engines))
        with self._reading.connect() as connection:
            row = connection.execute(select(analyses).where(free).order_by(analyses.c.asked_at).limit(1)).first()
        if row is None:
            return None
        found = Analysis(*row)
        if found.tries >= TRIES_MAX:
            self.refuse(found, LOST)
            return None
        taken = {"worker": worker, "until": now + LEASE_S, "tries": found.tries + 1, "done": 0, "total": 0}
        same = _is(found.table, found.number, found.engine) & free & (analyses.c.tries == found.tries)
        with self._writing.begin() as connection:
            changed = connection.execute(update(analyses).where(same).values(**taken)).rowcount
        return self.find(found.table, found.number, found.engine) if changed == 1 else None

    def renew(self, of: Analysis, done: int, total: int, now: float) -> bool:
        """The lease is renewed; False: another worker has it, or nobody wants it any more."""
        return self._change(of, until=now + LEASE_S, done=done, total=total)

    def finish(self, of: Analysis, result: str, total: int) -> bool:
        """The result of all positions is whole; False as of ``renew``."""
        return self._change(of, result=result, worker="", until=0.0, done=total, total=total)

    def refuse(self, of: Analysis, why: str) -> bool:
        """Keep the reason why there is no result; False as of ``renew``."""
        return self._change(of, refused=why, worker="", until=0.0)

    def free(self, of: Analysis) -> bool:
        """The worker stops: another one may take the analysis at once, as if this one had not."""
        return self._change(of, worker="", until=0.0, tries=of.tries - 1, done=0, total=0)

    def forget(self, before: float) -> int:
        """Delete those asked for before then; how many."""
        with self._writing.begin() as connection:
            return connection.execute(delete(analyses).where(analyses.c.asked_at < before)).rowcount

    def _change(self, of: Analysis, **values: Any) -> bool:
        same = _is(of.table, of.number, of.engine) & _OPEN & (analyses.c.worker == of.worker)
        with self._writing.begin() as connection:
            return connection.execute(update(analyses).where(same).values(**values)).rowcount == 1


def _is(table: int, number: int, engine: str) -> Any:
    return (analyses.c.table_id == table) & (analyses.c.number == number) & (analyses.c.engine == engine)


def _waiting() -> Select[Any]:
    return select(func.count()).select_from(analyses).where(_OPEN)


def _row(of: Analysis) -> dict[str, Any]:
    return {
        "table_id": of.table,
        "number": of.number,
        "engine": of.engine,
        "asked_at": of.asked_at,
        "worker": of.worker,
        "until": of.until,
        "tries": of.tries,
        "done": of.done,
        "total": of.total,
    }
