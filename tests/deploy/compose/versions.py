"""Versions after this one, for hosts to pull: the next release, and others whose schema or gateway fails."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import migrations
from protocols.core.release import VERSION
from tests.deploy.compose.composition import UPSTREAM, Composition
from tests.next_release import next_release, next_version
from tests.store.test_newer_schema import ADDS, STEP, additive

RELEASE, NEWEST, ADDED = "protocols/core/release.py", "migrations/__init__.py", "migrations/versions/9999.py"
RECIPE: Final = "deploy/Dockerfile"
RAISES: Final = 'op.add_column("tables", sa.Column("colour", sa.String()))\n    raise RuntimeError("this step fails")'
SCRIPT: Final = "deploy/container/gateway"
DIES: Final = "exec boardgate serve", "echo this version dies >&2; exit 1"
"""The last line of a gateway's script, and that of one that is not healthy."""

KILLED: Final = """
setsid deploy/upgrade > told 2>&1 &
until grep -q '{words}' told; do kill -0 $! || {{ cat told >&2; exit 1; }}; sleep 0.05; done
kill -s KILL -- -$!
flock --timeout 20 deploy true
"""
"""An upgrade that is killed, with all that it has started here, when it has said this."""


def publish(composition: Composition, folder: Path, *, step: str = ADDS, older_go_on: bool = True) -> None:
    """Commit the next release, with this step of the schema, to where the host pulls from."""
    next_release(folder)
    revision = additive() if older_go_on else additive().partition("_")[0]
    added = STEP.format(revision=revision, before=migrations.HEAD, body=step.strip())
    (composition.upstream / ADDED).write_text(added, encoding="utf-8")
    for name in (RELEASE, NEWEST):
        text = (folder / name).read_text("utf-8").replace(f'"{additive()}"', f'"{revision}"')
        (composition.upstream / name).write_text(text, encoding="utf-8")
    change(composition, RECIPE, f"VERSION={VERSION}", f"VERSION={next_version()}")


def change(composition: Composition, name: str, old: str, new: str) -> None:
    """A file is another one in a new version."""
    file = composition.upstream / name
    text = file.read_text("utf-8")
    assert old in text, name
    file.write_text(text.replace(old, new), encoding="utf-8")
    composition.commit()


def newest(composition: Composition) -> str:
    """The version that a host would pull."""
    return composition.engine.run("git", "rev-parse", "HEAD", folder=UPSTREAM).strip()


def withdraw(composition: Composition, version: str) -> None:
    """The newest version is as this one was, and the host has it."""
    composition.engine.run("git", "read-tree", "-u", "--reset", version, folder=UPSTREAM)
    composition.commit()
    composition.types("git pull")
