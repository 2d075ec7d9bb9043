"""The release that runs: its version, and the build, which is the commit that a wheel or an image was made from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from protocols.core.release import VERSION

COMMIT: Final = "commit.txt"
"""The file beside this one in which setup.py leaves the commit. A checkout has none."""

CHECKOUT: Final = "checkout"
"""The build of files that may change any time: which commit they are of is for git to say."""

UNKNOWN: Final = "unknown"
"""The build of a wheel that was made neither in a checkout nor from what was."""


class Release(NamedTuple):
    """``version`` is that of the program; ``build`` a commit, CHECKOUT or UNKNOWN."""

    version: str
    build: str

    def __str__(self) -> str:
        """One word, as nodes tell each other: ``1.0.0+0123456789ab``."""
        return f"{self.version}+{self.build}"

    @property
    def words(self) -> str:
        """For people, behind the program's name."""
        return f"{self.version} ({'from a checkout' if self.build == CHECKOUT else f'build {self.build}'})"

    @classmethod
    def read(cls, word: str) -> Release:
        """The reverse of ``str``; nodes of versions before 1.0.0 say no build."""
        version, _, build = word.partition("+")
        return cls(version, build or UNKNOWN)


@cache
def release() -> Release:
    """The release of this process, read once: the files may be exchanged while it runs."""
    return Release(VERSION, build_of(Path(__file__).parent))


def build_of(package: Path) -> str:
    """The build of the files of this folder."""
    try:
        return (package / COMMIT).read_text(encoding="ascii").strip() or UNKNOWN
    except FileNotFoundError:
        return CHECKOUT if (package.parent / ".git").exists() else UNKNOWN
