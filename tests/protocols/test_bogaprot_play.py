"""Bogaprot plays a game from MSG_START to MSG_GAMEOVER; each docstring quotes the document's sentence."""

from __future__ import annotations

import pytest

from gateway import registry
from protocols.core.commands import Decline, GiveTime, PlayMove, Propose, Resign
from protocols.core.errors import IllegalMove, Why
from protocols.core.events import (
    Declined,
    DiceRolled,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    MoveMade,
    Proposed,
    Said,
    SeatsTurned,
    TableClosed,
    TurnStarted,
)
from protocols.core.model import PASS, Move, Outcome, Reason
from protocols.core.notifications import Rejected, Seated
from protocols.core.opcode_codec import STRING_CAP
from protocols.core.proposals import Abort, Adjourn, Draw, Resume, Start, Takeback
from tests.protocols.bogaprot_peers import BOARD, STEP, asked, playing
from tests.protocols.talk import CHECKERS, LUDO, ask, begun, heard, opened, tell


def test_the_game_starts_and_a_seat_is_asked() -> None:
    """Indicates that the game can start."""
    peer = asked()
    tell(peer, Seated(1, 0, opened(CHECKERS, "alice", "bob")))
    started = GameStarted(CHECKERS, 1, tuple(BOARD.items()), "")
    assert tell(peer, started, TurnStarted(0)) == ["MSG_START", "REQ_MOVE 0"]


def test_a_join_that_starts_the_game_is_told_it_all_in_order() -> None:
    """A client should compare this with the seat number received in the beginning of the game."""
    said = tell(asked(), Seated(1, 0, begun(CHECKERS, BOARD, "alice", "bot")))
    assert said == ["RSP_HANDSHAKE 0", "MSG_SEAT 0", 'MSG_PLAYERS 2 3 "alice" 2 "bot"', "MSG_START", "REQ_MOVE 0"]


def test_the_success_of_a_move_is_told_to_its_mover_first() -> None:
    """Tells about the success of the move."""
    peer = playing()
    assert ask(peer, "MSG_MOVE 1 8") == [PlayMove(Move(1, 8))]
    assert tell(peer, STEP, TurnStarted(1)) == ["RSP_MOVE 0", "MSG_MOVE 1 8", "REQ_MOVE 1"]
    assert tell(playing(1), STEP) == ["MSG_MOVE 1 8"]


def test_a_move_nobody_asked_for_is_not_answered() -> None:
    """Tells about the success of the move: of one that this client has sent, not of one the house made for it."""
    assert tell(playing(), MoveMade(0, PASS, 1, "", (), "")) == ['MSG_MOVE -1 -1 "pass"']


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (
            Rejected(Why.NO_SUCH_PIECE, "piece of type 'rook' is not yours"),
            "piece of type 'rook' is not available for placement",
        ),
        (Rejected(Why.NO_SUCH_PIECE, "no rooks"), "no rooks"),
        (Rejected(Why.OUT_OF_BOUNDS, "no square 99"), "movement out of bounds"),
        (
            Rejected(Why.OWN_PIECE_THERE, "b6"),
            "cannot move to field which is occupied by another piece of yours",
        ),
        (Rejected(Why.PLACEMENTS_FIRST, "2 left"), "cannot move, must finish placements first"),
        (Rejected(Why.NOT_YOUR_PIECE, "white's"), "not your piece"),
        (Rejected(Why.ILLEGAL, "must capture"), "must capture"),
    ],
)
def test_an_error_message_is_made_available(refusal: Rejected, sentence: str) -> None:
    """In case that the status is not equal to zero, an error message is made available."""
    peer = playing()
    ask(peer, "MSG_MOVE 1 2")
    assert tell(peer, refusal) == [f'RSP_MOVE 1 "{sentence}"', "REQ_MOVE 0"]


