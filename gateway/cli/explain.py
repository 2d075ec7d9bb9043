"""One line for a person about an error that is no defect: a wrong setting, a missing file, an absent database."""

from __future__ import annotations

import sys
from typing import Final

from protocols.core.errors import BoardgateError

_DATABASES: Final = (
    ("sqlalchemy.exc", "SQLAlchemyError"),
    ("alembic.util", "CommandError"),
    ("gateway.store.engine", "DatabaseInUse"),
)
"""Errors of modules that a command may never have imported; then they cannot have been raised either."""


def explain(error: BaseException) -> str | None:
    """The line, or None for a defect, which only a traceback explains."""
    if isinstance(error, BaseExceptionGroup):
        texts = [explain(part) for part in error.exceptions]
        return None if None in texts else "; ".join(dict.fromkeys(filter(None, texts)))
    if isinstance(error, BoardgateError):
        return str(error)
    if isinstance(error, BrokenPipeError):
        return None  # the reader of our output has left: click ends quietly
    if isinstance(error, ModuleNotFoundError) and not _ours(error):
        return f"{error.name} is not installed"  # a driver that the settings' database needs
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)
    return _first_line(error) if _of_a_database(error) else None


def _ours(error: ModuleNotFoundError) -> bool:
    """Whether a module of Boardgate's own is missing: a defect, which no installing mends."""
    return (error.name or "").partition(".")[0] in ("", "gateway", "protocols", "migrations")


def _of_a_database(error: BaseException) -> bool:
    return any(
        module in sys.modules and isinstance(error, getattr(sys.modules[module], name)) for module, name in _DATABASES
    )


def _first_line(error: BaseException) -> str:
    """What the database itself said, where SQLAlchemy has wrapped it in its statement."""
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return f"database: {lines[0] if lines else type(error).__name__}"
