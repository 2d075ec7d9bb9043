"""Lists what docs/promises.md promises: ``python -m tests.promised`` writes it for a release, once, when it is made.

A line says what others may rely on, ``has OWNER: THING``, or what they have to give, ``needs OWNER: THING``. What a
release has had, those after it have; they need nothing more of what was there. tests/promises has a list for each minor
release, and a database as it leaves one.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import click

from gateway import registry
from gateway.cli import main
from gateway.cli.group import commands
from gateway.config import describe, describe_engine_bot
from gateway.record.event_schema import event_schema
from gateway.relay.listen import OPTIONS as RELAY_OPTIONS
from gateway.relay.listen import RELAY
from gateway.sessions.listener import COMMON_OPTIONS
from gateway.web.forwarded import OPTIONS as HTTP_OPTIONS
from gateway.web.openapi import document
from protocols.core.release import VERSION
from tests.promised_record import dumped

FOLDER: Final = Path(__file__).parent / "promises"
ROOT: Final = Path(__file__).parent.parent

PLUG_INS: Final = (
    *(f"gateway.games.{name}" for name in ("base", "guide", "look", "options", "parts")),
    *(f"protocols.core.{name}" for name in ("commands", "dialect", "errors", "events", "followed", "model")),
    *(
        f"protocols.core.{name}"
        for name in ("http_binding", "notifications", "opcode_dialect", "opcodes", "proposals", "squares")
    ),
)
"""Modules that games and dialects of others import."""

Line = tuple[str, str, str]
"""``has`` or ``needs``, the owner, the thing."""


Schema = Mapping[str, Any]


def lines() -> list[str]:
    """Everything that this tree promises, as the files have it."""
    found = {*_commands(), *_settings(), *_listeners(), *_requests(), *_record(), *_figures(), *_plug_ins()}
    return sorted(": ".join((f"{kind} {owner}", thing)) for kind, owner, thing in found)


def broken(promised: list[str], now: list[str]) -> list[str]:
    """Promises that are not kept any more, and what callers must say since of what was there then."""
    owners = {_owner(line) for line in promised}
    gone = [line for line in promised if line.startswith("has ") and line not in set(now)]
    more = [line for line in now if line.startswith("needs ") and _owner(line) in owners and line not in set(promised)]
    return [*gone, *more]


def file_of(version: str) -> Path:
    """The file of a release: all that differ in the last number alone promise the same."""
    return FOLDER / f"{version.rpartition('.')[0]}.txt"


def _owner(line: str) -> str:
    return line.partition(" ")[2].partition(": ")[0]


def _commands() -> Iterator[Line]:
    for name in (name for part in commands().values() for name in part):
        found = main.get_command(click.Context(main), name)
        assert found is not None
        yield from _command(f"boardgate {name}", found)


def _command(called: str, found: click.Command) -> Iterator[Line]:
    yield "has", "command", called
    for parameter in found.params:
        names = parameter.opts if isinstance(parameter, click.Option) else [str(parameter.name).upper()]
        for name in [*names, *parameter.secondary_opts]:
            yield "has", called, name
        if parameter.required:
            yield "needs", called, names[-1]
    for name, below in getattr(found, "commands", {}).items():
        yield from _command(f"{called} {name}", below)


def _settings() -> Iterator[Line]:
    yield from (("has", f"settings [{row.section}]", row.key) for row in describe())
    yield from (("has", "settings [[bot]]", row.key) for row in describe_engine_bot())


def _listeners() -> Iterator[Line]:
    dialects = {name: {**COMMON_OPTIONS, **found.options} for name, found in registry.dialects().items()}
    for name, options in {**dialects, "http": HTTP_OPTIONS, RELAY: RELAY_OPTIONS}.items():
        yield "has", "listener", name
        yield from (("has", f"listener {name}", option) for option in options)


def _requests() -> Iterator[Line]:
    whole = document()
    schemas = whole["components"]["schemas"]
    asked = {"ClientMessage"}
    for path, operations in whole["paths"].items():
        for method, operation in operations.items():
            called = f"{method.upper()} {path}"
            yield "has", "request", called
            for parameter in operation.get("parameters", ()):
                yield "has", called, f"{parameter['in']} {parameter['name']}"
                if parameter.get("required"):
                    yield "needs", called, parameter["name"]
            asked |= _named(operation.get("requestBody", {}))
    while further := {name for one in asked for name in _named(schemas[one])} - asked:
        asked |= further
    for name, schema in schemas.items():
        yield from _schema(f"schema {name}", schema)
        if name in asked:
            yield from (("needs", f"schema {name}", field) for field in schema.get("required", ()))
        else:
            yield from (("has", f"schema {name}", f"{field}, always") for field in schema.get("required", ()))


def _named(schema: Any) -> set[str]:
    """The schemas that this part of a document names."""
    return set(re.findall(r"'#/components/schemas/(\w+)'", str(schema)))


def _schema(called: str, schema: Schema) -> Iterator[Line]:
    yield from (("has", called, f"value {value}") for value in schema.get("enum", ()))
    for one in schema.get("oneOf", schema.get("anyOf", ())):
        yield "has", called, f"form {_form(one)}"
    for field, part in schema.get("properties", {}).items():
        yield "has", called, f"{field} ({_form(part)})"


def _form(schema: Schema) -> str:
    """The type of a value in few words; values of an enumeration may become more."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if parts := schema.get("anyOf", schema.get("oneOf")):
        return " or ".join(sorted(_form(one) for one in parts))
    if "const" in schema:
        return repr(schema["const"])
    kind = str(schema.get("type", "any"))
    return f"{kind} of {_form(schema['items'])}" if isinstance(schema.get("items"), Mapping) else kind


