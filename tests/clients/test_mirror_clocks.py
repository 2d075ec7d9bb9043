"""Clocks of a table's kernel reach the client's state through the real dialect."""

from __future__ import annotations

from dataclasses import replace

from clients.client_state import ClientState
from clients.countdown import ToldClock
from clients.joining import Wish
from clients.session import Session
from gateway import registry
from protocols.bogaprot.dialect import Bogaprot
from protocols.core.model import Clock, Move, Reading
from protocols.core.time_text import read as read_time
from tests.protocols.duel import Duel

RULES = registry.game("tic_tac_toe")
TIMED = replace(RULES.settings(), time=read_time("300+5"))


class Client:
    """A session and the server's end of its connection, at a table whose time is ``duel.now``."""

    def __init__(self, duel: Duel, name: str, client_state: ClientState | None = None, ticket: str = "") -> None:
        self.duel, self.ear = duel, Bogaprot()
        self.session = Session(
            Wish("tic_tac_toe", name, ticket=ticket, clocks=True), client_state or ClientState(RULES)
        )
        self.send(self.session.opening())

    @property
    def client_state(self) -> ClientState:
        return self.session.client_state

    def send(self, data: bytes) -> None:
        self.duel.do(self.ear, self.ear.receive_data(data))

    def play(self, square: int) -> None:
        self.hear()
        self.send(self.session.play(Move(None, square)))

    def hear(self) -> ToldClock | None:
        """The clocks it knows, once everything is heard."""
        while data := self.ear.data_to_send():
            self.session.receive_data(data)
        return self.client_state.clock


def begun() -> tuple[Duel, Client, Client]:
    duel = Duel(TIMED, game="tic_tac_toe")
    return duel, Client(duel, "alice"), Client(duel, "bob")


def clock(running: int | None, *seconds: float) -> Clock:
    return Clock(tuple(map(Reading, seconds)), running, 0.0)


def test_both_know_the_clocks_after_every_move() -> None:
    duel, alice, bob = begun()
    assert alice.hear() == ToldClock(clock(0, 300.0, 300.0))
    duel.now = 10.0
    alice.play(0)
    assert alice.hear() == bob.hear() == ToldClock(clock(1, 295.0, 300.0))


def test_clocks_are_no_news_and_answer_no_offer() -> None:
    _, alice, bob = begun()
    alice.hear()
    assert not any("clock" in line.text for line in alice.client_state.news)
    alice.send(alice.session.propose("draw"))
    bob.play(0)  # refused: it is not bob's turn
    alice.play(0)
    bob.hear()
    assert bob.client_state.my_turn


def test_clocks_stand_when_the_game_is_over() -> None:
    duel, alice, bob = begun()
    duel.now = 20.0
    alice.hear()
    alice.send(alice.session.resign())
    told = bob.hear()
    assert told is not None
    assert told.clock == clock(None, 280.0, 300.0)


def test_who_comes_back_with_an_empty_memory_knows_at_most_what_is_left() -> None:
    duel, alice, bob = begun()
    alice.play(0)
    duel.drop(bob.ear)
    duel.now = 40.0
    back = Client(duel, "bob", ticket="1")
    assert back.hear() == ToldClock(clock(1, 305.0, 300.0), late=True)


def test_who_has_counted_all_the_time_goes_on_counting() -> None:
    duel, alice, bob = begun()
    alice.play(0)
    known = bob.hear()
    duel.drop(bob.ear)
    duel.now = 40.0
    assert Client(duel, "bob", bob.client_state, ticket="1").hear() is known


def test_a_game_without_a_clock_shows_none() -> None:
    duel = Duel(game="tic_tac_toe")
    alice, _ = Client(duel, "alice"), Client(duel, "bob")
    alice.play(0)
    assert alice.hear() is None
