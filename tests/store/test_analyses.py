"""Analyses wait in a queue of the database; one worker has each, and a dead one's is taken up again."""

from __future__ import annotations

from contextlib import closing

import pytest

from gateway.store import analyses
from gateway.store.analyses import LEASE_S, LOST, TRIES_MAX, Analyses


def test_the_oldest_is_taken_first_by_one_worker_and_only_for_its_engines(url: str) -> None:
    with closing(Analyses(url)) as kept:
        assert kept.ask(1, 1, "house", 100.0)
        assert kept.ask(2, 1, "stockfish", 101.0)
        assert kept.ask(3, 1, "house", 102.0)
        assert kept.ahead(102.0) == 2
        first = kept.take(["house"], "one", 103.0)
        second = kept.take(["house"], "two", 103.0)
        assert (first and first.table, second and second.table) == (1, 3)
        assert kept.take(["house"], "three", 103.0) is None


def test_a_result_is_kept_whole_and_asking_again_changes_nothing(url: str) -> None:
    with closing(Analyses(url)) as kept:
        kept.ask(1, 1, "house", 100.0)
        taken = kept.take(["house"], "one", 101.0)
        assert taken is not None
        assert kept.renew(taken, 3, 7, 102.0)
        running = kept.find(1, 1, "house")
        assert running is not None
        assert (running.open, running.done, running.total, running.result) == (True, 3, 7, None)
        assert kept.finish(taken, "{}", 7)
        assert kept.ask(1, 1, "house", 200.0)
        done = kept.find(1, 1, "house")
        assert done is not None
        assert (done.open, done.result, done.asked_at, done.done) == (False, "{}", 100.0, 7)
        assert not kept.renew(taken, 7, 7, 103.0)


def test_a_killed_workers_is_taken_up_when_its_lease_has_ended_and_its_late_words_count_for_nothing(url: str) -> None:
    with closing(Analyses(url)) as kept:
        kept.ask(1, 1, "house", 100.0)
        killed = kept.take(["house"], "one", 101.0)
        assert killed is not None
        assert kept.take(["house"], "two", 101.0 + LEASE_S) is None
        other = kept.take(["house"], "two", 101.1 + LEASE_S)
        assert other is not None
        assert not kept.finish(killed, "{}", 7)
        assert kept.finish(other, "[]", 7)


def test_a_worker_that_stops_leaves_it_to_others_at_once(url: str) -> None:
    with closing(Analyses(url)) as kept:
        kept.ask(1, 1, "house", 100.0)
        stopped = kept.take(["house"], "one", 101.0)
        assert stopped is not None
        assert kept.free(stopped)
        other = kept.take(["house"], "two", 102.0)
        assert other is not None
        assert other.tries == 1


def test_one_that_costs_worker_after_worker_is_refused_and_may_be_asked_for_anew(url: str) -> None:
    with closing(Analyses(url)) as kept:
        kept.ask(1, 1, "house", 100.0)
        for time in range(TRIES_MAX):
            assert kept.take(["house"], "one", 200.0 + 2 * LEASE_S * time) is not None
        assert kept.take(["house"], "one", 1000.0) is None
        found = kept.find(1, 1, "house")
        assert found is not None
        assert found.refused == LOST
        assert kept.ask(1, 1, "house", 1001.0)
        assert kept.take(["house"], "one", 1002.0) is not None


def test_a_full_queue_takes_no_more_and_old_results_are_forgotten(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "WAITING_MAX", 1)
    with closing(Analyses(url)) as kept:
        assert kept.ask(1, 1, "house", 100.0)
        assert not kept.ask(2, 1, "house", 101.0)
        assert kept.forget(100.5) == 1
        assert kept.ask(2, 1, "house", 102.0)
