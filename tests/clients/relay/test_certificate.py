"""TLS connects the two holders of one code, and no others."""

from __future__ import annotations

import ssl
from contextlib import suppress

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from clients.relay.certificate import SHOWN, TRUSTED, certificate, context, key
from clients.relay.code import Code

CODE = Code("k7fq9x", "h2m4t7w9qz3c5r8vbdfg23")
OTHER = Code("k7fq9x", "h2m4t7w9qz3c5r8vbdfg24")


class Wire:
    """Both ends of TLS in memory. ``seen`` is everything that went over it."""

    def __init__(self, server: ssl.SSLContext, client: ssl.SSLContext) -> None:
        self._up, self._down = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.seen = b""
        self._to_server, self._to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.server = server.wrap_bio(self._to_server, self._down, server_side=True)
        self.client = client.wrap_bio(self._to_client, self._up)

    def carry(self) -> None:
        for source, target in ((self._up, self._to_server), (self._down, self._to_client)):
            data = source.read()
            self.seen += data
            target.write(data)

    def shake_hands(self) -> None:
        """Raises ssl.SSLError where either end refuses."""
        for end in (self.client, self.server, self.client, self.server, self.client):
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
            self.carry()


@pytest.mark.parametrize("name", [SHOWN, TRUSTED])
def test_both_ends_make_the_same_certificate(name: x509.Name) -> None:
    made = [certificate(key(Code(CODE.room, CODE.secret)), name).public_bytes(Encoding.DER) for _ in range(2)]
    assert made[0] == made[1]


def test_another_secret_or_another_room_makes_another_key() -> None:
    keys = {key(code).public_key().public_bytes_raw() for code in (CODE, OTHER, Code("k7fq9z", CODE.secret))}
    assert len(keys) == 3


def test_it_is_tls_1_3_and_what_is_said_is_not_seen() -> None:
    wire = Wire(context(CODE, server=True), context(CODE, server=False))
    wire.shake_hands()
    assert wire.server.version() == wire.client.version() == "TLSv1.3"
    wire.client.write(b"a very secret opening")
    wire.carry()
    assert wire.server.read(100) == b"a very secret opening"
    assert b"secret" not in wire.seen


def test_both_ends_have_seen_the_others_certificate() -> None:
    wire = Wire(context(CODE, server=True), context(CODE, server=False))
    wire.shake_hands()
    shown = certificate(key(CODE), SHOWN).public_bytes(Encoding.DER)
    assert wire.server.getpeercert(binary_form=True) == wire.client.getpeercert(binary_form=True) == shown


def test_another_writing_of_the_certificate_by_the_same_key_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two friends may have different versions of the library that writes certificates."""
    monkeypatch.setattr("clients.relay.certificate.SERIAL", 7)
    other = context(CODE, server=False)
    monkeypatch.undo()
    wire = Wire(context(CODE, server=True), other)
    wire.shake_hands()
    wire.client.write(b"e2e4")
    wire.carry()
    assert wire.server.read(100) == b"e2e4"


@pytest.mark.parametrize(("server", "client"), [(CODE, OTHER), (OTHER, CODE)])
def test_another_secret_is_refused(server: Code, client: Code) -> None:
    wire = Wire(context(server, server=True), context(client, server=False))
    with pytest.raises(ssl.SSLError, match="CERTIFICATE_VERIFY_FAILED"):
        wire.shake_hands()


def test_who_shows_no_certificate_is_refused_by_tlss_server() -> None:
    stranger = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    stranger.check_hostname = False
    stranger.verify_mode = ssl.CERT_NONE
    wire = Wire(context(CODE, server=True), stranger)
    with pytest.raises(ssl.SSLError, match="PEER_DID_NOT_RETURN_A_CERTIFICATE"):
        wire.shake_hands()


def test_an_older_tls_is_refused() -> None:
    older = context(CODE, server=False)
    older.minimum_version = ssl.TLSVersion.TLSv1_2
    older.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError, match=r"UNSUPPORTED_PROTOCOL|ALERT_PROTOCOL_VERSION"):
        Wire(context(CODE, server=True), older).shake_hands()
