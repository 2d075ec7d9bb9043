"""``make audit``: compares the installed packages with the known advisories, by pip-audit, and says what was compared.

pip-audit calls a package that the advisory service does not know "skipped", and is content: where the service is only a
mirror of packages, everything is skipped and nothing was audited. This script says so, and finds out by one question
before it asks a hundred. Standard library alone.

Exit status: 0 nothing known against what was audited, or nothing could be audited, which is said; 1 an advisory; with
``--required`` 2 where not every package could be audited.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

PATIENCE_S = 300
"""Seconds for the whole: some hundred questions to a service on the Internet."""

PROBE_S = 30
"""Seconds for one question."""

PROBED = "trio"
"""A package that the service must know: without it there is no server."""

PIP_AUDIT = (sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--timeout", "10")


def report_of(command: Sequence[str], patience_s: float = PATIENCE_S) -> tuple[Any, str]:
    """pip-audit's report, None where there is none, and the last line that it said otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        try:
            done = subprocess.run(
                [*command, "--format", "json", "--output", str(file)],
                capture_output=True,
                text=True,
                timeout=patience_s,
            )
        except subprocess.TimeoutExpired:
            return None, f"no answer within {patience_s:g} s"
        said = (done.stderr.strip() or "nothing was said").splitlines()[-1]
        try:
            return json.loads(file.read_text(encoding="utf-8")), said
        except (OSError, ValueError):
            return None, said


def verdict(report: Any, said: str) -> tuple[list[str], int, int]:
    """Lines for people, how many advisories there are, and how many packages were not audited (-1: none was)."""
    found = [] if report is None else list(report["dependencies"])
    audited = [entry for entry in found if "skip_reason" not in entry]
    if not audited:
        why = found[0]["skip_reason"] if found else said
        return [f"NOT AUDITED: the advisory database cannot be reached from here: {why}"], 0, -1
    lines = [
        f"{entry['name']} {entry['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version'}"
        for entry in audited
        for hole in entry["vulns"]
    ]
    holes, skipped = len(lines), len(found) - len(audited)
    lines.append(f"{len(audited)} packages audited, {holes} advisories; {skipped} packages are not known there")
    return lines, holes, skipped


def probe(command: Sequence[str]) -> tuple[Any, str]:
    """The report on one package, without installing anything."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text(f"{PROBED}=={version(PROBED)}\n", encoding="utf-8")
        options = ("--requirement", str(file), "--no-deps", "--disable-pip")
        return report_of((*command, *options), PROBE_S)


def main(command: Sequence[str], *, required: bool) -> int:
    """The exit status; see above."""
    lines, holes, skipped = verdict(*probe(command))
    if skipped >= 0:
        lines, holes, skipped = verdict(*report_of((*command, "--skip-editable")))
    print("\n".join(lines))
    if holes:
        return 1
    return 2 if required and skipped else 0


if __name__ == "__main__":
    sys.exit(main(PIP_AUDIT, required="--required" in sys.argv[1:]))
