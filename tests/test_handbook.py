"""docs/operating.md has an answer to everything that can alarm an operator: alarms, reasons, lines of the log."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import pytest

from gateway.store.acts import KINDS
from tests.test_house import PRODUCT, ROOT, short, tree

HANDBOOK: Final = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
ALARMING: Final = ("warning", "error", "exception", "critical")


def alarming(path: Path) -> list[str]:
    """The events that this module logs as warnings or worse, as they are written there."""
    calls = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
    return [
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and ast.unparse(call.func.value) == "_log"
        and call.func.attr in ALARMING
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    ]


SERVER: Final = [path for path in PRODUCT if short(path).startswith("gateway/")]


@pytest.mark.parametrize("path", [path for path in SERVER if alarming(path)], ids=short)
def test_every_alarming_line_of_the_log_has_an_answer(path: Path) -> None:
    assert [event for event in alarming(path) if f"`{event}`" not in HANDBOOK] == []


def test_every_alarm_has_an_answer_and_every_answer_an_alarm() -> None:
    alarms = re.findall(r"^ +- alert: (\w+)", (ROOT / "deploy" / "alerts.yml").read_text("utf-8"), re.MULTILINE)
    assert re.findall(r"^\| (Boardgate\w+) \|", HANDBOOK, re.MULTILINE) == alarms
    assert alarms


def test_every_kind_of_act_is_explained_and_no_other() -> None:
    rows = re.findall(r"^\| (`[a-z]+\.[a-z]+`.*?) \|", HANDBOOK.partition("## Who did what")[2], re.MULTILINE)
    assert re.findall(r"`([a-z.]+)`", " ".join(rows)) == list(KINDS)


@pytest.mark.parametrize(
    "reason",
    [
        "starting or stopping",
        "storing has taken",
        "MiB are free on the disk of",
        "has not answered for",
        "draining, games",
    ],
)
def test_every_reason_of_readyz_has_an_answer(reason: str) -> None:
    """The words are those of the code, so that a change of either is noticed."""
    sources = [path.read_text("utf-8") for path in SERVER if short(path).startswith("gateway/server/")]
    assert any(reason in source for source in sources)
    assert reason in HANDBOOK


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(#([\w-]+)\)", HANDBOOK))))
def test_a_link_within_the_handbook_leads_to_a_heading(link: str) -> None:
    headings = re.findall(r"^#+ (.*)$", HANDBOOK, re.MULTILINE)
    assert link in {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
