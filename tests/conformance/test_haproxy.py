"""HAProxy in front of a server: whoever it passes on keeps the own address, and a ban on it bites."""

from __future__ import annotations

import csv
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bench.free_port import free_port
from tests import peers
from tests.certificates import Authority
from tests.cli.playing import record
from tests.conformance.behind_proxies import Passed, ban
from tests.conformance.figures import until
from tests.conformance.servers import fast
from tests.faults.guests import DEFECTS, GAME
from tests.running import RunningServer

pytestmark = peers.needed

SENDERS: Final = ("send-proxy", "send-proxy-v2")
"""Versions 1 and 2."""

LISTENERS: Final = ("bogaprot", "http", "relay")

STOP_S: Final = 10.0

CONFIGURATION: Final = """
global
    stats socket {stats}
defaults
    mode tcp
    timeout connect 5s
    timeout client 1m
    timeout server 1m
    timeout check 20s
"""

PASSED: Final = """
listen {name}
    bind 127.0.0.1:{port}
    {check}
    server one 127.0.0.1:{server} check inter 1s {sender} {tls}
"""


class Banned(Passed):
    """A client of HAProxy: it sends no header of its own."""

    HOST = "127.0.0.2"

    def __init__(self, port: int) -> None:
        super().__init__(port, b"")


class Allowed(Banned):
    """Its neighbour."""

    HOST = "127.0.0.3"


@dataclass(slots=True)
class Proxied:
    """A server and the HAProxy before it. ``ports`` are HAProxy's, by the name of what it passes on."""

    server: RunningServer
    ports: dict[str, int]
    stats: Path

    def answers(self) -> bool:
        """HAProxy runs, and so all its ports are open."""
        try:
            return bool(self.checks())
        except OSError:
            return False

    def checks(self) -> dict[str, tuple[str, str]]:
        """What HAProxy's checks have found at each server: its status and how it was seen, not what runs now ("*")."""
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(STOP_S)
            asked.connect(str(self.stats))
            asked.sendall(b"show stat\n")
            said = "".join(iter(lambda: asked.recv(65536).decode(), ""))
        rows = csv.DictReader(said.removeprefix("# ").splitlines())
        found = [row for row in rows if row["svname"] == "one"]
        return {row["pxname"]: (row["status"], row["check_status"].removeprefix("* ")) for row in found}


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    """The address 127.0.0.2 is banned. HAProxy encrypts what it passes on to the listeners with TLS."""
    folder = tmp_path_factory.mktemp("haproxy")
    club, data = Authority(folder / "club"), folder / "data"
    club.issues("localhost")
    record(data)
    ban(data, Banned.HOST)
    behind = [f"{name},proxy_protocol=yes{tls}" for tls in ("", f",{club.options()}") for name in LISTENERS]
    with fast(data, *behind) as server, haproxy(folder, server) as found:
        yield found
        assert not any(word in server.log.read_text() for word in DEFECTS)
        assert server.stop() == 0


@contextmanager
def haproxy(folder: Path, server: RunningServer) -> Iterator[Proxied]:
    """Passes on to every listener with every version, and looks after each."""
    stats, written, ports = folder / "stats", [CONFIGURATION.format(stats=folder / "stats")], {}
    for sender in SENDERS:
        for place, listener in enumerate(LISTENERS * 2):
            tls = "ssl verify none" if place >= len(LISTENERS) else ""
            name = f"{listener}-{sender}" + ("-tls" if tls else "")
            ports[name] = free_port()
            check = "option httpchk GET /readyz" if listener == "http" else "option tcp-check"
            asked = {"name": name, "port": ports[name], "check": check, "server": server.ports[place]}
            written.append(PASSED.format(**asked, sender=sender, tls=tls))
    configuration = folder / "haproxy.cfg"
    configuration.write_text("".join(written))
    command = [str(peers.program("haproxy", "/usr/sbin")), "-db", "-f", str(configuration)]
    with (folder / "haproxy.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        found = Proxied(server, ports, stats)
        until(found.answers, bool)
        yield found
    finally:
        process.terminate()
        process.wait(STOP_S)


@pytest.mark.parametrize("tls", ["", "-tls"])
@pytest.mark.parametrize("sender", SENDERS)
def test_a_banned_address_is_hung_up_on_and_its_neighbour_plays(there: Proxied, sender: str, tls: str) -> None:
    port = there.ports[f"bogaprot-{sender}{tls}"]
    with Banned(port) as banned:
        assert banned.rest() == b""
    with Allowed(port) as first, Allowed(port) as second:
        assert (first.joins(GAME), second.joins(GAME)) == (0, 1)
        assert first.puts(0) == (0,)


@pytest.mark.parametrize("tls", ["", "-tls"])
@pytest.mark.parametrize("sender", SENDERS)
def test_a_banned_address_gets_no_page_and_its_neighbour_does(there: Proxied, sender: str, tls: str) -> None:
    port = there.ports[f"http-{sender}{tls}"]
    with Banned(port) as banned:
        banned.sock.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert banned.rest() == b""
    with Allowed(port) as allowed:
        status, page = allowed.gets("/")
        assert (status, "<html" in page) == (200, True)


@pytest.mark.parametrize("tls", ["", "-tls"])
@pytest.mark.parametrize("sender", SENDERS)
def test_the_relay_names_a_caller_by_the_own_address_and_refuses_a_banned_one(
    there: Proxied, sender: str, tls: str
) -> None:
    with Allowed(there.ports[f"http-{sender}"]) as opener:
        code = opener.opens_room()["code"]
    port = there.ports[f"relay-{sender}{tls}"]
    with Banned(port) as banned:
        assert banned.rest() == (b"" if tls else b"NO the server is full\n")
    with Allowed(port) as first, Allowed(port) as second:
        for side, guest in (("A", first), ("B", second)):
            guest.meets(code, side)
            assert guest.line() == "WAIT"
        assert first.line() == "PEER first {}:{} -".format(*second.sock.getsockname())


def test_its_own_checks_are_answered(there: Proxied) -> None:
    """They begin with LOCAL or UNKNOWN; pages answer 200, over TLS too."""
    seen = until(there.checks, lambda checks: not any("INI" in how for _, how in checks.values()))
    assert len(seen) == 2 * len(SENDERS) * len(LISTENERS)
    for name, (status, how) in seen.items():
        assert (status, how) == ("UP", "L7OK" if name.startswith("http") else "L4OK" if "tls" not in name else "L6OK")
