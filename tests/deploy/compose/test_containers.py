"""What a host gets from `docker-compose up -d`: confined containers, a web behind TLS, house bots."""

from __future__ import annotations

import json
import re
from typing import Final

import pytest

from protocols.core.release import VERSION
from tests.conformance.chess_bogaprot_player import place
from tests.deploy.compose.composition import SERVICES, WEB, Composition
from tests.deploy.compose.engine import ROOT
from tests.deploy.compose.handbook import HOST
from tests.deploy.guests import Opponent

USERS: Final = {"gateway": "10001", "database": "10002", "proxy": "10003"}


@pytest.mark.parametrize("service", SERVICES)
def test_a_container_has_limits_and_is_started_again(composition: Composition, service: str) -> None:
    found = composition.inspect(service)["HostConfig"]
    assert found["RestartPolicy"]["Name"] == "unless-stopped"
    assert found["Memory"] > 0
    assert found["PidsLimit"] > 0


@pytest.mark.parametrize("service", SERVICES)
def test_every_process_of_a_container_is_nobody_special(composition: Composition, service: str) -> None:
    told = composition.inside(service, "sh", "-c", "cat /proc/[0-9]*/status")
    lines = [line.split() for line in told.splitlines()]
    assert {line[1] for line in lines if line[0] == "Uid:"} == {USERS[service]}
    assert {line[1] for line in lines if line[0] in ("CapEff:", "CapPrm:", "CapBnd:")} == {"0000000000000000"}
    assert {line[1] for line in lines if line[0] == "NoNewPrivs:"} == {"1"}


@pytest.mark.parametrize("service", SERVICES)
def test_a_container_changes_nothing_but_its_volumes(composition: Composition, service: str) -> None:
    told = composition.inside(service, "sh", "-c", "touch /etc/changed 2>&1 || true")
    assert "Read-only file system" in told


@pytest.mark.parametrize("service", SERVICES)
def test_no_secret_is_in_what_the_engine_knows(composition: Composition, service: str) -> None:
    """ "secrets from files" """
    secrets = [
        composition.inside("database", "cat", "/run/secrets/database/password").strip(),
        composition.inside("gateway", "cat", "/var/lib/boardgate/admin_token").strip(),
    ]
    known = json.dumps(composition.inspect(service)) + composition.compose("logs", "--no-color", service)
    assert all(len(secret) >= 22 and secret not in known for secret in secrets)


def test_images_are_labelled_with_the_release_and_the_gateway_says_it(composition: Composition) -> None:
    """ "`boardgate --version` in the gateway says COMMIT" """
    commit = composition.types("git rev-parse --short=12 HEAD").strip()
    assert composition.boardgate("--version") == f"boardgate {VERSION} (build {commit})\n"
    for service in SERVICES:
        labels = composition.inspect(service)["Config"]["Labels"]
        assert labels["org.opencontainers.image.version"] == VERSION
        assert labels.get("org.opencontainers.image.revision") == (commit if service == "gateway" else None)


def test_the_database_is_reached_by_the_gateway_alone(composition: Composition) -> None:
    assert list(composition.inspect("database")["NetworkSettings"]["Networks"]) == ["boardgate_back"]
    assert composition.inspect("database")["HostConfig"]["PortBindings"] == {}
    address = composition.inside("database", "hostname", "-i").strip()
    composition.inside("gateway", "bash", "-c", f"exec 3<>/dev/tcp/{address}/5432")
    with pytest.raises(AssertionError, match=": 124\n"):  # the status of timeout
        composition.inside("proxy", "timeout", "2", "bash", "-c", f"exec 3<>/dev/tcp/{address}/5432")


def test_the_web_is_behind_tls_and_plain_http_says_where(composition: Composition) -> None:
    """ "a TLS-terminating reverse proxy for the web" """
    certificate = composition.inside("proxy", "cat", "/run/secrets/tls/fullchain.pem")
    assert composition.asks(f"{WEB}/api/games", trusting=certificate) == "200"
    plain = composition.asks(f"http://{HOST}/api/games?x=1", "Host: elsewhere.example")
    assert plain == f"308 {WEB}/api/games?x=1"


def test_figures_are_for_whoever_has_the_hosts_token(composition: Composition) -> None:
    certificate = composition.inside("proxy", "cat", "/run/secrets/tls/fullchain.pem")
    token = composition.inside("gateway", "cat", "/var/lib/boardgate/admin_token").strip()
    figures = f"{WEB}/metrics"
    assert composition.asks(figures, trusting=certificate) == "401"
    assert composition.asks(figures, "X-Forwarded-For: 127.0.0.1", trusting=certificate) == "401"
    assert composition.asks(figures, f"Authorization: Bearer {token}", trusting=certificate) == "200"


def test_nginx_understands_the_site_for_servers_without_containers(composition: Composition) -> None:
    """deploy/nginx-site.conf, with a certificate that is there and ports for anybody."""
    site = (ROOT / "deploy" / "nginx-site.conf").read_text(encoding="utf-8")
    here = site.replace("/etc/letsencrypt/live/games.example.org/", "/run/secrets/tls/")
    here = re.sub(r"(listen (?:\[::\]:)?)(\d+)", r"\g<1>10\2", here)
    places = "".join(f"{kind}_temp_path /tmp/tried;" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    settings = f"pid /tmp/tried.pid; events {{}} http {{ access_log off; {places}\n{here} }}"
    tried = "cat > /tmp/tried.conf && nginx -t -c /tmp/tried.conf 2>&1"
    assert "test is successful" in composition.inside("proxy", "sh", "-c", tried, given=settings)


@pytest.mark.parametrize(
    ("game", "wishes", "move", "program"),
    [("chess", {}, (place("e2"), place("e4")), "stockfish"), ("go", {"size": 9}, (-1, 40), "gnugo")],
)
def test_an_engine_plays_for_the_house(
    composition: Composition, game: str, wishes: dict[str, int], move: tuple[int, int], program: str
) -> None:
    """ "a gnugo and a chess engine as house bots" """
    player = Opponent(composition.engine.network, game, "Hans", **wishes)
    player.moves(*move)
    player.is_answered()
    assert program in composition.inside("gateway", "sh", "-c", "cat /proc/[0-9]*/comm").split()
    player.client.close()