def test_the_move_is_asked_for_until_a_valid_one_came() -> None:
    """This command is sent until a valid move was received."""
    peer = playing()
    for _ in range(2):
        ask(peer, "MSG_MOVE 1 2")
        assert tell(peer, Rejected(Why.ILLEGAL, "no")) == ['RSP_MOVE 1 "no"', "REQ_MOVE 0"]
    ask(peer, "MSG_MOVE 1 8")
    assert tell(peer, STEP) == ["RSP_MOVE 0", "MSG_MOVE 1 8"]


def test_out_of_turn_the_request_to_the_other_seat_still_stands() -> None:
    """Indicates that the client at the specified seat should move a piece."""
    peer = playing(1)
    ask(peer, "MSG_MOVE 62 55")
    assert tell(peer, Rejected(Why.NOT_YOUR_TURN, "it is not your turn")) == ['RSP_MOVE 1 "it is not your turn"']


def test_two_moves_sent_at_once_are_answered_in_order() -> None:
    """A client's own move is also echoed back using this message."""
    peer = playing()
    assert ask(peer, "MSG_MOVE 1 8", "MSG_MOVE 8 17") == [PlayMove(Move(1, 8)), PlayMove(Move(8, 17))]
    assert tell(peer, STEP, TurnStarted(1), Rejected(Why.NOT_YOUR_TURN, "no")) == [
        "RSP_MOVE 0",
        "MSG_MOVE 1 8",
        "REQ_MOVE 1",
        'RSP_MOVE 1 "no"',
    ]


@pytest.mark.parametrize(("line", "move"), [("0 120", Move(0, 120)), ("120 0", Move(120, 0))])
def test_positions_are_y_times_width_plus_x(line: str, move: Move) -> None:
    """The position numbers are calculated by the formula y * width + x."""
    peer = asked("ludo")
    tell(peer, Seated(1, 0, begun(LUDO, {0: "yellow piece", 120: "red piece"}, "alice", "bot")))
    assert ask(peer, f"MSG_MOVE {line}") == [PlayMove(move)]


def test_no_destination_is_a_removal() -> None:
    """If no destination position is given, the piece is taken away from the board."""
    peer = playing()
    assert ask(peer, "MSG_MOVE 1 -1") == [PlayMove(Move(1, None))]
    assert tell(peer, MoveMade(1, Move(62, None), 1, "", ((62, None),), "")) == ["MSG_MOVE 62 -1"]


def test_no_source_is_a_placement_with_its_piece() -> None:
    """If however no source position is given, a string containing information about the type of the piece is added."""
    peer = playing()
    assert ask(peer, 'MSG_MOVE -1 5 " Rook "') == [PlayMove(Move(None, 5, "rook"))]
    placed = MoveMade(1, Move(None, 5, "rook"), 1, "", ((5, "rook"),), "")
    assert tell(peer, placed) == ['MSG_MOVE -1 5 "rook"']


def test_a_placement_is_echoed_in_the_words_that_were_sent() -> None:
    """A client's own move is also echoed back using this message. The board's own word follows where it differs."""
    peer, other = playing(), playing(1)
    ask(peer, 'MSG_MOVE -1 5 "Rook"')
    placed = MoveMade(0, Move(None, 5, "rook"), 1, "", ((5, "white rook"),), "")
    assert tell(peer, placed) == ["RSP_MOVE 0", 'MSG_MOVE -1 5 "Rook"', 'MSG_MOVE -1 5 "white rook"']
    assert tell(other, placed) == ['MSG_MOVE -1 5 "white rook"']
    ask(peer, 'MSG_MOVE -1 6 "white rook"')
    again = MoveMade(0, Move(None, 6, "rook"), 2, "", ((6, "white rook"),), "")
    assert tell(peer, again) == ["RSP_MOVE 0", 'MSG_MOVE -1 6 "white rook"']


