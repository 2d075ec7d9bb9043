"""GTP names a rule set only where its rules are judged, accepts those names, and compensates handicap stones."""

from __future__ import annotations

import pytest

from protocols.core.events import GameEnded, MoveMade
from protocols.core.model import Outcome, Reason
from protocols.gtp.engine import GtpEngine
from protocols.gtp.gui import GtpGui
from tests.protocols.gtp_peers import COMMANDS, SET_UP, Engine, GoTable, gui
from tests.protocols.talk import heard

LISTED = f"{COMMANDS} kgs-rules set_free_handicap"

KO = ["C3", "A3", "C2", "B3", "D2", "A2", "D1", "B2", "B1", "E5", "A1", "C1", "B1"]
"""On 5x5: White takes two stones at C1, and Black takes that one back at B1."""


def engines(options: dict[str, str], moves: list[str]) -> tuple[GoTable, list[Engine]]:
    """Two engines of one listener at a table; they make these moves in turn, then the next one resigns."""
    table = GoTable(None)
    made = [Engine({"genmove": [*moves[seat::2], "resign"]}, LISTED, options) for seat in (0, 1)]
    return table, [table.dial(engine) for engine in made]


def rules_told(engine: Engine) -> list[str]:
    return [line.partition(" ")[2] for line in engine.asked if line.startswith("kgs-rules")]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, ["chinese"]),
        ({"rules": "area"}, ["chinese"]),
        ({"rules": "chinese", "handicap": "4"}, ["chinese"]),
        ({"rules": "area", "handicap": "4"}, ["chinese"]),
        ({"rules": "area", "handicap": "4", "compensation": "none"}, []),
        ({"rules": "area", "compensation": "none"}, ["chinese"]),
        ({"rules": "aga", "handicap": "4"}, ["aga"]),
        ({"rules": "area", "ko": "situational", "handicap": "4", "compensation": "less-one"}, ["aga"]),
        ({"rules": "area", "ko": "situational", "handicap": "4", "compensation": "full"}, []),
        ({"rules": "new_zealand"}, ["new_zealand"]),
        ({"rules": "tromp_taylor"}, []),
        ({"rules": "area", "ko": "simple"}, []),
        ({"rules": "territory"}, ["japanese"]),
        ({"rules": "japanese", "handicap": "4"}, ["japanese"]),
        ({"rules": "territory", "ko": "positional"}, []),
    ],
)
def test_an_engine_is_told_the_name_of_exactly_the_rules_that_are_judged(
    options: dict[str, str], told: list[str]
) -> None:
    """Tromp and Taylor's have no name in kgs-rules."""
    _, (black, white) = engines({"size": "9", **options}, ["E5", "E6"])
    assert (rules_told(black), rules_told(white)) == (told, told)


@pytest.mark.parametrize("rules", ["territory", "japanese"])
def test_an_engine_that_is_told_japanese_rules_may_take_by_them(rules: str) -> None:
    table, (black, _) = engines({"size": "5", "rules": rules}, KO)
    assert rules_told(black) == ["japanese"]
    moves = [event for event in table.record if isinstance(event, MoveMade)]
    assert [move.notation for move in moves] == KO
    assert ended(table) == Outcome(0, Reason.RESIGNATION)


@pytest.mark.parametrize("rules", ["chinese", "tromp_taylor"])
def test_the_same_move_loses_where_its_engine_was_told_of_superko(rules: str) -> None:
    table, _ = engines({"size": "5", "rules": rules}, KO)
    assert ended(table).reason is Reason.FORFEIT


def ended(table: GoTable) -> Outcome:
    return next(event.outcome for event in table.record if isinstance(event, GameEnded))


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ({"rules": "area"}, 4),
        ({"rules": "chinese"}, 4),
        ({"rules": "aga"}, 3),
        ({"rules": "new_zealand"}, 0),
        ({"rules": "area", "compensation": "none"}, 0),
        ({"rules": "area", "compensation": "less-one"}, 3),
        ({"rules": "area", "ko": "simple", "compensation": "full"}, 4),
        ({"rules": "japanese"}, 0),
    ],
)
def test_every_listener_can_say_what_handicap_stones_cost(options: dict[str, str], given: int) -> None:
    table, _ = engines({"size": "9", "handicap": "4", "komi": "0.5", **options}, [])
    assert table.state.game.start(table.state.settings).rules.compensation == given
    table = GoTable(None)
    black = gui(table, "boardsize 9", "fixed_handicap 4", "genmove w", options=options)
    gui(table, "boardsize 9", "fixed_handicap 4", "play w E5", options=options)
    assert heard(black) == ["= E5"]
    assert table.state.position.rules.compensation == given


