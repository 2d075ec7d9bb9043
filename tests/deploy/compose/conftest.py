"""The composition is built and brought up once for all tests of this folder, as the handbook's first page says."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.deploy.compose import handbook
from tests.deploy.compose.base import import_base
from tests.deploy.compose.composition import NODES, Composition
from tests.deploy.compose.engine import docker_needed, engine, memory
from tests.deploy.compose.plugin import Plugin, download
from tests.deploy.compose.registry import give_away, registry

WITHOUT_A_DAY: Final = handbook.BUILD.replace("$(date +%F)", "")
"""Later builds find packages in the cache: they are out of reach then."""


@dataclass(frozen=True, slots=True)
class Host:
    """``told`` is what was said to a host who typed what step 2 says, ``built`` to one who built a new version."""

    composition: Composition
    told: str
    built: str


@pytest.fixture(scope="package")
def host() -> Iterator[Host]:
    """Up and healthy, with the volumes of a first start. The engine is killed at the end, and with it everything.

    What the host here chooses beyond the page is where images come from: nothing can be downloaded but packages.
    """
    docker_needed()
    folder = Path(tempfile.mkdtemp(prefix="boardgate-"))
    try:
        with memory(folder, handbook.HOST, handbook.ENGINE) as place:
            with engine(place, outside=True) as builder, registry(folder / "registry") as images:
                made, base = Composition(builder), f"{images}/debian"
                made.clone()
                import_base(builder, folder / "debian", base)
                give_away(builder, base)
                made.choose(f"BASE={base}\nBUILD_NETWORK=host")
                built = made.types(WITHOUT_A_DAY)
                made.compose("-f", NODES, "build", "haproxy")
                made.keep("dependencies")
            port = int(base.partition("/")[0].partition(":")[2])
            with engine(place) as runner, registry(folder / "registry", port, runner.enter()):
                made = Composition(runner)
                made.choose(handbook.CHOICES)
                yield Host(made, made.up(handbook.START), built)
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="package")
def composition(host: Host) -> Composition:
    return host.composition


@pytest.fixture(scope="package")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Plugin:
    return download(tmp_path_factory.mktemp("plugin"))
