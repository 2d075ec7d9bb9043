"""GET /metrics: the server's and its process's figures for Prometheus. A setting says who may read them.

Every figure is there from the start, and docs/metrics.md says what each means and what to do about it. Looking costs
two microseconds a table and a connection. Source: the Prometheus naming rules.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isinf

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.cluster.node import ClusterNode
from gateway.net.addresses import address_key, is_loopback
from gateway.net.tls import Dated
from gateway.ops.server import GameServer
from gateway.relay.counters import Counters
from gateway.release import Release, release
from gateway.seating.registrar import Forbidden
from gateway.table.state import Status
from gateway.tally import Histogram
from gateway.web.askers import Askers
from gateway.web.refusals import refusing


@dataclass(frozen=True, slots=True)
class Sources:
    """Sources of the figures. ``bot_processes`` gives the ids of those that are alive."""

    server: GameServer
    relay: Counters | None = None
    certificates: Sequence[Dated] = ()
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
        if isinstance(self._of.server.node, ClusterNode):
            yield from _cluster(self._of.server.node)

    def _server(self) -> Iterator[Metric]:
        server = self._of.server
        build = GaugeMetricFamily(
            "boardgate_build_info", "1; its labels are version and build", labels=[*Release._fields]
        )
        build.add_metric(release(), 1)
        yield build
        yield _gauge("boardgate_ready", "1 while players can sit down, as /readyz", not server.not_ready())
        yield _gauge("boardgate_draining", "1 while no new tables are opened", server.drain.on)
        yield _histogram("boardgate_loop_delay_seconds", "How late the server came to what it does twice a second",
                         {"": server.metrics.late_s})  # fmt: skip
        pids = self._of.bot_processes()
        yield _gauge("boardgate_bot_processes", "Processes that think for the house: workers and engines", len(pids))
        waiting, now = server.open_reports.seen, time.time()
        yield _gauge("boardgate_reports_open", "Reports of people that the host has not closed", waiting.count)
        yield _gauge("boardgate_reports_oldest_seconds", "How long the oldest of them waits",
                     max(0.0, now - waiting.oldest_at) if waiting.count else 0.0)  # fmt: skip
        ends = GaugeMetricFamily(
            "boardgate_certificate_ends_timestamp_seconds", "When a listener's certificate ends", labels=["listener"]
        )
        for certificate in self._of.certificates:
            ends.add_metric([certificate.listener], certificate.ends)
        yield ends

    def _players(self) -> Iterator[Metric]:
        server, metrics = self._of.server, self._of.server.metrics
        now = Counter(dict.fromkeys(metrics.entered, 0))
        now.update(connection.dialect.name for connection in server.connections)
        yield _gauges("boardgate_connections", "Connections of players now", "dialect", now)
        yield _counters("boardgate_connections_opened", "Connections that were let in", "dialect", metrics.entered)
        yield _counters("boardgate_connections_turned_away", "Those that were not, and why", "why", metrics.turned_away)
        yield _counters("boardgate_connections_closed", "Those the server has ended, and why", "why", metrics.closed)
        yield _gauge(
            "boardgate_places_taken",
            "Connections that count against the limit, HTTP's too",
            server.connection_limits.inside,
        )
        yield _gauge("boardgate_places", "The limit, limits.connections", server.config.limits.connections)
        yield _counters("boardgate_rejects", "What players asked and was refused, by cause", "reason", metrics.rejects)

    def _games(self) -> Iterator[Metric]:
        server, metrics = self._of.server, self._of.server.metrics
        tables = Counter({status.value: 0 for status in Status if status is not Status.CLOSED})
        tables.update(table.state.status.value for table in server.tables.values())
        resting = Counter(dict.fromkeys((Status.OPEN.value, Status.PLAYING.value, Status.ADJOURNED.value), 0))
        resting.update(server.tables.recovery.statuses())
        yield _gauges("boardgate_tables", "Tables that run by what they are at", "status", tables)
        yield _gauges("boardgate_tables_resting", "Unfinished tables that rest in the record", "status", resting)
        yield _gauge("boardgate_tables_limit", "The limit, limits.tables", server.config.limits.tables)
        yield _counters("boardgate_moves", "Moves stored, house bots' too", "game", metrics.moves)
        yield _counters("boardgate_games_ended", "Games that have ended", "game", metrics.ended)
        yield _histogram("boardgate_move_seconds", "From hearing a player's move until everybody at its table was told",
                         metrics.move_s, "dialect")  # fmt: skip
        yield _histogram("boardgate_move_stage_seconds", "The stages of a move, each from the end of the one before",
                         metrics.stage_s, "stage")  # fmt: skip

    def _record(self) -> Iterator[Metric]:
        commits = self._of.server.commits
        tally = commits.log.tally
        yield _gauge("boardgate_writer_waiting_steps", "Steps of tables that wait to be stored", commits.waiting)
        yield _gauge("boardgate_writer_held_steps", "Those the database has refused, tried again", commits.held)
        yield _gauge("boardgate_writer_oldest_seconds", "How long the oldest of them has waited", commits.oldest_s())
        yield _histogram("boardgate_commit_seconds", "Time of a transaction with its commit", {"": tally.commit_s})
        yield _histogram("boardgate_commit_steps", "Steps in a transaction", {"": tally.steps})
        backup = self._of.server.last_backup.seen
        yield _gauge("boardgate_backup_timestamp_seconds", "When the last backup was noted, 0 where none was",
                     0 if backup is None else backup.at)  # fmt: skip
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
        yield _counters("boardgate_relay_passed_on", "Callers whose code is another node's", "", {"": relay.passed_on})
        yield _counters("boardgate_relay_bytes", "Bytes taken from a side and sent on", "side", taken)
        yield _counters("boardgate_relay_refusals", "What the relay has not done, and why", "reason", relay.refusals)


def _cluster(node: ClusterNode) -> Iterator[Metric]:
    """Figures of a server that shares its database with others."""
    member, bus = node.membership, node.bus
    carried = {"sent": bus.counts.sent, "received": bus.counts.received}
    yield _gauge("boardgate_nodes", "Nodes that lived at the last look, this one among them", len(member.living))
    yield _gauge("boardgate_lease_age_seconds", "Time since the lease was renewed", member.age_s)
    yield _gauge("boardgate_lease_seconds", "How long it lasts, cluster.lease", member.lease_s)
    yield _gauge("boardgate_lobby", "1 on the node that seats newcomers", node.has_lobby)
    yield _counters("boardgate_tables_taken_over", "Tables claimed that no living node had", "",
                    {"": node.takeover.taken_over})  # fmt: skip
    yield _gauge("boardgate_branches", "Tables of other nodes where players of this one are", len(node.branches))
    yield _gauge("boardgate_remote_clients", "Players of other nodes at tables of this one", len(node.outposts))
    yield _gauge("boardgate_silence_seconds", "The longest that a player waits for another node now",
                 node.branches.silence_s())  # fmt: skip
    yield _gauge("boardgate_bus_connected", "1 while messages to other nodes can be sent", bus.connected)
    yield _counters("boardgate_bus_messages", "Messages to and from other nodes", "direction", carried)
    yield _counters("boardgate_bus_dropped", "Messages that could not be sent", "", {"": bus.counts.dropped})


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


def metrics_route(sources: Sources, askers: Askers) -> Route:
    """The route for ``make_app``."""
    registry = CollectorRegistry()
    registry.register(Figures(sources))
    ProcessCollector(registry=registry)

    async def metrics(request: Request) -> Response:
        """Prometheus' text. Refusals are those of the API: a wrong token makes its address wait."""
        registrant = (await askers.of(request)).registrant
        who = sources.server.config.metrics.who
        local = who == "local" and is_loopback(address_key(registrant.address))
        if not (registrant.admin or local or who == "anybody"):
            raise Forbidden("these figures are for the host of this server", known=bool(registrant.account))
        headers = {"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"}
        return Response(generate_latest(registry), headers=headers)

    return Route("/metrics", refusing(metrics))
