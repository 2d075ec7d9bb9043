"""The audit reports what it could not audit, and the bill of materials is complete."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
AUDIT = runpy.run_path(str(ROOT / "deploy" / "audit.py"))
HOLE = {"id": "PYSEC-2026-1", "fix_versions": ["1.1"], "aliases": [], "description": "bad"}


def entry(name: str, *holes: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "version": "1.0", "vulns": list(holes)}


def skipped(name: str) -> dict[str, Any]:
    return {"name": name, "skip_reason": f"{name} not found"}


def saying(report: object, stderr: str = "", status: int = 0) -> list[str]:
    """A program that ends as pip-audit does: with this report in the file it was given, or with none."""
    code = (
        "import pathlib, sys\n"
        f"report, stderr = {json.dumps(report)!r}, {stderr!r}\n"
        "if report != 'null': pathlib.Path(sys.argv[-1]).write_text(report)\n"
        f"print(stderr, file=sys.stderr); sys.exit({status})"
    )
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    ("dependencies", "said", "status", "required"),
    [
        ([entry("a"), entry("b")], "2 packages audited, 0 advisories; 0 packages are not known there", 0, 0),
        ([entry("a", HOLE)], "a 1.0: PYSEC-2026-1, mended in 1.1", 1, 1),
        ([entry("a"), skipped("b")], "1 packages audited, 0 advisories; 1 packages are not known there", 0, 2),
        (
            [skipped("a"), skipped("b")],
            "NOT AUDITED: the advisory database cannot be reached from here: a not found",
            0,
            2,
        ),
    ],
)
def test_the_audit_says_what_was_audited(
    dependencies: list[Any], said: str, status: int, required: int, capsys: pytest.CaptureFixture[str]
) -> None:
    command = saying({"dependencies": dependencies, "fixes": []}, status=status)
    assert AUDIT["main"](command, required=False) == status
    assert said in capsys.readouterr().out
    assert AUDIT["main"](command, required=True) == required


def test_one_question_is_enough_to_find_that_nobody_answers(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    program = saying({"dependencies": [skipped("a")]})
    program[-1] = f"open({str(asked)!r}, 'a').write('once,')\n{program[-1]}"
    AUDIT["main"](program, required=False)
    assert asked.read_text() == "once,"


def test_an_audit_that_ends_without_a_report_is_none_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    command = saying(None, "Traceback\nConnectionError: no such host", 1)
    assert AUDIT["main"](command, required=False) == 0
    assert "NOT AUDITED" in (said := capsys.readouterr().out)
    assert "ConnectionError: no such host" in said
    assert AUDIT["main"](command, required=True) == 2


def test_the_bill_of_materials_has_every_dependency_with_its_version(tmp_path: Path) -> None:
    recipe = re.search(r"^sbom:.*\n(?:\t.*\n)+", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert recipe is not None
    assert "cyclonedx-py environment --pyproject pyproject.toml" in recipe[0]
    file = tmp_path / "bill.json"
    program = Path(sys.executable).with_name("cyclonedx-py")
    options = ["--pyproject", "pyproject.toml", "--no-validate", "--output-file", str(file)]
    subprocess.run([program, "environment", *options, sys.executable], cwd=ROOT, check=True, capture_output=True)
    bill = json.loads(file.read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "boardgate")
    listed = {part["name"].lower().replace("_", "-"): part["version"] for part in bill["components"]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for needed in project["dependencies"]:
        name = re.split(r"[\[><=~!;]", needed)[0]
        assert listed[name.lower()] == version(name)
