"""Our own clients check the server's certificate, and say why they do not trust one."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from tests import terminals
from tests.certificates import Authority
from tests.clients.xboard_process import running as xboard
from tests.conformance.gtp.ends import PIPE, OnPipes
from tests.conformance.over_tls.secure import DIALECTS, place, run
from tests.conformance.servers import fast
from tests.running import RunningServer


@pytest.mark.parametrize(
    "words",
    [
        ("bot", "ludo", "tls://localhost:{bogaprot}"),
        ("play", "ludo", "tls://localhost:{bogaprot}"),
        ("gtp", "tls://localhost:{gtp-engine}", "--engine"),
        ("register", "chess", "alice", "bob", "--server", "https://localhost:{http}"),
        ("tables", "--server", "https://localhost:{http}"),
        ("relay", "open", "--server", "https://localhost:{http}"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_server_of_another_authority_is_not_trusted(
    host: RunningServer, stranger: Authority, words: tuple[str, ...]
) -> None:
    ports = dict(zip(DIALECTS, host.ports, strict=True))
    typed = (*(word.format(**ports) for word in words), "--tls-ca", str(stranger.file))
    status, said = terminals.run(*typed) if words[0] == "play" else run(*typed)
    assert status == 1
    assert "the certificate is not trusted: unable to get local issuer certificate" in said
    assert "Traceback" not in said


def test_an_authority_that_the_system_does_not_know_is_not_trusted(host: RunningServer) -> None:
    status, said = run("bot", "ludo", place(host, "bogaprot"))
    assert (status, "the certificate is not trusted" in said) == (1, True)


def test_a_certificate_for_another_name_is_not_trusted(host: RunningServer, club: Authority) -> None:
    status, said = run("bot", "ludo", place(host, "bogaprot", "127.0.0.1"), "--tls-ca", str(club.file))
    assert status == 1
    assert "not trusted: IP address mismatch, certificate is not valid for '127.0.0.1'" in said


async def test_a_gui_is_told_why_a_server_is_not_trusted(host: RunningServer, stranger: Authority) -> None:
    async with xboard(place(host, "chess-p2p"), "--tls-ca", str(stranger.file)) as gui:
        await gui.introduce()
        await gui.shows(f"{place(host, 'chess-p2p')}: the certificate is not trusted: unable to get local issuer")
    go = OnPipes([*PIPE, place(host, "gtp-gui"), "--tls-ca", str(stranger.file)])
    with contextlib.closing(go):
        said = go.asks("boardsize 9")
    assert said.startswith(f"? cannot reach a Boardgate server at {place(host, 'gtp-gui')}: the certificate is not")


def test_a_listener_without_tls_is_called_what_it_is(tmp_path: Path, club: Authority) -> None:
    with fast(tmp_path, "gtp-gui") as plain:
        status, said = run("gtp", f"tls://localhost:{plain.ports[0]}", "--engine", "--tls-ca", str(club.file))
    assert (status, "what answers there does not speak TLS" in said) == (1, True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ("bot", "ludo", "localhost", "--tls-ca", "{ca}"),
            "a certificate is looked at with TLS only: write tls://local",
        ),
        (
            ("xboard", "localhost", "--tls-ca", "{ca}"),
            "a certificate is looked at with TLS only: write tls://localhost",
        ),
        (("bot", "ludo", "tls://localhost", "--tls-ca", "{missing}"), "No such file or directory"),
        (("gtp", "tls://localhost", "--tls-ca", "{key}"), "no certificate in it"),
        (("xboard", "--listen", "tls://:5000"), "who listens has no certificate"),
    ],
    ids=lambda words: words[0] if isinstance(words, tuple) else "",
)
def test_what_makes_no_sense_is_said(tmp_path: Path, club: Authority, words: tuple[str, ...], why: str) -> None:
    files = {"ca": club.file, "missing": tmp_path / "none.pem", "key": club.key}
    status, said = run(*(word.format(**files) for word in words))
    assert status == 2
    assert why in " ".join(said.replace("│", " ").split())
