"""The tables people read. Not here: measuring."""

from __future__ import annotations

import platform
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from gateway.bench.load import Count
from gateway.bench.measure import Idle, Throughput


def machine(console: Console) -> None:
    """What was measured on, as far as it matters."""
    console.print(f"Python {platform.python_version()}, {platform.system()} {platform.release()}")
    console.print("server on one core, load on another; ratios within this run are what counts\n")


def throughputs(console: Console, found: Sequence[Throughput]) -> None:
    """Moves per second: checkers with its rules, each move stored (synchronous=FULL) before both are told."""
    table = Table(title="Moves per second, two clients a table in strict alternation", title_justify="left")
    for heading in ("tables", "bare relay", "boardgate", "ratio", "p50 ms", "p99 ms"):
        table.add_column(heading, justify="right")
    for row in found:
        ours = row.boardgate
        table.add_row(
            f"{row.tables:,}",
            f"{row.relay.rate:,.0f}",
            f"{ours.rate:,.0f}",
            f"{row.ratio:.2f}",
            f"{1000 * ours.percentile(0.5):.1f}",
            f"{1000 * ours.percentile(0.99):.1f}",
        )
    console.print(table)


def latencies(console: Console, tables: int, interval_s: float, count: Count) -> None:
    """One move a table in each interval."""
    table = Table(title=f"{tables:,} tables, a move every {interval_s:g} s each", title_justify="left")
    for heading in ("moves/s", "p50 ms", "p90 ms", "p99 ms", "worst ms"):
        table.add_column(heading, justify="right")
    shares = (0.5, 0.9, 0.99, 1.0)
    table.add_row(f"{count.rate:,.0f}", *(f"{1000 * count.percentile(share):.1f}" for share in shares))
    console.print(table)


def memory(console: Console, found: Idle) -> None:
    """Seated and silent."""
    console.print(
        f"{found.connections:,} idle connections, seated in pairs: {found.bytes_each / 1024:.1f} KiB each, "
        "their tables included"
    )
