"""Chess as the real dialect tells it: promotions, castling, en passant, drops, words, and exchanged seats."""

from __future__ import annotations

from random import Random

import pytest

from clients.client_state import Phase
from clients.session import Session
from gateway import registry
from protocols.core import events as ev
from protocols.core.commands import Decline, PlayMove, Propose
from protocols.core.model import Move, Outcome, Reason, SeatKind
from protocols.core.proposals import Adjourn, Draw, Proposal, Resume, Takeback
from tests.clients.tables import ToldGame
from tests.clients.test_mirror_follows import agrees, hear, sit_down

CHESS = registry.game("chess")
TO_PROMOTE = ("a4", "b5", "axb5", "a6", "bxa6", "Bb7", "axb7", "Nc6")
"""After these White's pawn on b7 takes the rook on a8."""


PROMOTING = {variant.name for variant in CHESS.variants} - {"racingkings", "horde"}
"""Positions in which both sides have a king, and pawns."""


class Two:
    """A table of chess and the clients of both seats, which have heard all notifications."""

    def __init__(self, variant: str = "normal", start: str = "", seed: int = 1) -> None:
        self.table = ToldGame(CHESS, variant, 2, seed, start)
        self.heard = [sit_down(self.table, CHESS, variant, seat) for seat in (0, 1)]

    def begin(self, *moves: str) -> Two:
        self.table.start()
        self.listen()
        for text in moves:
            self.play(text)
        return self

    def listen(self) -> None:
        for session, dialect in self.heard:
            hear(session, dialect)

    def play(self, text: str) -> None:
        self.table.play(CHESS.parse(self.table.position, text))
        self.listen()
        assert all(agrees(session, self.table) for session, _ in self.heard)

    def tell(self, *events: ev.Event) -> None:
        for event in events:
            self.table.tell(event)
        self.listen()

    def propose(self, seat: int, word: str, proposal: Proposal) -> None:
        """``seat`` says the word, and both clients are told of it."""
        session, dialect = self.heard[seat]
        assert dialect.receive_data(session.propose(word)) == [Propose(proposal)]
        self.tell(ev.Proposed(seat, proposal))

    @property
    def white(self) -> Session:
        return self.heard[0][0]

    @property
    def black(self) -> Session:
        return self.heard[1][0]


def lines(session: Session, count: int) -> list[str]:
    return [line.text for line in session.client_state.news][-count:]


@pytest.mark.parametrize("letter", "QRBN")
def test_a_promotion_is_followed_and_told_once_whatever_the_pawn_becomes(letter: str) -> None:
    two = Two().begin(*TO_PROMOTE, f"bxa8={letter}")
    for session in (two.white, two.black):
        assert lines(session, 2) == ["bob: Nc6", f"alice: bxa8={letter}"]
        assert session.client_state.last == (9, 0)
    two.play("g6")


@pytest.mark.parametrize("piece", ["queen", "rook", "bishop", "knight"])
def test_the_piece_that_was_chosen_reaches_the_server_with_the_move(piece: str) -> None:
    session, dialect = Two().begin(*TO_PROMOTE).heard[0]
    assert dialect.receive_data(session.play(Move(9, 0, piece))) == [PlayMove(Move(9, 0, piece))]


@pytest.mark.parametrize("variant", sorted(PROMOTING))
def test_random_endings_with_many_promotions_are_followed(variant: str) -> None:
    start = "8/PPPPPP1k/8/8/8/8/pppppp1K/8 w - - 0 1"
    two = Two(variant, start, seed=4).begin()
    promoted = 0
    for _ in range(40):
        moves = CHESS.legal_moves(two.table.position)
        choices = [move for move in moves if move.source is not None and move.piece] or moves
        if not choices:
            break
        move = Random(promoted).choice(choices)
        promoted += bool(move.source is not None and move.piece)
        two.play(CHESS.notation(two.table.position, move))
    assert promoted > 3


def test_castling_moves_the_rook_and_en_passant_takes_the_pawn_that_passed() -> None:
    two = Two().begin("e4", "Nf6", "e5", "d5")
    two.play("exd6")
    assert 27 not in two.black.client_state.board
    for text in ("g6", "Nf3", "Bg7", "Be2", "O-O", "O-O"):
        two.play(text)
    assert [two.white.client_state.board.get(at) for at in (60, 61, 62, 63)] == [None, "white rook", "white king", None]
    assert two.white.client_state.last == (60, 62)


def test_castling_in_chess960_goes_from_the_king_to_its_rook() -> None:
    two = Two("fischerandom", "6k1/8/8/8/8/8/8/1RK4R w KQ - 0 1").begin("O-O-O")
    assert {at: piece for at, piece in two.black.client_state.board.items() if at > 55} == {
        58: "white king",
        59: "white rook",
        63: "white rook",
    }
    assert two.black.client_state.last == (58, 57)


def test_check_is_seen_by_its_square_and_is_over_with_the_next_move() -> None:
    two = Two().begin("e4", "f5", "Qh5+")
    assert [session.client_state.checked for session in (two.white, two.black)] == [4, 4]
    two.play("g6")
    assert two.black.client_state.checked is None
    two.table.take_back(1)
    two.listen()
    assert two.black.client_state.checked == 4


