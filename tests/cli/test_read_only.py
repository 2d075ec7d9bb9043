"""``verify``, ``show`` and their kind read an auditor's copy: a record where nothing may be written."""

from __future__ import annotations

import ctypes
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests import peers
from tests.cli.playing import moves, record, store

COMMANDS: Final = (("verify", "--all"), ("verify", "1"), ("show", "1"), ("export", "1"), ("tables",))

FILES: Final = {
    "as it is copied from a server that runs": ("", "-wal", "-shm"),
    "without the index": ("", "-wal"),
    "one file, as a backup has it": ("",),
}

CAPBSET_DROP, DAC_OVERRIDE, DAC_READ_SEARCH = 24, 1, 2
"""Of Linux's prctl: by these two root may write where nobody may."""


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Path]:
    """A record of which table 1 is in the file, and table 2 in the log beside it, as its writer has them."""
    folder = tmp_path / "live"
    folder.mkdir()
    url = record(folder)
    store(url, "tic_tac_toe", moves("a1", "b1", "a2", "b2", "a3"))
    with closing(sqlite3.connect(folder / "boardgate.db")) as reader:
        assert reader.execute("SELECT count(*) FROM tables").fetchone() == (1,)
        store(url, "tic_tac_toe", moves("b2", "a1"), table=2)  # whoever has it open keeps the log from being copied
        yield folder / "boardgate.db"


def copied(live: Path, folder: Path, files: tuple[str, ...]) -> Path:
    """A copy of these files, of which nothing may be written."""
    folder.mkdir()
    for file in files:
        shutil.copy(f"{live}{file}", f"{folder / 'boardgate.db'}{file}")
    for copy in folder.iterdir():
        copy.chmod(0o444)
    folder.chmod(0o555)
    return folder


ASKED: Final = """
import json, sys
from click.testing import CliRunner
from gateway.cli import main
done = [CliRunner().invoke(main, words) for words in json.loads(sys.argv[1])]
print(json.dumps([(one.exit_code, one.output) for one in done]))
"""


def commands(data: Path, *asked: tuple[str, ...]) -> list[tuple[int, str]]:
    """How each of these commands ends and what it says, in one process that may not write where modes forbid it."""
    argv = [sys.executable, "-c", ASKED, json.dumps([[*words, "--data", str(data)] for words in asked])]
    done = subprocess.run(argv, capture_output=True, check=True, timeout=60, preexec_fn=bound_by_modes, cwd=data.parent)
    return [(code, said) for code, said in json.loads(done.stdout)]


def bound_by_modes() -> None:
    libc = ctypes.CDLL(None)
    for capability in (DAC_OVERRIDE, DAC_READ_SEARCH):
        libc.prctl(CAPBSET_DROP, capability, 0, 0, 0)


def reads_all(data: Path, tables: int) -> None:
    """Every command reads the record, with so many tables; nothing is written there."""
    before = {file.name: file.stat().st_mtime_ns for file in data.iterdir()}
    *served, (second, _) = done = commands(data, *COMMANDS, ("show", "2"))
    assert [code for code, _ in served] == [0] * len(COMMANDS), done
    assert second == int(tables < 2), done
    assert {file.name: file.stat().st_mtime_ns for file in data.iterdir()} == before


@pytest.mark.parametrize("files", FILES.values(), ids=list(FILES))
def test_a_record_without_write_permission_is_read_to_its_last_event(
    tmp_path: Path, live: Path, files: tuple[str, ...]
) -> None:
    reads_all(copied(live, tmp_path / "copy", files), tables=len(files[:2]))


@contextmanager
def mounted_read_only(folder: Path) -> Iterator[None]:
    commands = (["mount", "--bind"], [str(folder)] * 2), (["mount", "-o", "remount,ro,bind"], [str(folder)])
    with ExitStack() as stack:
        for words, places in commands:
            if subprocess.run([*words, *places], check=False, capture_output=True).returncode:
                peers.missing("a folder can be mounted read-only by root only")
            if words[-1] == "--bind":
                stack.callback(subprocess.run, ["umount", str(folder)], check=True)
        yield


@peers.needed
@pytest.mark.parametrize("files", FILES.values(), ids=list(FILES))
def test_a_record_on_a_read_only_disk_is_read_to_its_last_event(
    tmp_path: Path, live: Path, files: tuple[str, ...]
) -> None:
    folder = copied(live, tmp_path / "copy", files)
    with mounted_read_only(folder):
        with pytest.raises(OSError, match="Read-only file system"):
            (folder / "a").touch()
        reads_all(folder, tables=len(files[:2]))


def test_no_copy_stays_behind(tmp_path: Path, live: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    reads_all(copied(live, tmp_path / "copy", ("", "-wal")), tables=2)
    assert list((tmp_path / "temporary").iterdir()) == []
