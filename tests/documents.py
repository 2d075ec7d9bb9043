"""Writes the parts of the documents that are made from the program: ``python -m tests.documents``.

A part stands between two comments, ``<!-- made: NAME -->`` and ``<!-- made: end -->``; test_documents.py
compares them.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from gateway import registry
from gateway.config import DEFAULT_LISTENERS, describe, describe_engine_bot
from gateway.config.listing import LIVE
from gateway.relay.listen import OPTIONS as RELAY_OPTIONS
from gateway.relay.listen import RELAY
from gateway.sessions.listener import COMMON_OPTIONS
from gateway.web.forwarded import OPTIONS as HTTP_OPTIONS
from gateway.web.pages.connect import ways
from protocols.core.opcode_dialect import OpcodeDialect
from protocols.core.opcodes import Field, Loop
from tests import coverage
from tests.game_pages import begin_missing, index, page
from tests.game_samples import sample
from tests.protocol_parts import PARTS as PROTOCOLS

ROOT = Path(__file__).parent.parent


def documents() -> list[Path]:
    """Every document there is."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


DOCUMENTS = documents()

PART = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- made: end -->)", re.DOTALL)


def settings() -> Iterable[str]:
    """Every setting."""
    section = ""
    for row in describe():
        if row.section != section:
            section = row.section
            yield from ("", f"### [{section}]", "", f"| key | default | {LIVE} | |", "|---|---|---|---|")
        yield f"| `{row.key}` | `{row.default}` | {'yes' if row.live else ''} | {row.reason} |"
    yield ""


def engines() -> Iterable[str]:
    """Every key of [[bot]]."""
    yield from ("", "| key | default | |", "|---|---|---|")
    yield from (f"| `{row.key}` | `{row.default}` | {row.reason} |" for row in describe_engine_bot())
    yield ""


def listeners() -> Iterable[str]:
    """The default listeners, as ``--listen`` takes them."""
    yield from ("", "```", *(str(listen) for listen in DEFAULT_LISTENERS), "```", "")


def programs() -> Iterable[str]:
    """A line for every program that was tried, with this machine and the default ports; then those that were not."""
    declared = {name: words for name, dialect in registry.dialects().items() if (words := dialect.connecting)}
    listening = [listen for listen in DEFAULT_LISTENERS if listen.dialect != RELAY and "game" not in listen.options]
    found = ways(listening, "localhost", "http://localhost:8080")
    rows = [(way.name, *row) for way in found if declared[way.name].commands for row in way.ports[0].commands]
    yield from ("", "| program | line | listener |", "|---|---|---|")
    for name, label, line in sorted(rows, key=lambda row: row[1].lstrip("@").lower()):
        page = name if (ROOT / "docs" / "protocols" / f"{name}.md").exists() else name.partition("-")[0]
        in_cell = line.replace("|", "\\|")
        yield f"| {label} | `{in_cell}` | [{name}](protocols/{page}.md) |"
    untried = sorted({name for words in declared.values() for name in words.untried}, key=str.lower)
    yield from ("", f"Not tried: {', '.join(untried)}.", "")


def options() -> Iterable[str]:
    """The options of listeners."""
    yield from ("", "| listener | option | |", "|---|---|---|")
    yield from (f"| every dialect | `{name}` | {text} |" for name, text in COMMON_OPTIONS.items())
    for dialect, found in registry.dialects().items():
        own = {name: text for name, text in found.options.items() if found.public and name not in COMMON_OPTIONS}
        yield from (f"| {dialect} | `{name}` | {text} |" for name, text in own.items())
    yield from (f"| http | `{name}` | {text} |" for name, text in HTTP_OPTIONS.items())
    yield from (f"| {RELAY} | `{name}` | {text} |" for name, text in RELAY_OPTIONS.items())
    yield ""


def games() -> Iterable[str]:
    """The installed games and their rule sets."""
    yield from ("", "| game | rule sets, the default one first | seats |", "|---|---|---|")
    for name, game in registry.games().items():
        sets = ", ".join(f"`{variant.name}` {variant.width}x{variant.height}" for variant in game.variants)
        seats = sorted({count for variant in game.variants for count in variant.seats})
        yield f"| `{name}` | {sets} | {', '.join(str(count) for count in seats)} |"
    yield ""


