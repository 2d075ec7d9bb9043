"""Tells another protocol by its first line, for a dialect of lines that hears it on its port.

Only what is unmistakable is here, and no word that a dialect of lines has itself.
"""

from __future__ import annotations

import re
from typing import Final

PEER_TO_PEER: Final = "the peer-to-peer protocol"
FICS: Final = "FICS"
GTP: Final = "the Go Text Protocol"

_FIRST: Final = tuple(
    (name, re.compile(pattern, re.ASCII))
    for name, pattern in (
        ("HTTP", r"[A-Z]{3,16} \S+ HTTP/\d.*|(?:GET|HEAD|POST|PUT|OPTIONS) /\S*"),
        ("RTSP", r"[A-Z]{3,16} \S+ RTSP/\d.*"),
        ("SIP", r"[A-Z]{3,16} \S+ SIP/\d.*"),
        ("SSH", r"SSH-\d.*"),
        ("SMTP", r"(?:EHLO|HELO|LHLO) \S+"),
        ("CECP", r"xboard|protover \d+"),
        ("UCI", r"uci|ucinewgame|isready"),
        ("USI", r"usi|usinewgame"),
        (PEER_TO_PEER, r"hallo \S.*|myname \S.*|level -?\d+ \d+ \d+"),
        (FICS, r"seek(?: \d.*)?"),
        (GTP, r"(?:\d+ )?(?:protocol_version|list_commands|known_command \S+|boardsize \d+|clear_board|genmove \w+)"),
    )
)


def answer(line: str, own: str, title: str) -> str:
    """The sentence that answers the first line of another protocol than ``own``, whose ``title`` is what the port
    speaks; "" for any other line."""
    name = next((name for name, first in _FIRST if name != own and first.fullmatch(line)), "")
    return f"{line[:60]!r} is {name}; this port speaks {title}" if name else ""
