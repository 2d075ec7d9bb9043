"""GTP's lines, points, times and settings in words: wire/gtp.md's codec and the values that the post leaves open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.core.errors import RemoteProtocolError
from protocols.core.model import PASS, Move, Outcome, Reading, Reason, TimeControl, TimeKind
from protocols.go_words.rule_sets import NAMED, RuleSet
from protocols.go_words.table import result
from protocols.go_words.vertices import fixed_handicap, read_colour, read_move, read_vertex, write_vertex
from protocols.go_words.wish import Wish, read_komi, read_options
from protocols.gtp.codec import (
    LONGEST_ANSWER,
    LONGEST_COMMAND,
    LONGEST_SENT,
    Answer,
    Answers,
    CommandLines,
    GtpCommand,
    Stray,
    parse,
    write_answer,
    write_command,
)
from protocols.gtp.offered import Particulars, read_particulars, write_particulars
from protocols.gtp.times import read_styled, read_time_settings, read_token, styled, time_left, time_settings, token

ABSOLUTE = TimeControl(TimeKind.ABSOLUTE, main_s=600.0)
CANADIAN = TimeControl(TimeKind.CANADIAN, main_s=600.0, moves=25, period_s=300.0)
BYOYOMI = TimeControl(TimeKind.BYOYOMI, main_s=600.0, period_s=30.0, periods=5)
MOVES = TimeControl(TimeKind.MOVES, main_s=5400.0, moves=40)
PER_MOVE = TimeControl(TimeKind.PER_MOVE, period_s=10.0)
FISCHER = TimeControl(TimeKind.FISCHER, main_s=300.0, increment_s=5.0)


def test_a_command_has_an_id_a_name_and_arguments() -> None:
    """ "Command: `[id] name args\\n`." """
    assert parse("play b D4") == GtpCommand(None, "play", ("b", "D4"))
    assert parse("12 genmove w") == GtpCommand(12, "genmove", ("w",))
    assert parse("12") == GtpCommand(12, "")


def test_control_characters_comments_and_tabs() -> None:
    """ "CR and control characters are dropped, HT is a space, `#` starts a comment" """
    lines = CommandLines()
    assert lines.receive_data(b"pl\x00ay\tb D\x074 # a comment\r\n") == ["play b D4 # a comment"]
    assert parse("play b D4 # a comment") == GtpCommand(None, "play", ("b", "D4"))
    assert parse("# only a comment") is None
    assert parse("  ") is None


def test_ids_are_compared_as_integers() -> None:
    """ "Ids small, compared as integers (`007` comes back as `=7`)." """
    command = parse("007 name")
    assert command is not None
    assert write_answer(Answer(True, "Boardgate", command.id)) == b"=7 Boardgate\n\n"
    assert Answers().receive_data(b"=007 D4\n\n") == [Answer(True, "D4", 7)]


def test_an_answer_never_holds_an_empty_line() -> None:
    """ "a text never holds an empty line" """
    assert write_answer(Answer(False, "one\n\n\ntwo\r\n", 3)) == b"?3 one\ntwo\n\n"
    assert write_answer(Answer(True)) == b"=\n\n"
    assert write_answer(Answer(True, "\n A\n B")) == b"=\n A\n B\n\n"


@given(cuts=st.lists(st.integers(1, 60), max_size=5))
def test_the_end_of_an_answer_is_the_blank_line_never_the_read(cuts: list[int]) -> None:
    """ "Answers arrive in 1 to 3 TCP segments: the end is the blank line, never the read." """
    data = b"hello\n=1 a\nb\n\n?2 no\r\n\r\n= \n\n\n=9\n\n"
    answers, found = Answers(), []
    for size in [*cuts, len(data)]:
        found += answers.receive_data(data[:size])
        data = data[size:]
    assert found == [
        Stray("hello"),
        Answer(True, "a\nb", 1),
        Answer(False, "no", 2),
        Answer(True),
        Answer(True, "", 9),
    ]


def test_every_line_sent_is_capped_and_one_line() -> None:
    """ "GNU Go cuts lines over about 1000 bytes into several commands, each answered: cap every line sent" """
    line = write_command(7, "comment é\nquit #" + "é" * 2000)
    assert line.startswith("7 comment équit  é".encode())
    assert len(line) <= LONGEST_SENT + 1
    assert line.count(b"\n") == 1
    line.decode()


def test_a_command_that_is_too_long_is_dropped_not_kept() -> None:
    lines = CommandLines()
    assert lines.receive_data(b"a" * (LONGEST_COMMAND + 1)) == [None]
    assert lines.receive_data(b"a" * LONGEST_COMMAND + b"\nname\n") == ["name"]


def test_an_answer_without_end_breaks_the_protocol() -> None:
    answers = Answers()
    assert answers.receive_data(b"=1 D4\n\n=2 " + b"line\n" * LONGEST_ANSWER) == [Answer(True, "D4", 1)]
    with pytest.raises(RemoteProtocolError, match="32768 bytes"):
        answers.receive_data(b"\n")


@pytest.mark.parametrize(
    ("vertex", "size", "square"),
    [("A19", 19, 0), ("T1", 19, 360), ("A1", 9, 72), ("J9", 9, 8), ("H9", 9, 7), ("z25", 25, 24), ("pass", 9, None)],
)
def test_a_vertex_is_a_letter_without_i_then_a_number_from_the_bottom(
    vertex: str, size: int, square: int | None
) -> None:
    """ "Vertex: letter without I, then number; row 1 is the bottom row; at most 25x25; upper or lower case." """
    assert read_vertex(vertex, size) == square
    assert read_vertex(vertex.upper(), size) == read_vertex(vertex.lower(), size)
    assert write_vertex(square, size).lower() == vertex.lower()


@pytest.mark.parametrize("vertex", ["I5", "K1", "A0", "A10", "", "5A", "A1x", "resign", "Ä1"])
def test_what_is_no_vertex_of_the_board_is_refused(vertex: str) -> None:
    with pytest.raises(ValueError, match="no vertex"):
        read_vertex(vertex, 9)


def test_colours_and_moves() -> None:
    assert [read_colour(word) for word in ("b", "BLACK", "W", "white")] == [0, 0, 1, 1]
    assert read_move(1, "D4", 9) == Move(None, 48, "white")
    assert read_move(0, "PASS", 9) == PASS
    with pytest.raises(ValueError, match="no colour: 'green'"):
        read_colour("green")


@pytest.mark.parametrize(
    ("stones", "size", "vertices"),
    [
        (2, 19, "Q16 D4"),
        (3, 13, "D10 K10 D4"),
        (4, 7, "C5 E5 C3 E3"),
        (4, 10, "C8 H8 C3 H3"),
        (5, 19, "D16 Q16 K10 D4 Q4"),
        (6, 13, "D10 K10 D7 K7 D4 K4"),
        (7, 13, "D10 K10 D7 G7 K7 D4 K4"),
        (8, 13, "D10 G10 K10 D7 K7 D4 G4 K4"),
        (9, 19, "D16 K16 Q16 D10 K10 Q10 D4 K4 Q4"),
    ],
)
def test_fixed_handicap_stones_stand_where_gnu_go_puts_them(stones: int, size: int, vertices: str) -> None:
    assert " ".join(write_vertex(point, size) for point in fixed_handicap(stones, size)) == vertices


@pytest.mark.parametrize(("stones", "size"), [(1, 19), (10, 19), (5, 10), (5, 7), (2, 5)])
def test_a_board_without_room_for_a_handicap_is_refused(stones: int, size: int) -> None:
    with pytest.raises(ValueError, match="no fixed handicap"):
        fixed_handicap(stones, size)


@pytest.mark.parametrize(
    ("words", "time"),
    [("600 0 0", ABSOLUTE), ("600 300 25", CANADIAN), ("0 1 0", None)],
)
def test_time_settings_are_canadian(words: str, time: TimeControl | None) -> None:
    """ "`time_settings main byo stones` (Canadian; byo 0 = absolute; `0 1 0` = no limit)" """
    assert read_time_settings(words.split()) == time
    assert time_settings(time) == words


def test_byoyomi_is_canadian_with_one_stone() -> None:
    """ "`kgs-time_settings` where listed, byo-yomi otherwise as Canadian with one stone" """
    assert time_settings(BYOYOMI) == "600 30 1"
    assert [time_settings(time) for time in (MOVES, PER_MOVE, FISCHER)] == ["0 5400 40", "0 10 1", "300 0 0"]
    assert " ".join(styled(BYOYOMI)) == "byoyomi 600 30 5"


@pytest.mark.parametrize(
    ("word", "time"),
    [("none", None), ("absolute,600", ABSOLUTE), ("canadian,600,300,25", CANADIAN), ("byoyomi,600,30,5", BYOYOMI)],
)
def test_a_time_system_is_one_token(word: str, time: TimeControl | None) -> None:
    """ "time is one token `none` | `absolute,600` | `canadian,600,300,25` | `byoyomi,600,30,5` (seconds)"
    "<style>[,<main_time>[,<byo-yomi time>,(<stones>|<# of periods>)]]"; "<style> is one of "none", "absolute",
    "canadian", "byoyomi""."""
    assert read_token(word) == time
    assert token(time) == word


