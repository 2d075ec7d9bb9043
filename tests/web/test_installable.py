"""The pages installed as an app: the manifest, its icons and the service worker that browsers ask for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.web.browsing import Answer, asked, checked
from tests.web.club import club


def is_looked_after(answer: Answer, media_type: str) -> None:
    assert answer.status == 200
    assert answer.headers["content-type"].partition(";")[0] == media_type
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("packing", ["identity", "gzip"])
async def test_the_manifest_names_the_app_and_icons_that_are_there(tmp_path: Path, packing: str) -> None:
    async with club(tmp_path) as here:
        answer = await asked(here.port, "/manifest.webmanifest", accept_encoding=packing)
        is_looked_after(answer, "application/manifest+json")
        told = json.loads(answer.text)
        page = checked(await asked(here.port, "/"))
        assert "/manifest.webmanifest" in [link.attributes["href"] for link in page.all("link")]
        assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
        assert {"any", "maskable"} == {icon["purpose"] for icon in told["icons"]}
        for icon in told["icons"]:
            assert (await asked(here.port, icon["src"], method="HEAD")).status == 200


async def test_the_worker_names_files_that_are_there_and_no_script(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await asked(here.port, "/worker.js")
        is_looked_after(answer, "text/javascript")
        files = re.match(r'const VERSION="\w+",FILES=(\[.*?\]);', answer.text)[1]  # type: ignore[index]
        for file in json.loads(files):
            assert not file.endswith(".js")
            assert (await asked(here.port, file)).headers["cache-control"] == "public, max-age=31536000, immutable"
        assert (await asked(here.port, "/offline")).status == 200
