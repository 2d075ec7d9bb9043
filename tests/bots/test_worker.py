"""The worker process answers frames with frames and ends with its standard input."""

from __future__ import annotations

import io
import os
import pickle
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import IO

import pytest

from gateway.bots import frames
from gateway.bots.worker import answer, serve
from gateway.games.tic_tac_toe import Position
from protocols.core.model import Move
from tests.processes import started

WIN_IN_ONE = frames.MoveRequest("tic_tac_toe", Position("xx.oo...."), 2, 0.2)


def received(stream: IO[bytes]) -> frames.Answer:
    head = stream.read(4)
    message: frames.Answer = pickle.loads(stream.read(frames.length(head)))
    return message


@pytest.fixture
def worker() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "gateway.bots.worker"]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process


def asked(worker: subprocess.Popen[bytes], frame: bytes) -> frames.Answer:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(frame)
    worker.stdin.flush()
    return received(worker.stdout)


def test_it_says_ready_and_then_answers_every_request(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stdout is not None
    assert received(worker.stdout) == frames.Ready()
    for _ in range(2):
        assert asked(worker, frames.packed(WIN_IN_ONE)) == frames.Chosen(Move(None, 2, "x"))


def test_it_ends_when_its_standard_input_does(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stdin is not None
    assert worker.stdout is not None
    received(worker.stdout)
    worker.stdin.close()
    assert worker.wait(10) == 0


def test_it_leaves_an_interrupt_to_the_server_and_runs_below_it(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stdout is not None
    received(worker.stdout)
    worker.send_signal(signal.SIGINT)
    assert asked(worker, frames.packed(WIN_IN_ONE)) == frames.Chosen(Move(None, 2, "x"))
    assert os.getpriority(os.PRIO_PROCESS, worker.pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)


def test_garbage_in_a_frame_is_answered_and_the_next_request_too(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stdout is not None
    received(worker.stdout)
    assert isinstance(asked(worker, frames.LENGTH.pack(5) + b"hello"), frames.Failed)
    assert asked(worker, frames.packed(WIN_IN_ONE)) == frames.Chosen(Move(None, 2, "x"))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (frames.MoveRequest("no_such_game", Position(), 2, 0.0), "Refused: no game 'no_such_game'"),
        (frames.MoveRequest("tic_tac_toe", "a text", 2, 0.0), "AttributeError"),
        (frames.MoveRequest("tic_tac_toe", Position("xxxoo...."), 2, 0.0), "ValueError: nobody can move"),
        (frames.MoveRequest("tic_tac_toe", Position(), 9, 0.0), "ValueError: no level 9"),
    ],
)
def test_a_request_that_makes_no_sense_is_answered_with_its_reason(wanted: frames.MoveRequest, said: str) -> None:
    failed = answer(pickle.dumps(wanted), random.Random(0))
    assert isinstance(failed, frames.Failed)
    assert failed.text.startswith(said)


@pytest.mark.parametrize("cut", [1, 3, 4, 20])
def test_an_end_inside_a_request_ends_it_quietly(cut: int) -> None:
    answers = io.BytesIO()
    serve(io.BytesIO(frames.packed(WIN_IN_ONE)[:cut]), answers, random.Random(0))
    assert answers.getvalue() == frames.packed(frames.Ready())


def test_a_frame_longer_than_any_position_is_refused() -> None:
    with pytest.raises(ValueError, match="a frame of 1048577 bytes"):
        serve(io.BytesIO((frames.FRAME_MAX + 1).to_bytes(4, "big")), io.BytesIO(), random.Random(0))


def test_frames_are_taken_off_a_buffer_only_when_they_are_whole() -> None:
    buffer = bytearray()
    taken = []
    for byte in frames.packed(frames.Ready()) + frames.packed(frames.Failed("no")):
        buffer.append(byte)
        taken.append(frames.taken(buffer))
    assert [message for message in taken if message] == [frames.Ready(), frames.Failed("no")]
    assert not buffer
