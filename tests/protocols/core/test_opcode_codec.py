"""Declared messages have a form and limits, and are read at any split."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.bogaprot.messages import BOGAPROT
from protocols.core.errors import LocalProtocolError, RemoteProtocolError
from protocols.core.opcode_codec import REMEMBERED, SMALL, STRING_CAP, Codec, Wire, codec
from protocols.core.opcodes import Message, OpcodeProtocol
from protocols.ggzboard import GGZBOARD
from tests.protocols.core.strategies import messages

BIG = codec(BOGAPROT)
LITTLE = codec(BOGAPROT, "little")
BARE = codec(BOGAPROT, nul=False)
CODECS = st.sampled_from([BIG, LITTLE, codec(GGZBOARD)])
MOVE = Message("MSG_MOVE", (0, 40))
MOVE_BYTES = bytes.fromhex("0000006c 00000000 00000028")


def both(protocol: OpcodeProtocol) -> st.SearchStrategy[list[Message]]:
    return st.lists(messages(protocol), max_size=6)


def test_a_move_is_its_number_and_two_ints_of_four_bytes() -> None:
    assert BIG.encode(MOVE) == MOVE_BYTES
    assert LITTLE.encode(MOVE) == bytes.fromhex("6c000000 00000000 28000000")


def test_a_string_is_its_length_with_the_nul_the_bytes_and_the_nul() -> None:
    wire = BIG.encode(Message("MSG_MOVE", (-1, 12, "rook")))
    assert wire == bytes.fromhex("0000006c ffffffff 0000000c 00000005") + b"rook\0"


def test_an_empty_string_has_length_one() -> None:
    assert BIG.encode(Message("MSG_MOVE", (-1, 12, "")))[-5:] == bytes.fromhex("00000001 00")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        (b"\0", ""),
        (b"rook", "rook"),
        (b"rook\0", "rook"),
        (b"rook\0\0", "rook\0"),
        (b"\xc3\xab\0", "ë"),
        (b"\xeb\0", "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_at_most_one_nul_is_taken_off_and_any_length_is_read(raw: bytes, text: str) -> None:
    wire = bytes.fromhex("0000006c ffffffff 0000000c") + len(raw).to_bytes(4, "big") + raw
    assert BIG.read(wire, "client").messages == (Message("MSG_MOVE", (-1, 12, text)),)


@pytest.mark.parametrize("length", [-1, -(2**31), STRING_CAP + 1, 2**31 - 1])
def test_a_length_that_makes_no_sense_is_refused_as_soon_as_it_is_known(length: int) -> None:
    wire = bytes.fromhex("00000065") + length.to_bytes(4, "big", signed=True)
    with pytest.raises(RemoteProtocolError, match=str(length)):
        Wire(BIG, "server").receive_data(wire)


def test_the_longest_string_is_read() -> None:
    wire = BIG.encode(Message("REQ_HANDSHAKE", ("a" * (STRING_CAP - 1), 1)))
    assert BIG.read(wire, "client").messages == (Message("REQ_HANDSHAKE", ("a" * (STRING_CAP - 1), 1)),)


def test_a_longer_one_is_cut_at_a_letter_when_it_is_sent() -> None:
    wire = BIG.encode(Message("REQ_HANDSHAKE", ("ë" * STRING_CAP, 1)))
    ((_, values),) = BIG.read(wire, "client").messages
    assert values == ("ë" * ((STRING_CAP - 1) // 2), 1)


def test_a_count_that_makes_no_sense_is_refused() -> None:
    for count in (-1, 65):
        wire = bytes.fromhex("00000068") + count.to_bytes(4, "big", signed=True)
        with pytest.raises(RemoteProtocolError, match="between 0 and 64"):
            Wire(BIG, "client").receive_data(wire)


def test_each_side_sends_its_own_messages_only() -> None:
    with pytest.raises(RemoteProtocolError, match=r"a client does not send opcode 105 \(MSG_START\)"):
        Wire(BIG, "server").receive_data(BIG.encode(Message("MSG_START")))
    with pytest.raises(RemoteProtocolError, match="a server does not send opcode 1195725856"):
        Wire(BIG, "client").receive_data(b"GET / HTTP/1.1")
    with pytest.raises(LocalProtocolError, match="a client does not send 'MSG_START'"):
        Wire(BIG, "client").build("MSG_START")


@pytest.mark.parametrize("message", [Message("MSG_MOVE", (0,)), Message("MSG_MOVE", (2**31, 0)), Message("MSG_CHAT")])
def test_what_cannot_be_written_is_a_defect_of_ours(message: Message) -> None:
    with pytest.raises(LocalProtocolError, match=message.name):
        BIG.encode(message)


@given(st.data())
def test_every_message_comes_back_from_its_bytes(data: st.DataObject) -> None:
    using = data.draw(CODECS)
    message = data.draw(messages(using.protocol))
    sender = using.protocol.shape(message.name).senders[0]
    wire = using.encode(message)
    assert using.read(wire, sender) == ((message,), len(wire), "")


@given(st.data())
def test_any_split_gives_the_same_messages(data: st.DataObject) -> None:
    using = data.draw(CODECS)
    sent = [m for m in data.draw(both(using.protocol)) if using.sends("server", m.name)]
    wire = b"".join(map(using.encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    reader = Wire(using, "client")
    heard: list[Message] = []
    for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        if wire[start:end]:
            heard += reader.receive_data(wire[start:end])
    assert heard == sent
    assert reader.receive_data(b"") == ()


@given(st.lists(st.binary(max_size=30), max_size=8))
def test_garbage_raises_nothing_but_a_remote_protocol_error(parts: list[bytes]) -> None:
    reader = Wire(BIG, "client")
    why = ""
    try:
        for part in parts:
            reader.receive_data(part)
    except RemoteProtocolError as error:
        why = str(error)
        with pytest.raises(RemoteProtocolError):
            reader.receive_data(b"")
    assert bool(why) == bool(reader.error) or why.startswith("closed inside")


def test_messages_before_a_break_are_returned_and_the_next_call_says_what_is_wrong() -> None:
    reader = Wire(BIG, "server")
    assert reader.receive_data(MOVE_BYTES + b"\0\0\0\x01") == (MOVE,)
    assert reader.error == "a client does not send opcode 1"
    with pytest.raises(RemoteProtocolError, match="opcode 1"):
        reader.receive_data(MOVE_BYTES)


def test_closing_inside_a_message_breaks_the_protocol() -> None:
    reader = Wire(BIG, "client")
    assert reader.receive_data(MOVE_BYTES[:7]) == ()
    with pytest.raises(RemoteProtocolError, match="after 00 00 00 6c 00 00 00"):
        reader.receive_data(b"")


def test_a_client_without_closing_nul_is_read_the_same() -> None:
    message = Message("MSG_MOVE", (-1, 12, "elephant"))
    assert BARE.encode(message) == BIG.encode(message).replace(b"\0\0\0\x09elephant\0", b"\0\0\0\x08elephant")
    assert Wire(BIG, "server").receive_data(BARE.encode(message)) == (message,)


def test_what_is_remembered_is_bounded_and_small() -> None:
    fresh = Codec(BOGAPROT)
    for at in range(REMEMBERED + 10):
        fresh.encode(Message("MSG_MOVE", (at, 0)))
        fresh.encode(Message("MSG_MOVE", (-1, at, "x" * (SMALL + 1))))
        assert 0 < len(fresh._built) <= REMEMBERED
    assert max(map(len, fresh._built.values())) <= SMALL


def test_a_piece_on_a_square_is_remembered_and_no_other_text() -> None:
    fresh = Codec(BOGAPROT)
    placed = Message("MSG_MOVE", (-1, 12, "white"))
    others = [
        Message("MSG_MOVE", (-1, -1, "say good")),
        Message("REQ_HANDSHAKE", ("go#abcdef", 1)),
        Message("RSP_HANDSHAKE", (-1, "no seat")),
    ]
    for message in (placed, *others):
        fresh.encode(message)
    assert list(fresh._built) == [placed]
