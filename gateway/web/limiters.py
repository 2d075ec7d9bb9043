"""Counts the connections of HTTP listeners: what the guard asks for, and a limiter for HTTP alone."""

from __future__ import annotations

from typing import Protocol

import structlog

from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import Config, Limits

_log = structlog.get_logger()


class WebLimiter(Protocol):
    """Counts connections. One object may count those of every listener of a server."""

    def admits(self, address: str) -> bool:
        """True if this host may connect now; otherwise the connection is closed without a word."""

    def take(self, address: str) -> bool:
        """Count a connection of this host; False, and nothing counted, at the limit."""

    def release(self, address: str) -> None:
        """Uncount the connection."""

    def no_tls(self, listener: str, address: str, why: str) -> None:
        """A TLS handshake from there has failed."""


class HttpLimiter:
    """The limits' connections and connections_per_address, for HTTP alone, without a limit of the rate."""

    def __init__(self, limits: Limits) -> None:
        self._counts = ConnectionLimiter(limits, spare=0)
        self.take, self.release = self._counts.take, self._counts.release

    def reread(self, config: Config) -> None:
        """Keep to the limits of these settings from now on."""
        self._counts.reread(config)

    def admits(self, address: str) -> bool:
        return True

    def no_tls(self, listener: str, address: str, why: str) -> None:
        _log.info("no TLS", listener=listener, peer=address, why=why)
