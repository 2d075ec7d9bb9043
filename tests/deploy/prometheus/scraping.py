"""A real Prometheus with the files of deploy/, as they are but for addresses, paths and how often it looks.

    with prometheus(tmp_path, configured("127.0.0.1:8080")) as watching:
        watching.query("up")

Ended by its process id when the block ends.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from bench.free_port import free_port
from tests import peers
from tests.conformance.figures import PATIENCE_S, until

DEPLOY: Final = Path(__file__).parents[3] / "deploy"
ALERTS: Final = DEPLOY / "alerts.yml"
CONFIG: Final = DEPLOY / "prometheus.yml"
HERE: Final = "127.0.0.1:8080"
"""The target of the deployed configuration."""

STOP_S: Final = 20.0

Series = dict[str, str]
"""Labels, ``__name__`` among them."""


class BadQuery(Exception):
    """Prometheus says what is wrong with a query."""


@dataclass(frozen=True, slots=True)
class Watching:
    """The HTTP API of a Prometheus at ``address``."""

    address: str

    def query(self, expression: str) -> list[tuple[Series, float]]:
        """What an expression is now. BadQuery."""
        found = self.ask("query", query=expression)["result"]
        return [(sample["metric"], float(sample["value"][1])) for sample in found]

    def target(self, job: str) -> dict[str, Any]:
        """What it knows of the job's only target."""
        (found,) = [target for target in self.ask("targets")["activeTargets"] if target["scrapePool"] == job]
        return dict(found)

    def rules(self) -> list[dict[str, Any]]:
        return [rule for group in self.ask("rules")["groups"] for rule in group["rules"]]

    def ask(self, path: str, **words: str) -> Any:
        try:
            with urlopen(f"http://{self.address}/api/v1/{path}?{urlencode(words)}", timeout=PATIENCE_S) as answer:
                return json.load(answer)["data"]
        except HTTPError as error:
            with error:
                raise BadQuery(f"{words}: {json.load(error)['error']}") from None

    def ready(self) -> bool:
        try:
            with urlopen(f"http://{self.address}/-/ready", timeout=PATIENCE_S) as answer:
                return bool(answer.status == 200)
        except URLError:
            return False


def configured(target: str) -> str:
    """deploy/prometheus.yml for this target, which is looked at twice a second; and one more job, Prometheus itself."""
    text = CONFIG.read_text(encoding="utf-8")
    assert text.count(HERE) == 1
    return re.sub(r"_interval: \w+", "_interval: 500ms", text).replace(HERE, target)


def secured(text: str, token: Path, authority: Path) -> str:
    """The same with the lines that are comments, for a server that is somewhere else."""
    text = re.sub(r"^( *)# ( *[a-z_]+:(?: .*)?)$", r"\1\2", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=credentials_file: ).*", str(token), text)
    return re.sub(r"(?<=ca_file: ).*", str(authority), text)


@contextmanager
def prometheus(folder: Path, text: str, enter: Sequence[str] = (), holds: str = "") -> Iterator[Watching]:
    """Runs with this configuration, in ``folder``; it looks at itself, too, as a job of its own.

    ``enter`` are words before its command. Alarms that hold for ``holds``, such as "1s", ring then, where it is given.
    """
    program = peers.program("prometheus", "usr/bin")
    address = f"127.0.0.1:{free_port()}"
    itself = f'  - job_name: prometheus\n    static_configs:\n      - targets: ["{address}"]\n'
    (folder / CONFIG.name).write_text(text + itself, encoding="utf-8")
    alerts = ALERTS.read_text(encoding="utf-8")
    if holds:
        alerts = re.sub(r"(?m)^( +for:) \w+$", rf"\1 {holds}", alerts)
    (folder / ALERTS.name).write_text(alerts, encoding="utf-8")
    command = [
        *enter,
        str(program),
        f"--config.file={folder / CONFIG.name}",
        f"--storage.tsdb.path={folder / 'samples'}",
    ]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([*command, f"--web.listen-address={address}"], stdout=log, stderr=log)
    watching = Watching(address)
    try:
        until(lambda: (watching.ready(), process.poll()), lambda seen: seen != (False, None))
        assert process.poll() is None, (folder / "log").read_text()[-2000:]
        yield watching
    finally:
        process.terminate()
        process.wait(STOP_S)
