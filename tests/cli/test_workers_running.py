"""Two workers on PostgreSQL share their ports: players of both meet, a killed one comes back, all stop together."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, text

import migrations
from gateway.cli.service import SOCKET
from tests import peers
from tests.conformance.figures import figures, until
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.faults.guests import GAME, TICKET, Guest
from tests.postgresql import Cluster, cluster
from tests.running import Forked, RunningServer, server

pytestmark = peers.needed

LISTENERS: Final = ("bogaprot", "http", "http,each_worker=yes", "relay")
PLAYERS, SHARED, FIRST, SECOND, RELAY = range(5)
"""The ports of a server with these listeners: of players, of pages, of each worker's pages, and of the relay."""

PAIRS: Final = 30
"""Pairs of callers at most: each caller comes to either worker."""

PATIENCE_S: Final = 60.0
"""Seconds for a worker to start on a loaded machine."""

LOBBY: Final = re.compile(r'event="this node has the lobby" .*worker=club/(\d)')
STARTED: Final = re.compile(r'event="a worker was started" worker=club/(\d) process=(\d+)')


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster("max_connections = 100") as running:
        yield running


def database(postgres: Cluster) -> str:
    made = postgres.create(f"workers_{uuid4().hex}")
    migrations.upgrade(made)
    return made


def test_settings_that_cannot_be_start_no_worker(tmp_path: Path, postgres: Cluster) -> None:
    settings = {"SERVER_DATABASE": database(postgres), "SERVER_WORKERS": "2", "BOT": "chess=/no/such/engine"}
    refused = pytest.raises(AssertionError, match="the server did not start")
    with refused, server(tmp_path, "bogaprot", ports=None, CLUSTER_NODE="club", **settings) as running:
        pytest.fail(f"it has started: {running.lines}")
    log = (tmp_path / "server.log").read_text()
    assert "there is no executable '/no/such/engine'" in log
    assert STARTED.findall(log) == []


@contextmanager
def two_workers(folder: Path, url: str, **settings: str) -> Iterator[RunningServer]:
    both = {"SERVER_DATABASE": url, "SERVER_WORKERS": "2", "CLUSTER_NODE": "club"}
    with fast(folder, *LISTENERS, ports=None, **both, **settings) as found:
        yield found


@pytest.fixture
def running(tmp_path: Path, postgres: Cluster) -> Iterator[RunningServer]:
    with two_workers(tmp_path, database(postgres)) as found:
        yield found


@pytest.fixture
def logged(tmp_path: Path, postgres: Cluster) -> Iterator[RunningServer]:
    """A log of the bytes is one worker's, so that no connection goes on at the other."""
    with two_workers(tmp_path, database(postgres), LOG_WIRE="yes") as found:
        yield found


@pytest.fixture(scope="module")
def url(postgres: Cluster) -> str:
    """The database of ``lasting``."""
    return database(postgres)


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[RunningServer]:
    """A server that several tests use, and none ends."""
    with two_workers(tmp_path_factory.mktemp("lasting"), url) as found:
        yield found
        assert found.stop() == 0


def processes(running: RunningServer) -> dict[int, int]:
    """The process of each worker that was started last."""
    return {int(worker): int(pid) for worker, pid in STARTED.findall(running.log.read_text())}


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def let_in(running: RunningServer) -> list[float]:
    """How many players each worker has let in."""
    return [figures(running.ports[port])["boardgate_connections_opened_total", "bogaprot"] for port in (FIRST, SECOND)]


def branches(running: RunningServer) -> list[float]:
    """How many tables of the other one each worker has players of."""
    return [figures(running.ports[port])["boardgate_branches",] for port in (FIRST, SECOND)]


