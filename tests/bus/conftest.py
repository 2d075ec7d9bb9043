"""Brokers to test on: those of other programs are started for the run, or for the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import peers
from tests.bus.brokers import Broker, Memory, Nats, Postgres
from tests.postgresql import Cluster, cluster

REAL = [pytest.param(name, marks=peers.needed) for name in ("postgres", "nats")]


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


def _made(request: pytest.FixtureRequest) -> Iterator[Postgres | Nats]:
    made = Nats() if request.param == "nats" else Postgres(request.getfixturevalue("postgresql").url())
    yield made
    made.close()


@pytest.fixture(params=["memory", *REAL])
def broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """Every broker there is: buses over them behave alike."""
    if request.param == "memory":
        yield Memory()
    else:
        yield from _made(request)


@pytest.fixture(params=REAL)
def real(request: pytest.FixtureRequest) -> Iterator[Postgres | Nats]:
    """Those that are programs of others."""
    yield from _made(request)
