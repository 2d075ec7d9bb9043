"""A game that came of an offer is aborted alone by who has not moved; each dialect says so in its own words."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from gateway.store.accounts import SqlAccounts
from tests.conformance.chess_guests import MiniatureGuest, PeerToPeerGuest, Room, room
from tests.conformance.gtp.ends import OnPort
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.passwords import hashed
from tests.running import RECORD, RunningServer, made_record

LISTENERS: Final = ("chess-p2p,bot_after=never", "miniature,bot_after=never", "gtp-gui,bot_after=never", "http")
GUI, HTTP = 2, 3
PASSWORD: Final = "correct horse"
ABORTED: Final = {"winner": None, "reason": "void", "detail": "aborted"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = Path(tmp_path_factory.mktemp("aborts"))
    with closing(SqlAccounts(made_record(data / RECORD))) as accounts:
        for name in ("Anna", "Bert"):
            accounts.add(name, hashed(PASSWORD), "test")
    with fast(data, *LISTENERS) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def host(running: RunningServer, name: str) -> Host:
    """Requests of this account."""
    given = base64.b64encode(f"{name}:{PASSWORD}".encode()).decode()
    return Host(running.ports[HTTP], {"Authorization": f"Basic {given}"})


def offered(running: RunningServer, **wanted: object) -> tuple[int, str, str]:
    """A game that Anna has offered to Bert, and he has taken: its table, and both tickets. Anna has the first move."""
    status, offer = host(running, "Anna").ask("/api/offers", {"to": "Bert", "side": 0, **wanted})
    assert status in (200, 201), offer
    status, taken = host(running, "Bert").ask(f"/api/offers/{offer['id']}/take", {})
    assert status in (200, 201), taken
    return taken["table"], offer["ticket"], taken["ticket"]


def outcome(running: RunningServer, table: int) -> Any:
    return Host(running.ports[HTTP]).table(table)["outcome"]


def chess(running: RunningServer, here: Room, *, adapter_is_white: bool) -> tuple[int, PeerToPeerGuest, MiniatureGuest]:
    """A game in which White has moved: its table, an adapter, and a person at telnet."""
    table, white, black = offered(running, game="chess", time="300")
    adapters, persons = (white, black) if adapter_is_white else (black, white)
    pia, mia = here.p2p("Pia", adapters), here.miniature("Mia")
    mia.say(f"tell gateway seat {persons}", "play")
    pia.go("level 0 300 0", *(["move e2e4"] if adapter_is_white else []))
    if adapter_is_white:
        pia.enter()
        mia.hears("tell gateway game 1:", "move e2-e4")
    else:
        mia.until("tell gateway game 1:")
        mia.say("e4")
    pia.until("move e2e4")
    return table, pia, mia


def test_who_has_not_moved_at_chess_p2p_aborts_alone(running: RunningServer, here: Room) -> None:
    table, pia, mia = chess(running, here, adapter_is_white=False)
    mia.say("tell gateway abort")
    pia.until("abort")  # White has moved and asks
    pia.say("decline")
    mia.until("tell gateway Bert declines")
    pia.say("abort")
    pia.until("result * {aborted}")
    mia.until("result * {aborted}")
    assert outcome(running, table) == ABORTED


def test_who_has_not_moved_at_miniature_aborts_alone(running: RunningServer, here: Room) -> None:
    table, pia, mia = chess(running, here, adapter_is_white=True)
    mia.say("tell gateway abort")
    mia.until("result * {aborted}")
    pia.until("result * {aborted}")
    assert outcome(running, table) == ABORTED


def test_who_has_not_moved_at_a_go_gui_aborts_alone(running: RunningServer) -> None:
    """The other GUI is told at its next command."""
    table, black, white = offered(running, game="go", time="300", options={"size": "5"})
    gui = running.ports[GUI]
    with closing(OnPort(gui, "Anna", black)) as anna, closing(OnPort(gui, "Bert", white)) as bert:
        for each in (anna, bert):
            each.sets("boardsize 5", "clear_board", "komi 7.5")
        anna.sends("play b C3")
        assert bert.asks("genmove b") == "= C3"
        assert anna.answer() == "="
        anna.sends("boardgate-abort")  # Black has moved and asks
        while "asks to abort the game" not in bert.asks("boardgate-decline"):
            pass
        assert anna.answer().startswith("? ")
        assert bert.asks("boardgate-abort") == "="
        assert anna.asks("genmove w") == "? game over: Void (aborted)"
        assert outcome(running, table) == ABORTED
