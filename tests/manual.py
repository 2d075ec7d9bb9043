"""Writes the pages of the manual from what ``--help`` says: ``python -m tests.manual``; docs/man has them.

A page for the program, and one for each command with those below it. Source: man(7).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import click

from gateway.cli import main
from gateway.cli.group import commands

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "docs" / "man"
PROGRAM: Final = "boardgate"

FILES: Final = (
    ("boardgate.toml", "The settings, in the folder where a command runs; --config and BOARDGATE_CONFIG name another."),
    ("boardgate-data", "Where a server keeps its games; the setting server.data."),
    ("PREFIX/share/doc/boardgate", "The handbook, and what systemd, nginx and Prometheus need. PREFIX is the folder "
     "that boardgate was installed into: of a virtual environment, of pipx."),
)  # fmt: skip


def pages() -> Mapping[str, str]:
    """By file name."""
    listed = {name: entry.text for part in commands().values() for name, entry in part.items()}
    made = {PROGRAM: main, **{f"{PROGRAM}-{name}": _found(main, name) for name in listed}}
    texts = {PROGRAM: "one server for board-game programs of many kinds"}
    texts |= {f"{PROGRAM}-{name}": text[0].lower() + text[1:].rstrip(".") for name, text in listed.items()}
    return {f"{name}.1": "\n".join(_page(name, texts[name], command)) + "\n" for name, command in made.items()}


def stale() -> list[str]:
    """Names of files that are not what the program would say."""
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.1")}
    now = pages()
    return sorted(name for name in kept.keys() | now.keys() if kept.get(name) != now.get(name))


def _found(group: click.Group, name: str) -> click.Command:
    command = group.get_command(click.Context(group, info_name=group.name), name)
    assert command is not None
    return command


def _page(name: str, text: str, command: click.Command) -> Iterator[str]:
    yield f'.TH "{name.upper()}" "1" "" "Boardgate" "Boardgate"'
    yield from (".SH NAME", rf"{_plain(name)} \- {_plain(text)}")
    yield ".SH SYNOPSIS"
    words = name.replace("-", " ", 1)
    yield from _synopsis(words, command)
    yield ".SH DESCRIPTION"
    yield from _text(command.help)
    yield from _options(words, command, ".SH OPTIONS")
    if command is main:
        yield from _listed()
    elif isinstance(command, click.Group):
        yield ".SH COMMANDS"
        for below in command.list_commands(click.Context(command)):
            yield from _below(f"{words} {below}", _found(command, below))
    if command is main:
        yield ".SH EXAMPLES"
        yield from _text(command.epilog)
        yield ".SH FILES"
        for file, about in FILES:
            yield from (".TP", rf"\fI{_plain(file)}\fR", _plain(about))
    else:
        yield from (".SH SEE ALSO", rf"\fB{PROGRAM}\fR(1)")


def _listed() -> Iterator[str]:
    """The commands of the program by their parts, with their pages."""
    yield ".SH COMMANDS"
    for title, part in commands().items():
        yield f".SS {_plain(title)}"
        for name, entry in part.items():
            yield from (".TP", rf"\fB{PROGRAM}\-{_plain(name)}\fR(1)", _plain(entry.text))


def _below(words: str, command: click.Command) -> Iterator[str]:
    """A command of a command."""
    yield f".SS {_plain(words.split(' ', 1)[1])}"
    yield from _synopsis(words, command)
    yield ".PP"
    yield from _text(command.help)
    yield from _options(words, command, ".PP")


def _synopsis(words: str, command: click.Command) -> Iterator[str]:
    pieces = command.collect_usage_pieces(_context(words, command))
    yield rf"\fB{_plain(words)}\fR {_plain(' '.join(pieces))}"


def _options(words: str, command: click.Command, opening: str) -> Iterator[str]:
    context = _context(words, command)
    options = [one for one in command.get_params(context) if isinstance(one, click.Option)]
    records = [record for one in options if (record := one.get_help_record(context)) is not None]
    if records:
        yield opening
    for names, about in records:
        yield from (".TP", rf"\fB{_plain(names)}\fR", _plain(about))


def _context(words: str, command: click.Command) -> click.Context:
    """Of a command that is called so: the names of --help are the program's."""
    whole = click.Context(main, info_name=PROGRAM, **main.context_settings)
    return whole if command is main else click.Context(command, whole, info_name=words)


def _text(text: str | None) -> Iterator[str]:
    """The paragraphs of a help: those that begin with a ``\\b`` keep their lines."""
    for count, paragraph in enumerate(re.split(r"\n\s*\n", inspect.cleandoc(text or "").strip())):
        if count:
            yield ".PP"
        if paragraph.startswith("\b"):
            yield from (".nf", *(_plain(line) for line in paragraph.splitlines()[1:]), ".fi")
        else:
            yield _plain(" ".join(paragraph.split()))


def _plain(text: str) -> str:
    """Text in which no character commands: hyphens stay what is typed, and a line may begin with anything."""
    quoted = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{quoted}" if quoted.startswith((".", "'")) else quoted


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in stale():
        (FOLDER / name).unlink(missing_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
