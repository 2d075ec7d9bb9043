"""Laws of every installed dialect: no bytes and no message can make it do anything but what its contract says.

The dialects' transcripts test what a message means.
"""

from __future__ import annotations

import tracemalloc
from itertools import chain, cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import registry
from protocols.core.dialect import ONE_SEND, Dialect
from protocols.core.errors import RemoteProtocolError
from protocols.core.notifications import Displaced
from protocols.core.text import read
from tests.laws.conversations import (
    COMMANDS,
    FUZZ,
    ODD,
    arrivals,
    conversations,
    game_record,
    messages,
    option_sets,
    pieces,
    scripts,
    take_part,
)
from tests.laws.playouts import TABLES, Table
from tests.transcripts.replay import drained, files, replay

every_dialect = pytest.mark.parametrize("name", registry.dialects())

ENDLESS = 1 << 20
"""Bytes of one message that never ends."""
KEPT_AT_MOST = 256 * 1024
"""Bytes a dialect may hold of such a message: far more than any message is long, far less than what arrived."""


def peers(name: str) -> list[Dialect]:
    """A fresh connection of the dialect for each of its listener options."""
    kind = registry.dialects()[name]
    return [kind(options) for options in option_sets(name)]


@every_dialect
@FUZZ
@given(data=st.data())
def test_any_conversation_gives_commands_or_a_broken_protocol(name: str, data: st.DataObject) -> None:
    peer = data.draw(st.sampled_from(option_sets(name)).map(registry.dialects()[name]))
    commands = list(peer.connected())
    why = "not broken"
    try:
        for step in data.draw(conversations(name)):
            commands += take_part(peer, step)
            drained(peer)
        commands += peer.receive_data(b"")
    except RemoteProtocolError as error:
        why = str(error)
        peer.send(data.draw(messages()))
    assert isinstance(drained(peer), bytes)
    assert why
    assert all(isinstance(command, COMMANDS) for command in commands)


@every_dialect
@ODD
@given(data=st.data())
def test_no_message_is_too_odd_to_be_told(name: str, data: st.DataObject) -> None:
    peer = data.draw(st.sampled_from(option_sets(name)).map(registry.dialects()[name]))
    peer.connected()
    for message in data.draw(st.lists(messages(), max_size=12)):
        peer.send(message)
    assert isinstance(drained(peer), bytes)


@pytest.mark.parametrize("name", [name for name in registry.dialects() if files(name)])
@FUZZ
@given(data=st.data())
def test_a_peer_whose_seat_was_taken_is_through_or_owes_one_last_answer(name: str, data: st.DataObject) -> None:
    script = data.draw(st.sampled_from(scripts(name)))
    peer = registry.dialects()[name](script.options)
    peer.connected()
    steps = list(script.steps())
    try:
        for step in steps[: data.draw(st.integers(0, len(steps)))]:
            take_part(peer, read(step.told) if step.told else step.wire)
    except RemoteProtocolError:
        return
    peer.send(Displaced())
    if not peer.closing:
        assert peer.awaiting is not None
        peer.late()
    assert peer.closing


@pytest.mark.parametrize("name", [name for name in registry.dialects() if files(name)])
@given(data=st.data())
def test_it_does_not_matter_where_a_conversation_is_cut(name: str, data: st.DataObject) -> None:
    script = data.draw(st.sampled_from(scripts(name)))
    sizes = cycle(data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=10)))

    def cut(wire: bytes) -> list[bytes]:
        parts = []
        while wire:
            size = next(sizes)
            parts.append(wire[:size])
            wire = wire[size:]
        return parts

    kind = registry.dialects()[name]
    assert replay(kind, script, cut) == replay(kind, script)


@every_dialect
@FUZZ
@given(data=st.data())
def test_text_of_any_bytes_gives_the_same_bytes(name: str, data: st.DataObject) -> None:
    kind = registry.dialects()[name]
    options = data.draw(st.sampled_from(option_sets(name)))
    sent = data.draw(st.booleans())
    wire = b"".join(data.draw(st.lists(arrivals(name), max_size=8)))
    lines = kind.wire_to_text(wire, sent=sent, options=options)
    assert kind.text_to_wire(lines, sent=sent, options=options) == wire
    assert all(line.isprintable() for line in lines)


@every_dialect
@pytest.mark.parametrize("line", ["hex zz", "hex 1", "hex 123456789 0"])
def test_text_that_shows_no_bytes_is_refused_by_name(name: str, line: str) -> None:
    for options in option_sets(name):
        with pytest.raises(ValueError, match=line):
            registry.dialects()[name].text_to_wire([line], sent=False, options=options)


@every_dialect
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_whole_game_is_told_in_whole_messages_of_one_send_each(name: str, table: Table) -> None:
    kind = registry.dialects()[name]
    record = list(game_record(table))
    for options, peer in zip(option_sets(name), peers(name), strict=True):
        peer.connected()
        for message in record:
            peer.send(message)
        parts = list(iter(peer.data_to_send, b""))
        shown = [kind.wire_to_text(part, sent=True, options=options) for part in parts]
        assert list(chain.from_iterable(shown)) == kind.wire_to_text(b"".join(parts), sent=True, options=options)
        assert all(len(part) <= ONE_SEND or len(lines) == 1 for part, lines in zip(parts, shown, strict=True))


@every_dialect
@pytest.mark.parametrize("filler", [b"\0", b"a", b"\xff", b"7 "], ids=repr)
def test_a_message_without_end_is_not_kept(name: str, filler: bytes) -> None:
    part = filler * (65_536 // len(filler))
    beginnings = [b"", *(piece[: len(piece) // 2] for piece in pieces(name)), *(piece[:4] for piece in pieces(name))]
    beginnings = sorted(set(beginnings))
    for beginning in beginnings[:: max(1, len(beginnings) // 4)]:
        for peer in peers(name):
            assert kept(peer, beginning, part) < KEPT_AT_MOST


def kept(peer: Dialect, beginning: bytes, part: bytes) -> int:
    """Bytes of memory that ENDLESS bytes leave behind, or those until the dialect calls its protocol broken."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        try:
            for arrived in [beginning or part, *[part] * (ENDLESS // len(part))]:
                peer.receive_data(arrived)
                drained(peer)
                if peer.closing:
                    break
        except RemoteProtocolError:
            drained(peer)
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
