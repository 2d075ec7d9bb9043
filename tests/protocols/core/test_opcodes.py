"""Declared messages take values by field, and refuse others."""

from __future__ import annotations

import pytest

from protocols.bogaprot.messages import BOGAPROT
from protocols.core.errors import LocalProtocolError
from protocols.core.opcodes import Value
from protocols.ggzboard import GGZBOARD


def test_values_are_found_by_field_and_absent_ones_are_none() -> None:
    record = BOGAPROT.shape("MSG_MOVE").record((0, 40))
    assert record == {"source": 0, "destination": 40, "type": None}


def test_a_sequence_has_one_record_a_turn() -> None:
    shape = BOGAPROT.shape("MSG_PLAYERS")
    values: tuple[Value, ...] = (2, 3, "alice", 1)
    record = shape.record(values)
    assert record == {"seats": 2, "players": [{"type": 3, "name": "alice"}, {"type": 1, "name": None}]}
    assert shape.flat(record) == values


def test_a_sequence_of_fixed_length_has_no_count() -> None:
    record = GGZBOARD.shape("PLAYERS").record((1, 2, "bot"))
    assert record == {"players": [{"type": 1, "name": None}, {"type": 2, "name": "bot"}]}


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("MSG_MOVE", (0,), "lacks a value"),
        ("MSG_MOVE", (-1, 5), "lacks a value"),
        ("MSG_MOVE", (0, 1, "rook"), "no field for 'rook'"),
        ("MSG_MOVE", (0, "1"), "destination is '1', not of type int"),
        ("MSG_MOVE", (-1, 1, 5), "type is 5, not of type string"),
        ("RSP_MOVE", (1,), "lacks a value"),
        ("MSG_PLAYERS", (-1,), "between 0 and 64"),
        ("MSG_PLAYERS", (65,), "between 0 and 64"),
        ("MSG_PLAYERS", (1,), "lacks a value"),
    ],
)
def test_values_that_do_not_fit_are_a_defect_of_ours(name: str, values: tuple[Value, ...], why: str) -> None:
    with pytest.raises(LocalProtocolError, match=why):
        BOGAPROT.shape(name).record(values)


def test_there_is_no_message_of_another_name() -> None:
    with pytest.raises(LocalProtocolError, match="no message 'MSG_CHAT'"):
        BOGAPROT.shape("MSG_CHAT")
