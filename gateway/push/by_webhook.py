"""Webhooks as a way that notices take: posts each as signed JSON to an address that an account has given.

Source: Standard Webhooks, "Signature scheme": HMAC-SHA256 over id, time and body.
"""

from __future__ import annotations

import hmac
import ssl
from base64 import b64encode
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

import msgspec
import structlog

from gateway.admission.token_bucket import TokenBuckets
from gateway.config import Config
from gateway.net.asking import BadAddress, NoAnswer
from gateway.push.posting import AT_ONCE, post, read_address
from gateway.push.sender import Later, Threads, spread, too_often
from gateway.push.words import Worded, told
from gateway.store.notices import Delivery, Notices
from gateway.store.views import Views, moment

PREFIX: Final = "whsec_"
"""Before the secret as its owner is shown it."""

_log = structlog.get_logger()


class Told(msgspec.Struct, frozen=True):
    """The body: the notice of ``kind`` behind the event ``seq`` of a ``table``, for its ``seat``; ``at`` is when that
    was. ``title`` and ``text`` are for people."""

    kind: str
    table: int
    seat: int
    seq: int
    at: str
    game: str
    title: str
    text: str


class ByWebhook:
    """``notices`` and ``views`` read and write the database. ``per_hour`` bounds the messages of one account;
    ``private`` lets addresses be in private networks, and without TLS."""

    def __init__(
        self,
        notices: Notices,
        views: Views,
        per_hour: int,
        *,
        private: bool = False,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self.store = notices
        self.at_once = AT_ONCE
        self._views = views
        self._private = private
        self._trust = trust
        self._told: TokenBuckets[str] = TokenBuckets(per_hour / 3600.0, per_hour)
        self._threads = Threads()

    def reread(self, config: Config) -> None:
        """Send as many to one account as these settings say, from now on."""
        per_hour = config.notices.per_hour
        self._told.adapt(per_hour / 3600.0, per_hour)

    async def due(self, now: float) -> Sequence[Delivery]:
        """The messages to try now, new notices among them."""
        await self._threads.do(spread, self.store, now)
        due = await self._threads.do(self.store.due_hooks, now)
        if due and self._trust is None:
            self._trust = ssl.create_default_context()
        return due

    def too_many(self, message: Delivery, now: float) -> bool:
        return too_often(self._told, message.subscription.folded or "", message.table, now)

    async def send(self, message: Delivery, now: float) -> Later | None:
        hook = message.subscription
        assert self._trust is not None
        worded = await self._threads.do(told, self.store, self._views, message, now)
        if worded is None:
            return None
        body = msgspec.json.encode(_told(message, worded))
        headers = {"Content-Type": "application/json", **signed(hook.key, _name(message), int(now), body)}
        try:
            address = read_address(hook.endpoint, private=self._private)
            answer = await post(address, headers, body, self._trust, private=self._private)
        except BadAddress as error:
            _log.info("a webhook is ended: its address is not called from here", why=str(error))
            await self._threads.do(self.store.unhook, hook.folded)
        except NoAnswer as error:
            return Later(str(error))
        else:
            if answer.status == HTTPStatus.GONE:
                await self._threads.do(self.store.unhook, hook.folded)
            elif answer.is_later:
                return Later(f"status {answer.status}", answer.retry_after_s)
            elif answer.is_refused:
                _log.info("a webhook refuses a message", status=answer.status, table=message.table)
        return None

    async def tidy(self, now: float) -> None:
        await self._threads.do(self.store.tidy, now)


def signed(secret: bytes, name: str, at: int, body: bytes) -> dict[str, str]:
    """The headers by which a receiver knows who has sent ``body``, and when; a ``name`` that comes again is the same
    message."""
    made = hmac.digest(secret, f"{name}.{at}.".encode() + body, "sha256")
    return {"Webhook-Id": name, "Webhook-Timestamp": str(at), "Webhook-Signature": f"v1,{b64encode(made).decode()}"}


def shown(secret: bytes) -> str:
    """The secret as its owner is shown it, once."""
    return PREFIX + b64encode(secret).decode()


def _name(message: Delivery) -> str:
    return f"{message.table}-{message.seat}-{message.seq}"


def _told(message: Delivery, worded: Worded) -> Told:
    words, at = worded.message, moment(message.at)
    return Told(message.news, message.table, message.seat, message.seq, at, worded.game, words.title, words.body)
