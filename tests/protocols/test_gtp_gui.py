"""The gateway is the engine of a Go GUI at a real table of Go: it answers, waits and refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from protocols.core.commands import Forfeit, Join, Leave, PlayMove, Propose, Resign
from protocols.core.errors import RemoteProtocolError
from protocols.core.events import SeatLeft, SeatTaken
from protocols.core.model import PASS, SeatKind, TimeControl, TimeKind
from protocols.core.proposals import Adjourn, Resume, Start, Takeback
from protocols.gtp.gui import MOST_WAITING
from tests.protocols.gtp_peers import SET_UP, GoTable, gui, two
from tests.protocols.talk import ask, heard

ABSOLUTE_60: Final = TimeControl(TimeKind.ABSOLUTE, main_s=60.0)


def test_a_gui_is_known_by_its_first_commands() -> None:
    """ "`name protocol_version version list_commands boardsize clear_board komi`, then `play b D4`" """
    peer = gui()
    ask(peer, "name", "protocol_version", "list_commands", "known_command loadsgf", "known_command play")
    name, version, listed, unknown, known = heard(peer)
    assert (name, version, unknown, known) == ("= Boardgate", "= 2", "= false", "= true")
    assert ask(peer, *SET_UP) == []
    assert "loadsgf" not in listed


def test_what_is_listed_is_served_and_nothing_else() -> None:
    """ "List only what is served." """
    peer = gui()
    ask(peer, "list_commands")
    listed = heard(peer)[0].removeprefix("= ").split("\\n")
    for name in listed:
        if name != "quit":
            ask(peer := gui(), name)
            assert "? unknown command" not in heard(peer)
    ask(peer, "printsgf /etc/passwd", "loadsgf x")
    assert heard(peer)[-2:] == ["? unknown command", "? unknown command"]


@pytest.mark.parametrize(("first", "side"), [("play b D4", 0), ("genmove w", 0), ("play w D4", 1), ("genmove b", 1)])
def test_the_first_move_says_which_colour_the_user_plays(first: str, side: int) -> None:
    table = GoTable()
    peer = gui(table, *SET_UP, first)
    proposed = [made.proposal for made in table.state.proposals]
    assert [start.side for start in proposed if isinstance(start, Start)] == [side]
    assert heard(peer) == []


def test_nobody_is_asked_for_a_seat_before_the_first_move() -> None:
    peer = gui()
    assert ask(peer, *SET_UP, "showboard", "time_settings 60 0 0") == []
    (join,) = ask(peer, "genmove b")
    wishes = (("komi", "6.5"), ("size", "9"))
    assert isinstance(join, Join)
    assert join.settings is not None
    assert (join.settings.width, join.settings.options, join.settings.time) == (9, wishes, ABSOLUTE_60)
    assert replace(join, settings=None) == Join("go", wishes=wishes, ready=False, side=1)


def test_name_and_ticket_are_said_in_comments() -> None:
    peer = gui()
    (join,) = ask(peer, "# name alice", "# ticket 1234", "genmove b")
    assert isinstance(join, Join)
    assert (join.name, join.ticket, join.by_address) == ("alice", "1234", False)


def test_two_guis_play_each_other() -> None:
    table, black, white = two()
    assert table.say(white, "play w C3") == ["="]
    assert table.say(black, "genmove w", "play b E5") == ["= C3", "="]
    assert table.say(white, "genmove b") == ["= E5"]
    assert table.state.ply == 3


def test_genmove_blocks_until_the_opponent_has_moved_and_input_is_still_read() -> None:
    """ "`genmove` for the opponent blocks until the opponent has moved, and input must still be read meanwhile
    (`# interrupt`, end of file, pipelined commands)" """
    table, black, white = two()
    assert table.say(black, "1 genmove w", "2 play b E5", "3 name") == []
    table.say(white, "play w C3")
    assert heard(black) == ["=1 C3", "=2", "=3 Boardgate"]
    assert table.state.ply == 3
    assert table.say(black, "4 genmove w", "# interrupt") == ["?4 interrupted"]
    table.say(white, "genmove b", "play w C4")
    assert table.say(black, "5 genmove w") == ["=5 C4"]


