"""Servers under test as processes of their own, on a core of their own; stopped when the block ends."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from bench.pairs import Stuck
from bench.postgresql import Cluster, cluster

STOP_S: Final = 10.0
"""Seconds a server gets to stop."""

UNLIMITED: Final = {
    "BOARDGATE_LIMITS_CONNECTIONS": "100000",
    "BOARDGATE_LIMITS_CONNECTIONS_PER_ADDRESS": "100000",
    "BOARDGATE_LIMITS_OPEN_TABLES_PER_ADDRESS": "100000",
    "BOARDGATE_LIMITS_LEFT_GAMES_PER_ADDRESS": "100000",
    "BOARDGATE_LIMITS_MESSAGES_PER_SECOND": "1000000",
    "BOARDGATE_LIMITS_MESSAGES_BURST": "1000000",
    "BOARDGATE_LIMITS_STORED_PER_MINUTE": "1000000000000",
    "BOARDGATE_RELAY_ROOMS": "100000",
    "BOARDGATE_RELAY_ROOMS_PER_ADDRESS": "100000",
    "BOARDGATE_RELAY_BYTES_PER_SECOND": "1000000000000",
    "BOARDGATE_BOTS_WORKERS": "0",
    "BOARDGATE_LOG_LEVEL": "warning",
}
"""A load test comes from one address and is fast: it must not measure the limits against that."""

CPUCLOCK_SCHED: Final = 2
"""The kernel's clock of a process's time, exact to the nanosecond; /proc counts in hundredths of a second."""

DATABASE: Final = "BOARDGATE_SERVER_DATABASE"


@dataclass(frozen=True, slots=True)
class Server:
    """A running process, and the port to load."""

    pid: int
    address: tuple[str, int]

    def memory_bytes(self) -> int:
        """Resident memory. Linux only."""
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def processor_s(self) -> float:
        """Seconds of processor time it has used. Linux only."""
        return processor_s(self.pid)


def processor_s(pid: int) -> float:
    """Seconds of processor time that a process has used. Linux only."""
    return time.clock_gettime(~pid << 3 | CPUCLOCK_SCHED)


def children(pid: int) -> list[int]:
    """The processes that it has started. Linux only."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def spent(pids: Iterable[int]) -> dict[int, float]:
    """Seconds of processor time of each of these processes that is there still. Linux only."""
    found = {}
    for pid in pids:
        with suppress(OSError):
            found[pid] = processor_s(pid)
    return found


@cache
def cores() -> tuple[set[int], set[int]]:
    """The cores for the server and for the load: apart where there are two. Looked up before anything is pinned."""
    allowed = sorted(os.sched_getaffinity(0))
    return {allowed[0]}, set(allowed[1:]) or {allowed[0]}


@contextmanager
def boardgate(dialect: str, options: str = "", database: str = "", **settings: str) -> Iterator[Server]:
    """A private server with one listener, its options joined by commas."""
    never = "" if dialect == "http" else "bot_after=never"
    listener = ",".join(filter(None, (f"{dialect}=127.0.0.1:0", options, never)))
    with serving(listener, database=database, **settings) as servers:
        yield servers[0]


@contextmanager
def serving(*listeners: str, database: str = "", data: str = "", **settings: str) -> Iterator[list[Server]]:
    """A private server with these listeners: the address of each.

    Its record is in a ``database``, given by its URL, or on SQLite in the directory ``data``, "" one of its own.
    ``settings`` are variables of its environment, and come before what is raised for all.
    """
    with ExitStack() as stack:
        data = data or stack.enter_context(tempfile.TemporaryDirectory(prefix="boardgate-bench-"))
        command = [sys.executable, "-m", "gateway.cli", "serve", "--data", data]
        command += [word for listener in listeners for word in ("--listen", listener)]
        with running(command, **({DATABASE: database} if database else {}), **settings) as process:
            servers: list[Server] = []
            for line in process.stdout or ():
                if line.startswith("listening"):
                    port = int(line.split()[2].rpartition(":")[2])
                    servers.append(Server(process.pid, ("127.0.0.1", port)))
                if line.strip() == "ready":
                    break
            if len(servers) != len(listeners):
                raise Stuck("the server did not start")
            yield servers


@contextmanager
def postgresql() -> Iterator[Cluster]:
    """A PostgreSQL of this run's own with PostgreSQL's own settings, on the server's core. NotInstalled."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores()[0])
    try:
        with cluster() as made:
            os.sched_setaffinity(0, before)
            yield made
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def bare(yardstick: str) -> Iterator[Server]:
    """The yardstick of this name: "relay", "splice" or "sends"."""
    with running([sys.executable, "-m", "bench.yardstick", yardstick]) as process:
        assert process.stdout is not None
        yield Server(process.pid, ("127.0.0.1", int(process.stdout.readline())))


@contextmanager
def running(command: list[str], **settings: str) -> Iterator[subprocess.Popen[str]]:
    """A process on the server's core; this one is on the others meanwhile. ``settings`` go into its environment."""
    before, (server_core, load_core) = os.sched_getaffinity(0), cores()
    environment = {**os.environ, **UNLIMITED, **settings}
    os.sched_setaffinity(0, server_core)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    os.sched_setaffinity(0, load_core)
    try:
        yield process
    finally:
        os.sched_setaffinity(0, before)
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


BITS: Final = 2048
"""Bits of the RSA key of a self-signed certificate: the dearest for a server of those that authorities sign most."""


@contextmanager
def self_signed() -> Iterator[str]:
    """The options of a listener with a self-signed certificate; its files are gone at the end."""
    from cryptography import x509  # a twentieth of a second of import, for TLS only
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key, now = generate_private_key(65537, BITS), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .sign(key, SHA256())
    )
    with tempfile.TemporaryDirectory(prefix="boardgate-bench-") as folder:
        cert, secret = Path(folder) / "cert.pem", Path(folder) / "key.pem"
        cert.write_bytes(made.public_bytes(Encoding.PEM))
        secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        yield f"tls_cert={cert},tls_key={secret}"