def test_a_placement_that_the_rules_do_not_have_gets_the_listed_sentence() -> None:
    """ "piece of type 'rook' is not available for placement", in the words that were sent."""
    peer = playing()
    (command,) = ask(peer, 'MSG_MOVE -1 20 "Rook"')
    game = registry.game("checkers")
    assert isinstance(command, PlayMove)
    assert command.move is not None
    with pytest.raises(IllegalMove) as refused:
        game.play(game.start(CHECKERS), command.move)
    assert tell(peer, Rejected(refused.value.why, refused.value.text)) == [
        "RSP_MOVE 1 \"piece of type 'Rook' is not available for placement\"",
        "REQ_MOVE 0",
    ]


@pytest.mark.parametrize("line", ['MSG_MOVE -7 5 "rook"', "MSG_MOVE 5 -2147483648", 'MSG_MOVE -7 -1 "pass"'])
def test_a_negative_value_other_than_minus_one_is_no_position_that_is_not_given(line: str) -> None:
    """The document's "negative position value" is -1; any other is a fault of the program that wrote it."""
    peer = playing()
    assert ask(peer, line) == []
    assert heard(peer) == ['RSP_MOVE 1 "movement out of bounds"', "REQ_MOVE 0"]


def test_a_refusal_counts_squares_as_the_client_does() -> None:
    """Checkers' own notation has 10 for the square that is position 17 here, and 14 for 24."""
    peer = playing()
    ask(peer, "MSG_MOVE 17 42")
    game = registry.game("checkers")
    with pytest.raises(IllegalMove) as refused:
        game.play(game.start(CHECKERS), Move(17, 33))
    assert tell(peer, Rejected(refused.value.why, refused.value.text)) == [
        'RSP_MOVE 1 "this piece cannot go from position 17 to position 33"',
        "REQ_MOVE 0",
    ]


@pytest.mark.parametrize(
    ("move", "changes", "lines"),
    [
        (Move(1, 19), ((1, None), (10, None), (19, "black man")), ["MSG_MOVE 1 19", "MSG_MOVE 10 -1"]),
        (Move(1, 8), ((1, None), (8, "black king")), ["MSG_MOVE 1 8", 'MSG_MOVE -1 8 "black king"']),
        (Move(1, 10), ((1, None), (10, "black man")), ["MSG_MOVE 1 10"]),
        (
            Move(1, 10),
            ((1, None), (10, "black man"), (63, "white man")),
            ["MSG_MOVE 1 10", 'MSG_MOVE -1 63 "white man"'],
        ),
        (Move(1, 18), ((1, None),), ["MSG_MOVE 1 18", "MSG_MOVE 18 -1"]),
        (Move(1, 1), (), ["MSG_MOVE 1 1"]),
    ],
    ids=["captured", "crowned", "replaced", "sent home", "lost in a trap", "nothing"],
)
def test_what_a_plain_move_does_not_say_follows_it(
    move: Move, changes: tuple[tuple[int, str | None], ...], lines: list[str]
) -> None:
    """If no destination position is given, the piece is taken away [...] and the piece is put onto the board."""
    peer = asked()
    tell(peer, Seated(1, 1, begun(CHECKERS, {1: "black man", 10: "white man"}, "bot", "alice")))
    assert tell(peer, MoveMade(0, move, 1, "", changes, "")) == lines


def test_a_word_is_a_move_without_positions() -> None:
    """A negative position value means that the position is not given: pass, draw and resign are types of no piece."""
    peer = playing()
    lines = [f'MSG_MOVE -1 -1 "{word}"' for word in ("pass", "", "Resign", "draw", "mate")]
    assert ask(peer, *lines) == [PlayMove(PASS), PlayMove(PASS), Resign(), Propose(Draw())]
    assert heard(peer) == ["RSP_MOVE 1 \"'mate' means nothing now\"", "REQ_MOVE 0"]


