"""A certificate authority for certbot: Debian's pebble, which asks by ACME for a proof that a name is the asker's."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests import peers
from tests.certificates import Authority
from tests.conformance.figures import until
from tests.deploy.compose.composition import HTTP, Composition
from tests.deploy.namespaces import DIES_WITH_US

DIRECTORY, MANAGEMENT = 14000, 15000
START_S: Final = 20.0
AT_ONCE: Final = {"PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "0"}
"""Otherwise it takes its time and refuses some requests for practice."""


@dataclass(frozen=True, slots=True)
class Issuer:
    """``root`` is the certificate whoever trusts it has, PEM; ``environment`` is of a host whose certbot asks it."""

    root: str
    environment: dict[str, str]


@contextmanager
def issuer(composition: Composition, folder: Path) -> Iterator[Issuer]:
    """While it listens beside the composition. It asks for the proof at port 80 of the name."""
    program = peers.program("pebble", "usr/bin")
    own = Authority(folder / "own")
    own.issues("localhost")
    settings = {
        "listenAddress": f"127.0.0.1:{DIRECTORY}",
        "managementListenAddress": f"127.0.0.1:{MANAGEMENT}",
        "certificate": str(own.cert),
        "privateKey": str(own.key),
        "httpPort": HTTP,
        "tlsPort": 0,
    }
    file = folder / "pebble.json"
    file.write_text(json.dumps({"pebble": settings}))
    command = [*DIES_WITH_US, *composition.engine.enter(), str(program), "-config", str(file)]
    with (folder / "pebble.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **AT_ONCE})
    try:
        ask = f"curl --silent --cacert {own.file} https://localhost:{MANAGEMENT}/roots/0 || true"
        root = until(lambda: composition.types(ask), lambda root: bool(root) or process.poll() is not None)
        assert process.poll() is None, (folder / "pebble.log").read_text()
        yield Issuer(root, {"XDG_CONFIG_HOME": str(_certbot(folder)), "REQUESTS_CA_BUNDLE": str(own.file)})
    finally:
        process.kill()
        process.wait(START_S)


def _certbot(folder: Path) -> Path:
    """XDG_CONFIG_HOME of a host who needs not be asked anything."""
    made = folder / "settings" / "letsencrypt"
    made.mkdir(parents=True)
    lines = [f"{name}-dir = {folder / name}" for name in ("config", "work", "logs")]
    lines += [f"server = https://localhost:{DIRECTORY}/dir"]
    lines += ["agree-tos = true", "register-unsafely-without-email = true", "non-interactive = true"]
    lines += ["no-random-sleep-on-renew = true"]  # up to eight minutes, where nobody looks on
    (made / "cli.ini").write_text("\n".join(lines))
    return made.parent
