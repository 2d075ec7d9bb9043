"""The commands of docs/compose.md, typed as they stand by a host who knows docker-compose alone, come true."""

from __future__ import annotations

import json
import socket
import ssl
from dataclasses import replace
from http.client import HTTPSConnection
from pathlib import Path
from typing import Final

import pytest

from tests import peers
from tests.certificates import Authority
from tests.conformance.spec_client import PATIENCE_S
from tests.deploy.compose import handbook
from tests.deploy.compose.authority import issuer
from tests.deploy.compose.composition import HTTPS, SERVICES, WEB, Composition
from tests.deploy.compose.conftest import Host
from tests.deploy.compose.plugin import Plugin

VERIFIED: Final = handbook.ASK.replace("--insecure", "--silent --show-error")


def served(composition: Composition) -> str:
    return composition.inside("proxy", "cat", "/run/secrets/tls/fullchain.pem")


def test_two_lines_and_one_command_are_enough(host: Host) -> None:
    """ "When `ps` says `healthy` three times, `curl --insecure [...]` answers `{"status":"ready"}`" """
    composition = host.composition
    listed = composition.types(handbook.START.splitlines()[-1])
    assert listed.count("(healthy)") == len(SERVICES)
    assert all(service in host.told for service in SERVICES)
    assert composition.types(handbook.ASK) == handbook.READY
    headers = composition.types(handbook.ASK.replace("curl", "curl --silent --include"))
    assert "strict-transport-security: max-age=" in headers.lower()
    with pytest.raises(AssertionError, match=r"self[- ]signed certificate"):
        composition.types(VERIFIED)


def test_a_new_versions_build_takes_what_is_newest_whatever_is_there(host: Host) -> None:
    """ "it takes the newest base": the one that was there had no file. test_walk.py has what PACKAGES does."""
    assert "apt-get" in host.built


def test_the_relay_has_no_one_time_ports_until_the_host_publishes_some(composition: Composition) -> None:
    """`docker-compose ps` shows each published port: twenty of the relay's hid everything else."""
    assert "5030->" in composition.compose("ps")
    assert "504" not in composition.compose("ps")
    assert json.loads(composition.boardgate("relay", "open", "--json"))["port"] is None


@pytest.mark.parametrize("files", ["docker-compose.yml", *handbook.FILES_OF_IPV6])
def test_neither_program_has_anything_to_say_of_the_files(composition: Composition, plugin: Plugin, files: str) -> None:
    """ "the plug-in `docker compose` reads the same file", and warns of no word that it no longer knows."""
    for host in (composition, replace(composition, plugin=plugin)):
        assert host.types("docker-compose config --quiet 2>&1", COMPOSE_FILE=files) == ""


def test_certbot_gets_a_certificate_that_browsers_know_and_renews_it(host: Host, tmp_path: Path) -> None:
    """ "certbot renews the certificate by itself and calls the script again" """
    peers.program("certbot", "usr/bin")
    composition = host.composition
    with issuer(composition, tmp_path) as found:
        trusted = tmp_path / "root.pem"
        trusted.write_text(found.root)
        composition.choose(handbook.FOR_CERTBOT)
        composition.types(handbook.CERTIFY, **found.environment)
        assert composition.types(VERIFIED, CURL_CA_BUNDLE=str(trusted)) == handbook.READY
        first = served(composition)
        composition.types("certbot renew --force-renewal", **found.environment)
        assert composition.types(VERIFIED, CURL_CA_BUNDLE=str(trusted)) == handbook.READY
        assert served(composition) != first


def test_a_certificate_by_hand_disconnects_nobody(composition: Composition, tmp_path: Path) -> None:
    club = Authority(tmp_path)
    club.issues(handbook.HOST)
    old = served(composition)
    before = connected(composition, old)
    composition.types(by_hand(club.cert, club.key))
    composition.wait_until_logged("gateway", "event=reloaded")
    assert composition.asks(f"{WEB}/healthz", trusting=club.file.read_text()) == "200"
    with pytest.raises(AssertionError, match="certificate"):
        composition.asks(f"{WEB}/healthz", trusting=old)
    before.request("GET", "/healthz")
    assert before.getresponse().status == 200
    before.close()
    assert composition.types(VERIFIED, CURL_CA_BUNDLE=str(club.file)) == handbook.READY


def test_a_key_that_does_not_fit_its_certificate_changes_nothing(composition: Composition, tmp_path: Path) -> None:
    used = served(composition)
    club, other = Authority(tmp_path / "one"), Authority(tmp_path / "other")
    club.issues(handbook.HOST)
    other.issues(handbook.HOST)
    with pytest.raises(AssertionError, match="the key is not that of the certificate"):
        composition.types(by_hand(club.cert, other.key))
    assert served(composition) == used


def test_cron_backs_it_up(composition: Composition) -> None:
    """ "15 4 * * *  cd /srv/boardgate && deploy/backup --keep 14 /srv/backups": five fields, then what a shell does."""
    *when, command = handbook.CRON.split(maxsplit=5)
    assert len(when) == 5
    made = Path(composition.types(command, folder="/").strip())
    assert (made.parent, made.suffix) == (Path("/srv/backups"), ".dump")
    assert (composition.engine.place.srv / "backups" / made.name).stat().st_mode & 0o077 == 0


def by_hand(chain: Path, key: Path) -> str:
    """What the page has for it, with these files."""
    return handbook.BY_HAND.replace("FULLCHAIN", str(chain)).replace("PRIVKEY", str(key))


def connected(composition: Composition, certificate: str) -> HTTPSConnection:
    """To the web, by its name."""
    context = ssl.create_default_context(cadata=certificate)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # it need not be an authority's
    with composition.engine.network():
        plain = socket.create_connection(("127.0.0.1", HTTPS), PATIENCE_S)
    web = HTTPSConnection(handbook.HOST)
    web.sock = context.wrap_socket(plain, server_hostname=handbook.HOST)
    return web
