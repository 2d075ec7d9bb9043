"""What a host gets from `docker-compose up -d`: confined containers, a web behind TLS, house bots."""

from __future__ import annotations

import json
import re
import socket
from typing import Final

import pytest

from tests.conformance.chess_bogaprot_player import USUAL, place
from tests.conformance.compose.composition import BOGAPROT, HTTP, SERVICES, Composition
from tests.conformance.compose.engine import ROOT
from tests.conformance.compose.handbook import HOST
from tests.conformance.compose.web import asked, received
from tests.conformance.spec_client import PATIENCE_S, SpecClient

USERS: Final = {"gateway": "10001", "database": "10002", "proxy": "10003"}


@pytest.mark.parametrize("service", SERVICES)
def test_a_container_may_do_nothing_it_does_not_need(composition: Composition, service: str) -> None:
    """ "no root in containers, read-only file system, dropped capabilities, resource limits [...] restart policies" """
    found = composition.inspect(service)["HostConfig"]
    assert found["ReadonlyRootfs"]
    assert found["CapDrop"] == ["ALL"]
    assert not found["CapAdd"]
    assert not found["Privileged"]
    assert found["SecurityOpt"] == ["no-new-privileges:true"]
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
    with composition.engine.network():
        assert asked(certificate, "/api/games")[0] == 200
        with socket.create_connection(("127.0.0.1", HTTP), PATIENCE_S) as plain:
            plain.sendall(b"GET /api/games?x=1 HTTP/1.0\r\nHost: elsewhere.example\r\n\r\n")
            answer = received(plain)
    assert answer.startswith("HTTP/1.1 308 ")
    assert f"\r\nLocation: https://{HOST}/api/games?x=1\r\n" in answer


def test_figures_are_for_whoever_has_the_hosts_token(composition: Composition) -> None:
    certificate = composition.inside("proxy", "cat", "/run/secrets/tls/fullchain.pem")
    token = composition.inside("gateway", "cat", "/var/lib/boardgate/admin_token").strip()
    with composition.engine.network():
        assert asked(certificate, "/metrics")[0] == 401
        assert asked(certificate, "/metrics", "X-Forwarded-For: 127.0.0.1")[0] == 401
        assert asked(certificate, "/metrics", f"Authorization: Bearer {token}")[0] == 200


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
    ("wish", "move", "program"),
    [("chess", (place("e2"), place("e4")), "stockfish"), ("go?size=9", (-1, 40), "gnugo")],
)
def test_an_engine_plays_for_the_house(
    composition: Composition, wish: str, move: tuple[int, int], program: str
) -> None:
    """ "a gnugo and a chess engine as house bots" """
    with composition.engine.network():
        client = SpecClient(BOGAPROT, USUAL if wish == "chess" else None)
        wishes = f"{wish}{'&' if '?' in wish else '?'}against=bot&name=Hans"
        assert client.handshake(wishes) == ("RSP_HANDSHAKE", 0)
        client.until("REQ_MOVE")
        client.move(*move)
        assert [client.until("MSG_MOVE")[0], client.until("REQ_MOVE"), client.until("MSG_MOVE")[0]] == [
            "MSG_MOVE",
            ("REQ_MOVE", 1),
            "MSG_MOVE",
        ]
        assert program in composition.inside("gateway", "sh", "-c", "cat /proc/[0-9]*/comm").split()
        client.close()
