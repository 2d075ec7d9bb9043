"""Measures the memory of visitors of a chess server's port, who are here, hear of others, and do nothing."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from typing import Final

from bench import process
from bench.audience import allow_many_files
from bench.load import Progress
from bench.measure import WARM_S, Idle
from bench.pairs import DIAL_S, RECEIVE, Stuck

WORDS: Final = (
    "guest",
    "",
    "set style 12",
    "iset seekinfo 1",
    "iset pendinfo 1",
    "iset pin 1",
    "set gin 1",
)
"""A guest's first lines, as those of a program with lists of seeks, offers, people and games."""

PROMPTS: Final = (b"login: ", b":", *(b"fics% " for _ in WORDS[1:]))
"""The end of what is told before each of them, and behind the last."""

FIRST: Final = 20
"""Visitors who are not counted: what is made once is not the price of one."""


def idle(visitors: int, progress: Progress) -> Idle:
    """Memory of so many visitors, once nothing is said any more."""
    allow_many_files()
    with process.boardgate("ics") as server, ExitStack() as here:
        for _ in range(FIRST):
            here.enter_context(_come(server))
        time.sleep(WARM_S)
        before = server.memory_bytes()
        for number in range(visitors):
            progress(number / visitors)
            here.enter_context(_come(server))
        time.sleep(WARM_S)  # what was freed while they came goes back to the system, if it does
        return Idle(visitors, (server.memory_bytes() - before) / visitors)


def _come(server: process.Server) -> socket.socket:
    """A visitor who has heard the answer to each of its lines."""
    found = socket.create_connection(server.address, timeout=DIAL_S)
    for prompt, word in zip(PROMPTS, (*WORDS, ""), strict=True):
        told = b""
        while not told.endswith(prompt):
            if not (part := found.recv(RECEIVE)):
                raise Stuck(f"the server hung up: {told!r}")
            told += part
        if word or prompt == b":":
            found.sendall(f"{word}\n".encode())
    return found
