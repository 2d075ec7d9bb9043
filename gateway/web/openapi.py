"""Describes the JSON API for programs: ``/api/openapi.json``, and the JSON Schemas of events and messages.

Requests and answers are derived from the classes that decode them and that name them (shapes.py). What our own pages
alone ask (gateway/web/pages) changes with them and is left out.
Source: the OpenAPI Specification 3.1.1.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.record.event_schema import definitions, event_schema
from gateway.record.json_schema import Schema, components, enum, merged
from gateway.release import release
from gateway.web import shapes
from gateway.web.message_schema import SAID, TOLD, message_definitions, message_schema
from gateway.web.operations import OPERATIONS, TEXT, Operation, whole
from gateway.web.refusals import codes
from protocols.web.messages import ClientMessage

REF: Final = "#/components/schemas/{name}"

MERGED: Final = {"WholeMove": "Move", "MoveForm": "Move", "Time": "TimeControl"}
"""Classes that bound what is asked, and otherwise are as the record's."""

KEPT: Final = {"cache-control": "max-age=3600"}
"""The documents change with the server's version only."""

ANYBODY: Final[list[dict[str, list[str]]]] = [{}, {"ticket": []}, {"account": []}, {"token": []}, {"host": []}]
"""The ways to say who asks. All may be left out: what is shown depends on the asker."""

SCHEMES: Final = {
    "ticket": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "`Ticket SECRET`: holds a seat; sees its table even if it is private, and what its players say",
    },
    "account": {"type": "http", "scheme": "basic", "description": "the name and password of an account"},
    "token": {"type": "http", "scheme": "bearer", "description": "an account's token: POST /api/tokens"},
    "host": {"type": "http", "scheme": "bearer", "description": "the host's secret (registration.admin_token)"},
    "line": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "`Line KEY`: a conversation in the dialect `web`, of POST /api/lines",
    },
}


def openapi_routes() -> list[Route]:
    """The documents, which are made when they are asked for first."""
    made: dict[str, Callable[[], Schema]] = {
        "/api/openapi.json": document,
        "/api/events.schema.json": event_schema,
        "/api/web.schema.json": message_schema,
    }
    return [Route(path, _served(cache(make))) for path, make in made.items()]


def _served(make: Callable[[], Schema]) -> Callable[[Request], Awaitable[Response]]:
    async def served(request: Request) -> Response:
        return JSONResponse(make(), headers=KEPT)

    return served


@cache
def document() -> Schema:
    """The whole document, a JSON value."""
    paths: dict[str, Schema] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Boardgate",
            "version": release().version,
            "x-build": release().build,
            "description": "Tables, their events, and moves. docs/api.md explains it.",
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "security": ANYBODY,
        "paths": paths,
        "components": {"schemas": _schemas(), "securitySchemes": SCHEMES},
    }


def _schemas() -> dict[str, Schema]:
    """By name: what requests and answers consist of, the events of records, the messages of the dialect ``web``."""
    used = [kind for one in OPERATIONS for kind in (one.answer, one.body) if isinstance(kind, type)]
    found = components([*dict.fromkeys(used), shapes.Refusal], REF)
    for others in (message_definitions(REF), definitions(REF)):
        clashing = {name for name in found.keys() & others.keys() if found[name] != others[name]}
        assert not clashing, clashing
        found |= others
    found = merged(found, MERGED, REF)
    found["Refusal"]["properties"]["error"] = {"$ref": REF.format(name="Code")}
    found["Code"] = enum(codes(), "A cause, for programs.")
    found["Events"]["properties"]["events"]["items"] = {"$ref": REF.format(name="Event")}
    found["Heard"]["properties"]["messages"]["items"] = {"$ref": REF.format(name=TOLD)}
    return found


def _operation(one: Operation) -> Schema:
    parameters = [_parameter("query", *asked) for asked in one.query]
    parameters += [_parameter("header", *asked) for asked in one.headers]
    if "{table}" in one.path:
        parameters.insert(0, _parameter("path", "table", whole(), "the table's id") | {"required": True})
    if "{name}" in one.path:
        kind = one.path.split("/")[2]
        named = {"games": "a game's name", "people": "an account's name", "players": "an account's name"}.get(
            kind, "a node's name"
        )
        parameters.insert(0, _parameter("path", "name", TEXT, named) | {"required": True})
    if "{offer}" in one.path:
        parameters.insert(0, _parameter("path", "offer", whole(), "the offer's id") | {"required": True})
    if "{id}" in one.path:
        parameters.insert(0, _parameter("path", "id", TEXT, "a token's id, of your list") | {"required": True})
    if "{key}" in one.path:
        parameters.insert(0, _parameter("path", "key", TEXT, "a `look` of a page") | {"required": True})
    found: Schema = {"operationId": one.name, "summary": one.summary, "responses": _responses(one)}
    if parameters:
        found["parameters"] = parameters
    if one.body is not None:
        content = {"application/json": {"schema": _body(one.body)}}
        found["requestBody"] = {"required": one.needs_body, "content": content}
    if one.security is not None:
        found["security"] = [{scheme: []} for scheme in one.security]
    return found


def _body(kind: Any) -> Schema:
    return {"$ref": REF.format(name=SAID if kind is ClientMessage else kind.__name__)}


def _parameter(place: str, name: str, schema: Schema, text: str) -> Schema:
    return {"name": name, "in": place, "description": text, "schema": schema}


def _responses(one: Operation) -> Schema:
    found: Schema = {str(one.status): {"description": HTTPStatus(one.status).phrase} | _content(one.answer)}
    found |= {str(status): {"description": text} for status, text in one.also}
    refusal = {"application/json": {"schema": {"$ref": REF.format(name="Refusal")}}}
    for status in one.refused:
        found[str(status)] = {"description": HTTPStatus(status).phrase, "content": refusal}
    return found


def _content(answer: Any) -> Schema:
    """The ``content`` of an answer."""
    if answer is None:
        return {}
    if isinstance(answer, type):
        return {"content": {"application/json": {"schema": {"$ref": REF.format(name=answer.__name__)}}}}
    if answer == "text/plain":
        return {"content": {kind: {"schema": TEXT} for kind in ("application/x-ndjson", "text/plain")}}
    return {"content": {answer: {"schema": {} if answer == "application/json" else TEXT}}}
