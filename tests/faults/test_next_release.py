"""A release and the one after it: clients and databases of one meet the other, and nodes of both serve together."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Final
from urllib.request import urlopen

import pytest

import migrations
from gateway.release import release
from gateway.store.nodes import SqlNodes
from protocols.core.release import VERSION
from tests import peers
from tests.conformance.servers import fast
from tests.faults.crossing import Load, checked
from tests.faults.guests import GAME, Guest
from tests.faults.nodes import Nodes, load
from tests.next_release import FAILS, next_release, next_version
from tests.postgresql import Cluster, cluster
from tests.processes import started
from tests.running import RECORD, RunningServer, server
from tests.store.test_newer_schema import additive
from tests.web_client import PATIENCE_S, WebClient

TICKETS: Final = ("a-ticket-that-anna-has-brought", "a-ticket-that-bert-has-brought")
COMMAND_S: Final = 60.0
PAIRS: Final = 3

LEASE: Final = "30s"
"""Long: each node leaves by itself, and none dies because the machine is slow."""


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program of the next release."""
    return next_release(tmp_path_factory.mktemp("newer"))


def says(program: str, *words: str | Path, **settings: str) -> str:
    """The output of a command that ends well."""
    environment = os.environ | {f"BOARDGATE_{key}": text for key, text in settings.items()}
    run = subprocess.run([program, *words], env=environment, capture_output=True, text=True, timeout=COMMAND_S)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def version_at(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/api/openapi.json", timeout=PATIENCE_S) as answer:
        return str(json.load(answer)["info"]["version"])


def test_the_next_release_says_that_it_is_one(newer: str) -> None:
    assert says(newer, "--version").startswith(f"boardgate {next_version()} (")
    assert next_version() != VERSION


def test_a_game_goes_on_at_the_next_release_and_back_with_the_same_clients(newer: str, tmp_path: Path) -> None:
    """Two of Bogaprot hold their seats by tickets, a page looks on; the record is whole for both."""
    data = tmp_path / "data"
    squares = iter(((0, 3), (1, 4), (2,)))
    for program, version in (("", VERSION), (newer, next_version()), ("", VERSION)):
        with server(data, "bogaprot", "http", program=program, BOTS_WORKERS="0", SEATS_BOT_AFTER="never") as running:
            assert version_at(running.ports[1]) == version
            page = WebClient(running.ports[1])
            page.hello()
            with Guest(running.ports[0]) as anna, Guest(running.ports[0]) as bert:
                players = (anna, bert)
                for seat, player in enumerate(players):
                    assert player.joins(f"{GAME}#{TICKETS[seat]}") == seat
                page.say("watch", table=1)
                page.until("seated")
                for player, square in zip(players, next(squares), strict=False):
                    assert player.puts(square) == (0,)
                    page.until("MoveMade")
                if page.ply == 5:
                    assert bert.hear("MSG_GAMEOVER")[0] == 0
            page.close()
            assert running.stop() == 0
    url = f"sqlite:///{data / RECORD}"
    assert migrations.revision(url) == additive()
    assert "1 record, all whole: " in says(newer, "verify", "--all", "--data", data)


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program of a next release whose migration fails."""
    return next_release(tmp_path_factory.mktemp("failing"), FAILS)


def stopped(playing: Load, running: RunningServer) -> bool:
    """Stop a server while they move; whether it ends well, and all have noticed."""
    playing.dead.add(0)
    running.process.send_signal(signal.SIGTERM)
    while running.process.poll() is None:
        playing.play(0.02)
    while playing.connected:
        playing.play(0.02)
    return running.process.poll() == 0


def meanwhile(playing: Load, program: str, *words: str | Path, **settings: str) -> tuple[int, str]:
    """Status and output of a command while they move."""
    environment = os.environ | {f"BOARDGATE_{key}": text for key, text in settings.items()}
    with started([program, *map(str, words)], env=environment, text=True, stdout=PIPE, stderr=STDOUT) as process:
        while process.poll() is None:
            playing.play(0.05)
        assert process.stdout is not None
        return process.returncode, process.stdout.read()


def test_under_load_a_server_on_sqlite_goes_to_the_next_release_and_back_though_a_migration_fails(
    newer: str, failing: str, tmp_path: Path
) -> None:
    """The record has all that players were told, and no game ends: each goes on at each of the servers."""
    data, database = tmp_path / "data", tmp_path / "data" / RECORD
    url = f"sqlite:///{database}"
    copy = database.with_name(f"{RECORD}.schema-{migrations.HEAD[:4]}")
    with ExitStack() as stack:
        running = stack.enter_context(fast(data, "bogaprot"))
        (port,) = running.ports
        playing = stack.enter_context(Load([port], PAIRS, random.Random(1)))
        playing.play(0.0, least=10 * PAIRS)
        for program, schema in (("", migrations.HEAD), (newer, additive()), ("", additive())):
            playing.play(1.0)
            assert stopped(playing, running)
            if not copy.exists():
                before = database.read_bytes()
                serve = ("serve", "--data", data, "--listen", f"bogaprot=127.0.0.1:{port}")
                status, said = meanwhile(playing, failing, *serve)
                assert (status, "no such table: nowhere" in said, f"copy={copy}" in said) == (1, True, True), said
                assert database.read_bytes() == before
            running = stack.enter_context(fast(data, "bogaprot", ports={0: port}, program=program))
            playing.dead.discard(0)
            playing.everyone_plays()
            assert migrations.revision(url) == schema
        assert stopped(playing, running)
    assert migrations.revision(f"sqlite:///{copy}") == migrations.HEAD
    assert checked(url, playing.games) >= playing.moves > 0


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@peers.needed
def test_under_load_a_server_on_postgresql_plays_on_while_a_migration_fails_then_goes_to_the_next_release_and_back(
    newer: str, failing: str, tmp_path: Path, postgres: Cluster
) -> None:
    """The migrations are made under the server before, whose players notice neither."""
    url = postgres.create("alone")
    migrations.upgrade(url)
    with ExitStack() as stack:
        first = fast(tmp_path / "0", "bogaprot", SERVER_DATABASE=url, CLUSTER_LEASE=LEASE)
        running = stack.enter_context(first)
        (port,) = running.ports
        playing = stack.enter_context(Load([port], PAIRS, random.Random(2)))
        playing.play(0.0, least=10 * PAIRS)
        status, said = meanwhile(playing, failing, "migrate", SERVER_DATABASE=url)
        assert (status, 'relation "nowhere" does not exist' in said) == (1, True), said
        assert migrations.revision(url) == migrations.HEAD
        playing.everyone_plays()
        assert meanwhile(playing, newer, "migrate", SERVER_DATABASE=url)[0] == 0
        assert migrations.revision(url) == additive()
        playing.everyone_plays()
        for place, program in (("1", newer), ("2", "")):
            assert stopped(playing, running)
            settings = {"program": program, "SERVER_DATABASE": url, "CLUSTER_LEASE": LEASE}
            with_it = fast(tmp_path / place, "bogaprot", ports={0: port}, **settings)
            running = stack.enter_context(with_it)
            playing.dead.discard(0)
            playing.everyone_plays()
            playing.play(1.0)
        assert stopped(playing, running)
    assert checked(url, playing.games) >= playing.moves > 0


@peers.needed
def test_three_nodes_of_two_releases_serve_together_and_are_exchanged_one_by_one_and_back(
    newer: str, tmp_path: Path, postgres: Cluster
) -> None:
    """Under load; all that players were told is in the record."""
    url = postgres.create("games")
    migrations.upgrade(url)
    with ExitStack() as stack, closing(SqlNodes(url)) as listed:
        nodes = Nodes(tmp_path, url, stack)
        nodes.start(0, CLUSTER_LEASE=LEASE)
        assert f"applied {additive()}" in says(newer, "migrate", SERVER_DATABASE=url)
        nodes.start(1, program=newer, CLUSTER_LEASE=LEASE)
        nodes.start(2, CLUSTER_LEASE=LEASE)
        older, next_one = str(release()), f"{next_version()}+unknown"
        assert {node.version for node in listed.living()} == {older, next_one}
        with load(nodes, 1, PAIRS) as playing:
            for place, program in ((0, newer), (2, newer), *((place, "") for place in range(3))):
                playing.dead.add(place)
                assert nodes.running[place].stop() == 0
                playing.everyone_plays()
                playing.ports[place] = nodes.start(place, program=program, CLUSTER_LEASE=LEASE).ports[0]
                playing.dead.discard(place)
                playing.play(1.0)
        assert {node.version for node in listed.living()} == {older}
