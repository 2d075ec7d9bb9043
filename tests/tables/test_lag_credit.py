"""Lag credit: peers that acknowledge late get back no more than their best delay, and no more than a budget a game."""

from __future__ import annotations

import random
import sys
from dataclasses import replace as changed

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from trio.testing import MockClock

from gateway.sessions.peer import SHORTEST_AT, SMOOTHED_AT, TCP_INFO_BYTES, round_trip_s
from gateway.table.clock import LAG_CREDIT_S, fresh, start
from gateway.table.state import State
from gateway.tables import lag_credit
from gateway.tables.lag_credit import BUDGET_S, LagCredit
from protocols.core.commands import Join
from protocols.core.model import TimeControl, TimeKind
from tests.hall import Hall, alternate, hall
from tests.table.tables import Conversation

MINUTE = TimeControl(TimeKind.ABSOLUTE, 60.0)
WINDOW_S = 300.0
"""For how long Linux remembers the shortest round trip (tcp_min_rtt_wlen)."""


def tcp_info(smoothed_s: float, shortest_s: float) -> bytes:
    """struct tcp_info with these two, as Linux fills it in."""
    info = bytearray(TCP_INFO_BYTES)
    for at, seconds in ((SMOOTHED_AT, smoothed_s), (SHORTEST_AT, shortest_s)):
        info[at : at + 4] = round(seconds * 1e6).to_bytes(4, sys.byteorder)
    return bytes(info)


class LateAcknowledger:
    """Linux's measurements of a peer that acknowledges late, but for one in ``prompt`` times."""

    def __init__(self, delay_s: float, prompt: float, seed: int) -> None:
        self._delay_s = delay_s
        self._prompt = prompt
        self._random = random.Random(seed)
        self._samples: list[tuple[float, float]] = [(0.0, 2 * delay_s)]  # the handshake is answered by its system
        self._smoothed_s = 2 * delay_s
        self._now = 0.0

    def exchange(self, now: float) -> None:
        self._now = now
        late_s = 0.0 if self._random.random() < self._prompt else self._random.uniform(0.5, 2.0)
        sample_s = 2 * self._delay_s + late_s
        self._samples.append((now, sample_s))
        self._smoothed_s += (sample_s - self._smoothed_s) / 8

    def lag_s(self) -> float:
        """As gateway.sessions.peer reads it."""
        shortest_s = min(sample_s for at, sample_s in self._samples if self._now - at <= WINDOW_S)
        return round_trip_s(tcp_info(self._smoothed_s, shortest_s)) / 2


class Says:
    """A subscriber of which any delay is measured."""

    said_s = 0.0

    def lag_s(self) -> float:
        return self.said_s


def playing(table: State, now: float) -> State:
    """A game whose seat 0 is on move since ``now``."""
    return replace(table, clock=start(fresh(MINUTE, 2), 0, now))


@pytest.fixture
def game() -> State:
    table = Conversation("tic_tac_toe")
    for name in ("anna", "bert"):
        table.ask(None, Join("tic_tac_toe", name))
    return replace(table.state, settings=changed(table.state.settings, time=MINUTE))


@pytest.mark.parametrize("seed", range(30))
def test_a_peer_that_acknowledges_late_gets_back_its_best_delay_of_the_last_minutes(game: State, seed: int) -> None:
    """It answers promptly now and then, as a client that uses the connection for more than its clock."""
    delay_s = random.Random(seed).uniform(0.0, 0.3)
    peer, now, given_s = LateAcknowledger(delay_s, prompt=0.2, seed=seed), 0.0, 0.0
    budget = LagCredit(lambda _: peer)
    for _ in range(40):
        peer.exchange(now)
        before = playing(game, now)
        lag_s = budget.due(before)
        assert lag_s <= delay_s + 1e-6
        now += 3.0
        budget.moved(before, now, lag_s)
        given_s += lag_s
    assert given_s <= min(40 * delay_s + 1e-4, BUDGET_S)


@pytest.mark.parametrize("seed", range(30))
def test_a_peer_that_is_late_for_ever_gets_back_the_budget_of_a_game_and_no_more(game: State, seed: int) -> None:
    peer, now, given_s = LateAcknowledger(0.01, prompt=0.0, seed=seed), 0.0, 0.0
    budget = LagCredit(lambda _: peer)
    for _ in range(400):
        peer.exchange(now)
        before = playing(game, now)
        lag_s = budget.due(before)
        assert lag_s <= LAG_CREDIT_S
        now += 10.0
        budget.moved(before, now, lag_s)
        given_s += lag_s
    assert given_s == pytest.approx(BUDGET_S)
    assert budget.due(playing(replace(game, games=game.games + 1), now)) > 0.2, "the next game has its own"


@given(st.lists(st.tuples(st.floats(0.0, 5.0), st.floats(0.0, 3.0)), max_size=200))
def test_whatever_is_measured_a_seat_never_gets_back_more_than_its_budget(moves: list[tuple[float, float]]) -> None:
    table = Conversation("tic_tac_toe")
    peer, now, given_s = Says(), 0.0, 0.0
    budget = LagCredit(lambda _: peer)
    for peer.said_s, thought_s in moves:
        before = playing(table.state, now)
        lag_s = budget.due(before)
        now += thought_s
        budget.moved(before, now, lag_s)
        given_s += min(lag_s, thought_s)
        assert 0.0 <= lag_s <= LAG_CREDIT_S
    assert given_s <= BUDGET_S + 1e-6


async def test_the_clock_of_a_seat_goes_on_when_its_budget_is_spent(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lag_credit, "BUDGET_S", 1.0)
    async with hall() as here:
        anna, bert = await here.seat("tic_tac_toe?time=60")
        monkeypatch.setattr(anna.peer, "lag_s", lambda: 0.4)
        for square, answer in ((0, 3), (1, 4), (8, 7)):
            await trio.sleep(2.0)
            await alternate([anna, bert], square, answer)
        assert _shown(here) == pytest.approx(60.0 - 3 * 2.0 + 1.0, abs=0.01)
        await trio.sleep(2.0)
        await alternate([anna], 5)
        assert _shown(here) == pytest.approx(60.0 - 4 * 2.0 + 1.0, abs=0.01)


def _shown(here: Hall) -> float:
    """Seconds on the clock of seat 0."""
    clock = here.state().clock
    assert clock is not None
    return clock.readings[0].main_s
