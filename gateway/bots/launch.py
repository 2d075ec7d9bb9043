"""``python launch.py PID NICENESS PROGRAM [WORD...]``: becomes PROGRAM, at low priority, killed when PID is.

Other programs do not ask for this themselves, so the process does it before exec. In the server
that moment is between fork and exec, where Python must not run beside threads; so a fresh interpreter is in between. It
is run by its path, with nothing of this package.
Source: prctl(2), PR_SET_PDEATHSIG: kept over exec; the "parent" is the thread that forked.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1

USUAL: Final = 10
"""Niceness of engines that play: their session has its whole share, for players wait for their moves."""

NOT_STARTED: Final = 127
"""Exit status where there is no such program, as a shell has it."""


def main() -> None:
    server, niceness, *command = sys.argv[1:]
    os.nice(int(niceness))
    if sys.platform == "linux":
        _be_nice_as_session(int(niceness) - USUAL)
        _die_with_parent()
    if os.getppid() != int(server):
        os._exit(NOT_STARTED)  # the server went before its death could be announced
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_DFL)  # Python ignores these, and what is ignored stays so over exec
    try:
        os.execvp(command[0], command)
    except OSError:
        os._exit(NOT_STARTED)


def _be_nice_as_session(niceness: int) -> None:
    """Take less of the processor than other sessions do: the kernel shares it among them before it looks at niceness.

    Source: sched(7), autogroup. A kernel without it has no such file; where control groups do the sharing the file has
    no effect.
    """
    if niceness <= 0:
        return
    try:
        with open("/proc/self/autogroup", "w", encoding="ascii") as group:
            group.write(str(niceness))
    except OSError:
        pass


def _die_with_parent() -> None:
    """Be killed when the parent ends. Without ctypes the end of standard input has to be enough."""
    try:
        import ctypes
    except ImportError:
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


if __name__ == "__main__":
    main()
