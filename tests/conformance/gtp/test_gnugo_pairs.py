"""Two real GNU Gos dial in, are matched and finish; the result is counted again from the record.

Between them the listeners have both sizes, both rules, no handicap and some, and every way to keep time. By day three
small games are played: rules, clocks and handicap are tried in shorter ways, too, by the tests of gtp-engine.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

import pytest

from tests import peers
from tests.conformance.gtp import records
from tests.conformance.gtp.counting import Game
from tests.conformance.gtp.gnugos import dialled_in
from tests.conformance.gtp.records import Record, newest, tables
from tests.conformance.servers import fast
from tests.running import RunningServer

pytestmark = peers.needed

PATIENCE_S: Final = 60.0
"""Seconds for a game on 9x9; one on 19x19 may take three times that."""

AREA, AGA, TERRITORY = "Chinese", "AGA", "Japanese"

SMALL: Final = {
    "size=9": (AREA, 7.5, ""),
    "size=9,rules=territory": (TERRITORY, 6.5, ""),
    "size=9,time=10+5/10": (AREA, 7.5, "TM[10]OT[5/10 Canadian]"),
    "size=9,rules=territory,time=5+3x5": (TERRITORY, 6.5, "TM[5]OT[3x5 byo-yomi]"),
    "size=9,time=60,komi=5.5": (AREA, 5.5, "TM[60]"),
    "size=9,handicap=3,time=5+3x5": (AREA, 0.5, "TM[5]OT[3x5 byo-yomi]"),
    "size=9,handicap=4,rules=aga": (AGA, 0.5, ""),
    "size=9,handicap=2,rules=territory,time=10+5/10": (TERRITORY, 0.5, "TM[10]OT[5/10 Canadian]"),
}
LARGE: Final = {
    "size=19,time=600": (AREA, 7.5, "TM[600]"),
    "size=19,handicap=4,time=120+10/60": (AREA, 0.5, "TM[120]OT[10/60 Canadian]"),
    "size=19,rules=territory,time=60+5x30": (TERRITORY, 6.5, "TM[60]OT[5x30 byo-yomi]"),
}
"""What engines play each other at, by listener: rules, komi and clock as SGF has them."""

GAMES: Final = SMALL | LARGE


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    ports = [f"gtp-engine,games=1,{options}" for options in GAMES]
    with fast(tmp_path_factory.mktemp("pairs"), *ports) as running:
        yield running


def port(server: RunningServer, listener: str) -> int:
    return server.ports[list(GAMES).index(listener)]


@pytest.fixture(scope="module")
def large(server: RunningServer) -> Iterator[dict[str, list[subprocess.Popen[bytes]]]]:
    """The engines of the large games, by listener; they count to the end, for only that can be counted again.

    One pair after another: an engine plays what another listener's says as well, if that one waits.
    """
    playing: dict[str, list[subprocess.Popen[bytes]]] = {}
    with ExitStack() as until_all_are_over:
        for listener in LARGE:
            pair = dialled_in(port(server, listener), 1, 2, level=0, more=("--never-resign",))
            playing[listener] = until_all_are_over.enter_context(pair)
            records.until_playing(server.data, len(playing))
        yield playing


def played(server: RunningServer, listener: str) -> Record:
    """The record of one game that two gnugos play to its end on this listener, to be let go then."""
    with dialled_in(port(server, listener), 1, 2, more=("--never-resign",)) as engines:
        assert [engine.wait(PATIENCE_S) for engine in engines] == [0, 0]
    return newest(server.data)


def proved(record: Record, listener: str) -> Game:
    """The game is what this listener says, its clocks and stones are in the record, and so is its result."""
    rules, komi, clock = GAMES[listener]
    game, sgf = record.proves_its_result(), record.sgf.replace("\n", "")
    stones = listener.partition("handicap=")[2][:1]
    assert (game.rules, game.komi) == (rules, komi)
    assert listener.startswith(f"size={game.size}")
    assert clock in sgf
    assert ("BL[" in sgf) is bool(clock)
    assert (f"HA[{stones}]" in sgf) is bool(stones)
    return game


BY_DAY: Final = ("size=9", "size=9,rules=territory,time=5+3x5", "size=9,handicap=2,rules=territory,time=10+5/10")


@pytest.mark.parametrize(
    "listener", [pytest.param(name, marks=[pytest.mark.nightly] * (name not in BY_DAY)) for name in SMALL]
)
def test_two_gnugos_dialling_in_finish_9x9(server: RunningServer, listener: str) -> None:
    """ "two gnugos dialling in finish 9x9 [...] games under area and territory rules, with handicap, in Canadian,
    byo-yomi and absolute time; [...] results equal an independent scoring of the final SGF" """
    assert proved(played(server, listener), listener).moves > 20


def test_both_lists_of_dead_stones_are_in_the_record(server: RunningServer) -> None:
    """ "SGF of every game with clocks, result, both dead lists and the settlement." """
    comment = played(server, "size=9").proves_its_result().comment
    assert "Black claims:" in comment
    assert "White claims:" in comment
    assert "Settled:" in comment


def test_handicap_compensation_is_stated(server: RunningServer) -> None:
    """ "Handicap compensation is stated in the settings." """
    for listener, given in {
        "size=9,handicap=3,time=5+3x5": "3 points for 3",
        "size=9,handicap=4,rules=aga": "3 points for 4",
    }.items():
        sgf = played(server, listener).sgf.replace("\n", "")
        assert f"{given} handicap stones placed on fixed points" in sgf


@pytest.mark.nightly  # minutes of two cores
@pytest.mark.parametrize("listener", list(LARGE))
def test_two_gnugos_dialling_in_finish_19x19(
    server: RunningServer, large: dict[str, list[subprocess.Popen[bytes]]], listener: str
) -> None:
    """The same on 19x19."""
    assert [engine.wait(3 * PATIENCE_S) for engine in large[listener]] == [0, 0]
    clock = GAMES[listener][2]
    games = (Record(server.data, number) for number in tables(server.data))
    record = next(game for game in games if clock in game.sgf.replace("\n", ""))
    assert proved(record, listener).moves > 100
