"""The pipe of a Go engine passes messages on, and keeps the answers that it owes to a lost connection."""

from __future__ import annotations

import pytest

from clients.gtp_engine import LONGEST_LINE, AnswerLines


def test_answers_pass_as_they_are_however_they_are_cut() -> None:
    said = b"hello\n=1 GNU Go\n\n=2 play\r\ngenmove\r\n\r\n?3 no\n\n"
    for size in (1, 2, 7, len(said)):
        lines = AnswerLines()
        for command in (b"1 name", b"", b"# a comment", b"2 list_commands", b"3 what"):
            lines.asked(command)
        assert lines.owed == 3
        passed = b"".join(lines.receive_data(said[at : at + size]) for at in range(0, len(said), size))
        assert passed == said
        assert lines.owed == 0


def test_an_answer_owed_to_a_lost_connection_is_dropped_and_the_next_is_not() -> None:
    lines = AnswerLines()
    lines.asked(b"1 name")
    assert lines.receive_data(b"=1 GNU Go\n\n") == b"=1 GNU Go\n\n"
    lines.asked(b"57 genmove b")
    lines.connection_lost()
    assert lines.stale == 1
    lines.asked(b"1 name")
    assert lines.receive_data(b"=57 D4\n") == b""
    assert lines.receive_data(b"\n=1 GNU Go\n\n") == b"=1 GNU Go\n\n"
    assert (lines.owed, lines.stale) == (0, 0)


def test_a_line_without_end_is_no_gtp() -> None:
    lines = AnswerLines()
    with pytest.raises(ValueError, match=f"more than {LONGEST_LINE} bytes"):
        lines.receive_data(b"=" * (LONGEST_LINE + 1))
