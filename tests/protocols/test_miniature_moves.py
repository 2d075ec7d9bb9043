"""Miniature, draft section C: moves and their checksums. Both sides are real, and so are the rules."""

from __future__ import annotations

import pytest

from protocols.core.commands import PlayMove, Propose
from protocols.core.errors import Why
from protocols.core.events import GameStarted, MoveMade, TurnStarted
from protocols.core.model import Clock, Move, Reading, Settings
from protocols.core.notifications import Rejected, Seated
from protocols.core.proposals import Start
from protocols.miniature.dialect import Miniature
from tests.protocols.miniature_peers import E4, E4_E5, E4_E5_NF3, START, Two, draft, playing
from tests.protocols.talk import ask, begun, heard, opened, tell


def test_a_move_is_told_with_the_position_that_came_of_it() -> None:
    """So I think we should send sth like "move e2-e4; fen rnbqkbnr/..."."""
    two = playing()
    assert two.both(two.alice, f"move e2-e4; fen {E4}") == ([], [f"move e2-e4; fen {E4}"])


@pytest.mark.parametrize("line", ["move e2-e4", "m e2e4", "e2-e4", "e2e4", "move e4", "e4", "MOVE E2-E4"])
def test_a_move_is_understood_however_it_is_written(line: str) -> None:
    """In FICS, once it is your turn, it is sufficient to enter "e2-e4" to move your pawn, for example."""
    two = playing()
    assert two.both(two.alice, line) == ([], [f"move e2-e4; fen {E4}"])


@pytest.mark.parametrize(
    ("fen", "line", "told"),
    [
        ("7k/P7/8/8/8/8/7P/7K w - - 0 1", "move a7-a8Q", "move a7-a8=Q; fen Q6k/8/8/8/8/8/7P/7K b - - 0 1"),
        ("7k/P7/8/8/8/8/7P/7K w - - 0 1", "move a7-a8=N", "move a7-a8=N; fen N6k/8/8/8/8/8/7P/7K b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "move 0-0", "move e1-g1; fen 4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "move O-O", "move e1-g1; fen 4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "move e1-g1", "move e1-g1; fen 4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "move o-o-o", "move e1-c1; fen 4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
    ],
)
def test_promotions_and_castling(fen: str, line: str, told: str) -> None:
    two = set_up(fen)
    assert two.both(two.alice, line) == ([], [told])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("move bxc6", "error illegal no legal move here is written 'bxc6'; did you mean Bxc6?"),
        ("bc6", "error illegal no legal move here is written 'bc6'; did you mean Bxc6?"),
    ],
)
def test_a_pawn_s_words_do_not_move_the_bishop(line: str, says: str) -> None:
    two = set_up("6k1/8/2n5/P7/4B3/8/8/1K6 w - - 0 1")
    assert two.both(two.alice, line) == ([says], [])


def test_a_bishop_that_is_told_apart_by_its_row_is_not_read_as_coordinates() -> None:
    """In SAN "B2c3" is the bishop of the second row, though the same letters name b2 and c3."""
    two = set_up("4k3/8/8/8/1B6/8/1P1B4/4K3 w - - 0 1")
    assert two.both(two.alice, "move B2c3") == ([], ["move d2-c3; fen 4k3/8/8/8/1B6/2B5/1P6/4K3 b - - 1 1"])


def set_up(fen: str) -> Two:
    """A game from this position; alice plays White."""
    two = Two()
    two.do(two.alice, [Propose(Start(Settings("chess", "normal", 0, 0, 0, None, fen), 0))])
    two.both(two.bob, "play")
    heard(two.alice)
    return two


def test_a_fen_of_two_fields_with_a_slash_behind_the_last_rank_is_read() -> None:
    two = playing()
    assert two.both(two.alice, "move e2-e4; fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR/ b")[0] == []


def test_castling_rights_and_en_passant_of_a_fen_are_nobody_s_business() -> None:
    two = playing()
    assert two.both(two.alice, "move e2-e4; fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - e3 9 9")[0] == []


def test_the_table_s_position_wins_over_another_one() -> None:
    """In case of an sync issue, the FEN position *overrides* the move, and the error is logged (maybe even send "sync
    error" back to sender, so both peers are aware)."""
    two = playing()
    own, others = two.both(two.alice, f"move e2-e4; fen {START}")
    assert (own, others) == ([f"sync error; fen {E4}"], [f"move e2-e4; fen {E4}"])


def test_a_malformed_fen_is_ignored() -> None:
    """move e2-e4; fen rnbqkbnr/pppppppp/8/8/4/P/3/8/PPPP1PPP/RNBQKBNR b: ten rows, as the draft has it."""
    two = playing()
    own, others = two.both(two.alice, "move e2-e4; fen rnbqkbnr/pppppppp/8/8/4/P/3/8/PPPP1PPP/RNBQKBNR b")
    assert (own, others) == ([], [f"move e2-e4; fen {E4}"])


