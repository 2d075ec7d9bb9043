"""Miniature, draft sections D to G: takeback, draw, resign, adjourn. Both sides are real, and so is the table."""

from __future__ import annotations

import pytest

from protocols.core.commands import Decline, GiveTime, Propose
from protocols.core.events import Agreed, Declined, MovesTakenBack, Proposed, Said, SeatTaken
from protocols.core.model import SeatKind
from protocols.core.proposals import Adjourn, Draw, End, Resume, Score, Takeback
from protocols.miniature.dialect import Miniature
from tests.protocols.miniature_peers import E4, E4_E5, E4_E5_NF3, START, draft, playing
from tests.protocols.talk import ask, heard, tell

D4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"


def test_a_takeback_is_asked_for_with_the_position_that_would_come_of_it() -> None:
    """Same as with moves, we send: "takeback n; fen current/fen/pos/ w|b", so that the fen position is the one to be
    expected after takeback n would be performed."""
    two = playing("e2-e4", "e7-e5")
    assert two.both(two.alice, "takeback 2") == ([], [f"takeback 2; fen {START}"])


def test_the_same_takeback_back_accepts() -> None:
    """P2 accepts: send "takeback n" → 2. N half-moves are taken back."""
    two = playing("e2-e4", "e7-e5")
    two.both(two.alice, "takeback 2")
    assert two.both(two.bob, f"takeback 2; fen {START}") == ([], [f"takeback 2; fen {START}"])
    assert (two.state.ply, two.state.turn) == (0, 0)
    assert two.both(two.alice, "e2e4") == ([], [f"move e2-e4; fen {E4}"])


def test_it_does_not_matter_who_asks_first() -> None:
    """Now it doesn't even matter who sends it first."""
    two = playing("e2-e4", "e7-e5")
    assert two.both(two.bob, "takeback 1") == ([], [f"takeback 1; fen {E4}"])
    assert two.both(two.alice, "takeback 1") == ([], [f"takeback 1; fen {E4}"])
    assert (two.state.ply, two.state.turn) == (1, 1)


def test_another_number_is_another_proposal() -> None:
    two = playing("e2-e4", "e7-e5")
    two.both(two.alice, "takeback 2")
    assert two.both(two.bob, "takeback 1") == ([], [f"takeback 1; fen {E4}"])
    assert two.state.ply == 2


def test_a_takeback_can_be_ignored() -> None:
    """P2 declines: nothing happens. A takeback request can be simply ignored without further actions."""
    two = playing("e2-e4", "e7-e5")
    two.both(two.bob, "takeback 2")
    assert two.both(two.alice, "g1f3") == ([], [f"move g1-f3; fen {E4_E5_NF3}"])
    assert two.state.ply == 3


@pytest.mark.parametrize(
    ("move", "told"),
    [("d2-d4", []), (f"d2-d4; fen {D4}", [f"sync error; fen {START}"])],
    ids=["without a position", "with the one it leads to"],
)
def test_a_move_that_came_with_the_wish_for_a_takeback_is_not_played_behind_the_answer(
    move: str, told: list[str]
) -> None:
    """ "the takeback confirmation should win, as P2 is free to ignore P1's move after confirming the takeback."
    Alice has sent both in one packet, for the position before."""
    two = playing("e2-e4", "e7-e5")
    two.do(two.alice, two.alice.receive_data(f"takeback 2\nmove {move}\n".encode()))
    two.both(two.bob, "takeback 2")
    heard(two.alice)
    assert two.alice.resume() == []
    assert (heard(two.alice), two.state.ply) == (told, 0)
    assert two.lines(two.alice, "move d2-d4")[1] == [f"move d2-d4; fen {D4}"]


def test_a_confirmed_takeback_wins_over_a_move_that_comes_after_it() -> None:
    """... in case it was P1's turn, in which case the takeback confirmation should win, as P2 is free to ignore P1's
    move after confirming the takeback."""
    two = playing("e2-e4", "e7-e5")
    two.both(two.alice, "takeback 2")
    on_its_way = two.alice.receive_data(b"move g1-f3\n")  # before alice can hear of it
    assert two.both(two.bob, "takeback 2")[1] == [f"takeback 2; fen {START}"]
    two.do(two.alice, on_its_way)
    assert (heard(two.alice), heard(two.bob)) == ([], [])
    assert two.state.ply == 0


