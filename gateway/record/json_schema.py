"""Derives JSON Schemas from classes, in a form that the common generators of clients take.

Such a generator stops at ``items: false``, knows no enumeration without a type, and takes a field with a default for
one that is always there. So a tuple says its length alone, every closed list its type, and a default stands in words.
Source: JSON Schema, draft 2020-12; https://json-schema.org/specification.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

Schema = dict[str, Any]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

UNSAID: Final[tuple[Any, ...]] = (None, "", 0, False, [], {})
"""Defaults that need no words: nothing is said by a field that is not there."""

TYPES: Final = {str: "string", int: "integer", bool: "boolean"}


def components(kinds: Iterable[Any], ref: str) -> dict[str, Schema]:
    """By name, the schemas of these classes and of all that they consist of; ``ref`` refers to one of ``{name}``."""
    _, found = msgspec.json.schema_components(kinds, ref_template=ref)
    return {name: _plain(schema) for name, schema in found.items()}


def merged(found: dict[str, Schema], same: Mapping[str, str], ref: str) -> dict[str, Schema]:
    """The schemas without some of them, by name, and references to the other one of that name instead."""
    text = msgspec.json.encode({name: schema for name, schema in found.items() if name not in same}).decode()
    for name, other in same.items():
        text = text.replace(f'"{ref.format(name=name)}"', f'"{ref.format(name=other)}"')
    left: dict[str, Schema] = msgspec.json.decode(text)
    return left


def one_of(names: Sequence[str], ref: str, *, by: str = "", values: Sequence[str] = ()) -> Schema:
    """Any of the schemas of these names; the property ``by`` tells them apart, and has ``values`` in their order."""
    refs = [ref.format(name=name) for name in names]
    found: Schema = {"oneOf": [{"$ref": one} for one in refs]}
    if by:
        found["discriminator"] = {"propertyName": by, "mapping": dict(zip(values, refs, strict=True))}
    return found


def const(value: str) -> Schema:
    """The one value that there is."""
    return {"type": "string", "const": value}


def enum(values: Iterable[Any], text: str = "") -> Schema:
    """A closed list."""
    listed = list(values)
    found: Schema = {"type": TYPES[type(listed[0])], "enum": listed}
    return found | ({"description": text} if text else {})


def _plain(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {word: _part(word, value) for word, value in schema.items() if word not in ("default", "description")}
    if found.get("items") is False and "prefixItems" in found:
        del found["items"]
    if isinstance(listed := found.pop("enum", None), list):
        found |= enum(listed)
    if text := _text(schema):
        found["description"] = text
    return found


def _part(word: str, value: Any) -> Any:
    """The plain form of a keyword's value; properties have names of their own, which may be keywords."""
    return {name: _tag(_plain(one)) for name, one in value.items()} if word == "properties" else _plain(value)


def _tag(schema: Schema) -> Schema:
    """A property with one value only tells the variants of a union apart: a generator looks at it first."""
    match schema.get("enum"):
        case [value]:
            return const(value)
    return schema


def _text(schema: Schema) -> str:
    """The docstring of the class as plain text, words in quotes as they are in the code; of a field its default."""
    text = inspect.cleandoc(schema.get("description", "")).replace("``", "`")
    usual = schema.get("default")
    if usual in UNSAID:
        return text
    return f"{text}\n\n`{msgspec.json.encode(usual).decode()}` where it is absent.".strip()
