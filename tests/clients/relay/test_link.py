"""A link carries bytes both ways over connections that are cut anywhere, without loss, repetition or reordering."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clients.relay.frames import (
    LONGEST_PIECE,
    Bye,
    Delivered,
    End,
    Frame,
    Frames,
    Hello,
    Leave,
    Piece,
    Ping,
    Pong,
    Stop,
    encode,
)
from clients.relay.link import CONFIRM_EVERY, WINDOW, Link, StartedAnew
from protocols.core.errors import RemoteProtocolError
from tests.laws.playouts import NIGHTLY

IDS = (b"A" * 16, b"B" * 16)
MOST = 65536


class Pair:
    """Two links, and the bytes on the way between them. ``outs`` are the bytes that their programs got."""

    def __init__(self) -> None:
        self.links = tuple(map(Link, IDS))
        self.ways = [bytearray(), bytearray()]
        self.outs = [bytearray(), bytearray()]
        self.ended = [False, False]
        self.connect()

    def connect(self) -> None:
        """Make a new connection; bytes on the way over the last one are lost."""
        for link, way in zip(self.links, self.ways, strict=True):
            way.clear()
            link.disconnect()
            link.connect()

    def send(self, at: int) -> None:
        self.ways[at] += self.links[at].data_to_send(MOST)

    def carry(self, at: int, count: int) -> None:
        """So many bytes of side ``at`` arrive."""
        way = self.ways[at]
        data = bytes(way[:count])
        del way[:count]
        self.links[1 - at].receive_data(data)

    def put_out(self, at: int) -> None:
        data = self.links[at].next_out()
        if data is not None:
            assert not self.ended[at], "something came after the end"
            self.outs[at] += data
            self.ended[at] = data == b""
            self.links[at].put_out(data)

    def settle(self) -> None:
        """Everything arrives and is taken, until nothing moves any more."""
        while True:
            for at in (0, 1):
                self.send(at)
                self.put_out(at)
            if not any(self.ways) and all(link.next_out() is None for link in self.links):
                for at in (0, 1):
                    self.send(at)
                if not any(self.ways):
                    return
            for at in (0, 1):
                self.carry(at, len(self.ways[at]))


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["take", "take", "send", "send", "carry", "carry", "put out", "end", "cut"]),
        st.sampled_from([0, 1]),
        st.integers(1, 2 * LONGEST_PIECE),
    ),
    max_size=60,
)


@settings(max_examples=2_000 if NIGHTLY else 80)
@given(STEPS)
def test_whatever_is_cut_and_when_both_programs_get_exactly_what_the_other_said(
    steps: list[tuple[str, int, int]],
) -> None:
    pair, said, done = Pair(), [bytearray(), bytearray()], [False, False]
    for step, at, count in steps:
        if step == "take" and not done[at]:
            data = bytes((len(said[at]) + n) % 251 for n in range(min(count, pair.links[at].room)))
            said[at] += data
            pair.links[at].take(data)
        elif step == "send":
            pair.send(at)
        elif step == "carry":
            pair.carry(at, count)
        elif step == "put out":
            pair.put_out(at)
        elif step == "end":
            done[at] = True
            pair.links[at].end()
        elif step == "cut":
            pair.connect()
    for link in pair.links:
        link.end()
    pair.connect()
    pair.settle()
    assert pair.outs == [said[1], said[0]]
    assert pair.ended == [True, True]
    assert all(link.over for link in pair.links)


def test_nothing_of_the_stream_is_sent_before_the_other_has_said_how_much_it_has() -> None:
    link = Link(IDS[0])
    link.take(b"e2e4")
    link.connect()
    assert Frames().receive_data(link.data_to_send(MOST)) == [Hello(IDS[0], 0, False)]
    link.receive_data(encode(Hello(IDS[1], 0, False)))
    assert Frames().receive_data(link.data_to_send(MOST)) == [Delivered(0), Piece(0, b"e2e4")]


def test_a_new_connection_goes_on_where_the_other_says_it_is() -> None:
    link = Link(IDS[0])
    link.take(b"abcdef")
    link.connect()
    link.receive_data(encode(Hello(IDS[1], 0, False)))
    link.data_to_send(MOST)
    link.disconnect()
    link.connect()
    link.receive_data(encode(Hello(IDS[1], 4, False)))
    assert Frames().receive_data(link.data_to_send(MOST))[-1] == Piece(4, b"ef")


def test_an_end_that_was_lost_is_sent_again_and_one_that_arrived_is_not() -> None:
    for received, again in ((3, True), (4, False)):
        link = Link(IDS[0])
        link.take(b"abc")
        link.end()
        link.connect()
        link.receive_data(encode(Hello(IDS[1], 0, False)))
        link.data_to_send(MOST)
        link.connect()
        link.receive_data(encode(Hello(IDS[1], received, False)))
        assert (End(3) in Frames().receive_data(link.data_to_send(MOST))) is again


def test_at_most_a_window_is_kept_and_room_comes_with_what_is_delivered() -> None:
    """Buffers bounded (back-pressure)."""
    pair = Pair()
    assert pair.links[0].room == WINDOW
    pair.links[0].take(bytes(WINDOW))
    assert pair.links[0].room == 0
    for _ in range(WINDOW // MOST + 2):
        for at in (0, 1):
            pair.send(at)
            pair.carry(at, WINDOW)
    assert pair.links[0].room == 0, "it has arrived, but the other program has not taken it"
    pair.put_out(1)
    pair.send(1)
    pair.carry(1, WINDOW)
    assert pair.links[0].room == CONFIRM_EVERY


def test_who_sends_more_than_a_window_breaks_the_protocol() -> None:
    link = Link(IDS[0])
    link.connect()
    link.receive_data(encode(Hello(IDS[1], 0, False)))
    sent = range(0, WINDOW + 1, LONGEST_PIECE)
    with pytest.raises(RemoteProtocolError, match="more bytes than we have room for"):
        link.receive_data(b"".join(encode(Piece(at, bytes(LONGEST_PIECE))) for at in sent))


def test_a_program_that_reads_no_more_is_told_on_every_connection() -> None:
    pair = Pair()
    pair.settle()
    pair.links[1].stop()
    pair.connect()
    pair.settle()
    assert pair.links[0].refused
    assert pair.links[0].room == 0


def test_a_helper_that_leaves_says_so() -> None:
    pair = Pair()
    pair.settle()
    pair.links[0].leave()
    pair.settle()
    assert pair.links[1].left
    assert not pair.links[1].over


def test_a_ping_is_answered() -> None:
    pair = Pair()
    pair.settle()
    pair.links[0].ping()
    pair.send(0)
    pair.carry(0, MOST)
    assert Frames().receive_data(pair.links[1].data_to_send(MOST)) == [Pong()]


def test_a_helper_that_was_started_anew_is_not_taken_for_the_one_before() -> None:
    pair = Pair()
    pair.settle()
    pair.links[0].connect()
    with pytest.raises(StartedAnew, match="open a new relay"):
        pair.links[0].receive_data(encode(Hello(b"C" * 16, 0, False)))


@pytest.mark.parametrize(
    ("frames", "said"),
    [
        ([Hello(IDS[0], 0, False)], "leads back to us"),
        ([Piece(0, b"x")], "Piece where it does not belong"),
        ([Hello(IDS[1], 0, False), Hello(IDS[1], 0, False)], "Hello where it does not belong"),
        ([Hello(IDS[1], 5, False)], "5 bytes received, of 4"),
        ([Hello(IDS[1], 0, False), Piece(1, b"x")], "byte 1 where 0 is next"),
        ([Hello(IDS[1], 0, False), End(0), Piece(1, b"x")], "byte 1 where 1 is next"),
        ([Hello(IDS[1], 0, False), End(0), End(1)], "byte 1 where 1 is next"),
        ([Hello(IDS[1], 0, False), Delivered(1)], "byte 1 confirmed, of 0"),
    ],
)
def test_what_does_not_belong_is_refused_with_the_number_that_is_wrong(frames: list[Frame], said: str) -> None:
    link = Link(IDS[0])
    link.take(b"e2e4")
    link.connect()
    with pytest.raises(RemoteProtocolError, match=said):
        link.receive_data(b"".join(map(encode, frames)))


FRAMES: list[Frame] = [
    Hello(IDS[0], 7, True),
    Piece(2**40, b"abc"),
    Delivered(3),
    End(4),
    Stop(),
    Ping(),
    Pong(),
    Bye(),
    Leave(),
]


@given(st.lists(st.integers(0, 200), max_size=8))
def test_frames_are_read_however_they_are_split(cuts: list[int]) -> None:
    wire, frames, found, before = b"".join(encode(frame) for frame in FRAMES), Frames(), [], 0
    for cut in [*sorted(min(cut, len(wire)) for cut in cuts), len(wire)]:
        found += frames.receive_data(wire[before:cut])
        before = cut
    assert found == FRAMES


@given(st.binary(max_size=200))
def test_any_bytes_are_frames_or_a_protocol_error(data: bytes) -> None:
    try:
        found = Frames().receive_data(data)
    except RemoteProtocolError:
        return
    assert b"".join(map(encode, found)) == data[: sum(len(encode(frame)) for frame in found)]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"H\x00\x1a\x02" + bytes(25), "speaks version 02 of this protocol, not 1"),
        (b"D\xff\xff", "a frame of 65535 bytes"),
        (b"A\x00\x01\x00", "a frame b'A' of 1 bytes"),
        (b"Z\x00\x00", "no such frame: b'Z'"),
        (b"P\x00\x01x", "no such frame: b'P' with 1 bytes"),
    ],
)
def test_what_is_no_frame_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(RemoteProtocolError, match=said):
        Frames().receive_data(data)
