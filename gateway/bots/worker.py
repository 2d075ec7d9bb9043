"""``python -m gateway.bots.worker [NICENESS]``: the process in which house bots think, one request after the other.

Requests come in on standard input, answers go out on standard output (frames.py); both are a trusted pipe from and to
the server that started it. It ends when standard input closes, which also happens when the server is killed. It runs at
a lower priority than the server, and leaves Ctrl-C to it.
"""

from __future__ import annotations

import os
import pickle
import random
import signal
import sys
import time
from typing import BinaryIO, Final

from gateway import registry
from gateway.bots import frames
from gateway.bots.chooser import choose, weighed

NICENESS: Final = 10
"""Thinking takes what the server and its players leave over."""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(int(sys.argv[1]) if len(sys.argv) > 1 else NICENESS)
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a game's own printing must not get between the answers
    registry.games()
    try:
        serve(requests, answers, random.Random())
    except BrokenPipeError:
        os._exit(0)  # the server is gone; a second attempt to flush would only complain


def serve(requests: BinaryIO, answers: BinaryIO, rng: random.Random) -> None:
    """Say Ready, then answer every request until ``requests`` ends, also inside one. ValueError: a frame too long."""
    _say(answers, frames.Ready())
    while len(head := requests.read(frames.LENGTH.size)) == frames.LENGTH.size:
        size = frames.length(head)
        body = requests.read(size)
        if len(body) < size:
            return
        _say(answers, answer(body, rng))


def answer(body: bytes, rng: random.Random) -> frames.Answer:
    """The move asked for, or Failed: nothing in a request ends the worker.

    The one place of this process where any exception is caught: its outermost line for one request.
    """
    try:
        wanted = pickle.loads(body)
        game = registry.game(wanted.game)
        if wanted.weigh:
            return frames.Chosen(*weighed(game, wanted.position, wanted.budget_s, time.process_time, rng))
        return frames.Chosen(choose(game, wanted.position, wanted.level, wanted.budget_s, time.monotonic, rng))
    except Exception as error:
        return frames.Failed(f"{type(error).__name__}: {error}")


def _say(answers: BinaryIO, message: frames.Answer) -> None:
    answers.write(frames.packed(message))
    answers.flush()


if __name__ == "__main__":
    main()
