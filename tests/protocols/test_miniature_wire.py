"""Miniature's lines and their parts, and the form in which people read them."""

from __future__ import annotations

import pytest

from protocols.core.events import MoveMade
from protocols.core.model import Move, Settings, TimeControl, TimeKind
from protocols.core.proposals import Start
from protocols.miniature.wire import (
    agrees,
    command,
    decode,
    far,
    parts,
    read_clock,
    read_move,
    read_seek,
    write_move,
    write_seek,
)

FIVE = TimeControl(TimeKind.ABSOLUTE, 300)
CHESS = Settings("chess", "normal", 8, 8, 2)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def mode(time: TimeControl | None, *, rated: bool) -> Settings:
    return Settings("chess", "normal", 0, 0, 0, time, rated=rated)


@pytest.mark.parametrize(
    ("text", "time", "rated", "side"),
    [
        ("5 0 r w", FIVE, True, 0),
        ("5 0 rated white", FIVE, True, 0),
        ("2 10 u b", TimeControl(TimeKind.FISCHER, 120, 10), False, 1),
        ("2 12 r a", TimeControl(TimeKind.FISCHER, 120, 12), True, None),
        ("5 0 unrated black", FIVE, False, 1),
        ("5 0 RATED Any", FIVE, True, None),
        ("5", FIVE, False, None),
        ("0 0", None, False, None),
        ("", None, False, None),
        ("r b", None, True, 1),
    ],
)
def test_a_seek_says_time_rating_and_colour(text: str, time: TimeControl | None, rated: bool, side: int | None) -> None:
    """ "seek 5 0 r w": 5 minutes, no incr, rated, seeker wants white, "seek 5 0 rated white": same as above, "seek
    2 10 u b": 2 minutes, 10s incr, unrated, seeker wants black "seek 2 12 r a": 2 minutes, 12s incr, rated, seeker
    wants black or white. "seek [time inc] [rated|unrated] [white|black|any]"."""
    seek = read_seek(text)
    assert seek == Start(mode(time, rated=rated), side)


def test_a_seek_may_be_manual() -> None:
    assert read_seek("5 0 r w manual").confirms
    assert read_seek("5 0 m").confirms
    assert not read_seek("5 0 automatic").confirms


def test_a_seek_without_time_takes_the_listener_s() -> None:
    assert read_seek("r", FIVE) == Start(mode(FIVE, rated=True))
    assert read_seek("0 0 r", FIVE) == Start(mode(None, rated=True))


@pytest.mark.parametrize("text", ["5 0 blitz", "5 0 r u", "5 0 w b", "0 5", "1000 0", "5 1000", "5 0 3", "-5 0", "٥ 0"])
def test_what_is_no_seek_is_shown(text: str) -> None:
    with pytest.raises(ValueError, match="seek"):
        read_seek(text)


@pytest.mark.parametrize(
    "line", ["seek 5 0 r w", "seek 2 10 u b", "seek 2 12 r a", "seek 0 0 u a", "seek 999 999 r b manual"]
)
def test_a_seek_is_written_as_it_is_read(line: str) -> None:
    assert write_seek(read_seek(line.removeprefix("seek "))) == line


@pytest.mark.parametrize(
    "settings",
    [
        None,
        Settings("chess", "crazyhouse", 8, 8, 2),
        Settings("open", "normal", 8, 8, 2),
        Settings("chess", "normal", 8, 8, 2, start=AFTER_E4),
        mode(TimeControl(TimeKind.ABSOLUTE, 90), rated=False),
        mode(TimeControl(TimeKind.MOVES, 300, moves=40), rated=False),
        mode(TimeControl(TimeKind.PER_MOVE, period_s=10), rated=False),
        mode(TimeControl(TimeKind.FISCHER, 60, 0.5), rated=False),
    ],
)
def test_some_games_no_seek_can_say(settings: Settings | None) -> None:
    assert write_seek(Start(settings)) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tell bob hi", ("tell", "bob hi")),
        ("t bob hi", ("tell", "bob hi")),
        ("s 5 0", ("seek", "5 0")),
        ("m e2-e4", ("move", "e2-e4")),
        ("ta 2", ("takeback", "2")),
        ("d", ("draw", "")),
        ("r", ("resign", "")),
        ("a", ("adjourn", "")),
        ("p", ("play", "")),
        ("PLAY", ("play", "")),
        ("sync error; fen x", ("sync", "error; fen x")),
        ("e2-e4", ("move", "e2-e4")),
        ("e2-e4; fen x", ("move", "e2-e4; fen x")),
        ("Nf3", ("move", "Nf3")),
        ("0-0", ("move", "0-0")),
        ("error not-now x", ("error", "not-now x")),
        ("Castle now", ("Castle", "now")),
    ],
)
def test_commands_may_be_abbreviated_and_the_word_move_left_out(line: str, expected: tuple[str, str]) -> None:
    """In FICS, once it is your turn, it is sufficient to enter "e2-e4" to move your pawn, for example."""
    assert command(line) == expected