@pytest.mark.parametrize("words", ["", "hourglass 5", "absolute", "canadian 600 300", "byoyomi 600 0 5", "absolute x"])
def test_a_time_that_makes_no_sense_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match=r"time|period"):
        read_styled(words.split())


@pytest.mark.parametrize("words", ["600", "0 0 0", "-1 0 0", "999999999 0 0", "1 1 x"])
def test_time_settings_that_make_no_sense_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match="time"):
        read_time_settings(words.split())


@pytest.mark.parametrize(
    ("time", "reading", "told"),
    [
        (ABSOLUTE, Reading(59.99), "59 0"),
        (ABSOLUTE, Reading(-0.2), "0 0"),
        (CANADIAN, Reading(0.5, 300.0, 0, 25), "0 0"),
        (CANADIAN, Reading(0.0, 299.9, 0, 7), "299 7"),
        (BYOYOMI, Reading(0.0, 29.7, 3), "29 1"),
        (MOVES, Reading(5000.5, moves=12), "5000 12"),
        (PER_MOVE, Reading(0.0, 10.0), "10 1"),
        (FISCHER, Reading(12.3), "12 0"),
    ],
)
def test_time_left_is_two_integers_always(time: TimeControl, reading: Reading, told: str) -> None:
    """ "`time_left color seconds stones`: two integers, always (floor), 0 stones in main time." """
    assert time_left(time, reading) == told