def test_what_needs_agreement_has_words_in_both_directions() -> None:
    """A word where the document has no message: takebacks, adjournments, and answers to them."""
    peer = playing()
    said = tell(peer, Proposed(1, Takeback(2)), Proposed(1, Adjourn()))
    assert said == ['MSG_MOVE -1 -1 "takeback 2"', 'MSG_MOVE -1 -1 "adjourn"']
    assert ask(peer, 'MSG_MOVE -1 -1 "accept"', 'MSG_MOVE -1 -1 "takeback 2"') == [
        Propose(Adjourn()),
        Propose(Takeback(2)),
    ]
    assert tell(peer, GameAdjourned()) == ['MSG_MOVE -1 -1 "adjourned"']
    assert ask(peer, 'MSG_MOVE -1 -1 "resume"') == [Propose(Resume())]


def test_abort_is_a_word_in_both_directions_and_its_end_too() -> None:
    peer = playing()
    assert tell(peer, Proposed(1, Abort())) == ['MSG_MOVE -1 -1 "abort"']
    assert ask(peer, 'MSG_MOVE -1 -1 "abort"', 'MSG_MOVE -1 -1 "decline"') == [Propose(Abort()), Decline("Abort")]


def test_who_aborts_alone_hears_that_it_was_accepted_and_the_end() -> None:
    peer = playing()
    assert ask(peer, 'MSG_MOVE -1 -1 "abort"') == [Propose(Abort())]
    assert tell(peer, GameEnded(Outcome(None, Reason.VOID, "aborted"))) == ["RSP_MOVE 0", "MSG_GAMEOVER -1"]


def test_time_is_given_to_the_other_by_a_word() -> None:
    peer = playing()
    assert ask(peer, 'MSG_MOVE -1 -1 "moretime 15"', 'MSG_MOVE -1 -1 "moretime x"') == [GiveTime(15)]
    assert heard(peer) == ["RSP_MOVE 1 \"'moretime x' means nothing now\"", "REQ_MOVE 0"]
    ask(peer, 'MSG_MOVE -1 -1 "moretime 15"')
    assert tell(peer, Said(0, "all", "15 more seconds for the other side", "alice"))[0] == "RSP_MOVE 0"


def test_an_offer_can_be_declined_while_it_stands() -> None:
    """MSG_MOVE -1 -1 "decline": the other side is told so by "declined"."""
    peer, other = playing(), playing(1)
    tell(peer, Proposed(1, Draw()))
    assert ask(peer, 'MSG_MOVE -1 -1 "decline"') == [Decline("Draw")]
    assert tell(peer, Declined(0, "Draw")) == ["RSP_MOVE 0", 'MSG_MOVE -1 -1 "declined"']
    assert tell(other, Declined(0, "Draw")) == ['MSG_MOVE -1 -1 "declined"']
    assert ask(peer, 'MSG_MOVE -1 -1 "decline"') == []
    assert heard(peer) == ["RSP_MOVE 1 \"'decline' means nothing now\"", "REQ_MOVE 0"]


def test_a_word_chooses_what_the_next_plain_move_promotes_to() -> None:
    """The type is given only without a source position, so a promotion to another piece is said before the move."""
    peer = playing()
    assert ask(peer, 'MSG_MOVE -1 -1 "promote knight"', "MSG_MOVE 8 0", "MSG_MOVE 9 1") == [
        PlayMove(Move(8, 0, "knight")),
        PlayMove(Move(9, 1)),
    ]
    assert heard(peer) == ["RSP_MOVE 0"]


def test_an_exchange_of_seats_is_told_before_the_start() -> None:
    """Usually this is sent only at the beginning of a game."""
    peer = asked()
    tell(peer, Seated(1, 0, opened(CHECKERS, "alice", "bob")))
    assert tell(peer, SeatsTurned(1)) == ["MSG_SEAT 1", 'MSG_PLAYERS 2 3 "bob" 3 "alice"']


