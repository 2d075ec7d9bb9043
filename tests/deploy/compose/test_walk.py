"""A host's walk, as docs/compose.md writes it down: accounts, a backup, an upgrade and back, a restore, an alarm.

The new version is the next release, with an addition to the schema. Two play through all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

import migrations
from protocols.core.release import VERSION
from tests.conformance.figures import until
from tests.deploy.compose import handbook
from tests.deploy.compose.composition import FOLDER, HTTPS, SERVICES, Composition
from tests.deploy.compose.test_games_survive import recorded
from tests.deploy.compose.versions import DIES, KILLED, RAISES, SCRIPT, change, newest, publish, withdraw
from tests.deploy.guests import Couple
from tests.deploy.prometheus.scraping import Watching, configured, prometheus, secured
from tests.next_release import next_version

PASSWORD: Final = "four words of alice herself"
ALARM: Final = "BoardgateIsGone"
STOP, START = handbook.ALARM.splitlines()
STEPS: Final = "the games are backed up", "migrating the database", "Recreating "


@pytest.fixture
def walked(composition: Composition) -> Iterator[Composition]:
    """The composition; versions that a test publishes are withdrawn after it, and so is what they add to the schema."""
    before, backup = newest(composition), composition.script("backup").split()[-1]
    yield composition
    withdraw(composition, before)
    if schema(composition) != migrations.HEAD:
        composition.script("restore", backup)


def version(composition: Composition) -> str:
    """That of the gateway, as it says itself."""
    return composition.boardgate("--version").split()[1]


def schema(composition: Composition) -> str:
    """The revision of the database."""
    words = (
        "--no-psqlrc",
        "--no-align",
        "--tuples-only",
        "--command=SELECT version_num FROM alembic_version",
        "boardgate",
    )
    return composition.inside("database", "psql", *words).strip()


def labels(composition: Composition) -> set[str]:
    """The version of every image that runs."""
    found = [composition.inspect(service)["Config"]["Labels"] for service in SERVICES]
    return {label["org.opencontainers.image.version"] for label in found}


def images(composition: Composition) -> dict[str, str]:
    """The images of the composition, by name."""
    told = composition.engine.run("docker", "images", "--format", "{{.Repository}}:{{.Tag}} {{.ID}}")
    found = (line.split() for line in told.splitlines())
    return {name: number for name, number in found if name.startswith("boardgate-")}


def test_a_host_walks_through_a_year(walked: Composition, tmp_path: Path) -> None:
    (walked.tree / "password").write_text(f"{PASSWORD}\n")
    _, listed, shown = handbook.ACCOUNTS.splitlines()
    walked.types(handbook.ACCOUNTS)
    assert "alice" in walked.types(listed)
    assert "alice" in walked.types(shown)
    with walked.engine.network():
        couple = Couple(walked.engine.network, "Mia", "Noa")
        couple.play(4)
        backup = walked.types(handbook.BACKUP).split()[-1]
        kept = recorded(walked)
        couple.play(2)

        own = [walked.tree / ".env", *(walked.tree / "deploy" / "settings").glob("*.toml")]
        mine = [file.read_text() for file in own]
        change(walked, "deploy/env.sample", "BASE=", "# of a new version\nBASE=")
        publish(walked, tmp_path / "next")
        walked.upgrades(handbook.UPGRADE)
        assert [file.read_text() for file in own] == mine
        assert version(walked) == next_version()
        assert labels(walked) == {next_version()}
        couple.come_back()
        couple.play(2)

        told = recorded(walked)
        walked.upgrades(handbook.BACK_AGAIN)
        assert version(walked) == VERSION
        assert labels(walked) == {VERSION}
        assert told <= recorded(walked)
        couple.come_back()
        couple.finish()

    name = handbook.RESTORE.split()[-1]
    walked.types(handbook.RESTORE.replace(name, backup))
    assert kept <= recorded(walked)
    assert version(walked) == VERSION

    walked.types(handbook.OWNER)
    found = json.loads(walked.types(f"{shown.strip()} --json"))
    assert found["disabled_at"]
    with ZipFile(walked.tree / "alice.zip") as data:
        assert "alice" in data.read("account.json").decode()


def test_a_version_that_is_not_healthy_is_gone_back_from(walked: Composition) -> None:
    """The new version has the same schema, and its gateway ends again and again."""
    change(walked, SCRIPT, *DIES)
    before = images(walked)
    with walked.engine.network():
        couple = Couple(walked.engine.network, "Pia", "Rex")
        couple.play(4)
        with pytest.raises(AssertionError, match=r"gateway is not healthy\. The version of before serves"):
            walked.upgrades(handbook.NEW_VERSION)
        assert images(walked) == before
        couple.come_back()
        couple.finish()


def test_a_migration_that_fails_disturbs_nobody(walked: Composition, tmp_path: Path) -> None:
    """ "a failed migration leaves the old version serving": players are connected to it all the time."""
    publish(walked, tmp_path / "next", step=RAISES)
    before = images(walked)
    with walked.engine.network():
        couple = Couple(walked.engine.network, "Gus", "Hal")
        couple.play(4)
        with pytest.raises(AssertionError, match=r"could not be migrated\. The version of before serves"):
            walked.upgrades(handbook.NEW_VERSION)
        assert images(walked) == before
        couple.finish()


def test_what_was_interrupted_is_called_again(walked: Composition, tmp_path: Path) -> None:
    """ "What was interrupted is called again": three times, each time one step later."""
    publish(walked, tmp_path / "next")
    walked.types("git pull")
    with walked.engine.network():
        couple = Couple(walked.engine.network, "Lea", "Max")
        couple.play(4)
        for words in STEPS:
            walked.upgrades(KILLED.format(words=words))
        assert "going on with what was interrupted" in walked.upgrades("deploy/upgrade")
        assert version(walked) == next_version()
        assert not [name for name in images(walked) if name.endswith(":serving")]
        couple.come_back()
        couple.play(2)
        walked.upgrades(handbook.BACK)
        assert version(walked) == VERSION
        couple.come_back()
        couple.finish()


@pytest.mark.nightly
def test_the_backup_is_put_back_after_an_interruption_too(walked: Composition, tmp_path: Path) -> None:
    """Of three attempts the first is killed before it has a backup, the second while the database is a new one.

    What was played between them stays.
    """
    publish(walked, tmp_path / "next", older_go_on=False)
    change(walked, SCRIPT, *DIES)
    walked.types("git pull")
    with walked.engine.network():
        couple = Couple(walked.engine.network, "Ida", "Jon")
        couple.play(4)
        walked.upgrades(KILLED.format(words="Building "))
        couple.play(2)
        told = recorded(walked)
        walked.upgrades(KILLED.format(words="Recreating "))
        with pytest.raises(AssertionError, match=r"gateway is not healthy\. The version of before serves"):
            walked.upgrades("deploy/upgrade")
        assert schema(walked) == migrations.HEAD
        assert told <= recorded(walked)
        assert version(walked) == VERSION
        couple.come_back()
        couple.finish()


@pytest.mark.nightly
def test_a_version_whose_database_the_old_one_cannot_use_is_gone_back_from_with_the_backup(
    walked: Composition, tmp_path: Path
) -> None:
    """ "Where it cannot, the backup is put back: the gateway was stopped before that was made" """
    publish(walked, tmp_path / "next", older_go_on=False)
    change(walked, SCRIPT, *DIES)
    with walked.engine.network():
        couple = Couple(walked.engine.network, "Joy", "Kit")
        couple.play(4)
        told = recorded(walked)
        with pytest.raises(AssertionError, match=r"gateway is not healthy\. The version of before serves"):
            walked.upgrades(handbook.NEW_VERSION)
        assert told <= recorded(walked)
        couple.come_back()
        couple.play(2)

        change(walked, SCRIPT, *reversed(DIES))
        walked.upgrades(handbook.NEW_VERSION)
        couple.come_back()
        with pytest.raises(AssertionError, match="cannot use the database: nothing was touched"):
            walked.upgrades(handbook.BACK)
        couple.finish()
    walked.upgrades(f"{handbook.BACK.rstrip()} --restore backups/before-upgrade.dump")
    assert version(walked) == VERSION
    assert told <= recorded(walked)


def test_packages_out_of_reach_touch_nothing(walked: Composition) -> None:
    """ "Another PACKAGES has Debian's packages installed anew": here nobody has them."""
    before, served = images(walked), walked.inspect("gateway")["State"]["Pid"]
    with pytest.raises(AssertionError, match="the images could not be built: nothing was touched"):
        walked.types("deploy/upgrade", PACKAGES="another")
    assert images(walked) == before
    assert walked.inspect("gateway")["State"]["Pid"] == served


def test_an_alarm_rings_at_a_prometheus_outside(composition: Composition, tmp_path: Path) -> None:
    """The alarm that waits for a minute waits for a second here."""
    composition.types(handbook.WATCH)
    files = (Path(FOLDER) / name for name in ("boardgate-token", "boardgate-authority.pem"))
    text = secured(configured(f"{handbook.HOST}:{HTTPS}"), *files)
    with (
        composition.engine.network(),
        prometheus(tmp_path, text, composition.engine.enter(), holds="1s") as watching,
    ):
        until(lambda: watching.query('up{job="boardgate"} == 1'), bool)
        assert alarm(watching) == "inactive"
        composition.types(STOP)
        until(lambda: alarm(watching), lambda state: state == "firing")
        composition.types(START)
        composition.wait_until_healthy("gateway")
        until(lambda: alarm(watching), lambda state: state == "inactive")


def alarm(watching: Watching) -> str:
    (rule,) = [rule for rule in watching.rules() if rule["name"] == ALARM]
    return str(rule["state"])