VALUES = re.compile(r' (-?[0-9]+|"[^"]*")')
"""The values behind the name of a message in an example."""

EXAMPLES = {
    "bogaprot": (
        'REQ_HANDSHAKE "Ludo" 1',
        "RSP_HANDSHAKE 0",
        'RSP_HANDSHAKE 1 "already seated"',
        "MSG_SEAT 1",
        'MSG_PLAYERS 2 3 "al" 1',
        "MSG_START",
        "REQ_MOVE 0",
        "RSP_MOVE 0",
        'RSP_MOVE 1 "not your piece"',
        "MSG_MOVE 12 28",
        'MSG_MOVE -1 12 "elephant"',
        "MSG_DICE 6",
        "MSG_GAMEOVER -1",
    ),
    "ggzboard": (
        "SEAT 0",
        'PLAYERS 3 "al" 1',
        "MOVE 40 33",
        "GAMEOVER 2",
        "REQ_MOVE 40 33",
        "START",
    ),
}
"""Messages of the opcode protocols in the readable form, each at least once."""


def opcodes(name: str) -> Iterable[str]:
    """Every message of an opcode protocol: number, sender, fields, and examples as bytes."""
    dialect = registry.dialects()[name]
    assert issubclass(dialect, OpcodeDialect)
    shapes = {shape.name: shape for shape in dialect.protocol.shapes}
    yield from ("", "| opcode | from | fields | example | its bytes |", "|---|---|---|---|---|")
    for line in EXAMPLES[name]:
        shape = shapes[line.partition(" ")[0]]
        by = " and ".join(shape.senders)
        fields, data = field_words(shape.fields), field_bytes(shape.opcode, line)
        yield f"| {shape.opcode} | {by} | {fields} | `{line}` | `{data}` |"
    yield ""


def field_bytes(opcode: int, example: str) -> str:
    """A message in hex, by the document's rule and not by our codec: ints of 4 bytes, strings behind their length."""
    ints = [opcode, *(json.loads(value) for value in VALUES.findall(example))]
    words = (
        struct.pack(">i", value).hex()
        if isinstance(value, int)
        else f"{struct.pack('>i', len(value) + 1).hex()} {(value.encode() + bytes(1)).hex(' ')}"
        for value in ints
    )
    return " ".join(words)


def field_words(fields: Iterable[Field | Loop]) -> str:
    """The fields of a message, for people: "status, message: string if status is not 0"."""
    words = []
    for field in fields:
        if isinstance(field, Loop):
            words.append(f"for each seat: {field_words(field.fields)}")
            continue
        kind = ": string" if field.type == "string" else ""
        when = field.when
        relation = "" if when is None else {"unequal": "is not", "smaller": "is below"}[when.relation]
        words.append(f"{field.name}{kind}" + ("" if when is None else f" if {when.field} {relation} {int(when.value)}"))
    return ", ".join(words) or "none"


PARTS: dict[str, Callable[[], Iterable[str]]] = {
    "settings": settings,
    "engines": engines,
    "listeners": listeners,
    "programs": programs,
    "options": options,
    "games": games,
    "game_pages": index,
    **{f"game_{name}": partial(page, name) for name in registry.games()},
    **{f"sample_{name}": partial(sample, name) for name in registry.games()},
    "bogaprot": partial(opcodes, "bogaprot"),
    "ggzboard": partial(opcodes, "ggzboard"),
    **{f"rules_of_{spec.stem.replace('-', '_')}": partial(coverage.table, spec) for spec in coverage.SPECS},
    **PROTOCOLS,
}


def renewed(text: str) -> str:
    """The document with every made part as the program would make it now. KeyError for a part there is not."""
    return PART.sub(lambda found: found[1] + "\n".join([*PARTS[found[2]](), found[3]]), text)


if __name__ == "__main__":
    begin_missing()
    for document in documents():
        document.write_text(renewed(document.read_text(encoding="utf-8")), encoding="utf-8")
