"""The log has a form and a destination, and includes the lines of libraries."""

from __future__ import annotations

import io
import json
import logging

import pytest
import structlog

from gateway.cli.logs import start_logging


def written(level: str, form: str) -> io.StringIO:
    stream = io.StringIO()
    start_logging(level, form, stream)
    return stream


def test_text_is_key_and_value_in_one_line() -> None:
    stream = written("info", "text")
    structlog.get_logger().info("client gone", table=12, reason="no byte for 6 h")
    line = stream.getvalue()
    assert line.startswith("timestamp=2")
    assert line.endswith('level=info event="client gone" table=12 reason="no byte for 6 h"\n')


def test_auto_is_the_same_text_where_there_is_no_terminal() -> None:
    stream = written("info", "auto")
    structlog.get_logger().info("ready")
    assert stream.getvalue().endswith("level=info event=ready\n")


def test_json_is_one_object_a_line() -> None:
    stream = written("info", "json")
    structlog.get_logger().warning("client gone", peer=b"\x00")
    line = json.loads(stream.getvalue())
    assert (line["event"], line["level"], line["peer"]) == ("client gone", "warning", "b'\\x00'")


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_exception_stays_within_its_line(form: str) -> None:
    stream = written("info", form)
    try:
        raise ValueError("broken")
    except ValueError:
        structlog.get_logger().exception("defect")
    assert len(stream.getvalue().splitlines()) == 1
    assert "ValueError: broken" in stream.getvalue()


def test_what_a_peer_wrote_cannot_begin_a_line_of_its_own() -> None:
    stream = written("info", "text")
    structlog.get_logger().info("said", text="hello\nlevel=error event=forged")
    assert len(stream.getvalue().splitlines()) == 1


def test_less_serious_lines_than_the_level_are_left_out() -> None:
    stream = written("warning", "text")
    structlog.get_logger().info("quiet")
    structlog.get_logger().error("loud")
    assert "quiet" not in stream.getvalue()
    assert "loud" in stream.getvalue()


def test_loggers_made_before_the_start_follow_it() -> None:
    before = structlog.get_logger()
    stream = written("info", "text")
    before.info("late")
    assert "event=late" in stream.getvalue()


def test_the_standard_librarys_loggers_are_heard_from_warnings_upwards() -> None:
    stream = written("debug", "text")
    logging.getLogger("alembic").info("Running upgrade")
    logging.getLogger("trio.serve_listeners").warning("accept failed: %s", "EMFILE")
    assert stream.getvalue().count("\n") == 1
    assert 'level=warning event="accept failed: EMFILE" logger=trio.serve_listeners' in stream.getvalue()
