"""Describes the events of records as a JSON Schema, derived from the classes that they are decoded to.

Source: JSON Schema, draft 2020-12; https://json-schema.org/specification.
"""

from __future__ import annotations

import inspect
from typing import Any, Final, get_args

import msgspec

from gateway.store import codec
from protocols.core.events import Event
from protocols.core.proposals import Proposal

Schema = dict[str, Any]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

HIDDEN: Final = "Said"
"""The kind whose body only those are shown whom it is meant for."""


def event_schema() -> Schema:
    """The schema of one event as it stands in exports and in answers of the API."""
    schemas = definitions("#/$defs/{name}")
    return {"$schema": DRAFT, "title": "Event", **schemas.pop("Event"), "$defs": schemas}


def definitions(ref: str) -> dict[str, Schema]:
    """By name: "Event", every kind's body, and what these consist of. ``ref`` is a reference to one of ``{name}``."""
    proposals: tuple[type, ...] = get_args(Proposal)
    _, found = msgspec.json.schema_components([*codec.FORMS.values(), *proposals], ref_template=ref)
    for event in get_args(Event):
        kind = event.__name__
        found[kind] = found.pop(codec.FORMS[kind].__name__) | {"title": kind, "description": event.__doc__}
    proposed = {"oneOf": [_proposal(one.__name__, ref) for one in proposals]}
    found["Proposal"] = {"title": "Proposal", "description": "An array of its kind and its fields.", **proposed}
    for kind in ("Proposed", "Agreed"):
        found[kind]["properties"]["proposal"] = {"$ref": ref.format(name="Proposal")}
    described = {name: _described(schema) for name, schema in found.items()}
    return described | {"Event": {"oneOf": [_event(kind, ref) for kind in codec.FORMS]}}


def _proposal(name: str, ref: str) -> Schema:
    parts = [{"const": name}, {"$ref": ref.format(name=name)}]
    return {"type": "array", "prefixItems": parts, "items": False, "minItems": 2, "maxItems": 2}


def _event(kind: str, ref: str) -> Schema:
    properties: Schema = {
        "table": {"type": "integer", "description": "the table's id"},
        "seq": {"type": "integer", "minimum": 1, "description": "its place in the record, without a gap"},
        "at": {"type": "string", "format": "date-time", "description": "when it was stored, UTC, to the microsecond"},
        "kind": {"const": kind},
        "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "SHA-256, see docs/record.md"},
        "body": {"$ref": ref.format(name=kind)},
    }
    required = [name for name in properties if name != "body" or kind != HIDDEN]
    return {"type": "object", "title": kind, "properties": properties, "required": required}


def _described(schema: Schema) -> Schema:
    """The schema with its class's docstring as plain text; words in quotes stay as they are in the code."""
    text = schema.get("description")
    return schema | {"description": inspect.cleandoc(text).replace("``", "`")} if text else schema
