"""The client's state folds the server's messages into a board, a turn and a position."""

from __future__ import annotations

from clients.client_state import ClientState, Phase, Roll
from clients.news import News, Tone
from gateway import registry
from protocols.core.model import PASS, Move, Seat, SeatKind

ALICE_AND_BOT = (Seat(0, SeatKind.PLAYER, "alice"), Seat(1, SeatKind.BOT, "bot"))


def playing(name: str, seat: int = 0, variant: str = "") -> ClientState:
    client_state = ClientState(registry.game(name), variant)
    client_state.seated(seat)
    client_state.listed(ALICE_AND_BOT)
    client_state.started()
    client_state.news.clear()
    return client_state


def texts(client_state: ClientState) -> list[str]:
    return [line.text for line in client_state.news]


def test_nothing_is_known_before_the_first_message() -> None:
    client_state = ClientState(registry.game("ludo"))
    assert (client_state.phase, client_state.seat, client_state.board, client_state.my_turn) == (
        Phase.JOINING,
        None,
        {},
        False,
    )


def test_a_seat_makes_it_wait_and_the_start_lays_out_the_board() -> None:
    client_state = ClientState(registry.game("checkers"))
    phases = []
    client_state.seated(1)
    phases.append(client_state.phase)
    client_state.listed(ALICE_AND_BOT)
    client_state.started()
    phases.append(client_state.phase)
    assert phases == [Phase.WAITING, Phase.PLAYING]
    assert (client_state.board[1], client_state.board[62], len(client_state.board)) == ("black man", "white man", 24)


def test_the_number_of_seats_listed_decides_how_many_play() -> None:
    client_state = ClientState(registry.game("ludo"))
    client_state.seated(0)
    client_state.listed((*ALICE_AND_BOT, Seat(2, SeatKind.OPEN), Seat(3, SeatKind.OPEN)))
    client_state.started()
    assert len(client_state.board) == 16
    assert [client_state.side(seat) for seat in range(4)] == ["yellow", "blue", "red", "green"]


def test_two_at_a_ludo_table_are_called_by_the_colours_they_play() -> None:
    assert [playing("ludo").side(seat) for seat in (0, 1)] == ["yellow", "red"]


def test_req_move_for_our_seat_makes_it_our_turn_with_every_legal_move() -> None:
    client_state = playing("tic_tac_toe")
    client_state.asked(0)
    assert client_state.my_turn
    assert len(client_state.legal_moves()) == 9
    client_state.asked(1)
    assert not client_state.my_turn
    assert client_state.legal_moves() == []


def test_a_move_on_its_way_is_no_second_turn_until_it_is_refused() -> None:
    client_state = playing("tic_tac_toe")
    client_state.asked(0)
    client_state.pending = Move(None, 4, "x")
    assert not client_state.my_turn
    client_state.answered(1, "not your piece")
    client_state.asked(0)
    assert client_state.my_turn
    assert client_state.news[-1] == News(Tone.REFUSAL, "not your piece")


def test_a_capture_told_after_the_move_is_its_consequence_and_no_move() -> None:
    client_state = playing("checkers")
    for seat, source, target in ((0, 17, 26), (1, 44, 35)):  # 9-14, 23-18
        client_state.asked(seat)
        client_state.moved(Move(source, target))
    client_state.asked(0)
    client_state.moved(Move(26, 44))  # 14x23
    client_state.moved(Move(35, None))
    client_state.asked(1)
    assert texts(client_state) == ["alice: 9-14", "bot: 23-18", "alice: 14x23"]
    assert 35 not in client_state.board
    assert client_state.position is not None
    assert client_state.last == (26, 44)


def test_a_piece_sent_home_in_ludo_stands_in_its_depot() -> None:
    client_state = playing("ludo")
    game = registry.game("ludo")
    home = client_state.board
    client_state.rolled(6)
    client_state.asked(0)
    client_state.moved(game.legal_moves(client_state.position)[0])
    assert sum(piece == "yellow" for piece in client_state.board.values()) == 4
    assert client_state.board[44] == "yellow"
    assert client_state.board != home


def test_a_roll_belongs_to_whom_the_rules_say() -> None:
    client_state = playing("ludo")
    client_state.rolled(3)
    assert client_state.roll == Roll(0, 3)
    assert texts(client_state) == ["alice rolls 3"]


def test_without_rules_a_roll_belongs_to_the_next_seat_asked() -> None:
    client_state = ClientState(None)
    client_state.seated(0)
    client_state.listed(ALICE_AND_BOT)
    client_state.started()
    client_state.rolled(5)
    assert client_state.roll == Roll(None, 5)
    client_state.asked(1)
    assert client_state.roll == Roll(1, 5)


