"""The schema of the dialect ``web`` has every message of both sides, and nothing that is none.

Whole games of every kind are held against it as they are played: tests/web_client.py says and reads nothing unchecked.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from jsonschema import Draft202012Validator, ValidationError

from gateway.web.message_schema import message_schema
from protocols.core.errors import Why
from protocols.core.events import Event
from protocols.web import events, messages, told
from protocols.web.frames import CloseCode
from tests.store.test_codec import EVENTS
from tests.web_messages import was_said, was_told

WHOLE = Draft202012Validator(message_schema())
REJECTED = {"type": "rejected", "why": "not your turn", "text": "it is not your turn"}
MOVE = {"source": None, "target": 4, "piece": "x"}


def message(side: str) -> dict[str, Any]:
    """The schema of any message of this side."""
    found: dict[str, Any] = message_schema()["$defs"][side]
    return found


def test_each_message_that_is_read_or_written_is_in_the_schema() -> None:
    for side, kinds in (("ClientMessage", messages.ClientMessage), ("ServerMessage", told.ServerMessage)):
        named = [one["$ref"].removeprefix("#/$defs/") for one in message(side)["oneOf"]]
        assert named == [kind.__name__ for kind in get_args(kinds)]


@given(EVENTS)
def test_every_event_is_a_message_of_the_schema(event: Event) -> None:
    written = msgspec.json.decode(events.message(event, 7))
    was_told(written)
    WHOLE.validate(written)
    past = msgspec.json.decode(events.json(events.past([(7, event)])[0]))
    was_told({"type": "seated", "table": 1, "seat": None, "seq": 7, "events": [past]})


def test_an_event_that_is_hidden_has_its_number_alone() -> None:
    was_told({"type": "event", "seq": 7, "kind": "Hidden"})
    for wrong in ({"kind": "Hidden"}, {"seq": 7, "kind": "Hidden", "body": {}}):
        with pytest.raises(ValidationError):
            was_told({"type": "event", **wrong})


@pytest.mark.parametrize(
    "wrong",
    [
        REJECTED | {"why": "not_your_turn"},
        REJECTED | {"text": 1},
        REJECTED | {"secret": ""},
        {"type": "goodbye", "why": "bored", "text": ""},
        {"type": "moves", "ply": 0, "claim": "", "pass": False, "legal": [[None, 4, "x"]]},
        {"type": "event", "kind": "MoveMade", "body": {"seat": 0, "move": [None, 4, "x"], "ply": 1, "changes": []}},
        {"type": "event", "kind": "TableClosed", "body": {}, "notation": "e4"},
    ],
)
def test_what_the_server_never_says_is_none_of_its_messages(wrong: dict[str, Any]) -> None:
    was_told(REJECTED)
    with pytest.raises(ValidationError):
        was_told(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "hello"},
        {"type": "play", "move": [4]},
        {"type": "play", "move": MOVE | {"target": -1}},
        {"type": "propose", "what": "peace"},
        {"type": "ask", "topic": "weather"},
        {"type": "claim"},
    ],
)
def test_what_the_server_does_not_take_is_no_message_of_a_client(wrong: dict[str, Any]) -> None:
    for move in (MOVE, [None, 4, "x"]):
        was_said({"type": "play", "move": move})
    with pytest.raises(ValidationError):
        was_said(wrong)


def test_closed_lists_are_those_of_the_code() -> None:
    defined = message_schema()["$defs"]
    assert set(defined["Why"]["enum"]) == {str(why) for why in Why}
    assert set(defined["Goodbye"]["properties"]["why"]["enum"]) == set(get_args(told.Parting))
    assert set(defined["CloseCode"]["enum"]) == set(CloseCode)
