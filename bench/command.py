"""``boardgate bench``: measure this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Final

import click

from bench import (
    analysis,
    flood,
    gtp,
    leaderboard,
    lobby,
    measure,
    newcomers,
    nodes,
    observers,
    process,
    ratings,
    relayed,
    report,
    rules,
    visitors,
)
from bench.chess_pair import ChessPair, TimedChessPair
from bench.exchange import exchanged
from bench.measure import Players
from bench.pairs import BogaprotPair
from bench.postgresql import NotInstalled
from bench.report import Say
from bench.start import start
from bench.web_pair import ProgramPair, WebPair
from gateway.cli import drawing
from gateway.cli.drawing import Bar, Table

SECTIONS = (
    "throughput",
    "latency",
    "memory",
    "observers",
    "lobby",
    "leaderboard",
    "ratings",
    "analysis",
    "newcomers",
    "rules",
    "gtp",
    "relay",
    "flood",
    "start",
    "nodes",
)

PLAYERS: Final[Mapping[str, Players]] = {
    players.kind(): players for players in (BogaprotPair, ChessPair, WebPair, ProgramPair)
}
TIMED: Final[Mapping[Players, Players]] = {ChessPair: TimedChessPair}
"""Pairs with a clock."""

RELAYED_S: Final = 4.0
"""Seconds that are enough for a relayed pair: some gigabytes."""

EXCHANGED_S: Final = 4.0
"""Seconds that are enough for messages alone: a hundred thousand."""

Show = Callable[[str], Callable[[float], None]]
"""A description to what is told the share that is done."""


@click.command()
@click.option("--dialect", type=click.Choice(list(PLAYERS)), multiple=True, help="Only this one; may be repeated.")
@click.option("--clock", is_flag=True, help="Where the dialect has words for it the games are played with clocks.")
@click.option("--tables", type=click.IntRange(1), multiple=True, default=(10, 100, 1000), show_default=True)
@click.option("--seconds", type=click.FloatRange(1), default=10.0, show_default=True, help="How long each run counts.")
@click.option(
    "--idle",
    type=click.IntRange(2),
    default=5000,
    show_default=True,
    help="Connections, or relayed pairs, of memory.",
)
@click.option(
    "--paced",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Tables of the latency, lobby and flood runs.",
)
@click.option(
    "--unfinished", type=click.IntRange(1), default=20_000, show_default=True, help="Games of the record (start)."
)
@click.option(
    "--events", type=click.IntRange(10), default=200, show_default=True, help="Events of each of these (start)."
)
@click.option(
    "--observers", "crowd", type=click.IntRange(1), default=2000, show_default=True, help="Observers of one game."
)
@click.option(
    "--beside", type=click.IntRange(1), default=100, show_default=True, help="Other tables that play beside these."
)
@click.option(
    "--newcomers",
    "at_once",
    type=click.IntRange(2),
    multiple=True,
    default=(10, 100, 1000, 2000),
    show_default=True,
    help="Clients that come at once (newcomers).",
)
@click.option(
    "--players", type=click.IntRange(1), default=100_000, show_default=True, help="Rated players (leaderboard)."
)
@click.option("--games", type=click.IntRange(100), default=50_000, show_default=True, help="Rated games (ratings).")
@click.option("--engines", type=click.IntRange(1), default=100, show_default=True, help="Tables of engines (gtp).")
@click.option(
    "--database",
    type=click.Choice(["sqlite", "postgresql"]),
    multiple=True,
    default=("sqlite",),
    show_default=True,
    help="Where moves and latencies are stored meanwhile; may be repeated. PostgreSQL is one of the benchmark's own.",
)
@click.option("--only", type=click.Choice(SECTIONS), multiple=True, help="Only this measurement; may be repeated.")
def bench(
    dialect: tuple[str, ...],
    clock: bool,
    tables: tuple[int, ...],
    seconds: float,
    idle: int,
    paced: int,
    unfinished: int,
    events: int,
    crowd: int,
    beside: int,
    at_once: tuple[int, ...],
    players: int,
    games: int,
    engines: int,
    database: tuple[str, ...],
    only: tuple[str, ...],
) -> None:
    """Measure moves per second, latency, memory and the rules on this machine.

    Checkers over Bogaprot, chess over chess-p2p and in browsers, observers of one game, lists of rated players, ratings
    made anew, tables beside an analysis, newcomers in every dialect, commands and engines over GTP, relayed pairs.
    Private servers run on one core, on free ports of 127.0.0.1, and are loaded from the others; beside Boardgate a bare
    trio relay without rules or record, as a yardstick. Then a server with its default limits is flooded, one is started
    on a record full of unfinished games, and two are the nodes of one PostgreSQL (all Linux only). Nothing of yours is
    touched.
    Takes about twelve minutes.
    """
    wanted = only or SECTIONS
    chosen = [PLAYERS[name] for name in dict.fromkeys(dialect or PLAYERS)]
    playing = [TIMED.get(pair, pair) if clock else pair for pair in chosen]
    with drawing.bar() as bar, ExitStack() as stack:
        say, show = _above(bar), _showing(bar)
        report.machine(say)
        records = stack.enter_context(_records(say, database))
        if "throughput" in wanted:
            _throughput(say, playing, tables, seconds, show, records)
        if "latency" in wanted:
            _latency(say, playing, paced, seconds, show, records)
        for pair in playing if "memory" in wanted else ():
            found = measure.idle(pair, idle, show(f"{pair.kind()}, memory"))
            report.memory(say, pair.title(), found)
        if "memory" in wanted:
            report.visitors(say, visitors.idle(idle, show("visitors, memory")))
        if "observers" in wanted:
            report.observed(say, observers.observed(crowd, beside, seconds, show("observers")))
        if "lobby" in wanted:
            report.listed(say, lobby.listed(paced, seconds, show("lobby")))
        if "leaderboard" in wanted:
            _leaderboard(say, database, players, seconds, show)
        if "ratings" in wanted:
            _ratings(say, database, games, show)
        if "analysis" in wanted:
            report.disturbed(say, analysis.beside(beside, seconds, show("analysis")))
        if "newcomers" in wanted:
            report.entered(say, newcomers.entered(at_once, show("newcomers")))
        if "rules" in wanted:
            report.costs(say, _costs(playing, show("rules")))
        if "gtp" in wanted:
            report.transport(say, gtp.transport(show("gtp, commands")))
            report.games(say, gtp.engines(engines, seconds, show("gtp, engines")))
        if "relay" in wanted:
            report.relayed(say, relayed.speeds(min(seconds, RELAYED_S), show("relay, speed")))
            report.relayed_memory(say, relayed.idle(idle, show("relay, memory")))
        if "flood" in wanted:
            report.flooded(say, flood.disturbance(paced, seconds, show("flood")))
        if "start" in wanted:
            report.started(say, start(unfinished, events, seconds, show("start")))
        if "nodes" in wanted:
            _crossings(say, seconds, show)


def _leaderboard(say: Say, databases: Iterable[str], players: int, seconds: float, show: Show) -> None:
    """Measure lists of rated players on databases of their own."""
    for name in dict.fromkeys(databases):
        try:
            boards = leaderboard.boards(players, seconds, name == "postgresql", show(f"leaderboard, {name}"))
            report.boards(say, boards)
        except NotInstalled as missing:
            say(f"The leaderboard on PostgreSQL is not measured: {missing}")


def _ratings(say: Say, databases: Iterable[str], games: int, show: Show) -> None:
    """Make the ratings of so many games anew, on databases of their own."""
    for name in dict.fromkeys(databases):
        try:
            report.rebuilt(say, ratings.rebuilt(games, name == "postgresql", show(f"ratings, {name}")))
        except NotInstalled as missing:
            say(f"Ratings on PostgreSQL are not measured: {missing}")


def _crossings(say: Say, seconds: float, show: Show) -> None:
    """Measure nodes on a PostgreSQL of their own."""
    try:
        report.crossings(say, nodes.crossings(seconds, show("nodes")))
        report.exchanged(say, exchanged(min(seconds, EXCHANGED_S), show("nodes, messages alone")))
        report.drained(say, nodes.drained(nodes.DRAINED, show("nodes, draining")))
    except NotInstalled as missing:
        say(f"Nodes are not measured: {missing}")


@contextmanager
def _records(say: Say, names: Iterable[str]) -> Iterator[list[measure.Record]]:
    """The database of the measured server."""
    with ExitStack() as stack:
        found = []
        for name in dict.fromkeys(names):
            if name == "sqlite":
                found.append(measure.SQLITE)
                continue
            try:
                found.append(measure.hosted(stack.enter_context(process.postgresql())))
            except NotInstalled as missing:
                say(f"PostgreSQL is not measured: {missing}")
        yield found


def _throughput(
    say: Say,
    playing: Sequence[Players],
    tables: Iterable[int],
    seconds: float,
    show: Show,
    records: Sequence[measure.Record],
) -> None:
    """For each number of tables the relay, and beside it every kind of pair, on every database."""
    found: dict[Players, list[measure.Throughput]] = {players: [] for players in playing}
    for count in tables if records else ():
        beside = iter(measure.throughputs(playing, count, seconds, show(f"{count:,} tables"), records))
        for rows in found.values():
            rows += islice(beside, len(records))
    for players, rows in found.items():
        report.throughputs(say, players.title(), rows)


def _latency(
    say: Say,
    playing: Sequence[Players],
    tables: int,
    seconds: float,
    show: Show,
    records: Sequence[measure.Record],
) -> None:
    """Measure the time of a move when every table makes one a second."""
    for players in playing:
        for record in records:
            shown = show(f"{players.kind()}, latency")
            count = measure.boardgate(players, tables, seconds, shown, 1.0, record)
            where = "" if record is measure.SQLITE else f", on {record.name}"
            report.latencies(say, players.title() + where, tables, 1.0, count)


def _costs(playing: Sequence[Players], show: Callable[[float], None]) -> list[rules.Cost]:
    games = [*dict.fromkeys(players.game for players in playing), "go"]
    found = []
    for done, name in enumerate(games):
        show(done / len(games))
        found.append(rules.cost(name))
    return found


def _above(bar: Bar) -> Say:
    """Prints where the bar was, which is drawn again below."""

    def say(what: str | Table) -> None:
        bar.clear()
        drawing.say(what)

    return say


def _showing(bar: Bar) -> Show:
    """Draws on the bar what is measured."""
    return lambda title: lambda share: bar.show(title, share, 1.0)
