"""The API's document names every route of the API and every event of the record, and nothing else.

That answers are what it says is checked with every request of these tests (club.py).
"""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator, ValidationError
from starlette.routing import Route

from gateway.record.event_schema import event_schema
from gateway.store import codec
from gateway.store.views import ndjson_lines
from gateway.web.message_schema import message_schema
from gateway.web.openapi import document
from protocols.core.events import DiceRolled, Event, Said
from tests.store.test_codec import EVENTS
from tests.web.club import Club, club
from tests.web.conforming import conforms

EVENT = Draft202012Validator(event_schema())


def served_by(here: Club) -> set[tuple[str, str]]:
    """Path and method of every route for others, the relay's among them; the lichess API is described elsewhere."""
    ours = (one for one in here.routes if not (of_pages(one) or module(one) == "gateway.web.lichess"))
    others = [(re.sub(r":\w+", "", one.path), one.methods or set()) for one in ours]
    return {(path, method) for path, methods in others if path.startswith("/api/") for method in methods - {"HEAD"}}


def of_pages(route: Route) -> bool:
    """True if it serves our own pages only, and changes with them."""
    return module(route).startswith("gateway.web.pages.")


def module(route: Route) -> str:
    return str(getattr(route.endpoint, "__module__", ""))


def line(event: Event) -> dict[str, Any]:
    """An event as the API shows it."""
    found: dict[str, Any] = json.loads(next(ndjson_lines(12, codec.rows(codec.GENESIS, 12, 0, 0.0, [event]))))
    return found


async def test_every_route_is_in_the_document_and_no_other(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        described = {(path, method.upper()) for path, one in document()["paths"].items() for method in one}
        assert served_by(here) == described


async def test_the_documents_are_served(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        assert (await here.ask("/api/openapi.json")).body == json.loads(json.dumps(document()))
        assert (await here.ask("/api/events.schema.json")).body == json.loads(json.dumps(event_schema()))
        assert (await here.ask("/api/web.schema.json")).body == json.loads(json.dumps(message_schema()))


async def test_a_refused_method_is_answered_with_those_of_all_routes_of_the_path(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        assert "allow: get, head, post\r\n" in (await here.ask("/api/tables", method="DELETE")).head
        assert "allow: delete, post\r\n" in (await here.ask("/api/drain", method="GET")).head


def test_every_schema_is_one_and_every_reference_leads_somewhere() -> None:
    schemas = document()["components"]["schemas"]
    for schema in (event_schema(), message_schema(), *schemas.values()):
        Draft202012Validator.check_schema(schema)
    assert referred(document(), "#/components/schemas/") <= schemas.keys()
    for schema in (event_schema(), message_schema()):
        assert referred(schema, "#/$defs/") <= schema["$defs"].keys()


def referred(schema: object, where: str) -> set[str]:
    return {part.partition('"')[0] for part in json.dumps(schema).split(f'"{where}')[1:]}


def test_operations_have_names_of_their_own() -> None:
    names = [one["operationId"] for path in document()["paths"].values() for one in path.values()]
    assert sorted(names) == sorted(set(names))


@given(EVENTS)
def test_every_event_is_what_the_schema_says(event: Event) -> None:
    EVENT.validate(line(event))


def test_what_is_no_event_is_not_what_the_schema_says() -> None:
    rolled = line(DiceRolled(0, 1, 6))
    for name, wrong in (("seq", 0), ("at", 1), ("kind", "DiceThrown"), ("digest", "00"), ("body", {"seat": 0})):
        with pytest.raises(ValidationError):
            EVENT.validate({**rolled, name: wrong})
    without = {name: value for name, value in rolled.items() if name != "body"}
    with pytest.raises(ValidationError):
        EVENT.validate(without)
    said = line(Said(0, "players", "between us"))
    del said["body"]
    EVENT.validate(said)


async def test_an_answer_that_the_document_does_not_know_is_noticed(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table = (await here.register("ann", "bob")).body["id"]
        body = (await here.ask(f"/api/tables/{table}")).body
        wrong: list[tuple[str, int, Any]] = [
            ("GET", 418, {"error": "teapot", "message": "short and stout"}),
            ("DELETE", 200, {}),
            ("GET", 200, {name: value for name, value in body.items() if name != "seats"}),
            ("GET", 200, {**body, "secret": "00"}),
            ("GET", 200, copy.deepcopy(body) | {"turn": "white"}),
        ]
        for method, status, answer in wrong:
            with pytest.raises((AssertionError, ValidationError)):
                conforms(method, f"/api/tables/{table}", status, answer)
