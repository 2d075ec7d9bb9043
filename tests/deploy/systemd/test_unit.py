"""deploy/boardgate.service as systemd-analyze reads it: valid, and confined should the server be taken over."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from tests import peers

DEPLOY: Final = Path(__file__).parents[3] / "deploy"
SCRIPT_S: Final = 30.0

WORST: Final = 20
"""Tenths, as systemd reckons how much a service could do if it were taken over: 0 nothing, 100 everything."""


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    analyze = peers.program("systemd-analyze", "usr/bin")
    unit = (DEPLOY / "boardgate.service").read_text(encoding="utf-8")
    here = tmp_path / "boardgate.service"
    here.write_text(unit.replace("/opt/boardgate/bin/boardgate serve", f"{sys.executable} -m gateway.cli serve"))
    found = subprocess.run(
        [str(analyze), "verify", "--man=no", str(here)], capture_output=True, text=True, check=False, timeout=SCRIPT_S
    )
    assert (found.returncode, found.stderr) == (0, "")


def test_a_server_that_is_taken_over_could_do_little(tmp_path: Path) -> None:
    """ "a systemd unit with hardening" """
    analyze = peers.program("systemd-analyze", "usr/bin")
    command = [str(analyze), "security", "--offline=true", f"--threshold={WORST}", str(DEPLOY / "boardgate.service")]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SCRIPT_S)
    assert found.returncode == 0, found.stdout[-3000:]