@pytest.mark.parametrize(
    ("time", "reading", "told"),
    [
        (BYOYOMI, Reading(0.0, 29.7, 3), "29 3"),
        (BYOYOMI, Reading(0.0, 12.0, 1), "12 1"),
        (BYOYOMI, Reading(75.5, 30.0, 5), "75 0"),
        (CANADIAN, Reading(0.0, 299.9, 0, 7), "299 7"),
        (PER_MOVE, Reading(0.0, 10.0), "10 1"),
    ],
)
def test_byoyomi_told_by_kgs_time_settings_counts_periods(time: TimeControl, reading: Reading, told: str) -> None:
    """KGS "misuses" the field, as Pachi's source has it: the stones of time_left are the periods left in byo-yomi."""
    assert time_left(time, reading, periods=True) == told


def test_particulars_are_eight_words() -> None:
    """ "colour = the engine's; handicap 0, 2..9; fixed? `fixed`|`free`; ko `simple`|`positional`|`situational`;
    suicide `allowed`|`forbidden`; scoring `area`|`territory`" """
    text = "white alice 3 free simple allowed territory canadian,600,300,25"
    wish = Wish(9, "", RuleSet("territory", "simple", "allowed"), CANADIAN, False, 3, "free")
    particulars = Particulars(1, "alice", wish)
    assert read_particulars(text, Wish(9)) == particulars
    assert write_particulars(particulars) == text
    assert write_particulars(Particulars(0, "a b#\nc", Wish())) == "black a_bc 0 fixed positional forbidden area none"


