"""``boardgate bench``: measure this machine. Not here: the measurements (gateway.bench)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from gateway.bench import gtp, measure, relayed, report, rules
from gateway.bench.chess_pair import ChessPair, TimedChessPair
from gateway.bench.measure import Players
from gateway.bench.pairs import BogaprotPair

SECTIONS = ("throughput", "latency", "memory", "rules", "gtp", "relay")

PLAYERS: Final[Mapping[str, Players]] = {players.dialect: players for players in (BogaprotPair, ChessPair)}
TIMED: Final[Mapping[Players, Players]] = {ChessPair: TimedChessPair}
"""Of those who can agree on a clock, the ones that do."""

RELAYED_S: Final = 4.0
"""Seconds that are enough for a relayed pair: some gigabytes."""

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
@click.option("--paced", type=click.IntRange(1), default=1000, show_default=True, help="Tables of the latency run.")
@click.option("--engines", type=click.IntRange(1), default=100, show_default=True, help="Tables of engines (gtp).")
@click.option("--only", type=click.Choice(SECTIONS), multiple=True, help="Only this measurement; may be repeated.")
def bench(
    dialect: tuple[str, ...],
    clock: bool,
    tables: tuple[int, ...],
    seconds: float,
    idle: int,
    paced: int,
    engines: int,
    only: tuple[str, ...],
) -> None:
    """Measure moves per second, latency, memory and the rules on this machine.

    Checkers over Bogaprot, chess over chess-p2p, commands and engines over GTP, relayed pairs. Private servers run on
    one core, on free ports of 127.0.0.1, and are loaded from the others; beside Boardgate a bare trio relay without
    rules or record, as a yardstick. Nothing of yours is touched. Takes about five minutes.
    """
    console, wanted = Console(), only or SECTIONS
    chosen = [PLAYERS[name] for name in dict.fromkeys(dialect or PLAYERS)]
    playing = [TIMED.get(players, players) if clock else players for players in chosen]
    report.machine(console)
    with _bars(console) as show:
        if "throughput" in wanted:
            _throughput(console, playing, tables, seconds, show)
        for players in playing if "latency" in wanted else ():
            count = measure.boardgate(players, paced, seconds, show(f"{players.dialect}, latency"), 1.0)
            report.latencies(console, players.title(), paced, 1.0, count)
        for players in playing if "memory" in wanted else ():
            found = measure.idle(players, idle, show(f"{players.dialect}, memory"))
            report.memory(console, players.title(), found)
        if "rules" in wanted:
            report.costs(console, _costs(playing, show("rules")))
        if "gtp" in wanted:
            report.transport(console, gtp.transport(show("gtp, commands")))
            report.games(console, gtp.engines(engines, seconds, show("gtp, engines")))
        if "relay" in wanted:
            report.relayed(console, relayed.speeds(min(seconds, RELAYED_S), show("relay, speed")))
            report.relayed_memory(console, relayed.idle(idle, show("relay, memory")))


def _throughput(
    console: Console, playing: Sequence[Players], tables: Iterable[int], seconds: float, show: Show
) -> None:
    """For each number of tables the relay, and beside it everybody who plays."""
    found: list[list[measure.Throughput]] = [[] for _ in playing]
    for count in tables:
        beside = measure.throughputs(playing, count, seconds, show(f"{count:,} tables"))
        for rows, throughput in zip(found, beside, strict=True):
            rows.append(throughput)
    for rows, players in zip(found, playing, strict=True):
        report.throughputs(console, players.title(), rows)


def _costs(playing: Sequence[Players], show: Callable[[float], None]) -> list[rules.Cost]:
    games = [*dict.fromkeys(players.game for players in playing), "go"]
    found = []
    for done, name in enumerate(games):
        show(done / len(games))
        found.append(rules.cost(name))
    return found


@contextmanager
def _bars(console: Console) -> Iterator[Show]:
    """A progress bar while something is measured, gone afterwards."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        bar = bars.add_task("starting", total=1.0)

        def show(title: str) -> Callable[[float], None]:
            return lambda share: bars.update(bar, description=title, completed=share)

        yield show
