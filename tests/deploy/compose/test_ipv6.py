"""Players of both families come from outside, as docs/compose.md and docs/nodes.md bring IPv6 up, and each is known."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import pytest

from tests.conformance.figures import until
from tests.conformance.spec_client import PATIENCE_S
from tests.deploy.compose import handbook
from tests.deploy.compose.composition import CHESS, HTTPS, SERVICES, Composition
from tests.deploy.compose.street import AT_HOME, HOME, IPV4, NEIGHBOUR, SERVER, SERVER_IPV4, Street, street

CONNECTIONS: Final = 64
"""Those of one address: limits.connections_per_address, and nginx's own limit."""


@dataclass(frozen=True, slots=True)
class Site:
    """A composition with IPv6, its players, and the services of its gateways and of what publishes their ports."""

    composition: Composition
    street: Street
    gateways: tuple[str, ...]
    published: str

    def connects(self, source: str, port: int) -> socket.socket:
        """A player calls from this address of theirs."""
        server = SERVER if ":" in source else SERVER_IPV4
        with self.street.network():
            return socket.create_connection((server, port), PATIENCE_S, source_address=(source, 0))

    def call(self, source: str) -> socket.socket | None:
        """A chess adapter's connection that has heard the server's first words; None where it was hung up on."""
        made = self.connects(source, CHESS)
        with suppress(ConnectionError):
            if made.recv(100).startswith(b"hallo "):
                return made
        made.close()
        return None

    def greets(self, source: str) -> bool:
        """True if one that calls from there hears them."""
        if (made := self.call(source)) is None:
            return False
        made.close()
        return True

    def upgraded(self, source: str) -> tuple[ssl.SSLSocket, int]:
        """A page's WebSocket, with the status of the answer: 101 where it stays open."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # the certificate is not looked at here
        web = context.wrap_socket(self.connects(source, HTTPS))
        fields = f"Host: {handbook.HOST}\r\nOrigin: https://{handbook.HOST}\r\nSec-WebSocket-Version: 13\r\n"
        fields += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        web.sendall(f"GET /ws HTTP/1.1\r\n{fields}\r\n".encode())
        return web, int(web.recv(1000).split()[1])

    def page(self, source: str) -> int:
        """The status of that alone."""
        web, status = self.upgraded(source)
        web.close()
        return status


def restarted(composition: Composition, text: str, services: tuple[str, ...], *, other: bool = False) -> None:
    """The host writes ``text`` into .env and types what the page has for another network.

    ``other``: .env names another composition then, and the one that runs is stopped before, as docs/nodes.md has it.
    """
    if other:
        composition.types("docker-compose down")
    (composition.tree / ".env").write_text(text, encoding="utf-8")
    composition.types(handbook.NETWORK_ANEW)
    for service in services:
        composition.wait_until_healthy(service)


@pytest.fixture(scope="module", params=["one", pytest.param("three", marks=pytest.mark.nightly)])
def site(composition: Composition, request: pytest.FixtureRequest) -> Iterator[Site]:
    """The composition of one gateway, and that of three, each with its file for IPv6."""
    file = composition.tree / ".env"
    before = file.read_text(encoding="utf-8")
    chosen = before
    three = request.param == "three"
    for line in (*handbook.FOR_IPV6.splitlines(), f"COMPOSE_FILE={handbook.FILES_OF_IPV6[three]}"):
        name = line.partition("=")[0]
        chosen = re.sub(rf"^{name}=.*\n", "", chosen, flags=re.MULTILINE) + f"{line}\n"
    gateways = ("gateway-1", "gateway-2", "gateway-3") if three else ("gateway",)
    front = ("haproxy",) if three else ()
    restarted(composition, chosen, (*gateways, *front, "database", "proxy"), other=three)
    with street(composition.engine) as players:
        yield Site(composition, players, gateways, (*front, "gateway")[0])
    restarted(composition, before, SERVICES, other=three)


def test_every_port_is_reached_by_both_families(site: Site) -> None:
    """The first words of a server where there are some: somebody behind the port has heard the call."""
    ports = set()
    for service in (site.published, "proxy"):
        bindings = site.composition.inspect(service)["HostConfig"]["PortBindings"].values()
        both = [{(each["HostIp"], int(each["HostPort"])) for each in binding} for binding in bindings]
        for found in both:
            assert {host for host, _ in found} == {"::", "0.0.0.0"}
            ports |= {port for _, port in found}
    assert {80, HTTPS, 5010, 5030, 5700, CHESS} < ports
    unused = set(range(5040, 5060))  # nobody has opened a one-time port
    for source in (NEIGHBOUR, IPV4):
        for port in ports - unused:
            site.connects(source, port).close()
        assert site.greets(source)
        assert site.page(source) == 101


def test_a_ban_meets_the_home_and_nobody_else(site: Site) -> None:
    """ "An IPv6 address is one of very many of its home: ban the network" """
    site.composition.inside(site.gateways[0], "boardgate", "ban", "add", HOME)
    try:
        for source in AT_HOME:
            until(partial(site.greets, source), lambda greeted: not greeted)
            until(partial(site.page, source), lambda status: status == 403)
        for source in (NEIGHBOUR, IPV4):
            assert site.greets(source)
            assert site.page(source) == 101
    finally:
        site.composition.inside(site.gateways[0], "boardgate", "ban", "remove", HOME)
    until(lambda: site.greets(AT_HOME[0]) and site.page(AT_HOME[0]) == 101, bool)


def test_a_ban_of_an_ipv4_address_meets_it_alone(site: Site) -> None:
    """Where one socket serves both families, too."""
    site.composition.inside(site.gateways[0], "boardgate", "ban", "add", IPV4)
    try:
        until(lambda: site.greets(IPV4), lambda greeted: not greeted)
        until(lambda: site.page(IPV4), lambda status: status == 403)
        assert site.greets(NEIGHBOUR)
        assert site.page(NEIGHBOUR) == 101
    finally:
        site.composition.inside(site.gateways[0], "boardgate", "ban", "remove", IPV4)
    until(lambda: site.greets(IPV4), bool)


def test_all_addresses_of_a_home_share_its_connections_to_the_web(site: Site) -> None:
    with ExitStack() as stack:
        found = []
        for index in range(CONNECTIONS + 6):
            web, status = site.upgraded(AT_HOME[index % 2])
            stack.enter_context(web)
            found.append(status)
        assert (found.count(101), found.count(503)) == (CONNECTIONS, 6)
        assert [site.page(source) for source in (NEIGHBOUR, IPV4)] == [101, 101]


def test_all_addresses_of_a_home_share_its_connections_to_the_players_ports(site: Site) -> None:
    """Each gateway counts for itself."""
    with ExitStack() as stack:
        for index in range(CONNECTIONS * len(site.gateways)):
            call = until(partial(site.call, AT_HOME[index % 2]), bool)
            assert call is not None
            stack.enter_context(call)
        assert not any(site.greets(source) for source in AT_HOME)
        assert all(site.greets(source) for source in (NEIGHBOUR, IPV4))
    until(lambda: site.greets(AT_HOME[0]), bool)
