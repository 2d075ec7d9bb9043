"""What must be known of a command stands at its class, and no class lacks it."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from typing import Any, Final, get_args

import pytest

from protocols.core.commands import ANY_TIME, Command, Join, Login, Resign, secrets, without_secrets

COMMANDS: Final[tuple[Any, ...]] = get_args(Command)
SECRET: Final = re.compile("secret|ticket|key|password|token")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_declares_at_its_class_where_it_is_served_and_why_it_is_refused(command: Any) -> None:
    assert isinstance(vars(command)["remote"], bool)
    assert isinstance(vars(command)["causes"], frozenset)
    assert not command.causes & ANY_TIME


@pytest.mark.parametrize("command", COMMANDS)
def test_every_field_for_a_secret_is_left_out_of_what_is_written_down(command: Any) -> None:
    assert {own.name for own in fields(command) if SECRET.search(own.name)} == {
        own.name for own in fields(command) if not own.repr
    }
    filled = command(**{own.name: f"a {own.name}" for own in fields(command) if not own.repr or own.default is MISSING})
    assert set(secrets(filled)) == {own.name for own in fields(command) if not own.repr}
    assert not set(secrets(filled).values()) & set(secrets(without_secrets(filled)).values())
    assert not any(secret in repr(filled) for secret in secrets(filled).values())


def test_asterisks_stand_for_a_secret_and_nothing_for_none() -> None:
    assert without_secrets(Join("chess", ticket="abc", key="k")) == Join("chess", ticket="***", key="*")
    assert without_secrets(Login("anna", "secret")) == Login("anna", "******")
    assert without_secrets(resign := Resign()) == resign
