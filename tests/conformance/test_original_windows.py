"""Ludo and Arimaa in GGZBoard's own windows, which can do less than their protocol."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from tests.conformance.brains import settings
from tests.conformance.ggzboard_emulator import PATIENCE_S, ArimaaWindow, BogaprotClient, LudoWindow
from tests.conformance.players import OldBoardPlayer, SpecPlayer
from tests.conformance.servers import fast
from tests.running import RunningServer

READY = "emhhddcc/rrrrrrrr/......../......../......../......../EMHHDDCC/RRRRRRRR 0 steps 0"

LISTENERS = (
    "bogaprot",
    "bogaprot,game=ludo,variant=ggzboard,width=10",
    "bogaprot,game=arimaa",
    f"bogaprot,game=arimaa,start={READY}",
    "ggzboard,game=checkers",
)
HANDSHAKE, LUDO, ARIMAA, ARIMAA_SET_UP, CHECKERS = range(len(LISTENERS))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("windows"), *LISTENERS) as found:
        yield found


def begun(port: int, host: str) -> tuple[BogaprotClient, BogaprotClient]:
    """Two clients at one table whose game has begun. Nobody has lost a seat at the address ``host``."""
    first = BogaprotClient(port, host=host)
    while first.read()[0] != "MSG_PLAYERS":
        pass
    second = BogaprotClient(port, host=host)
    for client in (first, second):
        while not client.started:
            client.read()
    return first, second


class Person:
    """Somebody before the original Ludo window, who clicks pieces at random until one moves."""

    def __init__(self, port: int, host: str, seed: int) -> None:
        self.client, self.window = BogaprotClient(port, host=host), LudoWindow()
        self.refused: list[str] = []
        self._random = Random(seed)
        self._left: list[tuple[int, int]] = []
        """The pieces that were not clicked yet in this turn."""

    def listen(self) -> bool:
        """One message; a click if it asks for a move. False when the game is over."""
        match self.client.read():
            case ("MSG_MOVE", int(source), int(destination)):
                self.window.heard(source, destination)
            case ("RSP_MOVE", 0, _):
                self._left = []
            case ("RSP_MOVE", _, text):
                self.refused.append(str(text))
            case ("REQ_MOVE", seat) if seat == self.client.seat:
                self._click()
            case ("MSG_GAMEOVER", _):
                return False
        return True

    def _click(self) -> None:
        if not self._left:
            self._left = list(self.window.clicks())
            self._random.shuffle(self._left)
        self.client.move(*self.window.click(self._left.pop()))


def test_a_person_plays_ludo_to_its_end_by_clicks_in_the_original_window(running: RunningServer) -> None:
    """Against a program of the document; the window fails where it is told of a square that it draws empty."""
    program = SpecPlayer(running.ports[HANDSHAKE], settings("ludo", "ggzboard"), "ludo?variant=ggzboard")
    person = Person(running.ports[LUDO], "127.0.0.2", seed=7)
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(played, program)
        while person.listen():
            pass
        playing.result(timeout=PATIENCE_S)
    assert program.brain.outcome is not None
    assert person.client.winner == program.brain.outcome.winner
    assert {text.rstrip("\0").rstrip("123456") for text in person.refused} <= REFUSED_CLICKS
    person.client.close()
    program.close()


REFUSED_CLICKS = {
    "the roll is a ",
    "cannot move to field which is occupied by another piece of yours",
}


def played(program: SpecPlayer) -> None:
    """The program's side of a game to its end."""
    while (seat := program.turn()) is not None:
        if seat == program.seat:
            program.move()


def test_two_ludo_windows_at_one_table_play_to_the_end(running: RunningServer) -> None:
    """The mouse of each is led to its own colour."""
    persons = [Person(running.ports[LUDO], "127.0.0.7", seed) for seed in (8, 9)]
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(lambda: all(iter(persons[1].listen, False)))
        while persons[0].listen():
            pass
        assert other.result(timeout=PATIENCE_S)
    assert persons[0].client.winner == persons[1].client.winner in (0, 1)
    for person in persons:
        person.client.close()


def test_the_original_arimaa_window_waits_for_ever_unless_the_port_has_a_set_up(running: RunningServer) -> None:
    gold, silver = begun(running.ports[ARIMAA], "127.0.0.3")
    assert gold.read() == ("REQ_MOVE", 0)
    window = ArimaaWindow(gold)
    window.put(48, "elephant")
    window.step(48, 40)
    refused = gold.read()
    assert refused[:2] == ("RSP_MOVE", 1)
    assert "placements" in str(refused[2])
    gold.close()
    silver.close()


def test_arimaa_with_a_set_up_is_played_by_the_mouse_at_once(running: RunningServer) -> None:
    gold, silver = begun(running.ports[ARIMAA_SET_UP], "127.0.0.4")
    assert gold.read() == ("REQ_MOVE", 0)
    ArimaaWindow(gold).step(48, 40)
    assert [gold.read() for _ in range(3)] == [("RSP_MOVE", 0, ""), ("MSG_MOVE", 48, 40), ("REQ_MOVE", 0)]
    gold.close()
    silver.close()


def test_an_original_client_that_comes_second_gets_seat_0_from_one_who_does_not_mind(running: RunningServer) -> None:
    """Their mouse moves the pieces of seat 0 only."""
    other = SpecPlayer(running.ports[HANDSHAKE], settings("checkers"), "checkers")
    assert other.seat == 0
    original = OldBoardPlayer(running.ports[CHECKERS], settings("checkers"), host="127.0.0.5")
    while not original.client.started:
        original.client.read()
    other.client.until("MSG_START")
    assert (original.seat, other.seat) == (0, 1)
    original.close()
    other.close()


def test_of_two_original_clients_the_first_keeps_seat_0(running: RunningServer) -> None:
    first, second = (OldBoardPlayer(running.ports[CHECKERS], settings("checkers"), host="127.0.0.6") for _ in range(2))
    for player in (first, second):
        while not player.client.started:
            player.client.read()
    assert (first.seat, second.seat) == (0, 1)
    first.close()
    second.close()
