"""Build arguments and labels that deploy/Dockerfile and the compose files share; tests/deploy/compose builds images."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.test_house import ROOT

RECIPE: Final = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
STAGES: Final = re.split(r"^FROM ", RECIPE, flags=re.MULTILINE)[1:]
COMPOSITIONS: Final = ("docker-compose.yml", "deploy/docker-compose.nodes.yml")


def test_packages_are_installed_anew_when_the_argument_packages_changes() -> None:
    """The engine's cache knows the command alone, and an argument that stands before it."""
    installing = [stage for stage in STAGES if "apt-get" in stage]
    assert len(installing) >= 4
    for stage in installing:
        assert "\nARG PACKAGES\n" in stage.partition("apt-get")[0], stage


@pytest.mark.parametrize("file", COMPOSITIONS)
def test_the_compositions_hand_the_argument_on(file: str) -> None:
    arguments = re.findall(r"^ *args: (.*)$", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert len(arguments) >= 3
    assert all('PACKAGES: "${PACKAGES:-}"' in given for given in arguments)
