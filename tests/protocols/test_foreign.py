"""A dialect of lines seats nobody for words of other protocols: the first line decides."""

from __future__ import annotations

import pytest

from gateway import registry
from protocols.core.commands import Command, Inquire
from protocols.core.dialect import Dialect
from protocols.core.errors import RemoteProtocolError

LINES = ("chess-p2p", "miniature", "gtp-gui", "gtp-engine")

OTHERS = {
    "GET / HTTP/1.1": "HTTP",
    "GET /": "HTTP",
    "PROPFIND /x HTTP/1.0": "HTTP",
    "PRI * HTTP/2.0": "HTTP",
    "OPTIONS rtsp://here RTSP/1.0": "RTSP",
    "OPTIONS sip:nm SIP/2.0": "SIP",
    "SSH-2.0-OpenSSH_9.2p1": "SSH",
    "EHLO example.org": "SMTP",
    "xboard": "CECP",
    "protover 2": "CECP",
    "uci": "UCI",
    "isready": "UCI",
    "usi": "USI",
    "seek 5 0 u w": "FICS",
    "hallo I am bob": "the peer-to-peer protocol",
    "level 0 300 0": "the peer-to-peer protocol",
    "protocol_version": "the Go Text Protocol",
    "1 list_commands": "the Go Text Protocol",
    "boardsize 19": "the Go Text Protocol",
}

SPEAKS = {"chess-p2p": "the peer-to-peer protocol", "miniature": "FICS"} | dict.fromkeys(
    LINES[2:], "the Go Text Protocol"
)

OWN = {"chess-p2p": "the chess peer-to-peer protocol", "miniature": "Miniature"} | dict.fromkeys(
    ("gtp-gui", "gtp-engine"), "the Go Text Protocol"
)


def called(name: str) -> Dialect:
    peer = registry.dialects()[name]()
    peer.connected()
    told(peer)
    return peer


def told(peer: Dialect) -> list[str]:
    data = b""
    while part := peer.data_to_send():
        data += part
    return data.decode().split("\n")[:-1]


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name in LINES for line, other in OTHERS.items() if other != SPEAKS[name]]
)
def test_a_peer_of_another_protocol_is_told_so_in_one_line_and_hung_up_on(name: str, line: str) -> None:
    peer = called(name)
    with pytest.raises(RemoteProtocolError, match=f"is {OTHERS[line]}; this port speaks {OWN[name]}"):
        peer.receive_data(f"{line}\r\nHost: here\r\n\r\n".encode())
    (answer,) = filter(None, told(peer))
    assert repr(line) in answer
    assert OTHERS[line] in answer
    assert peer.closing


@pytest.mark.parametrize("name", LINES[:3])
@pytest.mark.parametrize("line", ["", "dance", "NICK bob", "*1", "PING", "\x16\x03\x01A", "stop", "level five"])
def test_a_line_that_is_none_of_the_protocol_takes_no_seat(name: str, line: str) -> None:
    peer = called(name)
    assert peer.receive_data(f"{line}\n".encode()) == []
    assert not peer.closing
    assert len(list(filter(None, told(peer)))) == (1 if line else 0)


def test_a_word_that_is_none_of_the_protocol_is_named() -> None:
    peer = called("chess-p2p")
    assert peer.receive_data(b"dance\nlevel five\n") == []
    assert told(peer) == [
        "text 'dance' is no word of the chess peer-to-peer protocol: set up a game and start it",
        "text cannot read 'level five': it is written level MPS TC INC",
    ]
    assert called("miniature").receive_data(b"dance\n") == []


def test_a_client_that_has_said_its_name_first_gets_no_seat_by_such_words_either() -> None:
    peer = called("chess-p2p")
    asked: list[Command] = peer.receive_data(b"name bob\n")
    assert asked == [Inquire("kept", "bob")]
    assert peer.resume() == []
    with pytest.raises(RemoteProtocolError, match="HTTP"):
        peer.receive_data(b"GET / HTTP/1.1\n")


def test_an_engine_s_first_lines_are_names_and_tickets_still() -> None:
    peer = called("gtp-engine")
    assert peer.receive_data(b"Uci Player\nseek-and-destroy\n") == []
    assert not peer.closing
