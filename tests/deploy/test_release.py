"""deploy/release makes a release of a checkout, and says what keeps it from one; README's two lines install it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from protocols.core.release import VERSION
from tests import peers
from tests.deploy.compose.composition import COMMITTER, NOT_COMMITTED
from tests.deploy.compose.engine import ROOT
from tests.processes import started

RELEASE_S: Final = 400.0
"""Seconds for a whole release: packages are installed twice."""

README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
LINES: Final = re.findall(r"^```\n(pipx install .*)\n(boardgate serve)\n```$", README, re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Checkout:
    """A clone of this tree, of one commit."""

    folder: Path

    def git(self, *words: str) -> None:
        subprocess.run([peers.program("git"), *COMMITTER, *words], cwd=self.folder, check=True, capture_output=True)

    def commit(self, file: str, old: str, new: str) -> None:
        """A commit that changes this text."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, file
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        self.git("commit", "--quiet", "--all", "--message=A change")

    def release(self, *words: str) -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = [
            self.folder / "deploy" / "release",
            "--no-image",
            "--python",
            sys.executable,
            *words,
        ]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=RELEASE_S)

    def refuses(self) -> str:
        """The last line, of a release that cannot be."""
        done = self.release()
        assert done.returncode == 1, done.stdout
        assert not (self.folder / "build").exists()
        return done.stderr.splitlines()[-1]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    made = Checkout(tmp_path_factory.mktemp("checkout") / "boardgate")
    shutil.copytree(ROOT, made.folder, symlinks=True, ignore=NOT_COMMITTED)
    made.git("init", "--quiet", "--initial-branch=main")
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message=A version")
    return made


@pytest.fixture(autouse=True)
def before(clean: Checkout) -> Iterator[None]:
    """Each test has the first commit."""
    clean.git("tag", "before")
    yield
    clean.git("reset", "--quiet", "--hard", "before")
    clean.git("clean", "--quiet", "--force")
    clean.git("tag", "--delete", "before")


def test_a_tree_with_changes_is_no_release(clean: Checkout) -> None:
    (clean.folder / "gateway" / "more.py").touch()
    assert "the tree is not clean: ?? gateway/more.py; commit, or take it away" in clean.refuses()


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("protocols/core/release.py", f'"{VERSION}"', '"9.9.9"', "CHANGELOG.md has no heading [9.9.9] with a day"),
        ("CHANGELOG.md", f"## [{VERSION}] - ", f"## [9.9.9] - 2030-01-01\n\n## [{VERSION}] - ", "is 9.9.9, and"),
        ("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- More.\n", "1 lines under Unreleased"),
        ("README.md", f"boardgate-{VERSION}-py3", "boardgate-9.9.9-py3", "README.md names another wheel"),
        ("deploy/Dockerfile", f"VERSION={VERSION}", "VERSION=9.9.9", "deploy/Dockerfile has another VERSION"),
    ],
)
def test_what_disagrees_is_named(clean: Checkout, file: str, old: str, new: str, said: str) -> None:
    clean.commit(file, old, new)
    assert said in clean.refuses()


def test_a_version_that_was_given_to_another_commit_is_not_given_again(clean: Checkout) -> None:
    clean.git("tag", f"v{VERSION}")
    clean.commit("README.md", "# Boardgate", "# Boardgate!")
    assert f"the tag v{VERSION} is another commit: raise the version" in clean.refuses()
    clean.git("tag", "--delete", f"v{VERSION}")


def test_help_says_what_is_checked_and_a_wrong_word_is_refused(clean: Checkout) -> None:
    assert "Nothing is published." in clean.release("--help").stdout
    assert clean.release("--nonsense").stderr == "deploy/release: unknown: --nonsense (--help)\n"
    assert "leave nothing to build (--help)" in clean.release("--no-packages").stderr
    assert "older than 3.11 (--python)" in clean.release("--python", "/nonexistent").stderr


@pytest.fixture(scope="module")
def made(clean: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release."""
    folder = tmp_path_factory.mktemp("made")
    done = clean.release("--output", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "installed: serves, and stops\nimages: NOT BUILT, as was asked\n" in done.stdout
    return folder


def test_a_release_is_sdist_wheel_and_their_sums(made: Path) -> None:
    names = [f"boardgate-{VERSION}-py3-none-any.whl", f"boardgate-{VERSION}.tar.gz"]
    assert sorted(path.name for path in made.iterdir()) == ["SHA256SUMS", *names]
    subprocess.run([peers.program("sha256sum"), "--check", "--quiet", "SHA256SUMS"], cwd=made, check=True)


def test_the_two_lines_of_the_readme_install_the_wheel_by_pipx_and_serve(made: Path, tmp_path: Path) -> None:
    """The manual is where man looks, beside the programs."""
    ((install, serve),) = LINES
    tools = tmp_path / "tools"
    subprocess.run([sys.executable, "-m", "venv", tools], check=True)
    pip = (tools / "bin/python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "pipx")
    subprocess.run(pip, check=True, cwd=tmp_path)
    kept = {name: text for name, text in os.environ.items() if not name.startswith("BOARDGATE_")}
    environment = {
        **kept,
        "PATH": f"{tmp_path / 'bin'}:{tools / 'bin'}:{os.environ['PATH']}",
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_BIN_DIR": str(tmp_path / "bin"),
        "PIPX_MAN_DIR": str(tmp_path / "man"),
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "PIP_CONSTRAINT": str(ROOT / "constraints.txt"),
        "BOARDGATE_LISTEN": "http=127.0.0.1:0",
        "BOARDGATE_SERVER_DATA": str(tmp_path / "data"),
    }
    said = subprocess.run(["sh", "-c", install], cwd=made, env=environment, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
    assert (tmp_path / "man/man1/boardgate-serve.1").exists()
    how: dict[str, Any] = {"cwd": tmp_path, "env": environment, "text": True}
    with started(["sh", "-c", f"exec {serve}"], stdout=subprocess.PIPE, **how) as one:
        assert one.stdout is not None
        assert one.stdout.readline().startswith("listening")
        assert one.stdout.readline() == "ready\n"
    played = subprocess.run(["sh", "-c", "boardgate play --help"], capture_output=True, **how)
    assert "Usage: boardgate play" in played.stdout
