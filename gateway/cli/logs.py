"""The log: structlog to standard error, key=value for people and text tools, JSON for machines."""

from __future__ import annotations

import contextlib
import logging
import sys
from functools import partial
from typing import Final, TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

from gateway.config import Config

LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}

_KEYS_FIRST: Final = ("timestamp", "level", "event")


def start_logging(level: str = "info", form: str = "auto", stream: TextIO | None = None, *, worker: str = "") -> None:
    """Send what structlog and the standard library log from here on to ``stream``, standard error where None.

    ``level`` and ``form`` are the settings log.level and log.format. The standard library's own loggers, those of
    Alembic among them, are heard from warnings upwards. ``worker``: every line says that it is this worker's.
    """
    out = stream or sys.stderr
    named: list[Processor] = [partial(_named, worker)] if worker else []
    structlog.configure(
        processors=[*named, *_processors(form, out.isatty())],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _Lossy(out))),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(level=max(LEVELS[level], logging.WARNING), handlers=[_ToStructlog()], force=True)


class LogSettings:
    """The log of this process, which begins anew where the settings say something else; ``worker`` as there."""

    def __init__(self, worker: str = "") -> None:
        self._worker = worker

    def reread(self, config: Config) -> None:
        """Write lines of this level, in this form, from now on."""
        start_logging(config.log.level, config.log.format, worker=self._worker)


def _named(worker: str, logger: object, method: str, line: EventDict) -> EventDict:
    """Of all threads, which a context variable would not reach."""
    line["worker"] = worker
    return line


def _processors(form: str, terminal: bool) -> list[Processor]:
    stamped: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper("iso", utc=True),
    ]
    if form == "auto" and terminal:
        return [*stamped, structlog.dev.ConsoleRenderer()]
    stamped.append(structlog.processors.format_exc_info)
    if form == "json":
        return [*stamped, structlog.processors.JSONRenderer(default=str)]
    return [*stamped, structlog.processors.LogfmtRenderer(key_order=_KEYS_FIRST, drop_missing=True)]


class _Lossy:
    """A stream that loses what cannot be written: a full disk, or a reader that is gone, ends no game."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._out.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._out.flush()


class _ToStructlog(logging.Handler):
    """Hands the standard library's records on, so that there is one form and one stream."""

    def emit(self, record: logging.LogRecord) -> None:
        logger = structlog.get_logger()
        logger.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info or None)
