"""deploy/prometheus.yml and deploy/alerts.yml by promtool: they are well-formed, and every alarm does what it is for.

alerts.test.yml has the cases. Whether they would notice a wrong alarm is tried with wrong ones.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests import peers
from tests.conformance.prometheus.scraping import ALERTS, CONFIG, configured, secured

CASES: Final = Path(__file__).parent / "alerts.test.yml"
NAMES: Final = re.findall(r"^ +- alert: (\w+)$", ALERTS.read_text(encoding="utf-8"), re.MULTILINE)
SECURE: Final = ["scheme", "authorization", "tls_config"]
TOOL_S: Final = 30.0

WRONG: Final = (
    ("BoardgateIsGone", "== 0", ">= 0"),
    ("BoardgateIsGone", 'job="boardgate"', 'job=~".*"'),
    ("BoardgateIsNotReady", " and boardgate_draining == 0", ""),
    ("BoardgateIsNotReady", "boardgate_ready == 0 and ", ""),
    ("BoardgateCannotStore", "boardgate_writer_held_steps > 0 or ", ""),
    ("BoardgateCannotStore", " or boardgate_writer_oldest_seconds > 5", ""),
    ("BoardgateCannotStore", "> 5", "> 4"),
    ("BoardgateCannotStore", "> 5", "> 7"),
    ("BoardgateMovesAreSlow", "> 0.25", "> 0.2"),
    ("BoardgateMovesAreSlow", "> 0.25", "> 0.4"),
    ("BoardgateMovesAreSlow", "0.99", "0.999"),
    ("BoardgateMovesAreSlow", "0.99", "0.97"),
    ("BoardgateIsNearlyFull", "0.8 * boardgate_places", "0.79 * boardgate_places"),
    ("BoardgateIsNearlyFull", "0.8 * boardgate_places", "0.82 * boardgate_places"),
    ("BoardgateIsNearlyFull", "0.8 * boardgate_tables", "0.79 * boardgate_tables"),
    ("BoardgateIsNearlyFull", "0.8 * boardgate_tables", "0.83 * boardgate_tables"),
    ("BoardgateIsNearlyFull", "(boardgate_tables)", '(boardgate_tables{status!="over"})'),
    ("BoardgateTurnsPeopleAway", "> 1", "> 0.4"),
    ("BoardgateTurnsPeopleAway", "> 1", "> 3"),
    ("BoardgateTurnsPeopleAway", 'why="no place"', 'why=~".*"'),
    ("BoardgateCertificateEnds", "14 *", "12 *"),
    ("BoardgateCertificateEnds", "14 *", "16 *"),
    ("BoardgateHasFewFilesLeft", "0.8 *", "0.79 *"),
    ("BoardgateHasFewFilesLeft", "0.8 *", "0.82 *"),
    ("BoardgateHasFewFilesLeft", '{job="boardgate"}', ""),
)
"""Alarms that would ring when they should not, or keep quiet when they should: what stands there, and what instead."""


def promtool(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(peers.program("promtool", "usr/bin")), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=TOOL_S)


def test_prometheus_understands_the_configuration_and_the_alarms_beside_it() -> None:
    checked = promtool("check", "config", CONFIG)
    assert (checked.returncode, f"{len(NAMES)} rules found" in checked.stdout) == (0, True), checked.stderr


def test_prometheus_understands_the_lines_for_another_machine(tmp_path: Path) -> None:
    (tmp_path / "token").touch()
    (tmp_path / "authority.pem").touch()
    shutil.copy(ALERTS, tmp_path)
    config = tmp_path / CONFIG.name
    config.write_text(secured(configured("games.example.org"), tmp_path / "token", tmp_path / "authority.pem"))
    checked = promtool("check", "config", config)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert re.findall(r"^    ([a-z_]+):", config.read_text(), re.MULTILINE)[-3:] == SECURE
    assert config.read_text().count(str(tmp_path)) == 2


def test_prometheus_understands_the_alarms() -> None:
    checked = promtool("check", "rules", "--lint=all", "--lint-fatal", ALERTS)
    assert checked.returncode == 0, checked.stderr


def tried(folder: Path, rules: str) -> subprocess.CompletedProcess[str]:
    """The cases with these rules instead of the deployed ones."""
    (folder / ALERTS.name).write_text(rules, encoding="utf-8")
    cases = CASES.read_text(encoding="utf-8").replace("../../../deploy/", "")
    (folder / CASES.name).write_text(cases, encoding="utf-8")
    return promtool("test", "rules", folder / CASES.name)


def test_every_alarm_is_raised_when_it_should_be_and_not_otherwise() -> None:
    assert len(NAMES) > 5
    done = promtool("test", "rules", CASES)
    assert done.returncode == 0, done.stdout + done.stderr


def lines(name: str) -> dict[str, str]:
    """The "expr" and "for" of an alarm."""
    rest = ALERTS.read_text(encoding="utf-8").partition(f"- alert: {name}\n")[2]
    return dict(re.findall(r"^ +(\w+): (.*)$", rest, re.MULTILINE)[:2])


def assert_noticed(folder: Path, name: str, line: str, wrong: str) -> None:
    """The cases fail with another ``line`` of this alarm, and because of this alarm alone."""
    before, start, rest = ALERTS.read_text(encoding="utf-8").partition(f"- alert: {name}\n")
    there = f"{line}: {lines(name)[line]}\n"
    assert there in rest
    done = tried(folder, before + start + rest.replace(there, f"{line}: {wrong}\n", 1))
    assert done.returncode == 1
    assert set(re.findall(r"alertname: ?(\w+)", done.stdout + done.stderr)) == {name}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("line", "wrong"),
    [("expr", "vector(0) > 1"), ("for", "0s"), ("for", "1d")],
    ids=["never", "at once", "too late"],
)
def test_the_cases_notice_an_alarm_that_comes(tmp_path: Path, name: str, line: str, wrong: str) -> None:
    assert_noticed(tmp_path, name, line, wrong)


@pytest.mark.parametrize(("name", "there", "instead"), WRONG)
def test_the_cases_notice_a_wrong_condition(tmp_path: Path, name: str, there: str, instead: str) -> None:
    right = lines(name)["expr"]
    assert there in right
    assert_noticed(tmp_path, name, "expr", right.replace(there, instead))


def test_every_alarm_has_been_tried_with_wrong_conditions() -> None:
    assert {name for name, _, _ in WRONG} == set(NAMES)
