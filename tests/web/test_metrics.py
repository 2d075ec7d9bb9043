"""GET /metrics: every figure means what docs/metrics.md says, and what the dashboards ask for exists."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn

import pytest
import trio
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.exc import SQLAlchemyError
from trio.testing import MockClock

from gateway import registry
from gateway.accounts.tokens import AdminToken
from gateway.config.model import Metrics, Registering
from gateway.net.tls import Certificate
from gateway.ops.looking import Looking
from gateway.relay.counters import Counters
from gateway.sessions.connection import COMMAND_BYTES
from gateway.store.acts import ActLog
from gateway.store.backups import note_made, note_restored
from gateway.store.records import Act
from gateway.tally import SECONDS
from gateway.web.app import make_app
from gateway.web.forwarded import Forwarded
from gateway.web.metrics import Figures, Sources, metrics_route
from gateway.web.routes import askers_of
from protocols.core.errors import Why
from tests.certificates import Authority
from tests.cluster.world import Member, world
from tests.failing_record import Waiting, waiting
from tests.hall import Hall, config, hall
from tests.running import made_record
from tests.store.conftest import connected
from tests.web.serving import connect, everything, served

ROOT = Path(__file__).parents[2]
SECRET = "the-host-s-own-secret-word"
TOKEN = AdminToken(Registering(admin_token=SECRET))

Samples = dict[tuple[str, ...], float]
"""By name and then the values of its labels."""


@asynccontextmanager
async def watched(
    who: Literal["local", "admin", "anybody"] = "local",
    relay: Counters | None = None,
    *certificates: Certificate,
    proxy: bool = False,
) -> AsyncIterator[tuple[Hall, int]]:
    """A server with a game and the port of its metrics."""
    async with hall(replace(config(), metrics=Metrics(who)), patience_s=20.0) as here:
        sources = Sources(here.server, relay, certificates, lambda: (17, 18))
        views: Any = None  # nobody presents a ticket
        app = make_app(here.server.not_ready, [metrics_route(sources, askers_of(here.server, TOKEN, views))])
        async with served(Forwarded(app) if proxy else app) as port:
            yield here, port


async def asked(port: int, *headers: str) -> tuple[int, str]:
    """Status and text."""
    lines = "".join(f"{line}\r\n" for line in headers)
    async with await connect(port) as stream:
        await stream.send_all(f"GET /metrics HTTP/1.1\r\nHost: here\r\nConnection: close\r\n{lines}\r\n".encode())
        head, _, body = (await everything(stream)).decode().partition("\r\n\r\n")
    return int(head.split()[1]), body


async def figures(port: int) -> Samples:
    status, text = await asked(port)
    assert status == 200
    families = text_string_to_metric_families(text)
    return {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}


def names(text: str) -> set[str]:
    """Of figures, as they are written in queries: a histogram's without what comes behind."""
    found = re.findall(r"\b(?:boardgate|process)_[a-z_]+[a-z]", text)
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in found}


async def exposed() -> set[str]:
    """The names that a fresh server has, and those of a node."""
    async with watched() as (_, port):
        _, text = await asked(port)
    async with world() as here:
        member = await here.node("one")
        text += shown_by(member)
    return set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))


def shown_by(member: Member) -> str:
    """The figures of a node, without HTTP: its clock is the test's."""
    registry = CollectorRegistry()
    registry.register(Figures(Sources(member.server)))
    return generate_latest(registry).decode()


def figure(member: Member, name: str, *labels: str) -> float:
    """One of the figures of nodes."""
    families = text_string_to_metric_families(shown_by(member))
    found = {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}
    return found[f"boardgate_{name}", *labels]


async def test_the_document_has_every_figure_and_no_other() -> None:
    text = (ROOT / "docs/metrics.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE)
    assert sorted(documented) == sorted(await exposed())
    assert names(text) <= set(documented)


@pytest.mark.parametrize("file", ["deploy/alerts.yml", "deploy/grafana-dashboard.json", "deploy/prometheus.yml"])
async def test_every_figure_that_is_asked_for_exists(file: str) -> None:
    asked_for = names((ROOT / file).read_text(encoding="utf-8"))
    assert asked_for - await exposed() == set()
    assert file == "deploy/prometheus.yml" or len(asked_for) > 5


async def test_whatever_can_be_counted_is_there_from_the_start_as_nothing() -> None:
    """Prometheus does not see the first of something that was not there before."""
    async with watched(relay=Counters()) as (_, port):
        found = await figures(port)
    counted = {labels for labels in found if labels[0].endswith("_total") and found[labels] == 0}
    assert {("boardgate_moves_total", game) for game in registry.games()} <= counted
    assert {("boardgate_games_ended_total", game) for game in registry.games()} <= counted
    assert {("boardgate_rejects_total", why.value) for why in Why} <= counted
    assert {("boardgate_relay_refusals_total", reason) for reason in reasons_of_the_relay()} <= counted


def reasons_of_the_relay() -> set[str]:
    """Return the reasons in the relay's code, without those of malformed requests, which are not counted."""
    code = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "gateway/relay").glob("*.py"))
    found = set(re.findall(r'(?:Refusal|refuse)\("(\w+)"|refusals\["(\w+)"\]', code))
    return {reason for pair in found for reason in pair if reason} - {"unknown_dialect", "no_recordings"}