def test_a_move_for_a_position_that_was_taken_back_is_known_by_its_fen() -> None:
    two = playing("e2-e4", "e7-e5")
    two.both(two.alice, "takeback 2")
    two.both(two.bob, "takeback 2")
    assert two.both(two.alice, f"move g1-f3; fen {E4_E5_NF3}") == ([f"sync error; fen {START}"], [])
    assert two.state.ply == 0


@pytest.mark.parametrize(
    "line", ["takeback 2", f"takeback 2; fen {START}", "takeback 3", f"takeback 3; fen {START}", "tell gateway accept"]
)
def test_a_confirmation_wins_over_the_move_that_came_before_it(line: str) -> None:
    """P2 or P1 sends his next move (notice how this can clash with a "takeback n" confirmation in case it was P1's
    turn, in which case the takeback confirmation should win, as P2 is free to ignore P1's move after confirming the
    takeback)."""
    two = playing("d2-d4", "d7-d5")
    two.both(two.alice, "takeback 2", "move c2-c4")
    assert two.both(two.bob, line) == ([f"sync error; fen {START}"], [f"takeback 2; fen {START}"])
    assert (two.state.ply, two.state.turn) == (0, 0)


def test_the_other_side_s_move_is_its_answer_to_a_takeback() -> None:
    two = playing("d2-d4", "d7-d5")
    two.both(two.alice, "takeback 2", "move c2-c4")
    two.both(two.bob, "move e7-e6")
    assert two.both(two.bob, "tell gateway accept") == (["error not-now nothing is offered"], [])


def test_a_takeback_whose_position_says_that_the_move_was_seen_is_a_request_of_its_own() -> None:
    two = playing("d2-d4", "d7-d5")
    after_d4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"
    two.both(two.alice, "takeback 2", "move c2-c4")
    asked = [f"takeback 2; fen {after_d4}"]
    assert two.both(two.bob, *asked) == ([], ["tell gateway bob declines the takeback", *asked])


def test_a_takeback_with_another_position_is_not_asked_for_and_the_table_s_position_wins() -> None:
    two = playing("e2-e4", "e7-e5")
    assert two.both(two.bob, f"takeback 1; fen {START}") == ([f"sync error; fen {E4_E5}"], [])
    assert two.both(two.alice, "takeback 2")[1] == [f"takeback 2; fen {START}"]


def test_a_takeback_with_a_malformed_position_is_asked_for() -> None:
    two = playing("e2-e4", "e7-e5")
    assert two.both(two.bob, "takeback 1; fen 4/P/3 w") == ([], [f"takeback 1; fen {E4}"])


@pytest.mark.parametrize("line", ["takeback 0", "takeback -1", "takeback two", "takeback 99999", "takeback 1; pgn x"])
def test_a_takeback_of_no_number_is_an_error(line: str) -> None:
    two = playing("e2-e4")
    own, others = two.both(two.bob, line)
    assert [one.split()[:2] for one in own] == [["error", "syntax"]]
    assert others == []


def test_more_than_was_played_cannot_be_taken_back() -> None:
    two = playing("e2-e4")
    assert two.both(two.bob, "takeback 2") == (["error not-now cannot take back 2 of 1 moves"], [])


def test_a_takeback_without_number_is_of_one_move() -> None:
    two = playing("e2-e4")
    assert two.both(two.alice, "ta") == ([], [f"takeback 1; fen {START}"])


def test_a_house_bot_s_agreement_is_told_in_the_draft_s_words() -> None:
    two = playing("e2-e4", "e7-e5")
    assert ask(two.alice, "takeback 2", "adjourn") == [Propose(Takeback(2)), Propose(Adjourn())]
    tell(two.alice, SeatTaken(1, SeatKind.BOT, "bot-2"))
    assert tell(two.alice, Proposed(0, Takeback(2)), Agreed(Takeback(2))) == [f"takeback 2; fen {START}"]
    assert tell(two.alice, MovesTakenBack(2, 0, (), START)) == []
    assert tell(two.alice, Proposed(0, Adjourn()), Agreed(Adjourn())) == ["adjourn"]
    assert tell(two.alice, Proposed(0, Resume()), Agreed(Resume())) == ["play"]


