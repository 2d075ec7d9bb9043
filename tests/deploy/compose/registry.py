"""A registry of images for `docker-compose build --pull`: Debian's docker-registry, on this machine alone.

Engines take a registry of the same machine as it is, without TLS.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests import peers
from tests.conformance.figures import until
from tests.deploy.compose.engine import Engine
from tests.deploy.namespaces import DIES_WITH_US

STOP_S: Final = 10.0
SETTINGS: Final = """
version: 0.1
log: {{level: warn}}
storage: {{filesystem: {{rootdirectory: {folder}}}}}
http: {{addr: "127.0.0.1:{port}"}}
"""
EMPTY: Final = ("sh", "-euc", 'tar -c -T /dev/null | docker import - "$0"')


@contextmanager
def registry(folder: Path, port: int = 0, enter: Sequence[str] = ()) -> Iterator[str]:
    """While it listens: what stands before the names of its images, which stay in ``folder`` for the next one.

    It listens on this machine at a free port, or at ``port``, and with an engine's ``enter`` beside that engine.
    """
    program = peers.program("docker-registry", "usr/bin")
    folder.mkdir(exist_ok=True)
    if port == 0:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
    (folder / "settings.yml").write_text(SETTINGS.format(folder=folder / "images", port=port))
    with (folder / "log").open("w") as log:
        command = [*DIES_WITH_US, *enter, str(program), "serve", str(folder / "settings.yml")]
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "OTEL_TRACES_EXPORTER": "none"})
    try:
        until(lambda: _answers(enter, port), lambda answers: answers or process.poll() is not None)
        assert process.poll() is None, (folder / "log").read_text()[-3000:]
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait(STOP_S)


def give_away(engine: Engine, image: str) -> None:
    """The registry has the image; the engine has in its place an old one, without a file in it."""
    engine.run("docker", "push", "--quiet", image)
    engine.run("docker", "image", "rm", image)
    engine.run(*EMPTY, image)


def _answers(enter: Sequence[str], port: int) -> bool:
    calls = [*enter, "bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{port}"]
    return subprocess.run(calls, capture_output=True, check=False).returncode == 0
