"""The client keeps open offers: each side's words, agreements, refusals."""

from __future__ import annotations

import pytest

from clients import offers
from clients.offers import Offers, OfferState


def heard(open_now: Offers, word: str, *, ours: bool = False) -> str:
    """The line for a word; ``ours`` is one that was sent, and that the server accepts right before it tells it."""
    if ours:
        open_now.sent(word)
        open_now.answered(True)
    return offers.line(word, open_now.heard(word))


@pytest.mark.parametrize(
    ("word", "ours", "theirs"),
    [
        ("draw", "You offer a draw.", "A draw is offered: y accepts, n declines."),
        ("takeback 1", "You ask to take 1 move back.", "A takeback of 1 move is asked for: y accepts, n declines."),
        ("takeback 2", "You ask to take 2 moves back.", "A takeback of 2 moves is asked for: y accepts, n declines."),
        ("adjourn", "You propose an adjournment.", "An adjournment is proposed: y accepts, n declines."),
        ("resume", "You are ready to go on.", "The other side is ready to go on: y accepts, n declines."),
        ("dead", "You say: no stone is dead.", "The other side says: no stone is dead: y accepts, n declines."),
        ("dead 7", "You say: 1 stone is dead.", "The other side says: 1 stone is dead: y accepts, n declines."),
        ("dead 7 8", "You say: 2 stones are dead.", "The other side says: 2 stones are dead: y accepts, n declines."),
        ("rematch", "You propose another game.", "Another game is proposed: y accepts, n declines."),
    ],
)
def test_every_word_is_told_for_us_and_for_the_other_side(word: str, ours: str, theirs: str) -> None:
    assert heard(Offers(), word, ours=True) == ours
    assert heard(Offers(), word) == theirs


@pytest.mark.parametrize("first_is_ours", [True, False])
def test_the_same_word_from_both_sides_is_an_agreement_and_leaves_nothing_open(first_is_ours: bool) -> None:
    open_now = Offers()
    heard(open_now, "takeback 2", ours=first_is_ours)
    assert heard(open_now, "takeback 2", ours=not first_is_ours) == "The takeback is agreed to."
    assert open_now.theirs == ""


def test_takebacks_of_different_length_are_no_agreement() -> None:
    open_now = Offers()
    heard(open_now, "takeback 2", ours=True)
    assert heard(open_now, "takeback 1").startswith("A takeback of 1 move is asked for")
    assert open_now.theirs == "takeback 1"


def test_stones_marked_anew_take_the_place_of_those_marked_before() -> None:
    open_now = Offers()
    heard(open_now, "dead 1 2", ours=True)
    heard(open_now, "dead 1", ours=True)
    assert heard(open_now, "dead 1 2").startswith("The other side says")
    assert heard(open_now, "dead 1") == "The marking is agreed to."


def test_our_own_word_is_ours_also_where_the_server_has_made_whole_strings_of_it() -> None:
    open_now = Offers()
    open_now.sent("dead 1")
    open_now.answered(True)
    assert open_now.heard("dead 1 2") is OfferState.OURS


def test_a_word_that_comes_while_ours_is_on_its_way_is_the_other_sides() -> None:
    open_now = Offers()
    open_now.sent("draw")
    assert open_now.heard("draw") is OfferState.THEIRS
    open_now.answered(True)
    assert open_now.heard("draw") is OfferState.AGREED


def test_a_move_that_was_accepted_makes_the_word_after_it_nobody_elses() -> None:
    open_now = Offers()
    open_now.sent("draw")
    open_now.answered(True)
    open_now.passed()
    assert open_now.heard("draw") is OfferState.THEIRS


def test_a_refused_word_was_never_said() -> None:
    open_now = Offers()
    open_now.sent("takeback 9")
    open_now.answered(False)
    open_now.answered(True)
    assert open_now.heard("takeback 9") is OfferState.THEIRS


def test_our_own_move_leaves_our_offers_and_answers_theirs() -> None:
    open_now = Offers()
    heard(open_now, "takeback 1", ours=True)
    heard(open_now, "adjourn")
    open_now.moved(ours=True)
    assert open_now.theirs == ""
    assert open_now.heard("takeback 2") is OfferState.AGREED


def test_their_own_move_leaves_their_offers_and_answers_ours() -> None:
    open_now = Offers()
    heard(open_now, "draw", ours=True)
    heard(open_now, "takeback 1")
    open_now.moved(ours=False)
    assert open_now.theirs == "takeback 2"
    assert open_now.heard("draw") is OfferState.THEIRS


def test_a_refusal_names_what_was_refused_and_by_whom() -> None:
    ours, theirs, nothing = Offers(), Offers(), Offers()
    heard(ours, "takeback 2", ours=True)
    assert ours.declined() == "The takeback is declined."
    heard(theirs, "adjourn")
    theirs.sent(offers.DECLINED)
    theirs.answered(True)
    assert theirs.declined() == "You decline the adjournment."
    assert theirs.theirs == ""
    assert nothing.declined() == "The proposal is declined."


@pytest.mark.parametrize(
    "word",
    [
        "pass",
        "draws",
        "draw 2",
        "takeback",
        "takeback x",
        "takeback 0",
        "takeback 12345",
        "",
        "dead x",
        "dead -1",
        "dead 1  2",
    ],
)
def test_other_words_propose_nothing(word: str) -> None:
    assert not offers.is_proposal(word)
