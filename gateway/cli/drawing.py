"""Draws for a terminal what commands print: tables, styled words, a bar of what is done; plain text into a pipe."""

from __future__ import annotations

import os
import shutil
import sys
import time
import unicodedata
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from textwrap import wrap
from typing import Final

import click

GAP: Final = 3
"""Characters between two columns."""

NARROWEST: Final = 8
"""Characters below which no column is narrowed."""

BAR: Final = 30
"""Characters of a whole bar."""

REDRAWN_S: Final = 0.1
"""Seconds between two looks of a bar."""

ERASED: Final = "\r\x1b[2K"


class Table:
    """Rows under headings; ``right`` has the numbers of columns aligned there, ``edge`` stands between cells."""

    def __init__(self, *headings: str, title: str = "", right: Container[int] = (), edge: str = " ") -> None:
        self._title = [title] if title else []
        self._headings = headings
        self._right = right
        self._edge = edge
        self._rows: list[Sequence[str]] = []

    def add_row(self, *cells: str) -> None:
        """Cells at the end of a row may be left out; a cell may be ``styled``."""
        self._rows.append((*cells, *[""] * (len(self._headings) - len(cells))))

    def text(self, width: int = 0) -> str:
        """The lines; cells go over several where the table would be wider than ``width``, 0 for any."""
        widths = self._widths(width)
        rule = " " + "─" * (sum(widths) + GAP * (len(widths) - 1) + 2)
        head = [styled(line, bold=True) for line in self._lines(self._headings, widths, " ")]
        body = (line for row in self._rows for line in self._lines(row, widths, self._edge))
        return "\n".join(["", *self._title, *head, rule, *body, ""])

    def _widths(self, most: int) -> list[int]:
        columns = zip(self._headings, *self._rows, strict=True)
        widths = [max(map(_width, column)) for column in columns]
        while most and sum(widths) + GAP * len(widths) > most and max(widths) > NARROWEST:
            widths[widths.index(max(widths))] -= 1
        return widths

    def _lines(self, cells: Sequence[str], widths: Sequence[int], edge: str) -> Iterator[str]:
        narrow = zip(cells, widths, strict=True)
        parts = [[cell] if _width(cell) <= width else wrap(cell, width) for cell, width in narrow]
        for line in zip_longest(*parts, fillvalue=""):
            padded = (self._padded(number, cell, widths[number]) for number, cell in enumerate(line))
            yield f"{edge} {f' {edge} '.join(padded)} {edge}".rstrip()

    def _padded(self, number: int, cell: str, width: int) -> str:
        blank = " " * (width - _width(cell))
        return blank + cell if number in self._right else cell + blank


def styled(text: str, colour: str | None = None, *, bold: bool | None = None, dim: bool | None = None) -> str:
    """Text as a terminal shows it in this way; ``say`` writes it plain elsewhere."""
    return click.style(text, fg=colour, bold=bold, dim=dim)


def plain(text: str) -> str:
    """Text that peers wrote, for a terminal: control characters in it mean nothing."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def say(what: str | Table) -> None:
    """Write to standard output: as wide as the terminal and styled, or plain and as wide as need be into a pipe."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    text = what if isinstance(what, str) else what.text(width)
    click.echo(text, color=False if os.environ.get("NO_COLOR") else None)


class Bar:
    """A line on standard error that shows what is done; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._drawn = 0.0
        self._label = ""

    def show(self, label: str, done: float, of: float) -> None:
        """``done`` of so many under this label; an ``of`` of 1 is a share."""
        now = time.monotonic()
        if not sys.stderr.isatty() or (label == self._label and done < of and now < self._drawn + REDRAWN_S):
            return
        self._drawn, self._label = now, label
        full = round(BAR * min(1.0, done / of)) if of else 0
        counts = f"  {done:.0f}/{of:.0f}" if of > 1 else ""
        minutes, seconds = divmod(round(now - self._begun), 60)
        line = f"{label} {'━' * full}{' ' * (BAR - full)}{counts}  {minutes}:{seconds:02}"
        click.echo(ERASED + line[: shutil.get_terminal_size().columns - 1], err=True, nl=False)

    def clear(self) -> None:
        """Take the line away until it is shown again."""
        if self._label:
            click.echo(ERASED, err=True, nl=False)
            self._label = ""


@contextmanager
def bar() -> Iterator[Bar]:
    """A bar that is gone afterwards."""
    made = Bar()
    try:
        yield made
    finally:
        made.clear()


def _width(text: str) -> int:
    """Cells of a terminal that a text takes."""
    letters = click.unstyle(text)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in letters)
    return len(letters) + wide - sum(unicodedata.combining(letter) > 0 for letter in letters)
