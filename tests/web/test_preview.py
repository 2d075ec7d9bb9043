"""Pictures and tags for sites that show a link: of public and shared games, of no other, each drawn once."""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

import pytest
import trio

from gateway.web.pages import preview
from tests.hall import alternate
from tests.web.browsing import asked, read
from tests.web.club import Club, club
from tests.web.serving import connect, everything
from tests.web.test_finished_private import played, with_key
from tests.web.test_shared import asks

FAILING = (sys.executable, "-S", "-c", "raise SystemExit('a defect of the program')")
STOPPING = """
import os, signal, sys
with open(sys.argv[1], "w") as said:
    print(os.getpid(), file=said)
os.kill(os.getpid(), signal.SIGSTOP)
"""
HELD = (sys.executable, "-S", "-c", STOPPING)
"""Says its number in the file that it is given, and stops until it is told to go on."""


async def picture(here: Club, path: str, *lines: str) -> tuple[str, bytes]:
    """Head and body of the answer."""
    async with await connect(here.port) as stream:
        head = "\r\n".join([f"GET {path}/preview.png HTTP/1.1", "Host: here", "Connection: close", *lines, "", ""])
        await stream.send_all(head.encode())
        told, _, body = (await everything(stream)).partition(b"\r\n\r\n")
    return told.decode().lower(), body


async def tags(here: Club, path: str, key: str = "") -> dict[str, str]:
    answer = await (with_key(here, key).get(path) if key else asked(here.port, path))
    named = [one.attributes for one in read(answer.text).all("meta")]
    return {one.get("property", one.get("name", "")): one["content"] for one in named if "content" in one}


async def test_a_public_game_has_tags_and_a_picture(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await alternate(await here.hall.seat("Tic_tac_toe"), 0, 3, 1, 4, 2)
        found = await tags(here, "/table/1")
        address = f"http://127.0.0.1:{here.port}/table/1"
        assert found["og:title"].startswith("Tic-Tac-Toe")
        assert "three in a row" in found["og:description"]
        assert (found["og:url"], found["og:image"]) == (address, f"{address}/preview.png")
        assert found["twitter:card"] == "summary_large_image"
        head, body = await picture(here, "/table/1")
        assert "content-type: image/png" in head
        assert "cross-origin-resource-policy: cross-origin" in head
        assert body.startswith(b"\x89PNG")
        assert struct.unpack(">II", body[16:24]) == (1200, 630)
        assert len(body) > 20_000  # an empty one has a tenth of it


async def test_a_private_game_has_them_by_its_link_alone(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ticket = await played(here)
        assert not [name for name in await tags(here, "/table/1", ticket) if name.startswith("og:")]
        assert (await picture(here, "/table/1"))[0].startswith("http/1.1 404 ")
        link = (await asks(here, "POST", ticket)).body["address"]
        assert (await tags(here, link))["og:image"].endswith(f"{link}/preview.png")
        head, body = await picture(here, link)
        assert "x-robots-tag: noindex" in head
        assert "cache-control: no-cache" in head
        assert body.startswith(b"\x89PNG")
        await asks(here, "DELETE", ticket)
        assert (await picture(here, link))[0].startswith("http/1.1 404 ")


async def test_a_picture_is_drawn_once_for_each_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    async def counted(text: str) -> bytes:
        drawn.append(text)
        return b"a picture"

    monkeypatch.setattr(preview, "rasterized", counted)
    async with club(tmp_path) as here:
        guests = await here.hall.seat("Tic_tac_toe")
        for _ in range(2):
            head, body = await picture(here, "/table/1")
            assert body == b"a picture"
        (tag,) = [line.partition(": ")[2] for line in head.splitlines() if line.startswith("etag: ")]
        head, body = await picture(here, "/table/1", f"If-None-Match: {tag}")
        assert (head.split()[1], body, len(drawn)) == ("304", b"", 1)
        await alternate(guests, 0)
        await picture(here, "/table/1")
        assert len(set(drawn)) == len(drawn) == 2


async def test_a_picture_that_cannot_be_drawn_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with club(tmp_path) as here:
        await here.hall.seat("Tic_tac_toe")
        for program in (FAILING, (str(tmp_path / "no program"),), (*HELD, os.devnull)):
            monkeypatch.setattr(preview, "PROGRAM", program)
            if program[:-1] == HELD:
                monkeypatch.setattr(preview, "PATIENCE_S", 0.3)
            head, body = await picture(here, "/table/1")
            assert head.startswith("http/1.1 503 ")
            assert b"the picture cannot be drawn just now" in body


async def test_more_than_some_do_not_wait_for_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = trio.Event(), trio.Event()
    monkeypatch.setattr(preview, "AT_ONCE", 1)

    async def slow(text: str) -> bytes:
        begun.set()
        await go_on.wait()
        return b"a picture"

    monkeypatch.setattr(preview, "rasterized", slow)
    async with club(tmp_path) as here, trio.open_nursery() as nursery:
        await here.hall.seat("Tic_tac_toe")
        nursery.start_soon(picture, here, "/table/1")
        await begun.wait()
        assert (await picture(here, "/table/1"))[0].startswith("http/1.1 503 ")
        go_on.set()


async def test_a_process_that_stands_still_delays_no_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tmp_path / "pid"
    os.mkfifo(said)
    monkeypatch.setattr(preview, "PROGRAM", (*HELD, str(said)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(preview.rasterized, "<svg/>")
        pid = int(await trio.to_thread.run_sync(said.read_text, abandon_on_cancel=True))
        nursery.cancel_scope.cancel()
        before = trio.current_time()
    assert trio.current_time() - before < 4.5  # trio itself waits five seconds before it kills
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
