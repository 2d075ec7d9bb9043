"""Makes the release after this one for a test: this tree with another version, and a schema with an addition."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

import migrations
from protocols.core.release import VERSION
from tests.store.test_newer_schema import ADDS, STEP, additive
from tests.structure import PRODUCT

ROOT: Final = Path(__file__).parent.parent

PROGRAM: Final = """#!/bin/sh
PYTHONPATH='{tree}' exec '{python}' -P -m gateway.cli "$@"
"""


def next_version() -> str:
    """One more in the last place."""
    first, _, last = VERSION.rpartition(".")
    return f"{first}.{int(last) + 1}"


FAILS: Final = f"""{ADDS.rstrip()}
    op.execute("INSERT INTO nowhere VALUES (1)")
"""
"""The step of a release whose migration fails when it has changed something already."""


def next_release(folder: Path, body: str = ADDS) -> str:
    """The path of its ``boardgate``. Its packages lie in ``folder``; what they need is this environment's.

    ``body`` is what its migration does.
    """
    for name in PRODUCT:
        shutil.copytree(ROOT / name, folder / name)
    _replace(folder / "protocols/core/release.py", f'"{VERSION}"', f'"{next_version()}"')
    _replace(folder / "migrations/__init__.py", f'"{migrations.HEAD}"', f'"{additive()}"')
    step = STEP.format(revision=additive(), before=migrations.HEAD, body=body.strip())
    (folder / "migrations/versions/9999.py").write_text(step, encoding="utf-8")
    (folder / "pyvenv.cfg").touch()  # so tests/peers.py knows that the program is ours
    program = folder / "bin" / "boardgate"
    program.parent.mkdir()
    program.write_text(PROGRAM.format(tree=folder, python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file} has {text.count(old)} of {old}"
    file.write_text(text.replace(old, new), encoding="utf-8")
