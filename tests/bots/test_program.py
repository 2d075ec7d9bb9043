"""A program of an engine exchanges lines, runs at low priority without the server's settings, and is ended in time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from signal import SIG_IGN, SIGPIPE, SIGXFSZ, getsignal, valid_signals

import pytest
import trio

from gateway.bots.program import LINE_MAX, Program
from protocols.core.errors import RemoteProtocolError
from tests import peers
from tests.bots.running_engines import PATIENCE_S, SCRIPT, ended, stockfish
from tests.processes import started

HOLDER = """
import sys, trio
from gateway.bots.program import Program
async def main():
    program = Program.start(sys.argv[1:])
    await program.say(b"uci\\n")
    await program.line()
    print(program.pid, flush=True)
    await trio.sleep_forever()
trio.run(main)
"""
"""A server in small: it starts a program and keeps it."""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


async def all_lines(program: Program) -> list[str]:
    lines = []
    with trio.fail_after(PATIENCE_S):
        try:
            while True:
                lines.append(await program.line())
        except trio.BrokenResourceError:
            return lines


async def test_it_hears_lines_says_lines_and_runs_at_low_priority() -> None:
    program = Program.start(python("import os; print(input().upper()); print(os.getpriority(os.PRIO_PROCESS, 0))"))
    await program.say(b"hello\n")
    assert await all_lines(program) == ["HELLO", str(min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10))]
    await program.end()


AUTOGROUP = Path("/proc/self/autogroup")


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="this kernel shares processors among processes alone")
@pytest.mark.parametrize(("niceness", "of_session"), [(10, 0), (17, 7)])
async def test_the_session_of_an_engine_that_nobody_waits_for_has_low_priority_too(
    niceness: int, of_session: int
) -> None:
    program = Program.start(python(f"print(open({str(AUTOGROUP)!r}).read())"), niceness)
    told = await all_lines(program)
    assert told[0].endswith(f"nice {of_session}"), told
    await program.end()


async def test_it_has_neither_the_server_s_settings_nor_its_output_nor_its_terminal(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE", "postgresql://somebody:secret@host/name")
    monkeypatch.setenv("OTHER", "seen")
    code = (
        "import os, sys; print('error', file=sys.stderr); print(os.environ.get('BOARDGATE_SERVER_DATABASE'));"
        "print(os.environ['OTHER']); print(os.getsid(0) == os.getpid()); print(sorted(os.listdir('/proc/self/fd'))[:3])"
    )
    program = Program.start(python(code))
    assert await all_lines(program) == ["None", "seen", "True", "['0', '1', '2']"]
    await program.end()
    assert capfd.readouterr() == ("", "")


async def test_signals_are_to_it_what_they_are_to_any_program() -> None:
    program = Program.start(["/bin/cat", "/proc/self/status"])
    ignored = next(line for line in await all_lines(program) if line.startswith("SigIgn"))
    await program.end()
    ours = {each for each in valid_signals() if each <= 31 and getsignal(each) is SIG_IGN} - {SIGPIPE, SIGXFSZ}
    inherited = sum(1 << (each - 1) for each in ours)  # the tests may be run with some ignored, by nohup for one
    assert int(ignored.split()[1], 16) & 0x7FFFFFFF == inherited, "of the signals 1 to 31; the C library keeps 32"


async def test_a_line_that_is_too_long_is_refused() -> None:
    program = Program.start(python(f"print('x' * {LINE_MAX}); print('y' * {LINE_MAX + 1})"))
    assert await program.line() == "x" * LINE_MAX
    with pytest.raises(RemoteProtocolError, match="a line of "):
        await program.line()
    await program.end()


async def test_a_line_without_an_end_is_refused_before_memory_is_full() -> None:
    program = Program.start(python("import sys\nwhile True: sys.stdout.write('x' * 1000)"))
    with trio.fail_after(PATIENCE_S), pytest.raises(RemoteProtocolError, match="a line of more than 16384 bytes"):
        await program.line()
    await program.end()
    assert ended(program.pid)


async def test_what_is_no_text_is_a_line_all_the_same() -> None:
    program = Program.start(python(r"import sys; sys.stdout.buffer.write(b'a\xff\x00b\r\n')"))
    assert await all_lines(program) == ["a\ufffd\x00b"]
    await program.end()


async def test_a_program_that_is_not_there_has_ended() -> None:
    program = Program.start(["/nonexistent/engine"])
    assert await all_lines(program) == []
    await program.end()
    await program.end()


async def test_one_that_quits_when_told_to_is_not_killed(tmp_path: Path) -> None:
    mark = tmp_path / "saved"
    program = Program.start(python(f"print('here', flush=True); input(); open({str(mark)!r}, 'w').write('learned')"))
    assert await program.line() == "here"
    await program.leave(b"quit\n")
    assert mark.read_text() == "learned"
    assert ended(program.pid)


async def test_one_that_does_not_quit_is_killed_after_half_a_second() -> None:
    program = Program.start([sys.executable, str(SCRIPT), "stays"])
    await program.say(b"uci\n")
    await program.line()
    begun = trio.current_time()
    await program.leave(b"quit\n")
    assert 0.4 < trio.current_time() - begun < 3
    assert ended(program.pid)


async def test_what_it_started_ends_with_it() -> None:
    code = "import subprocess, sys; print(subprocess.Popen(['sleep', '600']).pid, flush=True); input()"
    program = Program.start(python(code))
    child = int(await program.line())
    assert not ended(child)
    await program.end()
    assert ended(child, within_s=5)


def test_it_is_gone_with_the_thread_that_started_it() -> None:
    """The kernel takes that for the end of its parent: a thread that passes must not be the one that forks."""
    programs: list[Program] = []

    async def start() -> None:
        program = Program.start([sys.executable, str(SCRIPT), "stays"])
        await program.say(b"uci\n")
        await program.line()
        programs.append(program)

    thread = threading.Thread(target=trio.run, args=(start,))
    thread.start()
    thread.join(PATIENCE_S)
    assert ended(programs[0].pid, within_s=10)
    trio.run(programs[0].end)


@pytest.mark.parametrize("mode", ["plays", "stays", pytest.param("stockfish", marks=peers.needed)])
def test_when_the_server_is_killed_it_is_gone(mode: str) -> None:
    command = list(stockfish().command) if mode == "stockfish" else [sys.executable, str(SCRIPT), mode]
    with started([sys.executable, "-c", HOLDER, *command], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        pid = int(holder.stdout.readline())
        assert not ended(pid)
        holder.kill()
        assert ended(pid, within_s=10)


@peers.needed
def test_standard_input_s_end_is_enough_for_stockfish() -> None:
    """For kernels that cannot announce the server's death."""
    path = stockfish().command[0]
    with started([path], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as engine:
        assert engine.stdin is not None
        engine.stdin.write(b"uci\nposition startpos\ngo infinite\n")
        engine.stdin.close()
        assert engine.wait(20) == 0