@pytest.mark.parametrize(
    ("at", "word"),
    [(0, "green"), (2, "1"), (2, "x"), (3, "yes"), (4, "super"), (5, "no"), (6, "ing"), (7, "fast")],
)
def test_particulars_that_cannot_be_read_are_refused(at: int, word: str) -> None:
    words = ["black", "alice", "0", "fixed", "positional", "forbidden", "area", "none"]
    words[at] = word
    with pytest.raises(ValueError, match=r"colour|handicap|is not|rules|time"):
        read_particulars(" ".join(words), Wish())
    with pytest.raises(ValueError, match="8 words, not 7"):
        read_particulars(" ".join(words[1:]), Wish())


def test_listener_options() -> None:
    said = read_options({"size": "13", "komi": "6.50", "rules": "japanese", "time": "600+25/300", "rated": "yes"})
    assert said == Wish(13, "6.5", NAMED["japanese"], CANADIAN, True)
    assert [read_options({"time": text}).time for text in ("600", "300+5", "600+5x30")] == [ABSOLUTE, FISCHER, BYOYOMI]
    for name, value in [("size", "4"), ("komi", "x"), ("rules", "ing"), ("time", "soon"), ("rated", "1")]:
        with pytest.raises(ValueError, match=r"size|komi|rules|time|rated"):
            read_options({name: value})


@pytest.mark.parametrize(("text", "kept"), [("1000", "1000"), ("6.25", "6.25"), ("1e1", "10"), ("-0", "0")])
def test_any_komi_is_accepted(text: str, kept: str) -> None:
    """ "The engine must accept the komi even if it should be ridiculous." """
    assert read_komi(text) == kept


@pytest.mark.parametrize("text", ["", "x", "inf", "nan", "1e39", "6,5", "1" * 61])
def test_what_is_no_float_is_no_komi(text: str) -> None:
    """ "fails: syntax error"; "A float is a floating point number representable by a 32 bit IEEE 754 float." """
    with pytest.raises(ValueError, match="syntax error"):
        read_komi(text)


def test_a_listener_for_engines_may_give_black_a_handicap() -> None:
    """ "two gnugos dialling in finish [...] games [...] with handicap" """
    assert read_options({"handicap": "4"}) == Wish(handicap=4)
    assert read_options({"handicap": "0"}) == Wish()
    for handicap, size, why in [
        ("10", "19", "no fixed handicap"),
        ("5", "6", "takes up to"),
        ("x", "19", "handicap 'x'"),
    ]:
        with pytest.raises(ValueError, match=why):
            read_options({"handicap": handicap, "size": size})


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Outcome(0, Reason.RULES, "B+3.5"), "B+3.5"),
        (Outcome(1, Reason.RESIGNATION), "W+R"),
        (Outcome(1, Reason.TIME), "W+T"),
        (Outcome(0, Reason.FORFEIT), "B+F"),
        (Outcome(0, Reason.ABANDONMENT), "B+F"),
        (Outcome(None, Reason.RULES), "0"),
        (Outcome(None, Reason.VOID, "no result"), "Void"),
    ],
)
def test_results(outcome: Outcome, text: str) -> None:
    """ "Results `B+3.5`, `W+R`, `W+T`, `B+F`, `0`, `Void`." """
    assert result(outcome) == text
