"""Holds messages of the dialect ``web`` against its published schema: every field, and from the server nothing beside.

A message is looked up by its ``type``, an event by its ``kind``, so that a wrong one is told apart from an unknown one.
"""

from __future__ import annotations

import copy
from functools import cache
from typing import Any, get_args

from jsonschema import Draft202012Validator

from gateway.web.message_schema import message_schema
from protocols.web import messages, told

Message = dict[str, Any]


def was_said(message: Message) -> None:
    """ValidationError: no client may send this. Fields that are not listed are passed over by the server."""
    _validator(_named(messages.ClientMessage)[message["type"]], strict=False).validate(message)


def was_told(message: Message) -> None:
    """ValidationError: the schema does not know this message of the server, or a field of it."""
    if message["type"] == "event":
        _validator(f"{message['kind']}Told", strict=True).validate(message)
        return
    if message["type"] == "seated":
        for event in message["events"]:
            _validator(f"{event['kind']}Past", strict=True).validate(event)
        message = message | {"events": []}
    if message["type"] == "aside":
        told_there = message["told"]
        if told_there["type"] != "unwatched":  # which stands nowhere else
            was_told(told_there)
            message = message | {"told": {"type": "unwatched", "text": ""}}
    _validator(_named(told.ServerMessage)[message["type"]], strict=True).validate(message)


@cache
def _named(side: Any) -> dict[str, str]:
    return {kind.__struct_config__.tag: kind.__name__ for kind in get_args(side)}


@cache
def _definitions(*, strict: bool) -> dict[str, Message]:
    """The definitions; ``strict``: with no field that they do not name."""
    found: dict[str, Message] = copy.deepcopy(message_schema()["$defs"])
    for schema in found.values():
        if strict and "properties" in schema:
            schema["additionalProperties"] = False
    return found


@cache
def _validator(name: str, *, strict: bool) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": _definitions(strict=strict)})
