"""Draws, takebacks and adjournments between chess clients: when an offer stands, when it lapses, who wins a race."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.conformance.chess_guests import LISTENERS, MiniatureGuest, Room, room
from tests.conformance.servers import fast
from tests.running import RunningServer

AFTER_E4: Final = "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("offers"), *LISTENERS) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def moved(mover: MiniatureGuest, other: MiniatureGuest, *moves: str) -> None:
    """These moves, the first by ``mover``; each is heard before the next."""
    for move in moves:
        mover.say(f"move {move}")
        other.until(f"move {move}")
        mover, other = other, mover


def test_a_yes_to_one_offer_is_no_yes_to_another(here: Room) -> None:
    """ "Offers are typed, never overlap"."""
    sara, tom = here.two_miniatures()
    moved(sara, tom, "e2-e4", "e7-e5")
    sara.say("takeback 1", "adjourn", "draw")
    tom.hears("takeback 1", "adjourn", "draw")
    tom.say("adjourn")
    for guest in (sara, tom):
        guest.until("tell gateway the game is adjourned")
    assert not any(line.startswith("result") for line in [*sara.told(), *tom.told()])
    sara.say("tell gateway accept")
    assert sara.until("error ") == "error not-now nothing is offered"


def test_the_same_offer_twice_is_one_offer(here: Room) -> None:
    """ "Offers are typed, never overlap": at most one of a kind from each side."""
    sara, tom = here.two_miniatures()
    moved(sara, tom, "e2-e4", "e7-e5")
    sara.say("draw", "draw")
    assert sara.until("error ") == "error not-now you have proposed that already"
    assert tom.until("draw") == "draw"
    assert "draw" not in tom.told()
    tom.say("draw")
    assert sara.until("result ") == tom.until("result ") == "result 1/2-1/2 {draw by agreement}"


def test_the_latest_of_several_offers_is_what_a_word_answers(here: Room) -> None:
    """ "what one dialect cannot say is put in words (`text`, `tell`) and answered in words"."""
    pia, mia = here.mixed()
    mia.say("e5")
    pia.echo("e7e5")
    pia.say("move g1f3")
    mia.until("move g1-f3")
    mia.say("draw", "adjourn")
    pia.hears(f"text {mia.name} offers a draw", f"text {mia.name} asks to adjourn")
    pia.say("text decline")
    assert mia.until(f"tell gateway {pia.name} ").endswith(" declines the adjournment")
    pia.say("text accept")
    assert pia.until("result ") == "result 1/2-1/2 {draw by agreement}"


def test_an_offer_lapses_when_the_other_side_moves(here: Room) -> None:
    """FIDE 9.1.2.1: "remains valid until the opponent ... rejects it by touching a piece"."""
    sara, tom = here.two_miniatures()
    sara.say("draw", "adjourn")
    tom.hears("draw", "adjourn")
    moved(sara, tom, "e2-e4", "e7-e5")
    sara.say("tell gateway accept")
    assert sara.until("error ") == "error not-now nothing is offered"
    tom.say("adjourn")
    sara.until("adjourn")
    assert "tell gateway the game is adjourned" not in " ".join(tom.told())


def test_words_that_answer_an_offer_that_has_lapsed_agree_to_nothing(here: Room) -> None:
    """A yes that comes after its own move is words to the other player, and no agreement."""
    pia, mia = here.mixed()
    mia.say("draw")
    pia.until(f"text {mia.name} offers a draw")
    mia.say("e5")
    pia.echo("e7e5")
    pia.say("move g1f3")
    mia.until("move g1-f3")
    pia.say("text accept")
    assert mia.until(f"tell {pia.name} ") == f"tell {pia.name} accept"


def test_an_offer_stands_after_the_move_of_who_made_it_in_every_dialect(here: Room) -> None:
    """FIDE 9.1.2.1: "the offer cannot be withdrawn and remains valid until the opponent" answers."""
    pia, mia = here.mixed()
    mia.say("draw")
    pia.until(f"text {mia.name} offers a draw")
    mia.say("e5")
    pia.echo("e7e5")
    pia.say("text accept")
    assert mia.until("result ") == pia.until("result ") == "result 1/2-1/2 {draw by agreement}"


def test_an_offer_can_be_declined_and_made_again(here: Room) -> None:
    """ "can be declined"."""
    pia, mia = here.mixed()
    for _ in range(2):
        mia.say("draw")
        pia.until(f"text {mia.name} offers a draw")
        pia.say("text no")
        assert mia.until("tell gateway ") == f"tell gateway {pia.name} declines the draw"
    mia.say("tell gateway accept")
    assert mia.until("error ") == "error not-now nothing is offered"


def test_a_game_that_was_adjourned_is_resumed_only_when_both_agree(here: Room) -> None:
    """ "a resumed game starts only when both agree"."""
    pia, mia = here.mixed()
    mia.say("adjourn")
    pia.until(f"text {mia.name} asks to adjourn")
    pia.say("text accept")
    mia.until("tell gateway the game is adjourned")
    pia.hears("result * ", "text the game is adjourned")
    mia.say("e5", "play")
    assert mia.until("error ") == "error not-now no move now: the game is adjourned"
    pia.until(f"text {mia.name} wants to go on")
    pia.say("text no")
    assert mia.until("tell gateway ") == f"tell gateway {pia.name} declines going on"

    pia.say("go")
    mia.hears("play", f"tell gateway {pia.name} wants to go on")
    mia.say("play")
    mia.until("tell gateway the game goes on")
    mia.say("e5")
    pia.hears("move e2e4", "move e7e5", "go")


def test_a_draw_that_is_offered_out_of_turn_is_refused(here: Room) -> None:
    """ "P2 is not allowed to demand a draw if it is not his turn"."""
    sara, tom = here.two_miniatures()
    tom.say("draw")
    assert tom.until("error ") == "error not-your-turn a draw is offered when it is your turn"
    assert "draw" not in sara.told()


def test_a_confirmed_takeback_wins_over_a_move_in_flight(here: Room) -> None:
    """ "the takeback confirmation should win, as P2 is free to ignore P1's move after confirming the takeback"."""
    sara, tom = here.two_miniatures()
    moved(sara, tom, "e2-e4", "e7-e5")
    sara.say("takeback 1")
    tom.until("takeback 1")
    tom.say("takeback 1")
    assert sara.until("takeback 1") == f"takeback 1; {AFTER_E4}"
    sara.say("move g1-f3; fen rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b")  # on its way when Tom agreed

    moved(tom, sara, "c7-c5", "g1-f3")
    assert not any(line.startswith("error") for line in sara.heard)


def test_a_confirmed_takeback_wins_over_a_move_that_came_before_it(here: Room) -> None:
    """ "3 P2 or P1 sends his next move (notice how this can clash with a "takeback n" confirmation"): the takeback was
    asked for the position that it named."""
    sara, tom = here.two_miniatures()
    moved(sara, tom, "e2-e4", "e7-e5")
    sara.say("takeback 1", "move g1-f3")
    tom.hears("takeback 1", "move g1-f3")
    tom.say("takeback 1")  # as if it had been said before the move came
    assert tom.until("sync error; ") == f"sync error; {AFTER_E4}"
    assert sara.until("takeback ") == f"takeback 1; {AFTER_E4}"
    moved(tom, sara, "c7-c5", "b1-c3")


def test_a_takeback_that_nobody_answers_costs_nothing(here: Room) -> None:
    """ "A takeback request can be simply ignored without further actions"."""
    sara, tom = here.two_miniatures()
    moved(sara, tom, "e2-e4")
    sara.say("takeback 1")
    tom.until("takeback 1")
    moved(tom, sara, "e7-e5", "g1-f3", "b8-c6")
    sara.say("tell gateway accept")
    assert sara.until("error ") == "error not-now nothing is offered"


def test_a_takeback_of_another_length_is_an_offer_of_its_own(here: Room) -> None:
    """ "answered by "takeback n" (the same n) to accept"."""
    sara, tom = here.two_miniatures()
    moved(sara, tom, "e2-e4", "e7-e5", "g1-f3")
    sara.say("takeback 1")
    tom.until("takeback 1")
    tom.say("takeback 2")
    assert sara.until("takeback ") == f"takeback 2; {AFTER_E4}"
    moved(tom, sara, "b8-c6")
