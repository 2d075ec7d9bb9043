"""A declared opcode protocol as people read it: its messages as lines, and its definition as ggzcomm XML.

A message is its name and its values, strings quoted as in JSON::

    MSG_PLAYERS 2 3 "alice" 1
    bare MSG_MOVE -1 12 "elephant"      its strings are written without the closing NUL
    hex 00 00 00 6c ff                  not a message of this side, not a whole one, or not written in either way

Source of the XML: GGZ's protocol-format.txt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from protocols.core.errors import LocalProtocolError, RemoteProtocolError
from protocols.core.line_text import read_hex, show_hex
from protocols.core.opcode_codec import Codec, codec
from protocols.core.opcodes import Field, Loop, Message, OpcodeProtocol, Side, Value

BARE: Final = "bare"

_INT: Final = r"-?[0-9]{1,10}"
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_LINE: Final = re.compile(rf"(?P<bare>{BARE} )?(?P<name>[A-Z_]+)(?P<values>(?: (?:{_INT}|{_STRING}))*)")
_VALUE: Final = re.compile(rf"{_INT}|{_STRING}")


def show(message: Message) -> str:
    """One line for a message."""
    return " ".join([message.name, *(_quoted(value) if isinstance(value, str) else str(value) for value in message[1])])


def _quoted(text: str) -> str:
    """JSON, with letters of all scripts as they are, but everything escaped that does not print."""
    shown = json.dumps(text, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in shown)


def to_text(using: Codec, data: bytes, sender: Side) -> list[str]:
    """Lines for bytes of one side, from the start of a message; ``to_wire`` of them gives the same bytes."""
    lines: list[str] = []
    at = 0
    try:
        while (frame := using.frame(data, at, sender)) is not None:
            lines.append(_line(using, frame))
            at += len(frame)
    except RemoteProtocolError:
        pass  # what follows is shown, but not understood
    return [*lines, show_hex(data[at:])] if at < len(data) else lines


def _line(using: Codec, frame: bytes) -> str:
    message = using.parse(frame)
    if using.encode(message) == frame:
        return show(message)
    return f"{BARE} {show(message)}" if _bare(using).encode(message) == frame else show_hex(frame)


def _bare(using: Codec) -> Codec:
    return codec(using.protocol, using.byte_order, nul=False)


def to_wire(using: Codec, lines: Iterable[str], sender: Side) -> bytes:
    """The bytes that ``to_text`` shows so. ValueError names the line that cannot be read."""
    return b"".join(_line_bytes(using, line.strip(), sender) for line in lines)


def _line_bytes(using: Codec, line: str, sender: Side) -> bytes:
    if (shown := read_hex(line)) is not None:
        return shown
    found = _LINE.fullmatch(line)
    if found is None or not using.sends(sender, found["name"]):
        raise ValueError(f"not a message of a {sender} in {using.protocol.engine}: {line!r}")
    try:
        values = tuple(_value(token) for token in _VALUE.findall(found["values"]))
        return (_bare(using) if found["bare"] else using).encode(Message(found["name"], values))
    except (ValueError, LocalProtocolError) as error:
        raise ValueError(f"cannot be read: {line!r} ({error})") from None


def _value(token: str) -> Value:
    return str(json.loads(token)) if token.startswith('"') else int(token)


def definition(protocol: OpcodeProtocol) -> str:
    """The protocol as a ggzcomm file."""
    root = Element("ggzcomm", engine=protocol.engine, version=str(protocol.version))
    names = SubElement(root, "definitions")
    for shape in protocol.shapes:
        SubElement(names, "def", name=shape.name.lower(), value=str(shape.opcode))
    sides: tuple[Side, ...] = ("client", "server")
    for side in sides:
        part = SubElement(root, side)
        for shape in protocol.shapes:
            if side in shape.senders:
                _define(SubElement(part, "event", name=shape.name.lower()), shape.fields)
    order = SubElement(root, "protocol")
    for link in protocol.links:
        SubElement(order, "link", {"client": link.client.lower(), "server": link.server.lower()})
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _define(parent: Element, fields: tuple[Field | Loop, ...]) -> None:
    for field in fields:
        if isinstance(field, Loop):
            words = {"count": str(field.count)}
            if isinstance(field.count, str):
                words["maxcount"] = str(field.most)
            _define(SubElement(parent, "sequence", words), field.fields)
            continue
        element = parent
        if field.when is not None:
            element = SubElement(parent, "eval")
            result = field.when.constant or str(field.when.value)
            SubElement(element, "condition", name=field.when.field, result=result, type=field.when.relation)
        SubElement(element, "data", name=field.name, type=field.type)
