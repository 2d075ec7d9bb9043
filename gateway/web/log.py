"""What Hypercorn has to say, said through structlog: requests at debug, its complaints at their own level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import structlog
from hypercorn.config import Config
from hypercorn.logging import Logger

_log = structlog.get_logger()


class WebLog(Logger):
    """Hypercorn's logger without the standard library's: it opens no files and sets no levels."""

    def __init__(self, config: Config) -> None:
        pass

    async def access(self, request: Mapping[str, Any], response: Mapping[str, Any] | None, request_time: float) -> None:
        client = request.get("client")
        _log.debug(
            "http request",
            method=request.get("method", "-"),
            path=request.get("path", "-"),
            status=response["status"] if response else None,
            peer=client[0] if client else None,
            seconds=round(request_time, 4),
        )

    async def critical(self, message: str, *args: Any, **kwargs: Any) -> None:
        _log.critical(message, *args)

    async def error(self, message: str, *args: Any, **kwargs: Any) -> None:
        _log.error(message, *args)

    async def warning(self, message: str, *args: Any, **kwargs: Any) -> None:
        _log.warning(message, *args)

    async def info(self, message: str, *args: Any, **kwargs: Any) -> None:
        _log.info(message, *args)

    async def debug(self, message: str, *args: Any, **kwargs: Any) -> None:
        _log.debug(message, *args)

    async def exception(self, message: str, *args: Any, **kwargs: Any) -> None:
        _log.exception(message, *args)

    async def log(self, level: int, message: str, *args: Any, **kwargs: Any) -> None:
        _log.log(level, message, *args)