def test_where_the_document_and_the_alarms_want_somebody_to_look_a_histogram_has_a_bound() -> None:
    """Between two bounds a percentile is a guess."""
    document = (ROOT / "docs/metrics.md").read_text(encoding="utf-8")
    documented = {int(ms) / 1000 for ms in re.findall(r"p99 above (\d+) ms", document)}
    alarms = (ROOT / "deploy/alerts.yml").read_text(encoding="utf-8")
    alarming = {float(limit) for limit in re.findall(r"histogram_quantile\(.*\) > ([\d.]+)", alarms)}
    assert alarming <= documented <= set(SECONDS)
    assert len(documented) == 3


async def test_moves_rejects_tables_and_times_are_counted_where_they_happen() -> None:
    async with watched() as (here, port):
        anna, bert = await here.seat("tic_tac_toe")
        for guest, square, code in ((anna, 0, 0), (anna, 1, 1), (bert, 0, 1), (bert, 3, 0)):
            assert (await guest.puts(square))[0] == code
        before = await figures(port)
        for guest, square in ((anna, 1), (bert, 4), (anna, 2)):
            assert await guest.puts(square) == (0,)
        await bert.hear("MSG_GAMEOVER")
        after = await figures(port)
    assert before["boardgate_connections", "bogaprot"] == 2
    assert before["boardgate_connections_opened_total", "bogaprot"] == 2
    assert before["boardgate_places_taken",] == 2
    assert before["boardgate_tables", "playing"] == 1
    assert before["boardgate_moves_total", "tic_tac_toe"] == 2
    assert before["boardgate_rejects_total", "not your turn"] == 1
    assert before["boardgate_rejects_total", "illegal"] == 1
    assert before["boardgate_move_seconds_count", "bogaprot"] == 2
    assert 0 < before["boardgate_move_seconds_sum", "bogaprot"] < 2
    assert before["boardgate_ready",] == 1
    assert after["boardgate_moves_total", "tic_tac_toe"] == 5
    assert after["boardgate_move_seconds_count", "bogaprot"] == 5
    assert after["boardgate_games_ended_total", "tic_tac_toe"] == 1
    assert (after["boardgate_tables", "playing"], after["boardgate_tables", "over"]) == (0, 1)


async def test_moves_with_a_clock_are_counted_and_timed_too() -> None:
    async with watched() as (here, port):
        anna, bert = await here.seat("tic_tac_toe?time=300")
        assert (await anna.puts(0), await bert.puts(3)) == ((0,), (0,))
        found = await figures(port)
    assert found["boardgate_moves_total", "tic_tac_toe"] == 2
    assert found["boardgate_move_seconds_count", "bogaprot"] == 2


async def test_a_move_is_timed_until_everybody_was_told_whatever_its_player_says_meanwhile(
    autojump_clock: MockClock,
) -> None:
    async with hall(log=Waiting) as here:
        anna, _ = await here.seat("tic_tac_toe?time=300")
        waiting(here).waits = True
        await anna.say("MSG_MOVE", -1, 0, "")
        await here.until(lambda: bool(waiting(here).held))
        await trio.sleep(3)
        await anna.say("MSG_MOVE", -1, 1, "")
        await trio.sleep(1)
        waiting(here).go()
        assert await anna.hear("RSP_MOVE") == (0,)
        assert here.server.metrics.move_s["bogaprot"].total == pytest.approx(4, abs=0.5)


async def test_who_is_turned_away_or_closed_is_counted_by_the_reason() -> None:
    async with watched() as (here, port):
        anna = here.dial()
        await anna.stream.send_all(b"\xff" * COMMAND_BYTES)
        assert await anna.rest() == []
        taken = 0
        while here.server.connection_limits.take("192.0.2.7"):
            taken += 1
        assert await here.dial("192.0.2.7").rest() == []
        found = await figures(port)
    assert found["boardgate_connections_closed_total", "protocol broken"] == 1
    assert found["boardgate_connections_closed_total", "idle"] == 0
    assert found["boardgate_connections_turned_away_total", "no place"] == 1
    assert found["boardgate_places_taken",] == taken


