"""Describes the messages of the dialect ``web`` both ways, as a JSON Schema: ``/api/web.schema.json``.

Derived from the classes that read and write them, and from those of the record's events. A message is told by its
``type``, an event among them by its ``kind``.
Source: JSON Schema, draft 2020-12; https://json-schema.org/specification.
"""

from __future__ import annotations

from typing import Final, get_args

from gateway.record.event_schema import bodies
from gateway.record.json_schema import DRAFT, Schema, components, const, enum, one_of
from gateway.store import codec
from protocols.web import told
from protocols.web.events import BESIDE, HIDDEN, EventForm, PastForm
from protocols.web.frames import CloseCode
from protocols.web.messages import ClientMessage

SAID: Final = "ClientMessage"
TOLD: Final = "ServerMessage"

ENDINGS: Final[dict[type, str]] = {EventForm: "Told", PastForm: "Past"}
"""The endings of the names: of an event as a message of its own, and of one among those of ``seated``."""

CODES: Final = ", ".join(f"{code.value}: {code.name.lower().replace('_', ' ')}" for code in CloseCode)


def message_schema() -> Schema:
    """The schema of one message, whichever side sends it."""
    ref = "#/$defs/{name}"
    found = message_definitions(ref) | bodies(ref)
    return {
        "$schema": DRAFT,
        "title": "The dialect web",
        "description": "A text message of the WebSocket. Behind the server's last one comes a close frame: CloseCode.",
        **one_of((SAID, TOLD), ref),
        "$defs": dict(sorted(found.items())),
    }


def message_definitions(ref: str) -> dict[str, Schema]:
    """By name: ``ClientMessage``, ``ServerMessage``, what they consist of, the close codes.

    The bodies of events are those of event_schema.
    """
    found = components([*get_args(ClientMessage), *get_args(told.ServerMessage)], ref)
    for form in (EventForm, PastForm):
        general = found[form.__name__]
        events = {f"{kind}{ENDINGS[form]}": _event(general, kind, ref) for kind in (*codec.FORMS, HIDDEN)}
        found |= {name: event | {"title": name} for name, event in events.items()}
        found[form.__name__] = one_of(list(events), ref, by="kind", values=[*codec.FORMS, HIDDEN])
    said = one_of([kind.__name__ for kind in get_args(ClientMessage)], ref, by="type", values=_types())
    heard = one_of([kind.__name__ for kind in get_args(told.ServerMessage)], ref)
    codes = enum([code.value for code in CloseCode], CODES)
    return found | {SAID: said, TOLD: heard, "CloseCode": codes}


def _types() -> list[str]:
    return [str(message.__struct_config__.tag) for message in get_args(ClientMessage)]


def _event(general: Schema, kind: str, ref: str) -> Schema:
    """An event of this kind: of the fields that any event may have, those that it has."""
    beside = BESIDE.get(kind, ())
    fields = [name for name in general["properties"] if name in ("type", "seq", "kind", *beside)]
    found = {name: general["properties"][name] for name in fields} | {"kind": const(kind)}
    if kind != HIDDEN:
        found["body"] = {"$ref": ref.format(name=kind)}
    always = [*general["required"], *(["seq"] if kind == HIDDEN else ["body"])]
    return {"type": "object", "properties": found, "required": always}