def one_at_each(running: RunningServer, stack: ExitStack) -> tuple[Guest, Guest]:
    """Connect until both workers have a player; one of each, the others stay."""
    found: dict[int, Guest] = {}
    before = let_in(running)
    for _ in range(40):
        guest = stack.enter_context(Guest(running.ports[PLAYERS]))
        now = until(lambda: let_in(running), lambda seen, before=before: seen != before)  # type: ignore[misc]
        (worker,) = [worker for worker, (old, new) in enumerate(zip(before, now, strict=True), 1) if new > old]
        found[worker], before = guest, now
        if len(found) == 2:
            return found[1], found[2]
    pytest.fail(f"all connections came to worker {list(found)}")


def test_players_of_two_workers_meet_and_play_to_the_end(lasting: RunningServer) -> None:
    """One says everything once: a line for each port, and that it is ready."""
    assert [line.split()[0] for line in lasting.lines] == [*["listening"] * 5, "ready"]
    with ExitStack() as stack:
        anna, bert = one_at_each(lasting, stack)
        assert [anna.joins(GAME), bert.joins(GAME)] == [0, 1]
        until(lambda: branches(lasting), lambda seen: seen == [0, 0])
        for guest, square in ((anna, 0), (bert, 3), (anna, 1), (bert, 4), (anna, 2)):
            assert guest.puts(square) == (0,)
        assert bert.hear("MSG_GAMEOVER")[0] == 0
    log = lasting.log.read_text()
    assert {"worker=club/1", "worker=club/2"} <= set(re.findall(r"event=joined .*?(worker=\S+)", log))


def test_who_comes_back_goes_on_at_the_worker_of_its_table(lasting: RunningServer) -> None:
    """The moves cross nothing afterwards. A worker that has not heard yet that the game has begun keeps the call."""
    tickets = [f"{GAME}#{TICKET}back{who}" for who in "ab"]
    with ExitStack() as stack:
        anna, bert = one_at_each(lasting, stack)
        assert [anna.joins(tickets[0]), bert.joins(tickets[1])] == [0, 1]
        for _ in range(40):
            before = sum(let_in(lasting))
            bert = stack.enter_context(Guest(lasting.ports[PLAYERS]))
            assert bert.joins(tickets[1]) == 1
            if sum(let_in(lasting)) - before == 2:
                break
        else:
            pytest.fail("all calls came to the worker of the table")
        until(lambda: branches(lasting), lambda seen: seen == [0, 0])
        assert [anna.puts(4), bert.puts(0), anna.puts(8)] == [(0,), (0,), (0,)]


def test_players_of_a_killed_worker_go_on_whichever_takes_their_calls(running: RunningServer) -> None:
    """The other one may pass them on to the killed one: the next in its place serves them."""
    tickets = [f"{GAME}#{TICKET}both{who}" for who in "ab"]
    with ExitStack() as stack:
        guests = one_at_each(running, stack)
        assert [guest.joins(ticket) for guest, ticket in zip(guests, tickets, strict=True)] == [0, 1]
        os.kill(processes(running)[1], signal.SIGKILL)
        for guest in guests:
            assert guest.hung_up_after_s() < PATIENCE_S
        for _ in range(4):
            anna, bert = (stack.enter_context(Guest(running.ports[PLAYERS])) for _ in tickets)
            assert [anna.joins(tickets[0]), bert.joins(tickets[1])] == [0, 1]
        assert [anna.puts(4), bert.puts(0), anna.puts(8)] == [(0,), (0,), (0,)]


