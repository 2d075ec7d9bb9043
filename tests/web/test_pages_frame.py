"""The frame of all pages: headers, files for ever, errors as pages for browsers and as JSON for programs."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.store.sessions import Preferences
from gateway.web.app import Unbanned, make_app
from gateway.web.pages.assets import Assets
from gateway.web.pages.frame import TEMPLATES, Frame
from gateway.web.pages.refusing import error_pages
from gateway.web.sessions import PERSON, Person
from tests.web.browsing import asked, checked, links
from tests.web.serving import served

FRAME = Frame("A <b>club</b>", Assets())


async def broken(request: Request) -> Response:
    raise RuntimeError("secret detail")


async def shown(request: Request) -> Response:
    theme = request.cookies.get("theme", "")
    request.scope[PERSON] = Person(guest="<alice>", preferences=Preferences(theme=theme))
    return FRAME.error(request, 200, "<i>Title</i>", "Text & more")


@asynccontextmanager
async def serving(banned: str = "") -> AsyncIterator[int]:
    routes = [Route("/broken", broken), Route("/shown", shown), *FRAME.assets.routes()]
    app = Unbanned(make_app(list, routes, error_pages(FRAME)), lambda address: banned, error_pages(FRAME))
    async with served(app) as port:
        yield port


async def test_a_page_keeps_the_rules_and_escapes_what_it_is_given() -> None:
    async with serving() as port:
        page = checked(await asked(port, "/shown"))
    assert [title.text for title in page.all("title")] == ["<i>Title</i> · A <b>club</b>"]
    assert [title.text for title in page.all("h1")] == ["<i>Title</i>"]
    assert "<alice>" in [link.text for link in page.all("a")]


async def test_a_page_is_packed_for_those_who_can_unpack_it_and_says_the_same() -> None:
    async with serving() as port:
        plain = await asked(port, "/shown")
        small = await asked(port, "/shown", accept_encoding="br, gzip;q=0.5")
        refused = await asked(port, "/shown", accept_encoding="gzip;q=0")
    assert plain.text == small.text == refused.text
    assert small.size < plain.size == refused.size


async def test_a_theme_that_was_chosen_stands_in_the_page() -> None:
    async with serving() as port:
        page = checked(await asked(port, "/shown", cookie="theme=dark"))
        usual = checked(await asked(port, "/shown"))
    assert [html.attributes.get("data-theme") for html in (*page.all("html"), *usual.all("html"))] == ["dark", None]


async def test_files_stay_for_ever_under_the_hash_of_all_of_them() -> None:
    async with serving() as port:
        page = checked(await asked(port, "/shown"))
        files = [link for link in links(page) if link.startswith("/static/")]
        assert len(files) == 5
        types = set[str]()
        for file in files:
            answer = await asked(port, file, accept_encoding="gzip")
            assert answer.status == 200
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["x-content-type-options"] == "nosniff"
            types.add(answer.headers["content-type"].partition(";")[0])
    assert types == {"text/css", "text/javascript", "image/svg+xml"}


async def test_a_page_from_before_a_restart_still_gets_its_files_but_keeps_none() -> None:
    async with serving() as port:
        answer = await asked(port, "/static/0123456789ab/css/base.css")
        assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
        outside = [f"/static/x/{path}" for path in ("../assets.py", "%2e%2e/headers.py", "css/", "css/none.css")]
        assert [(await asked(port, path)).status for path in outside] == [404] * 4


def test_the_hash_changes_with_every_file(tmp_path: Path) -> None:
    seen = set()
    for name, content in (("a.js", "1"), ("a.js", "2"), ("b.js", "2"), ("b.css", "")):
        (tmp_path / name).write_text(content)
        seen.add(Assets(tmp_path).version)
    assert len(seen) == 4


def test_a_file_that_a_template_names_is_there() -> None:
    named = {
        name
        for template in TEMPLATES.glob("*.html")
        for name in re.findall(r"""asset\(["']([^"']+)["']\)""", template.read_text(encoding="utf-8"))
    }
    assert named <= set(Assets().files)
    with pytest.raises(KeyError, match=r"js/none\.js"):
        Assets().address("js/none.js")


@pytest.mark.parametrize(
    ("path", "method", "status", "title"),
    [
        ("/nowhere?x=<script>", "GET", 404, "Not found"),
        ("/shown", "DELETE", 405, "Not possible"),
        ("/broken", "GET", 500, "Something broke"),
    ],
)
async def test_an_error_is_a_page_for_a_browser_and_json_for_a_program(
    path: str, method: str, status: int, title: str
) -> None:
    async with serving() as port:
        answer = await asked(port, path, method)
        program = await asked(port, path, method, accept="*/*")
    assert (answer.status, program.status) == (status, status)
    assert [found.text for found in checked(answer).all("h1")] == [title]
    assert "<script>" not in answer.text
    assert "secret" not in answer.text
    assert set(json.loads(program.text)) == {"error", "message"}
    assert answer.headers.get("allow") == program.headers.get("allow")


async def test_an_error_of_the_api_is_json_for_a_browser_too() -> None:
    async with serving() as port:
        answer = await asked(port, "/api/nothing")
    assert (answer.status, json.loads(answer.text)["error"]) == (404, "not_found")


async def test_a_banned_person_reads_why() -> None:
    async with serving("banned: spam, until <tomorrow>") as port:
        answer = await asked(port, "/shown")
        program = await asked(port, "/shown", accept="*/*")
    assert (answer.status, program.status) == (403, 403)
    assert "banned: spam, until <tomorrow>" in checked(answer).words()
    assert json.loads(program.text) == {"error": "banned", "message": "banned: spam, until <tomorrow>"}