def test_a_draw_is_offered_on_one_s_turn_and_accepted_at_any_time() -> None:
    """P1 sends "draw", P2 accepts: send "draw" → 2 Game ends in draw."""
    two = playing("e2-e4", "e7-e5")
    assert two.both(two.alice, "draw") == ([], ["draw"])
    own, others = two.lines(two.bob, "draw")
    assert own == ["result 1/2-1/2 {draw by agreement}"]
    assert others == ["draw", "result 1/2-1/2 {draw by agreement}"]


def test_a_draw_offered_out_of_turn_is_refused_in_words() -> None:
    """P2 is not allowed to demand a draw if it is not his turn."""
    two = playing("e2-e4", "e7-e5")
    assert two.both(two.bob, "d") == (["error not-your-turn a draw is offered when it is your turn"], [])
    assert two.state.proposals == ()


def test_a_draw_that_is_not_answered_costs_nothing() -> None:
    """P2 declines: nothing happens → 3. P1 sends his next move."""
    two = playing("e2-e4", "e7-e5")
    two.both(two.alice, "draw")
    assert two.both(two.alice, "g1f3") == ([], [f"move g1-f3; fen {E4_E5_NF3}"])


def test_a_confirmed_draw_wins_over_the_move_that_came_before_it() -> None:
    """P1 sends his next move (... same conflict resolution as in takeback: draw confirmation wins over P1's move, and
    P2 is free to ignore the move)."""
    two = playing("e2-e4", "e7-e5")
    two.both(two.alice, "draw", "g1f3")
    own, others = two.lines(two.bob, "draw")
    assert own == ["result 1/2-1/2 {draw by agreement}"]
    assert others == ["draw", "result 1/2-1/2 {draw by agreement}"]


def test_a_draw_that_comes_after_one_s_own_move_is_no_answer_any_more() -> None:
    two = playing("e2-e4", "e7-e5")
    two.both(two.alice, "draw", "g1f3")
    two.both(two.bob, "b8c6")
    assert two.both(two.alice, "draw") == ([], ["draw"])


def test_a_technical_draw_needs_nobody_s_agreement() -> None:
    """Before the other peer gets chance to say ok, "draw", we query the logic analyzer, which is entitled to enforce a
    technical "draw"."""
    knights = ["g1-f3", "g8-f6", "f3-g1", "f6-g8"]
    two = playing(*knights, *knights)
    own, others = two.lines(two.alice, "draw")
    assert own == others == ["result 1/2-1/2 {threefold repetition}"]


def test_resigning_ends_the_game_at_any_time() -> None:
    """Players can resign at any time, I guess? No confirmation by other player needed, game ends."""
    two = playing("e2-e4")
    own, others = two.lines(two.alice, "resign")
    assert own == others == ["result 0-1 {White resigns}"]


def test_an_adjournment_is_offered_and_accepted_and_both_must_say_play_to_go_on() -> None:
    """P1 sends "adjourn"; P2 accepts: send "adjourn" → 3. Game is adjourned. "Game is adjourned, both sides save
    the current position locally, game ends." """
    two = playing("e2-e4")
    waits = "tell gateway the game is adjourned; it goes on when both have said play"
    assert two.both(two.alice, "adjourn") == ([], ["adjourn"])
    assert two.both(two.bob, "a") == ([waits], ["adjourn", waits])
    assert two.both(two.bob, "move e7-e5") == (["error not-now no move now: the game is adjourned"], [])
    assert two.both(two.bob, "play") == ([], ["play", "tell gateway bob wants to go on; play begins it"])
    assert two.both(two.alice, "play") == (["tell gateway the game goes on"], ["play", "tell gateway the game goes on"])
    assert two.both(two.bob, "e7e5") == ([], [f"move e7-e5; fen {E4_E5}"])


