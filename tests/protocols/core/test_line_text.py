"""Bytes as readable lines, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.core.line_text import read_hex, show_hex, to_text, to_wire


def test_any_bytes_are_shown_by_two_digits_each_and_read_back() -> None:
    assert show_hex(b"\0\xffA") == "hex 00 ff 41"
    assert read_hex("hex 00 ff 41") == b"\0\xffA"
    assert read_hex(show_hex(b"")) == b""


def test_a_line_of_another_word_is_none_of_these() -> None:
    assert read_hex("hexagon 00") is None
    assert read_hex("") is None


def test_digits_that_are_none_are_refused_with_the_line() -> None:
    with pytest.raises(ValueError, match="not bytes of two hexadecimal digits each: 'hex 0g'"):
        read_hex("hex 0g")


@pytest.mark.parametrize(
    ("wire", "shown"),
    [
        (b"seek 5 0\nplay\n", ["seek 5 0", "play"]),
        (b"play\r\n", ["crlf play"]),
        (b" go\n", [" go"]),
        ("text zoë\n".encode(), ["text zoë"]),
        (b"go\\r\n", ["go\\r"]),
        (b"\n", ["hex 0a"]),
        (b"\r\n", ["hex 0d 0a"]),
        (b"hex 00\n", ["hex 68 65 78 20 30 30 0a"]),
        (b"crlf\n", ["hex 63 72 6c 66 0a"]),
        (b"eof\n", ["hex 65 6f 66 0a"]),
        (b"\0\n", ["hex 00 0a"]),
        (b"\xff\0\n", ["hex ff 00 0a"]),
        (b"pla", ["hex 70 6c 61"]),
        (b"\xff\xfc\x01\xff\xfb\x06play\n", ["hex ff fc 01 ff fb 06", "play"]),
    ],
)
def test_lines_are_shown_as_they_are_and_rubbish_is_hexadecimal(wire: bytes, shown: list[str]) -> None:
    assert to_text(wire) == shown
    assert to_wire(shown) == wire


@given(st.binary(max_size=60))
def test_any_bytes_are_shown_without_loss(wire: bytes) -> None:
    assert to_wire(to_text(wire)) == wire
    assert all(line.isprintable() for line in to_text(wire))


def test_a_readable_line_is_one_line() -> None:
    with pytest.raises(ValueError, match="one line"):
        to_wire(["play\nresign"])