async def test_relay_certificates_and_bot_processes_are_shown_as_they_are(tmp_path: Path) -> None:
    club = Authority(tmp_path)
    club.issues("localhost")
    certificate = Certificate(club.cert, club.key, "bogaprot=127.0.0.1:5700")
    relay = Counters(rooms=4, rooms_now=3, pairs=2, pairs_now=1, direct=7, bytes_from_first=100, bytes_from_second=50)
    relay.refusals["full"] = 5
    async with watched("local", relay, certificate) as (_, port):
        found = await figures(port)
    assert found["boardgate_certificate_ends_timestamp_seconds", "bogaprot=127.0.0.1:5700"] == certificate.ends
    assert found["boardgate_bot_processes",] == 2
    assert (found["boardgate_relay_rooms",], found["boardgate_relay_pairs",]) == (3, 1)
    assert found["boardgate_relay_pairs_direct_total",] == 7
    assert found["boardgate_relay_bytes_total", "first"] == 100
    assert found["boardgate_relay_refusals_total", "full"] == 5


async def test_the_last_backup_that_anybody_has_noted_is_shown(tmp_path: Path) -> None:
    """The server looks again and again: another program has written it into the database."""
    url = made_record(tmp_path / "record.db")
    async with watched() as (here, port), trio.open_nursery() as nursery:
        backup = here.server.last_backup
        assert (await figures(port))["boardgate_backup_timestamp_seconds",] == 0
        with closing(ActLog(url)) as log, trio.fail_after(20):
            nursery.start_soon(backup.run, partial(log.last, "backup.made"), "last backup", 0.02)
            for name in ("snapshot-1", "snapshot-2"):
                begun = time.time()
                note_made(url, "root", name)
                ended = time.time()
                note_restored(url, "root", name, 7)
                while backup.seen is None or backup.seen.at < begun:  # noqa: ASYNC110  # no event is set for it
                    await trio.sleep(0.01)
                assert begun <= (await figures(port))["boardgate_backup_timestamp_seconds",] <= ended
            nursery.cancel_scope.cancel()


async def test_a_database_in_trouble_is_asked_again(tmp_path: Path) -> None:
    url = made_record(tmp_path / "record.db")
    note_made(url, "root", "snapshot")
    backup = Looking[Act | None](None)
    with connected(url) as database, closing(ActLog(url)) as log, trio.fail_after(20):
        database.exec_driver_sql("ALTER TABLE acts RENAME TO away")
        database.commit()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(backup.run, partial(log.last, "backup.made"), "last backup", 0.02)
            await trio.sleep(0.1)
            assert backup.seen is None
            database.exec_driver_sql("ALTER TABLE away RENAME TO acts")
            database.commit()
            while backup.seen is None:  # noqa: ASYNC110  # no event is set for it
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()


async def test_how_late_the_server_is_is_noted_twice_a_second() -> None:
    async with watched() as (here, port):
        with trio.fail_after(20):
            while here.server.metrics.late_s.count < 2:  # noqa: ASYNC110  # no event is set for it
                await trio.sleep(0.1)
        found = await figures(port)
    assert found["boardgate_loop_delay_seconds_bucket", "+Inf"] == found["boardgate_loop_delay_seconds_count",] >= 2


async def test_a_server_that_is_no_node_has_no_figures_of_nodes() -> None:
    async with watched() as (_, port):
        _, text = await asked(port)
    assert not re.search("lease|lobby|branches|bus|silence|_nodes", text)


