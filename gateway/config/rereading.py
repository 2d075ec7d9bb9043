"""Compares new settings with those of a running server: what it takes over at SIGHUP, and what waits for a restart."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from gateway.config.model import LISTS, Config
from gateway.config.source import sections
from gateway.config.values import key_of


class Rereads(Protocol):
    """A part of a server that holds some of the settings."""

    def reread(self, config: Config) -> None:
        """Take over those of these settings that it holds. They have been checked: it cannot fail, and never waits."""


@dataclass(frozen=True, slots=True)
class Reread:
    """Settings that a running server can have: those it had, but for the live ones, which are new.

    ``changed`` and ``waiting`` name settings that differ, as "limits.observers": the live ones, and the others.
    """

    config: Config
    changed: tuple[str, ...]
    waiting: tuple[str, ...]


def reread(running: Config, newer: Config) -> Reread:
    """The settings ``newer``, as far as a server with those of ``running`` takes them over."""
    merged: dict[str, Any] = {}
    changed: list[str] = []
    waiting: list[str] = []
    for name, section in sections(running).items():
        other, taken = getattr(newer, name), {}
        for entry in fields(section):
            value = getattr(other, entry.name)
            if value == getattr(section, entry.name):
                continue
            if entry.metadata.get("live"):
                taken[entry.name] = value
            (changed if entry.metadata.get("live") else waiting).append(f"{name}.{key_of(entry)}")
        merged[name] = replace(section, **taken)
    waiting += [name for name in LISTS if getattr(running, name) != getattr(newer, name)]
    return Reread(replace(running, **merged), tuple(changed), tuple(waiting))
