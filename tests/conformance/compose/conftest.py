"""The composition is built and brought up once for all tests of this folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import peers
from tests.conformance.compose.base import import_base
from tests.conformance.compose.composition import Composition
from tests.conformance.compose.engine import engine, memory, needed


@pytest.fixture(scope="package")
def composition() -> Iterator[Composition]:
    """Up and healthy, with the volumes of a first start. The engine is killed at the end, and with it everything."""
    needed()
    peers.program("docker-compose", "usr/bin")
    folder = Path(tempfile.mkdtemp(prefix="boardgate-"))
    acme = folder / "acme"
    acme.mkdir(mode=0o755)
    try:
        with memory(folder) as place:
            with engine(place, outside=True) as builder:
                import_base(builder, folder / "debian")
                Composition(builder, acme).compose("build")
            with engine(place) as runner:
                found = Composition(runner, acme)
                found.up()
                yield found
    finally:
        shutil.rmtree(folder)
