"""Layers, size and labels of the images, on a base that is as slim as the one of deploy/env.sample."""

from __future__ import annotations

import json
from itertools import takewhile
from typing import Final

from protocols.core.release import VERSION
from tests.deploy.compose import handbook
from tests.deploy.compose.composition import FOLDER, Composition

MOST_MB: Final = 330
CODE_B: Final = 20_000_000
DEPENDENCIES_B: Final = 50_000_000
"""The layer of the dependencies is larger, and the one of the code is not."""

CHANGED: Final = "/srv/changed"
"""A copy of the host's tree."""

RELEASED: Final = "/srv/released"
"""Another one, which stays as it is."""

(SAID_MB,) = handbook.words(r"The gateway's takes (\d+) MB")
(SHOWN,) = handbook.words(r"`(docker history [^`]+)` shows of what")


def layers(composition: Composition, image: str) -> list[str]:
    found = json.loads(composition.engine.run("docker", "image", "inspect", image))[0]["RootFS"]["Layers"]
    assert isinstance(found, list)
    return found


def sizes(composition: Composition, image: str) -> list[int]:
    """Of its layers, in bytes, the last one first."""
    told = composition.engine.run("docker", "history", "--human=false", "--format={{.Size}}", image)
    return [int(size) for size in told.split()]


def test_a_change_of_code_is_a_layer_of_its_own_and_downloads_nothing(composition: Composition) -> None:
    """The engine here reaches no registry. What is no dependency may change in pyproject.toml, too."""
    composition.engine.run("git", "clone", "--quiet", FOLDER, CHANGED)
    for file in ("gateway/release.py", "pyproject.toml"):
        path = composition.engine.place.srv / "changed" / file
        path.write_text(path.read_text(encoding="utf-8") + "# of a new version\n", encoding="utf-8")
    image = composition.inspect("gateway")["Image"]
    composition.build("gateway", "changed", "--build-arg", "COMMIT=another", folder=CHANGED)
    try:
        *below, code, commit = layers(composition, "changed")
        assert below == layers(composition, image)[:-2]
        assert {code, commit}.isdisjoint(layers(composition, image))
        above = takewhile(lambda size: size < DEPENDENCIES_B, sizes(composition, "changed"))
        assert sum(above) < CODE_B
        version = composition.engine.run("docker", "run", "--rm", "--network=none", "changed", "boardgate", "--version")
        assert version.endswith("(build another)\n")
    finally:
        composition.engine.run("docker", "image", "rm", "changed")


def test_the_gateways_image_is_as_small_as_the_page_says(composition: Composition) -> None:
    """ "The gateway's takes 275 MB": of those of the base some come of this machine's certificates."""
    size = sum(sizes(composition, composition.inspect("gateway")["Image"])) / 1_000_000
    assert size < MOST_MB
    assert abs(size - int(SAID_MB)) < 15
    assert "apt-get" in composition.types(SHOWN)


def test_a_release_builds_all_images_labelled_with_version_and_commit(composition: Composition) -> None:
    """deploy/release on the host's machine, of a clean clone; what it checks first are other tests' subject."""
    composition.engine.run("git", "clone", "--quiet", FOLDER, RELEASED)
    commit = composition.types("git rev-parse --short=12 HEAD").strip()
    chosen = {name: composition.chosen(name) for name in ("BASE", "BUILD_NETWORK")}
    images = [f"boardgate-{name}:{VERSION}" for name in ("gateway", "database", "proxy", "haproxy")]
    told = composition.engine.run("deploy/release", "--no-packages", folder=RELEASED, **chosen)
    lines = [f"image {name}: well" for name in images]
    assert told.splitlines() == [f"Boardgate {VERSION}, commit {commit}", *lines, "images: say version and commit"]
    for found in json.loads(composition.engine.run("docker", "image", "inspect", *images)):
        labels = found["Config"]["Labels"]
        assert labels["org.opencontainers.image.version"] == VERSION
        assert labels["org.opencontainers.image.revision"] == commit
    composition.engine.run("docker", "image", "rm", *images)
