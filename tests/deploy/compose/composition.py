"""docker-compose.yml brought up as a host does, and what tests ask of it.

Ports are those of .env and docker-compose.yml, in the engine's network.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.conformance.figures import until
from tests.deploy.compose import handbook
from tests.deploy.compose.engine import ROOT, Engine
from tests.deploy.compose.plugin import Plugin

SERVICES: Final = ("gateway", "database", "proxy")
NODES: Final = "deploy/docker-compose.nodes.yml"
HTTP, HTTPS = 80, 443
WEB: Final = f"https://{handbook.HOST}"
CHESS, GUIS = 27015, 5021
FOLDER: Final = "/srv/boardgate"
"""The tree's copy, as the host of the engine sees it: the handbook's cron line names it."""

UPSTREAM: Final = "/srv/upstream"
"""Where it was cloned from."""

NOT_COMMITTED: Final = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "build")
COMMITTER: Final = ("-c", "user.name=Boardgate", "-c", "user.email=boardgate@localhost")
HEALTHY_S: Final = 60.0
"""Seconds until a container that was started again is healthy."""


@dataclass(frozen=True, slots=True)
class Composition:
    """The project in FOLDER on an engine."""

    engine: Engine
    plugin: Plugin | None = None
    """What the host has instead of docker-compose."""

    @property
    def upstream(self) -> Path:
        """UPSTREAM, for those who are not the host."""
        return self.engine.place.srv / Path(UPSTREAM).name

    @property
    def tree(self) -> Path:
        """FOLDER, for those who are not the host."""
        return self.engine.place.srv / Path(FOLDER).name

    def clone(self) -> None:
        """What a host begins with, whose umask is strict; the settings alone must be readable."""
        shutil.copytree(ROOT, self.upstream, symlinks=True, ignore=NOT_COMMITTED)
        self.engine.run("git", "init", "--quiet", "--initial-branch=main", folder=UPSTREAM)
        self.commit()
        self.engine.run("sh", "-euc", f"umask 077; git clone --quiet {UPSTREAM} {FOLDER}")
        self.types(handbook.SAMPLE)
        self.types(handbook.READABLE)

    def commit(self) -> None:
        """What stands in ``upstream`` is a new version."""
        self.engine.run("git", "add", "--all", folder=UPSTREAM)
        self.engine.run("git", *COMMITTER, "commit", "--quiet", "--allow-empty", "--message=A version", folder=UPSTREAM)

    def choose(self, lines: str) -> None:
        """Change these lines of .env."""
        file = self.tree / ".env"
        text = file.read_text(encoding="utf-8")
        for line in lines.splitlines():
            name = line.partition("=")[0]
            text, changed = re.subn(rf"^{name}=.*$", line, text, flags=re.MULTILINE)
            assert changed == 1, f".env has {changed} lines {name}"
        file.write_text(text, encoding="utf-8")

    def chosen(self, name: str) -> str:
        """What .env says."""
        (found,) = re.findall(rf"^{name}=(.*)$", (self.tree / ".env").read_text(encoding="utf-8"), re.MULTILINE)
        return str(found)

    def types(self, text: str, folder: str = FOLDER, **environment: str) -> str:
        """What is said to a host who types this, with a blank for the hyphen where they have the plug-in."""
        if self.plugin is None:
            return self.engine.run("sh", "-euc", text, folder=folder, **environment)
        typed = text.replace("docker-compose", "docker compose")
        return self.engine.run(*self.plugin.enter(), "sh", "-euc", typed, folder=folder, **environment)

    def compose(self, *words: str) -> str:
        return self.types(shlex.join(["docker-compose", *words]))

    def build(self, target: str, name: str, *words: str, folder: str = FOLDER) -> None:
        """An image of this name from a tree, of a target of its recipe and as .env says."""
        base = f"BASE={self.chosen('BASE')}"
        network = self.chosen("BUILD_NETWORK")
        recipe = ("--network", network, "--build-arg", base, "--target", target, "--file", "deploy/Dockerfile")
        self.engine.run("docker", "build", "--quiet", *recipe, "--tag", name, *words, ".", folder=folder)

    def keep(self, target: str) -> None:
        """Name what was built for this target: no host who removes images without a name takes it away."""
        self.build(target, f"kept-{target}")

    def script(self, name: str, *words: str) -> str:
        """A script of deploy/, as a host calls it."""
        return self.types(shlex.join([f"deploy/{name}", *words]))

    def upgrades(self, typed: str) -> str:
        """Type ``deploy/upgrade`` and return what it says: the base is pulled, packages are those of the cache."""
        return self.types(typed, PACKAGES="")

    def asks(self, address: str, *headers: str, trusting: str = "") -> str:
        """What the web answers to a client that trusts this certificate alone: its status, and where it sends to."""
        told = ("--write-out", "%{http_code} %{redirect_url}", "--output", "/dev/null", "--cacert", "/dev/stdin")
        wanted = [word for header in headers for word in ("--header", header)]
        return self.engine.run("curl", "--silent", "--show-error", *told, *wanted, address, given=trusting).strip()

    def inside(self, service: str, *command: str, given: str = "") -> str:
        """What a command says in the container of a service."""
        return self.engine.run("docker", "exec", "--interactive", self._container(service), *command, given=given)

    def boardgate(self, *words: str) -> str:
        return self.inside("gateway", "boardgate", *words)

    def up(self, typed: str = "docker-compose up -d") -> str:
        """All three healthy; what was said to whoever typed this."""
        try:
            said = self.types(typed)
        except AssertionError as failed:
            raise AssertionError(f"{failed}\n{self._log(*SERVICES)}") from None
        for service in SERVICES:
            self.wait_until_healthy(service)
        return said

    def inspect(self, service: str) -> dict[str, Any]:
        """What the engine says of its container."""
        (found,) = json.loads(self.engine.run("docker", "inspect", self._container(service)))
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
        """Another process than ``but_not`` is."""
        until(
            lambda: self.inspect(service)["State"],
            lambda state: state["Pid"] not in (0, but_not) and state["Health"]["Status"] == "healthy",
            HEALTHY_S,
        )

    def wait_until_logged(self, service: str, text: str) -> None:
        until(lambda: self._log(service), lambda log: text in log, HEALTHY_S)

    def _container(self, service: str) -> str:
        """Its number; docker-compose would say the same, but takes half a second."""
        label = f"label=com.docker.compose.service={service}"
        (found,) = self.engine.run("docker", "ps", "--all", "--quiet", "--filter", label).split()
        return found

    def _log(self, *services: str) -> str:
        return self.compose("logs", "--no-color", "--tail=50", *services)
