"""Bogaprot tells clocks to the clients that asked for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.bogaprot.dialect import Bogaprot
from protocols.bogaprot.extensions import read_clock, write_clock
from protocols.core.commands import Join
from protocols.core.events import ClockSet, GameStarted, MoveMade, TurnStarted
from protocols.core.model import Clock, Move, Reading
from protocols.core.notifications import Seated
from tests.protocols.talk import CHECKERS, ask, heard, opened, tell

FIVE = Clock((Reading(300.0), Reading(300.0)), 0, 1000.0)
LATER = Clock((Reading(296.46), Reading(300.0)), 1, 1003.54)
STANDS = replace(LATER, running=None)

START = GameStarted(CHECKERS, 1, (), "")
STEP = MoveMade(0, Move(40, 33), 1, "", (), "")

WORDS = [
    ("clock 0 300 296.4", Clock((Reading(300.0), Reading(296.4)), 0, 0.0)),
    ("clock -1 300 300", Clock((Reading(300.0), Reading(300.0)), None, 0.0)),
    ("clock 1 0+3x30 600+5x30", Clock((Reading(0.0, 30.0, 3), Reading(600.0, 30.0, 5)), 1, 0.0)),
    ("clock 1 600+25/300 0+1/12.5", Clock((Reading(600.0, 300.0, 0, 25), Reading(0.0, 12.5, 0, 1)), 1, 0.0)),
    ("clock 0 25/1800 40/5400", Clock((Reading(1800.0, moves=25), Reading(5400.0, moves=40)), 0, 0.0)),
    ("clock 0 0+10 0+10", Clock((Reading(0.0, 10.0), Reading(0.0, 10.0)), 0, 0.0)),
]
"""A word for every kind of time control."""


def seated(engine: str, *past: object) -> Bogaprot:
    peer = Bogaprot()
    ask(peer, f'REQ_HANDSHAKE "{engine}" 1')
    tell(peer, Seated(1, 0, (*opened(CHECKERS, "alice", "bob"), *past)))  # type: ignore[arg-type]
    return peer


def clock_words(lines: list[str]) -> list[str]:
    return [line for line in lines if "clock" in line]


@pytest.mark.parametrize(("word", "clock"), WORDS, ids=[word for word, _ in WORDS])
def test_a_word_says_what_every_clock_shows(word: str, clock: Clock) -> None:
    assert write_clock(clock) == word
    assert read_clock(word) == clock


def test_tenths_are_rounded_down() -> None:
    assert write_clock(Clock((Reading(59.99), Reading(0.04)), 1, 0.0)) == "clock 1 59.9 0"


@pytest.mark.parametrize(
    "word",
    ["clock", "clock 0", "clock 2 300 300", "clock -2 300", "clock 0 300 soon", "clock  0 300", "clocks 0 300", "draw"],
)
def test_other_words_are_none(word: str) -> None:
    assert read_clock(word) is None


def test_the_wish_is_not_the_tables_business() -> None:
    assert ask(Bogaprot(), 'REQ_HANDSHAKE "chess?name=alice&time=300%2B5&clocks=yes" 1') == [
        Join("chess", "alice", "", (("time", "300+5"),))
    ]


def test_clocks_are_told_when_they_start_and_when_they_stop() -> None:
    peer = seated("checkers?clocks=yes")
    assert tell(peer, START, TurnStarted(0, FIVE))[-2:] == ["REQ_MOVE 0", 'MSG_MOVE -1 -1 "clock 0 300 300"']
    assert tell(peer, STEP, TurnStarted(1, LATER))[-2:] == ["REQ_MOVE 1", 'MSG_MOVE -1 -1 "clock 1 296.4 300"']
    assert tell(peer, ClockSet(STANDS)) == ['MSG_MOVE -1 -1 "clock -1 296.4 300"']


def test_who_has_not_asked_hears_nothing_of_clocks() -> None:
    peer = seated("checkers")
    assert clock_words(tell(peer, START, TurnStarted(0, FIVE), STEP, ClockSet(STANDS))) == []


def test_where_nobody_keeps_time_there_is_nothing_to_tell() -> None:
    peer = seated("checkers?clocks=yes")
    assert clock_words(tell(peer, START, TurnStarted(0), STEP, TurnStarted(1))) == []


def test_who_comes_back_hears_the_clocks_before_it_is_asked_to_move() -> None:
    peer = Bogaprot()
    ask(peer, 'REQ_HANDSHAKE "checkers?clocks=yes#ticket" 1')
    past = (*opened(CHECKERS, "alice", "bob"), START, TurnStarted(0, FIVE), STEP, TurnStarted(1, LATER))
    assert tell(peer, Seated(1, 1, past))[-2:] == ['MSG_MOVE -1 -1 "clock 1 296.4 300"', "REQ_MOVE 1"]


def test_an_earlier_games_clocks_are_not_those_of_a_game_without_any() -> None:
    peer = Bogaprot()
    ask(peer, 'REQ_HANDSHAKE "checkers?clocks=yes#ticket" 1')
    past = (*opened(CHECKERS, "alice", "bob"), START, TurnStarted(0, FIVE), START, TurnStarted(0))
    assert clock_words(tell(peer, Seated(1, 1, past))) == []
    assert heard(peer) == []
