"""Matchmaking: two waiting clients whose wishes fit are given a game, in any order of arrival."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from tests import peers
from tests.conformance.gtp.ends import PATIENCE_S, OnPort
from tests.conformance.gtp.engines import LISTED, Engine
from tests.conformance.gtp.gnugos import dialled_in
from tests.conformance.gtp.matching_room import NINE, THIRTEEN, TIMED, Room, begins, room, serving, waits
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with serving(tmp_path_factory.mktemp("matching")) as running:
        yield running


@pytest.fixture
def here(server: RunningServer) -> Iterator[Room]:
    with room(server) as found:
        yield found


_SITTING: Final = (((1,), (2,), (2, 1)), ((1,), (2,), (2, 1)), ((1,), (1, 1), (2, 1)))
"""How many sit at each table after each arrival, by the engine's place in the order: it goes to who waits longest."""


@pytest.mark.parametrize("order", list(itertools.permutations(("engine", "gui", "client"))))
def test_an_engine_plays_all_who_want_what_it_can_play_in_whatever_order_they_come(
    here: Room, order: tuple[str, ...]
) -> None:
    """ "it plays whoever comes, engine or human, with any supported size, komi, handicap and time" """
    guis: list[OnPort] = []
    clients: list[SpecClient] = []
    all_here = threading.Event()
    come: dict[str, Callable[[], object]] = {
        "engine": lambda: here.engine(genmove=lambda words: "resign" if all_here.wait(PATIENCE_S) else "pass"),
        "gui": lambda: guis.append(here.gui("boardsize 7", "komi 3.5", "time_settings 60 10 5")),
        "client": lambda: clients.append(here.client("go?size=13&komi=0.5")),
    }
    for count, who in enumerate(order):
        come[who]()
        if who == "gui":
            guis[0].sends("play b C3")
        if order[: count + 1] == ("client", "gui"):
            assert guis[0].answer().endswith("waits for area 13x13, komi 0.5; set that up, or ask again to wait")
            guis[0].sends("play b C3")
        here.sit(*_SITTING[order.index("engine")][count])
    all_here.set()
    for who in order:
        if who == "gui":
            assert guis[0].answer() == "="
            assert guis[0].asks("genmove w") == "= resign"
        elif who == "client":
            begins(clients[0])


@pytest.mark.parametrize("first", ["engine", "client"])
def test_who_leaves_the_settings_open_plays_what_the_engine_plays(here: Room, first: str) -> None:
    if first == "engine":
        here.engine()
        here.sit(1)
        client = here.client("go")
    else:
        client = here.client("go")
        here.engine()
    begins(client)


@pytest.mark.parametrize(
    ("listeners", "size"),
    [((NINE, THIRTEEN), 9), ((THIRTEEN, NINE), 13), ((TIMED, THIRTEEN), 9), ((THIRTEEN, TIMED), 9)],
)
def test_engines_of_different_listeners_play_what_the_first_one_s_says(
    here: Room, listeners: tuple[int, int], size: int
) -> None:
    """Or the second one's, where that listener lets nobody play the first one's: the last one wants a clock."""
    one = here.engine(listeners[0], genmove="pass")
    here.sit(1)
    other = here.engine(listeners[1], genmove="pass")
    for engine in (one, other):
        assert _first_board(engine) == f"boardsize {size}"


@pytest.mark.parametrize("limited_first", [True, False])
def test_engines_of_which_one_is_limited_play_what_both_can(here: Room, limited_first: bool) -> None:
    """ "by the listener's and the engine's limits" """
    engines = []
    for limited in (limited_first, not limited_first):
        engines.append(
            here.engine(NINE if limited else THIRTEEN, "9" if limited else "", genmove=["pass", "pass", "resign"])
        )
        if len(engines) == 1:
            here.sit(1)
    for engine in engines:
        assert _first_board(engine) == "boardsize 9"


def _first_board(engine: Engine) -> str:
    """What the engine was told of the board before its first move; its next game may be another."""
    engine.wait_until_asked("genmove")
    before = list(itertools.takewhile(lambda words: not words.startswith("genmove"), engine.asked))
    return next(words for words in reversed(before) if words.startswith("boardsize"))


def test_engines_that_cannot_play_each_other_are_free_for_who_comes(here: Room) -> None:
    nine, _ = here.engine(NINE, "9"), here.engine(THIRTEEN, "13")
    here.sit(1, 1)
    clients = [here.client("go?size=13"), here.client("go?size=9")]
    for client in clients:
        begins(client)
    assert nine.asked.count("boardsize 13") == 1, "it is not asked again what it has declined"


def test_a_client_that_one_engine_declines_is_played_by_the_next(here: Room) -> None:
    """A Bogaprot client has no word to propose its game once more."""
    client = here.client("go?size=13")
    here.engine(NINE, "9")
    here.sit(1, 1)
    here.engine(NINE, "9 13")
    begins(client)


@pytest.mark.parametrize("bob_first", [True, False])
def test_an_engine_with_particulars_waits_for_its_opponent_and_plays_nobody_else(here: Room, bob_first: bool) -> None:
    """ "if it intends to play a particular game vs. a particular opponent" """
    mode = "white Bob_B 2 fixed positional forbidden area absolute,60"
    gui = here.gui("boardsize 9", "time_settings 60 0 0")
    if bob_first:
        client = here.client("go?size=9&handicap=2&time=60&name=bob%20b")
    engine = here.engine(NINE, listed=f"{LISTED} play_mode", play_mode=[mode, "any"])
    if not bob_first:
        engine.wait_until_asked("play_mode")
        gui.sends("play b D5")
        here.sit(1)
        client = here.client("go?size=9&handicap=2&time=60&name=bob%20b")
    begins(client)
    assert "play black D5" not in engine.asked
    assert waits(gui, "play b D5") == "=" if bob_first else gui.answer() == "="
    assert gui.asks("genmove w") == "= resign"


def test_particulars_are_kept_to_and_the_opponent_is_told_what_they_are(here: Room) -> None:
    mode = "white alice_c 0 fixed simple forbidden territory none"
    here.engine(NINE, listed=f"{LISTED} play_mode", play_mode=[mode, "any"]).wait_until_asked("play_mode")
    gui = here.gui("boardsize 9", name="alice c")
    told = gui.asks("play b C3")
    assert "plays with scoring territory, not area" in told or "proposes another game: 9x9, territory" in told
    gui.sets("kgs-rules japanese", "play b C3")
    assert gui.asks("genmove w") == "= resign"


def test_an_engine_with_a_ticket_is_free_once_its_game_is_over(here: Room) -> None:
    """Its ticket is for the seat it takes next, not for the table where its opponent still looks at the board."""
    with Engine(here.ports[NINE], {"genmove": "resign"}, first="gnubot\nan-engine-has-brought-this-one\n"):
        for _ in range(2):
            gui = here.gui("boardsize 9")
            assert waits(gui, "play b C3") == "="
            assert gui.asks("genmove w") == "= resign"


@peers.needed
def test_real_engines_and_a_gui_that_waited_before_them(here: Room) -> None:
    """ "`gnugo --mode gtp --gtp-connect HOST:5020` is enough to put an engine on the server" """
    gui, client = here.gui("boardsize 5", "komi 2.5"), here.client("go?size=7&variant=territory&handicap=2")
    assert "waits for territory 7x7, handicap 2" in gui.asks("play b C3")
    gui.sends("play b C3")
    with dialled_in(here.ports[THIRTEEN], 1, 2):
        assert gui.answer() == "="
        assert gui.asks("genmove w").startswith("= ")
        client.until("REQ_MOVE")
