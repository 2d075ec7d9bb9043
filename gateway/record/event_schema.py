"""Describes the events of records as a JSON Schema, derived from the classes that they are decoded to.

Source: JSON Schema, draft 2020-12; https://json-schema.org/specification.
"""

from __future__ import annotations

import inspect
from typing import Final, get_args

from gateway.record.json_schema import DRAFT, Schema, components, const, enum, one_of
from gateway.store import codec
from protocols.core.events import Event
from protocols.core.proposals import Proposal

HIDDEN: Final = "Said"
"""The kind whose body only those are shown whom it is meant for."""

PROPOSALS: Final[tuple[type, ...]] = get_args(Proposal)


def event_schema() -> Schema:
    """The schema of one event as it stands in exports and in answers of the API."""
    schemas = definitions("#/$defs/{name}")
    return {"$schema": DRAFT, "title": "Event", **schemas.pop("Event"), "$defs": schemas}


def definitions(ref: str) -> dict[str, Schema]:
    """By name: "Event", the event of each kind, every kind's body, and what these consist of.

    ``ref`` is a reference to one of ``{name}``.
    """
    stored = [_event(kind, ref) for kind in codec.FORMS]
    event = one_of([one["title"] for one in stored], ref, by="kind", values=list(codec.FORMS))
    return bodies(ref) | {one["title"]: one for one in stored} | {"Event": event}


def bodies(ref: str) -> dict[str, Schema]:
    """By name: the body of each kind of event, and what these consist of."""
    found = components([*codec.FORMS.values(), *PROPOSALS], ref)
    for event in get_args(Event):
        kind = event.__name__
        text = inspect.cleandoc(event.__doc__).replace("``", "`")
        found[kind] = found.pop(codec.FORMS[kind].__name__) | {"title": kind, "description": text}
    proposed = {"oneOf": [_proposal(one.__name__, ref) for one in PROPOSALS]}
    found["Proposal"] = {"title": "Proposal", "description": "An array of its kind and its fields.", **proposed}
    for kind in ("Proposed", "Agreed"):
        found[kind]["properties"]["proposal"] = {"$ref": ref.format(name="Proposal")}
    found["Declined"]["properties"]["kind"] = enum(one.__name__ for one in PROPOSALS)
    return found


def _proposal(name: str, ref: str) -> Schema:
    parts = [enum([name]), {"$ref": ref.format(name=name)}]
    return {"type": "array", "prefixItems": parts, "minItems": 2, "maxItems": 2}


def _event(kind: str, ref: str) -> Schema:
    properties: Schema = {
        "table": {"type": "integer", "description": "the table's id"},
        "seq": {"type": "integer", "minimum": 1, "description": "its place in the record, without a gap"},
        "at": {"type": "string", "format": "date-time", "description": "when it was stored, UTC, to the microsecond"},
        "kind": const(kind),
        "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "SHA-256, see docs/record.md"},
        "body": {"$ref": ref.format(name=kind)},
    }
    required = [name for name in properties if name != "body" or kind != HIDDEN]
    return {"type": "object", "title": f"{kind}Event", "properties": properties, "required": required}
