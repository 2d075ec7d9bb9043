"""What ``make`` would run, by its own dry run: a newcomer's server needs nothing of the developers'."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

WORDS = {"argon2-cffi": "argon2"}
"""Distributions whose package has another name than they have."""


def would_run(target: str, venv: Path) -> str:
    """The commands of a target for an environment that is not there yet."""
    command = ["make", "--dry-run", target, f"VENV={venv}", f"PYTHON={sys.executable}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.parametrize("target", ["serve", "demo"])
def test_running_installs_what_running_needs_and_shows_progress(target: str, tmp_path: Path) -> None:
    run = would_run(target, tmp_path / "venv")
    (install,) = [line for line in run.splitlines() if "pip" in line.split("#")[0]]
    assert install.endswith("--constraint constraints.txt --editable .")
    assert " -q" not in install, "pip shows no progress"
    assert "Installing into" in run


@pytest.mark.parametrize("target", ["test", "lint", "install", "bench"])
def test_developing_installs_the_developers_packages_too(target: str, tmp_path: Path) -> None:
    installs = [line for line in would_run(target, tmp_path / "venv").splitlines() if "pip" in line]
    assert installs[-1].endswith("--editable '.[dev]'")
    assert sum("[dev]" in line for line in installs) == 1


def test_the_night_installs_what_its_comparisons_need_beside_the_developers_packages(tmp_path: Path) -> None:
    installs = [line for line in would_run("nightly", tmp_path / "venv").splitlines() if "pip" in line]
    assert [line.rpartition(" ")[2] for line in installs[-2:]] == ["'.[dev]'", "'.[nightly]'"]


def test_an_installed_environment_installs_nothing_again(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    venv.mkdir()
    stamp = venv / f".installed-{sys.version_info.major}.{sys.version_info.minor}"
    stamp.touch()
    assert "pip" not in would_run("serve", venv)
    stamp.with_name(f"{stamp.name}-dev").touch()
    assert "pip" not in would_run("lint", venv)


def test_the_program_imports_no_package_of_the_developers_alone() -> None:
    """What `make serve` installs is enough: optional packages are imported where they are needed, inside functions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {_package(line) for line in project["dependencies"]}
    extras = {_package(line) for part in project["optional-dependencies"].values() for line in part} - needed
    for folder in ("gateway", "protocols", "migrations"):
        for path in (ROOT / folder).rglob("*.py"):
            assert not (_imported_at_the_top(path) & extras), path


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
