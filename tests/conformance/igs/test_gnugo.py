"""GNU Go behind a client that programs at NNGS used, driven by prompts: games against itself and a house bot."""

from __future__ import annotations

import re
import threading
from contextlib import closing
from pathlib import Path

from gateway.store.accounts import SqlAccounts
from tests import peers
from tests.conformance.gtp.ends import OnPipes
from tests.conformance.gtp.gnugos import gnugo, options
from tests.conformance.host import Host
from tests.conformance.igs.clients import IgsClient
from tests.conformance.servers import fast
from tests.passwords import hashed
from tests.running import made_record

pytestmark = peers.needed

PASSWORD = "correct horse"
MOVE = re.compile(r"15 +(\d+)\(([BW])\): (\S+)")


class Runner:
    """Begins an engine where the prompt goes from 5 to 6, says ``done`` on 7, is at its end when it is 5 again.

    It knows no rules and looks at nothing but prompts and moves; in scoring it passes once more, as the old one did.
    """

    def __init__(self, client: IgsClient, colour: int, seed: int) -> None:
        self.client = client
        self.moves: list[str] = []
        self._colour = colour
        self._engine = OnPipes([gnugo(), *options(seed), "--japanese-rules", "--capture-all-dead"])

    def plays(self, size: int) -> None:
        """Play one game to its end."""
        self._engine.sets(f"boardsize {size}", "clear_board", "komi 6.5")
        state = "5"
        while True:
            told = self.client.hears("\n1 ").splitlines()
            now = self.client.hears("\n")
            for found in filter(None, map(MOVE.match, told)):
                self._hears(int(found[1]), "BW".index(found[2]), found[3])
            if now == "6" and (state == "5" or any(map(MOVE.match, told))):
                self._thinks()
            if now == "7" and state == "6":
                self.client.type("pass", "done")
            if now == "5" and state == "7":
                return
            state = now

    def _hears(self, number: int, seat: int, vertex: str) -> None:
        assert number == len(self.moves), (number, self.moves)
        self.moves.append(vertex)
        if seat != self._colour:
            self._engine.sets(f"play {'bw'[seat]} {vertex}")

    def _thinks(self) -> None:
        if len(self.moves) % 2 == self._colour:
            self.client.type(self._engine.asks(f"genmove {'bw'[self._colour]}").removeprefix("=").strip())

    def close(self) -> None:
        self._engine.close()
        self.client.close()


def together(*games: Runner) -> None:
    wrong: list[BaseException] = []

    def run(game: Runner) -> None:
        try:
            game.plays(9)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(game,), daemon=True) for game in games]
    for each in threads:
        each.start()
    for each in threads:
        each.join(120)
    assert not wrong, wrong
    assert not any(each.is_alive() for each in threads)


def test_two_programs_play_a_game_to_its_score(tmp_path: Path) -> None:
    with closing(SqlAccounts(made_record(tmp_path / "boardgate.db"))) as accounts:
        for name in ("alice", "botb"):
            accounts.add(name, hashed(PASSWORD), "root")
    with fast(tmp_path, "igs", "http") as running:
        black, white = (
            Runner(IgsClient(running.ports[0]).comes(name, PASSWORD), seat, seat + 1)
            for seat, name in enumerate(("alice", "botb"))
        )
        with closing(black), closing(white):
            black.client.type("match botb B 9 15 5")
            white.client.hears("9 Use <")
            white.client.type(white.client.hears("> or"))
            together(black, white)
            assert black.moves == white.moves
            assert len(black.moves) > 30
            for each in (black, white):
                assert re.search(r"20 botb \(W:O\): [\d.]+ to alice \(B:#\): [\d.]+\n21 \{Game 1: ", each.client.text)
        outcome = Host(running.ports[1]).table(1)["outcome"]
        assert outcome["reason"] == "rules"


def test_a_program_plays_white_against_a_house_bot_to_the_score(tmp_path: Path) -> None:
    bots = fast(tmp_path, "igs", "http", BOTS_WORKERS="1")
    with bots as running, closing(Runner(IgsClient(running.ports[0]).comes(), 1, 3)) as white:
        white.client.type("match bot W 9 15 5")
        together(white)
        assert f"20 {white.client.name} (W:O): " in white.client.text
