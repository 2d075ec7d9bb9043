"""Every installed game, told by the real dialect: the mirror shows what the rules say, also after a reconnection."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from clients.client_state import ClientState, Phase
from clients.joining import Wish
from clients.session import Session
from gateway import registry
from gateway.games.base import Game
from gateway.games.parts import Chance
from protocols.bogaprot.dialect import Bogaprot
from protocols.core.commands import Propose
from protocols.core.proposals import Takeback
from tests.clients.tables import ToldGame
from tests.laws.playouts import TABLES

RULE_SETS = [pytest.param(table.rules(), table.variant, table.seats, id=str(table)) for table in TABLES]

MOVES = 40

TAKEN_BACK = [
    pytest.param(game, variant.name, id=f"{game.name}-{variant.name}")
    for game in registry.games().values()
    for variant in game.variants
    if not isinstance(game, Chance) and game.judged
]
"""Games with takebacks: no dice, and rules that know the position before."""


def hear(session: Session, dialect: Bogaprot) -> None:
    while chunk := dialect.data_to_send():
        session.receive_data(chunk)


def sit_down(table: ToldGame, game: Game[Any], variant: str, seat: int) -> tuple[Session, Bogaprot]:
    session = Session(Wish(game.name, variant=variant), ClientState(game, variant))
    return session, table.listen(session.opening(), seat)


def agrees(session: Session, table: ToldGame) -> bool:
    """Board and turn always; our legal moves when it is our turn."""
    client_state, game, position = session.client_state, table.game, table.position
    turn = game.to_move(position)
    assert client_state.board == game.board(position)
    assert client_state.turn == turn
    if turn == client_state.seat:
        assert client_state.legal_moves() == game.legal_moves(position)
    return True


@pytest.mark.parametrize(("game", "variant", "seats"), RULE_SETS)
def test_a_game_heard_from_the_start_is_followed_move_by_move(game: Game[Any], variant: str, seats: int) -> None:
    table = ToldGame(game, variant, seats, seed=7)
    heard = [sit_down(table, game, variant, seat) for seat in range(seats)]
    table.start()
    for _ in range(MOVES):
        for session, dialect in heard:
            hear(session, dialect)
            assert agrees(session, table)
        if not table.step():
            break


@pytest.mark.parametrize(("game", "variant", "seats"), RULE_SETS)
def test_a_short_break_loses_nothing_not_even_the_legal_moves(game: Game[Any], variant: str, seats: int) -> None:
    table = ToldGame(game, variant, seats, seed=3)
    session, dialect = sit_down(table, game, variant, seats - 1)
    table.start()
    for step in range(MOVES):
        hear(session, dialect)
        if step % 5 == 4:
            session.client_state.lost()
            dialect = table.listen(session.opening(), seats - 1)
            hear(session, dialect)
        assert agrees(session, table)
        if not table.step():
            break


@pytest.mark.parametrize(("game", "variant", "seats"), RULE_SETS)
def test_a_new_client_that_takes_up_a_seat_in_mid_game_finds_board_and_position(
    game: Game[Any], variant: str, seats: int
) -> None:
    table = ToldGame(game, variant, seats, seed=11)
    table.start()
    for _ in range(MOVES):
        session, dialect = sit_down(table, game, variant, 0)
        hear(session, dialect)
        assert session.client_state.board == game.board(table.position)
        assert session.client_state.turn == game.to_move(table.position)
        assert session.client_state.turn is None or session.client_state.position is not None
        if not table.step():
            break
        table.ears.clear()


@pytest.mark.parametrize(("game", "variant", "seats"), RULE_SETS)
def test_a_finished_game_is_seen_as_finished(game: Game[Any], variant: str, seats: int) -> None:
    table = ToldGame(game, variant, seats, seed=5)
    session, dialect = sit_down(table, game, variant, 0)
    table.start()
    steps = 0
    while table.step() and steps < 400:
        steps += 1
    hear(session, dialect)
    over = table.game.outcome(table.position)
    assert (session.client_state.phase is Phase.OVER) == (over is not None)
    if over is not None:
        assert session.client_state.winner == over.winner


@pytest.mark.parametrize(("game", "variant"), TAKEN_BACK)
def test_moves_taken_back_leave_board_turn_and_legal_moves_as_they_were(game: Game[Any], variant: str) -> None:
    table = ToldGame(game, variant, 2, seed=1)
    heard = [sit_down(table, game, variant, seat) for seat in (0, 1)]
    table.start()
    lots = Random(1)
    for step in range(2 * MOVES):
        for session, dialect in heard:
            hear(session, dialect)
            assert agrees(session, table)
        if game.outcome(table.position) is not None:
            break
        if step % 4 == 3:
            agree_to_take_back(table, heard, by=lots.randint(0, 1), plies=lots.randint(1, min(3, table.ply)))
        elif not table.step():
            break


def agree_to_take_back(table: ToldGame, heard: list[tuple[Session, Bogaprot]], by: int, plies: int) -> None:
    """One asks, the other presses y; the mirrors have heard of each word before the next is said."""
    for seat, word in ((by, f"takeback {plies}"), (1 - by, f"takeback {plies}")):
        session, dialect = heard[seat]
        assert session.client_state.offers.theirs == ("" if seat == by else word)
        assert dialect.receive_data(session.propose(word)) == [Propose(Takeback(plies))]
        table.propose(seat, Takeback(plies))
        for other, its_dialect in heard:
            hear(other, its_dialect)
    table.take_back(plies)


def test_a_takeback_while_we_were_away_finds_an_earlier_position_and_its_castling_rights() -> None:
    game = registry.game("chess")
    table = ToldGame(game, "normal", 2, seed=0)
    session, dialect = sit_down(table, game, "normal", 0)
    table.start()
    for text in ("e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "Ke2", "Ke7"):
        table.play(game.parse(table.position, text))
        hear(session, dialect)
    session.client_state.lost()
    table.take_back(2)
    hear(session, table.listen(session.opening(), 0))
    assert "O-O" in [game.notation(session.client_state.position, move) for move in session.client_state.legal_moves()]
    assert agrees(session, table)


def test_a_new_client_takes_it_that_kings_and_rooks_at_home_may_castle() -> None:
    game = registry.game("chess")
    table = ToldGame(game, "normal", 2, seed=0)
    table.start()
    for text in ("e4", "e5", "Nf3", "Ke7", "Bc4", "Nf6"):
        table.play(game.parse(table.position, text))
    session, dialect = sit_down(table, game, "normal", 0)
    hear(session, dialect)
    assert game.brief(session.client_state.position).split(" ")[1:3] == ["w", "KQ"]
    assert {move.target for move in session.client_state.legal_moves() if move.source == 60} == {52, 61, 62}
