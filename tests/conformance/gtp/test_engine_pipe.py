"""``boardgate gtp --engine``: a real GNU Go behind the pipe while its server is killed and started again."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests import peers
from tests.conformance.gtp.ends import PIPE, End, pipe
from tests.conformance.gtp.gnugos import gnugo, options
from tests.conformance.gtp.records import newest
from tests.conformance.servers import fast

LISTENERS: Final = ("gtp-engine,size=9", "gtp-gui")
PATIENCE_S: Final = 20.0


@contextmanager
def gnugo_behind_the_pipe(port: int, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """The pipe starts the engine itself; ended afterwards."""
    command = shlex.join([gnugo(), *options(11)])
    words = (*PIPE, f"127.0.0.1:{port}", "--engine", "--command", command, *more)
    process = subprocess.Popen(words, stderr=subprocess.PIPE)
    assert process.stderr is not None
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stderr.close()


def plays(gui: End, *vertices: str) -> None:
    """Black plays these, and GNU Go answers each with a move of its own."""
    for vertex in vertices:
        gui.sets(f"play b {vertex}")
        assert re.fullmatch(r"= ([A-HJ][1-9]|PASS|pass)", gui.asks("genmove w"))


@peers.needed
def test_a_gnugo_goes_on_when_the_server_was_killed_in_its_game(tmp_path: Path) -> None:
    """ "A lost connection is taken up again by itself, and the game goes on where it was." """
    with fast(tmp_path, *LISTENERS) as first:
        ports = dict(enumerate(first.ports))
        gui = pipe(ports[1])
        with gnugo_behind_the_pipe(ports[0]) as engine:
            gui.sets("boardsize 9", "komi 5.5")
            plays(gui, "E5", "C3")
            first.kill()
            with fast(tmp_path, *LISTENERS, ports=ports) as second:
                plays(gui, "G7", "C7")
                gui.sets("play b resign")
                record = newest(tmp_path)
                assert record.text.count('"MoveMade"') == 8
                assert "PW[GNU Go 3.8" in record.sgf
                assert record.is_whole()
                assert engine.poll() is None
                second.kill()
        gui.close()


@peers.needed
def test_in_its_second_game_it_comes_back_to_that_one(tmp_path: Path) -> None:
    """The ticket stands for the seat of the game that is being played, not for that of one it has finished."""
    with fast(tmp_path, *LISTENERS) as first:
        ports = dict(enumerate(first.ports))
        gui, again = pipe(ports[1]), pipe(ports[1])
        with gnugo_behind_the_pipe(ports[0], "--name", "carol"):
            gui.sets("boardsize 9")
            plays(gui, "E5")
            gui.sets("play b resign")
            again.sets("boardsize 9")
            plays(again, "C3", "G7")
            first.kill()
            with fast(tmp_path, *LISTENERS, ports=ports):
                plays(again, "C7")
                assert newest(tmp_path).text.count('"MoveMade"') == 6
                assert "PW[carol]" in newest(tmp_path).sgf
        gui.close()
        again.close()


@peers.needed
def test_the_pipe_ends_when_the_server_lets_the_engine_go(tmp_path: Path) -> None:
    """ "It ends when the server says quit" """
    with fast(tmp_path, "gtp-engine,size=9,games=1", "gtp-gui") as running:
        gui = pipe(running.ports[1])
        with gnugo_behind_the_pipe(running.ports[0]) as engine:
            gui.sets("boardsize 9")
            plays(gui, "E5")
            gui.sets("play b resign")
            assert engine.wait(PATIENCE_S) == 0
        gui.close()


def test_the_pipe_ends_when_its_engine_ends(tmp_path: Path) -> None:
    """ "or when the engine ends" """
    with fast(tmp_path, *LISTENERS) as running:
        words = (*PIPE, f"127.0.0.1:{running.ports[0]}", "--command", "true")
        assert subprocess.run(words, stderr=subprocess.DEVNULL, timeout=PATIENCE_S, check=False).returncode == 0
