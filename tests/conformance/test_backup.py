"""``boardgate backup`` and ``boardgate restore``: a backup of a running server is played on after a restore."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.cli.playing import run
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient

ENGINE: Final = "tic_tac_toe?name=Ann#a-secret-that-ann-has-brought"
RIVAL: Final = "tic_tac_toe?name=Ben#a-secret-that-ben-has-brought"


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
        made = run("backup", copies, data=data)
        assert made.exit_code == 0, made.output
        backup = Path(made.stdout.strip())
        place(players, 1, 0)
        refused = run("restore", backup, data=data)
        assert (refused.exit_code, "in use by another server" in refused.output) == (1, True)
        assert running.stop() == 0

    done = run("restore", backup, data=data)
    assert done.exit_code == 0, done.output
    with fast(data, "bogaprot") as running:
        players = seated(running.ports[0])
        assert [player.until("REQ_MOVE") for player in players] == [("REQ_MOVE", 1)] * 2
        assert players[1].board == {4: players[0].board[4]}
        assert running.stop() == 0

    assert "the record is whole" in run("verify", 1, data=data).output
    assert sorted(path.name for path in copies.iterdir()) == [backup.name]
    assert backup.stat().st_mode & 0o077 == 0
