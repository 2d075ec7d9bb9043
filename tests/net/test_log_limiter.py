"""The log limiter writes the first lines of a kind and counts the others."""

from __future__ import annotations

import structlog
from structlog.testing import capture_logs

from gateway.net.log_limiter import LINES, WINDOW_S, LogLimiter


def test_the_first_lines_of_each_kind_are_written() -> None:
    limiter, log = LogLimiter(), structlog.get_logger()
    with capture_logs() as lines:
        for number in range(3 * LINES):
            limiter.info(log, "protocol broken", connection=number)
        limiter.info(log, "no TLS", connection=1)
    written = [line["connection"] for line in lines if line["event"] == "protocol broken"]
    assert written == list(range(LINES))
    assert [line["event"] for line in lines[LINES:]] == ["no TLS"]


def test_what_was_left_out_is_said_when_time_is_up_and_then_there_are_lines_again() -> None:
    limiter, log = LogLimiter(), structlog.get_logger()
    limiter.look(100.0)
    with capture_logs() as lines:
        for _ in range(LINES + 7):
            limiter.info(log, "protocol broken")
        limiter.look(100.0 + WINDOW_S / 2)
        limiter.look(100.0 + WINDOW_S)
        limiter.info(log, "protocol broken")
    assert [line["event"] for line in lines[LINES:]] == ["lines left out", "protocol broken"]
    assert (lines[LINES]["like"], lines[LINES]["count"]) == ("protocol broken", 7)


def test_nothing_is_said_where_nothing_was_left_out() -> None:
    limiter, log = LogLimiter(), structlog.get_logger()
    with capture_logs() as lines:
        limiter.info(log, "protocol broken")
        limiter.look(WINDOW_S)
    assert [line["event"] for line in lines] == ["protocol broken"]
