"""Commands print tables in columns, words in colours on a terminal only, a bar that is gone afterwards."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import click
import pytest

from gateway.cli.drawing import Table, plain, say, styled


def drawn(*rows: tuple[str, ...], width: int = 0) -> list[str]:
    table = Table("name", "moves", "said", right=(1,))
    for row in rows:
        table.add_row(*row)
    first, *lines, last = click.unstyle(table.text(width)).split("\n")
    assert first == last == ""
    return lines


def test_columns_are_as_wide_as_their_widest_cell_and_numbers_stand_to_the_right() -> None:
    assert drawn(("ann", "7", "hello"), ("barbara", "1,234")) == [
        "  name      moves   said",
        " ─────────────────────────",
        "  ann           7   hello",
        "  barbara   1,234",
    ]


def test_a_styled_cell_and_wide_letters_take_the_columns_they_show() -> None:
    cells = (styled("ann", "green"), "囲碁囲", "e\N{COMBINING ACUTE ACCENT}")
    assert drawn(*((cell, "7", "x") for cell in cells))[2:] == [
        "  ann          7   x",
        "  囲碁囲       7   x",
        "  e\N{COMBINING ACUTE ACCENT}            7   x",
    ]


def test_a_table_wider_than_the_terminal_has_its_widest_cells_on_several_lines() -> None:
    lines = drawn(("ann", "7", "one two three four"), width=32)
    assert lines[2:] == ["  ann        7   one two three", "                 four"]
    assert max(map(len, lines)) <= 32


def test_into_a_pipe_nothing_is_coloured_and_no_line_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("said")
    table.add_row(styled("word " * 100, "red"))
    say(table)
    assert capsys.readouterr().out.splitlines()[3].strip() == ("word " * 100).strip()


def test_what_peers_wrote_cannot_move_the_cursor() -> None:
    assert plain("[red]a\x1b[2Jb\r") == "[red]a\N{REPLACEMENT CHARACTER}[2Jb\N{REPLACEMENT CHARACTER}"


def on_a_terminal(code: str, **environment: str) -> str:
    """The bytes that this program writes to a terminal, as text."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", code]
    subprocess.run(command, stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | environment, check=True)
    os.close(theirs)
    said = b""
    while True:
        try:
            said += os.read(ours, 65536)
        except OSError:  # the other end is closed
            os.close(ours)
            return said.decode()


def test_a_terminal_is_told_colours_unless_its_user_wants_none() -> None:
    code = "from gateway.cli.drawing import say, styled; say(styled('playing', 'green'))"
    assert on_a_terminal(code, NO_COLOR="") == "\x1b[32mplaying\x1b[0m\r\n"
    assert on_a_terminal(code, NO_COLOR="1") == "playing\r\n"


BAR = """
from gateway.cli.drawing import bar
with bar() as shown:
    shown.show("tables", 15, 30)
    shown.show("tables", 16, 30)
"""


def test_a_bar_shows_what_is_done_and_is_gone_afterwards() -> None:
    erased = "\r\x1b[2K"
    assert on_a_terminal(BAR, COLUMNS="100") == f"{erased}tables {'━' * 15}{' ' * 15}  15/30  0:00{erased}"


def test_no_bar_is_written_to_a_file() -> None:
    run = subprocess.run([sys.executable, "-c", BAR], capture_output=True, check=True)
    assert (run.stdout, run.stderr) == (b"", b"")
