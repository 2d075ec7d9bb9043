"""Certificates for tests: an authority made for the occasion, and what it issues, as files in PEM.

club = Authority(tmp_path)
club.issues("localhost")            # club.cert and club.key are files now
club.trust.wrap_socket(...)         # a client that trusts it

"""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

import trustme


class Authority:
    """``folder`` gets what it issues, always under the same names: another authority's there would be replaced."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._authority = trustme.CA()
        self.cert, self.key = folder / "cert.pem", folder / "key.pem"
        self.file = folder / "authority.pem"
        self._authority.cert_pem.write_to_path(self.file)

    def issues(self, *names: str, days: int = 90) -> None:
        """A certificate for these names, and its key, good for so many days from now."""
        made = self._authority.issue_cert(*names, not_after=datetime.now(UTC) + timedelta(days=days))
        self.cert.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
        made.private_key_pem.write_to_path(self.key)

    @cached_property
    def trust(self) -> ssl.SSLContext:
        """The context of a client that trusts this authority and no other."""
        return ssl.create_default_context(cafile=str(self.file))

    def options(self) -> str:
        """Of a listener, as ``--listen`` takes them."""
        return f"tls_cert={self.cert},tls_key={self.key}"
