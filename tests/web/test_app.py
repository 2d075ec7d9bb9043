"""The application answers /healthz, /readyz and unknown paths."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from gateway.web.app import make_app
from tests.web.serving import ask, served


async def test_healthz_answers_ok() -> None:
    async with served() as port:
        assert await ask(port, "/healthz") == (200, {"status": "ok"})


async def test_readyz_answers_ready_while_there_is_no_reason_against_it() -> None:
    async with served() as port:
        assert await ask(port, "/readyz") == (200, {"status": "ready"})


async def test_readyz_gives_the_reasons_and_recovers_when_they_are_gone() -> None:
    reasons = ["the database cannot be written"]
    async with served(make_app(lambda: list(reasons))) as port:
        assert await ask(port, "/readyz") == (503, {"status": "not ready", "reasons": reasons})
        reasons.clear()
        assert await ask(port, "/readyz") == (200, {"status": "ready"})


async def test_healthz_answers_ok_while_the_server_is_not_ready() -> None:
    async with served(make_app(lambda: ["starting"])) as port:
        assert await ask(port, "/healthz") == (200, {"status": "ok"})


async def test_an_unknown_page_is_json_that_shows_what_was_asked() -> None:
    async with served() as port:
        status, answer = await ask(port, "/nowhere?x=1")
    assert (status, answer) == (404, {"error": "not_found", "message": "Not Found: GET /nowhere"})


async def test_a_wrong_method_is_json_too() -> None:
    async with served() as port:
        status, answer = await ask(port, "/healthz", "DELETE")
    assert (status, answer["error"]) == (405, "method_not_allowed")


async def test_a_trailing_slash_is_not_redirected_to_the_host_the_request_claims() -> None:
    async with served() as port:
        status, _ = await ask(port, "/healthz/")
    assert status == 404


async def test_head_has_no_body() -> None:
    async with served() as port:
        assert await ask(port, "/healthz", "HEAD") == (200, None)


async def test_a_defect_is_told_without_its_text_and_leaves_the_server_up() -> None:
    async def broken(request: Request) -> Response:
        raise RuntimeError("secret detail")

    app = make_app(list)
    app.add_route("/broken", broken)
    async with served(app) as port:
        status, answer = await ask(port, "/broken")
        assert (status, answer) == (500, {"error": "internal_error", "message": "the server made a mistake"})
        assert (await ask(port, "/healthz"))[0] == 200
