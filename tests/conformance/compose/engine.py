"""A Docker engine of a test's own, which leaves nothing behind: whole networks, mounts and processes end with it.

    with memory(folder, "games.example.org") as place: ...
        with engine(place, outside=True) as found: ...  builds, with this machine's network and none of its own
        with engine(place) as found: ...                runs: bridges, names and published ports, and nothing leaves it

Both keep images and volumes in the same memory, one after the other. The engine is process 1 of a namespace: when that
is killed, everything it started is, and all of it is killed when the test dies. The commands of its host see an empty
/srv, and a name that leads there. Not here: what runs on it. Needs root and Debian's docker.io (tests/peers.py).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests import peers

START_S: Final = 30.0
STOP_S: Final = 30.0
COMMAND_S: Final = 600.0
"""The longest command is the building of three images."""

ROOM: Final = "6g"
"""The most memory that images and volumes may take; they take half of it."""

DIES_WITH_US: Final = ("setpriv", "--pdeathsig=KILL")
ROOT: Final = Path(__file__).parent.parent.parent.parent
CGROUPS: Final = Path("/sys/fs/cgroup")
HOLD: Final = f"""
mount -t tmpfs -o size={ROOM} none "$1"
mount -t tmpfs none /srv
mount --bind "$2" /etc/hosts
echo mounted
exec sleep infinity
"""
NO_NETWORK: Final = ("--bridge=none", "--iptables=false", "--ip6tables=false")
CLONE_NEWNET: Final = 0x40000000


@dataclass(frozen=True, slots=True)
class Memory:
    """A folder whose ``root`` is in memory, mounted for whoever enters the namespace of ``holder``."""

    folder: Path
    holder: int

    @property
    def srv(self) -> Path:
        """What /srv is in that namespace, for those who are not in it."""
        return Path(f"/proc/{self.holder}/root/srv")


@dataclass(frozen=True, slots=True)
class Engine:
    """``first`` is process 1 of the engine's namespaces, as this machine numbers it; ``socket`` is where it listens."""

    place: Memory
    first: int
    socket: Path

    def run(self, *command: str, folder: str = "/", given: str = "", **environment: str) -> str:
        """A command of this engine's host, in a folder of theirs; what it said. It must succeed."""
        found = subprocess.run(
            [*self.enter(), "env", f"--chdir={folder}", *command],
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_S,
            env={**os.environ, "DOCKER_HOST": f"unix://{self.socket}", **environment},
        )
        said = f"{found.stdout[-3000:]}\n{found.stderr[-3000:]}"
        assert found.returncode == 0, f"{' '.join(command)}: {found.returncode}\n{said}"
        return found.stdout

    def enter(self) -> list[str]:
        """The words before a command that make it one of the host's: their files, the network of published ports."""
        return ["nsenter", f"--mount=/proc/{self.place.holder}/ns/mnt", f"--net=/proc/{self.first}/ns/net"]

    def kill(self, process: int) -> None:
        """SIGKILL to a process, as the engine numbers it."""
        subprocess.run(
            ["nsenter", f"--target={self.first}", "--pid", "kill", "-KILL", str(process)], check=True, timeout=STOP_S
        )

    @contextmanager
    def network(self) -> Iterator[None]:
        """This thread, and the threads and processes it starts, are where the engine publishes ports."""
        with open("/proc/thread-self/ns/net") as outside, open(f"/proc/{self.first}/ns/net") as inside:
            _enter(inside.fileno())
            try:
                yield
            finally:
                _enter(outside.fileno())


@contextmanager
def memory(folder: Path, name: str) -> Iterator[Memory]:
    """Room for images, volumes and the host's /srv, gone at the end without a trace; ``name`` leads there."""
    needed()
    root, names = folder / "root", folder / "hosts"
    root.mkdir()
    names.write_text(f"{Path('/etc/hosts').read_text()}\n127.0.0.1 {name}\n")
    command = [*DIES_WITH_US, "unshare", "--mount", "sh", "-ec", HOLD, "memory", str(root), str(names)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "mounted\n"
            yield Memory(folder, holder.pid)
        finally:
            holder.kill()


@contextmanager
def engine(place: Memory, *, outside: bool = False) -> Iterator[Engine]:
    """An engine that keeps its things there; with ``outside`` it has the network of this machine."""
    folder = place.folder
    socket = folder / "docker.sock"
    group = f"boardgate-{os.getpid()}"
    own = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", *([] if outside else ["--net"])]
    inner = 'mount -t tmpfs none /run && (test -n "$OUTSIDE" || ip link set lo up) && exec docker-init dockerd -- "$@"'
    options = [
        *("--data-root", str(folder / "root"), "--exec-root", str(folder / "exec")),
        *("--pidfile", str(folder / "pid"), "--host", f"unix://{socket}"),
        *("--ip-forward=false", f"--cgroup-parent={group}", *(NO_NETWORK if outside else ())),
    ]
    enter = [*DIES_WITH_US, "nsenter", f"--mount=/proc/{place.holder}/ns/mnt"]
    variables = {**os.environ, "OUTSIDE": "yes" if outside else ""}
    with (folder / "engine.log").open("a") as log:
        process = subprocess.Popen(
            [*enter, "unshare", *own, "sh", "-c", inner, "dockerd", *options], stdout=log, stderr=log, env=variables
        )
    try:
        yield Engine(place, _wait_until_it_answers(process, socket, folder / "engine.log"), socket)
    finally:
        _stop(process, kindly=outside)
        socket.unlink(missing_ok=True)
        _remove_groups(group)


def needed() -> None:
    """Skip the test, or fail it where peers are required, if there can be no engine here."""
    for name in ("docker", "dockerd", "docker-init", "containerd", "runc", "iptables", "ip"):
        peers.program(name, "usr/sbin", "usr/bin")
    if os.geteuid() != 0:
        peers.missing("an engine of one's own needs root")
    if subprocess.run(["unshare", "--net", "--mount", "--pid", "--fork", "true"], check=False).returncode != 0:
        peers.missing("no namespaces can be made here")


def _wait_until_it_answers(process: subprocess.Popen[bytes], socket: Path, log: Path) -> int:
    """Process 1 of its namespaces."""
    deadline = time.monotonic() + START_S
    while subprocess.run(
        ["docker", "--host", f"unix://{socket}", "version"], capture_output=True, check=False
    ).returncode:
        assert process.poll() is None, f"the engine did not start: {log.read_text()[-3000:]}"
        assert time.monotonic() < deadline, f"the engine does not answer: {log.read_text()[-3000:]}"
        time.sleep(0.1)
    return _child(process.pid)


def _child(parent: int) -> int:
    return int(Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[0])


def _stop(process: subprocess.Popen[bytes], *, kindly: bool) -> None:
    """Everything in its namespaces is killed; ``kindly`` asks first, so that images it built are whole."""
    with contextlib.suppress(IndexError, OSError):
        os.kill(_child(process.pid), signal.SIGTERM if kindly else signal.SIGKILL)
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()  # --kill-child: and with it process 1, and with that all others
        process.wait(STOP_S)


def _remove_groups(name: str) -> None:
    """The control groups of its containers, which are nobody's now."""
    for folder in sorted({*CGROUPS.glob(name), *CGROUPS.glob(f"*/{name}")}):
        for inner in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
            inner.rmdir()
        folder.rmdir()


def _enter(network: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(network, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