def test_genmove_for_the_guis_own_colour_is_refused() -> None:
    """ "`genmove` for the GUI's own colour: `? ...`." """
    table, black, white = two()
    assert table.say(white, "genmove w") == ["? you play white yourself: play w VERTEX"]
    assert table.say(black, "play b E5") == ["? it is not your turn: genmove w waits for your opponent"]
    assert table.say(black, "play w E5") == ["? you play black: genmove w tells that move"]


def test_a_refused_play_is_illegal_move() -> None:
    """ "A refused play: `? illegal move`." """
    table, _, white = two()
    assert table.say(white, "play w D4", "play w Z3", "play w", "play x D4", "play w C3") == [
        "? illegal move",
        "? no vertex 'Z3' on a board of 9x9",
        "? syntax error: play COLOR VERTEX",
        "? no colour: 'x'; it is b or w",
        "=",
    ]


def test_opponent_resigned() -> None:
    """ "Opponent resigned: `= resign`. Otherwise over: `? game over: B+3.5`." """
    table, black, white = two("genmove w")
    assert table.say(white, "play w resign") == ["="]
    assert heard(black) == ["= resign"]
    assert table.say(black, "final_score", "genmove w", "play b E5") == ["= B+R", "= resign", "? game over: B+R"]
    assert table.say(white, "genmove b") == ["? game over: B+R"]


def test_undo_asks_the_opponent_and_answers_when_he_did() -> None:
    """ "`undo` asks the opponent (a takeback proposal) and answers when he did" """
    table, black, white = two()
    table.say(white, "play w C3")
    table.say(black, "genmove w")
    assert table.say(black, "undo") == []
    table.do(white, [Propose(table.state.proposals[0].proposal)])
    assert heard(black) == ["="]
    assert table.say(black, "undo", "play b E6") == ["=", "="]
    assert table.state.ply == 1


def test_an_undo_that_is_interrupted_or_overtaken_fails() -> None:
    table, black, white = two()
    assert table.say(black, "undo", "# interrupt") == ["? interrupted"]
    assert table.state.proposals == ()
    assert table.say(black, "undo") == []
    table.say(white, "play w C3")
    assert heard(black) == ["? cannot undo: the game has gone on"]
    assert table.say(black, "genmove w") == ["= C3"]


def test_after_one_undo_of_two_the_user_is_told_to_go_on() -> None:
    table, black, white = two()
    table.say(white, "play w C3")
    table.say(black, "genmove w", "undo")
    table.do(white, [Propose(table.state.proposals[0].proposal)])
    assert table.say(black, "genmove w")[-1] == "? more was taken back: undo once more"


def test_a_game_lost_by_a_fault_says_whose_and_which() -> None:
    """The result stands where GUIs look for it; why follows it where the result does not say that itself."""
    table, black, white = two("genmove w")
    table.do(white, [Forfeit("plays an illegal move")])
    assert heard(black) == ["? game over: B+F (white plays an illegal move)"]
    table, black, white = two("genmove w")
    table.drop(white)
    table.wait(60.0)
    assert heard(black) == ["? game over: B+F (white did not come back)"]
    assert table.say(black, "final_score") == ["= B+F"]


def test_who_has_left_after_a_fault_is_named_still() -> None:
    """An engine that has lost so is let go at once, before the user asks for its move."""
    table = GoTable()
    black = gui(table, *SET_UP, "play b D4")
    white = gui(table, "# name Carl", *SET_UP, "genmove b")
    table.do(white, [Forfeit("plays an illegal move"), Leave()])
    heard(black)
    assert any(isinstance(event, SeatLeft) for event in table.record)
    assert table.say(black, "genmove w") == ["? game over: B+F (Carl plays an illegal move)"]


