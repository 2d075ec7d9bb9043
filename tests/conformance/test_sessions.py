"""Every session that stands in docs/protocols is what a server says to these messages today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.sessions import PAGES, Session, play, serving, sessions

ALL = [session for page in PAGES for session in sessions(page)]


@pytest.mark.parametrize("session", ALL, ids=lambda session: f"{session.page.stem} {session.number}")
def test_a_session_is_what_a_server_says_today(session: Session, tmp_path: Path) -> None:
    with serving(session, tmp_path) as running:
        play(session, running)
