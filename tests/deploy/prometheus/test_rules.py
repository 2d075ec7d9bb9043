"""deploy/prometheus.yml and deploy/alerts.yml by promtool: they are well-formed, and every alarm does what it is for.

alerts.test.yml and alerts_of_days.test.yml have the cases. Whether they would notice a wrong alarm is tried with wrong
ones.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests import peers
from tests.deploy.prometheus.scraping import ALERTS, CONFIG, configured, secured

CASES: Final = sorted(Path(__file__).parent.glob("*.test.yml"))
NAMES: Final = re.findall(r"^ +- alert: (\w+)$", ALERTS.read_text(encoding="utf-8"), re.MULTILINE)
SECURE: Final = ["scheme", "authorization", "tls_config"]
TOOL_S: Final = 30.0

WRONG: Final = {
    "BoardgateIsGone": {"== 0": [">= 0"], 'job="boardgate"': ['job=~".*"']},
    "BoardgateIsNotReady": {" and boardgate_draining == 0": [""], "boardgate_ready == 0 and ": [""]},
    "BoardgateCannotStore": {
        "boardgate_writer_held_steps > 0 or ": [""],
        " or boardgate_writer_oldest_seconds > 5": [""],
        "> 5": ["> 4", "> 7"],
    },
    "BoardgateMovesAreSlow": {"> 0.25": ["> 0.2", "> 0.4"], "0.99": ["0.999", "0.97"]},
    "BoardgateIsNearlyFull": {
        "0.8 * boardgate_places": ["0.79 * boardgate_places", "0.82 * boardgate_places"],
        "0.8 * boardgate_tables": ["0.79 * boardgate_tables", "0.83 * boardgate_tables"],
        "(boardgate_tables)": ['(boardgate_tables{status!="over"})'],
    },
    "BoardgateTurnsPeopleAway": {"> 1": ["> 0.4", "> 3"], 'why="no place"': ['why=~".*"']},
    "BoardgateCertificateEnds": {"14 *": ["12 *", "16 *"]},
    "BoardgateReportsWait": {"> 86400": ["> 86000", "> 86700"], "max by (job) ": [""]},
    "BoardgateBackupIsOld": {
        "2 * 86400": ["1.8 * 86400", "2.2 * 86400"],
        "offset 2d": ["offset 1d", "offset 3d"],
        "== 0": [">= 0"],
        "boardgate_backup_timestamp_seconds > 0 or ": [""],
    },
    "BoardgateHasFewFilesLeft": {"0.8 *": ["0.79 *", "0.82 *"], '{job="boardgate"}': [""]},
    "BoardgateLeaseIsOld": {"> boardgate": ["> 0.9 * boardgate", "> 1.4 * boardgate"]},
    "BoardgateNodeIsGone": {"[1h]": ["[2m]", "[1d]"], ") < ": [") <= "], "max by (job) (b": ["min by (job) (b"]},
    "BoardgateBusIsLost": {"== 0": [">= 0", "== 2"]},
    "BoardgateTablesTakenOver": {
        "> 0": [">= 0", "> 100"],
        "[5m]": ["[1m]", "[20m]"],
        "> 300": ["> 600", "> 100"],
    },
    "BoardgateIsSilent": {"> 5": ["> 4", "> 7"]},
}
"""What alarms ask, and what they would ask wrongly: they would ring when they should not, or not when they should."""


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


def test_every_alarm_is_raised_when_it_should_be_and_not_otherwise() -> None:
    assert len(NAMES) > 5
    done = promtool("test", "rules", *CASES)
    assert done.returncode == 0, done.stdout + done.stderr


def wrong_alarms() -> Iterator[dict[str, str]]:
    """Lines of alarms, each made wrong: all alarms in one way, then those that can be wrong in another."""
    text = ALERTS.read_text(encoding="utf-8")
    ways: dict[str, list[str]] = {}
    for name, asked in WRONG.items():
        (line,) = re.findall(rf"alert: {name}\n *(expr: .*)", text)
        assert all(there in line for there in asked)
        ways[name] = [line.replace(there, wrong) for there, all_wrong in asked.items() for wrong in all_wrong]
    for at in range(max(map(len, ways.values()))):
        yield {name: lines[at] for name, lines in ways.items() if at < len(lines)}
    for line in ("expr: vector(0) > 1", "for: 0s", "for: 1d"):
        yield dict.fromkeys(NAMES, line)


@pytest.mark.parametrize("wrong", list(wrong_alarms()))
def test_the_cases_notice_every_wrong_alarm(tmp_path: Path, wrong: dict[str, str]) -> None:
    """promtool tries a file with several of them, and names each."""
    parts = re.split(r"(?<=- alert: )", ALERTS.read_text(encoding="utf-8"))
    for at, part in enumerate(parts):
        if line := wrong.get(part.partition("\n")[0]):
            parts[at] = re.sub(rf"{line.partition(':')[0]}: .*", lambda _, line=line: line, part, count=1)
    (tmp_path / ALERTS.name).write_text("".join(parts), encoding="utf-8")
    for cases in CASES:
        text = cases.read_text(encoding="utf-8").replace("../../../deploy/", "")
        (tmp_path / cases.name).write_text(text, encoding="utf-8")
    done = promtool("test", "rules", *(tmp_path / cases.name for cases in CASES))
    assert done.returncode == 1
    assert set(re.findall(r"alertname: ?(\w+)", done.stdout + done.stderr)) == set(wrong)


def test_every_alarm_is_made_wrong() -> None:
    assert list(WRONG) == NAMES
