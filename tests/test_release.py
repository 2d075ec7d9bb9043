"""The release is said in one place, and changelog, images and running servers agree with it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest

from gateway.release import CHECKOUT, COMMIT, UNKNOWN, Release, build_of, release
from gateway.web import openapi
from protocols.core.release import VERSION
from tests.running import server
from tests.test_house import ROOT
from tests.web_client import PATIENCE_S

COMMIT_12: Final = "0123456789ab"
HEADINGS: Final = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_changelog_has_what_is_to_come_and_then_this_release_with_its_day() -> None:
    assert HEADINGS[0] == "[Unreleased]"
    assert re.fullmatch(rf"\[{re.escape(VERSION)}\] - \d{{4}}-\d\d-\d\d", HEADINGS[1])


def test_releases_of_the_changelog_go_down() -> None:
    numbers = [re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - [-\d]{10}", heading) for heading in HEADINGS[1:]]
    found = [tuple(map(int, number.groups())) for number in numbers if number is not None]
    assert len(found) == len(numbers)
    assert found == sorted(set(found), reverse=True)


def test_the_version_is_said_in_one_file_and_repeated_where_no_program_reads_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["setuptools"]["dynamic"]["version"]["attr"] == "protocols.core.release.VERSION"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"boardgate-([\d.]+)-py3", readme) == [VERSION]
    recipe = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"^ARG VERSION=(.*)$", recipe, re.MULTILINE) == [VERSION]


def test_every_image_that_is_run_is_labelled() -> None:
    recipe = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    run = [stage for stage in re.split(r"^FROM ", recipe, flags=re.MULTILINE) if "\nCMD [" in stage]
    assert len(run) == 4
    assert all("org.opencontainers.image.version=$VERSION" in stage for stage in run)
    assert [stage.split()[2] for stage in run if "image.revision=$COMMIT" in stage] == ["gateway"]


def test_a_build_is_the_commit_that_was_left_or_a_checkout_or_unknown(tmp_path: Path) -> None:
    package = tmp_path / "gateway"
    package.mkdir()
    assert build_of(package) == UNKNOWN
    (tmp_path / ".git").touch()
    assert build_of(package) == CHECKOUT
    (package / COMMIT).write_text(f"{COMMIT_12}\n")
    assert build_of(package) == COMMIT_12


@pytest.mark.parametrize(
    ("word", "read"),
    [
        (f"1.0.0+{COMMIT_12}", Release("1.0.0", COMMIT_12)),
        ("1.0.0+checkout", Release("1.0.0", CHECKOUT)),
        ("0.1.0", Release("0.1.0", UNKNOWN)),
    ],
)
def test_nodes_tell_each_other_version_and_build_in_one_word(word: str, read: Release) -> None:
    assert Release.read(word) == read
    assert str(read) == word or read.build == UNKNOWN


def test_people_read_where_a_program_comes_from() -> None:
    assert Release("1.0.0", COMMIT_12).words == f"1.0.0 (build {COMMIT_12})"
    assert Release("1.0.0", CHECKOUT).words == "1.0.0 (from a checkout)"


def test_a_server_says_its_release_first_in_its_log_then_in_its_figures_and_its_api(tmp_path: Path) -> None:
    said = f"version={release().version} build={release().build}"
    with server(tmp_path / "data", "http", BOTS_WORKERS="0") as running:
        assert f"event=starting {said}" in running.log.read_text(encoding="utf-8").splitlines()[0]
        with urlopen(f"http://127.0.0.1:{running.ports[0]}/metrics", timeout=PATIENCE_S) as answer:
            figures = answer.read().decode()
    assert f'boardgate_build_info{{build="{release().build}",version="{VERSION}"}} 1.0' in figures.splitlines()


def test_the_document_of_the_api_has_the_release() -> None:
    info = openapi.document()["info"]
    assert (info["version"], info["x-build"]) == release()
