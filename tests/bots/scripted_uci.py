"""Speaks UCI as an engine that does at ``go`` what its first argument says: ``scripted_uci.py dies``.

Without knowing chess: it plays 1. e4 as White and 1. ... e5 as Black. What it hears it writes to the file that its
second argument names.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

OPTIONS = (
    "option name Threads type spin default 4 min 1 max 64",
    "option name Hash type spin default 256 min 1 max 1024",
    "option name Skill Level type spin default 20 min 0 max 20",
    "option name Style type combo default Solid var Solid var Very Risky",
    "option name UCI_Chess960 type check default false",
    "option name UCI_Variant type combo default chess var chess var crazyhouse",
)


def say(line: str) -> None:
    print(line, flush=True)


to_move = "w"


def plays() -> None:
    move = {"w": "e2e4", "b": "e7e5"}[to_move]
    say(f"info depth 1 score cp 20 pv {move}")
    say(f"bestmove {move} ponder g1f3")


def silent() -> None:
    while True:
        time.sleep(60)


def floods() -> None:
    while True:
        say("info string " + "again and " * 100)


def dies_once() -> None:
    """The mark of the first death stands beside the log."""
    mark = Path(sys.argv[2]).with_suffix(".died")
    if mark.exists():
        return plays()
    mark.touch()
    os._exit(1)


def with_child() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    say(f"info string child {child.pid}")
    Path(sys.argv[2]).with_suffix(".child").write_text(str(child.pid))
    plays()


def complains() -> None:
    print("a word on standard error", file=sys.stderr, flush=True)
    plays()


AT_GO: dict[str, Callable[[], None]] = {
    "plays": plays,
    "stays": plays,
    "late": plays,
    "silent": silent,
    "floods": floods,
    "dies": lambda: os._exit(1),
    "dies-once": dies_once,
    "child": with_child,
    "illegal": lambda: say("bestmove e2e5"),
    "nonsense": lambda: say("bestmove"),
    "none": lambda: say("bestmove (none)"),
    "long": lambda: say("info string " + "x" * 1_000_000),
    "complains": complains,
    "waits": lambda: None,
}


def hear(line: str, mode: str) -> None:
    global to_move
    word = line.partition(" ")[0]
    if word == "uci":
        say("a banner, before anything else")
        say("id name Scripted 1.0")
        for option in OPTIONS:
            say(option)
        say("uciok")
    elif word == "isready":
        if mode == "late":
            say("bestmove e2e3")  # the answer to a question of before
        say("readyok")
    elif word == "position":
        to_move = line.split()[3]  # position fen PIECES TURN ...
    elif word == "go":
        AT_GO[mode]()
    elif word == "stop" and mode == "waits":
        plays()
    elif word == "quit" and mode != "stays":
        sys.exit(0)


def main() -> None:
    mode = sys.argv[1]
    if mode == "mute":
        silent()
    if mode == "stays":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with Path(sys.argv[2] if len(sys.argv) > 2 else os.devnull).open("a") as log:
        if mode == "gone":
            log.write("gone\n")
            return
        for line in sys.stdin:
            log.write(line)
            log.flush()
            hear(line.strip(), mode)
    if mode == "stays":
        silent()


if __name__ == "__main__":
    main()
