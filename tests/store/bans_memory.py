"""Bans in memory, the twin of gateway.store.bans: for servers of tests."""

from __future__ import annotations

import time

from gateway.store.bans import Ban, BanChange, Kind, NoBan


class MemoryBans:
    """bans.Bans in memory."""

    def __init__(self) -> None:
        self._bans: dict[tuple[str, str], Ban] = {}
        self._changes: list[BanChange] = []

    def add(self, ban: Ban, by: str) -> None:
        self._bans[ban.kind, ban.target] = ban
        self._changes.append(BanChange(time.time(), ban, "added", by))

    def remove(self, kind: Kind, target: str, by: str) -> None:
        ban = self._bans.pop((kind, target), None)
        if ban is None:
            raise NoBan(f"{target} is not banned")
        self._changes.append(BanChange(time.time(), ban, "removed", by))

    def current(self, now: float) -> list[Ban]:
        lasting = (ban for ban in self._bans.values() if ban.ends_at is None or ban.ends_at > now)
        return sorted(lasting, key=lambda ban: (ban.kind, ban.target))

    def changes(self) -> list[BanChange]:
        return list(self._changes)

    def close(self) -> None:
        """Nothing is held."""
