"""deploy/sqlite-backup and deploy/sqlite-restore: a backup of a running server is played on after a restore."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.cli.playing import run
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient

DEPLOY: Final = Path(__file__).parent.parent.parent / "deploy"
SCRIPT_S: Final = 30.0

ENGINE: Final = "tic_tac_toe?name=Ann#a-secret-that-ann-has-brought"
RIVAL: Final = "tic_tac_toe?name=Ben#a-secret-that-ben-has-brought"


def script(name: str, *words: Path) -> subprocess.CompletedProcess[str]:
    command = [str(DEPLOY / name), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=SCRIPT_S)


def seated(port: int) -> list[SpecClient]:
    players = [SpecClient(port), SpecClient(port)]
    for player, engine in zip(players, (ENGINE, RIVAL), strict=True):
        assert player.handshake(engine) == ("RSP_HANDSHAKE", 0)
        player.until("MSG_PLAYERS")
    return players


def place(players: list[SpecClient], seat: int, square: int) -> None:
    """A stone, which both are told."""
    players[seat].until("REQ_MOVE")
    players[seat].move(-1, square, "xo"[seat])
    for player in players:
        assert player.until("MSG_MOVE")[2] == square


def test_a_backup_of_a_running_server_is_played_on_after_a_restore(tmp_path: Path) -> None:
    """ "backup and restore scripts that are tested" """
    data, copies = tmp_path / "data", tmp_path / "copies"
    with fast(data, "bogaprot") as running:
        players = seated(running.ports[0])
        place(players, 0, 4)
        made = script("sqlite-backup", data / "boardgate.db", copies)
        assert made.returncode == 0, made.stderr
        backup = Path(made.stdout.strip())
        place(players, 1, 0)
        refused = script("sqlite-restore", backup, data / "boardgate.db")
        assert (refused.returncode, "in use by a server" in refused.stderr) == (1, True)
        assert running.stop() == 0

    done = script("sqlite-restore", backup, data / "boardgate.db")
    assert done.returncode == 0, done.stderr
    with fast(data, "bogaprot") as running:
        players = seated(running.ports[0])
        assert [player.until("REQ_MOVE") for player in players] == [("REQ_MOVE", 1)] * 2
        assert players[1].board == {4: players[0].board[4]}
        assert running.stop() == 0

    assert "the record is whole" in run("verify", 1, data=data).output
    assert sorted(path.name for path in copies.iterdir()) == [backup.name]
    assert backup.stat().st_mode & 0o077 == 0


def test_what_was_there_before_a_restore_is_kept(tmp_path: Path) -> None:
    with fast(tmp_path, "bogaprot") as running:
        assert running.stop() == 0
    database = tmp_path / "boardgate.db"
    backup = Path(script("sqlite-backup", database, tmp_path / "copies").stdout.strip())
    database.chmod(0o640)
    before = database.read_bytes()

    assert script("sqlite-restore", backup, database).returncode == 0
    assert (tmp_path / "boardgate.db.before").read_bytes() == before
    assert database.read_bytes() == backup.read_bytes()
    assert database.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", ["sqlite-backup", "sqlite-restore"])
def test_a_file_that_is_not_there_is_refused_and_nothing_is_made(tmp_path: Path, name: str) -> None:
    assert script(name, tmp_path / "absent.db", tmp_path / "made").returncode != 0
    assert [path.name for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".lock"] == []
