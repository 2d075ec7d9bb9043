"""Hypothesis strategies made from a protocol's own declaration: any message of it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from protocols.core.opcode_codec import STRING_CAP
from protocols.core.opcodes import Field, Loop, Message, OpcodeProtocol, Shape

INTS = st.one_of(st.integers(-2, 130), st.integers(-(2**31), 2**31 - 1))
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["", "\0", "rook", "Ludo?seats=4#T", 'say "x"\\', "line\nline", "a" * (STRING_CAP - 1)]),
)


def messages(protocol: OpcodeProtocol) -> st.SearchStrategy[Message]:
    """Any message whose values fit its declaration."""
    return st.one_of([_of(shape) for shape in protocol.shapes])


@st.composite
def _of(draw: st.DrawFn, shape: Shape) -> Message:
    return Message(shape.name, shape.flat(_record(draw, shape.fields)))


def _record(draw: st.DrawFn, fields: tuple[Field | Loop, ...]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for field in fields:
        if isinstance(field, Loop):
            if isinstance(field.count, str):
                record[field.count] = draw(st.integers(0, 5))
            record[field.name] = [_record(draw, field.fields) for _ in range(field.times(record))]
        elif field.present(record):
            record[field.name] = draw(TEXTS if field.type == "string" else INTS)
        else:
            record[field.name] = None
    return record
