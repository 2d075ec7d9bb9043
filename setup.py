"""Leaves in wheel and sdist the commit that they are made from; pyproject.toml has all the rest.

The commit is that of BOARDGATE_COMMIT, for builds without git such as those of images; else of the checkout; else, in
an unpacked sdist, of the checkout that the sdist was made in. A checkout with changes says so: ``0123456789ab-dirty``.
"""

import os
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
FILE = Path("gateway", "commit.txt")
ASK = ("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")


def commit() -> str:
    """Empty where nobody knows."""
    if given := os.environ.get("BOARDGATE_COMMIT", "").strip():
        return given
    if (ROOT / ".git").exists():
        try:
            return subprocess.run(ASK, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return ""
    return (ROOT / FILE).read_text("ascii").strip() if (ROOT / FILE).exists() else ""


def leave_in(folder: str) -> None:
    """Write the file, or take away one that an earlier build has left."""
    file = Path(folder) / FILE
    file.unlink(missing_ok=True)  # it may be a link to the source
    if found := commit():
        file.write_text(f"{found}\n", "ascii")


class BuildPy(build_py):
    """Makes what a wheel consists of; an editable install has the checkout itself instead."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            leave_in(self.build_lib)


class Sdist(sdist):
    """Makes the folder that is packed."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        leave_in(base_dir)


setup(cmdclass={"build_py": BuildPy, "sdist": Sdist})
