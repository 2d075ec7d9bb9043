"""Makes messages of notices and hands them to push services, one node for all of a database.

A message is claimed in the database before it is sent and deleted after its answer, so two nodes send none twice. A
process that is killed between the two leaves it claimed, and it is sent once more: browsers show it in place of the
first, by its tag.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from typing import Final, TypeVar

import msgspec
import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.admission.token_bucket import TokenBuckets
from gateway.push import encrypted
from gateway.push.posting import BadAddress, NoAnswer, post, read_address
from gateway.push.vapid import Vapid
from gateway.push.words import worded
from gateway.store.notices import Delivery, Notices
from gateway.store.views import Views

T = TypeVar("T")

ROUND_S: Final = 2.0
"""Seconds between two looks at what there is to tell."""

SETTLED_S: Final = 5.0
"""Seconds that a notice waits: a page that is loaded anew is away for some."""

HELD_S: Final = 90.0
"""Seconds that a notice waits for a player who sits at the table: longer than a dead connection stays unnoticed."""

LASTS_S: Final = {"turn": 86_400.0, "joined": 3600.0, "back": 900.0}
"""Seconds after which a notice of each kind is not sent any more, nor kept by its push service."""

CLAIMED_S: Final = 60.0
"""Seconds until a message whose sender is gone is tried again: longer than a request may take."""

FIRST_WAIT_S: Final = 30.0
"""Seconds until the second try; each further one waits four times as long."""

LONGEST_WAIT_S: Final = 4 * 3600.0

MOST_TRIES: Final = 8

AT_ONCE: Final = 8
"""Requests at once: a service that does not answer keeps few others waiting."""

TIDY_S: Final = 3600.0

GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
"""Answers of a service that knows the browser no more (RFC 8030, 7.3)."""

LATER: Final = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
"""Answers, beside those from 500 on, after which it is tried again."""

_log = structlog.get_logger()


class Sender:
    """``notices`` and ``views`` read and write the database; ``contact`` is the host's address. ``may`` says whether
    this node sends. ``per_hour`` bounds the messages of one person; ``private`` lets services be in private networks.
    """

    def __init__(
        self,
        notices: Notices,
        views: Views,
        contact: str,
        may: Callable[[], Awaitable[bool]],
        per_hour: int,
        *,
        private: bool = False,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._notices = notices
        self._views = views
        self._contact = contact
        self._vapid: Vapid | None = None
        self._may = may
        self._private = private
        self._trust = trust
        self._told: TokenBuckets[str | bytes] = TokenBuckets(per_hour / 3600.0, per_hour)
        self._threads = trio.CapacityLimiter(2)

    async def run(self) -> None:
        """Send until cancelled. A database in trouble is asked again with the next round."""
        tidy_at = 0.0
        while True:
            try:
                if await self._may():
                    await self.round(time.time())
                    if trio.current_time() >= tidy_at:
                        await self._do(self._notices.tidy, time.time())
                        tidy_at = trio.current_time() + TIDY_S
            except SQLAlchemyError as error:
                _log.warning("notices cannot be read", error=str(error))
            await trio.sleep(ROUND_S)

    async def round(self, now: float) -> None:
        """Make messages of what is new, and send all that are due."""
        await self._do(self._notices.spread, now, SETTLED_S, HELD_S, LASTS_S)
        due = await self._do(self._notices.due, now)
        if due and self._trust is None:
            self._trust = ssl.create_default_context()
        if due and self._vapid is None:
            self._vapid = Vapid(await self._do(self._notices.push_key), self._contact)
        turns = trio.CapacityLimiter(AT_ONCE)
        async with trio.open_nursery() as nursery:
            for delivery in due:
                nursery.start_soon(self._in_turn, turns, delivery)

    async def _in_turn(self, turns: trio.CapacityLimiter, delivery: Delivery) -> None:
        async with turns:
            now = time.time()
            if not await self._do(self._notices.claim, delivery, now + CLAIMED_S):
                return
            if (
                delivery.seen
                or now >= delivery.until
                or delivery.tries >= MOST_TRIES
                or not self._within_bounds(delivery)
            ):
                await self._do(self._notices.done, delivery)
            else:
                await self._send(delivery, now)

    def _within_bounds(self, delivery: Delivery) -> bool:
        """Counts a message of a person on its first try."""
        if delivery.tries:
            return True
        who, now = delivery.subscription.folded or delivery.subscription.digest, trio.current_time()
        if not self._told.bucket(who, now).refuses_s(now):
            return True
        _log.info("a person has had as many notices as the settings allow", table=delivery.table)
        return False

    async def _send(self, delivery: Delivery, now: float) -> None:
        browser = delivery.subscription
        assert self._vapid is not None
        assert self._trust is not None
        try:
            view = await self._do(self._views.table, delivery.table)
            if view is None:
                await self._do(self._notices.done, delivery)
                return
            text = msgspec.json.encode(worded(delivery, view, now))
            address = read_address(browser.endpoint, private=self._private)
            headers = {
                "Authorization": self._vapid.authorization(address.origin, now),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(int(delivery.until - now)),
                "Topic": f"table-{delivery.table}-{delivery.seat}"[:32],
                "Urgency": "normal" if delivery.kind == "turn" else "high",
            }
            body = encrypted.sealed(text, browser.key, browser.auth)
            answer = await post(address, headers, body, self._trust, private=self._private)
        except (BadAddress, ValueError) as error:
            _log.info("a browser is told no more: its address is not called from here", why=str(error))
            await self._do(self._notices.unsubscribe, browser.digest)
        except NoAnswer as error:
            await self._again(delivery, now, 0.0, str(error))
        else:
            await self._answered(delivery, now, answer.status, answer.retry_after_s)

    async def _answered(self, delivery: Delivery, now: float, status: int, retry_after_s: float) -> None:
        if status in GONE:
            await self._do(self._notices.unsubscribe, delivery.subscription.digest)
        elif status in LATER or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            await self._again(delivery, now, retry_after_s, f"status {status}")
        else:
            if status >= HTTPStatus.MULTIPLE_CHOICES:
                _log.warning("a push service refuses a message", status=status, table=delivery.table)
            await self._do(self._notices.done, delivery)

    async def _again(self, delivery: Delivery, now: float, retry_after_s: float, why: str) -> None:
        wait_s = min(max(FIRST_WAIT_S * 4**delivery.tries, retry_after_s), LONGEST_WAIT_S)
        _log.info("a push service does not take a message now", why=why, again_s=wait_s, tries=delivery.tries + 1)
        await self._do(self._notices.put_off, delivery, now + wait_s)

    async def _do(self, function: Callable[..., T], *arguments: object) -> T:
        """In a thread that is left behind when the server stops: a database that is away holds nobody up."""
        call = partial(function, *arguments)
        return await trio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=self._threads)
