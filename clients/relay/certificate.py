"""TLS 1.3 between two who have the same code: both make the same key of it, and trust what this key has signed, only.

The key is an Ed25519 key that HKDF-SHA256 (RFC 5869) derives from the code's secret. Each end shows a certificate that
it has signed, and trusts another: names, numbers and dates in both are fixed, so that nothing needs to be exchanged.
The carrier of the connection can neither read it nor take an end's place.
"""

from __future__ import annotations

import os
import secrets
import ssl
import tempfile
from datetime import UTC, datetime
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from cryptography.x509.oid import NameOID

from clients.relay.code import Code

PURPOSE: Final = b"boardgate relay 1"
"""The use of this key; another version of the protocol derives another."""

TRUSTED: Final = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Boardgate relay")])
SHOWN: Final = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Boardgate relay helper")])
"""Two certificates of one key, because a certificate that signs itself is compared to the last byte, and the libraries
of two friends may write one differently."""

SERIAL: Final = 1
SINCE: Final = datetime(2000, 1, 1, tzinfo=UTC)
UNTIL: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""A code lives for minutes; a certificate must not depend on what the clocks of both ends say."""


def key(code: Code) -> Ed25519PrivateKey:
    """The key of this code; the room is in it, so that a secret used twice gives two keys."""
    derived = HKDF(SHA256(), 32, salt=PURPOSE, info=code.room.encode()).derive(code.secret.encode())
    return Ed25519PrivateKey.from_private_bytes(derived)


def certificate(own: Ed25519PrivateKey, name: x509.Name) -> x509.Certificate:
    """A certificate of this key, signed by it: TRUSTED or SHOWN."""
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(TRUSTED)
        .public_key(own.public_key())
        .serial_number(SERIAL)
        .not_valid_before(SINCE)
        .not_valid_after(UNTIL)
        .add_extension(x509.BasicConstraints(ca=name == TRUSTED, path_length=None), critical=True)
        .sign(own, None)
    )


def context(code: Code, *, server: bool) -> ssl.SSLContext:
    """TLS's settings of one end: our certificate is shown, and the like of it demanded."""
    own = key(code)
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT)
    found.minimum_version = ssl.TLSVersion.TLSv1_3
    found.check_hostname = False  # the key is what is trusted, no host is named
    found.verify_mode = ssl.CERT_REQUIRED
    found.load_verify_locations(cadata=_pem(own, TRUSTED))
    if server:
        found.num_tickets = 0  # no TLS session is resumed here: the link inside resumes
    _load(found, own)
    return found


def _pem(own: Ed25519PrivateKey, name: x509.Name) -> str:
    return certificate(own, name).public_bytes(Encoding.PEM).decode()


def _load(found: ssl.SSLContext, own: Ed25519PrivateKey) -> None:
    """Give the context its key. ``ssl`` takes files only: this one is encrypted, by a random password."""
    password = secrets.token_bytes(24).hex().encode()
    private = own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password))
    handle, path = tempfile.mkstemp(suffix=".pem")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(private + _pem(own, SHOWN).encode())
        found.load_cert_chain(path, password=password)
    finally:
        os.unlink(path)
