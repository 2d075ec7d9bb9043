"""The host is told of reports by mail and by a signed request, again where that failed."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from gateway.config import BadSetting, Config
from gateway.config.model import Mail, Reporting, Server
from gateway.push.sender import FIRST_WAIT_S, Sender
from gateway.push.to_host import ReportsByMail, ReportsByWebhook, named_ways, ways_to_host
from gateway.store.report_news import NewsOfReports, ReportNews
from gateway.store.reports import BY_MAIL, BY_WEBHOOK, Report, Reports
from tests.push.mail_room import PAGES, MailRoom, mail_room
from tests.running import made_record
from tests.web.test_webhook import Program, checked

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
EVERY_S = 600.0


async def always() -> bool:
    return True


class House:
    """A database, and the rounds of one way to the host; ``now`` is when a report is made."""

    def __init__(self, url: str, sender: Sender[ReportNews]) -> None:
        self.reports = Reports(url)
        self.sender = sender
        self.now = time.time()

    def add(self, text: str = "says\nbad things", *, table: int | None = 12, player: str = "Eve") -> None:
        assert self.reports.add(Report(self.now, "anna", "192.0.2.1", table, player, text), (BY_MAIL, BY_WEBHOOK))

    async def round(self, later_s: float = 1.0) -> None:
        await self.sender.round(self.now + later_s)


def settings(folder: Path, **reports: Any) -> Config:
    return Config(server=Server(data=str(folder)), reports=Reporting(**({"every_s": EVERY_S} | reports)))


@contextmanager
def by_mail(folder: Path, room: MailRoom) -> Iterator[House]:
    path = folder / "record.db"
    url = f"sqlite:///{path}" if path.exists() else made_record(path)
    config = Config(mail=Mail(**room.settings()), reports=Reporting(mail="host@x.example"))
    ways = ways_to_host(config)
    assert ways.server is not None
    with closing(NewsOfReports(url)) as news:
        house = House(url, Sender(ReportsByMail(news, ways.server, "Club", ways.mail, EVERY_S), always))
        with closing(house.reports):
            yield house


@asynccontextmanager
async def by_webhook(folder: Path) -> AsyncIterator[tuple[House, Program]]:
    url, program, secret = made_record(folder / "record.db"), Program(), folder / "secret"
    secret.write_text(SECRET + "\n")
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, program.serve, 0)
        program.port = listeners[0].socket.getsockname()[1]
        ways = ways_to_host(settings(folder, webhook=program.address, webhook_secret_file=str(secret)))
        assert ways.hook is not None
        with closing(NewsOfReports(url)) as news:
            house = House(url, Sender(ReportsByWebhook(news, ways.hook, EVERY_S), always))
            with closing(house.reports):
                yield house, program
        nursery.cancel_scope.cancel()


async def test_a_letter_says_who_about_whom_where_and_the_words(tmp_path: Path) -> None:
    with mail_room() as room, by_mail(tmp_path, room) as house:
        house.add("says\nbad things")
        await house.round()
        (letter,) = room.letters
        assert letter["To"] == "host@x.example"
        assert letter["Subject"] == "A report at Club"
        lines = letter.get_content().splitlines()
        assert lines[0].startswith("Report 1, by anna, about Eve, 20")
        assert lines[1:4] == [f"{PAGES}/table/12", "> says", "> bad things"]
        assert lines[-1] == f"All that wait, and the buttons that close them: {PAGES}/host/reports"
        assert "192.0.2.1" not in letter.get_content()


async def test_reports_that_come_soon_after_another_are_gathered_in_one_letter(tmp_path: Path) -> None:
    with mail_room() as room, by_mail(tmp_path, room) as house:
        house.add("first")
        await house.round()
        house.add("second")
        house.add("third\x07", table=None, player="")
        await house.round(EVERY_S - 1)
        assert len(room.letters) == 1
        await house.round(EVERY_S + 5)
        await house.round(3 * EVERY_S)
        _, letter = room.letters
        assert letter["Subject"] == "2 reports at Club"
        words = [line for line in letter.get_content().splitlines() if line.startswith(">")]
        assert words == ["> second", "> third "]


async def test_a_clock_that_is_put_back_silences_nobody(tmp_path: Path) -> None:
    with mail_room() as room, by_mail(tmp_path, room) as house:
        house.add()
        await house.round(86_400)
        house.add()
        await house.round()
        assert len(room.letters) == 2


@pytest.mark.parametrize("answer", ["451 later", "550 5.1.1 nobody"])
async def test_a_letter_that_is_not_taken_comes_again(tmp_path: Path, answer: str) -> None:
    with mail_room() as room, by_mail(tmp_path, room) as house:
        room.recipient = [answer]
        house.add()
        await house.round()
        await house.round(FIRST_WAIT_S / 2)
        assert room.letters == []
        await house.round(FIRST_WAIT_S + 5)
        assert len(room.letters) == 1


async def test_a_request_is_signed_and_says_the_same(tmp_path: Path) -> None:
    async with by_webhook(tmp_path) as (house, program):
        house.add()
        house.add("the server is slow", table=None, player="")
        await house.round()
        ((headers, body),) = program.told
        told = checked(SECRET, headers, body)
        at = [report.pop("at") for report in told["reports"]]
        assert all(each.endswith("Z") for each in at)
        assert told == {
            "kind": "reports",
            "title": "2 reports",
            "page": "https://localhost/host/reports",
            "reports": [
                {"number": 1, "by": "anna", "player": "Eve", "table": 12, "text": "says\nbad things"},
                {"number": 2, "by": "anna", "player": "", "table": None, "text": "the server is slow"},
            ],
        }
        assert headers["webhook-id"] == "reports-1-2-2"
        await house.round(2 * EVERY_S)
        assert len(program.told) == 1


@pytest.mark.parametrize("status", [302, 404, 410, 503])
async def test_a_request_that_is_not_taken_comes_again_with_the_same_id(tmp_path: Path, status: int) -> None:
    async with by_webhook(tmp_path) as (house, program):
        program.answers = [status]
        house.add()
        await house.round()
        await house.round(FIRST_WAIT_S + 5)
        (first, body), (second, again) = program.told
        assert (first["webhook-id"], body) == (second["webhook-id"], again)
        await house.round(EVERY_S)
        assert len(program.told) == 2


async def test_a_server_that_starts_again_tells_what_was_not_told(tmp_path: Path) -> None:
    with mail_room() as room, by_mail(tmp_path, room) as house:
        house.add()
    with mail_room() as room, by_mail(tmp_path, room) as house:
        await house.round()
        assert len(room.letters) == 1


def test_settings_that_tell_nobody_are_refused(tmp_path: Path) -> None:
    with mail_room() as room:
        server = Mail(**room.settings())
    short = tmp_path / "short"
    short.write_text("c2hvcnQ=\n")
    hook = "https://hooks.x.example/boardgate"
    refused = {
        "[reports] mail needs a mail server: set host in [mail]": Config(reports=Reporting(mail="host@x.example")),
        "[reports] mail: 'host' is no mail address, such as you@example.org": Config(
            mail=server, reports=Reporting(mail="host")
        ),
        "[reports] webhook: 'ftp://x.example/' is no address, as https://www.example.org": settings(
            tmp_path, webhook="ftp://x.example/"
        ),
        "[reports] webhook needs webhook_secret_file: `openssl rand -base64 32` writes one": settings(
            tmp_path, webhook=hook
        ),
        f"[reports] webhook_secret_file {short}: its first line is not 24 to 64 bytes in base64": settings(
            tmp_path, webhook=hook, webhook_secret_file=str(short)
        ),
    }
    for text, config in refused.items():
        with pytest.raises(BadSetting) as error:
            ways_to_host(config)
        assert str(error.value) == text


def test_ways_are_those_that_the_settings_name() -> None:
    assert named_ways(Config()) == ()
    assert named_ways(Config(reports=Reporting(mail="host@x.example"))) == (BY_MAIL,)
    assert named_ways(Config(reports=Reporting("host@x.example", "https://x.example"))) == (BY_MAIL, BY_WEBHOOK)