def test_boardsize_or_clear_board_in_a_running_game_leaves_it() -> None:
    """ "`boardsize` or `clear_board` in a running game leaves it (resigns after a stated grace)" """
    for word in ("clear_board", "boardsize 9"):
        table, black, _ = two()
        assert table.say(black, word) == ["="]
        assert table.record[-1] == SeatLeft(0, SeatKind.RESERVED, table.state.house.grace_s)
        table.wait(table.state.house.grace_s)
        assert table.state.outcome is not None
        assert table.state.outcome.winner == 1
        (join,) = ask(black, "genmove b")
        assert isinstance(join, Join)
        assert not join.by_address


def test_quit_and_end_of_file_are_a_lost_connection() -> None:
    """ "`quit` and end of file are a lost connection: the seat is kept." """
    table, black, white = two("genmove w")
    table.drop(black)
    assert ask(white, "quit") == [Leave(lost=True)]
    assert heard(white) == ["="]
    assert white.closing
    assert table.record[-1] == SeatLeft(0, SeatKind.RESERVED, 60.0)
    assert ask(peer := gui(), "quit") == []
    assert peer.closing


def test_whoever_comes_back_plays_the_game_again_and_goes_on() -> None:
    """A GUI that disconnects inside genmove and comes back."""
    table, black, white = two("genmove w")
    table.drop(black)
    table.say(white, "play w C3")
    again = gui(table, "# ticket 0", "boardsize 9", "clear_board", "komi 6.5")
    assert table.say(again, "play b E5", "play b D4", "genmove w", "play b E5") == [
        "? black has played D4 here",
        "=",
        "= C3",
        "=",
    ]
    assert [event for event in table.record if isinstance(event, SeatTaken)][-1].seat == 0
    assert table.say(white, "genmove b") == ["= E5"]


def test_moves_that_were_taken_back_meanwhile_are_not_made_anew_by_who_comes_back() -> None:
    """An undo whose answer was lost with the connection: moves that are shown again are compared, never played."""
    table, black, white = two()
    table.say(white, "play w C3")
    table.say(black, "genmove w", "undo")
    table.do(white, [Propose(table.state.proposals[0].proposal)])
    table.drop(black)
    again = gui(table, "# ticket 0", "# back 2", "boardsize 9", "komi 6.5")
    assert table.say(again, "play b D4", "play w C3", "undo", "undo") == ["="] * 4
    assert table.state.ply == 0
    assert table.say(again, "play b E5") == ["="]
    assert table.state.ply == 1


def test_an_undo_that_nobody_has_decided_on_is_asked_once() -> None:
    table, black, white = two()
    table.say(white, "play w C3")
    table.say(black, "genmove w", "undo")
    again = gui(table, "# ticket 0", "# back 2", "boardsize 9", "komi 6.5")
    assert table.say(again, "play b D4", "play w C3", "undo") == ["=", "="]
    table.do(white, [Propose(Takeback(2))])
    assert heard(again) == ["="]


def test_whoever_comes_back_with_another_board_is_told_so() -> None:
    table, black, _ = two("genmove w")
    table.drop(black)
    again = gui(table, "# ticket 0", "clear_board")
    assert table.say(again, "genmove w", "boardsize 9", "genmove b") == [
        "? you are back in a game on 9x9: boardsize 9 first",
        "=",
        "= D4",
    ]


def test_an_adjourned_game_goes_on_with_the_next_move() -> None:
    table, black, white = two()
    table.do(black, [Propose(Adjourn())])
    table.do(white, [Propose(Adjourn())])
    heard(white)
    assert table.say(white, "play w C3") == []
    table.do(black, [Propose(Resume())])
    assert heard(white) == ["="]


def test_showboard_draws_the_table() -> None:
    table, _, white = two()
    drawn = table.say(white, "showboard")[0].split("\\n")
    assert drawn[1] == "   A B C D E F G H J"
    assert drawn[7] == " 4 . . . X . . . . . 4"
    assert drawn[-1] == "1 moves, white to move"


