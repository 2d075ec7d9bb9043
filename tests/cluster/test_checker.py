"""The checker of random histories is proved: each rule of the nodes is taken away, and some history fails soon."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gateway.cluster.branches import Branches
from gateway.cluster.desk import Desk
from gateway.cluster.messages import Ask
from gateway.store.records import Append, Loaded
from tests.cluster import random_histories
from tests.store.memory import Kept, MemoryLog

SEEDS = range(400)
"""Histories tried at most until one fails."""


def _found(monkeypatch: pytest.MonkeyPatch, *kinds: str) -> bool:
    """True if the checker finds something wrong in one of the histories of these kinds."""
    monkeypatch.setattr(random_histories, "KINDS", kinds)
    return any(not _is_sound(seed) for seed in SEEDS)


def _is_sound(seed: int) -> bool:
    try:
        random_histories.holds(seed)
    except (AssertionError, BaseExceptionGroup):
        return False
    return True


class _All(frozenset[int]):
    """Every id."""

    def __contains__(self, _: object) -> bool:
        return True


def test_an_older_epoch_that_writes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the record's check of the epoch, a node that was buried writes to a table of another."""
    joined: Callable[[MemoryLog, int, Append], Kept] = MemoryLog._joined

    def unfenced(log: MemoryLog, table: int, append: Append) -> Kept:
        if (kept := log._tables.get(table)) is not None:
            append.epoch = kept.row.epoch
        return joined(log, table, append)

    monkeypatch.setattr(MemoryLog, "_joined", unfenced)
    assert _found(monkeypatch, "all")


def test_a_command_that_is_served_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the numbers of commands, one that is asked again because messages were lost is served again."""
    ask = Desk.ask

    def forgetful(desk: Desk, sender: int, asked: Ask) -> None:
        for client in desk._outposts._clients.values():
            client.asking = 0
        ask(desk, sender, asked)

    monkeypatch.setattr(Desk, "ask", forgetful)
    assert _found(monkeypatch, "bus", "all")


@pytest.mark.parametrize("always", [pytest.param(False, marks=pytest.mark.nightly), True])
def test_a_node_that_does_not_read_whether_a_command_was_served_is_found(
    monkeypatch: pytest.MonkeyPatch, always: bool
) -> None:
    """A command whose answer is lost with its node is served twice by the next one, or not at all."""
    monkeypatch.setattr(Loaded, "served", lambda _: _All() if always else frozenset())
    assert _found(monkeypatch, "kills", "all")


def test_a_player_who_loses_the_place_without_leaving_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that forgets where its clients are has them taken away from their tables."""
    monkeypatch.setattr(Branches, "_is_at", lambda *_: False)
    assert _found(monkeypatch, "kills")
