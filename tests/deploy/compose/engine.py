"""A Docker engine of a test's own, which leaves nothing behind: whole networks, mounts and processes end with it.

    with memory(folder, "games.example.org", settings) as place: ...
        with engine(place, outside=True) as found: ...  builds, with this machine's network and none of its own
        with engine(place) as found: ...                runs: bridges, names and published ports, and nothing leaves it

Both keep images and volumes in the same memory, one after the other. The engine is process 1 of a namespace: when that
is killed, everything it started is, and all of it is killed when the test dies. The commands of its host see an empty
/srv, and a name that leads there. Needs root and Debian's docker.io (tests/peers.py).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests import peers
from tests.conformance.figures import until
from tests.deploy.namespaces import DIES_WITH_US, child, held, needed, network, said

STOP_S: Final = 30.0
ROOM: Final = "6g"
"""The most memory that images and volumes may take; they take half of it."""

ROOT: Final = Path(__file__).parent.parent.parent.parent
CGROUPS: Final = Path("/sys/fs/cgroup")
HOLD: Final = f"""
mount -t tmpfs -o size={ROOM} none "$1"
mount -t tmpfs none /srv
mount --bind "$2" /etc/hosts
"""
NO_NETWORK: Final = ("--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-forward=false")


@dataclass(frozen=True, slots=True)
class Memory:
    """A folder whose ``root`` is in memory, mounted for whoever enters the namespace of ``holder``.

    ``settings`` is the file that /etc/docker/daemon.json is to the engine that runs containers.
    """

    folder: Path
    holder: int
    settings: Path

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
        variables = {**os.environ, "DOCKER_HOST": f"unix://{self.socket}", **environment}
        return said(*self.enter(), "env", f"--chdir={folder}", *command, given=given, environment=variables)

    @contextmanager
    def meanwhile(self, *command: str) -> Iterator[Path]:
        """A command of this engine's host runs as long as the block; where what it says is written."""
        told = self.place.folder / "meanwhile"
        variables = {**os.environ, "DOCKER_HOST": f"unix://{self.socket}"}
        with told.open("w") as output:
            process = subprocess.Popen([*self.enter(), *command], stdout=output, env=variables)
        try:
            yield told
        finally:
            process.terminate()
            process.wait(STOP_S)

    def enter(self) -> list[str]:
        """The words before a command that make it one of the host's: their files, the network of published ports."""
        return ["nsenter", f"--mount=/proc/{self.place.holder}/ns/mnt", f"--net=/proc/{self.first}/ns/net"]

    def kill(self, process: int) -> None:
        """SIGKILL to a process, as the engine numbers it."""
        said("nsenter", f"--target={self.first}", "--pid", "kill", "-KILL", str(process))

    def network(self) -> AbstractContextManager[None]:
        """This thread is where the engine publishes ports."""
        return network(f"/proc/{self.first}/ns/net")


@contextmanager
def memory(folder: Path, name: str, settings: str) -> Iterator[Memory]:
    """Room for images, volumes and the host's /srv, gone at the end without a trace; ``name`` leads there."""
    root, names, file = folder / "root", folder / "hosts", folder / "daemon.json"
    root.mkdir()
    file.write_text(settings)
    names.write_text(f"{Path('/etc/hosts').read_text()}\n127.0.0.1 {name}\n")
    with held(HOLD, str(root), str(names)) as holder:
        yield Memory(folder, holder, file)


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
        *(f"--cgroup-parent={group}", *(NO_NETWORK if outside else ("--config-file", str(place.settings)))),
    ]
    enter = [*DIES_WITH_US, "nsenter", f"--mount=/proc/{place.holder}/ns/mnt"]
    variables = {**os.environ, "OUTSIDE": "yes" if outside else ""}
    with (folder / "engine.log").open("a") as log:
        process = subprocess.Popen(
            [*enter, "unshare", *own, "sh", "-c", inner, "dockerd", *options], stdout=log, stderr=log, env=variables
        )
    try:
        yield Engine(place, _first(process, socket, folder / "engine.log"), socket)
    finally:
        _stop(process, kindly=outside)
        socket.unlink(missing_ok=True)
        _remove_groups(group)


def docker_needed() -> None:
    """Skip the test, or fail it where peers are required, if there can be no engine here."""
    for name in ("docker", "dockerd", "docker-init", "containerd", "runc", "iptables", "docker-compose"):
        peers.program(name, "usr/sbin", "usr/bin")
    needed("--net", "--mount", "--pid")


def _first(process: subprocess.Popen[bytes], socket: Path, log: Path) -> int:
    """Process 1 of its namespaces, when it answers."""
    version = ["docker", "--host", f"unix://{socket}", "version"]
    until(
        lambda: (subprocess.run(version, capture_output=True, check=False).returncode, process.poll()),
        lambda seen: seen[0] == 0 or seen[1] is not None,
    )
    assert process.poll() is None, f"the engine did not start: {log.read_text()[-3000:]}"
    return child(process.pid)


def _stop(process: subprocess.Popen[bytes], *, kindly: bool) -> None:
    """Everything in its namespaces is killed; ``kindly`` asks first, so that images it built are whole."""
    with contextlib.suppress(IndexError, OSError):
        os.kill(child(process.pid), signal.SIGTERM if kindly else signal.SIGKILL)
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
