"""The benchmark itself: that it plays, counts and leaves nothing behind. Never how fast anything is."""

from __future__ import annotations

import os
import random
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gateway import audit, registry
from gateway.bench import measure, postgresql, process, rules, scripts, unfinished
from gateway.bench.chess_pair import ChessPair, TimedChessPair
from gateway.bench.floods import KINDS
from gateway.bench.load import Count, Load
from gateway.bench.measure import Players
from gateway.bench.pairs import BogaprotPair, LinePair, Stuck
from gateway.cli import main
from gateway.store.views import Views
from migrations import upgrade
from protocols.core.model import Move
from tests import peers

GAMES = ("checkers", "chess")
SHORT = ("--tables", "2", "--seconds", "1", "--idle", "4", "--paced", "4")


def test_a_short_run_prints_every_table() -> None:
    before = os.sched_getaffinity(0)
    found = CliRunner().invoke(main, ["bench", "--dialect", "chess-p2p", *SHORT])
    assert found.exit_code == 0, found.output
    for words in ("bare relay", "ratio", "p99 ms", "a move every 1 s", "4 idle connections", "microseconds a move"):
        assert words in found.output
    assert found.output.count("chess over chess-p2p, no clock") == 3
    assert "bogaprot" not in found.output
    assert os.sched_getaffinity(0) == before


def test_every_dialect_is_measured_with_clocks_where_it_knows_them() -> None:
    found = CliRunner().invoke(main, ["bench", "--clock", "--only", "throughput", *SHORT])
    assert found.exit_code == 0, found.output
    for who in ("checkers over bogaprot, no clock", "chess over chess-p2p, an hour a side"):
        assert found.output.count(who) == 1
    assert "idle" not in found.output


def test_a_start_is_measured_on_a_record_of_its_own() -> None:
    found = CliRunner().invoke(
        main, ["bench", "--only", "start", "--unfinished", "12", "--events", "40", "--seconds", "1"]
    )
    assert found.exit_code == 0, found.output
    assert "Start with 12 unfinished games, 480 events" in found.output


def test_its_record_is_whole_and_the_players_find_their_seats(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'boardgate.db'}"
    upgrade(url)
    assert unfinished.build(url, 5, 30, lambda share: None) == 150
    views = Views(url)
    try:
        assert [audit.verify(table, views.rows(table)).defect for table in range(1, 6)] == [None] * 5
        assert {view.status for view in views.tables()} == {"playing"}
        assert {view.game for view in views.tables()} == {unfinished.game(0), unfinished.game(1)}
    finally:
        views.close()


def short_game(name: str, seed: int, most: int = 400) -> list[Move]:
    """A random game that the rules end, after a hundred moves or so."""
    game, chance = registry.game(name), random.Random(seed)
    while True:
        position: Any = game.start(game.settings())
        moves: list[Move] = []
        while len(moves) < most and (legal := game.legal_moves(position)):
            moves.append(chance.choice(legal))
            position = game.play(position, moves[-1])
        if game.outcome(position) is not None:
            return moves


@pytest.mark.parametrize("players", [BogaprotPair, ChessPair, TimedChessPair])
def test_pairs_play_whole_games_one_after_another(players: Players) -> None:
    """A refused move would be Stuck."""
    games = players.script([short_game(players.game, 1), short_game(players.game, 2)])
    moves = latencies = 0
    with process.boardgate(players.dialect, players.listener) as server:
        load = Load([players(server.address, games, 0)])
        try:
            load.connect(lambda share: None)
            for _ in range(100):  # however slow the machine is just now
                count = load.run(0.3, lambda share: None)
                moves, latencies = moves + count.moves, latencies + len(count.latencies)
                if moves > sum(map(len, games)):
                    break
        finally:
            load.close()
    assert moves > sum(map(len, games)), "two games were played and a third begun"
    assert latencies > moves / 2


def test_several_pairs_of_chess_players_meet_and_play() -> None:
    """Each takes the seat beside its own partner, who has the same game in hand: otherwise moves would be refused."""
    with process.boardgate(ChessPair.dialect) as server:
        games = ChessPair.script([short_game("chess", seed) for seed in (3, 4, 5)])
        load = Load([ChessPair(server.address, games, number) for number in range(6)])
        try:
            load.connect(lambda share: None)
            count = load.run(1.0, lambda share: None)
        finally:
            load.close()
    assert count.moves > 6


def test_a_move_that_the_server_refuses_ends_the_measurement() -> None:
    with process.boardgate(ChessPair.dialect) as server:
        load = Load([ChessPair(server.address, [[b"move e2e4\n", b"move e7e4\n"]], 0)])
        try:
            load.connect(lambda share: None)
            with pytest.raises(Stuck, match="refused a legal move"):
                load.run(30.0, lambda share: None)
        finally:
            load.close()


def test_the_relay_tells_both() -> None:
    with process.relay() as server:
        load = Load([LinePair(server.address), LinePair(server.address)])
        try:
            load.connect(lambda share: None)
            count = load.run(0.3, lambda share: None)
        finally:
            load.close()
    assert count.moves > 0
    assert 0 <= count.moves - len(count.latencies) <= 2, "two pairs in strict alternation: one move each is on its way"


def test_a_mover_s_own_line_is_no_turn_however_late_it_comes() -> None:
    pair = LinePair(("127.0.0.1", 1))
    assert [pair.turn(client, b"go\n") for client in (0, 1)] == [True, False], "the first seat begins"
    pair.mover = 0
    first = pair.move()
    assert pair.turn(1, b"go\n" + first)
    pair.mover = 1
    second = pair.move()
    assert not pair.turn(0, first), "its own line comes back after the other has moved"
    assert pair.turn(0, second)
    assert pair.turn(0, first + second)


