"""Every session that stands in docs/protocols is what a server says to these messages today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.sessions import PAGES, Session, play, serving, sessions

ALL = [session for page in PAGES for session in sessions(page)]

SHORT = """```session bogaprot
alice >> REQ_HANDSHAKE "Tic_Tac_Toe" 1
alice << RSP_HANDSHAKE 0
alice << MSG_SEAT 0
alice << MSG_PLAYERS 2 3 "guest-1" 1
alice >> REQ_HANDSHAKE "Tic_Tac_Toe" 1
alice << RSP_HANDSHAKE 1 "already..."
```
"""


@pytest.mark.parametrize("session", ALL, ids=lambda session: f"{session.page.stem} {session.number}")
def test_a_session_is_what_a_server_says_today(session: Session, tmp_path: Path) -> None:
    with serving(session, tmp_path) as running:
        play(session, running)


def only(folder: Path, text: str) -> Session:
    """The session of a page with this text."""
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    [session] = sessions(page)
    return session


@pytest.mark.parametrize(
    ("there", "written", "found"),
    [
        ("MSG_SEAT 0", "MSG_SEAT 1", "the server says 'MSG_SEAT 0'"),
        ("alice << MSG_SEAT 0\n", "", "the server says 'MSG_SEAT 0'"),
        ("alice << MSG_SEAT 0", "alice -- closed", "the server says 'MSG_SEAT 0'"),
        ("already...", "no seat...", "the server says 'RSP_HANDSHAKE 1 \"already seated\"'"),
    ],
)
def test_a_message_that_is_another_one_than_in_the_page_is_shown(
    there: str, written: str, found: str, tmp_path: Path
) -> None:
    session = only(tmp_path, SHORT.replace(there, written, 1))
    with serving(session, tmp_path / "data") as running, pytest.raises(AssertionError, match=found):
        play(session, running)


def test_a_ticket_is_the_same_wherever_it_stands(tmp_path: Path) -> None:
    told = "alice << text your ticket is ALICES-TICKET: it ... by text /seat {}\n"
    start = "```session chess-p2p\nalice -- connects\nalice << hallo ...\nalice >> new\n"
    same, other = (only(tmp_path, f"{start}{told.format(word)}```\n") for word in ("ALICES-TICKET", "BOBS-TICKET x"))
    with serving(same, tmp_path / "data") as running:
        play(same, running)
        with pytest.raises(AssertionError, match="the server says 'text your ticket is"):
            play(other, running)


def test_hex_is_what_the_words_behind_it_say(tmp_path: Path) -> None:
    session = only(tmp_path, "```session bogaprot\nalice >> 0000006c 00000000 00000001\n         MSG_MOVE 0 2\n```\n")
    with serving(session, tmp_path / "data") as running, pytest.raises(ValueError, match="MSG_MOVE 0 2 is not"):
        play(session, running)


@pytest.mark.parametrize("line", ["alice MSG_SEAT 0", ">> MSG_SEAT 0", "alice == MSG_SEAT 0"])
def test_a_line_that_is_none_is_shown(line: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=line):
        only(tmp_path, f"```session bogaprot\n{line}\n```\n")
