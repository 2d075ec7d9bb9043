"""Namespaces of a test's own: mounts, networks and processes that are gone when the test is, however it ends.

Needs root, and util-linux.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests import peers
from tests.processes import started

DIES_WITH_US: Final = ("setpriv", "--pdeathsig=KILL")
CLONE_NEWNET: Final = 0x40000000
COMMAND_S: Final = 600.0
"""The longest command builds three images."""


def needed(*spaces: str) -> None:
    """Skip the test, or fail it where peers are required, if these namespaces cannot be made here."""
    for name in ("setpriv", "nsenter", "unshare", "ip"):
        peers.program(name, "usr/bin", "usr/sbin", "sbin")
    if os.geteuid() != 0:
        peers.missing("namespaces of one's own need root")
    if subprocess.run(["unshare", *spaces, "--fork", "true"], capture_output=True, check=False).returncode:
        peers.missing("no namespaces can be made here")


def said(*command: str, given: str = "", both: bool = False, environment: Mapping[str, str] | None = None) -> str:
    """What a command writes to its standard output, or to both of its outputs. It must succeed."""
    found = subprocess.run(
        command,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=COMMAND_S,
        env=environment,
        errors="replace",
    )
    told = f"{command[-1]}: {found.returncode}\n{found.stdout[-3000:]}\n{found.stderr[-3000:]}"
    assert found.returncode == 0, told
    return found.stdout + (found.stderr if both else "")


@contextmanager
def held(script: str, *words: str) -> Iterator[int]:
    """What a shell script mounts for its own namespace, while the block runs; the process that holds that."""
    script += "\necho mounted\nexec sleep infinity"
    command = [*DIES_WITH_US, "unshare", "--mount", "sh", "-euc", script, "hold", *words]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as holder:
        assert holder.stdout is not None
        if (told := holder.stdout.readline()) != "mounted\n":
            peers.missing(f"nothing can be mounted here: {told}")
        yield holder.pid


def child(parent: int) -> int:
    """Its first child: process 1 of the namespace it has made. IndexError or OSError where there is none."""
    return int(Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[0])


@contextmanager
def network(space: str) -> Iterator[None]:
    """This thread, and the threads and processes it starts, are on the network of this file of a namespace."""
    with open("/proc/thread-self/ns/net") as outside, open(space) as inside:
        enter(inside.fileno())
        try:
            yield
        finally:
            enter(outside.fileno())


def enter(space: int) -> None:
    """This thread is in another namespace of networks from now on; os.setns is new in Python 3.12."""
    if ctypes.CDLL(None, use_errno=True).setns(space, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
