"""PostgreSQL restarts, is out of reach, loses a connection in a commit: games wait, and go on by themselves."""

from __future__ import annotations

import json
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import make_url

from gateway.ops.server import STUCK_S
from gateway.record import audit
from gateway.store.views import Views
from gateway.tables.pause import GOES_ON, WAITS
from tests import peers
from tests.conformance.chess_guests import BOGAPROT, Room, room
from tests.faults.databases import HTTP, all_told_is_stored, commit, serving, unharmed
from tests.faults.guests import GAME, PATIENCE_S, TICKET, Guest, seated
from tests.faults.pairs import Load
from tests.postgresql import Cluster, cluster
from tests.proxy import Wire, wire
from tests.running import RunningServer

pytestmark = peers.needed

AWAY_S: Final = 3.0
"""Seconds that the database is gone, where only its return matters: a minute in small."""

PAIRS: Final = 8


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@pytest.fixture
def url(postgres: Cluster, request: pytest.FixtureRequest) -> str:
    """An empty database."""
    return postgres.create(f"faults{abs(hash(request.node.name)):x}")


@pytest.fixture
def between(postgres: Cluster) -> Iterator[Wire]:
    with wire(("127.0.0.1", postgres.port)) as made:
        yield made


@pytest.fixture
def far(tmp_path: Path, url: str, between: Wire) -> Iterator[RunningServer]:
    """A server whose database is at the end of the wire ``between``."""
    through = make_url(url).set(port=between.port).render_as_string(hide_password=False)
    with serving(tmp_path, through) as running:
        yield running
        between.mend()
        assert unharmed(running)


@pytest.fixture
def here(far: RunningServer) -> Iterator[Room]:
    with room(far) as found:
        yield found


def ready(running: RunningServer) -> int:
    """The status of /readyz."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{running.ports[HTTP]}/readyz", timeout=10) as answer:
            assert json.load(answer) == {"status": "ready"}
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def ready_again(running: RunningServer) -> bool:
    """Whether /readyz says so within PATIENCE_S."""
    end = time.monotonic() + PATIENCE_S
    while ready(running) != 200 and time.monotonic() < end:
        time.sleep(0.05)
    return ready(running) == 200


def whole(url: str) -> bool:
    """Whether every record is."""
    views = Views(url)
    try:
        tables = views.tables()
        assert tables
        return all(audit.verify(view.table, views.rows(view.table)).defect is None for view in tables)
    finally:
        views.close()


def test_postgresql_restarts_under_load_and_nothing_told_is_lost(tmp_path: Path, postgres: Cluster, url: str) -> None:
    """Twice: as a host restarts it, and as if it had crashed. No client notices more than a wait."""
    with serving(tmp_path, url) as running, Load(running.ports[BOGAPROT], PAIRS, 1, random.Random(6)) as load:
        for mode in ("fast", "immediate"):
            load.play(0.5)
            restart = threading.Thread(target=restarted, args=(postgres, mode))
            restart.start()
            load.play(2.0)
            restart.join()
            load.play(0.0, least=load.told() + 10 * PAIRS)  # by itself
        running.kill()
        load.drain()
        assert all_told_is_stored(url, load.games)
        assert "the database can be written again" in running.log.read_text()


def restarted(postgres: Cluster, mode: str) -> None:
    postgres.stop(mode)
    postgres.start()


def test_players_hear_in_their_own_words_that_a_game_waits_and_when_it_goes_on(here: Room, between: Wire) -> None:
    pia, mia = here.mixed()
    between.cut()
    mia.say("move e7-e5")
    mia.until(f"tell gateway {WAITS}")
    pia.until(f"text {WAITS}")
    time.sleep(AWAY_S)
    between.mend()
    pia.until("move e7e5")
    pia.until(f"text {GOES_ON}")
    assert pia.passed == [], "it was told once that the game waits"
    mia.until(f"tell gateway {GOES_ON}")
    pia.say("move g1f3")
    mia.hears("move g1-f3")


def test_an_outage_is_no_time_of_the_player_who_is_to_move(here: Room, between: Wire) -> None:
    """Three seconds that Black's move waits for the database are on nobody's clock: White's shows the minute it had."""
    pia, mia = here.mixed(seconds=60)
    between.cut()
    begun = time.monotonic()
    mia.say("move e7-e5")
    time.sleep(AWAY_S)
    between.mend()
    pia.until("move e7e5")
    away_s = time.monotonic() - begun
    pia.say("move g1f3")
    mia.hears("move g1-f3")
    shown = mia.until("tell gateway clock ").split()
    assert away_s > AWAY_S
    assert shown[3] in ("1:00", "0:59"), shown


