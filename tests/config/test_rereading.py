"""New settings are compared with those of a running server: live ones are taken over, all others are named."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from gateway.config import Config, EngineBot, Listen, describe, reread
from gateway.config.source import sections
from gateway.config.values import key_of

EVERY = [(section, entry) for section, held in sections(Config()).items() for entry in fields(held)]


def another(value: object) -> object:
    """A value of the same kind, or of none."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    return 12.0 if value is None else f"{value}x"


@pytest.mark.parametrize(("section", "entry"), EVERY, ids=[f"{name}.{key_of(entry)}" for name, entry in EVERY])
def test_a_setting_that_differs_is_taken_over_or_named(section: str, entry: Any) -> None:
    usual, name = Config(), f"{section}.{key_of(entry)}"
    held = getattr(usual, section)
    newer = replace(usual, **{section: replace(held, **{entry.name: another(getattr(held, entry.name))})})
    found = reread(usual, newer)
    if {f"{row.section}.{row.key}": row.live for row in describe()}[name]:
        assert (found.config, found.changed, found.waiting) == (newer, (name,), ())
    else:
        assert (found.config, found.changed, found.waiting) == (usual, (), (name,))
    assert reread(found.config, usual).config == usual


def test_listeners_and_engines_wait_for_a_restart() -> None:
    newer = replace(Config(), listen=(Listen("http", "127.0.0.1", 1),), bot=(EngineBot("chess", "it"),))
    found = reread(Config(), newer)
    assert (found.config, found.changed, found.waiting) == (Config(), (), ("listen", "bot"))


def test_what_waits_is_named_each_time_until_it_is_taken_back() -> None:
    newer = replace(Config(), limits=replace(Config().limits, receive_bytes=100, observers=3))
    once = reread(Config(), newer)
    assert (once.changed, once.waiting) == (("limits.observers",), ("limits.receive_bytes",))
    again = reread(once.config, newer)
    assert (again.changed, again.waiting) == ((), ("limits.receive_bytes",))
