"""The benchmark plays, counts and leaves nothing behind; these tests assert no speed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import command, gtp, measure, process, relayed, rules, scripts, start, unfinished
from bench.chess_pair import ChessPair, TimedChessPair
from bench.floods import KINDS
from bench.load import Count, Load
from bench.measure import Players
from bench.pairs import BogaprotPair, LinePair, Pair, Stuck
from bench.web_pair import ProgramPair, WebPair
from gateway.cli import main
from gateway.record import audit
from gateway.store.views import Views
from migrations import upgrade
from tests import peers

GAMES = ("checkers", "chess")
SHORT = ("--tables", "2", "--seconds", "1", "--idle", "4", "--paced", "4")
TURN_S = 0.5


@pytest.fixture(autouse=True, scope="module")
def short_runs() -> Iterator[None]:
    """Scripts of a hundred moves, hardly any warm-up, short turns; test_scripts.py tests the length of real scripts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scripts, "GAMES", 3)
        patch.setattr(scripts, "LENGTH", 60)
        patch.setattr(scripts, "EFFORT", 600)
        patch.setattr(measure, "WARM_S", 0.1)
        patch.setattr(measure, "TURN_S", TURN_S)
        patch.setattr(relayed, "WARM_S", 0.1)
        patch.setattr(relayed, "TURNS", 2)
        patch.setattr(command, "RELAYED_S", 0.4)
        patch.setattr(gtp, "COMMANDS", 200)
        patch.setattr(gtp, "LENGTH", 10)
        patch.setattr(start, "SETTLE_S", 0.1)
        for cached in (scripts.games, gtp.script):
            cached.cache_clear()
        yield
        for cached in (scripts.games, gtp.script):
            cached.cache_clear()


@contextmanager
def loaded(pairs: Sequence[Pair]) -> Iterator[Load]:
    """The load of these pairs, seated."""
    load = Load(pairs)
    try:
        load.connect(lambda share: None)
        yield load
    finally:
        load.close()


def test_a_short_run_prints_every_table_of_play_and_of_the_rules() -> None:
    before = os.sched_getaffinity(0)
    sections = ("throughput", "latency", "memory", "rules")
    only = [word for section in sections for word in ("--only", section)]
    found = CliRunner().invoke(main, ["bench", "--dialect", "chess-p2p", *SHORT, *only])
    assert found.exit_code == 0, found.output
    for words in (
        "bare relay",
        "ratio",
        "p99 ms",
        "a move every 1 s",
        "4 idle connections",
        "4 idle visitors",
        "microseconds a move",
    ):
        assert words in found.output
    assert found.output.count("chess over chess-p2p, no clock") == 3
    assert "bogaprot" not in found.output
    assert os.sched_getaffinity(0) == before


@pytest.mark.nightly  # a benchmark's own run: the measured code is tried elsewhere
def test_every_dialect_is_measured_with_clocks_where_it_knows_them() -> None:
    found = CliRunner().invoke(main, ["bench", "--clock", "--only", "latency", *SHORT])
    assert found.exit_code == 0, found.output
    for who in ("checkers over bogaprot, no clock", "chess over chess-p2p, an hour a side"):
        assert found.output.count(who) == 1
    assert "bare relay" not in found.output


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


@pytest.mark.parametrize("players", [BogaprotPair, TimedChessPair, WebPair, ProgramPair])
def test_pairs_play_whole_games_one_after_another(players: Players) -> None:
    """A refused move would be Stuck."""
    two = sorted(scripts.games(players.game), key=len)[:2]
    games = players.script(two)
    moves = latencies = 0
    with (
        process.boardgate(players.carrier or players.dialect, players.listener) as server,
        loaded([players(server.address, games, 0)]) as load,
    ):
        for _ in range(100):  # however slow the machine is just now
            count = load.run(0.3, lambda share: None)
            moves, latencies = moves + count.moves, latencies + len(count.latencies)
            if moves > sum(map(len, two)):
                break
    assert moves > sum(map(len, two)), "two games were played and a third begun"
    assert latencies > moves / 2


def test_a_move_that_the_server_refuses_ends_the_measurement() -> None:
    games = [[b"move e2e4\n", b"move e7e4\n"]]
    with (
        process.boardgate(ChessPair.dialect) as server,
        loaded([ChessPair(server.address, games, 0)]) as load,
        pytest.raises(Stuck, match="refused a legal move"),
    ):
        load.run(30.0, lambda share: None)


