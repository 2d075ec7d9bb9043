"""The dry runs of ``make``: a server needs none of the developers' packages, lint runs beside the tests."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.structure import PRODUCT

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

WORDS = {"argon2-cffi": "argon2"}
"""Distributions whose package has another name than they have."""


def would_run(target: str, venv: Path) -> str:
    """The commands of a target for an environment that is not there yet."""
    command = ["make", "--dry-run", "--no-print-directory", target, f"VENV={venv}", f"PYTHON={sys.executable}"]
    outside = {
        key: text for key, text in os.environ.items() if not key.startswith("MAKE")
    }  # make runs these tests, too
    run = subprocess.run(command, cwd=ROOT, env=outside, capture_output=True, text=True, check=True, timeout=60)
    return run.stdout


@pytest.mark.parametrize("target", ["serve", "demo"])
def test_running_installs_what_running_needs_and_shows_progress(target: str, tmp_path: Path) -> None:
    run = would_run(target, tmp_path / "venv")
    (install,) = [line for line in run.splitlines() if "pip" in line.split("#")[0]]
    assert install.endswith("--constraint constraints.txt --editable '.[terminal]'")
    assert " -q" not in install, "pip shows no progress"
    assert "Installing into" in run


@pytest.mark.parametrize("target", ["test", "test-peers", "quick-tests", "lint", "install", "bench"])
def test_developing_installs_the_developers_packages_too(target: str, tmp_path: Path) -> None:
    installs = [line for line in would_run(target, tmp_path / "venv").splitlines() if "pip" in line]
    assert installs[-1].endswith("--editable '.[dev]'")
    assert sum("[dev]" in line for line in installs) == 1


def test_the_night_installs_what_its_comparisons_need_beside_the_developers_packages(tmp_path: Path) -> None:
    installs = [line for line in would_run("nightly", tmp_path / "venv").splitlines() if "pip" in line]
    assert [line.rpartition(" ")[2] for line in installs[-2:]] == ["'.[dev]'", "'.[nightly]'"]


def test_what_a_newcomer_tests_and_the_tests_with_peers_are_all_tests_of_a_day(tmp_path: Path) -> None:
    """Each test runs in exactly one of the two: which one is told by its mark alone."""
    chosen = [re.findall(r'-m "(.*?)"', would_run(target, tmp_path / "venv")) for target in ("test", "test-peers")]
    assert chosen == [["not peers and not nightly"], ["peers and not nightly"]]


def test_every_target_is_in_the_help() -> None:
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
    shown = set(re.findall(r"^make (\S+)", told, re.MULTILINE))
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(phony.split()) - shown == {"help", "all-tests", "quick-tests", "clean"}
    assert shown <= set(phony.split())


def test_the_night_installs_them_by_the_pinned_versions_and_shows_progress(tmp_path: Path) -> None:
    install = [line for line in would_run("nightly", tmp_path / "venv").splitlines() if "pip" in line][-1]
    assert "--constraint constraints.txt" in install
    assert " -q" not in install, "pip shows no progress"


def test_the_night_runs_every_property_and_every_comparison_at_its_larger_size_and_no_other_test(
    tmp_path: Path,
) -> None:
    run = would_run("nightly", tmp_path / "venv")
    words = shlex.split(run[run.index("HYPOTHESIS_PROFILE") :].replace("\\\n", ""))
    setting, command = words[0], [sys.executable, *words[2:], "--collect-only", "-qq", "tests/games", "tests/laws"]
    asked = os.environ | dict([setting.split("=")])
    shown = subprocess.run(command, cwd=ROOT, env=asked, capture_output=True, text=True, check=True, timeout=120).stdout
    chosen = shown.splitlines()
    for name in ("chess", "checkers", "open_spiel"):
        assert any(f"test_{name}_oracle.py" in test and "[night-" in test for test in chosen), name
    assert any("test_arimaa_oracle.py" in test and "[399-" in test for test in chosen)
    assert any("tests/laws/test_games.py" in test for test in chosen)
    assert any("tests/laws/test_conversations.py" in test and "[part199]" in test for test in chosen)
    assert any("tests/laws/test_dialects.py::test_any_conversation" in test for test in chosen)
    assert not any("tests/games/test_ludo.py" in test for test in chosen)


def test_an_installed_environment_installs_nothing_again(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    venv.mkdir()
    stamp = venv / f".installed-{sys.version_info.major}.{sys.version_info.minor}"
    stamp.touch()
    assert "pip" not in would_run("serve", venv)
    stamp.with_name(f"{stamp.name}-dev").touch()
    assert "pip" not in would_run("lint", venv)


LATE = "gateway.bus.postgres_bus"
"""A module that is made of an optional package, and imported inside a function only."""


def test_the_program_imports_no_package_of_the_developers_alone() -> None:
    """The packages of `make serve` are enough: other optional ones, and LATE, are imported inside functions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {_package(line) for line in project["dependencies"]}
    parts = {name: {*map(_package, lines)} for name, lines in project["optional-dependencies"].items()}
    extras = set[str]().union(*parts.values()) - needed
    for folder in PRODUCT:
        for path in (ROOT / folder).rglob("*.py"):
            assert f"\nfrom {LATE} import" not in path.read_text(encoding="utf-8"), path
            if path != ROOT / f"{LATE.replace('.', '/')}.py":
                programs = parts["terminal"] if folder == "clients" else set()
                assert not (_imported_at_the_top(path) & (extras - programs)), path


def _package(requirement: str) -> str:
    name = requirement
    for end in "<>=;[":
        name = name.partition(end)[0]
    return WORDS.get(name.strip(), name.strip()).replace("-", "_").lower()


def _imported_at_the_top(path: Path) -> set[str]:
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_an_older_python_is_told_which_one_is_needed(tmp_path: Path) -> None:
    older = tmp_path / "python3"
    code = "import sys; sys.version_info = (3, 10, 12); exec(sys.argv[1])"
    older.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c "{code}" "$2"\n')
    older.chmod(0o755)
    command = ["make", "serve", f"VENV={tmp_path / 'venv'}", f"PYTHON={older}"]
    outside = {key: text for key, text in os.environ.items() if not key.startswith("MAKE")}
    run = subprocess.run(command, cwd=ROOT, env=outside, capture_output=True, text=True, timeout=60)
    assert run.returncode == 2
    assert f"Boardgate needs Python 3.11 or later; {older} is 3.10." in run.stderr
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "venv").exists()


def test_every_package_that_is_installed_for_running_has_bounds_on_both_sides() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["postgresql"], *extras["terminal"]]
    assert [one for one in needed if not re.search(r">=[\d.]+,<\d+$", one)] == []