def test_a_draw_is_offered_by_a_word_to_all() -> None:
    """MSG_MOVE -1 -1 "draw": from us to everybody, the one who offered it included."""
    peer = playing()
    ask(peer, 'MSG_MOVE -1 -1 "draw"')
    assert tell(peer, Proposed(0, Draw())) == ["RSP_MOVE 0", 'MSG_MOVE -1 -1 "draw"']
    assert tell(peer, Proposed(1, Draw()), Proposed(1, Start())) == ['MSG_MOVE -1 -1 "draw"']


def test_a_resignation_is_accepted_and_ends_the_game() -> None:
    """MSG_MOVE -1 -1 "resign": RSP_MOVE first, like any other."""
    peer = playing()
    ask(peer, 'MSG_MOVE -1 -1 "resign"')
    assert tell(peer, GameEnded(Outcome(1, Reason.RESIGNATION))) == ["RSP_MOVE 0", "MSG_GAMEOVER 1"]


def test_dice_are_told_before_the_request_they_belong_to() -> None:
    """Indicates that a dice has been rolled which had the given value."""
    assert tell(playing(), DiceRolled(1, 1, 6), TurnStarted(1)) == ["MSG_DICE 6", "REQ_MOVE 1"]


def test_every_try_is_told() -> None:
    """If multiple such messages arrive during one turn, multiple dice are in use or a dice is rolled multiple times."""
    rolls = [DiceRolled(0, number, value) for number, value in enumerate((2, 3, 6), start=1)]
    assert tell(playing(), *rolls, TurnStarted(0)) == ["MSG_DICE 2", "MSG_DICE 3", "MSG_DICE 6", "REQ_MOVE 0"]


def test_the_winner_is_told() -> None:
    """Indicates that the game is over and a winner has been determined."""
    assert tell(playing(), GameEnded(Outcome(1, Reason.RULES))) == ["MSG_GAMEOVER 1"]


def test_a_draw_is_negative() -> None:
    """In the case of a draw, the winner variable carries a negative value."""
    assert tell(playing(), GameEnded(Outcome(None, Reason.AGREEMENT))) == ["MSG_GAMEOVER -1"]


def test_an_interrupted_game_asks_nobody_until_it_goes_on() -> None:
    """Indicates that the client at the specified seat should move a piece."""
    past = (*begun(CHECKERS, BOARD, "alice", "bob"), STEP, TurnStarted(1), GameAdjourned())
    peer = asked()
    assert tell(peer, Seated(1, 0, past))[3:] == [
        "MSG_START",
        "MSG_MOVE 1 -1",
        'MSG_MOVE -1 8 "black man"',
        'MSG_MOVE -1 62 "white man"',
    ]
    assert tell(peer, GameResumed(), TurnStarted(1)) == ["REQ_MOVE 1"]


def test_an_observer_has_no_seat_and_is_asked_nothing_of_its_own() -> None:
    """The server informs the client about its own seat number: one that has none is not told one."""
    peer = asked()
    assert tell(peer, Seated(1, None, begun(CHECKERS, BOARD, "alice", "bob")))[1] == 'MSG_PLAYERS 2 3 "alice" 3 "bob"'
    assert tell(peer, STEP, TurnStarted(1)) == ["MSG_MOVE 1 8", "REQ_MOVE 1"]


def test_what_the_protocol_has_no_word_for_is_not_told_and_a_closed_table_ends_it() -> None:
    """Bogaprot consists of messages, each of which is defined by an opcode: no other."""
    peer = playing()
    assert tell(peer, Said(1, "all", "hello")) == []
    assert not peer.closing
    assert tell(peer, TableClosed()) == []
    assert peer.closing


def test_a_sentence_as_long_as_what_it_shows_still_goes_out() -> None:
    """The string format is considered to be encoded in utf-8 by default, within the cap of any string."""
    peer = playing()
    ask(peer, f'MSG_MOVE -1 -1 "{"ë" * 2040}"')
    (line, _) = heard(peer)
    assert len(line.encode()) == len('RSP_MOVE 1 ""') + STRING_CAP - 1
