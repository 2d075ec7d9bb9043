"""``boardgate decode``: captured bytes, or a wire log, to readable text, and the text back to the same bytes."""

from __future__ import annotations

from itertools import groupby
from typing import BinaryIO, Final

import click

from gateway import registry
from protocols.core import transcript
from protocols.core.dialect import Dialect
from protocols.core.ggzcomm import definition
from protocols.core.line_text import HEX
from protocols.core.opcode_dialect import OpcodeDialect

EXAMPLES: Final = """
\b
Bytes of one direction, for example of a capture, from the start of a message:
  boardgate decode client.bin
  printf '\\0\\0\\0\\154\\0\\0\\0\\0\\0\\0\\0\\050' | boardgate decode
prints
  MSG_MOVE 0 40

\b
And back:
  boardgate decode client.bin | boardgate decode --encode > same.bin

\b
A wire log (lines of >> and <<) is shown with every piece readable; its bytes:
  boardgate decode wire.log
  boardgate decode --encode --sent wire.log > server.bin

Strings are quoted as in JSON. "bare" marks a message whose strings lack their closing NUL, as GGZBoard
writes them; "hex" is what is not a message of that direction, or not a whole one.
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--dialect", "name", default="bogaprot", show_default=True, help="Whose bytes these are.")
@click.option("--encode", is_flag=True, help="Text to bytes.")
@click.option("--sent/--received", default=None, help="Sent by the server or received from a client; else found out.")
@click.option("--option", "pairs", multiple=True, metavar="KEY=VALUE", help="An option of the listener.")
@click.option("--ggzcomm", is_flag=True, help="Print the protocol's definition in GGZ's XML instead.")
def decode(file: BinaryIO, name: str, encode: bool, sent: bool | None, pairs: tuple[str, ...], ggzcomm: bool) -> None:
    """Turn captured bytes, or a wire log, from FILE (default: standard input) into readable text, or back."""
    dialect = _dialect(name)
    if ggzcomm:
        if not issubclass(dialect, OpcodeDialect):
            raise click.UsageError(f"{name} is not a protocol of numbered messages: it has no ggzcomm definition")
        click.echo(definition(dialect.protocol), nl=False)
        return
    try:
        given = _options(pairs)
        data = file.read()
        log = _log_lines(data)
        if encode:
            click.echo(_encoded(dialect, log or data.decode("utf-8").splitlines(), bool(log), sent, given), nl=False)
        else:
            for line in _relogged(dialect, log, given) if log else _decoded(dialect, data, sent, given):
                click.echo(line)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def _dialect(name: str) -> type[Dialect]:
    found = registry.dialects().get(name)
    if found is None:
        raise click.UsageError(f"there is no dialect {name!r}; there are {', '.join(registry.dialects())}")
    return found


def _options(pairs: tuple[str, ...] | list[str]) -> dict[str, str]:
    split = [pair.partition("=") for pair in pairs]
    if wrong := [key for key, equals, _ in split if not equals]:
        raise ValueError(f"an option is KEY=VALUE, not {wrong[0]!r}")
    return {key.strip(): value for key, _, value in split}


def _log_lines(data: bytes) -> list[str]:
    """The lines of a wire log; empty when these bytes are not one."""
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return []
    return lines if any(_mark(line) in (transcript.WIRE_IN, transcript.WIRE_OUT) for line in lines) else []


def _mark(line: str) -> str:
    """The first word of a wire log's line; "" for the end of the input, which is no bytes."""
    return "" if line == transcript.eof() else line.partition(" ")[0]


def _decoded(dialect: type[Dialect], data: bytes, sent: bool | None, options: dict[str, str]) -> list[str]:
    """Lines for bytes; of the direction that leaves less of them unread, where none is given."""
    directions = [False, True] if sent is None else [sent]
    readings = [dialect.wire_to_text(data, sent=direction, options=options) for direction in directions]
    return min(readings, key=lambda lines: sum(len(line) for line in lines if line.startswith(HEX)))


def _relogged(dialect: type[Dialect], lines: list[str], options: dict[str, str]) -> list[str]:
    """A wire log with consecutive pieces of one direction read together."""
    options = _logged_options(lines) | options
    shown: list[str] = []
    for mark, run in groupby(lines, _mark):
        if mark not in (transcript.WIRE_IN, transcript.WIRE_OUT):
            shown += run
            continue
        sent = mark == transcript.WIRE_OUT
        wire = dialect.text_to_wire((line[3:] for line in run), sent=sent, options=options)
        shown += [f"{mark} {line}" for line in dialect.wire_to_text(wire, sent=sent, options=options)]
    return shown


def _logged_options(lines: list[str]) -> dict[str, str]:
    return _options([line[1:] for line in lines if _mark(line) == transcript.OPTION])


def _encoded(dialect: type[Dialect], lines: list[str], log: bool, sent: bool | None, options: dict[str, str]) -> bytes:
    """The bytes of lines; of what came from the peer, where a log is given and no direction."""
    if log:
        options = _logged_options(lines) | options
        mark = transcript.WIRE_OUT if sent else transcript.WIRE_IN
        lines, sent = [line[3:] for line in lines if _mark(line) == mark], bool(sent)
    if sent is not None:
        return dialect.text_to_wire(lines, sent=sent, options=options)
    try:
        return dialect.text_to_wire(lines, sent=False, options=options)
    except ValueError:
        return dialect.text_to_wire(lines, sent=True, options=options)
