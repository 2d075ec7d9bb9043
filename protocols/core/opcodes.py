"""Messages of a number and fields, as GGZ's protocols use them: what a protocol declares.

One declaration serves the bytes (opcode_codec.py), the readable text and the ggzcomm XML (ggzcomm.py). Source: the
Bogaprot document; the words for conditions are those of GGZ's protocol-format.txt.

A message's values are flat, in the order of the wire, an absent field left out::

    Message("MSG_MOVE", (0, 40))
    Message("MSG_PLAYERS", (2, 3, "alice", 2, "bot"))
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from protocols.core.errors import LocalProtocolError, RemoteProtocolError

Side: TypeAlias = Literal["client", "server"]
Relation: TypeAlias = Literal["equal", "unequal", "smaller", "larger"]
Value: TypeAlias = int | str

_RELATIONS: Final[Mapping[Relation, Callable[[Any, Any], bool]]] = {
    "equal": operator.eq,
    "unequal": operator.ne,
    "smaller": operator.lt,
    "larger": operator.gt,
}


class Message(NamedTuple):
    """One message: the name its document gives it, and its values."""

    name: str
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A field is there only if an earlier int stands in this relation to ``value``.

    ``constant`` is ggzcomm's name for the value, "" where it has none.
    """

    field: str
    relation: Relation
    value: int
    constant: str = ""

    def holds(self, seen: Mapping[str, Any]) -> bool:
        return _RELATIONS[self.relation](seen[self.field], self.value)


@dataclass(frozen=True, slots=True)
class Field:
    """An int or a string; without ``when`` it is always there."""

    name: str
    type: Literal["int", "string"] = "int"
    when: Condition | None = None

    def present(self, seen: Mapping[str, Any]) -> bool:
        return self.when is None or self.when.holds(seen)


@dataclass(frozen=True, slots=True)
class Loop:
    """The same fields several times: ``count`` is a number, or the name of the int before that says it.

    ``most`` bounds what a peer may claim: 64 is more seats than any game has.
    """

    name: str
    count: str | int
    fields: tuple[Field, ...]
    most: int = 64

    def times(self, seen: Mapping[str, Any]) -> int:
        """RemoteProtocolError when the count makes no sense."""
        count = self.count if isinstance(self.count, int) else int(seen[self.count])
        if not 0 <= count <= self.most:
            raise RemoteProtocolError(f"{self.count} is {count}, not between 0 and {self.most}")
        return count


@dataclass(frozen=True, slots=True)
class Shape:
    """One message's declaration: its number, who sends it, its fields in order."""

    name: str
    opcode: int
    senders: tuple[Side, ...]
    fields: tuple[Field | Loop, ...] = ()

    def record(self, values: tuple[Value, ...]) -> dict[str, Any]:
        """The values by field name, None for what is absent. LocalProtocolError when they do not fit."""
        left = iter(values)
        try:
            record = self._take(self.fields, left)
        except StopIteration:
            raise LocalProtocolError(f"{self.name} {values!r} lacks a value") from None
        except RemoteProtocolError as error:
            raise LocalProtocolError(f"{self.name} {values!r}: {error}") from None
        if (extra := next(left, None)) is not None:
            raise LocalProtocolError(f"{self.name} {values!r} has no field for {extra!r}")
        return record

    def _take(self, fields: tuple[Field | Loop, ...], left: Iterator[Value]) -> dict[str, Any]:
        record: dict[str, Any] = {}
        for field in fields:
            if isinstance(field, Loop):
                times = field.times(record)
                record[field.name] = []
                for _ in range(times):
                    record[field.name].append(self._take(field.fields, left))
                continue
            record[field.name] = value = next(left) if field.present(record) else None
            if value is not None and isinstance(value, str) != (field.type == "string"):
                raise LocalProtocolError(f"{self.name}: {field.name} is {value!r}, not of type {field.type}")
        return record

    def flat(self, record: Mapping[str, Any]) -> tuple[Value, ...]:
        """The values of a record, as a Message has them."""
        return tuple(_flat(self.fields, record))


def _flat(fields: tuple[Field | Loop, ...], record: Mapping[str, Any]) -> Iterator[Value]:
    for field in fields:
        if isinstance(field, Loop):
            for item in record[field.name]:
                yield from _flat(field.fields, item)
        elif record[field.name] is not None:
            yield record[field.name]


@dataclass(frozen=True, slots=True)
class Link:
    """ggzcomm's order of events: a message of the client and one of the server that belong together.

    GGZ's own file names no ``initiator``: with one, the client that ggzcomm generates waits for 108 after REQ_MOVE.
    """

    client: str
    server: str


@dataclass(frozen=True, slots=True)
class OpcodeProtocol:
    """A whole protocol: its ggzcomm engine name and version, its messages, and which answers which."""

    engine: str
    version: int
    shapes: tuple[Shape, ...]
    links: tuple[Link, ...] = ()

    def shape(self, name: str) -> Shape:
        """LocalProtocolError when there is no message of that name."""
        found = next((shape for shape in self.shapes if shape.name == name), None)
        if found is None:
            raise LocalProtocolError(f"{self.engine} has no message {name!r}")
        return found
