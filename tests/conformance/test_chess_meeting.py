"""Chess players whose wishes fit meet, in any order of arrival and at whichever tables they wait."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from itertools import permutations
from typing import Final

import pytest

from gateway.store.views import Views
from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Guest, Room, room
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer

PATIENCE_S: Final = 20.0


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("meeting"), *LISTENERS) as found:
        yield found
    assert "Traceback" not in found.log.read_text()


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def p2p(here: Room, colour: str, *state: str) -> Guest:
    """White has made the first move when it says Go: "Go" is said by who waits for the other's move."""
    guest = here.p2p(colour)
    guest.go(*state, *(("move e2e4",) if colour == "white" else ()))
    guest.until("text your game is proposed", "text the game with", "accepted")
    return guest


def miniature(here: Room, colour: str, minutes: int = 5) -> Guest:
    guest = here.miniature(colour)
    guest.seek(f"{minutes} 0 u {colour}")
    guest.told_at_the_table()
    return guest


def play(here: Room, *pairs: tuple[Guest, Guest]) -> None:
    """These sit together, and their games have begun."""
    wanted = {frozenset(guest.name for guest in pair) for pair in pairs}
    deadline = time.monotonic() + PATIENCE_S
    with closing(Views(f"sqlite:///{here.running.data / 'boardgate.db'}")) as views:
        while not wanted <= (
            found := {frozenset(seat.name for seat in table.seats) for table in views.tables(state="playing")}
        ):
            assert time.monotonic() < deadline, f"{sorted(map(sorted, found))} play, not {sorted(map(sorted, wanted))}"
            time.sleep(0.02)


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_players_of_two_variants_play_their_own_in_whatever_order_they_come(here: Room, order: tuple[int, ...]) -> None:
    """Two Whites of different variants sit together in vain, and so would their opponents."""
    wishes = [("white", "3check"), ("white", "kingofthehill"), ("black", "3check"), ("black", "kingofthehill")]
    came = {at: p2p(here, wishes[at][0], f"variant {wishes[at][1]}", "level 0 300 0") for at in order}
    play(here, (came[0], came[2]), (came[1], came[3]))


@pytest.mark.parametrize("dialects", ["pppp", "mmmm", "pmpm", "mmpp", "ppmm"])
def test_two_whites_and_then_two_blacks_play_two_games(here: Room, dialects: str) -> None:
    colours = ("white", "white", "black", "black")
    came = [
        p2p(here, colour, "level 0 300 0") if dialect == "p" else miniature(here, colour)
        for dialect, colour in zip(dialects, colours, strict=True)
    ]
    with closing(Views(f"sqlite:///{here.running.data / 'boardgate.db'}")) as views:
        deadline = time.monotonic() + PATIENCE_S
        names = {guest.name for guest in came}
        while not names <= {seat.name for table in views.tables(state="playing") for seat in table.seats}:
            assert time.monotonic() < deadline, "all four play"
            time.sleep(0.02)


def test_a_client_that_cannot_be_called_meets_its_match_behind_whoever_sits_with_it(
    running: RunningServer, here: Room
) -> None:
    """A Bogaprot client with a clock of its own; a person who wants another one has sat down with it."""
    with closing(SpecClient(running.ports[BOGAPROT])) as first, closing(SpecClient(running.ports[BOGAPROT])) as second:
        assert first.handshake("chess?time=420&name=bob") == ("RSP_HANDSHAKE", 0)
        mia = miniature(here, "white", 9)
        first.until("MSG_PLAYERS")
        assert second.handshake("chess?time=420&name=carl") == ("RSP_HANDSHAKE", 0)
        assert first.until("REQ_MOVE") == ("REQ_MOVE", 0)
        pia = p2p(here, "black", "level 0 540 0")
        play(here, (mia, pia))


def test_a_seek_that_nobody_takes_goes_along_from_table_to_table(here: Room) -> None:
    """It stands wherever its seeker sits: the last to come finds it, and the first."""
    sought = [miniature(here, "white", minutes) for minutes in (3, 4, 6, 7)]
    for white, minutes in zip(reversed(sought), (7, 6, 4, 3), strict=True):
        black = miniature(here, "black", minutes)
        play(here, (white, black))
