"""Connection limiter: counts connections, in total and by address."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

from gateway.config import Config, Limits
from gateway.net.addresses import address_key, is_loopback


class ConnectionLimiter:
    """Counts connections, all of them and by address.

    Beyond ``connections`` a few ``spare`` ones (a sixteenth, at least 16) are let in so that they can be told in their
    own dialect that the server is full: ``crowded`` says so, and no client is seated then.
    """

    def __init__(self, limits: Limits, banned: Callable[[str], str] | None = None, *, spare: int | None = None) -> None:
        """``banned`` gives the reason why an address may not connect, "" when it may."""
        self._banned = banned
        self._limits = limits
        self._given = spare
        self._counts: Counter[str] = Counter()
        self._came: Counter[str] = Counter()
        self._second = -math.inf
        self.inside = 0

    @property
    def _spare(self) -> int:
        return max(16, self._limits.connections // 16) if self._given is None else self._given

    def reread(self, config: Config) -> None:
        """Keep to the limits of these settings from now on. Who is inside stays, and counts."""
        self._limits = config.limits

    def admits(self, address: str, now: float) -> bool:
        """True if this host may connect at ``now``, in seconds: below the limit of connections and of their rate.

        In a second it may connect as often as it may be here at once: a host that reconnects again and again is no
        cheaper than one that stays. Loopback may as often as it likes: a proxy there speaks for everybody.
        """
        key = address_key(address)
        if self._often(key, now) or not self._has_room(address, key):
            return False
        self._came[key] += 1
        return True

    def welcomes(self, address: str, now: float) -> bool:
        """True if this host is not banned and keeps to the rate; the limit of connections is not looked at."""
        key = address_key(address)
        if self._often(key, now) or self._is_banned(address):
            return False
        self._came[key] += 1
        return True

    def _often(self, key: str, now: float) -> bool:
        if now - self._second >= 1.0:
            self._came.clear()
            self._second = now
        return self._came[key] >= self._limits.connections_per_address and not is_loopback(key)

    def forget(self, now: float) -> None:
        """Drop the arrivals of a second that is over: after a burst nothing is kept of its addresses."""
        if self._came and now - self._second >= 1.0:
            self._came.clear()

    def take(self, address: str, *, admitted: bool = False) -> bool:
        """Count a connection of this host; False, and nothing counted, when it is banned or at the limit.

        ``admitted``: another process of this server has counted it among those of its address.
        """
        key = address_key(address)
        if not (self._has_any_room() and not self._is_banned(address) if admitted else self._has_room(address, key)):
            return False
        self._counts[key] += 1
        self.inside += 1
        return True

    def take_unnamed(self) -> bool:
        """Count a connection whose proxy has not said yet for whom it is; False, and nothing counted, at the limit.

        It counts among all, but for no address: a proxy's own is no client's, and whether it is banned says nothing.
        """
        if not self._has_any_room():
            return False
        self.inside += 1
        return True

    def release_unnamed(self) -> None:
        """Uncount it: its address is known now, or it is closed."""
        self.inside -= 1

    def _has_any_room(self) -> bool:
        return self.inside < self._limits.connections + self._spare

    def _has_room(self, address: str, key: str) -> bool:
        if self._counts[key] >= self._limits.connections_per_address or not self._has_any_room():
            return False
        return not self._is_banned(address)

    def _is_banned(self, address: str) -> bool:
        return self._banned is not None and bool(self._banned(address))

    def release(self, address: str) -> None:
        """Uncount a connection."""
        key = address_key(address)
        self.inside -= 1
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]

    def here(self, key: str) -> int:
        """How many connections an address has now, by its key."""
        return self._counts[key]

    @property
    def crowded(self) -> bool:
        """True if there are more connections than may be seated."""
        return self.inside > self._limits.connections
