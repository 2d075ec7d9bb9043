"""The tables people read."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Final

from bench.analysis import Beside
from bench.exchange import UNDER_WAY, Exchanged
from bench.flood import PLACES, Disturbance
from bench.floods import MANY
from bench.gtp import Games, Transport
from bench.guests import Guest
from bench.leaderboard import Board
from bench.load import Count
from bench.lobby import Listed
from bench.measure import Idle, Throughput
from bench.newcomers import Entered
from bench.nodes import EACH_S, MOVES_S, TABLES, Crossed, Drained
from bench.observers import Observed
from bench.ratings import Rebuilt
from bench.relayed import Speed
from bench.rules import STEPS, Cost
from bench.start import Started
from gateway.cli.drawing import Table

MIB: Final = 1 << 20

Say = Callable[[str | Table], None]
"""Takes lines and tables that are to be printed."""


def machine(say: Say) -> None:
    """The machine, as far as it matters."""
    say(f"Python {platform.python_version()}, {platform.system()} {platform.release()}")
    say("server on one core, with its database, load on another; ratios within this run are what counts\n")


def throughputs(say: Say, who: str, found: Sequence[Throughput]) -> None:
    """Moves per second of two clients a table in strict alternation.

    Judged by the rules, each move stored (SQLite: synchronous=FULL; PostgreSQL: its own settings) before both are told.
    """
    headings = ("tables", "record", "bare relay", "boardgate", "ratio", "p50 ms", "p99 ms")
    table = _table(f"Moves per second: {who}", headings)
    for row in found:
        ours = row.boardgate
        table.add_row(
            f"{row.tables:,}",
            row.record,
            f"{row.relay.rate:,.0f}",
            f"{ours.rate:,.0f}",
            f"{row.ratio:.2f}",
            f"{1000 * ours.percentile(0.5):.1f}",
            f"{1000 * ours.percentile(0.99):.1f}",
        )
    say(table)


def latencies(say: Say, who: str, tables: int, interval_s: float, count: Count) -> None:
    """One move a table in each interval."""
    headings = ("moves/s", "p50 ms", "p90 ms", "p99 ms", "worst ms")
    table = _table(f"{tables:,} tables, a move every {interval_s:g} s each: {who}", headings)
    shares = (0.5, 0.9, 0.99, 1.0)
    table.add_row(f"{count.rate:,.0f}", *(f"{1000 * count.percentile(share):.1f}" for share in shares))
    say(table)


def memory(say: Say, who: str, found: Idle) -> None:
    """Seated and silent."""
    say(
        f"{found.connections:,} idle connections, seated in pairs, {who}: "
        f"{found.bytes_each / 1024:.1f} KiB each, tables included",
    )


def visitors(say: Say, found: Idle) -> None:
    """Here and silent."""
    say(f"{found.connections:,} idle visitors of ics: {found.bytes_each / 1024:.1f} KiB each")


def costs(say: Say, found: Sequence[Cost]) -> None:
    """The time of each game's rules on one core."""
    headings = ("game", "moves", "men", *STEPS, "all")
    table = _table("Rules alone, microseconds a move (text: for chess the FEN)", headings)
    for row in found:
        times = (f"{1e6 * seconds:.1f}" for seconds in (*row.steps, row.whole))
        table.add_row(row.game, f"{row.moves:,}", f"{row.men:.1f}", *times)
    say(table)


def started(say: Say, found: Started) -> None:
    """A start after a crash, on one core with its database."""
    headings = (
        "open after s",
        "processor s",
        "first player s",
        "others s",
        "memory at rest MiB",
        "while replaying MiB",
        "tables/s",
    )
    table = _table(f"Start with {found.tables:,} unfinished games, {found.events:,} events", headings)
    seconds = (f"{row:.2f}" for row in (found.open_s, found.processor_s, found.first_s, found.other_s))
    memory = (f"{row / MIB:.0f}" for row in (found.resting_bytes, found.replaying_bytes))
    table.add_row(*seconds, *memory, f"{found.replayed_per_second:.0f}")
    say(table)


def transport(say: Say, found: Transport) -> None:
    """A GTP command and its answer."""
    over = 1e6 * (found.server_s - found.pipe_s)
    say(
        f"A GTP command of a GUI and its answer: {1e6 * found.server_s:.0f} microseconds, through a bare pipe "
        f"{1e6 * found.pipe_s:.0f}; {over:.0f} more (medians)",
    )


def games(say: Say, found: Games) -> None:
    """Whole games of engines."""
    say(
        f"{found.tables:,} tables of engines that answer at once, 9x9: {found.per_minute:,.0f} games a minute",
    )


