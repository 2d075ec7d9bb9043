"""The rule for missing peers: skipped where nobody asked for them, a failure where they are required."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import peers


def test_a_missing_program_skips_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(peers.REQUIRE, raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-program is not installed"):
        peers.program("no-such-program")


def test_a_missing_program_fails_the_test_where_peers_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(peers.REQUIRE, "1")
    with pytest.raises(pytest.fail.Exception, match="no-such-program is not installed"):
        peers.program("no-such-program")


def test_of_several_versions_the_newest_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("9", "13", "15"):
        folder = tmp_path / version / "bin"
        folder.mkdir(parents=True)
        (folder / "server").touch()
    monkeypatch.setenv(peers.REQUIRE, "1")
    assert peers.program("server", f"{tmp_path}/*/bin") == tmp_path / "15" / "bin" / "server"
