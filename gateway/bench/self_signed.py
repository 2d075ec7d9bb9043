"""A certificate that nobody trusts, for a server that is measured. Not here: what is measured over it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

BITS: Final = 2048
"""Of its RSA key: the dearest for a server of those that authorities sign most."""


@contextmanager
def self_signed() -> Iterator[str]:
    """The options of a listener with it; its files are gone at the end."""
    from cryptography import x509  # a twentieth of a second of import, for those who need it
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key, now = generate_private_key(65537, BITS), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .sign(key, SHA256())
    )
    with tempfile.TemporaryDirectory(prefix="boardgate-bench-") as folder:
        cert, secret = Path(folder) / "cert.pem", Path(folder) / "key.pem"
        cert.write_bytes(made.public_bytes(Encoding.PEM))
        secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        yield f"tls_cert={cert},tls_key={secret}"
