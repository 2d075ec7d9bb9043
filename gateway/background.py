"""Runs short tasks for callers that cannot wait. A task that fails is logged and disturbs no other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
import trio

from gateway.log_context import log_context

_log = structlog.get_logger()


class Background:
    """Tasks of one server. Before ``attach`` and after ``detach`` a task is not started at all."""

    def __init__(self) -> None:
        self._nursery: trio.Nursery | None = None

    def attach(self, nursery: trio.Nursery) -> None:
        """Tasks run in ``nursery`` from now on, and are cancelled with it."""
        self._nursery = nursery

    def detach(self) -> None:
        """No further task is started: the server stops."""
        self._nursery = None

    @property
    def nursery(self) -> trio.Nursery | None:
        """The nursery of long tasks; None while the server does not run."""
        return self._nursery

    def start_soon(self, task: Callable[..., Awaitable[None]], *arguments: Any) -> None:
        """Run ``task(*arguments)``."""
        if self._nursery is not None:
            self._nursery.start_soon(self._run, task, arguments)

    async def _run(self, task: Callable[..., Awaitable[None]], arguments: tuple[Any, ...]) -> None:
        try:
            await task(*arguments)
        except Exception:
            who = log_context(getattr(task, "__self__", None), *arguments)
            _log.exception("task failed", task=task.__qualname__, **who)
