"""A flood counts served requests, and asks again; refusals and mere openings end there."""

from __future__ import annotations

from bench.floods import Opening, Request


def test_a_page_that_came_is_served_and_asked_for_again() -> None:
    flood = Request()
    assert flood.first.startswith(b"GET /healthz ")
    assert flood.heard(b"HTTP/1.1 200 OK\r\n\r\nok") == (flood.first, True)


def test_a_refusal_is_not_served() -> None:
    assert Request().heard(b"HTTP/1.1 429 Too Many Requests\r\n\r\n") == (b"", False)


def test_an_opening_without_a_question_says_nothing_more() -> None:
    assert Opening(b"hello").heard(b"HTTP/1.1 200 OK\r\n\r\n") == (b"", False)
