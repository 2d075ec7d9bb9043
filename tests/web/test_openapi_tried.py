"""Schemathesis asks the API what its document allows and what it does not: no answer is another than it says."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.running import server

OPEN_ENDED = ("stream", "bytes", "events")
"""Operations whose answers do not end, or wait as long as they are told to."""

NOT_HERE = ("relay",)
"""Operations that need another listener."""

CHANCE = "positive_data_acceptance"
"""The check that a valid registration is accepted: the document does not say how many seats each game has."""

ANSWERED_LATER = """\
[[operations]]
include-operation-id = ["open_line", "say"]

[operations.checks]
negative_data_rejection.enabled = false
"""
"""What is no message is taken by a request, and answered by its line."""

LIMIT_S = 300

LINES = "5000"
"""Connections that one address may have: each line that is opened is one, and stays for some seconds."""


@pytest.mark.nightly
@pytest.mark.skipif(find_spec("schemathesis") is None, reason="schemathesis is not installed")
def test_every_answer_to_anything_is_what_the_document_says(tmp_path: Path) -> None:
    with server(tmp_path, "http", BOTS_WORKERS="0", LIMITS_CONNECTIONS_PER_ADDRESS=LINES) as running:
        origin = f"http://127.0.0.1:{running.ports[0]}"
        body = b'{"game": "chess", "seats": ["open", "open"]}'
        urlopen(Request(f"{origin}/api/tables", body, {"content-type": "application/json"})).close()
        left_out = [word for name in (*OPEN_ENDED, *NOT_HERE) for word in ("--exclude-operation-id", name)]
        words = ["run", f"{origin}/api/openapi.json", "--max-examples", "50", "--exclude-checks", CHANCE, *left_out]
        (tmp_path / "schemathesis.toml").write_text(ANSWERED_LATER)
        st = Path(sys.executable).parent / "st"
        tried = subprocess.run([st, *words], capture_output=True, text=True, timeout=LIMIT_S, cwd=tmp_path, check=False)
    assert tried.returncode == 0, tried.stdout
