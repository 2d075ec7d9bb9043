"""Reports to the host: kept with who sent them, few from one address, escaped, and only from our own page."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.config.model import Reporting
from gateway.store.report_news import NewsOfReports
from gateway.store.reports import BY_MAIL, BY_WEBHOOK
from gateway.web.pages import report as module
from tests.hall import config
from tests.web.browsing import checked
from tests.web.club import PASSWORD, club
from tests.web.person import Person

HOSTILE = "<script>alert(1)</script>"


async def test_a_report_is_kept_for_the_host_with_who_sent_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("anna")
        anna, guest = Person(here.port), Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        page = checked(await anna.get("/report?table=7&player=Eve"))
        fields = {field.attributes["name"]: field.attributes["value"] for field in page.all("input")}
        assert fields == {"table": "7", "player": "Eve"}
        assert "Reported" in checked(await anna.send("/report", table="7", player="Eve", text=f" {HOSTILE} ")).words()
        await guest.send("/report", text="slow")
        assert here.kept is not None
        second, first = here.kept.reports.waiting()
        assert (first.by, first.address, first.table, first.player, first.text) == (
            "anna",
            "127.0.0.1",
            7,
            "Eve",
            HOSTILE,
        )
        assert (second.by, second.table, second.player, second.text) == ("a guest", None, "", "slow")


@pytest.mark.parametrize(
    ("text", "player", "status"), [("", "", 400), ("   ", "", 400), ("x" * 1001, "", 400), ("x", "x" * 33, 400)]
)
async def test_a_report_says_something_and_not_too_much(tmp_path: Path, text: str, player: str, status: int) -> None:
    async with club(tmp_path) as here:
        answer = await Person(here.port).send("/report", text=text, player=player)
        assert answer.status == status
        assert text.strip() in checked(answer).words()
        assert here.kept is not None
        assert here.kept.reports.count() == 0


async def test_the_host_is_told_in_the_ways_of_the_settings(tmp_path: Path) -> None:
    settings = replace(config(), reports=Reporting(webhook="https://hooks.x.example"))
    async with club(tmp_path, settings) as here:
        await Person(here.port).send("/report", text="slow")
        with closing(NewsOfReports(here.hall.server.config.database_url)) as news:
            (told,) = news.due(BY_WEBHOOK, time.time() + 1)
            assert [report.text for report in told.reports] == ["slow"]
            assert news.due(BY_MAIL, time.time() + 1) == []


async def test_few_reports_come_from_one_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BURST", 1)
    async with club(tmp_path) as here:
        assert (await Person(here.port).send("/report", text="one")).status == 200
        refused = await Person(here.port).send("/report", text="two")
        assert refused.status == 429
        assert "two" in checked(refused).words()


async def test_a_foreign_page_reports_nothing(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await Person(here.port).send("/report", {"origin": "http://evil.example"}, text="x")
        assert answer.status == 403
