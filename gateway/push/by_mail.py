"""Mail as a way that messages take: writes each when it is sent, and gives it to the host's mail server in a thread.

A code is made when its message is sent: the database has its SHA-256 alone, and a message that is sent again has
another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from email.message import EmailMessage
from typing import Final

import structlog
import trio

from gateway.admission.token_bucket import TokenBuckets
from gateway.config import Config
from gateway.push.letters import Writing
from gateway.push.sender import Later, Threads, spread, too_often
from gateway.push.smtp import MailServer, NotNow, NotTaken, with_password_anew
from gateway.push.words import told
from gateway.store.accounts import NoAccount
from gateway.store.mail import Letter, Letters
from gateway.store.notices import Notices
from gateway.store.views import Views

AT_ONCE: Final = 2
"""Messages at once: mail servers count the connections of a client."""

TIMEOUT_S: Final = 45.0
"""Seconds for all of a message. Its thread may last longer, and is not waited for."""

THREADS: Final = 4
"""Threads that talk to the mail server; those that were left behind count until they end."""

BURST, PER_S = 3, 1 / 1200
"""Codes for one address, or links for one account, at once, and then a second: whoever asks in another's name fills no
mailbox."""

_log = structlog.get_logger()


class ByMail:
    """A person gets ``per_hour`` of the ``notices``, about what ``views`` show. ``link`` makes the code of a link for a
    new password of an account, ``code`` one for an address, with its stored form."""

    def __init__(
        self,
        letters: Letters,
        notices: Notices,
        views: Views,
        server: MailServer,
        site: str,
        link: Callable[[str], str],
        code: Callable[[], tuple[str, bytes]],
        per_hour: int,
    ) -> None:
        self.store = letters
        self.at_once = AT_ONCE
        self._notices = notices
        self._views = views
        self._server = server
        self._writing = Writing(site, server.sender, server.pages)
        self._link = link
        self._code = code
        self._threads = Threads()
        self._calls = trio.CapacityLimiter(THREADS)
        self._sent: TokenBuckets[tuple[str, str]] = TokenBuckets(PER_S, BURST)
        self._told: TokenBuckets[str] = TokenBuckets(per_hour / 3600.0, per_hour)

    def reread(self, config: Config) -> None:
        """Send as many to one person as these settings say, with the mail server's password read anew."""
        per_hour = config.mail.notices_per_hour
        self._told.adapt(per_hour / 3600.0, per_hour)
        self._server = with_password_anew(self._server, config)

    async def due(self, now: float) -> Sequence[Letter]:
        """The messages to try now, new notices among them."""
        await self._threads.do(spread, self._notices, now)
        return await self._threads.do(self.store.due, now)

    def too_many(self, message: Letter, now: float) -> bool:
        if message.kind == "notice":
            return too_often(self._told, message.folded, message.table, now)
        whose = message.folded if message.kind == "password" else message.address
        if message.kind == "asked" or not self._sent.bucket((message.kind, whose), now).refuses_s(now):
            return False
        _log.info("an address has had as many messages as one may ask for", kind=message.kind)
        return True

    async def send(self, message: Letter, now: float) -> Later | None:
        if message.kind == "asked":
            await self._threads.do(self.store.meant, message, now)
            return None
        written = await self._written(message, now) if message.address else None
        if written is None:
            return None
        try:
            with trio.fail_after(TIMEOUT_S):
                call = self._server.deliver
                await trio.to_thread.run_sync(call, written, abandon_on_cancel=True, limiter=self._calls)
        except trio.TooSlowError:
            return Later(f"the mail server did not answer within {TIMEOUT_S:g} s")
        except NotNow as error:
            return Later(str(error))
        except NotTaken as error:
            _log.warning("the mail server refuses a message", why=str(error), kind=message.kind)
            if message.kind == "notice" and error.no_mailbox:
                await self._threads.do(self.store.tell_no_more, message.off)
        return None

    async def _written(self, message: Letter, now: float) -> EmailMessage | None:
        """None: there is nothing to say any more."""
        if message.kind == "notice":
            worded = await self._threads.do(told, self._notices, self._views, message, now)
            if worded is None:
                return None
            return self._writing.notice(message.address, message.name, worded.message, message.off)
        if message.kind == "password":
            try:
                code = await self._threads.do(self._link, message.name)
            except NoAccount:
                return None
            return self._writing.password(message.address, message.name, code)
        code, digest = self._code()
        if not await self._threads.do(self.store.code_sent, message, digest, now):
            return None
        return self._writing.confirm(message.address, message.name, code)

    async def tidy(self, now: float) -> None:
        await self._threads.do(self.store.tidy, now)
        await self._threads.do(self._notices.tidy, now)
