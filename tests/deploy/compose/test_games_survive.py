"""Games through the published ports: the gateway is killed in the middle of them; a backup brings all of them back.

Players are those of the other conformance tests; what they are told before and after must fit together.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tests.conformance.chess_players import Lines
from tests.conformance.chess_text_players import PeerToPeerPlayer
from tests.conformance.gtp.ends import OnPort
from tests.deploy.compose.composition import CHESS, GUIS, Composition
from tests.deploy.compose.plugin import Plugin
from tests.deploy.guests import SECRET, Couple

MATE: Final = ["f2f3", "e7e5", "g2g4", "d8h4"]


class Chess:
    """A game between two adapters of the chess peer-to-peer protocol."""

    def __init__(self) -> None:
        self.white, self.black = (PeerToPeerPlayer(CHESS, f"{name}#{SECRET.format(name)}") for name in ("Wim", "Bea"))
        self.white.sit(True, MATE[0])
        self.black.sit(False, MATE[0])
        self.white.begin()
        self.black.begin()

    def play(self, first: int, last: int) -> None:
        """Half-moves of MATE."""
        for ply in range(first, last):
            mover, other = (self.white, self.black) if ply % 2 == 0 else (self.black, self.white)
            mover.move(MATE[ply])
            other.hears(MATE[ply])

    def come_back(self, ply: int) -> None:
        """Both dial again, are told the moves until now and agree to go on."""
        for player, on_move in ((self.white, ply % 2 == 0), (self.black, ply % 2 == 1)):
            player.lines.close()
            player.lines = Lines(CHESS)
            player.lines.until("hallo ")
            player.lines.say(f"myname {player.name}", "text here I am")
            for move in MATE[:ply]:
                player.lines.until(f"move {move}")
            player.resumed(on_move)


def go_pair() -> tuple[OnPort, OnPort]:
    """Black and White, each after the other's first move."""
    black, white = go_guis("Kim", "Wen")
    black.sends("boardsize 5", "clear_board", "play b C3", "genmove w")
    white.sends("boardsize 5", "clear_board", "genmove b", "play w B2")
    assert [black.answer() for _ in range(4)] == ["=", "=", "=", "= B2"]
    assert [white.answer() for _ in range(4)] == ["=", "=", "= C3", "="]
    return black, white


def go_guis(*names: str) -> list[OnPort]:
    return [OnPort(GUIS, name, SECRET.format(name)) for name in names]


def return_to_go(old: tuple[OnPort, OnPort]) -> tuple[OnPort, OnPort]:
    """Both dial again and set their board up as it was."""
    for gui in old:
        gui.close()
    black, white = go_guis("Kim", "Wen")
    for gui in (black, white):
        gui.sets("boardsize 5", "clear_board", "play b C3", "play w B2")
    return black, white


def recorded(composition: Composition) -> set[str]:
    """Every event of every table, as the database has it."""
    query = "SELECT row_to_json(events) FROM events"
    rows = composition.inside("database", "psql", "--no-psqlrc", "--tuples-only", "--command", query, "boardgate")
    return {row.strip() for row in rows.splitlines() if row.strip()}


def tables(composition: Composition) -> dict[int, str]:
    """The game of each."""
    return {row["table"]: row["game"] for row in json.loads(composition.boardgate("tables", "--json"))}


def proved(composition: Composition, number: int) -> bool:
    """The record of a table is whole."""
    return "the record is whole" in composition.boardgate("verify", str(number))


def test_a_file_that_is_no_backup_leaves_the_games_as_they_are(composition: Composition, tmp_path: Path) -> None:
    """It is looked at before the gateway is stopped."""
    before, served = recorded(composition), composition.inspect("gateway")["State"]["Pid"]
    wrong = tmp_path / "wrong.dump"
    wrong.write_text("these are not games")
    with pytest.raises(AssertionError, match=r"no backup that can be read\n.*nothing was touched"):
        composition.script("restore", str(wrong))
    assert composition.inspect("gateway")["State"]["Pid"] == served
    assert before <= recorded(composition)


def test_games_survive_a_kill_and_the_loss_of_every_volume(
    composition: Composition, plugin: Plugin, tmp_path: Path
) -> None:
    """ "plays a Bogaprot, a chess-p2p and a GTP game through the published ports, kills the gateway container with
    SIGKILL in mid-game, sees the games resume, backs up, destroys the volumes, restores, and finds every game"

    It is restored by a host who has the plug-in `docker compose` instead of docker-compose.
    """
    before = set(tables(composition))
    with composition.engine.network():
        couple = Couple(composition.engine.network, "Ann", "Ben")
        couple.play(12)
        chess, go = Chess(), go_pair()
        chess.play(0, 2)

        composition.kill("gateway")

        couple.come_back()
        couple.finish()
        chess.come_back(2)
        chess.play(2, 4)
        assert [chess.white.ended(), chess.black.ended()] == ["0-1", "0-1"]
        go = return_to_go(go)
        go[0].sets("play b D4")
        assert go[1].asks("genmove b") == "= D4"

    told, told_tables = recorded(composition), tables(composition)
    backup = composition.script("backup", str(tmp_path)).split()[-1]
    composition.compose("down", "--volumes")
    assert composition.engine.run("docker", "volume", "ls", "--quiet") == ""

    machine = replace(composition, plugin=plugin)
    said = machine.script("restore", backup)
    assert f"restored {len(told_tables)} tables" in said
    assert "kept as the database boardgate_before" in said
    machine.inside("gateway", "answers", "8080", "/readyz")

    assert told <= recorded(machine)
    played = {number: game for number, game in tables(machine).items() if number not in before}
    assert sorted(played.values()) == ["checkers", "chess", "go"]
    assert all(proved(machine, number) for number in played)
    with composition.engine.network():
        go = return_to_go(go)
        go[0].sets("play b D4")
        go[1].sets("play b D4", "play w B4")
        assert go[0].asks("genmove w") == "= B4"
        for gui in go:
            gui.close()
