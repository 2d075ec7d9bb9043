"""An engine refuses games beyond its listener's limits or its own settings, and is called away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.core.commands import Decline, Join, Propose, Say
from protocols.core.errors import Why
from protocols.core.events import Proposed
from protocols.core.model import Settings
from protocols.core.notifications import CalledAway, Rejected, Seated
from protocols.core.proposals import Start
from tests.protocols.gtp_peers import SMALL, Engine
from tests.protocols.talk import opened
from tests.protocols.test_gtp_match import OWN, TIMED, seated, thinker, told


def test_what_is_left_open_by_somebody_else_is_declined_by_who_waits_for_one_opponent() -> None:
    engine = thinker("play_mode", {"play_mode": "white bob 0 fixed positional forbidden area none"})
    seated(engine, "Thinker 1", "eve")
    assert told(engine, Proposed(1, Start())) == [Say("all", "Thinker 1 waits for bob"), Decline("Start")]


@pytest.mark.parametrize(
    ("proposed", "why"),
    [
        (Start(OWN.settings, 1), "plays white itself"),
        (Start(SMALL, 0), "plays with ko simple, not positional"),
        (Start(TIMED, 0), "plays with time none, not absolute,60"),
        (Start(replace(TIMED, time=None, options=(("handicap", "3"), ("size", "9"))), 0), "plays with no handicap"),
    ],
)
def test_the_particulars_are_kept_to_by_who_lists_no_game_ok(proposed: Start, why: str) -> None:
    """ "If the engine is looking to play a particular opponent, with particular settings" """
    ko = "simple" if "ko" in why else "positional"
    engine = thinker("play_mode", {"play_mode": f"white bob 0 fixed {ko} forbidden area none"})
    seated(engine, "Thinker 1", "bob")
    (own,) = [Propose(Start(_settings(ko), 1))]
    told(engine, Proposed(0, own.proposal))
    said = Say("all", f"Thinker 1 {why}")
    assert told(engine, Proposed(1, proposed)) == [said, Decline("Start"), Decline("Start"), own]


def _settings(ko: str) -> Settings:
    options = (("ko", ko), ("size", "9")) if ko == "simple" else (("size", "9"),)
    return Settings("go", "area", 9, 9, 2, options=options)


@pytest.mark.parametrize(
    ("limits", "asked", "why"),
    [
        (
            {"sizes": "9/13-15"},
            Settings("go", "area", 19, 19, 2),
            "plays on no board of 19x19 here, only on sizes 9/13",
        ),
        (
            {"most_handicap": "3"},
            replace(TIMED, options=(("handicap", "4"), ("size", "9"))),
            "at most 3 handicap stones",
        ),
        ({"most_time": "59", "time": "10"}, TIMED, "plays with at most 59 seconds main time here, not 60"),
        ({"most_time": "59", "time": "10"}, OWN.settings, "plays with a clock only, of at most 59 seconds main time"),
        ({}, replace(TIMED, rated=True), "plays no rated games here"),
    ],
)
def test_what_is_beyond_the_listeners_limits_is_declined(limits: dict[str, str], asked: Settings, why: str) -> None:
    """ "by the listener's and the engine's limits (sizes, times, handicap, rated, ...) with a clear reason" """
    engine = Engine(options={"size": "9", **limits})
    seated(engine, "Thinker 1", "bob")
    said = told(engine, Proposed(1, Start(asked)))[0]
    assert isinstance(said, Say)
    assert why in said.text
    assert "boardsize" not in " ".join(engine.asked)


def test_what_is_within_the_listeners_limits_is_asked_of_the_engine() -> None:
    engine = Engine(options={"size": "9", "sizes": "9-13", "most_handicap": "0", "most_time": "60", "time": "60"})
    seated(engine, "Thinker 1", "bob")
    assert told(engine, Proposed(1, Start(TIMED))) == [Propose(Start(TIMED))]


def test_who_declines_before_it_has_proposed_anything_says_what_it_plays() -> None:
    """Two engines that cannot both play by the first one's listener may agree on the second one's."""
    engine = thinker("", {"boardsize": ["? unacceptable size", ""]})
    seated(engine, "Thinker 2", "Thinker 1", seat=1)
    asked = told(engine, Proposed(0, Start(Settings("go", "area", 19, 19, 2))))
    assert asked[0] == Say("all", "Thinker 1 refuses boardsize 19 (unacceptable size)")
    assert asked[1:] == [Decline("Start"), Propose(OWN)]


def test_who_is_called_away_looks_for_a_table_again_and_knows_nothing_of_the_last_one() -> None:
    engine = thinker()
    assert seated(engine, "Thinker 1", "bob") == [Propose(OWN)]
    (join,) = told(engine, CalledAway())
    assert join == Join("go", "Thinker 1", "", (("size", "9"),), ready=False)
    assert told(engine, Rejected(Why.NOT_SEATED, "take a seat first")) == []
    assert told(engine, Seated(2, 0, opened(SMALL, "Thinker 1"))) == [Propose(OWN)]
    assert not engine.dialect.closing
