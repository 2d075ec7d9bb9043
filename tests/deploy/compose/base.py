"""What the images are built on where none can be downloaded: a minimal Debian, made by debootstrap from its packages.

The release is the one deploy/env.sample names, or another one.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

from tests import peers
from tests.deploy.compose.engine import ROOT, Engine
from tests.deploy.namespaces import COMMAND_S

CERTIFICATES: Final = Path("etc/ssl/certs/ca-certificates.crt")
"""Whom this machine trusts: its package index may have a certificate of its own."""

MAKE: Final = """
mount -t tmpfs -o size=2g none "$3"
root=$3/root
"$1" --variant=minbase --include=ca-certificates "$2" "$root" >&2
cp "$4" "$root$4"
# As Debian's own slim images have it: no waiting for disks, no manuals, no translations, nothing that apt has kept.
printf '%s\\n' force-unsafe-io path-exclude=/usr/share/doc/* path-include=/usr/share/doc/*/copyright \\
    path-exclude=/usr/share/man/* path-exclude=/usr/share/locale/* > "$root/etc/dpkg/dpkg.cfg.d/slim"
echo 'Acquire::Languages "none";' > "$root/etc/apt/apt.conf.d/slim"
find "$root/usr/share/doc" ! -type d ! -name copyright -delete
rm -rf "$root/usr/share/man"/* "$root/usr/share/locale"/* "$root/usr/share/info"/* \\
    "$root/var/lib/apt/lists"/* "$root/var/cache/apt/archives"/*.deb
tar -C "$root" -c .
"""
"""Of debootstrap, a release, a folder and this machine's certificates: an image as tar on standard output."""


def import_base(engine: Engine, folder: Path, name: str, of: str = "") -> None:
    """Make it in memory, mounted on ``folder`` for nobody else, an image of this name; ``of`` is another release."""
    debootstrap = peers.program("debootstrap", "usr/sbin")
    folder.mkdir()
    words = [str(debootstrap), of or release(), str(folder), f"/{CERTIFICATES}"]
    log = folder.with_suffix(".log")
    with log.open("w") as said:
        packed = subprocess.Popen(
            ["unshare", "--mount", "sh", "-euc", MAKE, "make", *words], stdout=subprocess.PIPE, stderr=said
        )
    with packed:
        variable = f"ENV PIP_CERT=/{CERTIFICATES}"
        command = ["docker", "--host", f"unix://{engine.socket}", "import", "--change", variable, "-", name]
        taken = subprocess.run(command, stdin=packed.stdout, capture_output=True, check=False, timeout=COMMAND_S)
    assert packed.returncode == 0, log.read_text()[-3000:]
    assert taken.returncode == 0, taken.stderr


def release() -> str:
    """The release of Debian that deploy/env.sample names."""
    found = re.search(
        r"^BASE=debian:(\w+)-slim$", (ROOT / "deploy" / "env.sample").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found is not None
    return found[1]
