"""docs/operating.md answers every alarm, every warning of the log and every kind of act."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

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


def test_every_alarming_line_of_the_log_has_an_answer() -> None:
    logged = [
        (short(path), event) for path in PRODUCT if short(path).startswith("gateway/") for event in alarming(path)
    ]
    assert [(path, event) for path, event in logged if f"`{event}`" not in HANDBOOK] == []
    assert logged


def test_every_alarm_has_an_answer_and_every_answer_an_alarm() -> None:
    alarms = re.findall(r"^ +- alert: (\w+)", (ROOT / "deploy" / "alerts.yml").read_text("utf-8"), re.MULTILINE)
    assert re.findall(r"^\| (Boardgate\w+) \|", HANDBOOK, re.MULTILINE) == alarms
    assert alarms


def test_every_kind_of_act_is_explained_and_no_other() -> None:
    rows = re.findall(r"^\| (`[a-z]+\.[a-z_]+`.*?) \|", HANDBOOK.partition("## Who did what")[2], re.MULTILINE)
    assert re.findall(r"`([a-z_.]+)`", " ".join(rows)) == list(KINDS)