def test_an_adjournment_can_be_declined() -> None:
    """P2 declines: nothing happens."""
    two = playing("e2-e4")
    two.both(two.alice, "adjourn")
    assert two.both(two.bob, "tell gateway decline") == ([], ["tell gateway bob declines the adjournment"])
    assert two.both(two.bob, "e7e5") == ([], [f"move e7-e5; fen {E4_E5}"])


def test_one_who_lost_the_connection_finds_the_adjournment_that_was_offered_meanwhile() -> None:
    """P1 ran out of time, unresponsive; P2 sends "adjourn" → 3. "P1 ran out of time, unresponsive"."""
    two = playing("e2-e4")
    two.drop(two.alice)
    assert heard(two.bob) == ["tell gateway alice has lost the connection; the seat is kept"]
    two.ask(two.bob, "adjourn")
    back = two.come(Miniature())
    own = two.ask(back, "tell gateway seat 0")
    assert own[-1] == "adjourn"
    assert own[-3:-1] == [f"move e2-e4; fen {E4}", "tell gateway Black to move"]
    assert draft(two.ask(back, "adjourn")) == []
    assert draft(heard(two.bob)) == ["adjourn"]


def test_any_offer_can_be_accepted_or_declined_in_words() -> None:
    two = playing("e2-e4", "e7-e5")
    two.both(two.alice, "draw")
    assert two.both(two.bob, "tell gateway decline") == ([], ["tell gateway bob declines the draw"])
    two.both(two.alice, "takeback 1")
    assert two.both(two.bob, "tell gateway accept") == ([], [f"takeback 1; fen {E4}"])
    assert two.both(two.bob, "tell gateway accept") == (["error not-now nothing is offered"], [])
    assert two.both(two.bob, "tell gateway decline") == (["error not-now nothing is offered"], [])


def test_a_game_is_aborted_in_words_by_both_or_before_one_s_first_move() -> None:
    two = playing("e2-e4", "e7-e5")
    asks = "tell gateway alice wants to abort the game, so that nobody loses; tell gateway accept, or decline"
    assert two.both(two.alice, "tell gateway abort") == ([], [asks])
    assert two.both(two.bob, "tell gateway decline") == ([], ["tell gateway bob declines an end without a result"])
    two.both(two.alice, "tell gateway abort")
    over = ["result * {aborted}", "tell gateway seek, or tell gateway rematch, for another game"]
    assert two.both(two.bob, "tell gateway accept") == (over, over)
    two = playing("e2-e4")
    assert two.both(two.bob, "tell gateway abort") == (over, over)
    assert ask(two.bob, "tell gateway abort") == []
    assert heard(two.bob) == ["error not-now no abort now: the game is over"]


def test_time_is_given_to_the_other_in_words() -> None:
    two = playing("e2-e4", "e7-e5")
    assert ask(two.alice, "tell gateway moretime 15") == [GiveTime(15)]
    given = Said(0, "all", "15 more seconds for the other side", "alice")
    assert tell(two.alice, given) == []
    assert tell(two.bob, given) == ["tell alice 15 more seconds for the other side"]
    assert ask(two.alice, "tell gateway moretime soon") == []
    assert heard(two.alice) == ["error syntax moretime 'soon': it is moretime SECONDS, for your opponent"]


def test_the_latest_offer_is_meant() -> None:
    two = playing("e2-e4", "e7-e5")
    tell(two.bob, Proposed(0, Draw()), Proposed(0, Adjourn()))
    assert ask(two.bob, "tell gateway decline") == [Decline("Adjourn")]
    tell(two.bob, Declined(1, "Adjourn"))
    assert ask(two.bob, "tell gateway accept") == [Propose(Draw())]


def test_offers_that_miniature_has_no_word_for_are_put_in_words() -> None:
    two = playing("e2-e4")
    assert tell(two.bob, Proposed(0, End(0))) == [
        "tell gateway alice says that White has won; tell gateway accept, or decline"
    ]
    assert tell(two.bob, Proposed(0, Score())) == [
        "tell gateway alice proposes a score; tell gateway accept, or decline"
    ]


def test_what_is_asked_twice_is_refused_once() -> None:
    two = playing("e2-e4")
    two.both(two.alice, "adjourn")
    assert two.both(two.alice, "adjourn") == (["error not-now you have proposed that already"], [])
