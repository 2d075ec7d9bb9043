"""Every installed game, told by the real dialect: the mirror shows what the rules say, also after a reconnection."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import registry
from gateway.clients.joining import Wish
from gateway.clients.mirror import Mirror, Phase
from gateway.clients.session import Session
from gateway.games.base import Game
from protocols.bogaprot import Bogaprot
from tests.clients.tables import ToldGame

RULE_SETS = [
    pytest.param(game, variant.name, seats, id=f"{game.name}-{variant.name}-{seats}")
    for game in registry.games().values()
    for variant in game.variants
    for seats in variant.seats
]

MOVES = 60


def hear(session: Session, dialect: Bogaprot) -> None:
    while chunk := dialect.data_to_send():
        session.receive_data(chunk)


def sit_down(table: ToldGame, game: Game[Any], variant: str, seat: int) -> tuple[Session, Bogaprot]:
    session = Session(Wish(game.name, variant=variant), Mirror(game, variant))
    return session, table.listen(session.opening(), seat)


def agrees(session: Session, table: ToldGame) -> bool:
    """Board and turn always; our legal moves when it is our turn."""
    mirror, game, position = session.mirror, table.game, table.position
    turn = game.to_move(position)
    assert mirror.board == game.board(position)
    assert mirror.turn == turn
    if turn == mirror.seat:
        assert mirror.legal_moves() == game.legal_moves(position)
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
            session.mirror.lost()
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
        assert session.mirror.board == game.board(table.position)
        assert session.mirror.turn == game.to_move(table.position)
        assert session.mirror.turn is None or session.mirror.position is not None
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
    assert (session.mirror.phase is Phase.OVER) == (over is not None)
    if over is not None:
        assert session.mirror.winner == over.winner
