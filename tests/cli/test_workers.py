"""``serve --workers``: what it refuses, what each worker gets, and when one that has ended is started again."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from click.testing import CliRunner, Result

from bench.free_port import free_port
from gateway.cli import main
from gateway.cli.handover import Handover
from gateway.cli.options import Written
from gateway.cli.rereading import Rereading, RunningSettings
from gateway.cli.workers import BURIED, LONGEST_PAUSE_S, PAUSE_S, Supervisor, open_ports, pause_s, settings_of, share
from gateway.config import BadSetting, Bots, Cluster, Config, EngineBot, Record, Server, parse_listener

POSTGRESQL = "postgresql+psycopg://gate@127.0.0.1:1/boardgate"


def served(folder: Path, *words: str, **environment: str) -> Result:
    command = ["serve", "--data", str(folder), "--listen", "bogaprot=127.0.0.1:0", *words]
    return CliRunner().invoke(main, command, env={f"BOARDGATE_{key}": text for key, text in environment.items()})


def settings(workers: int, *listeners: str, **others: object) -> Config:
    server = Server(database=POSTGRESQL, workers=workers)
    return replace(Config(server=server, listen=tuple(map(parse_listener, listeners))), **others)  # type: ignore[arg-type]


@pytest.mark.parametrize("where", ["command line", "environment", "file"])
def test_an_embedded_database_has_one_process_wherever_more_are_asked_for(tmp_path: Path, where: str) -> None:
    """In words, before anything is opened or created."""
    file = tmp_path / "club.toml"
    file.write_text(f"[server]\nworkers = {2 if where == 'file' else 1}\n")
    words = ["--config", str(file), *(["--workers", "2"] if where == "command line" else [])]
    found = served(tmp_path / "new", *words, **({"SERVER_WORKERS": "2"} if where == "environment" else {}))
    assert found.exit_code == 1
    assert "Error: server.workers is 2, but a database in a file (SQLite) has one process" in found.output
    assert not (tmp_path / "new").exists()


def test_check_says_that_an_embedded_database_has_one_process(tmp_path: Path) -> None:
    found = served(tmp_path / "new", "--check", "--workers", "2")
    assert found.exit_code == 1
    assert "WRONG  server.workers is 2, but a database in a file (SQLite) has one process" in found.output


@pytest.mark.parametrize("count", ["0", "257", "many"])
def test_a_number_of_workers_that_makes_no_sense_is_refused(tmp_path: Path, count: str) -> None:
    found = served(tmp_path, "--workers", count)
    assert found.exit_code in (1, 2)
    assert count in found.output


def test_the_house_bots_are_shared_out_and_each_worker_has_some_unless_there_are_none() -> None:
    assert [share(whole, number, 3) for whole in (0, 1, 2, 3, 4, 8) for number in (1, 2, 3)] == [
        *(0, 0, 0), *(1, 1, 1), *(1, 1, 1), *(1, 1, 1), *(2, 1, 1), *(3, 3, 2),
    ]  # fmt: skip


def test_a_worker_is_a_node_of_its_own_with_its_share_and_without_workers() -> None:
    bot = EngineBot(game="chess", command="an-engine", processes=4)
    config = settings(2, cluster=Cluster(node="club"), bots=Bots(workers=3), bot=(bot,))
    first, second = (settings_of(config, number) for number in (1, 2))
    assert [first.cluster.node, second.cluster.node] == ["club/1", "club/2"]
    assert [first.bots.workers, second.bots.workers] == [2, 1]
    assert [each.bot[0].processes for each in (first, second) if each.bot] == [2, 2]
    assert first.server.workers == 1


def test_a_server_without_a_name_has_the_hosts() -> None:
    assert settings_of(settings(2), 2).cluster.node == f"{socket.gethostname()}/2"


def test_settings_survive_the_handover() -> None:
    bot = EngineBot(game="go", command="one --two", options={"Hash": "16"}, move_time_s=1.5)
    config = settings(2, "bogaprot=[::1]:5700,game=ludo", bot=(bot,), record=Record(delete_after_s=None))
    handed = Handover(config, [7], 8, {"club/2": 9})
    assert msgspec.json.decode(msgspec.json.encode(handed), type=Handover) == handed


def test_each_worker_has_a_port_where_others_pass_callers_of_the_relay_on() -> None:
    def gates(relay: str) -> list[str]:
        return [settings_of(settings(2, cluster=Cluster(relay=relay)), number).cluster.relay for number in (1, 2)]

    assert gates("") == ["127.0.0.1:0", "127.0.0.1:0"]
    assert gates("[fd00::7]:5031") == ["[fd00::7]:5031", "[fd00::7]:5032"]


def test_each_worker_has_a_socket_of_each_port() -> None:
    listeners = ("bogaprot=127.0.0.1:0", "relay=127.0.0.1:0", "http=127.0.0.1:0", "http=127.0.0.1:0,each_worker=yes")
    opened, ports = open_ports(settings(2, *listeners))
    with contextlib.closing(ports):
        table = [[(listen.dialect, listen.port, sock.getsockname()[1]) for listen, sock in share]
                 for share in ports.shares]  # fmt: skip
        said = [int(line.split()[2].rpartition(":")[2]) for line in opened.lines]
        assert [name for name, _, _ in table[0]] == ["bogaprot", "relay", "http", "http"]
        assert all(port == bound for share in table for _, port, bound in share)
        assert [port for _, port, _ in table[0][:3]] == [port for _, port, _ in table[1][:3]] == said[:3]
        assert [table[0][3][1], table[1][3][1]] == said[3:]
        assert len(set(said)) == 5
        descriptors = [sock.fileno() for share in ports.shares for _, sock in share]
        assert len(set(descriptors)) == 8


def test_ports_of_each_worker_follow_each_other() -> None:
    for port in range(20_000, 30_000, 10):  # somebody may have one of them
        with contextlib.suppress(BadSetting):
            opened, ports = open_ports(settings(3, f"http=127.0.0.1:{port},each_worker=yes"))
            ports.close()
            assert [line.split()[2] for line in opened.lines] == [f"127.0.0.1:{port + more}" for more in range(3)]
            return
    pytest.fail("no three ports in a row are free")


def test_where_one_listener_is_wrong_all_are_closed_again() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        free = free_port()
        there = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(BadSetting, match="another server is running"):
            open_ports(settings(2, f"bogaprot=127.0.0.1:{free}", f"bogaprot={there}"))
        _, ports = open_ports(settings(2, f"bogaprot=127.0.0.1:{free}"))
        ports.close()


def test_a_worker_that_is_buried_starts_again_at_once_and_one_that_keeps_ending_ever_later() -> None:
    """Two servers of one name bury each other: they, too, do so ever more slowly."""
    assert pause_s(BURIED, 1) == 0.0
    assert pause_s(BURIED, 0) == 0.0
    assert pause_s(-9, 0) == PAUSE_S
    for status in (1, -9, BURIED):
        pauses = [pause_s(status, soon) for soon in range(2, 1100)]
        assert pauses[:2] == [2 * PAUSE_S, 4 * PAUSE_S]
        assert pauses == sorted(pauses)
        assert pauses[-1] == LONGEST_PAUSE_S


STAND_IN = """
import signal, socket, sys, time
control = socket.socket(fileno=int(sys.argv[4]))
control.recv(1 << 20)
control.send(b"+")
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
time.sleep(600)
"""
"""A worker that says it is ready, and serves nobody."""


async def test_a_worker_that_cannot_be_started_again_at_once_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system has no process left for a moment. It is tried again, and the other worker serves all the time."""
    real, started = trio.lowlevel.open_process, 0

    async def opened(words: list[str], **options: Any) -> trio.Process:
        nonlocal started
        started += 1
        if started == 3:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return await real([sys.executable, "-c", STAND_IN, *words[1:]], **options)

    monkeypatch.setattr(trio.lowlevel, "open_process", opened)
    config = settings(2, "bogaprot=127.0.0.1:0")
    supervisor = Supervisor(config, *open_ports(config))
    never = Rereading(Written(None), RunningSettings(config, ()).take)
    first, second = supervisor._workers
    async with trio.open_nursery() as nursery:
        nursery.start_soon(supervisor.run, never)
        with trio.fail_after(60):
            await first.ready.wait()
            await second.ready.wait()
            survivor = second.process
            assert first.process is not None
            first.process.kill()
            while started < 4 or first.process is None or not first.serves:  # noqa: ASYNC110  # no event says so
                await trio.sleep(0.05)
            assert second.process is survivor
            assert survivor is not None
            assert survivor.returncode is None
            supervisor._stop("the test ends")
    for ends in supervisor._channels.values():
        for end in ends:
            end.close()
