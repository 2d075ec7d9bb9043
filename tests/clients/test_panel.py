"""The side panel shows the turn on the screen."""

from __future__ import annotations

import pytest

from clients import panel
from clients.client_state import ClientState
from clients.joining import Wish
from clients.player_app import PANEL, PANEL_EDGE
from clients.session import Session
from gateway import registry
from protocols.core import events as ev
from protocols.core.model import Move, SeatKind
from tests.clients.tables import ToldGame

REVERSI = registry.game("reversi")

ONE_SIDED = "......wb/" + "......../" * 6 + "bw...... 0"
"""White has no move, and still has none when Black has made one of its two, on c8 or f1."""
C8, F1 = Move(None, 58, "black"), Move(None, 5, "black")


CHESS = registry.game("chess")


def seated(*news: ev.Event) -> ClientState:
    """Return White's state after it joins a game of chess with these events."""
    table = ToldGame(CHESS, "normal", 2, 1)
    table.start()
    for event in news:
        table.tell(event)
    session = Session(Wish("chess"), ClientState(CHESS))
    session.receive_data(table.listen(session.opening(), 0).data_to_send())
    return session.client_state


def told(seat: int, *moves: Move) -> tuple[ClientState, list[str]]:
    """Return this seat's state after these moves, and its news since the first of them."""
    table = ToldGame(REVERSI, "standard", 2, 1, ONE_SIDED)
    session = Session(Wish("reversi"), ClientState(REVERSI, options={"start": ONE_SIDED}))
    ear = table.listen(session.opening(), seat)
    table.start()

    def hear() -> list[str]:
        while data := ear.data_to_send():
            session.receive_data(data)
        news = [line.text for line in session.client_state.news]
        session.client_state.news.clear()
        return news

    hear()
    for move in moves:
        table.play(move)
    return session.client_state, hear()


def state(client_state: ClientState) -> str:
    return panel.state(client_state, connected=True).plain


def test_who_comes_back_first_to_an_adjourned_game_is_told_who_is_missing() -> None:
    gone = [ev.SeatLeft(seat, SeatKind.RESERVED) for seat in (0, 1)]
    client_state = seated(*gone, ev.GameAdjourned(), ev.SeatTaken(0, SeatKind.PLAYER, "alice"))
    assert state(client_state) == "Waiting for bob…"


@pytest.mark.parametrize("name", ["guest-1000", "stockfish:3"])
def test_a_name_that_the_server_gives_fits_into_the_narrow_panel(name: str) -> None:
    client_state = seated(ev.SeatTaken(1, SeatKind.BOT, name))
    white, black = panel.players(client_state, PANEL - PANEL_EDGE).plain.splitlines()
    assert f" {name} (bot)" in black
    assert len(white) == len(black) == PANEL - PANEL_EDGE


def lines(client_state: ClientState) -> list[str]:
    return panel.players(client_state, PANEL - PANEL_EDGE).plain.splitlines()


def test_below_a_seat_stands_what_the_rules_tally_for_it() -> None:
    table = ToldGame(CHESS, "normal", 2, 1)
    session = Session(Wish("chess"), ClientState(CHESS))
    ear = table.listen(session.opening(), 0)
    table.start()
    for text in ("e4", "d5", "exd5", "Qxd5"):
        table.play(CHESS.parse(table.position, text))
    while data := ear.data_to_send():
        session.receive_data(data)
    white, took, black, lost = lines(session.client_state)
    assert (took, lost) == ("     ♟ ", "     ♙ ")
    assert white.endswith("white 15")
    assert black.endswith("black 15")


def test_a_count_that_the_tally_says_is_not_said_twice() -> None:
    client_state, _ = told(0, C8)
    black, discs, white, others = lines(client_state)
    assert (discs, others) == ("     4 discs", "     1 disc")
    assert black.endswith(" black")
    assert white.endswith(" white")


def test_an_ordinary_turn_is_not_again() -> None:
    client_state, _ = told(0)
    assert state(client_state) == " Your move "


@pytest.mark.parametrize("move", [C8, F1], ids=["left", "right"])
def test_who_moves_twice_is_told_why(move: Move) -> None:
    client_state, news = told(0, move)
    assert state(client_state) == " Your move again \nbob cannot move"
    assert news[-1] == "bob has no move and is passed over: you move again."


def test_who_is_passed_over_is_told_so() -> None:
    client_state, news = told(1, C8)
    assert state(client_state) == "alice is to move again\nyou cannot move"
    assert news[-1] == "You have no move and are passed over: alice moves again."


def test_when_nobody_can_move_the_game_is_over_and_nobody_is_passed_over() -> None:
    client_state, news = told(0, C8, F1)
    assert state(client_state).startswith(" You win! ")
    assert sum("passed over" in line for line in news) == 1