def test_a_killed_worker_comes_back_and_its_games_go_on(logged: RunningServer) -> None:
    """Each in its turn. The player at the other one keeps the connection, and all who call meanwhile are served."""
    for killed, game in enumerate((0, 1), 1):
        tickets = [f"{GAME}#{TICKET}{game}{who}" for who in "ab"]
        before = processes(logged)
        with ExitStack() as stack:
            guests = one_at_each(logged, stack)
            anna, bert = guests[2 - killed], guests[killed - 1]
            assert [anna.joins(tickets[0]), bert.joins(tickets[1])] == [0, 1]
            assert [anna.puts(4), bert.puts(0)] == [(0,), (0,)]
            os.kill(before[killed], signal.SIGKILL)
            assert bert.hung_up_after_s() < PATIENCE_S
            callers = [stack.enter_context(Guest(logged.ports[PLAYERS])) for _ in range(12)]
            returned = callers.pop()
            assert returned.joins(tickets[1]) == 1
            assert [returned.hear("MSG_MOVE"), returned.hear("MSG_MOVE")] == [(-1, 0, "o"), (-1, 4, "x")]
            assert [anna.puts(8), returned.puts(1)] == [(0,), (0,)]
            for caller in callers:
                assert caller.asks("no game of ours") != (0,)
            comes_back(logged, killed)
            assert len(one_at_each(logged, stack)) == 2
        after = processes(logged)
        assert [worker for worker in before if before[worker] != after[worker]] == [killed]
    assert logged.stop() == 0


def comes_back(running: RunningServer, worker: int) -> None:
    """Wait until it has been ready for the second time."""
    line = f'event="a worker is ready" worker=club/{worker}\n'
    until(lambda: running.log.read_text().count(line), lambda count: count == 2, PATIENCE_S)


def test_who_is_passed_on_to_a_worker_that_was_killed_is_served_by_the_next_in_its_place(
    running: RunningServer,
) -> None:
    """Its opponent had waited there. The other worker has the lobby, and does not know yet that the one is dead."""
    lobby = int(LOBBY.findall(running.log.read_text())[-1])
    killed = 3 - lobby
    with ExitStack() as stack:
        guests = one_at_each(running, stack)
        anna, bert = guests[killed - 1], guests[lobby - 1]
        assert anna.joins(GAME) == 0
        os.kill(processes(running)[killed], signal.SIGKILL)
        assert bert.joins(GAME) in (0, 1)
        comes_back(running, killed)
        assert let_in(running)[killed - 1] == 1


def test_a_signal_stops_all_and_leaves_no_process(running: RunningServer) -> None:
    with ExitStack() as stack:
        anna, bert = one_at_each(running, stack)
        assert [anna.joins(GAME), bert.joins(GAME)] == [0, 1]
        assert running.stop() == 0
        for guest in (anna, bert):
            assert guest.hung_up_after_s() < 1.0
    assert [gone(pid) for pid in processes(running).values()] == [True, True]
    with pytest.raises(ConnectionRefusedError):
        Guest(running.ports[PLAYERS])


def test_workers_do_not_outlive_their_supervisor(running: RunningServer) -> None:
    """SIGKILL leaves it no time to tell them."""
    running.kill()
    until(lambda: [gone(pid) for pid in processes(running).values()], lambda seen: seen == [True, True])


def test_all_workers_are_drained_and_one_that_is_started_again_serves(running: RunningServer) -> None:
    running.process.send_signal(signal.SIGUSR1)

    def draining() -> list[float]:
        return [figures(running.ports[port])["boardgate_draining",] for port in (FIRST, SECOND)]

    until(draining, lambda seen: seen == [1.0, 1.0])
    os.kill(processes(running)[2], signal.SIGKILL)
    comes_back(running, 2)
    until(draining, lambda seen: seen == [1.0, 0.0])
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(PATIENCE_S) == 0


def test_certificates_of_all_workers_are_read_anew(lasting: RunningServer) -> None:
    lasting.process.send_signal(signal.SIGHUP)
    until(
        lambda: set(re.findall(r"event=reloaded .*?(worker=\S+)", lasting.log.read_text())),
        lambda seen: seen == {"worker=club/1", "worker=club/2"},
    )


def test_pages_of_one_address_come_from_one_worker(lasting: RunningServer) -> None:
    """How many players it has let in says who it is."""
    opened = "boardgate_connections_opened_total", "bogaprot"
    with ExitStack() as stack:
        one_at_each(lasting, stack)
        while len(set(let_in(lasting))) == 1:
            stack.enter_context(Guest(lasting.ports[PLAYERS]))
        both = let_in(lasting)
        found = {figures(lasting.ports[SHARED])[opened] for _ in range(12)}
        assert len(found) == 1
        assert found < set(both)


