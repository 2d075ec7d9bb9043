"""A command that another node serves reaches it unchanged; any other does not reach it at all."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.cluster import messages
from protocols.core.commands import Command
from tests.laws.conversations import values

REMOTE = [command for command in get_args(Command) if command.remote]


@given(command=st.one_of([values(kind) for kind in REMOTE]))
def test_a_remote_command_is_the_same_at_the_other_node(command: Any) -> None:
    assert messages.command(messages.coded(command)) == command


@given(command=st.one_of([values(kind) for kind in get_args(Command) if kind not in REMOTE]))
def test_a_command_that_its_own_node_serves_is_none_at_another(command: Any) -> None:
    with pytest.raises(KeyError):
        messages.command(messages.coded(command))
