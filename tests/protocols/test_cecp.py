"""CECP lines become messages, and texts of other people cannot turn into commands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.cecp import engine_lines
from protocols.cecp import gui_lines as said


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("protover 2", said.Protover(2)),
        ("accepted ping", said.FeatureAccepted("ping")),
        ("rejected debug", said.FeatureRejected("debug")),
        ("new", said.New()),
        ("variant crazyhouse", said.Variant("crazyhouse")),
        ("setboard 8/8/8/8/8/8/8/K1k5 w - - 0 1", said.SetBoard("8/8/8/8/8/8/8/K1k5 w - - 0 1")),
        ("force", said.Force()),
        ("go", said.Go()),
        ("playother", said.PlayOther()),
        ("usermove e2e4", said.UserMove("e2e4")),
        ("usermove P@e4", said.UserMove("P@e4")),
        ("usermove O-O-O", said.UserMove("O-O-O")),
        ("level 40 5 0", said.Level(40, 300.0, 0.0)),
        ("level 0 0:30 0.2", said.Level(0, 30.0, 0.2)),
        ("level 0 2:30 12", said.Level(0, 150.0, 12.0)),
        ("st 30", said.MoveTime(30.0)),
        ("time 6000", said.Time(6000)),
        ("otim -5", said.OTim(-5)),
        ("ping 17", said.Ping(17)),
        ("draw", said.Draw()),
        ("result 1-0 {White mates}", said.Result("1-0", "White mates")),
        ("result *", said.Result("*", "")),
        ("undo", said.Undo()),
        ("remove", said.Remove()),
        ("computer", said.Computer()),
        ("name Fairy-Max 5.0b", said.Name("Fairy-Max 5.0b")),
        ("option Connect", said.Option("Connect", "")),
        ("option Host=games.example.org", said.Option("Host", "games.example.org")),
        ("option Send line=a = b", said.Option("Send line", "a = b")),
        ("quit", said.Quit()),
        ("hard", said.Ignored("hard")),
        ("", said.Ignored("")),
    ],
)
def test_a_line_of_the_document_is_read(line: str, message: said.Message) -> None:
    assert said.read(line) == message


@pytest.mark.parametrize("line", ["e2e4", "e7e8q", "P@e4", "O-O", "a10b10"])
def test_a_gui_that_rejected_usermove_sends_the_bare_move(line: str) -> None:
    """Every feature may be rejected."""
    assert said.read(line) == said.UserMove(line)


@pytest.mark.parametrize(
    "line",
    [
        "level 40",
        "level a b c",
        "level 0 -1 0",
        "level 0 nan 0",
        "ping",
        "ping x",
        "time 1.5",
        "usermove",
        "result 2-0",
    ],
)
def test_arguments_that_make_no_sense_are_an_unknown_line(line: str) -> None:
    assert said.read(line) == said.Unknown(line)


def test_the_answer_to_a_question_comes_behind_its_tag() -> None:
    """`askuser TAG question` asks the user (takeback, draw); the answer comes as `TAG answer`."""
    assert said.read("TAKEBACK yes please", frozenset({"TAKEBACK"})) == said.Reply("TAKEBACK", "yes please")
    assert said.read("TAKEBACK yes") == said.Unknown("TAKEBACK yes")


HARMLESS = ("telluser ", "askuser TAKEBACK ", "feature myname=", "# ")

HOSTILE = (
    "1-0 {White mates}",
    "resign",
    "White resigns",
    "x\n1-0 {x}",
    "x\rresign",
    "Draw",
    "xboard: not found",
    "No such file",
    "Permission denied",
    "Illegal move: e2e4",
    "\\\\a\\nb",
    "move e2e4",
    "x\u2028move e2e4",
    "x\x00move e2e4",
    '" done=1 "',
)


@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_a_peer_reaches_the_gui_only_behind_telluser(text: str) -> None:
    """Text from a peer reaches the GUI only behind `telluser `, on one line, control characters stripped."""
    line = engine_lines.tell_user(text)
    assert line.startswith("telluser ")
    assert line.isprintable()
    assert not line.startswith("telluser \\")


@given(st.text(max_size=2000))
def test_no_text_breaks_its_line(text: str) -> None:
    lines = [
        engine_lines.tell_user(text),
        engine_lines.ask_user("TAKEBACK", text),
        engine_lines.my_name(text),
        engine_lines.comment(text),
    ]
    assert all(line.isprintable() and len(line) < 512 for line in lines)
    assert all(line.startswith(HARMLESS) for line in lines)
    assert engine_lines.my_name(text).count('"') == 2


@given(st.text(max_size=100))
def test_only_a_move_is_sent_as_a_move(text: str) -> None:
    try:
        line = engine_lines.move(text)
    except ValueError:
        return
    assert said.MOVE.fullmatch(line.removeprefix("move "))


def test_a_result_is_one_of_four_and_its_reason_stays_in_its_braces() -> None:
    assert engine_lines.result("1-0", "White} resign {mates") == "1-0 {White resign mates}"
    with pytest.raises(ValueError, match="no result: '2-0'"):
        engine_lines.result("2-0", "")


def test_an_illegal_move_is_refused_in_words_that_xboard_obeys() -> None:
    """`Illegal move (reason): m` retracts a move later too, unless the line contains name, rating, ?, result, board."""
    assert engine_lines.illegal("e2e5") == "Illegal move: e2e5"


@given(st.text(max_size=300))
def test_any_line_is_some_message(line: str) -> None:
    assert isinstance(said.read(line), said.Message)


def test_a_long_text_is_broken_into_lines_that_fit_a_screen() -> None:
    """XBoard: a text that begins with two backslashes may hold escapes; its window is as wide as the longest line."""
    told = engine_lines.tell_user("a\\b " + "word " * 60, broken=True)
    assert told.startswith("telluser \\\\")
    rows = told.removeprefix("telluser \\\\").split("\\n")
    assert rows[0].startswith("a\\\\b word")
    assert len(rows) == 4
    assert max(map(len, rows)) <= 101
    assert engine_lines.tell_user("short", broken=True) == "telluser short"
