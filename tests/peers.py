"""Programs of others that tests talk to: engines, GUIs, PostgreSQL, NATS, containers, network namespaces.

A test that talks to one bears the mark ``@peers.needed``. ``make test`` leaves it out, ``make test-peers`` runs it.
Where its program is missing it is skipped, or fails if BOARDGATE_REQUIRE_PEERS=1 is set, as .ci/run does.

No list of these tests is kept by hand: a test without the mark that asks for such a program, or starts one, fails.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

REQUIRE: Final = "BOARDGATE_REQUIRE_PEERS"
ROOT: Final = Path(__file__).parent.parent

needed: Final = pytest.mark.peers
"""The mark: of one test, of one parameter, or as ``pytestmark`` of all tests of a module."""

OWN: Final = tuple({sys.prefix, sys.base_prefix, str(ROOT)})
"""Folders whose programs are ours or Python's, as those of any virtual environment are."""

BASE: Final = frozenset(("sh", "true", "make", "ldconfig", "uname"))
"""Programs that every test may start: ``make`` has started the tests, the others are used by Python itself."""


class Unmarked(Exception):
    """A test without the mark asked for a program of others, or started one."""


_allowed = [True]
"""A stack: the last entry permits programs of others to the running test; outside of tests they are permitted."""


@contextmanager
def watched(allowed: bool) -> Iterator[None]:
    """Refuse programs of others for the length of one test, unless they are ``allowed``."""
    _allowed.append(allowed)
    try:
        yield
    finally:
        _allowed.pop()


def _ask(what: str) -> None:
    if not _allowed[-1]:
        raise Unmarked(f"{what}: mark the test with @peers.needed")


def audit(event: str, args: tuple[Any, ...]) -> None:
    """An audit hook (``sys.addaudithook``): looks at every program that a test starts."""
    if event == "subprocess.Popen" and not _allowed[-1]:
        program = os.fsdecode(args[0])
        ours = program.startswith(OWN) or (Path(program).parent.parent / "pyvenv.cfg").exists()
        if Path(program).name not in BASE and shutil.which(program) and not ours:
            _ask(f"{program} is a program of others")


def missing(what: str) -> NoReturn:
    """Skip the test that asks, or fail it where peers are required; ``what`` says what is not there."""
    _ask(what)
    if os.environ.get(REQUIRE) == "1":
        pytest.fail(f"{what}; {REQUIRE} is set")
    pytest.skip(what)


def program(name: str, *folders: str) -> Path:
    """The program of this name from ``folders`` (patterns; of several versions the newest), else from the PATH."""
    _ask(f"{name} is a program of others")
    for folder in folders:
        found = Path("/").glob(f"{folder.lstrip('/')}/{name}")
        newest = max(found, key=lambda path: [int(number) for number in re.findall(r"\d+", str(path))], default=None)
        if newest is not None:
            return newest
    on_path = shutil.which(name)
    if on_path is None:
        missing(f"{name} is not installed")
    return Path(on_path).resolve()


def package(name: str) -> Any:
    """A package that ``make nightly`` installs."""
    try:
        return import_module(name)
    except ImportError:
        pytest.fail(f"{name} is not installed: make nightly installs it")
