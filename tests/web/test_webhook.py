"""An account's program is told of its games by signed requests, at an address that the account sets by the API."""

from __future__ import annotations

import hmac
import json
import re
import time
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import h11
import pytest
import trio

from gateway.config.model import Noticing
from gateway.push.by_webhook import ByWebhook, shown, signed
from gateway.push.sender import FIRST_WAIT_S, SETTLED_S, Sender
from gateway.store.former import PublicViews
from gateway.store.notices import Delivery
from tests.hall import config
from tests.peers import ROOT
from tests.web.club import PASSWORD, Answered, Club, basic, club
from tests.web.test_notices import PRIVATE, game_by_days, leaves

BOB = basic("bob", PASSWORD)


@dataclass
class Program:
    """A server of HTTP on 127.0.0.1 that keeps what it was told, and answers as it is told to, then 204."""

    port: int = 0
    told: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/games?of=bob"

    async def serve(self, stream: trio.abc.Stream) -> None:
        connection, body, headers = h11.Connection(h11.SERVER), b"", {}
        while not isinstance(event := connection.next_event(), h11.EndOfMessage):
            if event is h11.NEED_DATA:
                connection.receive_data(bytes(await stream.receive_some()))
            elif isinstance(event, h11.Request):
                assert (event.method, event.target) == (b"POST", b"/games?of=bob")
                headers = {name.decode(): value.decode() for name, value in event.headers}
            elif isinstance(event, h11.Data):
                body += event.data
        self.told.append((headers, body))
        status = self.answers.pop(0) if self.answers else 204
        await stream.send_all(f"HTTP/1.1 {status} Told\r\nContent-Length: 0\r\n\r\n".encode())
        await stream.aclose()


def checked(secret: str, headers: dict[str, str], body: bytes) -> Any:
    """The message, if it is signed with the secret, and of now."""
    name, at = headers["webhook-id"], headers["webhook-timestamp"]
    made = hmac.digest(b64decode(secret.removeprefix("whsec_")), f"{name}.{at}.".encode() + body, "sha256")
    version, _, signature = headers["webhook-signature"].partition(",")
    assert (version, b64decode(signature)) == ("v1", made)
    assert abs(time.time() - int(at)) < 60
    assert headers["content-type"] == "application/json"
    return json.loads(body)


@dataclass
class Hooked:
    club: Club
    program: Program
    sender: Sender[Delivery]

    async def sets(self, address: str = "") -> Answered:
        return await self.club.ask("/api/webhook", {"address": address or self.program.address}, auth=BOB, method="PUT")

    async def bobs_turn(self, other: str = "ann") -> int:
        """Bob is away when it becomes his turn."""
        table, _, (ann, seat) = await game_by_days(self.club, other, "bob", auth=BOB)
        await leaves(self.club, seat, table, 1)
        await ann.say("play", move=[None, 4, ""])
        await ann.until("MoveMade")
        return table

    async def round(self, later_s: float = SETTLED_S + 1) -> list[tuple[dict[str, str], bytes]]:
        """The messages of a round that is so much later."""
        before = len(self.program.told)
        await self.sender.round(time.time() + later_s)
        return self.program.told[before:]


@asynccontextmanager
async def hooked(folder: Path, per_hour: int = 30) -> AsyncIterator[Hooked]:
    async with club(folder, PRIVATE) as here, trio.open_nursery() as nursery:
        assert here.kept is not None
        here.has_account("bob")
        program = Program()
        listeners = await nursery.start(trio.serve_tcp, program.serve, 0)
        program.port = listeners[0].socket.getsockname()[1]

        async def may() -> bool:
            return True

        with closing(PublicViews(here.hall.server.config.database_url)) as views:
            yield Hooked(here, program, Sender(ByWebhook(here.kept.notices, views, per_hour, private=True), may))
        nursery.cancel_scope.cancel()


async def test_a_program_is_told_once_and_knows_who_tells_it(tmp_path: Path) -> None:
    async with hooked(tmp_path) as here:
        made = await here.sets()
        assert made.status == 200
        table = await here.bobs_turn()
        assert await here.round(0) == []
        ((headers, body),) = await here.round()
        told = checked(made.body["secret"], headers, body)
        seq = told.pop("seq")
        assert headers["webhook-id"] == f"{table}-1-{seq}"
        assert told.pop("at").endswith("Z")
        assert told == {
            "kind": "turn",
            "table": table,
            "seat": 1,
            "game": "tic_tac_toe",
            "title": "Your move against ann",
            "text": "Tic-Tac-Toe. You have 2 days 23 h.",
        }
        assert await here.round(600) == []


