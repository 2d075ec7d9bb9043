"""The mirror of a table: what the server says, folded into a board, a turn and a position."""

from __future__ import annotations

from gateway import registry
from gateway.clients.mirror import Mirror, Phase, Roll
from gateway.clients.news import News, Tone
from protocols.core.model import PASS, Move, Seat, SeatKind

ALICE_AND_BOT = (Seat(0, SeatKind.PLAYER, "alice"), Seat(1, SeatKind.BOT, "bot"))


def playing(name: str, seat: int = 0, variant: str = "") -> Mirror:
    mirror = Mirror(registry.game(name), variant)
    mirror.seated(seat)
    mirror.listed(ALICE_AND_BOT)
    mirror.started()
    mirror.news.clear()
    return mirror


def texts(mirror: Mirror) -> list[str]:
    return [line.text for line in mirror.news]


def test_nothing_is_known_before_the_first_message() -> None:
    mirror = Mirror(registry.game("ludo"))
    assert (mirror.phase, mirror.seat, mirror.board, mirror.my_turn) == (Phase.JOINING, None, {}, False)


def test_a_seat_makes_it_wait_and_the_start_lays_out_the_board() -> None:
    mirror = Mirror(registry.game("checkers"))
    phases = []
    mirror.seated(1)
    phases.append(mirror.phase)
    mirror.listed(ALICE_AND_BOT)
    mirror.started()
    phases.append(mirror.phase)
    assert phases == [Phase.WAITING, Phase.PLAYING]
    assert (mirror.board[1], mirror.board[62], len(mirror.board)) == ("black man", "white man", 24)


def test_the_number_of_seats_listed_decides_how_many_play() -> None:
    mirror = Mirror(registry.game("ludo"))
    mirror.seated(0)
    mirror.listed((*ALICE_AND_BOT, Seat(2, SeatKind.OPEN), Seat(3, SeatKind.OPEN)))
    mirror.started()
    assert len(mirror.board) == 16
    assert [mirror.side(seat) for seat in range(4)] == ["yellow", "blue", "red", "green"]


def test_two_at_a_ludo_table_are_called_by_the_colours_they_play() -> None:
    assert [playing("ludo").side(seat) for seat in (0, 1)] == ["yellow", "red"]


def test_req_move_for_our_seat_makes_it_our_turn_with_every_legal_move() -> None:
    mirror = playing("tic_tac_toe")
    mirror.asked(0)
    assert mirror.my_turn
    assert len(mirror.legal_moves()) == 9
    mirror.asked(1)
    assert not mirror.my_turn
    assert mirror.legal_moves() == []


def test_a_move_on_its_way_is_no_second_turn_until_it_is_refused() -> None:
    mirror = playing("tic_tac_toe")
    mirror.asked(0)
    mirror.pending = Move(None, 4, "x")
    assert not mirror.my_turn
    mirror.answered(1, "not your piece")
    mirror.asked(0)
    assert mirror.my_turn
    assert mirror.news[-1] == News(Tone.REFUSAL, "not your piece")


def test_a_capture_told_after_the_move_is_its_consequence_and_no_move() -> None:
    mirror = playing("checkers")
    for seat, source, target in ((0, 17, 26), (1, 44, 35)):  # 9-14, 23-18
        mirror.asked(seat)
        mirror.moved(Move(source, target))
    mirror.asked(0)
    mirror.moved(Move(26, 44))  # 14x23
    mirror.moved(Move(35, None))
    mirror.asked(1)
    assert texts(mirror) == ["alice: 9-14", "bot: 23-18", "alice: 14x23"]
    assert 35 not in mirror.board
    assert mirror.position is not None
    assert mirror.last == (26, 44)


def test_a_piece_sent_home_in_ludo_stands_in_its_depot() -> None:
    mirror = playing("ludo")
    game = registry.game("ludo")
    home = mirror.board
    mirror.rolled(6)
    mirror.asked(0)
    mirror.moved(game.legal_moves(mirror.position)[0])
    assert sum(piece == "yellow" for piece in mirror.board.values()) == 4
    assert mirror.board[44] == "yellow"
    assert mirror.board != home


def test_a_roll_belongs_to_whom_the_rules_say() -> None:
    mirror = playing("ludo")
    mirror.rolled(3)
    assert mirror.roll == Roll(0, 3)
    assert texts(mirror) == ["alice rolls 3"]


def test_without_rules_a_roll_belongs_to_the_next_seat_asked() -> None:
    mirror = Mirror(None)
    mirror.seated(0)
    mirror.listed(ALICE_AND_BOT)
    mirror.started()
    mirror.rolled(5)
    assert mirror.roll == Roll(None, 5)
    mirror.asked(1)
    assert mirror.roll == Roll(1, 5)