def test_rooms_of_the_relay_can_be_asked_for_at_each_worker(lasting: RunningServer) -> None:
    """Two who dial a room's port are joined, whichever worker was asked for it."""
    for worker in (FIRST, SECOND):
        status, room = Host(lasting.ports[worker]).ask("/api/relays", {})
        assert (status, room["relay_port"]) == (201, lasting.ports[RELAY])
        with called(room["port"]) as anna, called(room["port"]) as bert:
            anna.sendall(b"hello")
            assert bert.recv(5, socket.MSG_WAITALL) == b"hello"


def test_two_who_call_the_relay_meet_whichever_workers_they_come_to(lasting: RunningServer) -> None:
    """Until both workers have passed callers on to each other."""
    for turn in range(PAIRS):
        _, room = Host(lasting.ports[(FIRST, SECOND)[turn % 2]]).ask("/api/relays", {"port": False})
        with called(lasting.ports[RELAY]) as anna, called(lasting.ports[RELAY]) as bert:
            for caller, side in ((anna, "A"), (bert, "B")):
                caller.sendall(f"BOARDGATE-RELAY 1 MEET {room['code']} {side * 22} -\n".encode())
                assert caller.recv(5, socket.MSG_WAITALL) == b"WAIT\n"
            for caller, order, other in ((anna, "first", bert), (bert, "second", anna)):
                words = "PEER {} {}:{} -\n".format(order, *other.getsockname()).encode()
                assert caller.recv(len(words), socket.MSG_WAITALL) == words
        if all(figures(lasting.ports[worker])[("boardgate_relay_passed_on_total",)] for worker in (FIRST, SECOND)):
            return
    pytest.fail("the workers have passed nobody on")


@contextmanager
def called(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as sock:
        yield sock


def test_a_worker_that_others_have_declared_dead_starts_again_at_once(lasting: RunningServer, url: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        assert connection.execute(text("UPDATE nodes SET buried = true WHERE name = 'club/2' AND NOT buried")).rowcount
    engine.dispose()
    comes_back(lasting, 2)
    ended = [line for line in lasting.log.read_text().splitlines() if 'event="a worker has ended"' in line]
    assert [line.split("worker=")[1] for line in ended] == ["club/2 status=75 again_after_s=0.0"]


def test_the_service_manager_hears_everything_once(
    tmp_path: Path, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SOCKET, str(tmp_path / "manager"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(PATIENCE_S)
        manager.bind(str(tmp_path / "manager"))
        with two_workers(tmp_path / "data", database(postgres)) as running:
            assert manager.recv(100) == b"READY=1"
            assert running.stop() == 0
            assert manager.recv(100) == b"STOPPING=1"
            manager.setblocking(False)
            with pytest.raises(BlockingIOError):
                manager.recv(100)


def test_a_server_whose_workers_cannot_start_ends_with_their_reason(tmp_path: Path, postgres: Cluster) -> None:
    begun = time.monotonic()
    refused = pytest.raises(AssertionError, match="the server did not start")
    with socket.create_server(("127.0.0.1", 0)) as taken, refused:
        gate = f"127.0.0.1:{taken.getsockname()[1]}"
        settings = {"SERVER_DATABASE": database(postgres), "SERVER_WORKERS": "2", "CLUSTER_RELAY": gate}
        with server(tmp_path, "bogaprot", "relay", ports=None, CLUSTER_NODE="club", **settings) as running:
            pytest.fail(f"it has started: {running.lines}")
    log = (tmp_path / "server.log").read_text()
    assert "Address already in use" in log
    assert [gone(int(pid)) for _, pid in STARTED.findall(log)] == [True, True]
    assert time.monotonic() - begun < 2 * PATIENCE_S


@contextmanager
def started(folder: Path, url: str, **settings: str) -> Iterator[tuple[Forked, Path]]:
    """A server that has just been started, and its log."""
    log = folder / "server.log"
    log.touch()
    wanted = {"SERVER_DATABASE": url, "BOTS_WORKERS": "0", **settings}
    environment = {**os.environ, **{f"BOARDGATE_{key}": words for key, words in wanted.items()}}
    process = Forked(["serve", "--data", str(folder), "--listen", "bogaprot=127.0.0.1:0"], environment, log)
    try:
        yield process, log
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.nightly), "2"])
def test_a_start_that_waits_for_the_bus_can_be_stopped(tmp_path: Path, postgres: Cluster, workers: str) -> None:
    """It would wait for a minute."""
    settings = {"SERVER_WORKERS": workers, "CLUSTER_BUS": "nats://127.0.0.1:1"}
    with started(tmp_path, database(postgres), **settings) as (process, log):
        until(lambda: "the bus cannot be reached" in log.read_text(), bool)
        process.terminate()
        assert process.wait(20) == 0
        assert "stopped" in log.read_text()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1])
