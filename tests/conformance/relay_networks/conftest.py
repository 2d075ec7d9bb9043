"""Each network is made once, with its server, for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.relay_networks import networks
from tests.conformance.relay_networks.programs import serving


@pytest.fixture(scope="package")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[networks.Street]:
    with networks.apart() as street, serving(street.server, tmp_path_factory.mktemp("apart")):
        yield street


@pytest.fixture(scope="package")
def behind_routers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[networks.Street]:
    with networks.behind_routers() as street, serving(street.server, tmp_path_factory.mktemp("routers")):
        yield street


@pytest.fixture(scope="package")
def in_the_open(tmp_path_factory: pytest.TempPathFactory) -> Iterator[networks.Street]:
    with networks.in_the_open() as street, serving(street.server, tmp_path_factory.mktemp("open")):
        yield street