@pytest.mark.parametrize(
    ("text", "move", "rest"),
    [
        ("e2-e4", Move(52, 36), "e2-e4"),
        ("e2e4", Move(52, 36), "e2e4"),
        ("E2-E4", Move(52, 36), "E2-E4"),
        ("a7-a8Q", Move(8, 0, "queen"), "a7-a8Q"),
        ("a7-a8=N", Move(8, 0, "knight"), "a7-a8=N"),
        ("a7xb8=Q+", Move(8, 1, "queen"), "a7xb8=Q+"),
        ("e1-g1", Move(60, 62), "e1-g1"),
        ("0-0", None, "O-O"),
        ("o-o-o", None, "O-O-O"),
        ("O-O", None, "O-O"),
        ("Nf3", None, "Nf3"),
    ],
)
def test_a_move_is_squares_or_what_a_board_must_read(text: str, move: Move | None, rest: str) -> None:
    assert read_move(text, "normal") == (move, rest)


@pytest.mark.parametrize("text", ["", "e" * 17])
def test_what_is_no_move_is_shown(text: str) -> None:
    with pytest.raises(ValueError, match="no move"):
        read_move(text, "normal")


@pytest.mark.parametrize(
    ("move", "notation", "variant", "written"),
    [
        (Move(52, 36), "e4", "normal", "e2-e4"),
        (Move(8, 0, "queen"), "a8=Q", "normal", "a7-a8=Q"),
        (Move(60, 62), "O-O", "normal", "e1-g1"),
        (Move(60, 63), "O-O", "fischerandom", "O-O"),
        (Move(None, 36, "pawn"), "P@e4", "crazyhouse", "P@e4"),
    ],
)
def test_a_move_is_told_as_the_draft_writes_it(move: Move, notation: str, variant: str, written: str) -> None:
    """ "So I think we should send sth like "move e2-e4; fen"."""
    settings = Settings("chess", variant, 8, 8, 2)
    assert write_move(MoveMade(0, move, 1, notation, (), ""), settings) == written


def test_a_move_of_another_game_is_told_by_its_notation_and_cannot_pass_for_a_position() -> None:
    assert write_move(MoveMade(0, Move(1, 8), 1, "1-5", (), ""), Settings("checkers", "english", 8, 8, 2)) == "1-5"
    told = write_move(MoveMade(0, Move(None, None, "x; fen y"), 1, "", (), ""), Settings("open", "x", 8, 8, 2))
    assert told == "x, fen y"


@pytest.mark.parametrize(
    ("claimed", "same"),
    [
        (AFTER_E4, True),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", True),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR/ b", True),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - e3 7 30", True),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b rubbish", True),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w", False),
        (START, False),
        ("rnbqkbnr/pppppppp/8/8/4/P/3/8/PPPP1PPP/RNBQKBNR b", None),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", None),
        ("", None),
    ],
)
def test_a_fen_is_compared_by_pieces_and_side_to_move(claimed: str, same: bool | None) -> None:
    """The FEN position string can be seen as checksum for the move. (The draft's own example has ten rows.)"""
    assert agrees(claimed, AFTER_E4) is same


@pytest.mark.parametrize(
    ("claimed", "position", "is_far"),
    [
        (AFTER_E4, START, False),
        (START, AFTER_E4, False),
        ("rnbqkbnr/ppppp2p/5p2/6p1/4P3/8/PPPP1PPP/RNBQKBNR w", START, True),
        ("r3k2r/8/8/8/8/8/8/R4RK1 b", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False),
        ("no FEN at all", START, False),
        (START, "no FEN at all", False),
    ],
)
def test_no_move_changes_more_squares_than_castling(claimed: str, position: str, is_far: bool) -> None:
    assert far(claimed, position) is is_far


def test_pieces_in_hand_are_not_compared() -> None:
    assert agrees(AFTER_E4, AFTER_E4.replace("RNBQKBNR", "RNBQKBNR[Pq]"))


def test_a_position_follows_a_semicolon() -> None:
    assert parts("e2-e4; fen X w") == ("e2-e4", "X w")
    assert parts("e2-e4") == ("e2-e4", "")
    assert parts("e2-e4;") == ("e2-e4", "")
    with pytest.raises(ValueError, match="pgn"):
        parts("e2-e4; pgn X")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b" play \r", "play"),
        (b"tell\tbob\thi", "tell bob hi"),
        ("tell bob grüß".encode(), "tell bob grüß"),
    ],
)
def test_a_line_is_text(line: bytes, text: str) -> None:
    assert decode(line) == text


@pytest.mark.parametrize("line", [b"pl\0ay", b"\xe9", b"a\rb", b"\x1b[2J", "a\u2028b".encode()])
def test_a_line_of_anything_else_is_none(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"UTF-8|text only"):
        decode(line)


@pytest.mark.parametrize(
    ("text", "time"),
    [("", None), ("none", None), ("300", FIVE), ("300+5", TimeControl(TimeKind.FISCHER, 300, 5))],
)
def test_the_listener_s_clock_is_in_seconds(text: str, time: TimeControl | None) -> None:
    assert read_clock(text) == time


@pytest.mark.parametrize("text", ["0", "5 0", "40/300", "-1", "1e9", "300+"])
def test_a_listener_s_clock_that_is_none_is_shown(text: str) -> None:
    with pytest.raises(ValueError, match="time is"):
        read_clock(text)
