"""RFC 6455 after the handshake: messages in any frames under any masks, cut anywhere; each fault by its close code."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.web.frame_text import to_text, to_wire
from protocols.web.frames import (
    LONGEST_MESSAGE,
    NO_CODE,
    Close,
    CloseCode,
    Frames,
    Message,
    Ping,
    Pong,
    Text,
    close,
    frame,
    unmasked,
)
from tests.web_client import CLOSE, CONTINUATION, PING, PONG, TEXT, masked

MASK = bytes.fromhex("37fa213d")


def heard(data: bytes) -> list[Message]:
    """What a server makes of these bytes, which break nothing."""
    frames = Frames()
    found = frames.split(data)
    assert frames.broken is None
    return found


def fault(data: bytes) -> int | None:
    """The close code by which a server answers these bytes, None while it would read on."""
    frames = Frames()
    frames.split(data)
    return None if frames.broken is None else frames.broken.code


def test_the_masked_hello_of_the_rfc_is_read() -> None:
    """Section 5.7: "A single-frame masked text message"."""
    assert heard(bytes.fromhex("818537fa213d7f9f4d5158")) == [Text("Hello")]


def test_the_unmasked_hello_of_the_rfc_is_what_a_server_sends() -> None:
    assert frame(b"Hello") == bytes.fromhex("810548656c6c6f")


@pytest.mark.parametrize(
    ("size", "head"), [(125, "817d"), (126, "817e007e"), (65535, "817effff"), (65536, "817f0000000000010000")]
)
def test_a_length_is_written_in_as_few_bytes_as_it_takes(size: int, head: str) -> None:
    assert frame(b"a" * size)[:-size] == bytes.fromhex(head)


@given(
    texts=st.lists(st.text(max_size=300), max_size=5),
    parts=st.integers(1, 4),
    mask=st.binary(min_size=4, max_size=4),
    cuts=st.lists(st.integers(0, 4000), max_size=12),
)
def test_messages_arrive_whole_however_they_are_fragmented_and_cut(
    texts: list[str], parts: int, mask: bytes, cuts: list[int]
) -> None:
    wire, expected = b"", list[Message]()
    for text in texts:
        data = text.encode()
        step = max(1, -(-len(data) // parts))
        pieces = [data[at : at + step] for at in range(0, len(data), step)] or [b""]
        for at, piece in enumerate(pieces):
            last = at == len(pieces) - 1
            wire += masked(piece, TEXT if at == 0 else CONTINUATION, final=last, mask=mask)
            wire += masked(b"\x00\xff", PING, mask=mask)
            expected += [Text(text), Ping(b"\x00\xff")] if last else [Ping(b"\x00\xff")]
    frames = Frames()
    edges = [0, *sorted(min(cut, len(wire)) for cut in cuts), len(wire)]
    found = [message for first, last in pairwise(edges) for message in frames.split(wire[first:last])]
    assert (found, frames.broken) == (expected, None)


@given(payload=st.binary(max_size=300), mask=st.binary(min_size=4, max_size=4))
def test_a_mask_is_laid_over_byte_by_byte(payload: bytes, mask: bytes) -> None:
    assert unmasked(payload, mask) == bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    assert unmasked(unmasked(payload, mask), mask) == payload


def test_the_longest_message_is_read_and_one_byte_more_is_too_big() -> None:
    assert heard(masked(b"a" * LONGEST_MESSAGE)) == [Text("a" * LONGEST_MESSAGE)]
    assert fault(masked(b"a" * (LONGEST_MESSAGE + 1))[:4]) == CloseCode.TOO_BIG
    half = masked(b"a" * LONGEST_MESSAGE, final=False)
    assert fault(half + masked(b"a", CONTINUATION)[:2]) == CloseCode.TOO_BIG
    assert heard(half + masked(b"", CONTINUATION)) == [Text("a" * LONGEST_MESSAGE)]


def test_a_length_of_eight_bytes_is_too_big_whatever_it_says() -> None:
    assert fault(bytes.fromhex("81ff7fffffffffffffff")) == CloseCode.TOO_BIG


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x81\x05Hello", CloseCode.PROTOCOL_ERROR),
        (b"\xc1", CloseCode.PROTOCOL_ERROR),
        (b"\x91", CloseCode.PROTOCOL_ERROR),
        (b"\x83", CloseCode.PROTOCOL_ERROR),
        (b"\x8b", CloseCode.PROTOCOL_ERROR),
        (b"\x09", CloseCode.PROTOCOL_ERROR),
        (b"\x80", CloseCode.PROTOCOL_ERROR),
        (b"\x89\xfe", CloseCode.PROTOCOL_ERROR),
        (b"\x81\xfe\x00\x7d", CloseCode.PROTOCOL_ERROR),
        (b"\x81\xff\x00\x00\x00\x00\x00\x00\xff\xff", CloseCode.PROTOCOL_ERROR),
        (b"\x82", CloseCode.NOT_ACCEPTED),
        (masked(b"\xc3\x28"), CloseCode.NOT_CONSISTENT),
        (masked(b"\xed\xa0\x80"), CloseCode.NOT_CONSISTENT),
        (masked(b"a", final=False) + b"\x81", CloseCode.PROTOCOL_ERROR),
        (masked(b"\x03", CLOSE), CloseCode.PROTOCOL_ERROR),
        (masked((999).to_bytes(2, "big"), CLOSE), CloseCode.PROTOCOL_ERROR),
        (masked((1005).to_bytes(2, "big"), CLOSE), CloseCode.PROTOCOL_ERROR),
        (masked((5000).to_bytes(2, "big"), CLOSE), CloseCode.PROTOCOL_ERROR),
        (masked((1000).to_bytes(2, "big") + b"\xff", CLOSE), CloseCode.NOT_CONSISTENT),
    ],
    ids=[
        *("no mask", "reserved bit", "third reserved bit", "unknown opcode", "unknown control", "fragmented ping"),
        *("nothing to continue", "long ping", "long length", "longer length", "binary", "no UTF-8", "a surrogate"),
        *("message in a message", "half a code", "no code", "a code that is never sent", "above all codes"),
        "a reason that is no text",
    ],
)
def test_a_fault_is_found_as_soon_as_it_can_be(data: bytes, code: int) -> None:
    assert fault(data) == code


def test_what_came_before_a_fault_is_heard_and_nothing_behind_it() -> None:
    frames = Frames()
    assert frames.split(masked(b"one") + b"\xff" + masked(b"two")) == [Text("one")]
    assert frames.split(masked(b"three")) == []


def test_a_close_ends_the_conversation() -> None:
    frames = Frames()
    said = masked((1001).to_bytes(2, "big") + "auf Wiederhören".encode(), CLOSE) + masked(b"more")
    assert frames.split(said) == [Close(1001)]
    assert frames.split(masked(b"more")) == []
    assert heard(masked(b"", CLOSE)) == [Close(NO_CODE)]


def test_a_pong_unasked_means_nothing() -> None:
    assert heard(masked(b"", PONG)) == [Pong()]


def test_a_message_in_thousands_of_frames_is_read() -> None:
    many = masked(b"", final=False) + masked(b"x", CONTINUATION, final=False) * 5000 + masked(b"y", CONTINUATION)
    assert heard(many) == [Text("x" * 5000 + "y")]


def test_a_reason_that_is_too_long_is_cut_between_two_characters() -> None:
    said = close(CloseCode.NORMAL, "ö" * 100)
    assert len(said) == 2 + 2 + 122
    assert said[4:].decode() == "ö" * 61


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (masked(b'{"a":1}', mask=MASK), ['mask 37fa213d {"a":1}']),
        (masked(b'{"a":1}', mask=bytes(4)), ['{"a":1}']),
        (masked(b"[]", mask=bytes(4)), ['text "[]"']),
        (masked(b'{"a":\n1}', mask=bytes(4)), ['text "{\\"a\\":\\n1}"']),
        (masked(b'{"a', final=False, mask=bytes(4)), ["hex 01 83 00 00 00 00 7b 22 61"]),
        (
            masked(b'{"a', final=False, mask=bytes(4)) + masked(b'":1}', CONTINUATION, mask=MASK),
            ['more text "{\\"a"', 'mask 37fa213d rest "\\":1}"'],
        ),
        (masked(b"\x00\xff", PING, mask=MASK), ["mask 37fa213d ping hex 00 ff"]),
        (masked((1000).to_bytes(2, "big") + b"bye", CLOSE, mask=bytes(4)), ['close 1000 "bye"']),
        (masked(b"", CLOSE, mask=bytes(4)), ["close"]),
        (b"\x81\x02{}", ["hex 81 02 7b 7d"]),
    ],
)
def test_frames_are_shown_and_read_back(data: bytes, lines: list[str]) -> None:
    assert to_text(data, sent=False) == lines
    assert to_wire(lines, sent=False) == data


@pytest.mark.parametrize("line", ["resign", 'ping "', "close 65536", "mask 37fa {}", "text 5", "more"])
def test_a_line_that_shows_no_frame_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=line.split()[0]):
        to_wire([line], sent=False)
