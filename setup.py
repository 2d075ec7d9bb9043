"""Makes wheel and sdist complete where pyproject.toml cannot: the commit, the page for an index, documents and manual.

The commit is that of BOARDGATE_COMMIT, for builds without git; else of the checkout; else, in an unpacked sdist, of the
checkout that the sdist was made in. A checkout with changes says so: ``0123456789ab-dirty``.

An index shows README.md without the tree around it. Its pictures and links lead to BOARDGATE_FILES, an address under
which the files of this release are, such as ``https://git.example.org/boardgate/raw/v1.0.0``; without one pictures are
left out, and of links the words are left. BOARDGATE_HOME is the address of the project's page.
"""

import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
FILE = Path("gateway", "commit.txt")
ASK = ("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")

DOCUMENTS = Path("share", "doc", "boardgate")
MANUAL = Path("share", "man", "man1")
PICTURE = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+)\)$", re.MULTILINE)
GALLERY = re.compile(r"(?:^[^\n]+:\n\n)?(?:^!\[[^\]]*\]\([^)\s]+\)\n)+\n?", re.MULTILINE)
"""Pictures one below the other, with the line that announces them."""

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")
MADE = re.compile(r"^<!--.*-->\n", re.MULTILINE)


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


def for_an_index(text: str, files: str) -> str:
    """README.md as an index shows it; ``files`` is BOARDGATE_FILES."""
    text = MADE.sub("", text)
    if files:
        text = PICTURE.sub(rf"![\1]({files}/\2)", text)
        return LINK.sub(rf"[\1]({files}/\2)", text)
    return LINK.sub(r"\1", GALLERY.sub("", text))


def beside() -> list[tuple[str, list[str]]]:
    """Files for PREFIX/share, by folder: the handbook as it lies here, and the manual. Images have none of them."""
    found = defaultdict[Path, list[str]](list)
    for page in sorted(ROOT.glob("docs/man/*.1")):
        found[MANUAL].append(str(page.relative_to(ROOT)))
    trees = [path for top in ("docs", "deploy") for path in sorted((ROOT / top).rglob("*"))]
    for path in (*sorted(ROOT.glob("*.md")), ROOT / "LICENSE", ROOT / "constraints.txt", *trees):
        within = path.relative_to(ROOT)
        ours = within.parts[:2] not in (("docs", "man"), ("deploy", "settings")) and within.name != ".env"
        if ours and path.is_file():
            found[DOCUMENTS / within.parent].append(str(within))
    return [(str(folder), files) for folder, files in found.items()]


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


HOME = os.environ.get("BOARDGATE_HOME", "").rstrip("/")
FILES = os.environ.get("BOARDGATE_FILES", "").rstrip("/")

setup(
    cmdclass={"build_py": BuildPy, "sdist": Sdist},
    long_description=for_an_index((ROOT / "README.md").read_text("utf-8"), FILES),
    long_description_content_type="text/markdown; variant=GFM",
    project_urls={
        **({"Homepage": HOME} if HOME else {}),
        **({"Changelog": f"{FILES}/CHANGELOG.md", "Documentation": f"{FILES}/docs/README.md"} if FILES else {}),
    },
    data_files=beside(),
)
