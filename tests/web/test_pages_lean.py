"""Tests of scripts and style sheets as they are served: lighter, and the same to a browser."""

from __future__ import annotations

import gzip
import re
from itertools import pairwise
from pathlib import Path

import pytest

from gateway.web.pages.assets import STATIC, Assets
from gateway.web.pages.lean import SUFFIXES, lean, tight

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


TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|[\w$#@%.]+|[+-]{2}|=>|[=!]==|\?\.|\S')


def tokens(text: str) -> list[str]:
    found = pairwise([*TOKEN.findall(text), ""])
    return [one for one, following in found if (one, following) != (";", "}")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_made_tight_is_the_same_to_a_browser(path: Path) -> None:
    """The same words and signs in their order, but for semicolons before a brace: none has met its neighbour."""
    source = lean(path.read_text(encoding="utf-8"))
    found = tight(source, path.suffix)
    assert tokens(found) == tokens(source)
    assert len(found) < len(source)


@pytest.mark.parametrize(
    ("source", "served"),
    [
        ("const a = {b: 1};\nif (a === 2) {\nc(a, 3);\n}\n", "const a={b:1};if(a===2){c(a,3)}\n"),
        ('a = "b, {c}; " + d;\n', 'a="b, {c}; "+d;'),
        ("a = `b, ${c ? 1 : 2}`;\n", "a=`b, ${c ? 1 : 2}`;"),
        ("a = `b${c ? `, ${d}` : 1}`;\n", "a = `b${c ? `, ${d}` : 1}`;\n"),
        ("a = b / c;\nd = e; // said, so\n", "a = b / c;\nd = e; // said, so\n"),
        ("a = b + +c;\nd = e - -f;\n", "a=b + +c;d=e - -f;"),
    ],
)
def test_a_script_loses_the_blanks_that_mean_nothing(source: str, served: str) -> None:
    assert tight(source, ".js") == served


def test_so_does_a_style_sheet() -> None:
    source = '.a:hover, .b > c { margin: 1px 2px; content: "d; e"; }\n'
    source += "@media (width < 9px) {\n.f :is(g) { h: calc(1px + 2px); }\n}\n"
    assert tight(source, ".css") == (
        '.a:hover,.b>c{margin:1px 2px;content:"d; e"}@media (width < 9px){.f :is(g){h:calc(1px + 2px)}}'
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
