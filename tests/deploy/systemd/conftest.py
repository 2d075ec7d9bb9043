"""Boardgate is installed on a machine of its own once for all tests of this folder, as its unit and handbook say."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests import peers
from tests.deploy.systemd import handbook
from tests.deploy.systemd.machine import SYSTEM_PATH, disk, systemd_needed
from tests.deploy.systemd.service import Service

TREE: Final = Path("srv/boardgate")
"""Where the machine has this tree."""

NOT_CLONED: Final = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "build", "tests")


@pytest.fixture(scope="package")
def service() -> Iterator[Service]:
    """Enabled and started, with PostgreSQL's part installed beside it; its machine is killed at the end."""
    systemd_needed()
    _programs_are_there()
    folder = Path(tempfile.mkdtemp(prefix="boardgate-"))
    try:
        with disk(folder) as files:
            shutil.copytree(handbook.ROOT, files.root / TREE, symlinks=True, ignore=NOT_CLONED)
            (files.root / TREE / "boardgate.toml").write_text(handbook.SETTINGS)
            files.types(handbook.INSTALL.replace("pip install", "pip install --quiet") + "'[postgresql]'", f"/{TREE}")
            with Service(files) as found:
                found.types(f"{handbook.CONFIGURE}\n{handbook.ENABLE}", f"/{TREE}")
                yield found
    finally:
        shutil.rmtree(folder)


def _programs_are_there() -> None:
    """What a host has installed before."""
    for name in ("gnugo", "stockfish"):
        peers.program(name, "usr/games")
    python = shutil.which("python3", path=SYSTEM_PATH)
    wanted = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))"
    if python is None or os.path.realpath(python).startswith(("/root/", "/home/")):
        peers.missing("this system has no python3 of its own")
    if subprocess.run([python, "-c", wanted], capture_output=True, check=False).returncode:
        peers.missing(f"{python} is older than 3.11, or makes no environments (python3-venv)")