@pytest.mark.parametrize(
    "options",
    [
        {"rules": "japanese", "ko": "positional"},
        {"rules": "chinese", "compensation": "none"},
        {"rules": "territory", "compensation": "full"},
        {"rules": "area", "compensation": "half"},
        {"rules": "area", "ko": "super"},
        {"rules": "area", "suicide": "yes"},
        {"rules": "goe"},
    ],
)
def test_a_listener_with_rules_that_there_are_not_says_so(options: dict[str, str]) -> None:
    for dialect in (GtpEngine, GtpGui):
        with pytest.raises(ValueError, match=r"has|only|is none or|is positional or|is forbidden or|no rules"):
            dialect(options)


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("chinese", ("area", "positional", "forbidden", 2)),
        ("aga", ("area", "situational", "forbidden", 1)),
        ("new_zealand", ("area", "situational", "allowed", 0)),
        ("japanese", ("territory", "simple", "forbidden", 0)),
        ("tromp_taylor", ("area", "positional", "allowed", 0)),
    ],
)
def test_the_name_that_a_gui_says_is_played_by(name: str, rules: tuple[str, str, str, int]) -> None:
    table = GoTable(None)
    for first in ("genmove w", "play w E5"):
        peer = gui(options={"rules": "area", "ko": "simple", "compensation": "none"})
        table.come(peer)
        assert table.say(peer, "boardsize 9", f"kgs-rules {name}", "fixed_handicap 2")[1] == "="
        table.say(peer, first)
    parts = table.state.position.rules.parts
    assert (parts.scoring, parts.ko, parts.suicide, table.state.position.rules.compensation) == rules


def test_a_name_without_rules_here_is_refused_with_those_that_there_are() -> None:
    table = GoTable(None)
    assert table.say(gui(table), "kgs-rules ing") == [
        "? no rules 'ing': they are area, territory, chinese, aga, new_zealand, tromp_taylor, japanese"
    ]


def test_in_a_game_only_the_name_of_its_rules_is_accepted() -> None:
    table = GoTable(None)
    options = {"ko": "simple", "compensation": "none"}
    black = gui(table, "boardsize 9", "fixed_handicap 2", "genmove w", options=options)
    gui(table, "boardsize 9", "fixed_handicap 2", "play w E5", options=options)
    heard(black)
    words = "area with simple ko, suicide forbidden, compensation none"
    assert (
        table.say(black, "kgs-rules chinese", "kgs-rules new_zealand") == [f"? the rules of this game are {words}"] * 2
    )


@pytest.mark.parametrize(("name", "answer"), [("chinese", "="), ("japanese", "?"), ("aga", "?")])
def test_who_comes_back_with_the_name_of_other_rules_is_told_those_that_are_played(name: str, answer: str) -> None:
    table = GoTable()
    black = gui(table, *SET_UP, "play b D4")
    gui(table, *SET_UP, "genmove b")
    table.drop(black)
    again = gui(table, "# seat 0", *SET_UP)
    told = table.say(again, f"kgs-rules {name}", "play b D4")
    words = "you are back in a game whose rules are chinese: kgs-rules said others"
    assert told == ["=", "=" if answer == "=" else f"? {words}"]


def test_particulars_without_a_word_for_compensation_mean_that_of_their_rule_set() -> None:
    mode = "black bob 4 fixed situational forbidden area none"
    table = GoTable(None)
    table.dial(Engine({"play_mode": [mode, "any"], "genmove": "resign"}, f"{LISTED} play_mode", {"size": "9"}))
    bob = gui(table, "# name bob", "boardsize 9", "kgs-rules aga", "fixed_handicap 4")
    table.say(bob, "play w E5")
    assert table.state.position.rules.name == "aga"
    assert table.state.position.rules.compensation == 3
