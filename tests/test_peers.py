"""Programs of others: who may talk to them, and what happens where one is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import peers

FOREIGN = "ls"
"""A program that every system has, and that is neither ours nor Python's."""


def test_a_test_without_the_mark_starts_no_program_of_others() -> None:
    with pytest.raises(peers.Unmarked, match="ls is a program of others: mark the test"):
        subprocess.run([FOREIGN], check=True)


def test_a_test_without_the_mark_does_not_even_ask_for_one() -> None:
    """It fails where the program is installed as well as where it is not."""
    for name in (FOREIGN, "no-such-program"):
        with pytest.raises(peers.Unmarked, match=name):
            peers.program(name)
    with pytest.raises(peers.Unmarked, match="no root"):
        peers.missing("no root")


@peers.needed
def test_a_test_with_the_mark_starts_them() -> None:
    assert subprocess.run([peers.program(FOREIGN), "/"], check=True, capture_output=True).stdout


@peers.needed
def test_a_missing_program_skips_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(peers.REQUIRE, raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-program is not installed"):
        peers.program("no-such-program")


@peers.needed
def test_a_missing_program_fails_the_test_where_peers_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(peers.REQUIRE, "1")
    with pytest.raises(pytest.fail.Exception, match="no-such-program is not installed"):
        peers.program("no-such-program")


@peers.needed
def test_of_several_versions_the_newest_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("9", "13", "15"):
        folder = tmp_path / version / "bin"
        folder.mkdir(parents=True)
        (folder / "server").touch()
    monkeypatch.setenv(peers.REQUIRE, "1")
    assert peers.program("server", f"{tmp_path}/*/bin") == tmp_path / "15" / "bin" / "server"


@pytest.mark.parametrize(
    ("marks", "workers", "run", "left_out"),
    [
        ("not peers and not nightly", "2", 1, "1 long comparisons (make nightly), 2 that talk to programs of others"),
        ("peers and not nightly", "0", 2, "1 long comparisons (make nightly), 1 that need nothing but Python"),
        ("nightly or not nightly", "0", 4, "nothing"),
    ],
)
def test_the_last_line_says_what_was_left_out(
    tmp_path: Path, marks: str, workers: str, run: int, left_out: str
) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_some.py").write_text(SOME)
    options = ["-c", str(peers.ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, "-n", workers, "-m", marks, str(tmp_path)]
    done = subprocess.run(command, cwd=peers.ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout
    assert f"{run} passed" in done.stdout
    assert done.stdout.splitlines()[-1].startswith(f"left out: {left_out}")


SOME = """
import pytest
from tests import peers

def test_python(): pass
@peers.needed
def test_engine(): pass
@pytest.mark.parametrize("which", [pytest.param(1, marks=peers.needed), pytest.param(2, marks=pytest.mark.nightly)])
def test_database(which): pass
"""
