"""The PROXY header, parsed: versions 1 and 2, however it is cut, and what is none."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.net.proxied import LINE, LONGEST, MOST, Header, parse
from protocols.core.errors import RemoteProtocolError
from tests.net.proxy_headers import LOCAL, SIGNATURE, binary, line, raw

ADDRESSES = st.ip_addresses().filter(lambda address: getattr(address, "ipv4_mapped", None) is None).map(str)
PORTS = st.integers(0, 65535)

BEHIND = (b"", b"PROXY ", b"\r\n", SIGNATURE, b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n")
"""What a client may say first, alone or in pieces that look like a header."""

NAMELESS = [
    b"PROXY UNKNOWN\r\n",
    b"PROXY UNKNOWN \r\n",
    b"PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n",
    LOCAL,
    raw(0x20, 0x11, binary("203.0.113.9")[16:]),
    raw(0x20, 0xFF, b"anything"),
    raw(0x21, 0x00, b""),
    raw(0x21, 0x00, b"TLVs"),
    raw(0x21, 0x31, b"/run/client.sock".ljust(108, b"\0") + b"/run/server.sock".ljust(108, b"\0")),
]

WRONG = [
    b"GET / HTTP/1.1\r\n",
    b"PROXI",
    b"proxy TCP4",
    b"PROXY\r\n",
    b"PROXY \r\n",
    b"PROXY TCP4\r\n",
    b"PROXY UNKNOWNS\r\n",
    b"PROXY UDP4 203.0.113.9 192.0.2.1 1 2\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 1\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 1 2 3\r\n",
    b"PROXY TCP4 203.0.113.9  192.0.2.1 1 2\r\n",
    b"PROXY TCP4 203.0.113.09 192.0.2.1 1 2\r\n",
    b"PROXY TCP4 203.0.113 192.0.2.1 1 2\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.256 1 2\r\n",
    b"PROXY TCP4 2001:db8::9 2001:db8::1 1 2\r\n",
    b"PROXY TCP6 203.0.113.9 192.0.2.1 1 2\r\n",
    b"PROXY TCP6 fe80::9%eth0 fe80::1 1 2\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 65536 2\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 1 -2\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 01 2\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 +1 2\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 1 \xb2\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 1 2".ljust(LINE, b" "),
    b"PROXY UNKNOWN".ljust(LINE - 1) + b"\r\n",
    SIGNATURE[:11] + b"\r",
    raw(0x11, 0x11, bytes(12)),
    raw(0x31, 0x11, bytes(12)),
    raw(0x22, 0x11, bytes(12)),
    raw(0x21, 0x41, bytes(12)),
    raw(0x21, 0x12, bytes(12)),
    raw(0x21, 0x11, bytes(11)),
    raw(0x21, 0x21, bytes(35)),
    raw(0x21, 0x31, bytes(215)),
    raw(0x20, 0x00, bytes(MOST + 1))[:16],
]


def cut_anywhere(header: bytes, behind: bytes, expected: Header) -> None:
    """Every beginning of the header is incomplete, the whole is the same whatever follows."""
    for end in range(len(header)):
        assert parse(header[:end]) is None
    for end in range(len(behind) + 1):
        assert parse(header + behind[:end]) == expected


@given(ADDRESSES, PORTS, st.sampled_from(BEHIND))
def test_a_line_names_the_client_wherever_it_is_cut_and_whatever_follows(host: str, port: int, behind: bytes) -> None:
    header = line(host, port)
    cut_anywhere(header, behind, Header(len(header), (host, port)))


@given(ADDRESSES, PORTS, st.binary(max_size=40), st.sampled_from(BEHIND))
def test_a_binary_header_names_the_client_and_its_tlvs_are_skipped(
    host: str, port: int, tlvs: bytes, behind: bytes
) -> None:
    header = binary(host, port, tlvs)
    cut_anywhere(header, behind, Header(len(header), (host, port)))


@pytest.mark.parametrize("header", NAMELESS)
def test_a_proxys_own_connection_and_an_unknown_family_name_no_client(header: bytes) -> None:
    cut_anywhere(header, b"PROXY UNKNOWN\r\n", Header(len(header), None))


@pytest.mark.parametrize("data", WRONG)
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        parse(data)


def test_the_longest_line_and_the_longest_binary_header_are_read() -> None:
    longest = b"PROXY UNKNOWN".ljust(LINE - 2) + b"\r\n"
    assert parse(longest) == Header(LINE, None)
    with_tlvs = raw(0x20, 0x00, bytes(MOST))
    assert parse(with_tlvs) == Header(LONGEST, None)


def test_a_client_of_ipv4_that_is_written_as_ipv6_is_one_of_ipv4() -> None:
    for build in (line, binary):
        header = build("::ffff:203.0.113.9", 7)
        assert parse(header) == Header(len(header), ("203.0.113.9", 7))


@given(st.binary(max_size=200), st.sampled_from((b"", b"PROXY ", b"PROXY TCP4 ", b"PROXY TCP6 ", SIGNATURE)))
def test_garbage_is_refused_or_waited_for_and_waiting_ends(garbage: bytes, beginning: bytes) -> None:
    """Never another error, never an address that is none, never more bytes than there are; a limit ends the waiting."""
    data = beginning + garbage
    try:
        header = parse(data)
        if header is None:
            assert parse(data.ljust(LONGEST, b"\0")) is not None
    except RemoteProtocolError:
        return
    if header is not None and header.client is not None:
        assert header.length <= len(data)
        host, port = header.client
        assert str((IPv6Address if ":" in host else IPv4Address)(host)) == host
        assert 0 <= port <= 65535
