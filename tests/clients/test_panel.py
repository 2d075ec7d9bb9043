"""What the side panel says of the turn, as it stands on the screen."""

from __future__ import annotations

import pytest

from gateway import registry
from gateway.clients import panel
from gateway.clients.joining import Wish
from gateway.clients.mirror import Mirror
from gateway.clients.player_app import PANEL, PANEL_EDGE
from gateway.clients.session import Session
from protocols.core import events as ev
from protocols.core.model import Move, SeatKind
from tests.clients.tables import ToldGame

REVERSI = registry.game("reversi")

ONE_SIDED = "......wb/" + "......../" * 6 + "bw...... 0"
"""White has no move, and still has none when Black has made one of its two, on c8 or f1."""
C8, F1 = Move(None, 58, "black"), Move(None, 5, "black")


CHESS = registry.game("chess")


def seated(*news: ev.Event) -> Mirror:
    """What White knows who comes to a game of chess in which this has happened since it began."""
    table = ToldGame(CHESS, "normal", 2, 1)
    table.start()
    for event in news:
        table.tell(event)
    session = Session(Wish("chess"), Mirror(CHESS))
    session.receive_data(table.listen(session.opening(), 0).data_to_send())
    return session.mirror


def told(seat: int, *moves: Move) -> tuple[Mirror, list[str]]:
    """What this seat knows after these moves, and the news it has been told since the first of them."""
    table = ToldGame(REVERSI, "standard", 2, 1, ONE_SIDED)
    session = Session(Wish("reversi"), Mirror(REVERSI, options={"start": ONE_SIDED}))
    ear = table.listen(session.opening(), seat)
    table.start()

    def hear() -> list[str]:
        while data := ear.data_to_send():
            session.receive_data(data)
        news = [line.text for line in session.mirror.news]
        session.mirror.news.clear()
        return news

    hear()
    for move in moves:
        table.play(move)
    return session.mirror, hear()


def state(mirror: Mirror) -> str:
    return panel.state(mirror, connected=True).plain


def test_who_comes_back_first_to_an_adjourned_game_is_told_who_is_missing() -> None:
    gone = [ev.SeatLeft(seat, SeatKind.RESERVED) for seat in (0, 1)]
    mirror = seated(*gone, ev.GameAdjourned(), ev.SeatTaken(0, SeatKind.PLAYER, "alice"))
    assert state(mirror) == "Waiting for bob…"


@pytest.mark.parametrize("name", ["guest-1000", "stockfish:3"])
def test_a_name_that_the_server_gives_fits_into_the_narrow_panel(name: str) -> None:
    mirror = seated(ev.SeatTaken(1, SeatKind.BOT, name))
    white, black = panel.players(mirror, PANEL - PANEL_EDGE).plain.splitlines()
    assert f" {name} (bot)" in black
    assert len(white) == len(black) == PANEL - PANEL_EDGE


def test_an_ordinary_turn_is_not_again() -> None:
    mirror, _ = told(0)
    assert state(mirror) == " Your move "


@pytest.mark.parametrize("move", [C8, F1], ids=["left", "right"])
def test_who_moves_twice_is_told_why(move: Move) -> None:
    mirror, news = told(0, move)
    assert state(mirror) == " Your move again \nbob cannot move"
    assert news[-1] == "bob has no move and is passed over: you move again."


def test_who_is_passed_over_is_told_so() -> None:
    mirror, news = told(1, C8)
    assert state(mirror) == "alice is to move again\nyou cannot move"
    assert news[-1] == "You have no move and are passed over: alice moves again."


def test_when_nobody_can_move_the_game_is_over_and_nobody_is_passed_over() -> None:
    mirror, news = told(0, C8, F1)
    assert state(mirror).startswith(" You win! ")
    assert sum("passed over" in line for line in news) == 1
