"""A game and a dialect of a package outside the tree, installed beside the wheel, are served and proved like any other.

The package is made by CONTRIBUTING.md: its pyproject.toml stands there, and so do the commands that try it. The game is
a copy of the smallest one, the dialect that of three words which tests of the replay use.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from email import message_from_string
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from protocols.core.release import VERSION
from tests.running import RunningServer, server
from tests.structure import PRODUCT
from tests.web_client import PATIENCE_S, WebClient

ROOT: Final = Path(__file__).parent.parent.parent
COMMAND_S: Final = 120.0
COMMIT: Final = "0123456789ab"
FILES: Final = (
    "pyproject.toml",
    "setup.py",
    "MANIFEST.in",
    "LICENSE",
    "Makefile",
    "constraints.txt",
    ".dockerignore",
    ".gitignore",
    "docker-compose.yml",
)
BESIDE: Final = ("docs", "deploy", "tests")

RECIPE: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## A package of your own\n")[2]
PROJECT, COMMANDS = re.findall(r"^```(?:toml)?\n(.*?)^```$", RECIPE, re.MULTILINE | re.DOTALL)[:2]

NAMES: Final = {"TicTacToe": "Noughts", "Tic-Tac-Toe": "Noughts", "tic_tac_toe": "noughts"}
RENAMED: Final = re.compile("|".join(NAMES))

TRANSCRIPT: Final = """\
# covers: first-square, last-square, both-sides, refusal, eof-inside
# lacks: pass, end, wrong-state - the wire has no word for it
@ game=noughts
.. MoveMade(seat=0, move=Move(None, 0, 'x'), ply=1, notation='a3', changes=((0, 'x'),), position='')
>> play c1
.. MoveMade(seat=1, move=Move(None, 8, 'o'), ply=2, notation='c1', changes=((8, 'o'),), position='')
>> play a3
.. Rejected(why=Why.ILLEGAL, text='square a3 is occupied')
>> hex 70
>> eof
"""


def ran(*words: str | Path, cwd: Path, **given: str) -> str:
    """The output of a program that ends well; ``given`` are variables of its environment."""
    kept = {key: text for key, text in os.environ.items() if key not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH")}
    kept |= given
    run = subprocess.run(words, cwd=cwd, env=kept, capture_output=True, text=True, timeout=COMMAND_S)
    assert run.returncode == 0, f"{words}: {run.stdout[-2000:]} {run.stderr[-2000:]}"
    return run.stdout


def build(what: str, tree: Path, **given: str) -> Path:
    """The build backend makes an ``sdist`` or a ``wheel``, as a front end such as pip has it do."""
    script = f"import setuptools.build_meta as backend; print(backend.build_{what}('.'))"
    return tree / ran(sys.executable, "-c", script, cwd=tree, **given).split()[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of this tree, built from a copy of it: a build leaves folders behind."""
    tree = tmp_path_factory.mktemp("tree")
    for name in (*PRODUCT, *BESIDE):
        shutil.copytree(ROOT / name, tree / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (*FILES, *(path.name for path in ROOT.glob("*.md"))):
        shutil.copy(ROOT / name, tree)
    (tree / ".env").write_text("PUBLIC_HOST=a-secret-of-the-site\n")
    (tree / "deploy/settings/boardgate.toml").write_text("# of the site\n")
    return build("sdist", tree, BOARDGATE_COMMIT=COMMIT)


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the unpacked sdist, where nobody says the commit."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    return build("wheel", next(folder.iterdir()))


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that has the wheel, the package outside, and nothing of this tree."""
    folder = tmp_path_factory.mktemp("beside")
    package = folder / "noughts/noughts"
    package.mkdir(parents=True)
    (package.parent / "pyproject.toml").write_text(PROJECT)
    (package / "__init__.py").touch()
    rules = (ROOT / "gateway/games/tic_tac_toe.py").read_text(encoding="utf-8")
    (package / "rules.py").write_text(RENAMED.sub(lambda found: NAMES[found[0]], rules))
    shutil.copy(ROOT / "tests/transcripts/tiny.py", package)
    ran(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    own = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "venv")}))
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(("boardgate", "__editable__")):
            (own / path.name).symlink_to(path)
    pip = (
        folder / "venv/bin/python",
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--no-index",
        "--no-compile",
    )
    ran(*pip, "--no-deps", "--no-build-isolation", wheel, package.parent, cwd=folder)
    return folder / "venv/bin"


@pytest.fixture
def running(programs: Path, tmp_path: Path) -> Iterator[RunningServer]:
    listeners = ("tiny,game=tic_tac_toe", "tiny,game=noughts", "http")
    with server(tmp_path / "data", *listeners, program=str(programs / "boardgate"), BOTS_WORKERS="0") as started:
        yield started


class Pen:
    """A peer that speaks the three words of tiny."""

    def __init__(self, port: int, seat: int) -> None:
        self._sock = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._lines = self._sock.makefile(encoding="ascii", newline="\n")
        assert self.hears() == f"seat {seat}"

    def says(self, words: str) -> None:
        self._sock.sendall(f"{words}\n".encode())

    def hears(self) -> str:
        return self._lines.readline().rstrip("\n")

    def close(self) -> None:
        self._lines.close()
        self._sock.close()


def test_the_wheel_has_all_modules_of_the_tree_and_no_tests(wheel: Path) -> None:
    packed = {name for name in ZipFile(wheel).namelist() if name.endswith(".py") and ".data/" not in name}
    assert packed == {path.relative_to(ROOT).as_posix() for name in PRODUCT for path in (ROOT / name).rglob("*.py")}


def test_the_sdist_has_the_whole_tree_and_nothing_of_a_site(sdist: Path) -> None:
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
        said = packed.extractfile(f"boardgate-{VERSION}/gateway/commit.txt")
        assert said is not None
        assert said.read().decode().strip() == COMMIT
    listed = {path.relative_to(ROOT) for name in (*PRODUCT, *BESIDE) for path in (ROOT / name).rglob("*")}
    wanted = {path.as_posix() for path in listed if (ROOT / path).is_file() and "__pycache__" not in path.parts}
    assert {*wanted, *FILES} - names == set()
    assert [name for name in names if name.endswith((".env", ".pyc", "settings/boardgate.toml"))] == []


def test_the_wheel_has_handbook_manual_and_what_a_host_needs(wheel: Path) -> None:
    data = f"boardgate-{VERSION}.data/data/share/"
    packed = {name.removeprefix(data) for name in ZipFile(wheel).namelist() if name.startswith(data)}
    manual = {f"man/man1/{path.name}" for path in (ROOT / "docs/man").iterdir()}
    handbook = {f"doc/boardgate/{path.relative_to(ROOT)}" for path in (ROOT / "docs").rglob("*.md")}
    deployed = {f"doc/boardgate/deploy/{name}" for name in ("boardgate.service", "alerts.yml", "prometheus.yml")}
    assert {*manual, *handbook, *deployed} - packed == set()
    assert [name for name in packed if ".env" in name or "deploy/settings" in name] == []


def test_an_index_shows_nothing_that_leads_nowhere(wheel: Path) -> None:
    """Of the page README.md; who builds may say where the files of the release are."""
    found = message_from_string(ZipFile(wheel).read(f"boardgate-{VERSION}.dist-info/METADATA").decode())
    page = str(found.get_payload())
    assert page.startswith("# Boardgate\n")
    assert re.findall(r"!\[|\]\((?!https?:|#)|<!--", page) == []
    pythons = {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)}
    assert pythons <= set(found.get_all("Classifier", []))
    assert {"terminal", "postgresql"} <= set(found.get_all("Provides-Extra", []))
    assert found.get_all("Project-URL") is None


def test_an_index_shows_pictures_where_who_builds_says_where_the_files_are(wheel: Path, tmp_path: Path) -> None:
    home, files = "https://games.example.org", "https://games.example.org/boardgate/1.0"
    script = (
        "import sys, setuptools.build_meta as backend; print(backend.prepare_metadata_for_build_wheel(sys.argv[1]))"
    )
    given = {"BOARDGATE_HOME": home, "BOARDGATE_FILES": files}
    made = ran(sys.executable, "-c", script, tmp_path, cwd=wheel.parent, **given).split()[-1]
    found = message_from_string((tmp_path / made / "METADATA").read_text(encoding="utf-8"))
    page = str(found.get_payload())
    assert f"]({files}/docs/pictures/browser.png)" in page
    assert f"]({files}/docs/play.md)" in page
    assert re.findall(r"\]\((?!https?:|#)", page) == []
    addresses = dict(str(word).split(", ") for word in found.get_all("Project-URL", []))
    changes, handbook = f"{files}/CHANGELOG.md", f"{files}/docs/README.md"
    assert addresses == {"Homepage": home, "Changelog": changes, "Documentation": handbook}


def test_the_wheel_has_version_and_commit(programs: Path) -> None:
    assert ran(programs / "boardgate", "--version", cwd=programs) == f"boardgate {VERSION} (build {COMMIT})\n"
    asked = "from importlib.metadata import version; print(version('boardgate'))"
    assert ran(programs / "python", "-P", "-c", asked, cwd=programs) == f"{VERSION}\n"


def test_the_game_is_played_over_another_dialect_and_a_game_over_the_dialect_and_both_are_proved(
    running: RunningServer, programs: Path
) -> None:
    pens = [Pen(running.ports[0], seat) for seat in range(2)]
    assert [pen.hears() for pen in pens] == ["begin", "begin"]
    for count, square in enumerate(("a1", "b1", "a2", "b2", "a3")):
        pens[count % 2].says(f"play {square}")
        assert [pen.hears() for pen in pens] == [square, square]
    for pen in pens:
        pen.says("bye")
        assert [pen.hears(), pen.hears()] == ["bye", ""]
        pen.close()
    page = WebClient(running.ports[2])
    page.hello()
    page.say("join", game="noughts", name="ann")
    page.until("seated")
    pen = Pen(running.ports[1], 1)
    assert pen.hears() == "begin"
    page.until("moves")
    for column in range(3):
        page.play(None, column, "x")
        assert pen.hears() == f"{'abc'[column]}3"
        if column < 2:
            pen.says(f"play {'abc'[column]}1")
            assert pen.hears() == f"{'abc'[column]}1"
            page.until("moves")
    page.until("GameEnded")
    page.close()
    pen.close()
    assert running.stop() == 0
    assert "Traceback" not in running.log.read_text()
    kept = ("--data", running.data)
    proved = ran(programs / "boardgate", "verify", "--all", *kept, cwd=running.data)
    assert "2 records, all whole: " in proved
    assert "2 games, 10 moves" in proved
    shown = ran(programs / "boardgate", "show", "2", *kept, cwd=running.data)
    assert shown.startswith("table 2  Noughts (standard)  over")
    assert "x wins (rules, three in a row)" in shown


@pytest.fixture
def checkout(programs: Path, tmp_path: Path) -> Path:
    """The tests of this tree, with a transcript of the package's dialect, and the environment as their .venv."""
    kept = shutil.ignore_patterns("__pycache__", "browser", Path(__file__).name)
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=kept)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    transcript = tmp_path / "tests/transcripts/tiny/game.txt"
    transcript.parent.mkdir()
    transcript.write_text(TRANSCRIPT)
    (tmp_path / ".venv").symlink_to(programs.parent)
    return tmp_path


def test_in_a_checkout_the_recipe_makes_the_playthrough_and_the_transcript(checkout: Path) -> None:
    create, update, _ = COMMANDS.splitlines()
    assert "noughts.txt: " in ran(*shlex.split(create), cwd=checkout)
    assert "changed tiny/game.txt" in ran(*shlex.split(update), cwd=checkout)
    assert "=> PlayMove(text='c1')" in (checkout / "tests/transcripts/tiny/game.txt").read_text()


@pytest.mark.nightly  # by day the laws are tried on the game and the dialect that are copied
def test_in_a_checkout_the_laws_hold_for_the_game_and_the_dialect(checkout: Path) -> None:
    said = [ran(*shlex.split(line), cwd=checkout) for line in COMMANDS.splitlines()]
    assert re.search(r"^[1-9]\d\d passed", said[2], re.MULTILINE), said[2]