def test_an_illegal_move_is_an_error_and_with_a_position_a_sync_error_too() -> None:
    two = playing()
    illegal = "error illegal a pawn cannot go from e2 to e5"
    assert two.both(two.alice, "move e2-e5") == ([illegal], [])
    assert two.both(two.alice, f"move e2-e5; fen {E4}") == ([illegal, f"sync error; fen {START}"], [])


def test_a_move_out_of_turn_is_silently_discarded() -> None:
    """Move requests that are sent when it is not the player's turn should be silently discarded."""
    two = playing()
    assert two.both(two.bob, "move e7-e5", "e7e5", "move rubbish") == ([], [])
    assert two.state.ply == 0


@pytest.mark.parametrize("why", [Why.NOT_YOUR_TURN, Why.WRONG_PLY, Why.NOT_PLAYING])
def test_a_move_that_crossed_another_on_its_way_is_discarded_too(why: Why) -> None:
    peer = Miniature()
    settings = Settings("chess", "normal", 8, 8, 2)
    started = GameStarted(settings, 1, (), START)
    tell(peer, Seated(1, 0, (*opened(settings, "alice", "bob"), started, TurnStarted(0))))
    assert ask(peer, "move e2-e4") == [PlayMove(Move(52, 36), ply=0)]
    assert tell(peer, Rejected(why, "no")) == []


def test_a_move_is_for_the_moment_it_was_made_in() -> None:
    two = playing("e2-e4", "e7-e5")
    assert two.alice.receive_data(b"move g1-f3\n") == [PlayMove(Move(62, 45), ply=2)]


def test_mate_is_found_by_the_table() -> None:
    """The peers compute the status (check, checkmate, ...) themselves, based on the position info send."""
    two = playing("f2-f3", "e7-e5", "g2-g4")
    own, others = two.lines(two.bob, "move d8-h4")
    mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    assert own == ["result 0-1 {Black mates}"]
    assert others == [f"move d8-h4; fen {mated}", "result 0-1 {Black mates}"]


def test_a_client_that_reports_a_sync_error_hears_the_table_s_position_unless_it_has_it() -> None:
    two = playing("e2-e4")
    assert two.both(two.bob, f"sync error; fen {START}") == ([f"sync error; fen {E4}"], [])
    assert two.both(two.bob, "sync error") == ([f"sync error; fen {E4}"], [])
    assert two.both(two.bob, f"sync error; fen {E4}") == ([], [])


def test_the_clock_is_put_in_words_at_each_turn() -> None:
    two = playing(seek="seek 5 3 u w")
    two.now += 7.5
    own, others = two.both(two.alice, "e2e4")
    assert own == ["tell gateway clock 4:55 - 5:00"]
    assert others == [f"move e2-e4; fen {E4}", "tell gateway clock 4:55 - 5:00"]


def test_hours_are_shown_and_what_is_left_of_a_second_is_not() -> None:
    peer = Miniature()
    tell(peer, Seated(1, 0, begun(Settings("chess", "normal", 8, 8, 2), {}, "alice", "bob")))
    clock = Clock((Reading(3661.9), Reading(0, period_s=9)), 0, 0.0)
    assert tell(peer, TurnStarted(0, clock)) == ["tell gateway clock 1:01:01 - 0:09"]


def test_a_fallen_flag_ends_the_game() -> None:
    two = playing(seek="seek 1 0 u w")
    two.wait(61)
    assert draft(heard(two.alice)) == ["result 0-1 {White forfeits on time}"]
    assert draft(heard(two.bob)) == ["result 0-1 {White forfeits on time}"]


def test_moves_where_no_rules_are_known_are_passed_on_as_text() -> None:
    peer = Miniature()
    settings = Settings("open", "xiangqi", 8, 8, 2)
    tell(peer, Seated(1, 0, begun(settings, {}, "alice", "bob")))
    assert ask(peer, "move h2-e2") == [PlayMove(Move(None, None, "h2e2"), ply=0)]
    assert ask(peer, "move h10-e10") == [PlayMove(Move(None, None, "h10-e10"), ply=0)]
    assert tell(peer, MoveMade(1, Move(None, None, "h10e10"), 1, "h10e10", (), "")) == ["move h10e10"]


def test_a_move_that_somebody_else_made_for_the_seat_is_told() -> None:
    peer = Miniature()
    tell(peer, Seated(1, 0, begun(Settings("chess", "normal", 8, 8, 2), {}, "alice", "bob")))
    assert tell(peer, MoveMade(0, Move(52, 36), 1, "e4", (), E4)) == [f"move e2-e4; fen {E4}"]


def test_three_moves_from_the_start() -> None:
    two = playing("e2-e4")
    assert two.both(two.bob, "move e7-e5")[1] == [f"move e7-e5; fen {E4_E5}"]
    assert two.both(two.alice, "move g1-f3")[1] == [f"move g1-f3; fen {E4_E5_NF3}"]
