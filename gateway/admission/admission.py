"""Admission control: decides whether an address may connect, before a connection has an object.

``Admission`` is for dialects, ``WebAdmission`` for HTTP. Both count the clients they turn away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog
import trio

from gateway.admission.address_costs import BROKEN, CONNECTIONS, AddressCosts
from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.admission.token_bucket import TokenBuckets
from gateway.metrics import NO_HEADER, NO_PLACE, NO_TLS, PROTOCOL, Metrics
from gateway.net.addresses import address_key, is_loopback
from gateway.net.log_limiter import LogLimiter

BROKEN_BURST: Final = 16
"""Broken conversations of an address in one protocol that cost no time: a program that is being written has some, and a
scanner that comes by."""

BROKEN_PER_SECOND: Final = 2.0
"""And so many each second: a program that calls again a second after each is never slowed."""

LATEST_S: Final = 8.0
"""Seconds that a connection waits for those at most. Programs wait longer for a first answer, for neighbours behind one
router wait, too; and an address with all its places in such a wait breaks a conversation for each in 8 s."""

_log = structlog.get_logger()


class Admission:
    """Admission to all listeners of dialects. ``running`` says whether the server lets clients in."""

    def __init__(
        self,
        limiter: ConnectionLimiter,
        metrics: Metrics,
        lines: LogLimiter,
        running: Callable[[], bool],
        costs: AddressCosts | None = None,
    ) -> None:
        self.costs = costs or AddressCosts()
        self._limiter = limiter
        self._metrics = metrics
        self._lines = lines
        self._running = running
        self._broken: TokenBuckets[tuple[str, str]] = TokenBuckets(BROKEN_PER_SECOND, BROKEN_BURST)
        self.forget = self._broken.forget

    def admits(self, address: str) -> bool:
        """True if a connection from ``address`` is admitted; a refusal is counted, and the caller closes it."""
        if self._running() and self._limiter.admits(address, trio.current_time()):
            self.costs.opened(address)
            return True
        self._metrics.turned_away[NO_PLACE] += 1
        self.costs.refused(address, CONNECTIONS)
        return False

    def no_tls(self, listener: str, host: str, why: str) -> None:
        """A TLS handshake from there has failed."""
        self._metrics.turned_away[NO_TLS] += 1
        self._lines.info(_log, "no TLS", listener=listener, peer=host, why=why)

    def no_header(self, listener: str, host: str, why: str) -> None:
        """A connection to a listener behind proxies began without a PROXY header, or came from no trusted proxy."""
        self._metrics.turned_away[NO_HEADER] += 1
        self._lines.info(_log, "no PROXY header", listener=listener, peer=host, why=why)

    def late_s(self, dialect: str, address: str) -> float:
        """Seconds before a new connection from there is read; 0.0 unless too many before it broke this protocol."""
        bucket = self._broken.known((dialect, address_key(address)))
        return 0.0 if bucket is None else min(LATEST_S, bucket.wait_s(0, trio.current_time()))

    def broken(self, dialect: str, address: str, why: str, /, **who: object) -> None:
        """A connection does not speak what is spoken here; ``who`` says which, for the log.

        Those that come after it from its address, to speak the same, may have to wait; never those of loopback.
        """
        self._metrics.closed[PROTOCOL] += 1
        self._lines.info(_log, "protocol broken", error=why, **who)
        self.costs.refused(address, BROKEN)
        now, key = trio.current_time(), address_key(address)
        if not is_loopback(key) and self.late_s(dialect, address) < LATEST_S:
            self._broken.bucket((dialect, key), now).wait_s(1, now)


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
        if welcome := self._counted(address, inside=self._limiter.welcomes(address, trio.current_time())):
            self._dialects.costs.opened(address)
        return welcome

    def take(self, address: str) -> bool:
        """Count a connection; False, and nothing counted, at the limit."""
        return self._counted(address, inside=self._limiter.take(address))

    def release(self, address: str) -> None:
        """Uncount a connection."""
        self._limiter.release(address)

    def no_tls(self, listener: str, address: str, why: str) -> None:
        """A TLS handshake from there has failed."""
        self._dialects.no_tls(listener, address, why)

    def _counted(self, address: str, *, inside: bool) -> bool:
        if not inside:
            self._metrics.turned_away[NO_PLACE] += 1
            self._dialects.costs.refused(address, CONNECTIONS)
        return inside
