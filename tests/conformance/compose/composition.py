"""docker-compose.yml brought up as a host does, and what tests ask of it.

Not here: the engine (engine.py), players. Ports are those of .env and docker-compose.yml, in the engine's network.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.conformance.compose.base import NAME
from tests.conformance.compose.engine import ROOT, Engine
from tests.conformance.compose.handbook import CHOSEN, COMMANDS

SERVICES: Final = ("gateway", "database", "proxy")
HOST: Final = CHOSEN["PUBLIC_HOST"]
HTTP, HTTPS = 80, 443
BOGAPROT, CHESS, GUIS, MINIATURE = 5700, 27015, 5021, 5010
HEALTHY_S: Final = 60.0
"""Seconds until a container that was started again is healthy."""


@dataclass(frozen=True, slots=True)
class Composition:
    """The project of this tree on an engine. Base and ``acme`` are the test's, the rest is as the handbook says."""

    engine: Engine
    acme: Path

    def compose(self, *words: str, given: str = "") -> str:
        return self._run("docker-compose", *words, given=given)

    def script(self, name: str, *words: str, **environment: str) -> str:
        """A script of deploy/, as a host calls it."""
        return self._run(str(ROOT / "deploy" / name), *words, **environment)

    def inside(self, service: str, *command: str) -> str:
        """What a command says in the container of a service."""
        return self.compose("exec", "-T", service, *command)

    def boardgate(self, *words: str) -> str:
        return self.inside("gateway", "boardgate", *words)

    def up(self) -> None:
        """All three healthy."""
        try:
            self._run(*COMMANDS[0])
        except AssertionError as failed:
            raise AssertionError(f"{failed}\n{self.compose('logs', '--no-color', '--tail=50')}") from None
        for service in SERVICES:
            self.wait_until_healthy(service)

    def inspect(self, service: str) -> dict[str, Any]:
        """What the engine says of its container."""
        number = self.compose("ps", "--all", "--quiet", service).strip()
        (found,) = json.loads(self._run("docker", "inspect", number))
        assert isinstance(found, dict)
        return found

    def exit_status(self, service: str) -> int:
        """Of a container that has stopped."""
        state = self.inspect(service)["State"]
        assert state["Status"] == "exited", state
        return int(state["ExitCode"])

    def kill(self, service: str) -> None:
        """SIGKILL to its first process, as the kernel does when memory is short; wait until another one is healthy."""
        before = self.inspect(service)["State"]["Pid"]
        self.engine.kill(before)
        self.wait_until_healthy(service, but_not=before)

    def wait_until_healthy(self, service: str, but_not: int = 0) -> None:
        deadline = time.monotonic() + HEALTHY_S
        while True:
            state = self.inspect(service)["State"]
            if state["Pid"] not in (0, but_not) and state["Health"]["Status"] == "healthy":
                return
            assert time.monotonic() < deadline, f"{state}\n{self.compose('logs', '--no-color', '--tail=50', service)}"
            time.sleep(0.2)

    def wait_until_logged(self, service: str, text: str) -> None:
        deadline = time.monotonic() + HEALTHY_S
        while text not in (log := self.compose("logs", "--no-color", "--tail=50", service)):
            assert time.monotonic() < deadline, log

    def _run(self, *command: str, given: str = "", **environment: str) -> str:
        chosen = {**CHOSEN, "BASE": NAME, "BUILD_NETWORK": "host", "ACME": str(self.acme), **environment}
        return self.engine.run(*command, given=given, **chosen)
