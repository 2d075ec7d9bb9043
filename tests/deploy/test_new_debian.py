"""A host changes to the next Debian, and with it to another major version of PostgreSQL, as docs/compose.md says.

First with a gateway that is not healthy: the old files of PostgreSQL serve again. Then the script is killed when it has
put new files in their place. Then with a gateway that is healthy.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.deploy.compose import handbook
from tests.deploy.compose.base import import_base, release
from tests.deploy.compose.composition import Composition
from tests.deploy.compose.conftest import WITHOUT_A_DAY
from tests.deploy.compose.engine import docker_needed, engine, memory
from tests.deploy.compose.registry import give_away, registry
from tests.deploy.compose.test_games_survive import recorded
from tests.deploy.compose.versions import DIES, KILLED, SCRIPT, change
from tests.deploy.guests import Couple

NEXT: Final = "trixie"
VERSIONS: Final = ("15", "17")
"""PostgreSQL's, of the two releases of Debian."""

KEPT: Final = """
for image in gateway database proxy; do docker tag boardgate-$image kept-$image; done
docker build --quiet --network host --build-arg BASE={base} --target dependencies --tag kept-{release} \
    --file deploy/Dockerfile .
"""


@pytest.fixture
def composition() -> Iterator[Composition]:
    """Up, on the older Debian; the engine's cache has what the newer one's images are made of."""
    docker_needed()
    folder = Path(tempfile.mkdtemp(prefix="boardgate-"))
    try:
        with memory(folder, handbook.HOST, handbook.ENGINE) as place:
            with engine(place, outside=True) as builder, registry(folder / "registry") as images:
                made = Composition(builder)
                made.clone()
                made.choose("BUILD_NETWORK=host")
                for name in (NEXT, release()):
                    base = f"{images}/{name}"
                    import_base(builder, folder / name, base, name)
                    give_away(builder, base)
                    made.choose(f"BASE={base}")
                    made.types(WITHOUT_A_DAY)
                    made.types(KEPT.format(base=base, release=name))
            port = int(images.partition(":")[2])
            with engine(place) as runner, registry(folder / "registry", port, runner.enter()):
                made = Composition(runner)
                made.choose(handbook.CHOICES)
                made.up(handbook.START)
                yield made
    finally:
        shutil.rmtree(folder)


def clusters(composition: Composition) -> dict[str, str]:
    """PostgreSQL's version of each folder of files, by its name."""
    told = composition.inside("database", "sh", "-c", "cd /var/lib/postgresql; grep . */PG_VERSION /dev/null")
    return dict(re.findall(r"^(\S+)/PG_VERSION:(\d+)$", told, re.MULTILINE))


@pytest.mark.nightly
def test_another_postgresql_gets_the_games_and_gives_them_back(composition: Composition) -> None:
    """ "the script stops the gateway, and copies the games into files of the new version beside the old ones" """
    old, new = VERSIONS
    base = composition.chosen("BASE")
    with composition.engine.network():
        couple = Couple(composition.engine.network, "Ute", "Ole")
        couple.play(4)
        assert clusters(composition) == {"cluster": old}

        change(composition, SCRIPT, *DIES)
        composition.choose(f"BASE={base.replace(release(), NEXT)}")
        with pytest.raises(AssertionError, match=r"gateway is not healthy\. The version of before serves"):
            composition.upgrades(handbook.NEW_VERSION)
        assert clusters(composition) == {"cluster": old}
        couple.come_back()
        couple.play(2)

        # The new PostgreSQL stays: old gateways use it, and its files are not for an older one.
        told = recorded(composition)
        composition.upgrades(KILLED.format(words="migrating the database"))
        with pytest.raises(AssertionError, match=r"gateway is not healthy\. The version of before serves"):
            composition.upgrades("deploy/upgrade")
        assert clusters(composition) == {"cluster": new, old: old}
        assert told <= recorded(composition)
        couple.come_back()
        couple.play(2)

        told = recorded(composition)
        change(composition, SCRIPT, *reversed(DIES))
        composition.upgrades(handbook.NEW_VERSION)
        assert clusters(composition) == {"cluster": new}
        assert told <= recorded(composition)
        couple.come_back()
        couple.play(2)

        told = recorded(composition)
        composition.upgrades(handbook.BACK)
        assert clusters(composition)["cluster"] == new
        assert told <= recorded(composition)
        couple.come_back()
        couple.finish()