def test_the_server_is_not_ready_while_it_cannot_store_and_ready_again_afterwards(
    far: RunningServer, between: Wire
) -> None:
    with seated(far.ports[BOGAPROT], GAME, GAME) as (anna, bert):
        assert ready(far) == 200
        between.cut()
        anna.say("MSG_MOVE", -1, 4, "")
        time.sleep(STUCK_S + 1.0)
        assert ready(far) == 503
        between.mend()
        assert anna.hear("RSP_MOVE") == (0,)
        assert bert.hear("MSG_MOVE") == (-1, 4, "x")
        assert ready_again(far)  # when the lease is renewed


def test_a_database_that_falls_silent_and_comes_back_is_waited_for(far: RunningServer, between: Wire, url: str) -> None:
    with seated(far.ports[BOGAPROT], GAME, GAME) as (anna, bert):
        between.hold()
        anna.say("MSG_MOVE", -1, 4, "")
        time.sleep(AWAY_S)
        between.mend()
        assert anna.hear("RSP_MOVE") == (0,)
        assert bert.puts(0) == (0,)
    assert whole(url)


def test_a_connection_that_falls_silent_for_good_is_replaced(far: RunningServer, between: Wire, url: str) -> None:
    with seated(far.ports[BOGAPROT], GAME, GAME) as (anna, bert):
        between.hold()
        anna.say("MSG_MOVE", -1, 4, "")
        time.sleep(1.0)
        between.cut()
        between.mend()
        assert anna.hear("RSP_MOVE") == (0,)
        assert bert.puts(0) == (0,)
    assert whole(url)


@pytest.mark.parametrize("where", ["before", "behind"])
def test_a_connection_lost_in_a_commit_costs_nobody_anything(
    far: RunningServer, between: Wire, url: str, where: str
) -> None:
    """Whether the commit arrived (behind) or not (before): the move is stored once, and the table goes on."""
    with seated(far.ports[BOGAPROT], GAME, GAME) as (anna, bert):
        for guest, square in ((anna, 4), (bert, 0), (anna, 8)):
            setattr(between, where, commit())
            assert guest.puts(square) == (0,)
        between.before = between.behind = None
        assert bert.puts(1) == (0,)
    assert whole(url)


def test_who_comes_while_nothing_can_be_stored_is_refused_and_gets_a_seat_afterwards(
    far: RunningServer, between: Wire
) -> None:
    with seated(far.ports[BOGAPROT], GAME) as (anna,), Guest(far.ports[BOGAPROT]) as bert:
        between.cut()
        assert bert.asks(GAME) == (1, "server overload, try again later")
        between.mend()
        with Guest(far.ports[BOGAPROT]) as again:
            assert again.joins(GAME) == 1
            assert anna.puts(4) == (0,)


def test_who_comes_back_while_nothing_can_be_stored_has_the_seat_afterwards(far: RunningServer, between: Wire) -> None:
    with seated(far.ports[BOGAPROT], f"{GAME}#{TICKET}", GAME) as (anna, bert):
        anna.sock.close()
        bert.hears_lost(0)
        between.cut()
        with Guest(far.ports[BOGAPROT]) as back:
            back.say("REQ_HANDSHAKE", f"{GAME}#{TICKET}", 1)
            time.sleep(AWAY_S)
            between.mend()
            assert back.hear("RSP_HANDSHAKE") == (0,)
            assert back.seated() == 0
            assert back.puts(4) == (0,)


@pytest.mark.parametrize("fault", ["cut", "hold"])
def test_a_server_can_be_stopped_while_its_database_is_away(
    tmp_path: Path, url: str, between: Wire, fault: str
) -> None:
    through = make_url(url).set(port=between.port).render_as_string(hide_password=False)
    with serving(tmp_path, through) as running, seated(running.ports[BOGAPROT], GAME, GAME) as (anna, bert):
        assert anna.puts(4) == (0,)
        getattr(between, fault)()
        bert.say("MSG_MOVE", -1, 0, "")
        time.sleep(0.5)
        begun = time.monotonic()
        running.stop()
        assert time.monotonic() - begun < 5.0
    between.mend()
    assert whole(url)
