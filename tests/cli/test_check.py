"""``boardgate serve --check`` names faults, and starts and creates nothing."""

from __future__ import annotations

import json
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import make_url

import migrations
from gateway import registry
from gateway.cli import main
from protocols.core.release import VERSION
from tests import peers
from tests.certificates import Authority
from tests.cli.playing import record
from tests.openid.crooked import provider
from tests.postgresql import cluster
from tests.push.mail_room import mail_room
from tests.running import server

FREE = "bogaprot=127.0.0.1:0"


def checked(data: Path, *listeners: str, **settings: str) -> Result:
    """``serve --check`` with these listeners and variables of the environment, and no engines."""
    words = [
        "serve",
        "--check",
        "--data",
        str(data),
        *(part for one in listeners or (FREE,) for part in ("--listen", one)),
    ]
    environment = {f"BOARDGATE_{key}": text for key, text in {"BOT": "none", **settings}.items()}
    return CliRunner().invoke(main, words, env=environment)


def wrong(result: Result) -> list[str]:
    """Return the faults found, in words; the exit status and the last line must agree with them."""
    found = [line.removeprefix("WRONG").strip() for line in result.output.splitlines() if line.startswith("WRONG")]
    assert result.exit_code == (1 if found else 0), result.output
    last = result.output.splitlines()[-1]
    assert last.startswith("the server cannot run like this" if found else "the server can start")
    return found


def notes(result: Result) -> str:
    return "\n".join(line for line in result.output.splitlines() if line.startswith("note"))


def test_a_fresh_install_can_start_and_nothing_is_created(tmp_path: Path) -> None:
    result = checked(tmp_path / "new")
    assert wrong(result) == []
    assert "which serve will create" in notes(result)
    assert list(tmp_path.iterdir()) == []


def test_a_database_of_this_version_is_well(tmp_path: Path) -> None:
    record(tmp_path)
    result = checked(tmp_path)
    assert wrong(result) == []
    assert f"boardgate.db, schema {migrations.HEAD}\n" in result.output


