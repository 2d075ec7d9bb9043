"""``boardgate bench``: measure this machine. Not here: the measurements (gateway.bench)."""

from __future__ import annotations

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from gateway.bench import measure, report

SECTIONS = ("throughput", "latency", "memory")


@click.command()
@click.option("--tables", type=click.IntRange(1), multiple=True, default=(10, 100, 1000), show_default=True)
@click.option("--seconds", type=click.FloatRange(1), default=10.0, show_default=True, help="How long each run counts.")
@click.option("--idle", type=click.IntRange(2), default=5000, show_default=True, help="Connections of the memory run.")
@click.option("--paced", type=click.IntRange(1), default=1000, show_default=True, help="Tables of the latency run.")
@click.option("--only", type=click.Choice(SECTIONS), multiple=True, help="Only this measurement; may be repeated.")
def bench(tables: tuple[int, ...], seconds: float, idle: int, paced: int, only: tuple[str, ...]) -> None:
    """Measure moves per second, latency and memory on this machine.

    Starts private servers on free ports of 127.0.0.1, on one core, and loads them from the others: Boardgate, and
    beside it a bare trio relay without rules or record, as a yardstick. Nothing of yours is touched. Takes about two
    minutes.
    """
    console = Console()
    wanted = only or SECTIONS
    report.machine(console)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console, transient=True
    ) as bars:

        def show(what: str, share: float) -> None:
            bars.update(bar, description=f"{title}: {what}", completed=share)

        title = "starting"
        bar = bars.add_task(title, total=1.0)
        if "throughput" in wanted:
            found = []
            for count in tables:
                title = f"{count:,} tables"
                found.append(measure.throughput(count, seconds, show))
            report.throughputs(console, found)
        if "latency" in wanted:
            title = "latency"
            report.latencies(console, paced, 1.0, measure.paced(paced, 1.0, seconds, show))
        if "memory" in wanted:
            title = "memory"
            report.memory(console, measure.idle(idle, show))
