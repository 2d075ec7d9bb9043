"""Writes moments for people and for HTML."""

from __future__ import annotations

from datetime import UTC, datetime


def day(at: float) -> str:
    """Unix time as the day of UTC: "21 Nov 2026"."""
    when = datetime.fromtimestamp(at, UTC)
    return f"{when.day} {when:%b %Y}"


def moment(at: float) -> str:
    """Unix time as HTML's ``datetime``: "2026-11-21T18:30:00Z"."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def minute(at: float) -> str:
    """Unix time to the minute, in UTC: "21 Nov 18:30"."""
    when = datetime.fromtimestamp(at, UTC)
    return f"{when.day} {when:%b %H:%M}"
