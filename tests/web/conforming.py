"""Holds answers of the API against its own document: every status, every field, and nothing beside them."""

from __future__ import annotations

import copy
import re
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from gateway.web.openapi import document
from tests.web_messages import was_told

ANY_ROUTE = {405, 500}
"""Statuses of every route: another method, a defect."""


def conforms(method: str, target: str, status: int, body: Any) -> None:
    """AssertionError: the document does not know this answer. Paths outside the API are passed over."""
    path = target.partition("?")[0]
    if not path.startswith("/api/") or status in ANY_ROUTE or method == "OPTIONS":
        return
    template = next((known for known in document()["paths"] if _pattern(known).fullmatch(path)), None)
    if template is None:
        return  # a page's own
    if (operation := document()["paths"][template].get(method.lower())) is None:
        assert status == 405, f"{method} {template} is not in the document"
        return
    responses = operation["responses"]
    assert str(status) in responses, f"{method} {template} answers {status}, which the document does not say"
    content = responses[str(status)].get("content")
    if content is None:
        assert body == "", f"{method} {template} answers {status} with a body"
    elif "application/json" in content:
        if status == 200 and template == "/api/line":
            for message in body["messages"]:
                was_told(message)  # by its type: any of them against all schemas would take seconds
            body = body | {"messages": []}
        _validator(template, method.lower(), str(status)).validate(body)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)))


@cache
def _strict() -> dict[str, Any]:
    """The document, its objects without any field that it does not name."""
    found: dict[str, Any] = copy.deepcopy(document())
    for schema in found["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return found


@cache
def _validator(template: str, method: str, status: str) -> Draft202012Validator:
    responses = _strict()["paths"][template][method]["responses"]
    schema = responses[status]["content"]["application/json"]["schema"]
    return Draft202012Validator(
        {**schema, "components": _strict()["components"]}, format_checker=FormatChecker(["date-time"])
    )
