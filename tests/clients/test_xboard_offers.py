"""Takebacks, draws, adjournments between two GUIs, and with the gateway's words."""

from __future__ import annotations

from clients.xboard.game import Game, fen
from protocols.chess_p2p import messages as p2p
from tests.clients.xboard_desk import Desk, Pair, playing

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")


def begun(*moves: str) -> Pair:
    pair = Pair()
    pair.begin(*(moves or OPENING))
    pair.white.take()
    pair.black.take()
    return pair


def test_a_takeback_is_asked_of_the_user_and_shown_as_soon_as_it_is_agreed() -> None:
    """`remove` = the sender's user, on move, took back two plies; `undo` `undo` confirms; after it the remover must
    send a new `go`. "Upon reception the latter can update his state copy of the remote GUI by taking back one ply."
    """
    pair = begun()
    pair.white.types("remove")
    pair.settle()
    assert pair.black.shown == [
        "askuser TAKEBACK alice wants to take back the last two moves. Do you agree?"
        " (yes or no; or Accept in Engine > Engine #1 Settings)"
    ]
    pair.black.types("TAKEBACK yes")
    pair.settle()
    assert pair.white.shown[-1].endswith("bob agrees: the moves are taken back.")
    assert pair.black.shown[-2:] == [
        f"setboard {fen(Game(moves=OPENING[:2]))}",
        "telluser To go on, choose Machine White in the Mode menu.",
    ]
    pair.black.take()
    pair.play("f1c4")
    assert pair.black.shown == ["telluser To go on, choose Machine White in the Mode menu."]
    assert pair.black.types("result * {Engine aborts game}", "force", "go") == ["move f1c4"]
    pair.black.types("usermove g8f6")
    pair.settle()
    assert pair.white.moves == ["g8f6"]


def test_the_remover_with_black_is_followed_by_a_gui_with_white() -> None:
    pair = begun("e2e4", "e7e5", "g1f3")
    pair.black.types("remove")
    pair.settle()
    pair.white.types("TAKEBACK y")
    pair.settle()
    pair.white.take()
    pair.black.types("usermove c7c5")
    pair.settle()
    assert pair.white.shown == [f"setboard {fen(Game(moves=('e2e4', 'c7c5')))}"]
    pair.white.types("usermove g1f3")
    pair.settle()
    assert pair.black.moves == ["g1f3"]


def test_a_refused_takeback_is_undone_in_the_gui_that_had_made_it() -> None:
    """`remove` arrives after the GUI has rolled back, and cannot be refused: restore with setboard + telluser."""
    pair = begun()
    pair.white.types("remove")
    pair.settle()
    pair.black.types("TAKEBACK no")
    pair.settle()
    assert pair.white.shown[-2] == f"setboard {fen(Game(moves=OPENING))}"
    assert "The moves stand." in pair.white.shown[-1]
    pair.play("f1c4")
    assert pair.black.moves == ["f1c4"]


def test_a_user_who_moves_before_the_answer_moves_when_it_comes() -> None:
    pair = begun()
    pair.white.types("remove", "usermove f1c4")
    pair.settle()
    assert pair.black.moves == []
    pair.black.types("option Accept")
    pair.settle()
    assert pair.black.types("go") == ["move f1c4"]


def test_the_gateway_refuses_a_takeback_by_showing_the_position_that_counts() -> None:
    desk = playing("e2e4", "e7e5", "g1f3", "b8c6")
    desk.types("remove")
    assert desk.sent == ["remove"]
    position = fen(Game(moves=OPENING))
    shown = desk.hears("text bob declines to take moves back", f"setboard {position}")
    assert shown[0] == f"setboard {position}"
    assert desk.types("usermove f1c4") == []
    assert desk.sent[-1] == "move f1c4"


def test_a_move_that_the_table_refuses_is_taken_out_of_the_gui() -> None:
    desk = playing()
    desk.types("usermove g1f3")
    shown = desk.hears("text your move g1f3 is not played", f"setboard {fen(Game(moves=('e2e4', 'e7e5')))}")
    assert shown[0] == "Illegal move: g1f3"
    desk.take()
    desk.types("usermove f1c4")
    assert desk.sent == ["move f1c4"]


def test_a_takeback_of_one_half_move_is_agreed_in_our_own_words() -> None:
    desk = playing("e2e4", "e7e5", "g1f3", "b8c6")
    assert "wants to take back 1 half-moves" in desk.hears("takeback 1")[0]
    desk.types("TAKEBACK yes")
    assert desk.sent == ["takeback 1"]
    desk.take()
    desk.hears("undo")
    assert desk.sent == ["undo", "go"]
    assert desk.hears("accepted", "move a7a6")[0] == f"setboard {fen(Game(moves=(*OPENING[:3], 'a7a6')))}"


def test_a_draw_offer_crosses_and_an_agreement_ends_both_games() -> None:
    """`offer draw` both ways; `draw` from the GUI is valid until its user's next move."""
    pair = begun()
    pair.white.types("draw")
    pair.settle()
    assert pair.black.shown == ["offer draw"]
    assert pair.white.shown == ["telluser bob is offered a draw."]
    pair.black.types("draw", "result 1/2-1/2 {Draw agreed}")
    assert pair.black.sent == ["draw"]
    pair.settle()
    assert pair.white.shown[1:] == ["offer draw", "1/2-1/2 {draw agreed}"]
    assert not pair.white.adapter.play.playing


def test_a_draw_offer_stands_until_the_other_side_moves() -> None:
    pair = begun()
    pair.white.types("draw")
    pair.settle()
    pair.play("f1c4")
    pair.black.types("draw")
    pair.settle()
    assert pair.white.shown[-1] == "1/2-1/2 {draw agreed}"
    assert not pair.white.adapter.play.playing


