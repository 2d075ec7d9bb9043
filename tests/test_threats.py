"""docs/threats.md: every test that it names exists; and what no test of behaviour can show about the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.structure import PRODUCT as INSTALLED

ROOT = Path(__file__).parent.parent
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+(?:\.py)?)(?:::(\w+))?`", (ROOT / "docs/threats.md").read_text("utf-8"))))
PRODUCT = sorted(path for top in INSTALLED for path in (ROOT / top).rglob("*.py"))
PIPES = ("gateway/bots/frames.py", "gateway/bots/worker.py")
"""Between two processes of one server, over a pipe of their own."""

DANGEROUS = {"eval", "exec", "compile", "system", "popen"}
"""Calls that run a text."""


def calls(path: Path) -> Iterator[ast.Call]:
    return (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))


def called(call: ast.Call) -> str:
    return ast.unparse(call.func)


@pytest.mark.parametrize(("file", "test"), NAMED, ids=lambda part: part)
def test_a_test_that_is_named_exists(file: str, test: str) -> None:
    assert (ROOT / file).exists()
    assert not test or f"def {test}(" in (ROOT / file).read_text("utf-8")


def test_no_text_is_run() -> None:
    run = {
        (str(path.relative_to(ROOT)), called(call))
        for path in PRODUCT
        for call in calls(path)
        if called(call) in DANGEROUS
        or called(call).startswith(("os.system", "os.popen"))
        or any(word.arg == "shell" for word in call.keywords)
    }
    assert run == set()


def test_pickles_are_read_between_the_servers_own_processes_only() -> None:
    read = {
        str(path.relative_to(ROOT))
        for path in PRODUCT
        for call in calls(path)
        if called(call).startswith(("pickle.load", "marshal.load", "shelve."))
    }
    assert read == set(PIPES)
