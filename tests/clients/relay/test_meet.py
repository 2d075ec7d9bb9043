"""A helper checks every message of the relay server before it acts on it."""

from __future__ import annotations

import pytest

from clients.joining import Address
from clients.relay.direct import worth_calling
from clients.relay.meet import MOST_ADDRESSES, Direct, Joined, Peer, TurnedAway, Wait, read
from protocols.core.errors import RemoteProtocolError


def test_every_line_of_the_protocol_is_read() -> None:
    assert read("WAIT") == Wait()
    assert read("JOINED") == Joined()
    assert read("DIRECT") == Direct()
    assert read("PEER first 198.51.100.7:40000 -") == Peer(True, Address("198.51.100.7", 40000), ())
    assert read("PEER second 198.51.100.7:40000 192.168.1.2:5000,[2001:db8::7]:5000") == Peer(
        False,
        Address("198.51.100.7", 40000),
        (Address("192.168.1.2", 5000), Address("2001:db8::7", 5000)),
    )


def test_a_refusal_is_the_servers_own_words_without_what_moves_a_cursor() -> None:
    with pytest.raises(TurnedAway, match=r"^this code is in use by two others$"):
        read("NO this code is in use by two others")
    with pytest.raises(TurnedAway, match=r"^go \?\[2Jaway$"):
        read("NO go \x1b[2Jaway")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "HELLO",
        "PEER third 198.51.100.7:1 -",
        "PEER first 198.51.100.7:1",
        "PEER first games.example.org:5030 -",
        "PEER first 198.51.100.7 -",
        "PEER first 198.51.100.7:0 -",
        "PEER first 198.51.100.7:65536 -",
        "PEER first 198.51.100.7:x -",
        "PEER first 198.51.100.7:1 192.168.1.2:5000,",
        "220 mail.example.org ESMTP",
    ],
)
def test_what_is_no_line_of_a_relay_is_not_believed(line: str) -> None:
    """Addresses are literals, never names."""
    with pytest.raises(RemoteProtocolError):
        read(line)


def test_no_more_addresses_are_called_than_a_side_may_claim() -> None:
    found = read("PEER first 198.51.100.7:1 " + ",".join(f"198.51.100.8:{port}" for port in range(1, 30)))
    assert isinstance(found, Peer)
    assert len(found.claimed) == MOST_ADDRESSES


def test_neither_this_machine_nor_our_own_port_nor_everybody_is_called() -> None:
    own = [Address("192.168.1.2", 5000)]
    other, loopback = Address("192.168.1.3", 5000), Address("127.0.0.1", 22)
    unwanted = [*own, loopback, Address("0.0.0.0", 5000), Address("224.0.0.1", 5000), Address("::1", 22)]
    assert worth_calling([other, *unwanted, other], own) == [other]
    assert worth_calling([loopback], [Address("127.0.0.1", 5000)]) == [loopback], (
        "a server on this machine: so are both"
    )
