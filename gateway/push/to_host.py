"""Tells the host of reports that people make: by mail, and by a signed request to an address of the settings.

The host has written that address, so it may be in any network, and without TLS. What is not taken is tried again until
it is three days old, whatever the answer was: the host is the one who can mend it.
"""

from __future__ import annotations

import binascii
import ssl
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

import msgspec
import structlog
import trio

from gateway.config import BadSetting, Config
from gateway.config.values import first_line
from gateway.net.asking import Address, BadAddress, NoAnswer
from gateway.push.by_webhook import PREFIX, signed
from gateway.push.letters import Writing
from gateway.push.posting import post, read_address
from gateway.push.sender import FIRST_WAIT_S, Later, Threads
from gateway.push.smtp import MailServer, NotNow, NotTaken, is_address, mail_server, with_password_anew
from gateway.store.report_news import NewsOfReports, ReportNews
from gateway.store.reports import BY_MAIL, BY_WEBHOOK, NewsWay
from gateway.store.views import moment

LEAST_SECRET, MOST_SECRET = 24, 64
"""Bytes of a secret (Standard Webhooks, "Symmetric")."""

TIMEOUT_S: Final = 45.0
"""Seconds for all of one message by mail."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Hook:
    """The host's address, and the ``secret`` that signs what is sent there. ``pages`` is where links lead."""

    address: Address
    secret: bytes = field(repr=False)
    pages: str


@dataclass(frozen=True, slots=True)
class HostWays:
    """The ways of the settings: to the address ``mail`` by this ``server``, and to ``hook``; "" and None: not so.

    A way tells once in ``every_s`` seconds.
    """

    mail: str
    server: MailServer | None
    hook: Hook | None
    every_s: float


def ways_to_host(config: Config) -> HostWays:
    """Reads the section [reports], and the secret's file. BadSetting."""
    told = config.reports
    server = mail_server(config) if told.mail else None
    if told.mail and server is None:
        raise BadSetting("[reports] mail needs a mail server: set host in [mail]")
    if told.mail and not is_address(told.mail):
        raise BadSetting(f"[reports] mail: {told.mail!r} is no mail address, such as you@example.org")
    return HostWays(told.mail, server, _hook(config) if told.webhook else None, told.every_s)


def named_ways(config: Config) -> tuple[NewsWay, ...]:
    """The ways in which the host is told of a report, as the settings have them."""
    mail: tuple[NewsWay, ...] = (BY_MAIL,) if config.reports.mail else ()
    return (*mail, BY_WEBHOOK) if config.reports.webhook else mail


def _hook(config: Config) -> Hook:
    told = config.reports
    try:
        address = read_address(told.webhook, private=True)
    except BadAddress as error:
        raise BadSetting(f"[reports] webhook: {error}") from None
    if not told.webhook_secret_file:
        raise BadSetting("[reports] webhook needs webhook_secret_file: `openssl rand -base64 32` writes one")
    written = first_line(told.webhook_secret_file, "[reports] webhook_secret_file")
    try:
        secret = b64decode(written.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if not LEAST_SECRET <= len(secret) <= MOST_SECRET:
        wanted = f"its first line is not {LEAST_SECRET} to {MOST_SECRET} bytes in base64"
        raise BadSetting(f"[reports] webhook_secret_file {told.webhook_secret_file}: {wanted}")
    return Hook(address, secret, config.mail.pages.rstrip("/") or f"https://{config.server.public_host}")


class _ToHost:
    """Messages that gather: the first is sent at once, and the next ``every_s`` seconds later, with all that came."""

    def __init__(self, store: NewsOfReports, way: NewsWay, every_s: float) -> None:
        self.store = store
        self.at_once = 1
        self._way: NewsWay = way
        self._every_s = every_s
        self._quiet = (0.0, 0.0)
        self._threads = Threads()

    async def due(self, now: float) -> Sequence[ReportNews]:
        """All that is due in one message, none while it is too early for another."""
        begun, ends = self._quiet
        if begun <= now < ends:  # else over, or the clock was put back
            return []
        found = await self._threads.do(self.store.due, self._way, now)
        if found:
            self._quiet = (now, now + self._every_s)
        return found

    def too_many(self, message: ReportNews, now: float) -> bool:
        return False

    def _later(self, why: str, now: float, after_s: float = 0.0) -> Later:
        """Not taken: reports that come meanwhile try it again no sooner than this one does."""
        self._quiet = (now, now + FIRST_WAIT_S)
        _log.warning("the host cannot be told of reports", why=why)
        return Later(why, after_s)

    async def tidy(self, now: float) -> None:
        await self._threads.do(self.store.tidy, now)


class ReportsByMail(_ToHost):
    """``site`` is the server's name, ``to`` the host's address."""

    def __init__(self, store: NewsOfReports, server: MailServer, site: str, to: str, every_s: float) -> None:
        super().__init__(store, BY_MAIL, every_s)
        self._server = server
        self._writing = Writing(site, server.sender, server.pages)
        self._to = to
        self._calls = trio.CapacityLimiter(1)

    def reread(self, config: Config) -> None:
        """Go on with the mail server's password as its file has it now."""
        self._server = with_password_anew(self._server, config)

    async def send(self, message: ReportNews, now: float) -> Later | None:
        written = self._writing.reports(self._to, message.reports)
        call = self._server.deliver
        try:
            with trio.fail_after(TIMEOUT_S):
                await trio.to_thread.run_sync(call, written, abandon_on_cancel=True, limiter=self._calls)
        except trio.TooSlowError:
            return self._later(f"the mail server did not answer within {TIMEOUT_S:g} s", now)
        except (NotNow, NotTaken) as error:
            return self._later(str(error), now)
        return None


class ReportsByWebhook(_ToHost):
    def __init__(
        self, store: NewsOfReports, hook: Hook, every_s: float, *, trust: ssl.SSLContext | None = None
    ) -> None:
        super().__init__(store, BY_WEBHOOK, every_s)
        self._hook = hook
        self._trust = trust

    async def send(self, message: ReportNews, now: float) -> Later | None:
        body = msgspec.json.encode(_told(message, self._hook.pages))
        name = f"reports-{message.numbers[0]}-{message.numbers[-1]}-{len(message.reports)}"
        headers = {"Content-Type": "application/json", **signed(self._hook.secret, name, int(now), body)}
        self._trust = self._trust or ssl.create_default_context()
        try:
            answer = await post(self._hook.address, headers, body, self._trust, private=True)
        except NoAnswer as error:
            return self._later(str(error), now)
        if HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
            return None
        return self._later(f"status {answer.status}", now, answer.retry_after_s)


class ToldReport(msgspec.Struct, frozen=True):
    """A report in a request: ``by`` whom, about which ``player`` and ``table``, if any, and the words."""

    number: int
    at: str
    by: str
    player: str
    table: int | None
    text: str


class ToldReports(msgspec.Struct, frozen=True):
    """The body of a request; ``title`` is for people, ``page`` has all reports that wait."""

    kind: str
    title: str
    page: str
    reports: list[ToldReport]


def _told(message: ReportNews, pages: str) -> ToldReports:
    found = [
        ToldReport(report.id, moment(report.at), report.by, report.player, report.table, report.text)
        for report in message.reports
    ]
    title = "A report" if len(found) == 1 else f"{len(found)} reports"
    return ToldReports("reports", title, f"{pages}/host/reports", found)
