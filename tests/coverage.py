"""The rules of the protocols' documents, and the tests whose docstrings quote them: what docs/coverage.md is made from.

``tests/specs`` has a file a document: its rules in its own words and order, one a line. A docstring quotes a rule with
all of its words, or with some between double quotes; "..." in a quotation leaves words out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent
SPECS: Final = sorted((TESTS / "specs").glob("*.txt"))
DOCUMENTS: Final = TESTS.parent.parent / "shared" / "specs"
"""Where the documents themselves may be: they are no part of the project."""

LEAST: Final = 3
"""Words of a quotation that is a part of a rule; fewer are a quotation of it only as the whole."""


@dataclass(slots=True)
class Rule:
    """One rule. ``deviation`` is empty where it is served as it stands; ``tests`` by file and name."""

    text: str
    deviation: str = ""
    tests: list[str] = field(default_factory=list)


def words(text: str) -> str:
    """A text without case, punctuation and line breaks, with a space at both ends: one may be looked for in another."""
    return " " + " ".join(re.findall(r"[\w<>#*/=+;\[\]-]+", text.replace("\\_", "_").casefold())) + " "


def rules(spec: Path) -> list[Rule]:
    """The rules of a document, with the tests that quote them."""
    _title, *lines = spec.read_text(encoding="utf-8").splitlines()
    found = [Rule(text.strip(), deviation.strip()) for text, _, deviation in (line.partition(" // ") for line in lines)]
    for rule in found:
        wanted = words(rule.text)
        rule.tests = sorted(test for test, said in quoted() if _is_quoted(wanted, said))
    return found


def _is_quoted(rule: str, said: Sequence[str]) -> bool:
    return any(rule in one or (one in rule and (one == rule or len(one.split()) >= LEAST)) for one in said)


@cache
def quoted() -> Sequence[tuple[str, list[str]]]:
    """Every test with a docstring: the whole of it and its quotations, in words."""
    return list(_read(sorted(TESTS.rglob("test_*.py"))))


def _read(files: Iterable[Path]) -> Iterator[tuple[str, list[str]]]:
    for file in files:
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                said = " ".join((ast.get_docstring(node) or "").split())
                if said:
                    yield f"{file.relative_to(TESTS.parent)}::{node.name}", [words(said), *_quotations(said)]


def _quotations(docstring: str) -> Iterator[str]:
    """The texts between double quotes, whichever of them open: a quotation may have quotations in it."""
    parts = docstring.split('"')
    for first in range(1, len(parts)):
        for last in range(first + 1, len(parts) + 1):
            if last - first in (1, 3, 5):
                yield from (
                    words(part) for part in re.split(r"\[?\.\.\.\]?", '"'.join(parts[first:last])) if part.strip()
                )


def table(spec: Path) -> Iterator[str]:
    """The rules of a document as a table."""
    yield from ("", "| the document says | shown by |", "|---|---|")
    for rule in rules(spec):
        shown = "<br>".join(f"`{test}`" for test in rule.tests)
        why = f"**Deviation.** {rule.deviation}" if rule.deviation else ""
        yield f"| {cell(rule.text)} | {'<br>'.join(part for part in (why, shown) if part)} |"
    yield ""


def cell(text: str) -> str:
    """A rule's text between the bars of a table."""
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").replace("_", "\\_")
