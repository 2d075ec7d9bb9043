"""Finds the tests that a change concerns: ``python -m tests.changed`` names their files, nearest first (make quick).

A change is what ``git`` sees between the upstream branch and the working tree, or else the last commit.
The distance of a test file to a changed module is the length of the shortest chain of imports between them. Two
relations are no imports: a package is tested in the folder of the same name, and games and dialects are found by the
registry, so that the laws, transcripts and playthroughs are near to each of them. A changed file that is no module
concerns the tests in its own folder, or else those at the top of tests/.

As a plugin of pytest (``-p tests.changed``) the module starts no test after LIMIT_S; the last line says how many wait.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final

import pytest

from tests.structure import PRODUCT

ROOT: Final = Path(__file__).parent.parent
TOPS: Final = (*PRODUCT, "tests")
PLUG_INS: Final = ("gateway.games", "protocols")
LAWS: Final = ("tests.transcripts", "tests.playthroughs", "tests.laws")
"""Folders of tests that find games and dialects by the registry."""
BY_CONVENTION: Final = 2
"""The distance of a changed module to the tests that are near to it without importing it."""

LIMIT_S: Final = 25.0
"""Seconds after which no further test is started: lint and types take as long on the other core."""
MOST_FILES: Final = 60
"""Files of tests that are read at most; reading them takes time, too."""


def changed(root: Path = ROOT) -> list[str]:
    """Paths within the tree, with those that git does not know yet."""
    base = (
        _git(root, "merge-base", "HEAD", "@{upstream}") or _git(root, "merge-base", "HEAD", "origin/main") or ["HEAD"]
    )
    found = [*_git(root, "diff", "--name-only", base[0]), *_git(root, "ls-files", "--others", "--exclude-standard")]
    return found or _git(root, "diff", "--name-only", "HEAD~1", "HEAD")


def _git(root: Path, *words: str) -> list[str]:
    """The lines that git says; none where it knows no answer."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


@cache
def modules(root: Path = ROOT) -> dict[str, Path]:
    """Every module of the tree by its name."""
    paths = (path for top in TOPS for path in (root / top).rglob("*.py"))
    return {_name(path.relative_to(root)): path for path in paths}


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def importers(root: Path = ROOT) -> dict[str, set[str]]:
    """The modules that import each module of the tree."""
    found = defaultdict[str, set[str]](set)
    for name, path in modules(root).items():
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            for word in imported:
                found[word].add(name)
    return found


def distances(names: Iterable[str], found: Mapping[str, set[str]]) -> dict[str, int]:
    """Return each module's distance in imports to the nearest of these."""
    far = dict.fromkeys(names, 0)
    waiting = deque(far)
    while waiting:
        name = waiting.popleft()
        for importer in found.get(name, ()):
            if importer not in far:
                far[importer] = far[name] + 1
                waiting.append(importer)
    return far


def concerned(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """The test files that the change of these paths concerns, nearest first, and those named after it before others."""
    known = modules(root)
    tests = {name: path for name, path in known.items() if path.name.startswith("test_")}
    python = [_name(Path(path)) for path in paths if path.endswith(".py") and path.startswith(TOPS)]
    far = {name: way for name, way in distances(python, importers(root)).items() if name in tests}
    for name in tests:
        for way in (_by_convention(name, changed) for changed in python):
            far[name] = min(far.get(name, way), way)
    for path in {*paths} - {path for path in paths if path.endswith(".py") and path.startswith(TOPS)}:
        far |= dict.fromkeys(_beside(path, tests, root), 1)
    own = {name for name in far for changed in python if _mirrored(name, changed)}
    named = {name for name in far for changed in python if name.rpartition(".test_")[2] in changed.split(".")}
    near = sorted((way, name not in own, name not in named, name) for name, way in far.items() if way < NEVER)
    return [tests[name].relative_to(root).as_posix() for *_, name in near]


NEVER: Final = 1_000
"""The distance of unrelated modules."""


def _by_convention(test: str, changed: str) -> int:
    plug_in = changed.startswith(PLUG_INS) and test.startswith(LAWS)
    return BY_CONVENTION if plug_in or _mirrored(test, changed) else NEVER


def _mirrored(test: str, changed: str) -> bool:
    """Return whether this test is in the folder of this module's package, or of the package around a plug-in's."""
    folder, package = test.rpartition(".")[0], changed.removeprefix("gateway.").rpartition(".")[0]
    within = changed.startswith(PLUG_INS) and folder != "tests" and f"tests.{package}".startswith(f"{folder}.")
    return folder == f"tests.{package}" or within


def _beside(path: str, tests: Mapping[str, Path], root: Path) -> list[str]:
    """The tests in the nearest folder above this file that has some, or those at the top of tests/."""
    for folder in (root / path).parents:
        if found := [name for name, test in tests.items() if test.parent == folder]:
            return found
    return [name for name, test in tests.items() if test.parent == root / "tests"]


class Clock:
    """Stops starting tests at the limit; ``waiting`` counts the tests that were not started."""

    def __init__(self) -> None:
        self.end_s = monotonic() + LIMIT_S
        self.waiting = 0


_clock: Final = Clock()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol() -> bool | None:
    """True: the test counts as run, and nothing is said about it."""
    if monotonic() < _clock.end_s:
        return None
    _clock.waiting += 1
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if _clock.waiting and (terminal := config.pluginmanager.get_plugin("terminalreporter")) is not None:
        terminal.write_line(f"after {LIMIT_S:.0f} s {_clock.waiting} tests were not started; make test runs all")


if __name__ == "__main__":
    files = concerned(changed())
    print(*files[:MOST_FILES], sep="\n")
    print(f"{min(len(files), MOST_FILES)} of {len(files)} files of tests that the change concerns", file=sys.stderr)
