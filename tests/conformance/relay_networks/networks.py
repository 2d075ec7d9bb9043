"""Small networks of this machine's own: hosts, home routers and a server, each in a network namespace.

    with apart() as street: ...          two homes behind routers; only the server is reached from both
    with behind_routers() as street: ... the same, and the routers reach each other, as on the Internet
    with in_the_open() as street: ...    no routers: both hosts have public addresses

Namespaces have random names and are gone when the block ends. Needs root, ip and nft (tests/peers.py).
"""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from tests import peers

SERVER: Final = "203.0.113.1"
"""Of RFC 5737, for documentation: nobody's."""

HOME: Final = "192.168.1"
"""Both homes have the same private addresses, as most do."""

ROUTER: Final = """
table ip home {
    chain out {
        type nat hook postrouting priority srcnat;
        oifname "wan" masquerade
    }
    chain through {
        type filter hook forward priority filter; policy drop;
        iifname "lan" accept
        ct state established,related accept
    }
    chain here {
        type filter hook input priority filter; policy drop;
        iifname "lan" accept
        ct state established,related accept
    }
}
"""
"""What a home router does: everybody inside has its address outside, and nothing unasked for comes in."""

CUTS: Final = {
    "drop": "chain in { type filter hook input priority -300; policy drop; }\n"
    "chain out { type filter hook output priority -300; policy drop; }",
    "reset": "chain in { type filter hook input priority -300; meta l4proto tcp reject with tcp reset; }",
}
"""How a host is cut off by its firewall: in silence, or with every connection broken, at both ends."""


@dataclass(frozen=True, slots=True)
class Host:
    """One network namespace."""

    name: str

    def prefix(self) -> list[str]:
        """What to put before a command, to run it here; the process is the command's own."""
        return ["ip", "netns", "exec", self.name]

    def ip(self, *words: str) -> None:
        run("ip", "-n", self.name, *words)

    def nft(self, rules: str) -> None:
        run(*self.prefix(), "nft", "-f", "-", given=rules)

    def forwards(self) -> None:
        """Carry what is for others."""
        run(*self.prefix(), "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")

    def cut_off(self, how: str) -> None:
        """ "down": the cable is out; else a word of CUTS."""
        if how == "down":
            self.ip("link", "set", "wan", "down")
            return
        self.nft(f"table inet cut {{\n{CUTS[how]}\n}}\n")

    def mend(self, how: str) -> None:
        """The end of ``cut_off``; the system that minds the cable sets the route again."""
        if how != "down":
            self.nft("delete table inet cut\n")
            return
        self.ip("link", "set", "wan", "up")
        self.ip("route", "replace", "default", "via", self.gateway)

    @property
    def gateway(self) -> str:
        """Where everything goes that is not next door."""
        shown = subprocess.check_output(["ip", "-n", self.name, "-4", "-brief", "address", "show", "wan"], text=True)
        address = shown.split()[2].partition("/")[0]
        return f"{address.rpartition('.')[0]}.1"


@dataclass(frozen=True, slots=True)
class Street:
    """Two hosts, ``alice`` and ``bob``, and a ``server`` that both reach at SERVER."""

    alice: Host
    bob: Host
    server: Host


def run(*command: str, given: str = "") -> None:
    """A command that must succeed; what it said is shown if it does not."""
    found = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert found.returncode == 0, f"{' '.join(command)}: {found.stderr}"


@contextmanager
def apart() -> Iterator[Street]:
    """Two homes behind routers that do not reach each other."""
    with _two_homes() as street:
        yield street


@contextmanager
def behind_routers() -> Iterator[Street]:
    """Two homes behind routers that do."""
    with _two_homes() as street:
        street.server.forwards()
        yield street


@contextmanager
def in_the_open() -> Iterator[Street]:
    """No routers, no private addresses."""
    with _hosts(3) as (alice, bob, server):
        for number, host in enumerate((alice, bob), 1):
            _cable(host, server, f"10.{number}.0.2", f"10.{number}.0.1", f"wan{number}")
        server.forwards()
        yield Street(alice, bob, server)


@contextmanager
def _two_homes() -> Iterator[Street]:
    with _hosts(5) as (alice, bob, server, first, second):
        for number, (host, router) in enumerate(((alice, first), (bob, second)), 1):
            _cable(router, server, f"10.{number}.0.2", f"10.{number}.0.1", f"wan{number}")
            _cable(host, router, f"{HOME}.2", f"{HOME}.1", "lan")
            router.forwards()
            router.nft(ROUTER)
        yield Street(alice, bob, server)


@contextmanager
def _hosts(count: int) -> Iterator[list[Host]]:
    """New hosts; the third is the server and has its address."""
    needed()
    with ExitStack() as left:
        hosts = [left.enter_context(host()) for _ in range(count)]
        hosts[2].ip("address", "add", f"{SERVER}/32", "dev", "lo")
        yield hosts


@contextmanager
def host() -> Iterator[Host]:
    """A new one, alone."""
    host = Host(f"boardgate-{secrets.token_hex(4)}")
    run("ip", "netns", "add", host.name)
    try:
        host.ip("link", "set", "lo", "up")
        yield host
    finally:
        run("ip", "netns", "delete", host.name)


def _cable(host: Host, far: Host, address: str, gateway: str, name: str) -> None:
    """A cable from ``wan`` of a host to another one, which is its way to everybody else."""
    run("ip", "link", "add", "wan", "netns", host.name, "type", "veth", "peer", "name", name, "netns", far.name)
    for end, port, own in ((host, "wan", address), (far, name, gateway)):
        end.ip("address", "add", f"{own}/24", "dev", port)
        end.ip("link", "set", port, "up")
    host.ip("route", "add", "default", "via", gateway)


def needed() -> None:
    """Skip the test, or fail it where peers are required, if there can be no such networks."""
    for name in ("ip", "nft"):
        peers.program(name, "/usr/sbin", "/sbin")
    if os.geteuid() != 0:
        peers.missing("network namespaces need root")
    name = f"boardgate-{secrets.token_hex(4)}"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode != 0:
        peers.missing("no network namespace can be made here")
    run("ip", "netns", "delete", name)
