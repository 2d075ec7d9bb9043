"""Tests of scripts and style sheets as they are served: lighter, and the same to a browser."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from gateway.web.pages.assets import STATIC, Assets
from gateway.web.pages.lean import SUFFIXES, lean

FILES = sorted(path for path in STATIC.rglob("*") if path.suffix in SUFFIXES)

BOARD = ("board", "draw", "field", "grid", "hands", "moves", "pointer", "popup")
"""The scripts of the board."""

KB = 1024


def test_comments_of_their_own_lines_and_indentation_go() -> None:
    source = '/** What it is. */\n\n/**\n * More.\n */\nlet a = 1; // kept\n  // gone\n  a = "/* kept */ // kept";\n'
    assert lean(source) == 'let a = 1; // kept\na = "/* kept */ // kept";\n'


def test_of_a_comment_before_code_the_code_stays() -> None:
    source = "/** @type {number} */ this.a = 1;\nthis.b(); /* kept */\n/** Next. */\nc();\n"
    assert lean(source) == "this.a = 1;\nthis.b(); /* kept */\nc();\n"


def test_a_style_sheet_is_treated_alike() -> None:
    assert lean("/* colours\n   of it */\na { b: c; /* kept */ }\n\n@media x {\n  d { e: f; }\n}\n") == (
        "a { b: c; /* kept */ }\n@media x {\nd { e: f; }\n}\n"
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_literal_runs_over_lines(path: Path) -> None:
    """Backticks come in pairs on each line, so nothing but code is indented."""
    for line in lean(path.read_text(encoding="utf-8")).splitlines():
        assert line.replace("\\`", "").count("`") % 2 == 0, line


def test_what_is_served_has_no_such_comment() -> None:
    served = Assets().files["js/board.js"].content.decode()
    assert not any(line.startswith((" *", "//")) or line.endswith("*/") for line in served.splitlines())
    assert "export class Board" in served


def test_the_board_weighs_at_most_16_kb() -> None:
    files = Assets().files
    weights = [len(gzip.compress(files[f"js/{name}.js"].content, 9)) for name in BOARD]
    assert sum(weights) + len(gzip.compress(files["css/board.css"].content, 9)) <= 16 * KB