def test_endless_lines_and_too_many_commands() -> None:
    """ "Hostile input: endless lines, NULs": clear answers, never an exception but the protocol's own."""
    peer = gui()
    peer.receive_data(b"play b " + b"D4" * 5000)
    peer.receive_data(b"\nname\n\0\0\n")
    assert heard(peer) == ["? no command: an empty line, or one that is too long", "= Boardgate"]
    flood = b"genmove b\n" + b"name\n" * (MOST_WAITING + 1)
    assert [type(command) for command in peer.receive_data(flood)] == [Join]
    assert peer.closing
    with pytest.raises(RemoteProtocolError, match="128 commands wait"):
        peer.receive_data(b"name\n")


def test_resigning_and_passing_are_commands() -> None:
    white = two()[2]
    assert ask(white, "play w pass") == [PlayMove(PASS, ply=1)]
    white = two()[2]
    assert ask(white, "play w resign") == [Resign()]


def test_any_komi_is_accepted() -> None:
    """ "komi [...] The engine must accept the komi even if it should be ridiculous." """
    peer = gui()
    ask(peer, "komi 1000", "komi 6.25", "komi 1e1", "komi -300.75", "komi 1e30", "komi none", "komi")
    answers = heard(peer)
    assert answers[:5] == ["="] * 5
    assert all(answer.startswith("? syntax error") for answer in answers[5:])


def test_a_game_is_played_and_scored_with_such_a_komi() -> None:
    """ "The engine must accept the komi even if it should be ridiculous." """
    table = GoTable(None)
    black = gui(table, "boardsize 9", "komi 1e3", "play b D4")
    white = gui(table, "boardsize 9", "komi 1000", "genmove b", "play w pass")
    table.say(black, "genmove w", "play b pass")
    table.say(white, "genmove b")
    table.say(black, "final_score")
    assert table.say(white, "final_score") == ["= W+919"]


def test_handicap_stones_are_placed_once_on_an_empty_board() -> None:
    """ "set_free_handicap: [...] fails: board not empty, bad vertex list"; "fixed_handicap: [...] fails: syntax error,
    invalid number of stones, board not empty. This command is only valid if the board is empty." """
    peer = gui(None, "boardsize 9", "set_free_handicap D4 E5")
    for again in ("set_free_handicap D4 F6", "fixed_handicap 2", "place_free_handicap 2"):
        ask(peer, again)
        assert heard(peer) == ["? board not empty"]
    ask(peer, "clear_board", "fixed_handicap 2", "set_free_handicap D4 E5")
    assert heard(peer) == ["=", "= G7 C3", "? board not empty"]


@pytest.mark.parametrize("word", ["fixed_handicap", "place_free_handicap"])
def test_a_number_of_stones_that_there_is_not_is_invalid(word: str) -> None:
    """ "fixed_handicap: [...] fails: syntax error, invalid number of stones, board not empty" """
    peer = gui()
    ask(peer, f"{word} 1", f"{word} 99", f"{word} many")
    one, many, words = heard(peer)
    assert one.startswith("? invalid number of stones")
    assert many.startswith("? invalid number of stones")
    assert words.startswith("? syntax error")


def test_commands_are_case_sensitive_and_colours_and_vertices_are_not() -> None:
    """ "Strings are case sensitive." "Vertices are not case sensitive." "Colors are not case sensitive." """
    table = GoTable()
    peer = gui(table, "Boardsize 9")
    ask(peer, "NAME", "known_command Play", "known_command play")
    assert heard(peer) == ["? unknown command", "= false", "= true"]
    black, white = gui(table, *SET_UP), gui(table, *SET_UP)
    table.say(black, "play BLACK d4")
    assert table.say(white, "genmove Black") == ["= D4"]


def test_in_byoyomi_a_gui_that_said_kgs_time_settings_is_told_the_periods_left() -> None:
    """KGS tells the periods left as the stones of time_left; the draft knows Canadian overtime only."""
    table = GoTable(None)
    black = gui(table, *SET_UP, "kgs-time_settings byoyomi 0 30 5", "play b D4")
    table.say(gui(table, *SET_UP, "kgs-time_settings byoyomi 0 30 5"), "genmove b")
    assert table.say(black, "time_left w")[-1] == "= white 30 5"
