"""Admission control: decides whether an address may connect, before a connection has an object.

``Admission`` is for dialects, ``WebAdmission`` for HTTP. Both count the clients they turn away.
"""

from __future__ import annotations

from collections.abc import Callable

import structlog
import trio

from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.metrics import NO_HEADER, NO_PLACE, NO_TLS, PROTOCOL, Metrics
from gateway.net.log_limiter import LogLimiter

_log = structlog.get_logger()


class Admission:
    """Admission to all listeners of dialects. ``running`` says whether the server lets clients in."""

    def __init__(
        self, limiter: ConnectionLimiter, metrics: Metrics, lines: LogLimiter, running: Callable[[], bool]
    ) -> None:
        self._limiter = limiter
        self._metrics = metrics
        self._lines = lines
        self._running = running

    def admits(self, address: str) -> bool:
        """True if a connection from ``address`` is admitted; a refusal is counted, and the caller closes it."""
        if self._running() and self._limiter.admits(address, trio.current_time()):
            return True
        self._metrics.turned_away[NO_PLACE] += 1
        return False

    def no_tls(self, listener: str, host: str, why: str) -> None:
        """A TLS handshake from there has failed."""
        self._metrics.turned_away[NO_TLS] += 1
        self._lines.info(_log, "no TLS", listener=listener, peer=host, why=why)

    def no_header(self, listener: str, host: str, why: str) -> None:
        """A connection to a listener behind proxies began without a PROXY header, or came from no trusted proxy."""
        self._metrics.turned_away[NO_HEADER] += 1
        self._lines.info(_log, "no PROXY header", listener=listener, peer=host, why=why)

    def broken(self, why: str, **who: object) -> None:
        """A connection does not speak what is spoken here; ``who`` says which, for the log. It alone bears that."""
        self._metrics.closed[PROTOCOL] += 1
        self._lines.info(_log, "protocol broken", error=why, **who)


class WebAdmission:
    """Admission to listeners of HTTP: a client beyond the limit is told so, and hangs up."""

    def __init__(self, limiter: ConnectionLimiter, metrics: Metrics, dialects: Admission) -> None:
        self._limiter = limiter
        self._metrics = metrics
        self._dialects = dialects

    def admits(self, address: str) -> bool:
        """True if ``address`` may connect at all: it is not banned and keeps to the rate.

        Also while the server starts or stops: /readyz says so.
        """
        return self._counted(self._limiter.welcomes(address, trio.current_time()))

    def take(self, address: str) -> bool:
        """Count a connection; False, and nothing counted, at the limit."""
        return self._counted(self._limiter.take(address))

    def release(self, address: str) -> None:
        """Uncount a connection."""
        self._limiter.release(address)

    def no_tls(self, listener: str, address: str, why: str) -> None:
        """A TLS handshake from there has failed."""
        self._dialects.no_tls(listener, address, why)

    def _counted(self, inside: bool) -> bool:
        self._metrics.turned_away[NO_PLACE] += not inside
        return inside
