"""Boardgate as a service of a machine that has booted systemd, and what tests ask of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.request import urlopen

from tests.conformance.figures import PATIENCE_S, until
from tests.deploy.systemd.handbook import EXPORT
from tests.deploy.systemd.machine import Machine

HTTP: Final = 8080
SETTINGS: Final = "etc/boardgate/boardgate.toml"
KILLING: Final = "SystemCallErrorNumber=kill"
"""For the unit: what is refused otherwise kills whoever tries it, so nothing that was needed was refused in silence."""

EDITED: Final = "etc/systemd/system/boardgate.service.d/override.conf"
"""Where `systemctl edit` writes."""


class Service(Machine):
    """A machine with the service, which a test leaves as it found it."""

    def shows(self, *names: str) -> list[str]:
        """Properties of the unit."""
        told = self.types(f"systemctl show boardgate --property={','.join(names)}")
        found = dict(line.split("=", 1) for line in told.splitlines())
        return [found[name] for name in names]

    @property
    def main(self) -> int:
        """Its first process, as its machine numbers it; 0 while there is none."""
        return int(self.shows("MainPID")[0])

    def processes(self) -> dict[str, dict[str, str]]:
        """Of the service: by name what /proc says of each."""
        numbers = "cat /sys/fs/cgroup/system.slice/boardgate.service/cgroup.procs"
        told = self.types(f'for one in $({numbers}); do cat "/proc/$one/status"; echo; done')
        each = [dict(line.split(":", 1) for line in text.splitlines()) for text in told.strip().split("\n\n")]
        return {one["Name"].strip(): {key: text.strip() for key, text in one.items()} for one in each}

    def journal(self) -> str:
        """What the service has said since its machine is on, and what systemd says of it."""
        return self.types("journalctl --unit=boardgate --output=cat --no-pager")

    def wait_until_logged(self, text: str) -> None:
        until(self.journal, lambda log: text in log)

    def wait_until_up(self, but_not: int = 0) -> None:
        """Another process than ``but_not`` lets players come."""
        until(
            lambda: self.shows("ActiveState", "MainPID"),
            lambda state: state[0] == "active" and int(state[1]) not in (0, but_not),
        )

    def boardgate(self, words: str) -> str:
        """What a command says to root."""
        return self.types(f"{EXPORT}\n/opt/boardgate/bin/boardgate {words}")

    def tables(self) -> dict[int, str]:
        """The game of each table of the record."""
        return {row["table"]: row["game"] for row in json.loads(self.boardgate("tables --json"))}

    def asks(self, path: str) -> str:
        """The answer of its HTTP listener."""
        with self.network(), urlopen(f"http://127.0.0.1:{HTTP}{path}", timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    @contextmanager
    def chosen(self, *, unit: str = "", settings: str = "") -> Iterator[None]:
        """Lines for the unit, and settings before the others: it is restarted with them, and afterwards without."""
        file, edited = self.root / SETTINGS, self.root / EDITED
        before = file.read_text()
        edited.parent.mkdir(exist_ok=True)
        edited.write_text(f"[Service]\n{unit}\n")
        file.write_text(f"{settings}\n{before}")
        try:
            self.types("systemctl daemon-reload\nsystemctl restart boardgate")
            yield
        finally:
            file.write_text(before)
            edited.unlink()
            self.types("systemctl daemon-reload\nsystemctl restart boardgate")
