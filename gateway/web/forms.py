"""Reads the forms of our pages: from a page of ours, short, each field once."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gateway.web.headers import secured
from gateway.web.origin import FOREIGN
from gateway.web.refusals import BadRequest, body_of
from gateway.web.sessions import from_our_page

FORM_BYTES: Final = 16_384
"""The longest form: a report of 1,000 characters, each of them nine bytes as forms are written, fits in."""

FIELDS: Final = 40

FOREIGN_FORM: Final = "This form was not sent by a page of this server. Open the page anew and try again."

KIND: Final = "application/x-www-form-urlencoded"


async def form_of(request: Request) -> Mapping[str, str]:
    """The fields of a form; a field that is not there is "". BadRequest: no page of ours has sent it, or it is none."""
    if not from_our_page(request):
        raise BadRequest(HTTPStatus.FORBIDDEN, FOREIGN, FOREIGN_FORM)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        raise BadRequest(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "no_form", "Send the fields of a form.")
    body = await body_of(request, FORM_BYTES)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=FIELDS)
    except ValueError:
        raise BadRequest(HTTPStatus.BAD_REQUEST, "bad_request", "This form cannot be read.") from None
    return Fields(pairs)


class Fields(dict[str, str]):
    """The fields by name; the last of several counts, as a browser sends none twice."""

    def __missing__(self, name: str) -> str:
        return ""


def gone_to(address: str) -> Response:
    """The answer to a form that was served: the browser asks for that page."""
    return secured(RedirectResponse(address, HTTPStatus.SEE_OTHER, {"cache-control": "no-store"}))


def own_address(text: str, usual: str = "/") -> str:
    """``text`` if it is an address of this server, without its host; else ``usual``: no page sends elsewhere."""
    harmless = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isascii() and text.isprintable()
    return text if harmless and "\\" not in text else usual