def test_placements_before_the_first_request_rebuild_the_board() -> None:
    mirror = playing("tic_tac_toe", seat=1)
    mirror.moved(Move(None, 0, "x"))
    mirror.moved(Move(None, 4, "o"))
    mirror.moved(Move(None, 8, "x"))
    assert texts(mirror) == []
    mirror.asked(1)
    assert mirror.board == {0: "x", 4: "o", 8: "x"}
    assert {move.target for move in mirror.legal_moves()} == {1, 2, 3, 5, 6, 7}


def test_a_start_in_mid_game_is_a_return() -> None:
    mirror = playing("tic_tac_toe")
    mirror.asked(0)
    mirror.moved(Move(None, 4, "x"))
    mirror.asked(1)
    mirror.lost()
    mirror.started()
    assert mirror.news[-1].text == "The game goes on."


def test_where_rules_and_server_differ_the_server_is_right() -> None:
    mirror = playing("tic_tac_toe")
    mirror.asked(1)
    assert mirror.turn == 1
    mirror.moved(Move(None, 4, "o"))
    mirror.moved(Move(None, 0, "o"))
    mirror.asked(0)
    assert mirror.board == {4: "o", 0: "o"}
    assert mirror.my_turn
    assert mirror.position is None
    assert mirror.legal_moves() == []


def test_a_board_put_right_during_our_turn_changes_our_legal_moves() -> None:
    mirror = playing("tic_tac_toe")
    mirror.asked(0)
    mirror.moved(Move(None, 4, "x"))
    mirror.asked(1)
    mirror.moved(Move(None, 0, "o"))
    mirror.asked(0)
    mirror.moved(Move(0, None))
    mirror.moved(Move(4, None))
    mirror.settle()
    assert mirror.board == {}
    assert len(mirror.legal_moves()) == 9


def test_a_game_without_rules_here_is_shown_as_it_is_told() -> None:
    mirror = Mirror(None, size=(5, 5))
    mirror.seated(0)
    mirror.started()
    mirror.moved(Move(None, 3, "rook"))
    mirror.asked(0)
    assert mirror.my_turn
    mirror.moved(Move(3, 8))
    mirror.moved(Move(None, 9, "pawn"))
    mirror.asked(1)
    assert mirror.board == {8: "rook", 9: "pawn"}
    assert mirror.news[-1].text == "seat 1: d5-d4"


def test_a_pass_changes_no_square_and_keeps_the_mark_of_the_last_move() -> None:
    mirror = Mirror(None)
    mirror.started()
    mirror.asked(0)
    mirror.moved(Move(2, 3))
    mirror.asked(1)
    mirror.moved(Move(None, None, "pass"))
    assert mirror.last == (2, 3)
    assert mirror.news[-1].text == "seat 2: pass"
    assert PASS not in mirror.legal_moves()


def word(mirror: Mirror, text: str, *, ours: bool = False) -> None:
    """A word from the server; ``ours`` is one that we have sent and the server accepts first."""
    if ours:
        mirror.offers.sent(text)
        mirror.answered(0, "")
    mirror.moved(Move(None, None, text))


def test_a_draw_on_offer_is_told_and_is_no_move() -> None:
    mirror = playing("tic_tac_toe")
    mirror.asked(0)
    word(mirror, "draw")
    assert mirror.my_turn
    assert mirror.offers.theirs == "draw"
    mirror.moved(Move(None, 0, "x"))
    assert mirror.offers.theirs == ""
    assert texts(mirror) == ["A draw is offered: y accepts, n declines.", "alice: a3"]


def test_the_end_is_told_from_our_side() -> None:
    for seat, winner, said in ((0, 0, "You win!"), (1, 0, "alice wins."), (0, None, "The game is drawn.")):
        mirror = playing("tic_tac_toe", seat)
        mirror.ended(winner)
        assert mirror.phase is Phase.OVER
        assert mirror.news[-1].text == said


def test_people_who_come_and_go_are_told() -> None:
    mirror = Mirror(registry.game("ludo"))
    mirror.seated(0)
    for kind, name in (
        (SeatKind.OPEN, ""),
        (SeatKind.PLAYER, "bob"),
        (SeatKind.RESERVED, "bob"),
        (SeatKind.PLAYER, "bob"),
        (SeatKind.ABANDONED, "bob"),
        (SeatKind.BOT, "house"),
    ):
        mirror.listed((Seat(0, SeatKind.PLAYER, "alice"), Seat(1, kind, name)))
    assert texts(mirror) == [
        "You sit at yellow.",
        "bob sits at red.",
        "bob is away; the seat is kept.",
        "bob is back at red.",
        "bob has left red for good.",
        "house (a bot) sits at red.",
    ]
