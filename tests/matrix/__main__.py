"""Plays every cell, or those of some games, and writes docs/matrix.md: ``python -m tests.matrix [GAME...]``.

A cell that fails is shown, and nothing is written.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from gateway import registry
from tests.matrix import document
from tests.matrix.cell import Cell, pairs
from tests.matrix.servers import serving


def played(game: str) -> document.Rows:
    """The rows of a game's cells."""
    with TemporaryDirectory() as folder, serving(game, Path(folder)) as ports:
        rows = document.Rows()
        for pair in pairs(game):
            rows[pair] = Cell(pair, ports).play()
            print(pair, flush=True)
    return rows


def main(games: list[str]) -> None:
    """Games that are not installed any more leave the document."""
    known = document.read(document.PATH.read_text(encoding="utf-8")) if document.PATH.exists() else document.Rows()
    rows = {pair: row for pair, row in known.items() if pair.game in registry.games() and pair.game not in games}
    for game in games:
        rows |= played(game)
    document.PATH.write_text(document.write(rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] or list(registry.games()))
