"""Messages as lines, and the definition as XML."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.bogaprot.messages import BOGAPROT
from protocols.core.ggzcomm import definition, show, to_text, to_wire
from protocols.core.opcode_codec import codec
from protocols.core.opcodes import Message, OpcodeProtocol, Side
from protocols.ggzboard import GGZBOARD
from tests.protocols.core.strategies import messages

BIG = codec(BOGAPROT)
SIDES: st.SearchStrategy[Side] = st.sampled_from(["client", "server"])


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (Message("MSG_MOVE", (0, 40)), "MSG_MOVE 0 40"),
        (Message("MSG_MOVE", (-1, 12, "elephant")), 'MSG_MOVE -1 12 "elephant"'),
        (Message("MSG_PLAYERS", (2, 3, "alice", 2, "bot")), 'MSG_PLAYERS 2 3 "alice" 2 "bot"'),
        (Message("MSG_START"), "MSG_START"),
        (Message("RSP_MOVE", (1, 'no "x"\n')), 'RSP_MOVE 1 "no \\"x\\"\\n"'),
        (Message("RSP_MOVE", (1, "Zoë \u2028")), 'RSP_MOVE 1 "Zoë \\u2028"'),
    ],
)
def test_a_message_is_its_name_and_its_values(message: Message, line: str) -> None:
    assert show(message) == line
    assert to_wire(BIG, [line], "server") == BIG.encode(message)


@given(st.data())
def test_every_message_comes_back_from_its_line(data: st.DataObject) -> None:
    protocol = data.draw(st.sampled_from([BOGAPROT, GGZBOARD]))
    message = data.draw(messages(protocol))
    using = codec(protocol)
    sender = protocol.shape(message.name).senders[0]
    assert to_wire(using, [show(message)], sender) == using.encode(message)
    assert to_text(using, using.encode(message), sender) == [show(message)]


@given(st.data())
def test_any_bytes_come_back_from_their_lines(data: st.DataObject) -> None:
    using = codec(BOGAPROT, data.draw(st.sampled_from(["big", "little"])))
    known = [using.encode(message) for message in data.draw(st.lists(messages(BOGAPROT), max_size=3))]
    wire = b"".join([*known, data.draw(st.binary(max_size=40))])
    sender = data.draw(SIDES)
    lines = to_text(using, wire, sender)
    assert to_wire(using, lines, sender) == wire
    assert all(line.isprintable() for line in lines)


def test_the_string_form_of_ggzboard_is_marked() -> None:
    wire = codec(BOGAPROT, nul=False).encode(Message("MSG_MOVE", (-1, 12, "elephant")))
    assert to_text(BIG, wire, "client") == ['bare MSG_MOVE -1 12 "elephant"']
    assert to_wire(BIG, ['bare MSG_MOVE -1 12 "elephant"'], "client") == wire


def test_a_string_that_is_not_utf_8_is_shown_as_bytes_and_what_follows_as_text() -> None:
    wire = BIG.encode(Message("MSG_MOVE", (-1, 12, "e"))).replace(b"e\0", b"\xeb\0")
    lines = to_text(BIG, wire + BIG.encode(Message("MSG_MOVE", (1, 2))), "client")
    assert lines == [f"hex {wire.hex(' ')}", "MSG_MOVE 1 2"]


def test_a_message_of_the_other_side_and_all_after_it_are_bytes() -> None:
    wire = BIG.encode(Message("MSG_MOVE", (1, 2))) + BIG.encode(Message("MSG_START")) * 2
    assert to_text(BIG, wire, "client") == ["MSG_MOVE 1 2", "hex 00 00 00 69 00 00 00 69"]


@pytest.mark.parametrize(
    "line",
    ["MSG_START", "MSG_MOVE", "MSG_MOVE 1", "MSG_MOVE 1 2 3", 'MSG_MOVE -1 2 "a', "MSG_MOVE 1 9999999999", "", "hex 0"],
)
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=r"not|cannot") as caught:
        to_wire(BIG, [line], "client")
    assert repr(line) in str(caught.value)


@pytest.mark.parametrize("protocol", [BOGAPROT, GGZBOARD])
def test_the_definition_names_every_message_with_its_number_and_its_senders(protocol: OpcodeProtocol) -> None:
    root = ElementTree.fromstring(definition(protocol))
    assert (root.tag, root.get("engine"), root.get("version")) == ("ggzcomm", protocol.engine, "1")
    numbers = {item.get("name"): item.get("value") for item in root.iterfind("definitions/def")}
    assert numbers == {shape.name.lower(): str(shape.opcode) for shape in protocol.shapes}
    for side in ("client", "server"):
        events = [event.get("name") for event in root.iterfind(f"{side}/event")]
        assert events == [shape.name.lower() for shape in protocol.shapes if side in shape.senders]


def test_the_definition_says_when_a_field_is_there_and_how_often() -> None:
    root = ElementTree.fromstring(definition(BOGAPROT))
    loop = root.find("server/event[@name='msg_players']/sequence")
    assert loop is not None
    assert loop.attrib == {"count": "seats", "maxcount": "64"}
    named = loop.find("eval/condition")
    assert named is not None
    assert named.attrib == {"name": "type", "result": "ggz:seat_open", "type": "unequal"}
    links = [link.attrib for link in root.iterfind("protocol/link")]
    assert {"client": "req_handshake", "server": "rsp_handshake"} in links


def test_a_link_names_no_initiator() -> None:
    """GGZ's own definition of the protocol has none: the client generated from one demands 108 after REQ_MOVE."""
    links = list(ElementTree.fromstring(definition(BOGAPROT)).iterfind("protocol/link"))
    assert [set(link.attrib) for link in links] == [{"client", "server"}] * 3