def test_a_drop_in_crazyhouse_and_a_takeback_that_looks_like_one_are_told_apart() -> None:
    two = Two("crazyhouse").begin("e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5+", "Be2", "Nf6")
    two.play("P@e4")
    assert lines(two.black, 1) == ["alice: @e4"]
    two.propose(0, "takeback 3", Takeback(3))
    two.propose(1, "takeback 3", Takeback(3))
    two.table.take_back(3)
    two.listen()
    assert lines(two.white, 1) == ["3 moves taken back."]
    assert all(agrees(session, two.table) for session in (two.white, two.black))
    two.play("Nge2")
    two.play("P@h3")


def test_a_house_bot_takes_back_without_a_word() -> None:
    two = Two()
    two.tell(ev.SeatTaken(1, SeatKind.BOT, "bot"))
    two.begin("e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "Ke2", "Ke7")
    assert two.white.client_state.plies_back() == 2
    two.propose(0, "takeback 2", Takeback(2))
    two.table.take_back(2)
    two.listen()
    assert lines(two.white, 2) == ["You ask to take 2 moves back.", "2 moves taken back."]
    assert Move(60, 62) in two.white.client_state.legal_moves()
    assert two.white.client_state.last == (5, 26)


def test_a_takeback_that_changes_no_square_is_a_takeback_all_the_same() -> None:
    two = Two().begin("e4", "e5", "Ke2", "Ke7", "Ke1", "Ke8")
    two.play("Ke2")
    two.play("Ke7")
    two.propose(1, "takeback 4", Takeback(4))
    two.propose(0, "takeback 4", Takeback(4))
    two.table.take_back(4)
    two.listen()
    assert two.white.client_state.plies_back() == 2
    assert all(agrees(session, two.table) for session in (two.white, two.black))


def test_a_declined_draw_is_told_to_both_from_their_own_side() -> None:
    two = Two().begin("e4")
    two.propose(0, "draw", Draw())
    assert two.black.client_state.offers.theirs == "draw"
    session, dialect = two.heard[1]
    assert dialect.receive_data(session.decline()) == [Decline("Draw")]
    two.tell(ev.Declined(1, "Draw"))
    assert lines(two.white, 2) == ["You offer a draw.", "The draw is declined."]
    assert lines(two.black, 2) == ["A draw is offered: y accepts, n declines.", "You decline the draw."]
    assert two.black.client_state.offers.theirs == ""


def test_an_adjourned_game_waits_and_goes_on_when_both_are_ready() -> None:
    two = Two().begin("e4")
    two.propose(0, "adjourn", Adjourn())
    two.propose(1, "adjourn", Adjourn())
    two.tell(ev.Agreed(Adjourn()), ev.GameAdjourned())
    client_state = two.black.client_state
    assert (client_state.adjourned, client_state.turn, client_state.phase) == (True, None, Phase.PLAYING)
    two.propose(1, "resume", Resume())
    assert lines(two.white, 1) == ["The other side is ready to go on: y accepts, n declines."]
    two.propose(0, "resume", Resume())
    two.tell(ev.Agreed(Resume()), ev.GameResumed(), ev.TurnStarted(1))
    assert lines(two.black, 1) == ["The game goes on."]
    assert not client_state.adjourned
    two.play("e5")


def test_who_comes_back_to_an_adjourned_game_is_told_what_it_waits_for() -> None:
    two = Two().begin("e4")
    two.tell(ev.GameAdjourned())
    session = two.black
    session.client_state.lost()
    dialect = two.table.listen(session.opening(), 1)
    dialect.send(ev.Proposed(1, Resume()))
    hear(session, dialect)
    assert lines(session, 1) == ["The game is adjourned. It goes on when the other side is ready, too."]
    assert (session.client_state.adjourned, session.client_state.offers.theirs) == (True, "")
    dialect.send(ev.TurnStarted(1))
    hear(session, dialect)
    assert agrees(session, two.table)


def test_exchanged_seats_change_the_side_we_play_and_nobody_seems_to_have_moved() -> None:
    two = Two()
    two.listen()
    two.white.client_state.news.clear()
    two.tell(ev.SeatsTurned(1))
    assert [session.client_state.seat for session in (two.white, two.black)] == [1, 0]
    assert lines(two.white, 9) == ["Seats are exchanged: you play black."]
    assert [two.white.client_state.who(seat) for seat in (0, 1)] == ["bob", "alice"]
    two.begin()
    assert two.black.client_state.my_turn
    assert not two.white.client_state.my_turn


def test_the_next_game_at_the_same_table_begins_from_the_start_position() -> None:
    two = Two().begin("e4", "e5")
    two.tell(ev.GameEnded(Outcome(0, Reason.RESIGNATION)))
    two.tell(ev.SeatsTurned(1))
    two.table.position = CHESS.start(two.table.settings)
    two.begin()
    assert len(two.white.client_state.board) == 32
    assert len(two.black.client_state.legal_moves()) == 20
