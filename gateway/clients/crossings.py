"""The lines of a board whose pieces stand on crossings, not in squares: a row of line characters for each cell.

Not here: colours, and what stands on the crossings (drawing.py). Pure.
"""

from __future__ import annotations

from typing import Final

CROSSINGS: Final = ("┌┬┐", "├┼┤", "└┴┘")
"""By where the row and the column of a crossing are: at the beginning, between, at the end."""


def centre(cell: int) -> tuple[int, int]:
    """Where the lines cross in a cell of ``cell`` rows and twice as many columns: column and row in it."""
    return cell - 1, (cell - 1) // 2


def across(column: int, columns: int, cell: int) -> tuple[str, str]:
    """The horizontal line in a cell of this column of crossings, left and right of the crossing itself."""
    at, width = centre(cell)[0], 2 * cell
    return (" " if column == 0 else "─") * at, (" " if column == columns - 1 else "─") * (width - at - 1)


def crossing(column: int, row: int, columns: int, rows: int) -> str:
    """The character in which two lines meet."""
    return CROSSINGS[_where(row, rows)][_where(column, columns)]


def down(row: int, rows: int, cell: int, inner: int) -> str:
    """A row of a cell above or below its crossing: the vertical line, or nothing beyond the edge."""
    at, middle = centre(cell)
    inside = row > 0 if inner < middle else row < rows - 1
    return f"{' ' * at}{'│' if inside else ' '}{' ' * (2 * cell - at - 1)}"


def _where(at: int, count: int) -> int:
    return 0 if at == 0 else 2 if at == count - 1 else 1
