"""A real Prometheus looks at a real server on PostgreSQL, where two play: all is drawn, and no alarm rings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Final

import pytest

import migrations
from tests.certificates import Authority
from tests.conformance.figures import until
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.deploy.prometheus.dashboard import Query, queries, variable
from tests.deploy.prometheus.scraping import Watching, configured, prometheus, secured
from tests.postgresql import Cluster, cluster
from tests.running import RunningServer

TOKEN: Final = "the-token-of-the-host-who-watches"
HTTP, BOGAPROT = range(2)
DAYS: Final = 90
"""How long the certificate is good for."""

FIGURE: Final = re.compile(r"\b(?:boardgate|process)_\w+(?:\{[^}]*\})?|\bup\{[^}]*\}")


@dataclass(frozen=True, slots=True)
class Watched:
    """A server at ``target``, where two play, and who watches it."""

    target: str
    prometheus: Watching
    players: list[SpecClient]

    def asked(self, query: Query) -> dict[tuple[str, ...], float]:
        """What a panel draws, by the values of its labels."""
        return {tuple(found.values()): value for found, value in self.prometheus.query(query.asked([self.target]))}

    def drawn(self, panel: str, *labels: str) -> float:
        (query,) = [query for query in queries() if query.panel == panel]
        return self.asked(query)[labels]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Far away, as it were: over HTTPS, with the token, as the configuration's comments say."""
    club = Authority(tmp_path_factory.mktemp("club"))
    club.issues("localhost", days=DAYS)
    token = tmp_path_factory.mktemp("token") / "boardgate-token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    listeners = f"http,{club.options()}", "bogaprot", "relay"
    data = tmp_path_factory.mktemp("data")
    who = partial(fast, METRICS_WHO="admin", REGISTRATION_ADMIN_TOKEN_FILE=str(token))
    with cluster() as postgresql, who(data, *listeners, SERVER_DATABASE=migrated(postgresql)) as running:
        target = f"localhost:{running.ports[HTTP]}"
        text = secured(configured(target), token, club.file)
        with prometheus(tmp_path_factory.mktemp("prometheus"), text) as watching:
            until(lambda: seen(watching), lambda times: times >= 2)
            yield Watched(target, watching, a_game(running))
        assert running.stop() == 0


def migrated(postgresql: Cluster) -> str:
    """The URL of a new database."""
    url = postgresql.create("club")
    migrations.upgrade(url)
    return url


def seen(watching: Watching) -> float:
    """How often the server's figures have been stored."""
    return sum(times for _, times in watching.query("count_over_time(boardgate_ready[1m])"))


def a_game(running: RunningServer) -> list[SpecClient]:
    """Two moves of two players, and one that is refused."""
    players = [SpecClient(running.ports[BOGAPROT]) for _ in range(2)]
    for player in players:
        assert player.handshake("tic_tac_toe") == ("RSP_HANDSHAKE", 0)
    for seat, square in enumerate((4, 0)):
        while players[seat].until("REQ_MOVE") != ("REQ_MOVE", seat):
            pass
        players[seat].move(-1, square)
        assert players[seat].until("RSP_MOVE") == ("RSP_MOVE", 0)
    players[1].move(-1, 8)
    assert players[1].until("RSP_MOVE")[1] != 0
    return players


def test_the_server_is_seen_with_the_token_over_https(watched: Watched) -> None:
    target = watched.prometheus.target("boardgate")
    assert (target["health"], target["lastError"]) == ("up", "")
    assert target["scrapeUrl"] == f"https://{watched.target}/metrics"


@pytest.mark.parametrize("query", list(queries()), ids=str)
def test_everything_the_dashboard_draws_is_there(watched: Watched, query: Query) -> None:
    """There are places, tables and moves, something was refused, and a certificate will end."""
    until(lambda: watched.asked(query), lambda drawn: any(isfinite(value) for value in drawn.values()))


def test_what_is_drawn_is_what_was_played(watched: Watched) -> None:
    assert until(lambda: watched.drawn("Games played now"), bool) == 1
    assert watched.drawn("Ready") == 1
    assert watched.drawn("Players") == len(watched.players)
    assert DAYS - 1 < watched.drawn("Certificates end in") / 86_400 < DAYS
    assert 0 < until(lambda: watched.drawn("99 of 100 moves within"), isfinite) < 60
    ((_, moves),) = watched.prometheus.query('boardgate_moves_total{game="tic_tac_toe"}')
    assert moves == 2


def test_the_first_of_something_is_a_rise(watched: Watched) -> None:
    """Prometheus takes no notice of a counter's first value: it must have been there as 0."""
    assert until(lambda: watched.drawn("Refused, by cause", "not your turn"), bool) > 0
    assert until(lambda: watched.drawn("Moves by game", "tic_tac_toe"), bool) > 0


def test_the_dashboard_lists_the_servers_and_draws_no_other_process(watched: Watched) -> None:
    """Prometheus looks at itself, too, and has figures of the same names."""
    listed = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable("instance")["definition"])
    assert listed is not None
    assert watched.prometheus.ask(f"label/{listed[2]}/values", **{"match[]": listed[1]}) == [watched.target]
    assert len(watched.prometheus.query("process_open_fds")) == 2
    by_server = [query for query in queries() if "by (instance)" in query.expression]
    assert {tuple(watched.asked(query)) for query in by_server} == {((watched.target,),)}


def test_every_alarm_can_be_judged_and_none_rings(watched: Watched) -> None:
    rules = until(watched.prometheus.rules, lambda found: all(rule["health"] == "ok" for rule in found))
    assert [rule["name"] for rule in rules if rule["state"] != "inactive"] == []
    for rule in rules:
        figures = FIGURE.findall(rule["query"])
        assert figures
        assert [figure for figure in figures if not watched.prometheus.query(figure)] == [], rule["name"]


def test_a_server_on_the_same_machine_is_seen_as_the_file_says_until_it_is_killed(tmp_path: Path) -> None:
    """ "prometheus --config.file=deploy/prometheus.yml" """
    with fast(tmp_path / "data", "http") as running:
        target = f"127.0.0.1:{running.ports[HTTP]}"
        (tmp_path / "prometheus").mkdir()
        with prometheus(tmp_path / "prometheus", configured(target)) as watching:
            until(lambda: watching.query('up{job="boardgate"}'), lambda found: [value for _, value in found] == [1])
            running.kill()
            until(lambda: gone(watching), lambda state: state == "pending")


def gone(watching: Watching) -> str:
    (rule,) = [rule for rule in watching.rules() if rule["name"] == "BoardgateIsGone"]
    return str(rule["state"])