def test_a_draw_offer_lapses_with_the_other_side_s_move() -> None:
    pair = begun()
    pair.white.types("draw")
    pair.settle()
    pair.play("f1c4", "g8f6")
    pair.black.types("draw")
    pair.settle()
    assert pair.white.shown[-1] == "offer draw"
    assert pair.white.adapter.play.playing


def test_a_takeback_that_was_asked_stands_after_its_asker_s_move_for_the_position_that_it_named() -> None:
    desk = playing("e2e4", "e7e5", "g1f3")
    desk.hears("takeback 1", "move b8c6")
    desk.take()
    desk.types("TAKEBACK yes")
    assert desk.sent == ["takeback 2"]
    desk.take()
    assert desk.hears("undo", "undo")[0] == f"setboard {fen(Game(moves=OPENING[:2]))}"
    assert desk.sent == ["undo", "undo"]


def test_a_draw_that_was_agreed_is_not_claimed_again() -> None:
    desk = playing()
    desk.hears("draw")
    desk.take()
    desk.types("result 1/2-1/2 {Draw agreed}")
    assert desk.sent == ["draw"]
    assert desk.hears("result 1/2-1/2 {draw by agreement}") == []


def test_a_draw_is_offered_and_answered_whoever_is_on_move() -> None:
    desk = playing("e2e4")
    assert desk.types("draw") == ["telluser bob is offered a draw."]
    assert "draw" in desk.sent
    idle = Desk()
    assert idle.types("draw") == ["telluser There is no game to draw."]


def test_an_adjournment_is_accepted_by_a_button_and_shown_by_a_position() -> None:
    """An adjournment offered from either side and accepted in XBoard by askuser or an option button."""
    pair = begun()
    pair.white.types("option Offer adjourn")
    pair.settle()
    assert pair.black.shown[0].startswith("askuser ADJOURN alice wants to adjourn the game.")
    pair.black.types("option Accept")
    pair.settle()
    position = fen(Game(moves=OPENING))
    assert pair.white.shown[-2:] == [f"setboard {position}", "telluser The game is adjourned."]
    assert f"setboard {position}" in pair.black.shown
    assert not pair.black.adapter.play.playing


def test_a_game_is_aborted_by_a_button_and_a_button() -> None:
    pair = begun()
    pair.white.types("option Offer abort")
    pair.settle()
    assert pair.black.shown[0].startswith("askuser ABORT alice wants to abort the game.")
    pair.black.types("option Offer abort")
    pair.settle()
    assert pair.white.shown[-1] == "telluser The game is aborted."
    assert not pair.black.adapter.play.playing
    assert Desk().types("option Offer abort") == ["telluser There is no game to abort."]


def test_an_adjourned_game_goes_on_when_the_gateway_says_so() -> None:
    desk = playing(*OPENING)
    desk.hears("result * {adjourned}")
    desk.types("result * {Engine aborts game}", "force", "option Resume")
    assert desk.sent == ["resume"]
    desk.take()
    listed = [f"move {move}" for move in OPENING]
    assert desk.hears("new", "level 40 300 0", *listed, "name bob", "go") == []
    assert desk.sent == ["accepted"]
    desk.types("usermove f1c4")
    assert desk.sent == ["accepted", "move f1c4"]


def test_an_offer_can_be_declined_and_nothing_offered_cannot_be_accepted() -> None:
    desk = playing()
    desk.hears("adjourn")
    desk.take()
    desk.types("option Decline")
    assert desk.sent[0] == "decline"
    assert desk.types("option Accept")[-1].endswith("Nothing is offered.")
    assert desk.types("ADJOURN yes")[-1].endswith("That offer is not open any more.")


def test_a_peer_that_does_not_know_our_words_reads_them_as_text() -> None:
    desk = playing()
    assert not desk.adapter.peer.knows_ours
    desk.types("draw")
    assert desk.sent == ["draw", "text I offer a draw."]
    other = Desk()
    other.hears(p2p.Hallo("Boardgate 1.0: set up a game"))
    assert other.adapter.peer.knows_ours


def test_a_rematch_that_the_other_asks_for_is_a_question_and_accept_agrees() -> None:
    desk = playing()
    desk.hears("result 1-0 {Black resigns}")
    desk.take()
    [question] = desk.hears("rematch")
    assert question.startswith("askuser REMATCH ")
    assert "wants another game like the last one. Do you agree?" in question
    assert "Accept in Engine > Engine #1 Settings" in question
    desk.types("option Accept")
    assert desk.sent == ["rematch"]


def test_a_rematch_can_be_declined_in_the_window_that_asks() -> None:
    desk = playing()
    desk.hears("hallo Boardgate 1.0: set up a game", "result 1-0 {Black resigns}", "rematch")
    desk.take()
    desk.types("REMATCH no")
    assert desk.sent == ["decline"]


def test_two_programs_are_not_asked() -> None:
    desk = playing()
    desk.types("computer")
    assert desk.hears("remove") == []
    assert desk.sent[0] == "decline"


def test_between_programs_a_draw_that_the_rules_give_is_agreed_to() -> None:
    desk = playing(*(("g1f3", "g8f6", "f3g1", "f6g8") * 2))
    desk.types("computer")
    assert desk.hears("draw") == []
    assert desk.sent == ["draw"]
    other = playing(*("g1f3", "g8f6", "f3g1", "f6g8"))
    other.types("computer")
    assert other.hears("draw") == ["offer draw"]