def relayed(say: Say, found: Sequence[Speed]) -> None:
    """Two joined by each of these; the last is nothing between them."""
    *ways, direct = found
    table = _table("A relayed pair", ("joined by", "MB/s one way", "a byte there and back, us", "of that added, us"))
    for way in (*ways, direct):
        added = "" if way is direct else f"{1e6 * (way.round_trip_s - direct.round_trip_s):.0f}"
        table.add_row(way.name, f"{way.bytes_per_second / 1e6:,.0f}", f"{1e6 * way.round_trip_s:.0f}", added)
    say(table)
    ratios = ", ".join(f"{way.name} {ways[0].bytes_per_second / way.bytes_per_second:.2f}" for way in ways[1:])
    say(f"throughput of {ways[0].name} as a multiple of: {ratios}\n")


def relayed_memory(say: Say, found: Idle) -> None:
    """Joined and silent."""
    say(
        f"{found.connections:,} idle relayed pairs: {found.bytes_each / 1024:.1f} KiB a pair of the server's memory",
    )


def flooded(say: Say, found: Disturbance) -> None:
    """Moves in calm and in each kind of flood, by turns in one run."""
    headings = ("", "p50 ms", "p99 ms", "to calm", "offered/s", "opened/s", "served/s")
    table = _table(
        f"{found.tables:,} tables, a move every second each, while one of its listeners is flooded", headings
    )
    table.add_row("calm", *_p50_and_p99(found.calm), "1.00")
    for name, trouble in found.troubles.items():
        counts = (trouble.opened + trouble.unanswered, trouble.opened, trouble.served)
        rates = (f"{trouble.per_second(count):,.0f}" for count in counts)
        table.add_row(name, *_p50_and_p99(trouble.moves), f"{found.ratio(trouble):.2f}", *rates)
    say(table)
    flood = found.troubles["connections"]
    say(
        f"connections: silent, all from one address; {flood.ended:,} of {flood.opened:,} were hung up on, "
        f"at most {flood.most_left} were inside at the end of a turn, where {PLACES} may be. malformed: from "
        f"{len(MANY)} addresses. TLS: whole handshakes from one address, hellos and garbage from {len(MANY)}; HTTP: "
        "requests. opened: the system's queue had room. served: handshakes shaken, pages sent\n",
    )


def observed(say: Say, found: Observed) -> None:
    """Observers of one game, beside bare sends and beside other tables, by turns in one run."""
    headings = ("", "us each", "to bare", "bytes", "last told p50 ms", "p99 ms")
    table = _table(f"{found.observers:,} observers of one game of chess in browsers", headings)
    for name, side, each_us in (("bare sends", found.bare, found.bare_us), ("boardgate", found.web, found.each_us)):
        size = side.told.size / side.told.moves if side.told.moves else 0.0
        ratio = each_us / found.bare_us if found.bare_us else 0.0
        lasts = (f"{1000 * side.last_s(share):.1f}" for share in (0.5, 0.99))
        table.add_row(name, f"{each_us:.1f}", f"{ratio:.2f}", f"{size:.0f}", *lasts)
    say(table)
    calm, disturbed = found.calm.percentile(0.99), found.disturbed.percentile(0.99)
    ratio = disturbed / calm if calm else 0.0
    say(
        f"{found.tables:,} other tables, a move every second each: p99 {1000 * calm:.1f} ms alone, "
        f"{1000 * disturbed:.1f} ms beside that game, {ratio:.2f} times; "
        f"an observer who is told nothing: {found.bytes_each / 1024:.1f} KiB of the server's memory\n",
    )


def listed(say: Say, found: Listed) -> None:
    """The lobby's page."""
    p50, p99 = _p50_and_p99(found.answers)
    say(
        f"The lobby with {found.tables:,} tables being played and {found.waiting:,} players who wait: "
        f"{1000 * found.page_s:.1f} ms of the server a page, {found.bytes_each / 1024:.1f} KiB; "
        f"answered in {p50} ms (p50), {p99} ms (p99)",
    )


def boards(say: Say, found: Sequence[Board]) -> None:
    """Lists of rated players, by how many of them have a place."""
    heading = f"Lists of {found[0].players:,} rated players on {found[0].database}"
    table = _table(heading, ("with a place", "asked for", "p50 ms", "p99 ms"))
    for row in found:
        table.add_row(f"{row.share:.0%}", row.what, *_p50_and_p99(row.answers))
    say(table)


def rebuilt(say: Say, found: Rebuilt) -> None:
    """All ratings made anew, and in how many times the time of the arithmetic alone."""
    heading = f"Ratings of {found.games:,} games made anew on {found.database}, one core"
    table = _table(heading, ("ratings before", "us a game", "games/s", "ratio to the arithmetic"))
    for before, taken_s in (("none", found.first_s), ("of the same games", found.again_s)):
        each, ratio = 1e6 * taken_s / found.games, taken_s / found.arithmetic_s
        table.add_row(before, f"{each:.0f}", f"{found.games / taken_s:,.0f}", f"{ratio:.1f}")
    say(table)


