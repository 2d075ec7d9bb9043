"""A press on one's account page downloads all of one's data; a slow or greedy client costs nobody else anything."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from zipfile import ZipFile

import pytest
import trio
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Receive, Scope, Send

from gateway.config import Limits
from gateway.record.archive import Archives
from gateway.web.pages import download
from gateway.web.pages.download import AT_ONCE, BURST, PIECE_BYTES, Download, next_piece
from tests.web.browsing import checked
from tests.web.club import PASSWORD, basic, club
from tests.web.person import FORM, Person
from tests.web.serving import PATIENCE_S, connect, everything, served
from tests.web.test_account_page import logged_in
from tests.web.test_finished_private import played

T = TypeVar("T")

FORM_HEADERS = ("Accept: text/html", f"Content-Type: {FORM}", "Connection: close")


async def pressed(person: Person, *headers: str, path: str = "/account/data", body: str = "") -> tuple[int, str, bytes]:
    """The answer to the button: status, head, body, put together from its chunks."""
    cookie = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
    here = f"127.0.0.1:{person.port}"
    lines = [f"POST {path} HTTP/1.1", f"Host: {here}", f"Origin: http://{here}", f"Cookie: {cookie}"]
    lines += [f"Content-Length: {len(body)}", *FORM_HEADERS, *headers]
    async with await connect(person.port) as stream:
        await stream.send_all("\r\n".join(lines).encode() + b"\r\n\r\n" + body.encode())
        head, _, answer = (await everything(stream)).partition(b"\r\n\r\n")
    text = head.decode().lower()
    return int(head.split()[1]), text, dechunked(answer) if "transfer-encoding: chunked" in text else answer


def dechunked(body: bytes) -> bytes:
    """AssertionError: its last chunk is missing."""
    parts: list[bytes] = []
    while True:
        size, _, body = body.partition(b"\r\n")
        assert size, "the answer was cut off"
        if not (length := int(size, 16)):
            return b"".join(parts)
        parts.append(body[:length])
        body = body[length + 2 :]


async def test_one_press_downloads_all(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await played(here, basic("anna", PASSWORD))
        page = checked(await anna.get("/account"))
        (form,) = [form for form in page.all("form") if form.attributes["action"] == "/account/data"]
        assert (
            form.words()
            == "One ZIP file with all that is kept of your account and all of your games, for people "
            + ("and for other programs. Download my data")
        )
        status, head, body = await pressed(anna)
        assert status == 200
        for line in ("application/zip", 'attachment; filename="anna.zip"', "no-store", "nosniff"):
            assert line in head
        files = ZipFile(io.BytesIO(body))
        assert files.testzip() is None
        kinds = [json.loads(line)["kind"] for line in files.read("games.ndjson").splitlines()]
        assert (kinds[0], kinds.count("GameEnded")) == ("TableOpened", 1)
        assert json.loads(files.read("account.json"))["name"] == "anna"
        scores = (await here.ask("/api/people/anna", auth=basic("anna", PASSWORD))).body["scores"]
        assert sum(score["won"] + score["lost"] + score["drawn"] for score in scores) == 1


async def test_it_is_for_the_account_that_asks_by_our_page_alone(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        assert (await pressed(Person(here.port)))[0] == 403
        guest = Person(here.port)
        await guest.send("/guest", name="Zoe")
        assert "Your data" not in checked(await guest.get("/account")).words()
        assert (await pressed(guest))[0] == 403
        assert (await anna.send("/account/data", {"origin": "https://elsewhere.example"})).status == 403
        assert (await anna.get("/account/data")).status == 405


async def test_who_asks_again_and_again_is_told_when_to_come_back(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        assert [(await pressed(anna))[0] for _ in range(BURST)] == [200] * BURST
        status, head, body = await pressed(anna)
        assert status == 429
        after_s = int(head.partition("retry-after: ")[2].split()[0])
        assert 3500 < after_s <= 3601
        assert b"You have downloaded your data 3 times. Try again in 60 minutes." in body
        assert (await pressed(await logged_in(here, "bert")))[0] == 200


async def test_one_download_of_an_account_and_some_of_all_run_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    full = trio.Event()

    async def held(*answer: object) -> None:
        started.append(answer)
        if len(started) == AT_ONCE:
            full.set()
        await trio.sleep_forever()

    monkeypatch.setattr(download.Download, "_send", held)
    async with club(tmp_path) as here:
        people = [await logged_in(here, f"anna-{at}") for at in range(AT_ONCE + 1)]
        async with trio.open_nursery() as nursery:
            for person in people[:AT_ONCE]:
                nursery.start_soon(pressed, person)
            await full.wait()
            status, head, body = await pressed(people[-1])
            assert status == 429
            assert "retry-after: 60" in head
            assert b"Many people download their data just now." in body
            assert b"Your data is being downloaded already." in (await pressed(people[0]))[2]
            nursery.cancel_scope.cancel()


async def test_a_file_that_cannot_be_read_to_its_end_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser then says that the download has failed; the next one is served."""

    def breaks(*_: object) -> Iterator[bytes]:
        yield b"PK"
        raise SQLAlchemyError("the database has gone")

    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        with monkeypatch.context() as broken:
            broken.setattr(Archives, "of", breaks)
            with pytest.raises(AssertionError, match="cut off"):
                await pressed(anna)
        assert (await pressed(anna))[0] == 200


async def test_a_client_that_stops_reading_stops_the_making_and_is_hung_up_on() -> None:
    """The parts made ahead of the client fit into the sockets' buffers; no thread waits for it."""
    made: list[int] = []
    over = trio.Event()

    def pieces() -> Iterator[bytes]:
        while True:
            made.append(1)
            yield os.urandom(PIECE_BYTES)

    async def do(function: Callable[..., T], *arguments: Any) -> T:
        return await trio.to_thread.run_sync(function, *arguments)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await Download("a.zip", pieces(), do, over.set)(scope, receive, send)

    async with served(app, Limits(unread_s=0.2)) as port, await connect(port) as stream:
        await stream.send_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        with trio.fail_after(PATIENCE_S):
            await over.wait()
        assert len(made) * PIECE_BYTES < 32 << 20


def test_a_piece_is_long_enough_or_took_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    many = iter([b"x" * 10_000] * 5)
    assert [next_piece(many), next_piece(many), next_piece(many)] == [b"x" * 40_000, b"x" * 10_000, None]
    monkeypatch.setattr(download, "WORK_S", 0.0)
    slow = iter([b"a", b"", b"b"])
    assert [next_piece(slow) for _ in range(4)] == [b"a", b"", b"b", None]