async def test_nodes_count_each_other_and_players_of_other_nodes(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial(), two.dial()
        await anna.joins("tic_tac_toe")
        await bert.joins("tic_tac_toe")
        await anna.puts(0)
        await bert.puts(3)
        await trio.sleep(1)
        assert [figure(each, "nodes") for each in (one, two)] == [2, 2]
        assert [figure(each, "lobby") for each in (one, two)] == [1, 0]
        assert [figure(each, "branches") for each in (one, two)] == [0, 1]
        assert [figure(each, "remote_clients") for each in (one, two)] == [1, 0]
        assert [figure(each, "bus_connected") for each in (one, two)] == [1, 1]
        for each in (one, two):
            assert 0 <= figure(each, "lease_age_seconds") < 1
            assert figure(each, "lease_seconds") == here.settings.cluster.lease_s
            assert figure(each, "bus_messages_total", "sent") >= 3
            assert figure(each, "bus_messages_total", "received") >= 3
            assert figure(each, "bus_dropped_total") == figure(each, "tables_taken_over_total") == 0
            assert figure(each, "silence_seconds") == 0


async def test_while_a_dead_node_is_not_replaced_its_players_wait_and_that_is_shown(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial(), two.dial()
        await anna.joins("tic_tac_toe")
        await bert.joins("tic_tac_toe")
        await anna.puts(0)
        here.kill(one)
        await bert.say("MSG_MOVE", -1, 3, "")
        await trio.sleep(2)
        assert figure(two, "silence_seconds") == pytest.approx(2, abs=0.5)
        assert figure(two, "tables_taken_over_total") == 0
        assert await bert.hear("RSP_MOVE") == (0,)
        await trio.sleep(1)
        assert figure(two, "silence_seconds") == 0
        assert (figure(two, "nodes"), figure(two, "lobby")) == (1, 1)
        assert (figure(two, "branches"), figure(two, "tables_taken_over_total")) == (0, 1)


async def test_a_player_who_asks_nothing_waits_too_while_another_node_may_have_said_something(
    autojump_clock: MockClock,
) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial(), two.dial()
        await anna.joins("tic_tac_toe")
        await bert.joins("tic_tac_toe")
        await trio.sleep(1)
        (branch,) = two.node.branches.values()
        here.board.part([one.me], [two.me])
        branch.missed()
        branch.ask_again(one.me)
        await trio.sleep(2)
        branch.missed()
        branch.ask_again(one.me)
        await trio.sleep(1)
        assert figure(two, "silence_seconds") == pytest.approx(3, abs=0.01)
        here.board.join()
        branch.missed()
        branch.ask_again(one.me)
        await trio.sleep(2)
        assert figure(two, "silence_seconds") == 0


async def test_a_bus_that_is_lost_and_a_lease_that_grows_old_are_shown(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world() as here:
        one = await here.node("one")
        here.board.cut(one.me)
        await trio.sleep(1)
        assert figure(one, "bus_connected") == 0
        assert figure(one, "bus_dropped_total") > 0
        assert (figure(one, "ready"), one.server.not_ready()) == (0, ["the bus to other nodes is lost"])
        here.board.mend(one.me)
        assert (figure(one, "bus_connected"), figure(one, "ready")) == (1, 1)
        with monkeypatch.context() as away:
            away.setattr(here.nodes, "renew", _fails)
            await trio.sleep(10)
            assert figure(one, "lease_age_seconds") == pytest.approx(10, abs=1)
            assert figure(one, "ready") == 0
        await trio.sleep(2)
        assert figure(one, "lease_age_seconds") < 1
        assert (figure(one, "ready"), figure(one, "draining")) == (1, 0)
        here.nodes.drain("one", True)
        await trio.sleep(1)
        assert (figure(one, "ready"), figure(one, "draining")) == (0, 1)
        assert one.server.not_ready() == ["draining, games that run: 0"]


def _fails(*arguments: object) -> NoReturn:
    """A database that is away."""
    raise SQLAlchemyError("away")


ELSEWHERE = "X-Forwarded-For: 198.51.100.7"
HOST = f"Authorization: Bearer {SECRET}"


@pytest.mark.parametrize(
    ("who", "headers", "status"),
    [
        ("local", (), 401),  # the proxy does not say who asks
        ("local", (ELSEWHERE,), 401),
        ("local", ("X-Forwarded-For: ::1",), 200),
        ("local", (ELSEWHERE, HOST), 200),
        ("local", (ELSEWHERE, "Authorization: Bearer of-bad-news-and-no-secret"), 401),
        ("admin", (), 401),
        ("admin", (HOST,), 200),
        ("admin", (HOST.replace("Bearer", "bearer"),), 200),
        ("admin", (HOST.replace("Bearer", "Basic"),), 401),
        ("anybody", (ELSEWHERE,), 200),
    ],
)
async def test_figures_are_for_this_machine_and_the_host_unless_the_settings_say_otherwise(
    who: Literal["local", "admin", "anybody"], headers: tuple[str, ...], status: int
) -> None:
    async with watched(who, proxy=True) as (_, port):
        found, text = await asked(port, *headers)
    assert found == status
    assert ("boardgate_ready" in text) == (status == 200)


async def test_whoever_guesses_the_token_waits_as_at_the_api() -> None:
    async with watched("admin", proxy=True) as (_, port):
        wrong: list[int] = []
        while 429 not in wrong and len(wrong) < 100:
            wrong.append((await asked(port, ELSEWHERE, "Authorization: Bearer of-bad-news-and-no-secret"))[0])
        right, _ = await asked(port, ELSEWHERE, HOST)
        elsewhere, _ = await asked(port, "X-Forwarded-For: 203.0.113.9", HOST)
    assert set(wrong[:-1]) == {401}
    assert (wrong[-1], right, elsewhere) == (429, 429, 200)
