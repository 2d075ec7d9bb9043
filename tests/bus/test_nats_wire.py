"""The NATS protocol as bytes: every frame, split anywhere, and what breaks the protocol."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.bus.nats_wire import (
    LONGEST_LINE,
    LONGEST_PAYLOAD,
    Connect,
    Failure,
    Frame,
    FrameReader,
    Info,
    Message,
    NatsProtocolError,
    Sign,
    publish,
    subscribe,
)

STREAM = (
    b'INFO {"server_id":"S","max_payload":9000,"tls_required":true,"headers":true}\r\n'
    b"+OK\r\nPING\r\n"
    b"MSG boardgate.c.1 1 5\r\nab\r\nc\r\n"
    b"MSG boardgate.c.1 1 an.answer 0\r\n\r\n"
    b"msg\tboardgate.c.all 2  2\r\n\xc3\xa9\r\n"
    b"pong\r\n-ERR 'Stale Connection'\r\n"
)
FRAMES = [
    Info(max_payload=9000, tls_required=True),
    Sign(b"+OK"),
    Sign(b"PING"),
    Message(b"ab\r\nc"),
    Message(b""),
    Message("é".encode()),
    Sign(b"PONG"),
    Failure("Stale Connection"),
]


@given(st.lists(st.integers(min_value=0, max_value=len(STREAM))))
def test_any_split_gives_the_same_frames(cuts: list[int]) -> None:
    reader, begin = FrameReader(), 0
    frames: list[Frame] = []
    for cut in [*sorted(cuts), len(STREAM)]:
        frames += reader.receive_data(STREAM[begin:cut])
        begin = cut
    assert frames == FRAMES
    assert reader.rest == 0


@pytest.mark.parametrize(
    ("received", "why"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", "unknown: b'HTTP/1.1 400"),
        (b"\r\n", "unknown: b''"),
        (b"INFO not json\r\n", "INFO that is no JSON"),
        (b'INFO {"max_payload":"many"}\r\n', "INFO that is no JSON"),
        (b"MSG a 1\r\n", "not a message's head"),
        (b"MSG a 1 -5\r\n", "not a message's head"),
        (b"MSG a 1 r 1 1\r\n", "not a message's head"),
        (b"MSG a 1 5\r\nabcdefg", "longer than its head says"),
        (b"MSG a 1 %d\r\n" % (LONGEST_PAYLOAD + 1), "a payload of 1048577 bytes"),
        (b"MSG a 1 99999999999999999999\r\n", "not a message's head"),
        (b"x" * (LONGEST_LINE + 1), "a line of more than"),
        (b"INFO " + b"x" * LONGEST_LINE + b"\r\n", "a line of more than"),
    ],
)
def test_a_server_that_breaks_the_protocol_is_named(received: bytes, why: str) -> None:
    with pytest.raises(NatsProtocolError, match=why):
        FrameReader().receive_data(received)


@given(st.binary())
def test_any_bytes_give_frames_or_a_protocol_error(received: bytes) -> None:
    try:
        frames = FrameReader().receive_data(received)
    except NatsProtocolError:
        return
    assert all(isinstance(frame, Info | Message | Failure | Sign) for frame in frames)


def test_what_a_client_says() -> None:
    """What is None is not said: a server takes an empty user for a user."""
    assert publish("boardgate.c.2", b"1 1\nm") == b"PUB boardgate.c.2 5\r\n1 1\nm\r\n"
    assert subscribe("boardgate.c.2", 1) == b"SUB boardgate.c.2 1\r\n"
    plain = Connect("boardgate/1", "python", "1", False, False, False, 1, False)
    assert plain.line() == (
        b'CONNECT {"name":"boardgate/1","lang":"python","version":"1","verbose":false,"pedantic":false,'
        b'"echo":false,"protocol":1,"tls_required":false}\r\n'
    )
    known = Connect("b", "python", "1", False, False, False, 1, False, user="pia", password='se"same')
    assert known.line().endswith(b'"user":"pia","pass":"se\\"same"}\r\n')
