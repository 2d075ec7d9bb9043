"""A network of players beside an engine: hosts of both families that come in from outside, as the internet does.

Two homes of IPv6, the second with two addresses, and one host of IPv4. Nothing leads anywhere else.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Final

from tests.deploy.compose.engine import Engine
from tests.deploy.namespaces import DIES_WITH_US, network, said
from tests.processes import started

SERVER: Final = "fd57:0:0:9::1"
SERVER_IPV4: Final = "198.51.100.1"
"""The engine's host, as the players know it."""

NEIGHBOUR: Final = "fd57:0:0:1::7"
HOME: Final = "fd57:0:0:2::/64"
AT_HOME: Final = ("fd57:0:0:2::7", "fd57:0:0:2::8")
IPV4: Final = "198.51.100.7"

LAY: Final = """
ip link add street type veth peer name eth0 netns "$1"
ip address add "$2/64" dev street nodad
ip address add "$3/24" dev street
ip link set street up
ip route add fd57::/48 dev street
"""
LIVE: Final = """
ip link set lo up
ip link set eth0 up
for address in "$@"; do case $address in
    *:*) ip address add "$address/48" dev eth0 nodad ;;
    *) ip address add "$address/24" dev eth0 ;;
esac; done
"""


@dataclass(frozen=True, slots=True)
class Street:
    """``players`` is a process on their network."""

    players: int

    def network(self) -> AbstractContextManager[None]:
        """This thread is where the players are."""
        return network(f"/proc/{self.players}/ns/net")


@contextmanager
def street(engine: Engine) -> Iterator[Street]:
    """While it leads to the engine's host."""
    command = [*DIES_WITH_US, "unshare", "--net", "sh", "-c", "echo there; exec sleep infinity"]
    with started(command, stdout=subprocess.PIPE, text=True) as players:
        assert players.stdout is not None
        assert players.stdout.readline() == "there\n"
        engine.run("sh", "-euc", LAY, "lay", str(players.pid), SERVER, SERVER_IPV4)
        own = f"--net=/proc/{players.pid}/ns/net"
        said("nsenter", own, "sh", "-euc", LIVE, "live", NEIGHBOUR, *AT_HOME, IPV4)
        yield Street(players.pid)
