"""Lines of the chess peer-to-peer protocol are read and written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p.wire import LONGEST_LINE, WORDS, Lines, decode, encode, parse, write
from protocols.core.errors import RemoteProtocolError

FEN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"

EVERY_WORD: list[tuple[str, p2p.Message]] = [
    ("new", p2p.New()),
    ("variant crazyhouse", p2p.Variant("crazyhouse")),
    (f"setboard {FEN}", p2p.SetBoard(FEN)),
    ("move e2e4", p2p.Advanced("e2e4")),
    ("move O-O", p2p.Advanced("O-O")),
    ("move P@e4", p2p.Advanced("P@e4")),
    ("go", p2p.Go()),
    ("accepted", p2p.Accepted()),
    ("result 1-0 {White mates}", p2p.Result("1-0", "White mates")),
    ("result * {}", p2p.Result("*")),
    ("name alice", p2p.Name("alice")),
    ("text good luck", p2p.Text("good luck")),
    ("hallo I am bob", p2p.Hallo("I am bob")),
    ("level 40 300 0", p2p.Level(40, 300.0, 0.0)),
    ("level 0 120 2.5", p2p.Level(0, 120.0, 2.5)),
    ("level -1 10 0", p2p.Level(-1, 10.0, 0.0)),
    ("level 0 12345678 0", p2p.Level(0, 12345678.0, 0.0)),
    ("time 29950", p2p.Time(29950)),
    ("otim -5", p2p.OTim(-5)),
    ("remove", p2p.Remove()),
    ("undo", p2p.Undo()),
    ("quit", p2p.Quit()),
    ("draw", p2p.Draw()),
    ("adjourn", p2p.Adjourn()),
    ("abort", p2p.Abort()),
    ("resume", p2p.Resume()),
    ("rematch", p2p.Rematch()),
    ("takeback 3", p2p.Takeback(3)),
    ("resign", p2p.Resign()),
    ("accept", p2p.Accept()),
    ("decline", p2p.Decline()),
    ("ticket AAAAAAAAAAAAAAAAAAAAAA", p2p.Ticket("AAAAAAAAAAAAAAAAAAAAAA")),
    ("myname Alice B", p2p.MyName("Alice B")),
    ("ping 12", p2p.Ping(12)),
    ("pong 12", p2p.Pong(12)),
]


@pytest.mark.parametrize(("line", "message"), EVERY_WORD)
def test_every_word_is_read_and_written(line: str, message: p2p.Message) -> None:
    assert parse(line) == message
    assert write(message) == line
    assert encode(message) == line.encode() + b"\n"


def test_every_message_has_its_word() -> None:
    written = {type(message) for _, message in EVERY_WORD}
    assert written == {word.kind for word in WORDS}
    known = {kind for kind in vars(p2p).values() if isinstance(kind, type) and issubclass(kind, p2p.Message)}
    assert written | {p2p.Message, p2p.Unknown, p2p.Malformed} == known


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"move e2e4\r\n", p2p.Advanced("e2e4")),
        (b"  go  now\n", p2p.Go()),
        (b"result 0-1\n", p2p.Result("0-1")),
        (b"result 1/2-1/2 agreed\n", p2p.Result("1/2-1/2", "agreed")),
        (b"text gr\xfc\xdfe\n", p2p.Text("grüße")),
        (b"text a\0b\x1b[2J\n", p2p.Text("a?b?[2J")),
        (b"text\n", p2p.Text("")),
        (b"\n", p2p.Unknown("")),
        (b"Move e2e4\n", p2p.Unknown("Move e2e4")),
        (b"dance\n", p2p.Unknown("dance")),
        (b"level 5\n", p2p.Malformed("level 5", "level MPS TC INC")),
        (b"level 40 5:00 0\n", p2p.Malformed("level 40 5:00 0", "level MPS TC INC")),
        (b"level 0 nan inf\n", p2p.Malformed("level 0 nan inf", "level MPS TC INC")),
        (b"time soon\n", p2p.Malformed("time soon", "time CENTISECONDS")),
        (b"setboard\n", p2p.Malformed("setboard", "setboard FEN")),
        (b"move e2 e4\n", p2p.Malformed("move e2 e4", "move MOVE")),
        (b"result 2-0 {}\n", p2p.Malformed("result 2-0 {}", "result RESULT {COMMENT}")),
        (b"takeback many\n", p2p.Malformed("takeback many", "takeback PLIES")),
        ("time \u0665\n".encode(), p2p.Malformed("time \u0665", "time CENTISECONDS")),
    ],
)
def test_what_others_write_is_read(line: bytes, message: p2p.Message) -> None:
    assert decode(line) == message


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (p2p.Text("a\nquit\r\n"), "text a quit"),
        (p2p.Name("\x1b[2Jbob"), "name ?[2Jbob"),
        (p2p.Result("1-0", "a} b\n{c"), "result 1-0 {a b c}"),
        (p2p.Unknown("dance\nquit"), "dance quit"),
        (p2p.Text(""), "text"),
    ],
)
def test_no_text_can_begin_a_line_of_its_own(message: p2p.Message, line: str) -> None:
    assert write(message) == line


@pytest.mark.parametrize("letter", ["x", "é", "\ud800"])
def test_a_text_is_cut_to_what_the_other_end_reads(letter: str) -> None:
    line = encode(p2p.Text(letter * 10_000))
    assert len(line) <= LONGEST_LINE + 1
    assert isinstance(decode(line), p2p.Text)


@given(st.lists(st.sampled_from(EVERY_WORD), max_size=5), st.lists(st.integers(1, 20), min_size=1), st.booleans())
def test_lines_may_be_cut_anywhere(words: list[Any], sizes: list[int], returns: bool) -> None:
    end = "\r\n" if returns else "\n"
    wire = "".join(line + end for line, _ in words).encode()
    lines, read = Lines(), []
    for size in sizes:
        read += lines.receive_data(wire[:size])
        wire = wire[size:]
    assert read + lines.receive_data(wire) == [message for _, message in words]


def test_a_line_without_end_breaks_the_connection_after_what_came_before_it() -> None:
    lines = Lines()
    assert lines.receive_data(b"go\n" + b"x" * (LONGEST_LINE + 1)) == [p2p.Go()]
    assert lines.broken == "a line of more than 4096 bytes"
    with pytest.raises(RemoteProtocolError, match="4096"):
        lines.receive_data(b"\n")


def test_a_line_of_the_greatest_length_is_read() -> None:
    assert Lines().receive_data(b"text " + b"x" * (LONGEST_LINE - 5) + b"\n") == [p2p.Text("x" * (LONGEST_LINE - 5))]
    too_long = Lines()
    assert too_long.receive_data(b"text " + b"x" * (LONGEST_LINE - 4) + b"\n") == []
    assert too_long.broken
