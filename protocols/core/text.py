"""Any value of the vocabulary as one readable line, and back: transcripts and wire logs are written so.

``MoveMade(seat=0, move=Move(8, 17), ply=1, ...)``: a class of the vocabulary, its fields by name (Move's by position),
fields that have their default left out. Reading accepts nothing but such calls and literals.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable
from enum import Enum
from types import ModuleType
from typing import Any

import msgspec

from protocols.core import commands, errors, events, model, proposals
from protocols.core import notifications as told

_MODULES: tuple[ModuleType, ...] = (model, proposals, commands, errors, events, told)
_CLASSES: dict[str, type] = {
    name: value
    for module in _MODULES
    for name, value in vars(module).items()
    if isinstance(value, type) and (dataclasses.is_dataclass(value) or issubclass(value, Enum | msgspec.Struct))
}


def spell(value: object) -> str:
    """One line for a command, an event, or any value inside one."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, model.Move):
        values = [repr(value.source), repr(value.target)] + ([repr(value.piece)] if value.piece else [])
        return f"Move({', '.join(values)})"
    if isinstance(value, msgspec.Struct):
        return _call(value, msgspec.structs.fields(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _call(value, dataclasses.fields(value))
    if isinstance(value, tuple):
        inner = ", ".join(spell(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def _call(value: object, fields: Iterable[Any]) -> str:
    shown = [
        f"{field.name}={spell(getattr(value, field.name))}"
        for field in fields
        if getattr(value, field.name) != _usual(field)
    ]
    return f"{type(value).__name__}({', '.join(shown)})"


def _usual(field: Any) -> Any:
    """The value of a field that is not named, if it has one."""
    factory = field.default_factory
    return field.default if factory in (dataclasses.MISSING, msgspec.NODEFAULT) else factory()


def read(line: str) -> Any:
    """The value that ``spell`` writes so; ValueError shows what cannot be read."""
    try:
        return _value(ast.parse(line.strip(), mode="eval").body)
    except (SyntaxError, TypeError) as error:
        raise ValueError(f"not a value of the vocabulary: {line!r} ({error})") from None


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.Tuple(elts=elements):
            return tuple(_value(element) for element in elements)
        case ast.Attribute(value=ast.Name(id=owner), attr=member) if owner in _CLASSES:
            found = getattr(_CLASSES[owner], "__members__", {}).get(member)
            if found is not None:
                return found
        case ast.Call(func=ast.Name(id=name), args=positional, keywords=named) if name in _CLASSES:
            fields = {word.arg: _value(word.value) for word in named if word.arg is not None}
            return _CLASSES[name](*(_value(value) for value in positional), **fields)
    raise ValueError(f"not a value of the vocabulary: {ast.unparse(node)}")
