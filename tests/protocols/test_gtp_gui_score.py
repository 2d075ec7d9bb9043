"""A Go GUI sets up handicap and clocks, and settles dead stones and the score."""

from __future__ import annotations

import pytest

from protocols.core.commands import Propose
from protocols.core.events import GameResumed
from protocols.core.notifications import Unmatched
from protocols.core.proposals import Score
from tests.protocols.gtp_peers import SET_UP, GoTable, gui, settling, two
from tests.protocols.talk import ask, heard


def test_two_passes_and_final_score_settle_the_game() -> None:
    """ "Two humans: the same set confirmed by both." """
    table, black, white = settling()
    assert table.say(white, "final_status_list dead", "final_score") == ["="]
    assert table.say(black, "final_status_list dead", "final_status_list seki", "final_score") == ["=", "=", "= W+6.5"]
    assert heard(white) == ["= W+6.5"]
    assert table.say(black, "final_score", "final_status_list alive") == ["= W+6.5", "= D4 C3"]


def test_a_list_that_differs_is_shown_before_it_is_agreed_to() -> None:
    table, black, white = settling()
    assert table.say(black, "final_score") == []
    table.do(white, [Propose(Score((48,)))])
    said = heard(black)
    assert said[0].endswith(" takes for dead: D4; final_score agrees, a move plays on")
    assert table.say(black, "final_status_list dead", "final_score") == ["= D4", "= W+87.5"]


def test_two_people_confirm_the_same_dead_stones() -> None:
    """ "Two humans: the same set confirmed by both." """
    table, black, white = settling()
    assert table.say(white, "boardgate-dead C3") == []
    assert table.say(black, "final_status_list dead", "boardgate-dead c3") == ["= C3", "= B+74.5"]
    assert heard(white) == ["= B+74.5"]


def test_what_cannot_be_dead_is_refused() -> None:
    table, black, _ = settling()
    assert table.say(black, "boardgate-dead A1", "boardgate-dead what") == [
        "? cannot score: no stone on A1",
        "? no vertex 'what' on a board of 9x9",
    ]
    table, black, _ = two()
    assert table.say(black, "boardgate-dead D4") == ["? cannot score: the game is being played"]


@pytest.mark.parametrize("word", ["play b E5", "genmove w", "kgs-genmove_cleanup w"])
def test_a_further_move_resumes_play(word: str) -> None:
    table, black, white = settling()
    assert table.say(white, "final_score") == []
    table.say(black, word)
    assert heard(white) == ["? cannot score: your opponent plays on"]
    assert GameResumed() in table.record


def test_a_third_pass_is_no_move() -> None:
    table, black, _ = settling()
    assert table.say(black, "play b pass") == [
        "? both have passed: final_score agrees on the score, a stone goes on playing"
    ]


def test_what_is_set_up_in_a_running_game_changes_nothing() -> None:
    table, black, _ = two()
    assert table.say(black, "komi 6.5", "komi 0.5", "kgs-rules japanese", "kgs-rules chinese", "fixed_handicap 2") == [
        "=",
        "? komi is 6.5 in this game",
        "? the rules of this game are chinese",
        "=",
        "? board not empty",
    ]
    assert table.say(black, "time_settings 60 0 0", "time_left b 60 0", "time_left") == ["=", "=", "="]


def test_time_left_tells_the_tables_clock() -> None:
    table = GoTable()
    black = gui(table, *SET_UP, "time_settings 60 0 0", "play b D4")
    gui(table, *SET_UP, "time_settings 60 0 0", "genmove b")
    heard(black)
    assert table.say(black, "time_left", "time_left w") == ["= black 60 0\\nwhite 60 0", "= white 60 0"]


def test_a_handicap_that_was_placed_freely_is_part_of_the_proposal() -> None:
    table = GoTable(None)
    white = gui(table, "boardsize 9", "set_free_handicap C3 G7", "genmove b", "# interrupt", "play w E5")
    black = gui(table, "boardsize 9", "set_free_handicap G7 C3")
    assert table.say(black, "genmove w") == ["= E5"]
    assert heard(white) == ["="]
    assert table.say(black, "play b C4", "showboard")[1].count("X") == 3


def test_settings_that_the_other_proposes_are_told() -> None:
    table = GoTable()
    black = gui(table, *SET_UP, "play b D4")
    white = gui(table, "boardsize 13", "genmove b")
    assert heard(black) == [], "another player may come who plays its game"
    black.send(Unmatched())
    table.do(black, black.prompted())
    (told,) = heard(black)
    assert told.endswith("proposes another game: 13x13, area; set it up to agree")
    assert table.say(white, "# interrupt", "boardsize 9", "komi 6.5", "genmove b") == ["? interrupted", "=", "="]
    assert table.say(black, "play b D4") == ["="]
    assert heard(white) == ["= D4"]


def test_what_is_pipelined_behind_the_second_pass_waits_until_play_has_stopped() -> None:
    """ "Input must still be read meanwhile (... pipelined commands)": the pass is told before the settling is."""
    table, black, white = two()
    table.say(white, "play w C3", "genmove b")
    assert table.say(black, "genmove w", "play b pass") == ["= C3", "="]
    heard(white)
    table.do(white, ask(white, "play w pass", "final_status_list alive", "final_score"))
    assert heard(white) == ["=", "= D4 C3"]
    assert table.say(black, "genmove w", "final_score") == ["= pass", "= W+6.5"]
    assert heard(white) == ["= W+6.5"]