def disturbed(say: Say, found: Sequence[Beside]) -> None:
    """Tables alone, and while a finished game is looked at, by turns in one run."""
    heading = f"{found[0].tables:,} tables, a move every second each, beside an analysis on the same core"
    table = _table(heading, ("looked at", "by", "p50 ms", "alone", "p99 ms", "alone", "ratio"))
    for row in found:
        pairs = zip(_p50_and_p99(row.disturbed), _p50_and_p99(row.calm), strict=True)
        calm = row.calm.percentile(0.99)
        ratio = f"{row.disturbed.percentile(0.99) / calm:.2f}" if row.engine and calm else ""
        shown = [word for pair in pairs for word in pair]
        table.add_row(row.game, row.engine or "no engine", *shown, ratio)
    say(table)


def entered(say: Say, found: Mapping[type[Guest], Sequence[Entered]]) -> None:
    """Crowds of each dialect, each beside the smallest."""
    headings = ("dialect", "at once", "in a game", "refused", "seconds", "us each", "ratio")
    table = _table("Newcomers who come at once, until all are in a game", headings)
    for kind, rows in found.items():
        least = rows[0].each_us
        for row in rows:
            counts = (f"{row.crowd:,}", f"{row.playing:,} of {row.newcomers:,}", f"{row.refused:,}")
            ratio = f"{row.each_us / least:.2f}" if least else ""
            table.add_row(kind.dialect, *counts, f"{median(row.seconds):.2f}", f"{row.each_us:,.0f}", ratio)
    say(table)
    say(
        "seconds: of one crowd (median); us each: microseconds of the server's processor for each who got a game; "
        "ratio: that to the smallest crowd's. Small crowds come one after another\n",
    )


def crossings(say: Say, found: Sequence[Crossed]) -> None:
    """The same moves on one node and on two, by where their players have connected; by turns in one run."""
    headings = ("nodes", "cross", "/s", "home", "away", "db", "bus", "all", "adds", "p50", "p99")
    table = _table(f"{TABLES:,} tables, {MOVES_S:,} moves/s of checkers: microseconds of processor a move", headings)
    base = next(row for row in found if row.nodes > 1 and not row.crossing)
    for row in found:
        shares = (row.table_s, row.players_s, row.database_s, row.bus_s, row.all_s)
        each = (f"{row.each_us(seconds):.0f}" for seconds in shares)
        more = f"{row.more_us(base):.0f}" if row.crossing else ""
        share = f"{100 * row.crossing:.0f} %"
        table.add_row(str(row.nodes), share, f"{row.count.rate:,.0f}", *each, more, *_p50_and_p99(row.count))
    say(table)
    say(
        "cross: the share of moves whose player is connected to another node than the table's; home: the table's node; "
        "away: the other; db: PostgreSQL without the sessions of the bus; adds: what a crossing adds to all; p50, p99: "
        "milliseconds of a move. Nodes and PostgreSQL share a core, the load has the other: two cores cannot show that "
        "two nodes carry more moves than one, only what a move costs.\n",
    )


def exchanged(say: Say, found: Exchanged) -> None:
    """Two nodes exchanged the messages of a crossing and did nothing else."""
    bus, ends = found.each_us(found.bus_s), found.each_us(found.ends_s)
    say(
        f"The two messages of a crossing alone, written, carried and read, {UNDER_WAY} under way at once: "
        f"{bus + ends:.0f} microseconds of processor, {bus:.0f} of them the bus's\n",
    )


def drained(say: Say, found: Drained) -> None:
    """A node has given its tables away while they were played at."""
    heading = f"A node with {found.tables:,} tables drains; each moves every {EACH_S:g} s"
    table = _table(heading, ("", "moves", "p50 ms", "p99 ms", "longest ms"))
    for name, count in (("before", found.before), ("meanwhile", found.during)):
        longest = f"{1000 * count.percentile(1.0):.1f}"
        table.add_row(name, f"{count.moves:,}", *_p50_and_p99(count), longest)
    say(table)
    say(f"all tables were at the other node after {found.seconds:.1f} s; games that ended: {found.ended}\n")


def _p50_and_p99(count: Count) -> tuple[str, str]:
    return f"{1000 * count.percentile(0.5):.1f}", f"{1000 * count.percentile(0.99):.1f}"


def _table(title: str, headings: Sequence[str]) -> Table:
    return Table(*headings, title=title, right=range(len(headings)), edge="│")
