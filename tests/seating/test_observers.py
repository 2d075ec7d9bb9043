"""Observers of a table are named to those who ask, as far as an answer can be long."""

from __future__ import annotations

from gateway.tables.presence import NAMES_BYTES, named


def test_as_many_observers_are_named_as_an_answer_of_another_node_holds() -> None:
    assert named(["anna", "Zoë"]) == ("anna", "Zoë")
    names = ["сосо" * 8] * 2000
    shown = named(names)
    assert sum(len(name.encode()) for name in shown) <= NAMES_BYTES
    assert len(shown) == NAMES_BYTES // len(names[0].encode())