async def test_the_function_of_the_document_checks_who_sends(tmp_path: Path) -> None:
    (code,) = re.findall(r"^```py\n(.*?)^```$", (ROOT / "docs/api.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    found: dict[str, Any] = {}
    exec(code, found)
    body, secret = b'{"kind":"turn"}', b"a secret"
    headers = signed(secret, "1-0-5", 1_790_000_000, body)
    assert found["is_ours"](shown(secret), headers, body)
    assert not found["is_ours"](shown(secret), headers, body + b" ")
    assert not found["is_ours"](shown(b"another"), headers, body)


async def test_what_is_not_taken_now_comes_again_with_the_same_id(tmp_path: Path) -> None:
    async with hooked(tmp_path) as here:
        secret = (await here.sets()).body["secret"]
        await here.bobs_turn()
        here.program.answers = [503]
        ((first, body),) = await here.round()
        assert await here.round(FIRST_WAIT_S / 2) == []
        ((second, again),) = await here.round(FIRST_WAIT_S + 5)
        assert (first["webhook-id"], body) == (second["webhook-id"], again)
        checked(secret, second, again)


@pytest.mark.parametrize(("status", "stays"), [(410, False), (404, True), (302, True)])
async def test_a_program_that_is_gone_is_told_no_more(tmp_path: Path, status: int, stays: bool) -> None:
    async with hooked(tmp_path) as here:
        await here.sets()
        await here.bobs_turn()
        here.program.answers = [status]
        assert len(await here.round()) == 1
        assert await here.round(600) == []
        assert ((await here.club.ask("/api/webhook", auth=BOB)).status == 200) is stays


async def test_it_is_set_replaced_shown_and_ended_by_its_account_alone(tmp_path: Path) -> None:
    async with hooked(tmp_path) as here:
        ask = here.club.ask
        assert (await ask("/api/webhook", auth=BOB)).error == (404, "not_found")
        first, second = await here.sets("http://127.0.0.1:1/old"), await here.sets()
        assert first.body["secret"] != second.body["secret"]
        told = (await ask("/api/webhook", auth=BOB)).body
        assert told == {"address": here.program.address, "made_at": second.body["made_at"]}
        await here.bobs_turn()
        ((headers, body),) = await here.round()
        checked(second.body["secret"], headers, body)
        for method in ("GET", "DELETE"):
            assert (await ask("/api/webhook", method=method)).error == (401, "unauthorized")
        assert (await ask("/api/webhook", {"address": here.program.address}, method="PUT")).status == 401
        assert (await ask("/api/webhook", auth=BOB, method="DELETE")).status == 204
        assert (await ask("/api/webhook", auth=BOB)).status == 404
        await here.bobs_turn("carl")
        assert await here.round() == []


async def test_an_account_is_told_so_often_as_the_settings_allow(tmp_path: Path) -> None:
    async with hooked(tmp_path, per_hour=1) as here:
        await here.sets()
        for other in ("ann", "carl"):
            await here.bobs_turn(other)
        assert len(await here.round()) == 1
        assert await here.round(600) == []
        assert [(await here.sets()).status for _ in range(10)] == [200] * 9 + [429]


async def test_it_ends_with_the_password_and_no_private_network_is_called(tmp_path: Path) -> None:
    strict = replace(config(), notices=Noticing())
    async with club(tmp_path, strict) as here:
        here.has_account("bob")
        for address in ("http://bot.example/", "https://bot.example:8443/", "https://u@bot.example/", "x" * 2000):
            asked = await here.ask("/api/webhook", {"address": address}, auth=BOB, method="PUT")
            assert asked.error == (400, "bad_request")
        assert here.kept is not None
        asked = await here.ask("/api/webhook", {"address": "https://10.0.0.1/"}, auth=BOB, method="PUT")
        assert asked.status == 200
        here.hall.server.accounts.set_password("bob", "another hash", "bob")
        assert here.kept.notices.hook("bob") is None
    async with club(tmp_path, replace(config(), notices=Noticing(webhooks=False))) as here:
        assert (await here.ask("/api/webhook", auth=BOB)).status == 404