@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.nightly), "2"])
def test_signals_end_no_server_that_starts_or_stops(
    tmp_path: Path, postgres: Cluster, workers: str, number: signal.Signals
) -> None:
    """They come every few milliseconds, from the first line of the log until the process has ended."""
    with started(tmp_path, database(postgres), SERVER_WORKERS=workers) as (process, log):
        until(log.read_text, bool)
        deadline, stopping = time.monotonic() + PATIENCE_S, False
        while process.poll() is None and time.monotonic() < deadline:
            process.send_signal(number)
            if not stopping and re.search(r"\bready +name=", log.read_text()):
                stopping = True
                process.terminate()
            time.sleep(0.003)
        assert stopping
        assert process.poll() == 0


def places(running: RunningServer) -> list[float]:
    """How many connections each worker has room for."""
    return [figures(running.ports[port])["boardgate_places",] for port in (FIRST, SECOND)]


def test_settings_that_are_read_anew_reach_all_workers_and_those_that_come_later(
    tmp_path: Path, postgres: Cluster
) -> None:
    file = tmp_path / "boardgate.toml"
    file.write_text("[limits]\nconnections = 300\n")
    with two_workers(tmp_path, database(postgres), CONFIG=str(file)) as running:
        assert places(running) == [300, 300]
        file.write_text("[limits]\nconnections = 200\nobservers = 7\n[cluster]\nlease = '4s'\n")
        running.process.send_signal(signal.SIGHUP)
        until(lambda: places(running), lambda seen: seen == [200, 200])
        told = re.compile(
            r'settings (reread|need a restart)" (?:changed|settings)=(.*?)(?: worker=(\S+))?$', re.MULTILINE
        )
        named = "limits.connections, limits.observers"
        assert set(told.findall(running.log.read_text())) == {
            ("reread", f'"{named}"', ""),
            ("need a restart", "cluster.lease", ""),
            *(("reread", f'"{named}"', f"club/{worker}") for worker in (1, 2)),
        }
        before = processes(running)[1]
        os.kill(before, signal.SIGKILL)
        until(lambda: processes(running)[1], lambda pid: pid != before, PATIENCE_S)
        until(lambda: running.log.read_text().count('event="a worker is ready"'), lambda ready: ready == 3, PATIENCE_S)
        assert places(running) == [200, 200]
        file.write_text("[limits]\nconnections = 'many'\n")
        running.process.send_signal(signal.SIGHUP)
        until(lambda: 'settings not reread"' in running.log.read_text(), bool)
        file.write_text("[limits]\nconnections = 100\n")
        running.process.send_signal(signal.SIGHUP)
        until(lambda: places(running), lambda seen: seen == [100, 100])
        assert running.stop() == 0
