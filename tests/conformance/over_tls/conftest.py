"""Two servers that speak TLS in every dialect, one with a short handshake limit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.certificates import Authority
from tests.conformance.over_tls.secure import DIALECTS, listener
from tests.conformance.servers import fast
from tests.faults.guests import DEFECTS
from tests.running import RunningServer


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    found = Authority(tmp_path_factory.mktemp("club"))
    found.issues("localhost")
    return found


@pytest.fixture(scope="module")
def host(club: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    listeners = (listener(dialect, club.options()) for dialect in DIALECTS)
    with fast(tmp_path_factory.mktemp("data"), *listeners) as found:
        yield found
        assert not any(word in found.log.read_text() for word in DEFECTS)
        assert found.stop() == 0


@pytest.fixture(scope="module")
def hasty(club: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The same with a handshake limit of one second."""
    listeners = (listener(dialect, club.options()) for dialect in DIALECTS)
    with fast(tmp_path_factory.mktemp("data"), *listeners, LIMITS_HANDSHAKE="1s") as found:
        yield found
        assert not any(word in found.log.read_text() for word in DEFECTS)


@pytest.fixture
def stranger(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "stranger")
