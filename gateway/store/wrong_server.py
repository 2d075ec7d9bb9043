"""Failover behind one address: connections to a PostgreSQL that takes no writes any more are dropped and made anew.

The old primary may keep its connections open, to be read only. A writer finds that out by the error of a statement. A
reader would never: it would be shown the past. So what one writer of the process has found counts for all its pools.
"""

from __future__ import annotations

from time import monotonic
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

WRONG: Final = frozenset({"25006", "42501", "58030", "58P01"})
"""PostgreSQL's codes (SQLSTATE) of a server that takes no writes: read-only, or a standby; its disk read-only, or we
have lost our rights; its disk failing, or gone."""

MADE: Final = "made at"
"""Where a pooled connection keeps when it was made."""

_found_at: dict[str, float] = {}
"""By database, when a writer last found its server to be a wrong one."""


def is_wrong_server(error: BaseException | None) -> bool:
    """True if PostgreSQL has refused a statement because this server takes no writes."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return getattr(cause, "sqlstate", None) in WRONG


def leaves_wrong_servers(engine: Engine, *, writes: bool) -> Engine:
    """The same engine; its connections are used no more once a writer has found their server to be a wrong one."""
    database = engine.url.render_as_string()

    def made(_: object, entry: ConnectionPoolEntry) -> None:
        entry.info[MADE] = monotonic()

    def taken(_: object, entry: ConnectionPoolEntry, __: object) -> None:
        if entry.info[MADE] <= _found_at.get(database, -1.0):
            raise DisconnectionError("the server takes no writes any more")

    def failed(context: ExceptionContext) -> None:
        if is_wrong_server(context.original_exception):
            _found_at[database] = monotonic()
            context.is_disconnect = True

    listeners: dict[str, Any] = {"connect": made, "checkout": taken}
    for name, listener in (listeners | {"handle_error": failed} if writes else listeners).items():
        event.listen(engine, name, listener)
    return engine
