"""Web Push as a way that notices take: seals each for its browser, and hands it to the browser's push service."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

import msgspec
import structlog

from gateway.admission.token_bucket import TokenBuckets
from gateway.config import Config
from gateway.net.asking import Answer, BadAddress, NoAnswer
from gateway.push import encrypted
from gateway.push.posting import AT_ONCE, post, read_address
from gateway.push.sender import Later, Threads, spread, too_often
from gateway.push.vapid import Vapid
from gateway.push.words import told
from gateway.store.notices import Delivery, Notices
from gateway.store.views import Views

GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
"""Answers of a service that knows the browser no more (RFC 8030, 7.3)."""

_log = structlog.get_logger()


def contact_of(config: Config) -> str:
    """The address of the host for push services."""
    return config.notices.contact or f"https://{config.server.public_host}"


class ByPush:
    """``notices`` and ``views`` read and write the database; ``contact`` is the host's address. ``per_hour`` bounds the
    messages of one person; ``private`` lets services be in private networks.
    """

    def __init__(
        self,
        notices: Notices,
        views: Views,
        contact: str,
        per_hour: int,
        *,
        private: bool = False,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self.store = notices
        self.at_once = AT_ONCE
        self._views = views
        self._contact = contact
        self._vapid: Vapid | None = None
        self._private = private
        self._trust = trust
        self._told: TokenBuckets[str | bytes] = TokenBuckets(per_hour / 3600.0, per_hour)
        self._threads = Threads()

    def reread(self, config: Config) -> None:
        """Name the contact, and send as many to one person, as these settings say, from the next round on."""
        per_hour, contact = config.notices.per_hour, contact_of(config)
        self._told.adapt(per_hour / 3600.0, per_hour)
        if contact != self._contact:
            self._contact = contact
            self._vapid = None

    async def due(self, now: float) -> Sequence[Delivery]:
        """The messages to try now, new notices among them."""
        await self._threads.do(spread, self.store, now)
        due = await self._threads.do(self.store.due, now)
        if due and self._trust is None:
            self._trust = ssl.create_default_context()
        if due and self._vapid is None:
            self._vapid = Vapid(await self._threads.do(self.store.push_key), self._contact)
        return due

    def too_many(self, message: Delivery, now: float) -> bool:
        who = message.subscription.folded or message.subscription.digest
        return too_often(self._told, who, message.table, now)

    async def send(self, message: Delivery, now: float) -> Later | None:
        browser = message.subscription
        assert self._vapid is not None
        assert self._trust is not None
        worded = await self._threads.do(told, self.store, self._views, message, now)
        if worded is None:
            return None
        try:
            text = msgspec.json.encode(worded.message)
            address = read_address(browser.endpoint, private=self._private)
            headers = {
                "Authorization": self._vapid.authorization(address.origin, now),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(int(message.until - now)),
                "Topic": f"table-{message.table}-{message.seat}"[:32],
                "Urgency": "normal" if message.news == "turn" else "high",
            }
            body = encrypted.sealed(text, browser.key, browser.auth)
            answer = await post(address, headers, body, self._trust, private=self._private)
        except (BadAddress, ValueError) as error:
            _log.info("a browser is told no more: its address is not called from here", why=str(error))
            await self._threads.do(self.store.unsubscribe, browser.digest)
        except NoAnswer as error:
            return Later(str(error))
        else:
            return await self._answered(message, answer)
        return None

    async def _answered(self, message: Delivery, answer: Answer) -> Later | None:
        if answer.status in GONE:
            await self._threads.do(self.store.unsubscribe, message.subscription.digest)
        elif answer.is_later:
            return Later(f"status {answer.status}", answer.retry_after_s)
        elif answer.is_refused:
            _log.warning("a push service refuses a message", status=answer.status, table=message.table)
        return None

    async def tidy(self, now: float) -> None:
        await self._threads.do(self.store.tidy, now)
