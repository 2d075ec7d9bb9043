"""Real XBoards under a virtual screen, with real engines and ``boardgate xboard``; each in a home of its own.

    with virtual_screen() as display:
        with xboard(display, tmp_path / "a", *MATCH, "-fcp", engine("hoichess"), "-scp", adapter(port)) as window: ...

A program is stopped by its process id when its block ends, however the test ends.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess.pgn

from tests import peers

GAMES: Final = "/usr/games"
"""Where Debian puts them, which is not on everybody's PATH."""

STILL: Final = ("-xanimate", "-saveSettingsOnExit", "false", "-testClaims", "false", "-ringBellAfterMoves", "false")
"""No animation; engines' claims are believed; nothing is left in the home."""

MATCH: Final = ("-mg", "1", "-xexit", "-matchPause", "20", "-depth", "3", "-tc", "2", "-inc", "0")
"""One game of two programs, three seconds each and a little for every move, then exit."""

START_S: Final = 20.0
GAME_S: Final = 60.0
"""Seconds until a match must be over: the clocks allow some ten on an idle machine."""


@contextmanager
def virtual_screen() -> Iterator[str]:
    """The name of a display of our own, the first free one."""
    server = peers.program("Xvfb")
    reading, writing = os.pipe()
    command = [str(server), "-displayfd", str(writing), "-screen", "0", "1024x768x24", "-nolisten", "tcp"]
    command.append("-noreset")  # else it begins anew when its last client leaves, and whoever comes meanwhile fails
    process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as numbers:
            number = numbers.readline().strip()
        assert number, "the virtual screen did not start"
        yield f":{number}"
    finally:
        process.kill()
        process.wait()


@dataclass(slots=True)
class XBoard:
    """A running XBoard; its games are written to ``games``, the adapter's lines to ``log``."""

    process: subprocess.Popen[bytes]
    home: Path

    @property
    def games(self) -> Path:
        return self.home / "games.pgn"

    @property
    def log(self) -> str:
        file = self.home / "adapter.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def ends_by_itself(self) -> chess.pgn.Game:
        """The only game it has played."""
        (game,) = self.games_at_the_end()
        return game

    def games_at_the_end(self) -> list[chess.pgn.Game]:
        """All games it has played, in order, when it has exited."""
        self._exits()
        with self.games.open(encoding="utf-8") as file:
            games = list(iter(lambda: chess.pgn.read_game(file), None))
        for game in games:
            assert not game.errors
        return games

    def _exits(self) -> None:
        """Waits for its end. AssertionError, with what it and its adapter wrote last: it failed, or goes on."""
        try:
            status: int | None = self.process.wait(GAME_S)
        except subprocess.TimeoutExpired:
            status = None
        wrote = (self.home / "output").read_text(encoding="utf-8", errors="replace")
        assert status == 0, f"status {status}\n{wrote[-2000:]}\n{self.log[-2000:]}"

    def moves_as_text(self) -> list[str]:
        """What stands in the record of a game that python-chess has no rules for, without its tags and numbers."""
        self._exits()
        text = self.games.read_text(encoding="utf-8").rpartition("]")[2]
        return [word for word in re.sub(r"\{[^}]*\}", "", text).split() if not word.endswith(".")]


@contextmanager
def xboard(display: str, home: Path, *options: str, first: str, second: str = "") -> Iterator[XBoard]:
    """XBoard with one or two engines, given as command lines; "{log}" in them is the adapter's log."""
    program = peers.program("xboard", GAMES)
    home.mkdir(parents=True)
    engines = ["-fcp", first] + (["-scp", second] if second else [])
    engines = [text.replace("{log}", str(home / "adapter.log")) for text in engines]
    command = [str(program), *STILL, *options, "-sgf", str(home / "games.pgn"), *engines]
    environment = {**os.environ, "DISPLAY": display, "HOME": str(home), "LC_ALL": "C.UTF-8"}
    with (home / "output").open("wb") as output:
        process = subprocess.Popen(command, env=environment, cwd=home, stdout=output, stderr=output)
    try:
        yield XBoard(process, home)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def engine(name: str) -> str:
    """The command line of a chess engine; one that speaks UCI gets a translator before it.

    Debian's fairymax 5.0b does not do here: it dies of the line "computer", which XBoard sends before every match, in
    half of all runs, by where its code was loaded.
    """
    program = peers.program(name, GAMES)
    return _ours(str(program)) if name == "stockfish" else str(program)


def any_move(seed: int) -> str:
    """The command line of our own engine, for rule sets that no other here plays."""
    return _ours(str(seed))


def _ours(argument: str) -> str:
    return shlex.join([sys.executable, str(Path(__file__).with_name("engine.py")), argument])


def adapter(*options: str) -> str:
    """The command line of ``boardgate xboard``."""
    return shlex.join([sys.executable, "-m", "gateway.cli", "xboard", *options, "--log"]) + " {log}"


def moves(game: chess.pgn.Game) -> list[str]:
    """The moves in coordinates."""
    return [move.uci() for move in game.mainline_moves()]


def assert_same(one: chess.pgn.Game, other: chess.pgn.Game) -> None:
    """The same moves, enough of them to be a game, and the same result.

    An engine that claims a draw with its move ends its own record there, while the answer to it may be on its way.
    """
    short, long = sorted((moves(one), moves(other)), key=len)
    ends = (one if moves(one) == short else other).end().board()
    crossed = ends.is_repetition(3) or ends.halfmove_clock >= 100
    assert long in ([*short], [*short, long[-1]] if crossed else [])
    assert len(short) > 10 or ends.is_checkmate()
    assert one.headers["Result"] == other.headers["Result"]
    assert one.headers["Result"] in ("1-0", "0-1", "1/2-1/2")


def said(log: str, direction: str) -> list[str]:
    """The lines of one direction in an adapter's log: "gui >", "peer <"."""
    return re.findall(rf"^\S+ {re.escape(direction)} (.*)$", log, re.MULTILINE)
