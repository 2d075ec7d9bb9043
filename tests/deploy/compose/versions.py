"""Versions after this one, for hosts to pull: with a step of the schema more, whole or broken.

They are built where no package can be had: what differs is laid over what was built, by lines at the recipe's end.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

import migrations
from tests.deploy.compose.composition import Composition
from tests.next_release import next_release
from tests.store.test_newer_schema import ADDS, STEP, additive

DIFFERS: Final = ("protocols/core/release.py", "migrations/__init__.py", "migrations/versions/9999.py")
LAID_OVER: Final = """\
COPY --from=scripts /scripts/next /opt/next
USER 0
RUN installed=$(echo /opt/boardgate/lib/python3*/site-packages) && cp -r /opt/next/. "$installed" \\
    && chmod -R a+rX "$installed/migrations" "$installed/protocols/core" \\
    && find "$installed/migrations" "$installed/protocols/core" -name '*.pyc' -delete
USER 10001:10000
"""
LAST: Final = 'CMD ["gateway"]\n'
RAISES: Final = 'op.add_column("tables", sa.Column("colour", sa.String()))\n    raise RuntimeError("this step fails")'
DIES: Final = "exec boardgate serve", "echo this version dies >&2; exit 1"
"""What a gateway does in its place."""


def publish(composition: Composition, folder: Path, *, step: str = ADDS, older_go_on: bool = True) -> None:
    """Commit the next release, with this step of the schema, to where the host pulls from."""
    next_release(folder)
    revision = additive() if older_go_on else additive().partition("_")[0]
    text = STEP.format(revision=revision, before=migrations.HEAD, body=step.strip())
    (folder / DIFFERS[2]).write_text(text, encoding="utf-8")
    head = folder / DIFFERS[1]
    head.write_text(head.read_text("utf-8").replace(f'"{additive()}"', f'"{revision}"'), encoding="utf-8")
    laid = composition.upstream / "deploy" / "container" / "next"
    shutil.rmtree(laid, ignore_errors=True)
    for name in DIFFERS:
        (laid / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / name, laid / name)
    recipe = composition.upstream / "deploy" / "Dockerfile"
    text = recipe.read_text("utf-8")
    if LAID_OVER not in text:
        assert text.count(LAST) == 1
        recipe.write_text(text.replace(LAST, LAID_OVER + LAST), encoding="utf-8")
    composition.commit()


def change(composition: Composition, name: str, old: str, new: str) -> None:
    """A file of deploy/ is another one in a new version."""
    file = composition.upstream / "deploy" / name
    text = file.read_text("utf-8")
    assert re.search(re.escape(old), text), name
    file.write_text(text.replace(old, new), encoding="utf-8")
    composition.commit()