def test_the_relay_and_every_dialect_are_measured_by_turns() -> None:
    shares: list[float] = []
    found = measure.throughputs([BogaprotPair, ChessPair], 2, 2.0, shares.append)
    assert [one.boardgate.moves > 0 for one in found] == [True, True]
    assert found[0].relay is found[1].relay, "one yardstick for both"
    assert found[0].relay.seconds == pytest.approx(2.0, rel=0.2)
    assert max(found[0].boardgate.latencies) < 1.9, "a move that waited for its turn is not counted as slow"
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_both_databases_are_measured_in_one_table() -> None:
    try:
        postgresql.pg_ctl()
    except postgresql.NotInstalled as missing:
        peers.missing(str(missing))
    only = ("--dialect", "chess-p2p", "--only", "throughput", "--only", "latency")
    found = CliRunner().invoke(main, ["bench", *only, *SHORT, "--database", "sqlite", "--database", "postgresql"])
    assert found.exit_code == 0, found.output
    (heading,) = [line for line in found.output.splitlines() if "bare relay" in line]
    rows = [line.split("│") for line in found.output.splitlines() if "sqlite" in line or "│ postgresql" in line]
    assert [row[2].strip() for row in rows] == ["sqlite", "postgresql"]
    assert [len(row) for row in rows] == [len(heading.split("┃"))] * 2
    assert all(float(row[-2]) > 0 for row in rows), "the p99"
    assert found.output.count("a move every 1 s each") == 2


def test_where_postgresql_is_missing_a_sentence_says_so_and_the_rest_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gateway.bench.postgresql.BINARIES", "nowhere/*/pg_ctl")
    monkeypatch.setenv("PATH", "/nowhere")
    both = ("--database", "postgresql", "--database", "sqlite")
    found = CliRunner().invoke(main, ["bench", "--dialect", "chess-p2p", "--only", "throughput", *SHORT, *both])
    assert found.exit_code == 0, found.output
    assert "PostgreSQL is not measured: PostgreSQL's server is not installed here" in found.output
    assert "sqlite" in found.output


@pytest.mark.parametrize("players", [BogaprotPair, ChessPair])
def test_idle_connections_are_seated_in_pairs(players: Players) -> None:
    shares: list[float] = []
    found = measure.idle(players, 5, shares.append)
    assert found.connections == 4, "the fifth would wait alone"
    assert shares[-1] == 1.0


@pytest.mark.parametrize("name", GAMES)
def test_scripted_games_are_long_and_legal_to_their_end(name: str) -> None:
    game = registry.game(name)
    for script in scripts.games(name)[:2]:
        assert len(script) > 300
        position = game.start(game.settings())
        for move in script:
            position = game.play(position, move)
        assert game.outcome(position) is not None


@pytest.mark.parametrize("name", GAMES)
def test_what_the_rules_cost_is_counted_step_by_step(name: str) -> None:
    found = rules.cost(name, rounds=1)
    assert found.moves == sum(map(len, scripts.games(name)))
    assert 2 < found.men < 32
    assert len(found.steps) == len(rules.STEPS)
    assert min(found.steps) > 0
    assert found.whole == pytest.approx(sum(found.steps))


def test_percentiles_are_those_of_the_latencies() -> None:
    count = Count(4, 2.0, [0.4, 0.1, 0.3, 0.2])
    assert count.rate == 2.0
    assert (count.percentile(0.0), count.percentile(0.5), count.percentile(1.0)) == (0.1, 0.3, 0.4)


def test_relayed_pairs_are_measured_beside_a_bare_splice_and_in_memory() -> None:
    found = CliRunner().invoke(main, ["bench", "--only", "relay", "--idle", "20", "--seconds", "1"])
    assert found.exit_code == 0, found.output
    for name in ("boardgate", "bare trio splice", "direct"):
        assert re.search(rf"│ +{name} │ +[0-9,]*[1-9][0-9,]* │ +[0-9]*[1-9][0-9]* │", found.output)
    assert ("socat" in found.output) == (shutil.which("socat") is not None)
    assert "20 idle relayed pairs: " in found.output


def test_gtp_is_measured_by_commands_and_by_whole_games() -> None:
    found = CliRunner().invoke(main, ["bench", "--only", "gtp", "--engines", "2", "--seconds", "2"])
    assert found.exit_code == 0, found.output
    assert "A GTP command of a GUI and its answer" in found.output
    games = re.search(r"2 tables of engines that answer at once, 9x9: ([0-9,]+) games a minute", found.output)
    assert games is not None
    assert int(games[1].replace(",", "")) > 0


def test_players_are_measured_in_calm_and_while_their_listener_is_flooded() -> None:
    found = CliRunner().invoke(main, ["bench", "--only", "flood", "--paced", "4", "--seconds", "2"])
    assert found.exit_code == 0, found.output
    rows = {line.split("│")[1].strip(): line.split("│")[2:] for line in found.output.splitlines() if "│" in line}
    assert all(float(rows[name][1]) > 0 for name in ("calm", *KINDS)), "the p99"
    served = {name for name in KINDS if rows[name][5].strip() != "0"}
    assert served == {"TLS", "HTTP", "HTTP-32"}, "handshakes and pages"
    offered, opened = (float(cell.replace(",", "")) for cell in rows["connections"][3:5])
    assert offered >= opened > 0
    said = re.search(r"([0-9,]+) of ([0-9,]+) were hung up on, at most ([0-9]+) were inside", found.output)
    assert said is not None
    ended, connections, inside = (int(number.replace(",", "")) for number in said.groups())
    assert inside <= 64, "an address has so many places"
    assert connections - inside <= ended < connections, "all others were turned away"
