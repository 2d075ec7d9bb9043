"""Makes an authority and a certificate for localhost, for the tests of the relay with TLS."""

from __future__ import annotations

import pytest

from tests.certificates import Authority


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    found = Authority(tmp_path_factory.mktemp("club"))
    found.issues("localhost")
    return found
