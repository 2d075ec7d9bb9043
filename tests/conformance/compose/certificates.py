"""Certificates that tests make. Not here: who trusts them."""

from __future__ import annotations

import subprocess
from pathlib import Path


def self_signed(name: str, folder: Path) -> tuple[Path, Path]:
    """A certificate for a host of this name and its key, both PEM, in a new folder; called as certbot calls them."""
    folder.mkdir()
    chain, key = folder / "fullchain.pem", folder / "privkey.pem"
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    whose = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
    subprocess.run(
        ["openssl", "req", "-x509", *kind, *whose, "-keyout", str(key), "-out", str(chain)],
        check=True,
        capture_output=True,
    )
    return chain, key
