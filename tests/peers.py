"""Programs of others that tests talk to, and the one rule for where they are missing.

Without a peer the tests that need it are skipped: a newcomer's ``make test`` asks for nothing but Python. With
BOARDGATE_REQUIRE_PEERS=1, which .ci/run sets after installing all of them, a missing peer fails its tests: nobody
believes to have tried what was skipped.
"""

from __future__ import annotations

import os
import re
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import pytest

REQUIRE = "BOARDGATE_REQUIRE_PEERS"


def missing(what: str) -> NoReturn:
    """Skip the test that asks, or fail it where peers are required; ``what`` says what is not there."""
    if os.environ.get(REQUIRE) == "1":
        pytest.fail(f"{what}; {REQUIRE} is set")
    pytest.skip(what)


def program(name: str, *folders: str) -> Path:
    """The program of this name from ``folders`` (patterns; of several versions the newest), else from the PATH."""
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
    """An installed package that only ``make nightly`` needs. Elsewhere its tests are skipped, there they fail."""
    try:
        return import_module(name)
    except ImportError:
        if os.environ.get("HYPOTHESIS_PROFILE") == "nightly":
            pytest.fail(f"{name} is not installed: make nightly installs it")
        pytest.skip(f"{name} is not installed: make nightly installs it")
