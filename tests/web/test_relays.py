"""POST /api/relays: a code and a one-time port, by HTTP alone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gateway.web.app import make_app
from gateway.web.relays import LONGEST_BODY, routes
from tests.relay.relaying import Desk, relaying
from tests.web.conforming import conforms
from tests.web.serving import connect, everything, served


@asynccontextmanager
async def relaying_by_web(
    data: Path | None = None, draining: Callable[[], bool] = bool, **settings: Any
) -> AsyncIterator[tuple[Desk, int]]:
    async with relaying(data, **settings) as desk, served(make_app(list, routes(desk.relay, draining))) as port:
        yield desk, port


async def post(port: int, body: bytes = b"", kind: str = "application/json") -> tuple[int, Any]:
    """Status and JSON of POST /api/relays."""
    fields = ["Host: here", "Connection: close", f"Content-Length: {len(body)}"]
    fields += [f"Content-Type: {kind}"] if body else []
    async with await connect(port) as stream:
        await stream.send_all("\r\n".join(["POST /api/relays HTTP/1.1", *fields, "", ""]).encode() + body)
        answered, _, text = (await everything(stream)).partition(b"\r\n\r\n")
    status, answer = int(answered.split()[1]), json.loads(text)
    conforms("POST", "/api/relays", status, answer)
    return status, answer


async def test_a_code_a_port_and_when_they_expire() -> None:
    """ "POST /api/relays -> {"code": ROOM, "port": PORT, "expires": ISO time}", and where helpers call."""
    async with relaying_by_web(expires_s=600.0) as (desk, port):
        status, answer = await post(port)
        assert (status, set(answer)) == (201, {"code", "port", "expires", "relay_port", "relay_tls"})
        assert (answer["relay_port"], answer["relay_tls"]) == (desk.port, False)
        left = datetime.fromisoformat(answer["expires"]) - datetime.now(UTC)
        assert 590 < left.total_seconds() <= 600
        first, second = await desk.dial(answer["port"]), await desk.dial(answer["port"])
        await first.say(b"hello")
        assert await second.some() == b"hello"


async def test_the_code_is_one_that_helpers_can_meet_by() -> None:
    async with relaying_by_web() as (desk, port):
        status, answer = await post(port, b'{"port": false}')
        assert (status, answer["port"]) == (201, None)
        await desk.met(answer["code"])


async def test_a_pair_is_recorded_where_that_is_asked_for(tmp_path: Path) -> None:
    async with relaying_by_web(tmp_path) as (desk, port):
        _, answer = await post(port, b'{"dialect": "miniature", "record": true}')
        first, second = await desk.dial(answer["port"]), await desk.dial(answer["port"])
        await first.say(b"hello\n")
        assert await second.some() == b"hello\n"
    (file,) = (tmp_path / "wire").iterdir()
    assert file.read_text().splitlines()[1] == ">> hello"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"record": false, "record": true}', "the key 'record' stands twice in one object"),
        (b"{", "Input data was truncated"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"record": "yes"}', "Expected `bool`, got `str` - at `$.record`"),
        (b'{"recrod": true}', "Object contains unknown field `recrod`"),
        (b'{"dialect": "\xff"}', "invalid start byte"),
    ],
)
async def test_a_body_that_is_wrong_is_refused_in_words(body: bytes, message: str) -> None:
    async with relaying_by_web() as (desk, port):
        status, answer = await post(port, body)
        assert (status, answer["error"]) == (400, "bad_request")
        assert message in answer["message"]
        assert desk.relay.counters.rooms == 0


async def test_a_body_is_said_to_be_json() -> None:
    async with relaying_by_web() as (_, port):
        status, answer = await post(port, b'{"port": false}', "text/plain")
        assert (status, answer["error"]) == (415, "no_json")


async def test_a_long_body_is_refused() -> None:
    async with relaying_by_web() as (_, port):
        status, answer = await post(port, b" " * (LONGEST_BODY + 1))
        assert (status, answer["error"]) == (413, "too_long")


async def test_too_many_codes_of_one_address_are_refused() -> None:
    async with relaying_by_web(rooms_per_address=1) as (_, port):
        assert (await post(port))[0] == 201
        assert await post(port) == (
            429,
            {"error": "too_many", "message": "1 codes of this address are in use already"},
        )


async def test_a_full_relay_an_unknown_dialect_and_no_recording_are_told_apart() -> None:
    async with relaying_by_web(rooms=1, recordings=0) as (_, port):
        assert (await post(port, b'{"dialect": "klingon"}'))[0] == 400
        status, answer = await post(port, b'{"record": true}')
        assert (status, answer["error"]) == (403, "no_recordings")
        assert (await post(port))[0] == 201
        status, answer = await post(port)
        assert (status, answer["error"]) == (503, "full")


async def test_a_server_that_is_no_relay_says_so() -> None:
    async with served(make_app(list, routes(None, bool))) as port:
        assert await post(port) == (503, {"error": "no_relay", "message": "this server is no relay"})


async def test_a_server_that_is_emptied_opens_no_room_and_those_there_are_go_on() -> None:
    emptied: list[str] = []
    async with relaying_by_web(draining=lambda: bool(emptied)) as (desk, port):
        _, opened = await post(port)
        emptied.append("by its host")
        status, answer = await post(port)
        assert (status, answer["error"]) == (503, "draining")
        assert "opens no new rooms: it is about to be restarted" in answer["message"]
        assert desk.relay.counters.refusals["draining"] == 1
        await desk.joined(opened["code"])
        emptied.clear()
        assert (await post(port))[0] == 201
