"""Every listener behind proxies: clients are who the PROXY header says, in plain TCP and with TLS behind the header."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from tests.certificates import Authority
from tests.cli.playing import record
from tests.conformance.behind_proxies import BANNED, Passed, ban
from tests.conformance.figures import figures, numbers
from tests.conformance.servers import fast
from tests.faults.guests import DEFECTS, GAME
from tests.net.proxy_headers import LOCAL, binary, line
from tests.running import RunningServer

PLAYERS, PLAYERS_TLS, PAGES, PAGES_TLS, RELAY, RELAY_TLS = range(6)
"""The listeners, in their order."""

UPGRADE = b"""GET /ws HTTP/1.1\r
Host: localhost\r
Connection: Upgrade\r
Upgrade: websocket\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
\r
"""

PLACES = 8
"""Of an address, and connections of it within a second: the proxy's own checks are some."""

TURNED_AWAY = ("boardgate_connections_turned_away_total", "no proxy header")

_NUMBERS = count(1)

Build = Callable[[str], bytes]

BUILDERS = pytest.mark.parametrize("build", [line, binary], ids=["v1", "v2"])


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    found = Authority(tmp_path_factory.mktemp("club"))
    found.issues("localhost")
    return found


@pytest.fixture(scope="module")
def there(club: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server where BANNED is banned."""
    data = tmp_path_factory.mktemp("data")
    record(data)
    ban(data, BANNED)
    behind = [f"{name},proxy_protocol=yes{tls}" for name in ("bogaprot", "http", "relay") for tls in ("", _tls(club))]
    with fast(data, *behind, LIMITS_CONNECTIONS_PER_ADDRESS=str(PLACES)) as found:
        yield found
        assert not any(word in found.log.read_text() for word in (*DEFECTS, "Task"))
        assert found.stop() == 0


def _tls(club: Authority) -> str:
    return f",{club.options()}"


@pytest.fixture(params=["plain", "tls"])
def trust(request: pytest.FixtureRequest, club: Authority) -> ssl.SSLContext | None:
    return club.trust if request.param == "tls" else None


def turned_away(there: RunningServer) -> float:
    """Connections that were refused for the lack of a header, as a client on the proxy's machine is told."""
    with Passed(there.ports[PAGES], line(f"127.0.1.{next(_NUMBERS)}")) as guest:
        return numbers(guest.gets("/metrics")[1])[TURNED_AWAY]


def client() -> str:
    """An address that no other test has: what they leave behind takes no place of it."""
    return f"203.0.113.{next(_NUMBERS)}"


@BUILDERS
def test_players_behind_one_proxy_have_the_places_of_their_own_addresses(
    there: RunningServer, trust: ssl.SSLContext | None, build: Build
) -> None:
    """One more of an address than it has places is hung up on, before TLS's handshake where there is TLS."""
    port = there.ports[PLAYERS if trust is None else PLAYERS_TLS]
    anna, bert = client(), f"2001:db8:{next(_NUMBERS)}::1"
    with ExitStack() as stack:
        for host in (anna, bert) * PLACES:
            stack.enter_context(Passed(port, build(host), trust)).joins(GAME)
        with Passed(port, build(anna)) as another:
            assert another.is_hung_up_on()


@pytest.mark.parametrize("port", [PLAYERS, PLAYERS_TLS, PAGES, PAGES_TLS, RELAY, RELAY_TLS])
@BUILDERS
def test_a_ban_bites_on_the_address_in_the_header(there: RunningServer, port: int, build: Build) -> None:
    """The relay has a word for it."""
    with Passed(there.ports[port], build(BANNED)) as banned:
        assert banned.rest() == (b"NO the server is full\n" if port == RELAY else b"")


@pytest.mark.parametrize("port", [PLAYERS, PLAYERS_TLS, PAGES, PAGES_TLS, RELAY, RELAY_TLS])
def test_who_sends_no_header_is_hung_up_on_counted_and_logged(there: RunningServer, port: int) -> None:
    before = turned_away(there)
    with Passed(there.ports[port], b"GET / HTTP/1.1\r\n\r\n") as stranger:
        assert stranger.is_hung_up_on()
    assert turned_away(there) == before + 1
    logged = [one for one in there.log.read_text().splitlines() if 'event="no PROXY header"' in one]
    assert f"=127.0.0.1:{there.ports[port]}," in logged[-1]
    assert " peer=127.0.0.1 " in logged[-1]


@BUILDERS
def test_a_page_is_asked_for_by_the_address_in_the_header(
    there: RunningServer, trust: ssl.SSLContext | None, build: Build
) -> None:
    """The figures are for this machine: a client of another is refused, and the proxy's own check is not."""
    port = there.ports[PAGES if trust is None else PAGES_TLS]
    with Passed(port, build(client()), trust) as guest:
        assert guest.gets("/metrics")[0] == 401
    with Passed(port, build(client()), trust) as guest:
        assert guest.gets("/healthz")[0] == 200
    with Passed(port, LOCAL, trust) as check:
        assert check.gets("/metrics")[0] == 200


@BUILDERS
def test_a_websocket_has_the_place_of_the_address_in_the_header(
    there: RunningServer, trust: ssl.SSLContext | None, build: Build
) -> None:
    """One more is hung up on, or told so in HTTP where the second is over in which it came too often."""
    port, host = there.ports[PAGES if trust is None else PAGES_TLS], client()
    with ExitStack() as stack:
        for _ in range(PLACES):
            guest = stack.enter_context(Passed(port, build(host), trust))
            guest.sock.sendall(UPGRADE)
            assert guest.sock.recv(12) == b"HTTP/1.1 101"
        with Passed(port, build(host)) as another:
            assert another.rest()[:12] in (b"", b"HTTP/1.1 503")


def test_the_relay_names_its_callers_by_the_address_in_the_header(
    there: RunningServer, trust: ssl.SSLContext | None
) -> None:
    anna, bert = client(), client()
    with Passed(there.ports[PAGES], line(client())) as opener:
        code = opener.opens_room()["code"]
    port = there.ports[RELAY if trust is None else RELAY_TLS]
    with Passed(port, line(anna, 7), trust) as first, Passed(port, binary(bert, 8), trust) as second:
        for side, guest in (("A", first), ("B", second)):
            guest.meets(code, side)
            assert guest.line() == "WAIT"
        assert first.line() == f"PEER first {bert}:8 -"
        assert second.line() == f"PEER second {anna}:7 -"


def test_one_time_ports_are_behind_the_relays_proxies(there: RunningServer) -> None:
    """Half a header waits and takes nobody's place; the two whose headers come are joined, with all they said."""
    with Passed(there.ports[PAGES], line(client())) as opener:
        port = opener.opens_room()["port"]
    with (
        Passed(port, b"hello") as stranger,
        Passed(port, b"PROXY ") as late,
        Passed(port, line(client()) + b"early") as first,
        Passed(port, binary(client())[:20]) as second,
    ):
        assert stranger.is_hung_up_on()
        header = binary(client())
        second.sock.sendall(header[20:] + b"hi")
        assert first.sock.recv(2) == b"hi"
        assert second.sock.recv(5) == b"early"
        late.sock.sendall(line(client()).removeprefix(b"PROXY "))
        assert late.is_hung_up_on()


def test_other_addresses_than_trusted_ones_are_hung_up_on(tmp_path: Path) -> None:
    settings = {"SERVER_TRUSTED_PROXIES": "10.0.0.0/8 127.0.0.7"}
    behind = [f"{name},proxy_protocol=yes" for name in ("bogaprot", "http", "relay")]
    with fast(tmp_path, *behind, "http", ports=None, **settings) as running:
        for port in running.ports[:3]:
            with Passed(port, b"") as stranger:
                assert stranger.is_hung_up_on()
        assert figures(running.ports[3])[TURNED_AWAY] == 3
        assert 'why="not one of server.trusted_proxies"' in running.log.read_text()
        with Neighbour(running.ports[0], line(client())) as guest:
            guest.joins(GAME)


class Neighbour(Passed):
    """It comes from an address that is trusted."""

    HOST = "127.0.0.7"