def test_placements_before_the_first_request_rebuild_the_board() -> None:
    client_state = playing("tic_tac_toe", seat=1)
    client_state.moved(Move(None, 0, "x"))
    client_state.moved(Move(None, 4, "o"))
    client_state.moved(Move(None, 8, "x"))
    assert texts(client_state) == []
    client_state.asked(1)
    assert client_state.board == {0: "x", 4: "o", 8: "x"}
    assert {move.target for move in client_state.legal_moves()} == {1, 2, 3, 5, 6, 7}


def test_a_start_in_mid_game_is_a_return() -> None:
    client_state = playing("tic_tac_toe")
    client_state.asked(0)
    client_state.moved(Move(None, 4, "x"))
    client_state.asked(1)
    client_state.lost()
    client_state.started()
    assert client_state.news[-1].text == "The game goes on."


def test_where_rules_and_server_differ_the_server_is_right() -> None:
    client_state = playing("tic_tac_toe")
    client_state.asked(1)
    assert client_state.turn == 1
    client_state.moved(Move(None, 4, "o"))
    client_state.moved(Move(None, 0, "o"))
    client_state.asked(0)
    assert client_state.board == {4: "o", 0: "o"}
    assert client_state.my_turn
    assert client_state.position is None
    assert client_state.legal_moves() == []


def test_a_board_put_right_during_our_turn_changes_our_legal_moves() -> None:
    client_state = playing("tic_tac_toe")
    client_state.asked(0)
    client_state.moved(Move(None, 4, "x"))
    client_state.asked(1)
    client_state.moved(Move(None, 0, "o"))
    client_state.asked(0)
    client_state.moved(Move(0, None))
    client_state.moved(Move(4, None))
    client_state.settle()
    assert client_state.board == {}
    assert len(client_state.legal_moves()) == 9


def test_a_game_without_rules_here_is_shown_as_it_is_told() -> None:
    client_state = ClientState(None, size=(5, 5))
    client_state.seated(0)
    client_state.started()
    client_state.moved(Move(None, 3, "rook"))
    client_state.asked(0)
    assert client_state.my_turn
    client_state.moved(Move(3, 8))
    client_state.moved(Move(None, 9, "pawn"))
    client_state.asked(1)
    assert client_state.board == {8: "rook", 9: "pawn"}
    assert client_state.news[-1].text == "seat 1: d5-d4"


def test_a_pass_changes_no_square_and_keeps_the_mark_of_the_last_move() -> None:
    client_state = ClientState(None)
    client_state.started()
    client_state.asked(0)
    client_state.moved(Move(2, 3))
    client_state.asked(1)
    client_state.moved(Move(None, None, "pass"))
    assert client_state.last == (2, 3)
    assert client_state.news[-1].text == "seat 2: pass"
    assert PASS not in client_state.legal_moves()


def word(client_state: ClientState, text: str, *, ours: bool = False) -> None:
    """A word from the server; ``ours`` is one that we have sent and the server accepts first."""
    if ours:
        client_state.offers.sent(text)
        client_state.answered(0, "")
    client_state.moved(Move(None, None, text))


def test_a_draw_on_offer_is_told_and_is_no_move() -> None:
    client_state = playing("tic_tac_toe")
    client_state.asked(0)
    word(client_state, "draw")
    assert client_state.my_turn
    assert client_state.offers.theirs == "draw"
    client_state.moved(Move(None, 0, "x"))
    assert client_state.offers.theirs == ""
    assert texts(client_state) == ["A draw is offered: y accepts, n declines.", "alice: a3"]


def test_the_end_is_told_from_our_side() -> None:
    for seat, winner, said in ((0, 0, "You win!"), (1, 0, "alice wins."), (0, None, "The game is drawn.")):
        client_state = playing("tic_tac_toe", seat)
        client_state.ended(winner)
        assert client_state.phase is Phase.OVER
        assert client_state.news[-1].text == said


def test_people_who_come_and_go_are_told() -> None:
    client_state = ClientState(registry.game("ludo"))
    client_state.seated(0)
    for kind, name in (
        (SeatKind.OPEN, ""),
        (SeatKind.PLAYER, "bob"),
        (SeatKind.RESERVED, "bob"),
        (SeatKind.PLAYER, "bob"),
        (SeatKind.ABANDONED, "bob"),
        (SeatKind.BOT, "house"),
    ):
        client_state.listed((Seat(0, SeatKind.PLAYER, "alice"), Seat(1, kind, name)))
    assert texts(client_state) == [
        "You sit at yellow.",
        "bob sits at red.",
        "bob is away; the seat is kept.",
        "bob is back at red.",
        "bob has left red for good.",
        "house (a bot) sits at red.",
    ]
