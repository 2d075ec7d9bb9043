"""Looks into the database now and then, for the figures: every node reads the same rows, so all say the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

_log = structlog.get_logger()

Seen = TypeVar("Seen")


class Looking(Generic[Seen]):
    """``seen`` is what the last look has found, or what is given, before the first."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen

    async def run(self, look: Callable[[], Seen], figure: str, every_s: float) -> None:
        """Look until cancelled, in a thread. A database in trouble is asked again; the log names the figure."""
        while True:
            try:
                self.seen = await trio.to_thread.run_sync(look, abandon_on_cancel=True)
            except SQLAlchemyError as error:
                _log.warning("a figure cannot be read from the database", figure=figure, error=str(error))
            await trio.sleep(every_s)