def test_a_load_whose_turn_comes_late_is_not_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of thousands of pairs of several dialects the last begin to connect a minute after they were made."""
    with process.bare("relay") as server:
        load = Load([LinePair(server.address)])
        monkeypatch.setattr(time, "perf_counter", lambda long=time.perf_counter: long() + 3600.0)
        try:
            load.connect(lambda share: None)
            assert load.run(0.3, lambda share: None).moves > 0
        finally:
            load.close()


def test_the_relay_tells_both() -> None:
    with process.bare("relay") as server, loaded([LinePair(server.address), LinePair(server.address)]) as load:
        count = load.run(0.3, lambda share: None)
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


@pytest.mark.nightly  # a benchmark's own run: the measured code is tried elsewhere
def test_the_relay_and_every_dialect_are_measured_by_turns() -> None:
    shares: list[float] = []
    found = measure.throughputs([BogaprotPair, ChessPair], 2, 2 * TURN_S, shares.append)
    bogaprot, chess, relay = found[0].boardgate, found[1].boardgate, found[0].relay
    assert min(bogaprot.moves, chess.moves) > 0
    assert found[1].relay is relay, "one yardstick for both"
    assert 2 * TURN_S <= relay.seconds < 4 * TURN_S
    slowest = [max(count.latencies) for count in (bogaprot, chess, relay)]
    assert min(slowest) < 2 * TURN_S, "a move that waited for its turn, while two others played, is not counted as slow"
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@peers.needed
@pytest.mark.nightly  # a benchmark's own run: the measured code is tried elsewhere
@pytest.mark.usefixtures("pg_ctl")
def test_both_databases_are_measured_in_one_table() -> None:
    only = ("--dialect", "chess-p2p", "--only", "throughput", "--only", "latency")
    found = CliRunner().invoke(main, ["bench", *only, *SHORT, "--database", "sqlite", "--database", "postgresql"])
    assert found.exit_code == 0, found.output
    (heading,) = [line for line in found.output.splitlines() if "bare relay" in line]
    rows = [line.split("│") for line in found.output.splitlines() if "sqlite" in line or "│ postgresql" in line]
    assert [row[2].strip() for row in rows] == ["sqlite", "postgresql"]
    assert [len(row) - 2 for row in rows] == [len(re.split(" {3,}", heading.strip()))] * 2
    assert all(float(row[-2]) > 0 for row in rows), "the p99"
    assert found.output.count("a move every 1 s each") == 2


def test_where_postgresql_is_missing_a_sentence_says_so_and_the_rest_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bench.postgresql.BINARIES", "nowhere/*/pg_ctl")
    monkeypatch.setenv("PATH", "/nowhere")
    both = ("--database", "postgresql", "--database", "sqlite")
    found = CliRunner().invoke(main, ["bench", "--dialect", "chess-p2p", "--only", "latency", *SHORT, *both])
    assert found.exit_code == 0, found.output
    assert "PostgreSQL is not measured: PostgreSQL's server is not installed here" in found.output
    assert found.output.count("a move every 1 s each") == 1


def test_idle_connections_are_seated_in_pairs() -> None:
    shares: list[float] = []
    found = measure.idle(BogaprotPair, 5, shares.append)
    assert found.connections == 4, "the fifth would wait alone"
    assert shares[-1] == 1.0


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


@pytest.mark.parametrize("socat", [False, pytest.param(True, marks=[peers.needed, pytest.mark.nightly])])
def test_relayed_pairs_are_measured_beside_a_bare_splice_and_in_memory(
    monkeypatch: pytest.MonkeyPatch, socat: bool
) -> None:
    if socat:
        peers.program("socat")
    else:
        monkeypatch.setenv("PATH", "/nowhere")
    found = CliRunner().invoke(main, ["bench", "--only", "relay", "--idle", "20", "--seconds", "1"])
    assert found.exit_code == 0, found.output
    for name in ("boardgate", "bare trio splice", "direct", *(["socat"] if socat else [])):
        assert re.search(rf"│ +{name} │ +[0-9,]*[1-9][0-9,]* │ +[0-9]*[1-9][0-9]* │", found.output)
    assert ("socat" in found.output) is socat
    assert "20 idle relayed pairs: " in found.output


@pytest.mark.nightly  # a benchmark's own run: the measured code is tried elsewhere
def test_gtp_is_measured_by_commands_and_by_whole_games() -> None:
    found = CliRunner().invoke(main, ["bench", "--only", "gtp", "--engines", "2", "--seconds", "2"])
    assert found.exit_code == 0, found.output
    assert "A GTP command of a GUI and its answer" in found.output
    games = re.search(r"2 tables of engines that answer at once, 9x9: ([0-9,]+) games a minute", found.output)
    assert games is not None
    assert int(games[1].replace(",", "")) > 0


@pytest.mark.nightly  # a benchmark's own run: the measured code is tried elsewhere
def test_players_are_measured_in_calm_and_while_their_listener_is_flooded() -> None:
    found = CliRunner().invoke(main, ["bench", "--only", "flood", "--paced", "4", "--seconds", "2"])
    assert found.exit_code == 0, found.output
    rows = {line.split("│")[1].strip(): line.split("│")[2:] for line in found.output.splitlines() if "│" in line}
    assert all(float(rows[name][1]) > 0 for name in ("calm", *KINDS)), "the p99"
    served = {name for name in KINDS if rows[name][5].strip() != "0"}
    assert served, "a flood that gives up before its turn, as on a busy machine, may leave some of them without"
    assert served <= {"TLS", "HTTP", "HTTP-32"}, "the others ask for nothing"
    offered, opened = (float(cell.replace(",", "")) for cell in rows["connections"][3:5])
    assert offered >= opened > 0
    said = re.search(r"([0-9,]+) of ([0-9,]+) were hung up on, at most ([0-9]+) were inside", found.output)
    assert said is not None
    ended, connections, inside = (int(number.replace(",", "")) for number in said.groups())
    assert inside <= 64, "the connections of an address"
    assert connections - inside <= ended < connections, "all others were turned away"
