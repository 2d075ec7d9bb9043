"""Lines of a peer, and the options of its Telnet, wherever its bytes are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.core.line_reader import MOST_BEGUN, LineReader

LONGEST = 40

INTERRUPT = b"\xff\xf4\xff\xfd\x06"
"""Ctrl-C at a Telnet client: Interrupt Process, then DO TIMING-MARK."""


def heard(*pieces: bytes) -> tuple[list[bytes | None], bytes]:
    """The lines, and the answers to options."""
    reader = LineReader(LONGEST)
    lines = [line for piece in pieces for line in reader.receive_data(piece)]
    return lines, b"".join(reader.answers())


def test_lines_end_with_lf_cr_lf_or_cr_nul_wherever_they_are_cut() -> None:
    """RFC 854: "CR NUL" is a carriage return alone; a Telnet client in character mode sends it for the return key."""
    assert heard(b"play\r\nse", b"ek 5", b" 0\n\nm\r", b"\0x\ry\r", b"\nrest") == (
        [b"play\r", b"seek 5 0", b"", b"m\r", b"x\ry\r"],
        b"",
    )
    assert heard(b"a\0b\n") == ([b"a\0b"], b"")


def test_an_interrupted_client_is_given_its_timing_mark_each_time() -> None:
    """RFC 860: "the sender of this command REQUESTS that the receiver of this command return a WILL TIMING-MARK in the
    data stream at the appropriate place"."""
    assert heard(b"pl" + INTERRUPT + b"ay\r\n" + INTERRUPT) == ([b"play\r"], 2 * b"\xff\xfb\x06")


def test_every_option_is_refused_once() -> None:
    """RFC 854: WONT is the answer to a DO, DONT to a WILL, and no answer is answered."""
    asked = b"\xff\xfd\x01\xff\xfb\x01\xff\xfd\x01\xff\xfb\x01\xff\xfb\x1f\xff\xfc\x03\xff\xfe\x01\xff\xfd\x01"
    assert heard(asked + b"play\n") == ([b"play"], b"\xff\xfc\x01\xff\xfe\x01\xff\xfe\x1f")


def test_options_whose_numbers_are_ends_of_lines_end_none() -> None:
    assert heard(b"pl\xff\xfd\x0aay\r\xff\xfb\x00\n") == ([b"play\r"], b"\xff\xfc\x0a\xff\xfe\x00")


def test_a_subnegotiation_and_other_commands_say_nothing() -> None:
    """RFC 855: "IAC SB <option> <parameters> IAC SE"; 255 is doubled within."""
    assert heard(b"\xff\xfa\x1f\x00P\xff\xff\n\xff\xf0play\xff\xf1\xff\xf9\n") == ([b"play"], b"")


def test_255_as_a_letter_is_kept() -> None:
    """A GUI of old writes Windows' letters, of which this is one, and no Telnet."""
    assert heard("tu ÿ, ÿve\n".encode("cp1252")) == (["tu ÿ, ÿve".encode("cp1252")], b"")
    assert heard(b"\xff\xff\n") == ([b"\xff"], b"")


def test_a_line_that_is_too_long_is_known_at_once_and_left_out() -> None:
    whole = b"x" * LONGEST
    assert heard(whole + b"\nplay\n") == ([whole, b"play"], b"")
    assert heard(b"play\n" + whole + b"xx") == ([b"play", None], b"")
    assert heard(b"play\n" + whole + b"x", whole, b"y\nplay\n") == ([b"play", None, b"play"], b"")
    assert heard(b"a\n" + whole + b"x\nb\n") == ([b"a", None, b"b"], b"")


def test_a_command_of_telnet_without_end_is_a_line_that_is_too_long() -> None:
    assert heard(b"\xff\xfa" + b"x" * MOST_BEGUN, b"y", b"z\nplay\n") == ([None, b"play"], b"")


@given(
    st.lists(st.sampled_from([b"ab", b"\r", b"\n", b"\0", b"\xff", b"\xfd", b"\xfb", b"\xfa", b"\xf0", b"\x06"])),
    st.data(),
)
def test_lines_and_answers_do_not_depend_on_where_bytes_are_cut(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)[:LONGEST]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)))))
    pieces = [whole[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert heard(*pieces) == heard(whole)


@pytest.mark.parametrize("verb", [251, 252, 253, 254])
def test_no_peer_can_make_us_answer_an_option_twice(verb: int) -> None:
    lines, answers = heard(3 * b"".join(bytes((255, verb, option)) for option in range(256) if option != 6))
    assert lines == []
    assert len(answers) == (3 * 255 if verb in (251, 253) else 0)