def test_a_database_of_a_newer_version_is_wrong(tmp_path: Path) -> None:
    record(tmp_path)
    with sqlite3.connect(tmp_path / "boardgate.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    (only,) = wrong(checked(tmp_path))
    assert f"has schema 9999 of a newer version of Boardgate, and this version knows {migrations.HEAD}: " in only


def test_an_older_embedded_database_is_upgraded_by_serve(tmp_path: Path) -> None:
    record(tmp_path)
    with sqlite3.connect(tmp_path / "boardgate.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    connection.close()
    result = checked(tmp_path)
    assert wrong(result) == []
    assert f"schema 0001, which serve upgrades to {migrations.HEAD}" in notes(result)


def test_a_file_that_is_no_database_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "boardgate.db").write_text("this is a letter to my aunt, and quite long enough to be read\n" * 40)
    (only,) = wrong(checked(tmp_path))
    assert "file is not a database" in only


def test_a_database_that_cannot_be_reached_is_wrong_and_its_password_is_not_shown(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"postgresql+psycopg://gate:sesame@127.0.0.1:{closed.getsockname()[1]}/record"
        result = checked(tmp_path, SERVER_DATABASE=url)
    (only,) = wrong(result)
    assert "onnection refused" in only
    assert "sesame" not in result.output


def test_what_is_no_url_of_a_database_is_wrong(tmp_path: Path) -> None:
    assert wrong(checked(tmp_path, SERVER_DATABASE="my database")) != []


@peers.needed
def test_a_hosted_database_must_have_been_migrated(tmp_path: Path) -> None:
    with cluster() as running:
        url = running.url()
        (only,) = wrong(checked(tmp_path, SERVER_DATABASE=url))
        assert only.endswith(f"is empty, schema {migrations.HEAD} is needed; run: boardgate migrate")
        migrations.upgrade(url)
        result = checked(tmp_path, SERVER_DATABASE=url)
        assert wrong(result) == []
        assert f"{make_url(url).database}, schema {migrations.HEAD}\n" in result.output
        with server(tmp_path, "bogaprot", BOTS_WORKERS="0", SERVER_DATABASE=url) as serving:
            result = checked(tmp_path, f"bogaprot=127.0.0.1:{serving.ports[0]}", SERVER_DATABASE=url)
            another = {"SERVER_DATABASE": url, "CLUSTER_NODE": "gate-2"}
            (taken,) = wrong(checked(tmp_path, f"bogaprot=127.0.0.1:{serving.ports[0]}", **another))
        assert "on this database lives node" in notes(result)
        assert wrong(result) == []
        assert "Address already in use" in taken, "the node that runs is another one"


def test_an_address_that_another_program_has_is_wrong(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        (only,) = wrong(checked(tmp_path, f"bogaprot=127.0.0.1:{port}"))
    assert only.startswith(
        f"listener bogaprot=127.0.0.1:{port}: cannot listen on 127.0.0.1:{port}: Address already in use"
    )


def test_an_address_that_the_running_server_has_is_no_wonder(tmp_path: Path) -> None:
    """So that new settings can be tried before the server is started anew with them."""
    with server(tmp_path, "bogaprot", BOTS_WORKERS="0") as running:
        result = checked(tmp_path, f"bogaprot=127.0.0.1:{running.ports[0]}")
        assert f"a server is running on this database (process {running.process.pid})" in notes(result)
        assert f"127.0.0.1:{running.ports[0]}: Address already in use" in notes(result)
        assert wrong(result) == []
        twice = checked(tmp_path, *[f"bogaprot=127.0.0.1:{running.ports[0]}"] * 2)
        assert len(wrong(twice)) == 1, "two listeners of the settings have one address"


def test_an_address_of_another_machine_is_wrong(tmp_path: Path) -> None:
    (only,) = wrong(checked(tmp_path, "bogaprot=192.0.2.1:5700"))
    assert "cannot listen on 192.0.2.1:5700: Cannot assign requested address" in only


def test_everything_that_is_wrong_is_named_and_not_only_the_first(tmp_path: Path) -> None:
    found = wrong(
        checked(
            tmp_path,
            "bogaprott=127.0.0.1:0",
            "bogaprot=127.0.0.1:0,game=halma",
            "relay=127.0.0.1:0",
            RELAY_PORTS="many",
            REGISTRATION_ADMIN_TOKEN="short",
            BOT="chess=/nonexistent/engine",
        )
    )
    expected = [
        "admin token has 5 characters",
        "relay ports",
        "no dialect 'bogaprott'",
        "no game 'halma'",
        "no executable",
    ]
    assert [words in text for words, text in zip(expected, found, strict=True)] == [True] * len(expected), found


@pytest.mark.parametrize("listener", [FREE, "http=127.0.0.1:0", "relay=127.0.0.1:0"])
def test_a_certificate_is_shown_with_its_last_day_and_is_wrong_after_it(tmp_path: Path, listener: str) -> None:
    club = Authority(tmp_path / "tls")
    club.issues("localhost", days=90)
    assert "its certificate is good until" in checked(tmp_path, f"{listener},{club.options()}").output
    club.issues("localhost", days=3)
    result = checked(tmp_path, f"{listener},{club.options()}")
    assert (wrong(result), "good until" in notes(result)) == ([], True)
    club.issues("localhost", days=-1)
    assert "its certificate ended on" in wrong(checked(tmp_path, f"{listener},{club.options()}"))[0]
    club.key.unlink()
    assert "No such file" in wrong(checked(tmp_path, f"{listener},{club.options()}"))[0]


def test_trusted_proxies_are_named_where_a_listener_has_some_and_are_wrong_everywhere(tmp_path: Path) -> None:
    for listener in (FREE, "http=127.0.0.1:0", "relay=127.0.0.1:0"):
        found = checked(tmp_path, f"{listener},proxy_protocol=yes", SERVER_TRUSTED_PROXIES="10.0.0.0/8")
        assert (wrong(found), "ok     proxies of 10.0.0.0/8 are believed\n" in found.output) == ([], True)
        assert "proxy_protocol is yes or no" in wrong(checked(tmp_path, f"{listener},proxy_protocol=v1"))[0]
    assert "are believed" not in checked(tmp_path).output
    assert "[server] trusted_proxies: " in wrong(checked(tmp_path, SERVER_TRUSTED_PROXIES="everybody"))[0]


def test_a_directory_that_cannot_be_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "is no directory" in wrong(checked(tmp_path / "file" / "data"))[0]


def test_engines_are_named_with_where_they_were_found(tmp_path: Path) -> None:
    result = checked(tmp_path, BOT=f"chess={sys.executable} -m engine")
    assert f"ok     engine for chess: {sys.executable}, called {Path(sys.executable).name}\n" in result.output


def test_fewer_files_than_connections_is_a_note(tmp_path: Path) -> None:
    script = (
        "import resource, sys; from gateway.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))\n"
        f"main({['serve', '--check', '--data', str(tmp_path), '--listen', FREE]!r})"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "limits.connections is 10000, and this process may open 256 files at most" in ran.stdout


@pytest.mark.parametrize("form", ["text", "json"])
def test_it_says_nothing_in_the_log_that_it_says_in_words(tmp_path: Path, form: str) -> None:
    club = Authority(tmp_path / "tls")
    club.issues("localhost", days=3)
    result = checked(tmp_path, f"{FREE},{club.options()}", LOG_FORMAT=form)
    assert result.output.count("certificate") == 1
    assert not any(line.startswith("{") and json.loads(line) for line in result.output.splitlines())


def test_a_disk_that_is_nearly_full_is_wrong(tmp_path: Path) -> None:
    (only,) = wrong(checked(tmp_path, RECORD_LEAST_FREE=str(1 << 62)))
    assert f"MiB are free on the disk of {tmp_path}" in only
    assert only.endswith("(record.least_free)")


@pytest.mark.parametrize("bus", ["mars", "http://nats.example.org"])
def test_a_bus_that_does_not_exist_is_wrong(tmp_path: Path, bus: str) -> None:
    found = wrong(checked(tmp_path, SERVER_DATABASE="postgresql+psycopg://gate@127.0.0.1:1/gate", CLUSTER_BUS=bus))
    assert any(one.startswith('cluster.bus: a bus is "postgres" or nats://HOST:4222') for one in found)


def test_a_nats_server_that_does_not_answer_is_wrong(tmp_path: Path) -> None:
    settings = {"SERVER_DATABASE": "postgresql+psycopg://gate@127.0.0.1:1/gate", "CLUSTER_BUS": "nats://127.0.0.1:1"}
    found = wrong(checked(tmp_path, **settings))
    assert any(one.startswith("cluster.bus: nothing answers at 127.0.0.1:1") for one in found)


@pytest.mark.parametrize(
    ("listeners", "settings", "said"),
    [
        (["htp=127.0.0.1:0"], {}, "no dialect 'htp'; there are bogaprot, "),
        (["bogaprot=127.0.0.1:0,game=halma"], {}, "no game 'halma'"),
        (["bogaprot=192.0.2.1:0"], {}, "cannot listen on 192.0.2.1:0"),
        ([FREE], {"BOT": "chess=/nonexistent/engine"}, "no executable"),
        ([FREE], {"RELAY_PORTS": "many"}, "relay ports"),
        ([FREE], {"SERVER_TRUSTED_PROXIES": "everybody"}, "trusted_proxies"),
        ([FREE], {"REGISTRATION_ADMIN_TOKEN": "short"}, "admin token has 5 characters"),
    ],
)
def test_a_start_that_cannot_be_creates_and_migrates_nothing(
    tmp_path: Path, listeners: list[str], settings: dict[str, str], said: str
) -> None:
    data = tmp_path / "data"
    words = ["serve", "--data", str(data), *(f"--listen={listen}" for listen in listeners)]
    run = CliRunner().invoke(main, words, env={f"BOARDGATE_{name}": text for name, text in settings.items()})
    assert run.exit_code == 1
    begun, error = run.output.splitlines()
    assert f" event=starting version={VERSION} " in begun
    assert error.startswith("Error: ")
    assert said in error
    assert not data.exists()


def test_who_misspells_a_listener_is_told_of_all_kinds(tmp_path: Path) -> None:
    (told,) = wrong(checked(tmp_path, "htp=127.0.0.1:0"))
    assert {"http", "relay", *(name for name, dialect in registry.dialects().items() if dialect.public)} == set(
        told.partition("there are ")[2].split(", ")
    )


def test_the_certificate_of_a_proxy_is_looked_at_too(tmp_path: Path) -> None:
    club = Authority(tmp_path / "tls")
    club.issues("localhost", days=10)
    result = checked(tmp_path, SERVER_PROXY_CERTIFICATE=str(club.cert))
    assert "note   listener proxy: its certificate is good until " in result.output
    (only,) = wrong(checked(tmp_path, SERVER_PROXY_CERTIFICATE=str(tmp_path / "none.pem")))
    assert "listener proxy: tls_cert" in only
    assert "No such file" in only


def test_a_mail_server_is_called_as_far_as_logging_in(tmp_path: Path) -> None:
    """A server starts without its mail server, but not with settings that nobody understands."""
    with mail_room() as room:
        mail = {f"MAIL_{name.upper()}": str(value) for name, value in room.settings().items()}
        well = checked(tmp_path, **mail)
        assert wrong(well) == []
        assert f"mail server 127.0.0.1:{room.port}, none\n" in well.output
        plain = checked(tmp_path, **mail | {"MAIL_SECURITY": "starttls"})
        assert "no mail can be sent: 127.0.0.1: STARTTLS extension not supported by server." in notes(plain)
        assert wrong(plain) == []
    assert "no mail can be sent: 127.0.0.1: [Errno 111]" in notes(checked(tmp_path, **mail))
    (only,) = wrong(checked(tmp_path, **mail | {"MAIL_SENDER": "nobody"}))
    assert only == "[mail] sender: 'nobody' is no mail address, such as boardgate@example.org"


def test_an_openid_provider_is_asked_for_its_configuration_and_keys(tmp_path: Path) -> None:
    """A server starts without its provider, but not with settings that nobody understands."""
    with provider() as there:
        named = {f"OPENID_{name.upper()}": text for name, text in there.settings(tmp_path).items()}
        well = checked(tmp_path / "data", **named)
        assert wrong(well) == []
        back = "browsers come back to http://127.0.0.1:1/openid/callback, which it has to know\n"
        assert f"OpenID Connect provider {there.issuer}: {back}" in well.output
        there.crook(_configuration={"issuer": "https://other.example.org"})
        other = checked(tmp_path / "data", **named)
        assert wrong(other) == []
        assert "nobody can log in by Club Login: the configuration is of the issuer 'https://other" in notes(other)
    assert "nobody can log in by Club Login: localhost: " in notes(checked(tmp_path / "data", **named))
    (only,) = wrong(checked(tmp_path / "data", **named | {"OPENID_CLIENT_ID": ""}))
    assert only == "[openid] issuer needs client_id and client_secret_file, which the provider gives you"


def test_a_list_of_words_is_read(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("twit\n")
    assert f"ok     words of {words}\n" in checked(tmp_path, SERVER_WORDS_FILE=str(words)).output
    words.write_text("a twit\n")
    (only,) = wrong(checked(tmp_path, SERVER_WORDS_FILE=str(words)))
    assert only == f"[server] words_file {words}: line 1: 'a twit' is not one word of letters and digits"


def test_ways_to_tell_the_host_of_reports_are_looked_at(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
    with mail_room() as room, socket.create_server(("127.0.0.1", 0)) as program:
        mail = {f"MAIL_{name.upper()}": str(value) for name, value in room.settings().items()}
        origin = f"http://127.0.0.1:{program.getsockname()[1]}"
        hook = {"REPORTS_WEBHOOK": f"{origin}/boardgate", "REPORTS_WEBHOOK_SECRET_FILE": str(secret)}
        well = checked(tmp_path, REPORTS_MAIL="host@x.example", **mail, **hook)
        assert wrong(well) == []
        assert "ok     reports are mailed to host@x.example\n" in well.output
        assert f"ok     reports are told to {origin}\n" in well.output
    deaf = checked(tmp_path, **hook)
    assert f"reports wait: {origin} cannot be called: [Errno 111]" in notes(deaf)
    assert wrong(deaf) == []
    (only,) = wrong(checked(tmp_path, REPORTS_MAIL="host@x.example"))
    assert only == "[reports] mail needs a mail server: set host in [mail]"
    (only,) = wrong(checked(tmp_path, REPORTS_MAIL="host@x.example", **mail | {"MAIL_SENDER": "nobody"}))
    assert only.startswith("[mail] sender")
