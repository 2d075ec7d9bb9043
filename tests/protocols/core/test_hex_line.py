"""Bytes that are no message, as every dialect shows them."""

from __future__ import annotations

import pytest

from protocols.core import hex_line


def test_any_bytes_are_shown_by_two_digits_each_and_read_back() -> None:
    assert hex_line.show(b"\0\xffA") == "hex 00 ff 41"
    assert hex_line.read("hex 00 ff 41") == b"\0\xffA"
    assert hex_line.read(hex_line.show(b"")) == b""


def test_a_line_of_another_word_is_none_of_these() -> None:
    assert hex_line.read("hexagon 00") is None
    assert hex_line.read("") is None


def test_digits_that_are_none_are_refused_with_the_line() -> None:
    with pytest.raises(ValueError, match="not bytes of two hexadecimal digits each: 'hex 0g'"):
        hex_line.read("hex 0g")
