"""A listener reports a bad certificate in words, and never replaces a good one by it."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from structlog.testing import capture_logs

from gateway.config import BadSetting, Listen, parse_listener
from gateway.net.tls import Certificate, certificate
from gateway.relay.listen import open_relay_listener
from gateway.web.forwarded import open_pages
from tests.certificates import Authority


@pytest.fixture
def club(tmp_path: Path) -> Authority:
    found = Authority(tmp_path)
    found.issues("localhost")
    return found


def read(club: Authority) -> Certificate:
    found = certificate(parse_listener(f"gopher=127.0.0.1:70,{club.options()}"))
    assert found is not None
    return found


def refused(club: Authority) -> str:
    with pytest.raises(BadSetting) as wrong:
        read(club)
    assert str(wrong.value).startswith("listener gopher=127.0.0.1:70: ")
    return str(wrong.value).removeprefix("listener gopher=127.0.0.1:70: ")


def test_a_listener_without_the_options_is_plain() -> None:
    assert certificate(Listen("gopher", "127.0.0.1", 70, {"colour": "red"})) is None


@pytest.mark.parametrize(("given", "missing"), [("tls_cert", "tls_key"), ("tls_key", "tls_cert")])
def test_a_certificate_and_its_key_belong_together(given: str, missing: str) -> None:
    with pytest.raises(BadSetting, match=f"{missing} is missing"):
        certificate(Listen("gopher", "127.0.0.1", 70, {given: "some.pem"}))


def test_nothing_older_than_tls_1_2_is_spoken(club: Authority) -> None:
    assert read(club).context.minimum_version == ssl.TLSVersion.TLSv1_2


def test_a_file_that_is_not_there_is_named(club: Authority) -> None:
    club.key.unlink()
    assert refused(club) == f"tls_key {club.key}: No such file or directory"


def test_a_file_that_is_no_certificate_is_named(club: Authority) -> None:
    club.cert.write_text("a letter")
    assert refused(club) == f"tls_cert {club.cert} and tls_key {club.key} are not a certificate and its key in PEM"


def test_the_key_of_another_certificate_is_refused(club: Authority, tmp_path: Path) -> None:
    other = Authority(tmp_path / "other")
    other.issues("localhost")
    club.key.write_bytes(other.key.read_bytes())
    assert refused(club) == f"tls_key {club.key} is not the key of tls_cert {club.cert}"


def test_nobody_is_asked_for_a_passphrase(club: Authority) -> None:
    key = load_pem_private_key(club.key.read_bytes(), None)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"open"))
    club.key.write_bytes(locked)
    assert refused(club) == f"tls_key {club.key} has a passphrase: nobody is there to type it"


def test_a_new_certificate_is_for_whoever_comes_next(club: Authority) -> None:
    found = read(club)
    before = found.context
    club.issues("localhost", days=400)
    assert found.reload()
    assert found.context is not before
    assert found.ends > read(club).ends - 1


def test_a_bad_certificate_does_not_replace_a_good_one_and_the_log_says_so(club: Authority) -> None:
    found = read(club)
    before = found.context
    club.cert.write_text("")
    with capture_logs() as log:
        assert not found.reload()
    assert found.context is before
    assert [line["event"] for line in log] == ["the old certificate is kept"]
    assert str(club.cert) in log[0]["error"]


@pytest.mark.parametrize(("days", "warned"), [(13, True), (15, False)])
def test_a_certificate_that_ends_soon_is_warned_of(club: Authority, days: int, warned: bool) -> None:
    club.issues("localhost", days=days)
    with capture_logs() as log:
        read(club)
    assert [line["event"] for line in log] == ["certificate ends soon"] * warned


def test_a_listener_of_the_relay_may_have_tls_and_still_has_no_colour(club: Authority) -> None:
    listener = open_relay_listener(parse_listener(f"relay=127.0.0.1:0,{club.options()}"))
    with listener.sock:
        assert listener.certificate is not None
        assert listener.shown.line().endswith(f" tls_cert={club.cert} tls_key={club.key}")
    for wrong, why in (("tls_cert=a.pem", "tls_key is missing"), ("colour=red", "no option 'colour'")):
        with pytest.raises(BadSetting, match=why):
            open_relay_listener(parse_listener(f"relay=127.0.0.1:0,{wrong}"))


def test_a_listener_of_http_may_have_tls_and_still_has_no_colour() -> None:
    with pytest.raises(BadSetting, match="no option 'colour'"):
        open_pages(parse_listener("http=127.0.0.1:0,tls_cert=a.pem,colour=red"))