def _record() -> Iterator[Line]:
    for name, schema in event_schema()["$defs"].items():
        yield from _schema(f"record {name}", schema)


def _figures() -> Iterator[Line]:
    text = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    for name, labels in re.findall(r"^\| `(boardgate_\w+)` \| ([^|]*)\|", text, re.MULTILINE):
        yield "has", "figure", name
        yield from (("has", f"figure {name}", label.strip()) for label in labels.split(",") if label.strip())


def _plug_ins() -> Iterator[Line]:
    for group in ("games", "dialects", "clients", "commands"):
        yield "has", "entry points", f"boardgate.{group}"
    for name in PLUG_INS:
        yield from _module(import_module(name))


def _module(module: ModuleType) -> Iterator[Line]:
    for name, found in vars(module).items():
        if not name.startswith("_") and getattr(found, "__module__", "") == module.__name__:
            yield "has", f"module {module.__name__}", name
            called = f"{module.__name__}.{name}"
            if inspect.isclass(found):
                yield from _class(called, found)
            elif inspect.isfunction(found):
                yield "has", called, _parameters(found)


def _class(called: str, found: type) -> Iterator[Line]:
    if issubclass(found, enum.Enum):
        yield from (("has", called, f"{member.name} = {member.value!r}") for member in found)
        return
    fields = dataclasses.fields(found) if dataclasses.is_dataclass(found) else ()
    for field in fields:
        yield "has", called, field.name
        if field.init and field.default is field.default_factory is dataclasses.MISSING:
            yield "needs", called, field.name
    yield from (("needs", called, name) for name in getattr(found, "__abstractmethods__", ()))
    if not fields:
        declared = inspect.get_annotations(found).keys() - vars(found).keys()
        yield from (("needs", called, name) for name in declared if not name.startswith("_"))
    for name, value in vars(found).items():
        if name.startswith("_") or name in {field.name for field in fields}:
            continue
        value = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        yield "has", called, f"{name}{_parameters(value)}" if inspect.isfunction(value) else name


def _parameters(function: Any) -> str:
    """The names of a function's parameters: one more is another function to whoever overrides it."""
    return f"({', '.join(inspect.signature(function).parameters)})"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    file_of(VERSION).write_text("\n".join(lines()) + "\n", encoding="utf-8")
    file_of(VERSION).with_suffix(".sql").write_text(dumped(), encoding="utf-8")
