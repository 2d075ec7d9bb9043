"""The server's figures in Prometheus' words: what was counted, and what can be looked at when somebody asks.

Every figure is there from the start, and docs/metrics.md says what each means and what to do about it. Looking costs
two microseconds a table and a connection. Not here: counting (gateway/server/metrics.py, gateway/store/tally.py,
gateway/relay/counters.py), and who may ask (metrics.py). Source: the Prometheus naming rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import isinf

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.net.tls import Certificate
from gateway.relay.counters import Counters
from gateway.server.house import House
from gateway.table.state import Status
from gateway.tally import Histogram


@dataclass(frozen=True, slots=True)
class Sources:
    """What the figures are of. ``bot_processes`` gives the ids of those that are alive."""

    house: House
    relay: Counters | None = None
    certificates: Sequence[Certificate] = ()
    bot_processes: Callable[[], Sequence[int]] = tuple


class Figures(Collector):
    """Collects when it is asked."""

    def __init__(self, sources: Sources) -> None:
        self._of = sources

    def collect(self) -> Iterator[Metric]:
        yield from self._server()
        yield from self._players()
        yield from self._games()
        yield from self._record()
        yield from self._relayed()

    def _server(self) -> Iterator[Metric]:
        house = self._of.house
        build = GaugeMetricFamily("boardgate_build_info", "1; its label is the version", labels=["version"])
        build.add_metric([version("boardgate")], 1)
        yield build
        yield _gauge("boardgate_ready", "1 while players can sit down, as /readyz", not house.not_ready())
        yield _gauge("boardgate_draining", "1 while no new tables are opened", house.drain.on)
        yield _histogram("boardgate_loop_delay_seconds", "How late the server came to what it does twice a second",
                         {"": house.metrics.late_s})  # fmt: skip
        pids = self._of.bot_processes()
        yield _gauge("boardgate_bot_processes", "Processes that think for the house: workers and engines", len(pids))
        ends = GaugeMetricFamily(
            "boardgate_certificate_ends_timestamp_seconds", "When a listener's certificate ends", labels=["listener"]
        )
        for certificate in self._of.certificates:
            ends.add_metric([certificate.listener], certificate.ends)
        yield ends

    def _players(self) -> Iterator[Metric]:
        house, metrics = self._of.house, self._of.house.metrics
        now = Counter(dict.fromkeys(metrics.entered, 0))
        now.update(connection.dialect.name for connection in house.connections)
        yield _gauges("boardgate_connections", "Connections of players now", "dialect", now)
        yield _counters("boardgate_connections_opened", "Connections that were let in", "dialect", metrics.entered)
        yield _counters("boardgate_connections_turned_away", "Those that were not, and why", "why", metrics.turned_away)
        yield _counters("boardgate_connections_closed", "Those the server has ended, and why", "why", metrics.closed)
        yield _gauge(
            "boardgate_places_taken", "Connections that count against the limit, HTTP's too", house.doors.inside
        )
        yield _gauge("boardgate_places", "The limit, limits.connections", house.config.limits.connections)
        yield _counters("boardgate_rejects", "What players asked and was refused, by cause", "reason", metrics.rejects)

    def _games(self) -> Iterator[Metric]:
        house, metrics = self._of.house, self._of.house.metrics
        tables = Counter({status.value: 0 for status in Status if status is not Status.CLOSED})
        tables.update(table.state.status.value for table in house.tables.values())
        resting = Counter(dict.fromkeys((Status.OPEN.value, Status.PLAYING.value, Status.ADJOURNED.value), 0))
        resting.update(house.resting.statuses())
        yield _gauges("boardgate_tables", "Tables that run by what they are at", "status", tables)
        yield _gauges("boardgate_tables_resting", "Unfinished tables that rest in the record", "status", resting)
        yield _gauge("boardgate_tables_limit", "The limit, limits.tables", house.config.limits.tables)
        yield _counters("boardgate_moves", "Moves stored, house bots' too", "game", metrics.moves)
        yield _counters("boardgate_games_ended", "Games that have ended", "game", metrics.ended)
        yield _histogram("boardgate_move_seconds", "From hearing a player's move until everybody at its table was told",
                         metrics.move_s, "dialect")  # fmt: skip

    def _record(self) -> Iterator[Metric]:
        scribe = self._of.house.scribe
        tally = scribe.log.tally
        yield _gauge("boardgate_writer_waiting_steps", "Steps of tables that wait to be stored", scribe.waiting)
        yield _gauge("boardgate_writer_held_steps", "Those the database has refused, tried again", scribe.held)
        yield _gauge("boardgate_writer_oldest_seconds", "How long the oldest of them has waited", scribe.oldest_s())
        yield _histogram("boardgate_commit_seconds", "Time of a transaction with its commit", {"": tally.commit_s})
        yield _histogram("boardgate_commit_steps", "Steps in a transaction", {"": tally.steps})
        yield _counters("boardgate_commits_failed", "Transactions that came to nothing", "", {"": tally.failed})

    def _relayed(self) -> Iterator[Metric]:
        relay = self._of.relay or Counters()
        taken = {"first": relay.bytes_from_first, "second": relay.bytes_from_second}
        yield _gauge("boardgate_relay_rooms", "Codes that wait or are in use", relay.rooms_now)
        yield _counters("boardgate_relay_rooms_opened", "Codes that were made", "", {"": relay.rooms})
        yield _counters("boardgate_relay_rooms_expired", "Those no two ever met by", "", {"": relay.expired})
        yield _gauge("boardgate_relay_pairs", "Pairs that are joined now", relay.pairs_now)
        yield _counters("boardgate_relay_pairs_joined", "Pairs joined by the relay", "", {"": relay.pairs})
        yield _counters("boardgate_relay_pairs_direct", "Pairs that needed it only to meet", "", {"": relay.direct})
        yield _counters("boardgate_relay_bytes", "Bytes taken from a side and sent on", "side", taken)
        yield _counters("boardgate_relay_refusals", "What the relay has not done, and why", "reason", relay.refusals)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=float(value))


def _gauges(name: str, text: str, label: str, values: Mapping[str, int]) -> Metric:
    return _filled(GaugeMetricFamily(name, text, labels=[label]), values)


def _counters(name: str, text: str, label: str, values: Mapping[str, int]) -> Metric:
    """One for each key of ``values``; with no ``label`` there is one."""
    return _filled(CounterMetricFamily(name, text, labels=[label] if label else []), values)


def _filled(family: GaugeMetricFamily | CounterMetricFamily, values: Mapping[str, int]) -> Metric:
    for key, value in sorted(values.items()):
        family.add_metric([key] if key else [], value)
    return family


def _histogram(name: str, text: str, found: Mapping[str, Histogram], label: str = "") -> Metric:
    family = HistogramMetricFamily(name, text, labels=[label] if label else [])
    for key, histogram in sorted(found.items()):
        family.add_metric([key] if key else [], list(_buckets(histogram.up_to())), histogram.total)
    return family


def _buckets(pairs: Iterable[tuple[float, int]]) -> Iterator[tuple[str, int]]:
    yield from (("+Inf" if isinf(bound) else str(bound), count) for bound, count in pairs)
