"""docs/matrix.md: a table of rows for each game, written from what the cells found out, and read back.

A reason stands once, under its number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.matrix.cell import COLUMNS, Pair, Row
from tests.matrix.game import NOT

PATH: Final = Path(__file__).parents[2] / "docs" / "matrix.md"

Rows = dict[Pair, Row]

HEAD: Final = """\
# Who plays whom

A player of any dialect meets a player of any other. The tests play each pair of dialects at each game, over TCP,
against a running server, and write this page: `python -m tests.matrix`. A row is a pair. The first dialect's player has
seat 0 and does what a column says; the second dialect's player hears it.

* **native**: by a message of its own. **words**: by a sentence for people. **no**: not at all; the number says why.
* Every pair plays whole games, with moves of every kind. Both have the same board after each move, and the same record
  at the end. Takebacks and draws are refused, and agreed to; they are agreed to, too, after a player has lost the line.
* **refusal**: the way the first player hears that a move is not allowed.
* **return**: the first player loses the line, and comes back by this dialect with its ticket, then by the own one.
* **looks on**: an observer by this dialect has the same board, too.
"""

REASONS: Final = "## Why not"


def write(rows: Mapping[Pair, Row]) -> str:
    """The document of these rows."""
    reasons: dict[str, int] = {}
    parts = [HEAD]
    for game in sorted({pair.game for pair in rows}):
        parts.append(f"## {game}\n")
        parts.append(f"| first | second | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 2)}")
        for pair in sorted((pair for pair in rows if pair.game == game), key=str):
            shown = [_shown(rows[pair][column], reasons) for column in COLUMNS]
            parts.append(f"| {pair.first} | {pair.second} | {' | '.join(shown)} |")
        parts.append("")
    parts.append(f"{REASONS}\n")
    parts += [f"{number}. {reason}" for reason, number in reasons.items()]
    return "\n".join(parts) + "\n"


def _shown(found: str, reasons: dict[str, int]) -> str:
    if not found.startswith(NOT):
        return found
    return f"no {reasons.setdefault(found.removeprefix(NOT), len(reasons) + 1)}"


def read(text: str) -> Rows:
    """The rows of the document."""
    tables, _, listed = text.partition(f"{REASONS}\n")
    reasons = dict(re.findall(r"^(\d+)\. (.+)$", listed, re.MULTILINE))
    rows, game = Rows(), ""
    for line in tables.splitlines():
        if line.startswith("## "):
            game = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith("| first "):
            first, second, *shown = (cell.strip() for cell in line.strip("|").split("|"))
            values = (NOT + reasons[cell.removeprefix("no ")] if cell.startswith("no ") else cell for cell in shown)
            rows[Pair(game, first, second)] = dict(zip(COLUMNS, values, strict=True))
    return rows
