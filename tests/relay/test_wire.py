"""Lines of the relay port are those of docs/relay.md."""

from __future__ import annotations

import contextlib
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.relay import wire
from gateway.relay.wire import BadLine, Meet, read_choice, read_meet

SIDE = "abcdefghijklmnopqrstu-"
START = "BOARDGATE-RELAY 1 MEET"


def test_who_wants_to_meet_names_room_side_and_addresses() -> None:
    """ "BOARDGATE-RELAY 1 MEET ROOM SIDE ADDR[,ADDR...]"; the server keeps the SHA-256 of SIDE only."""
    digest = hashlib.sha256(SIDE.encode()).digest()
    assert read_meet(f"{START} k7fq9xbc {SIDE} 192.0.2.1:80,[2001:db8::1]:65535".encode()) == Meet(
        "k7fq9xbc", digest, ("192.0.2.1:80", "[2001:db8::1]:65535")
    )


def test_no_address_is_a_dash() -> None:
    assert read_meet(f"{START} k7fq9x {SIDE} -".encode()).addresses == ()


def test_a_code_typed_in_capitals_is_the_same_code() -> None:
    assert read_meet(f"{START} K7FQ9X {SIDE} -\r".encode()).room == "k7fq9x"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("GET / HTTP/1.1", "this port is for BOARDGATE-RELAY 1"),
        ("", "this port is for BOARDGATE-RELAY 1"),
        (f"BOARDGATE-RELAY 2 MEET k7fq9x {SIDE} -", "write BOARDGATE-RELAY 1 MEET ROOM SIDE ADDR[,ADDR...]"),
        (f"BOARDGATE-RELAY 1 SEAT k7fq9x {SIDE} -", "write BOARDGATE-RELAY 1 MEET ROOM SIDE ADDR[,ADDR...]"),
        (f"{START} k7fq9x {SIDE}", "write BOARDGATE-RELAY 1 MEET ROOM SIDE ADDR[,ADDR...]"),
        (f"{START} k7fq9x {SIDE} - -", "write BOARDGATE-RELAY 1 MEET ROOM SIDE ADDR[,ADDR...]"),
        (f"{START} k7fq9 {SIDE} -", "ROOM is 6 to 8 letters and digits"),
        (f"{START} k7fq9xbcd {SIDE} -", "ROOM is 6 to 8 letters and digits"),
        (f"{START} ../../ {SIDE} -", "ROOM is 6 to 8 letters and digits"),
        (f"{START} k7fq9x {SIDE}x -", "SIDE is 22 letters, digits, - or _"),
        (f"{START} k7fq9x {SIDE[1:]} -", "SIDE is 22 letters, digits, - or _"),
        (f"{START} k7fq9x {SIDE} localhost:80", "ADDR is IPV4:PORT, [IPV6]:PORT or - alone"),
        (f"{START} k7fq9x {SIDE} 192.0.2.1", "ADDR is IPV4:PORT, [IPV6]:PORT or - alone"),
        (f"{START} k7fq9x {SIDE} 192.0.2.1:0", "ADDR is IPV4:PORT, [IPV6]:PORT or - alone"),
        (f"{START} k7fq9x {SIDE} 192.0.2.1:65536", "ADDR is IPV4:PORT, [IPV6]:PORT or - alone"),
        (f"{START} k7fq9x {SIDE} 192.0.2.256:80", "ADDR is IPV4:PORT, [IPV6]:PORT or - alone"),
        (f"{START} k7fq9x {SIDE} 2001:db8::1:80", "ADDR is IPV4:PORT, [IPV6]:PORT or - alone"),
        (f"{START} k7fq9x {SIDE} -,192.0.2.1:80", "ADDR is IPV4:PORT, [IPV6]:PORT or - alone"),
        (f"{START} k7fq9x {SIDE} " + ",".join(["1.2.3.4:5"] * 9), "claim at most 8 addresses"),
        (f"{START} k7fq9x {SIDE} \x7f", "lines are ASCII that prints"),
    ],
)
def test_what_is_wrong_with_a_first_line_is_said(line: str, why: str) -> None:
    with pytest.raises(BadLine) as caught:
        read_meet(line.encode())
    assert str(caught.value) == why


def test_a_line_that_is_not_ascii_is_refused() -> None:
    with pytest.raises(BadLine, match="lines are ASCII"):
        read_meet(b"BOARDGATE-RELAY\xff")


def test_later_a_side_says_join_or_direct_and_nothing_else() -> None:
    assert (read_choice(b"JOIN"), read_choice(b"DIRECT\r")) == ("JOIN", "DIRECT")
    for other in (b"join", b"JOIN ", b"", b"LEAVE"):
        with pytest.raises(BadLine, match="say JOIN or DIRECT"):
            read_choice(other)


def test_a_side_is_told_its_place_what_was_observed_and_what_was_claimed() -> None:
    """ "PEER first|second OBSERVED ADDR[,ADDR...]"."""
    assert wire.peer(0, "192.0.2.1:80", ("10.0.0.1:5",)) == b"PEER first 192.0.2.1:80 10.0.0.1:5\n"
    assert wire.peer(1, "[2001:db8::1]:80", ()) == b"PEER second [2001:db8::1]:80 -\n"
    assert wire.peer(0, "192.0.2.1:80", ("1.2.3.4:5", "6.7.8.9:10")) == (
        b"PEER first 192.0.2.1:80 1.2.3.4:5,6.7.8.9:10\n"
    )


def test_a_refusal_is_words() -> None:
    """ "NO reason in words"."""
    assert wire.no("this code has expired") == b"NO this code has expired\n"


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("192.0.2.1", "192.0.2.1:5"),
        ("2001:db8::1", "[2001:db8::1]:5"),
        ("::ffff:192.0.2.1", "192.0.2.1:5"),
        ("fe80::1%eth0", "[fe80::1]:5"),
    ],
)
def test_an_address_is_written_so_that_the_other_side_can_dial_it(host: str, shown: str) -> None:
    assert wire.shown(host, 5) == shown


def test_the_longest_answer_is_little_more_than_the_longest_question() -> None:
    """No amplification: who sends a line makes the server send lines of about that length."""
    eight = ("255.255.255.255:65535",) * wire.ADDRESSES
    asked = f"{START} k7fq9xbc {SIDE} {','.join(eight)}\n"
    assert len(asked) <= wire.LONGEST
    assert len(wire.peer(1, "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535", eight)) <= wire.LONGEST


ODD_ENDS = st.text(" -:,.[]019aA", max_size=80)


@given(st.binary(max_size=300) | ODD_ENDS.map(lambda end: f"{START} {end}".encode()))
def test_any_bytes_are_a_meeting_or_a_bad_line(line: bytes) -> None:
    with contextlib.suppress(BadLine):
        meet = read_meet(line)
        assert len(meet.addresses) <= wire.ADDRESSES
        assert meet.room == meet.room.lower()
