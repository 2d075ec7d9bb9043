"""Pauses between attempts to connect."""

from __future__ import annotations

from clients.backoff import JITTER, Backoff


def assert_about(pauses: list[float], due: list[float]) -> None:
    assert all(short <= pause <= JITTER * short for pause, short in zip(pauses, due, strict=True))


def test_pauses_double_up_to_the_longest_and_begin_anew_after_a_good_connection() -> None:
    backoff = Backoff(0.25)
    assert_about([backoff.next_s(1.5) for _ in range(5)], [0.25, 0.5, 1.0, 1.5, 1.5])
    backoff.reset()
    assert_about([backoff.next_s(1.5)], [0.25])


def test_a_shorter_limit_holds_at_once() -> None:
    """In a game an opponent waits, and a clock runs."""
    backoff = Backoff(1.0)
    assert_about([backoff.next_s(20.0) for _ in range(5)], [1, 2, 4, 8, 16])
    assert_about([backoff.next_s(2.0), backoff.next_s(20.0)], [2, 4])


def test_two_clients_do_not_come_back_in_one_moment() -> None:
    assert len({Backoff(1.0).next_s(2.0) for _ in range(20)}) > 1
