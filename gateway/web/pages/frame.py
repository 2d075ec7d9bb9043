"""Renders pages: a template within the frame that all pages share, with the headers that protect it.

    frame = Frame("Boardgate", Assets())
    return frame.page(request, "games.html", games=...)

A template extends base.html and fills its blocks: title, main, scripts. It calls ``asset("js/table.js")`` for
the address of a file. Texts are escaped; ``Markup`` alone is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response

from gateway.web.headers import accepts_gzip, packed, secured
from gateway.web.pages.assets import Assets
from gateway.web.sessions import Person, person_of
from protocols.core.time_text import span

TEMPLATES: Final = Path(__file__).parent.parent / "templates"

LEVEL: Final = 6
"""The level of compression of pages, which are compressed for each request: two in a hundred larger than at level 9, in
four fifths of its time."""

NAVIGATION: Final = (
    ("/", "Play"),
    ("/tv", "Watch"),
    ("/games", "Games"),
    ("/people", "People"),
    ("/connect", "Connect"),
)
"""The links at the top of each page; a page that this server does not have is left out."""

THEMES: Final = ("light", "dark")

TENTHS_S: Final = 10.0
"""Seconds below which a clock shows tenths."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person at the browser, as every page shows it.

    ``theme`` is one of THEMES, or "" for what the browser prefers; ``links`` are addresses with their words, shown
    at the end of the navigation. ``choices`` are what else the person has chosen, for scripts and styles: they
    stand in the document's ``data-NAME``.
    """

    name: str = ""
    theme: str = ""
    links: tuple[tuple[str, str], ...] = ()
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def account(self) -> str:
        """The account that is logged in; "" where the browser keeps its choices by itself."""
        return dict(self.choices).get("account", "")


def visitor(request: Request) -> Visitor:
    """The person at the browser, from its session."""
    person = person_of(request)
    links = [("/account", person.name)] if person.name else []
    if not person.account:
        links.append(("/login", "Log in"))
    if person.host:
        links.append(("/host", "Host"))
    return Visitor(person.name, person.preferences.theme, tuple(links), tuple(_choices(person)))


def _choices(person: Person) -> list[tuple[str, str]]:
    """The preferences that differ from the pages' own."""
    chosen, found = person.preferences, []
    if person.account:
        found.append(("account", person.account))
    elif person.guest:
        found.append(("guest", person.guest))
    if chosen.board:
        found.append(("board", chosen.board))
    if chosen.pieces:
        found.append(("pieces", chosen.pieces))
    if chosen.sound:
        found.append(("sound", "on"))
    if not chosen.animation:
        found.append(("animate", "off"))
    if chosen.confirm:
        found.append(("confirm", "on"))
    return found


def origin_of(request: Request) -> str:
    """This server as the browser names it: "https://boards.example"."""
    return f"{request.url.scheme}://{request.url.netloc}"


def clock_face(seconds: float) -> str:
    """The time that is left, for templates: "4:07", "1:02:33"; tenths of a second in the last ten."""
    return f"0:{math.floor(seconds * 10) / 10:04.1f}" if seconds < TENTHS_S else span(seconds)


def query(values: Mapping[str, object]) -> str:
    """The query of an address, for templates; what is None is left out."""
    return urlencode({name: value for name, value in values.items() if value is not None})


def day(at: float) -> str:
    """Unix time as the day of UTC: "21 Nov 2026"."""
    when = datetime.fromtimestamp(at, UTC)
    return f"{when.day} {when:%b %Y}"


def moment(at: float) -> str:
    """Unix time as HTML's ``datetime``: "2026-11-21T18:30:00Z"."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def minute(at: float) -> str:
    """Unix time to the minute, in UTC: "21 Nov 18:30"."""
    when = datetime.fromtimestamp(at, UTC)
    return f"{when.day} {when:%b %H:%M}"


class Blank:
    """Stands for any value: a template that is drawn with it has ``{NAME}`` where the value of that name would stand.

    It is false, and has nothing in it. Scripts fill copies of what is drawn so.
    """

    def __init__(self, name: str = "") -> None:
        self._name = name

    def __getattr__(self, name: str) -> Blank:
        return Blank(name)

    def __html__(self) -> str:
        return f"{{{self._name}}}"

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Iterator[Blank]:
        return iter(())


class Frame:
    """The frame of all pages of the server called ``site``."""

    def __init__(self, site: str, assets: Assets) -> None:
        self.site = site
        self.assets = assets
        self.navigation: tuple[tuple[str, str], ...] = NAVIGATION
        self._templates = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {"asset": assets.address, "blank": Blank()}
        self._templates.filters |= {"clock": clock_face, "query": query, "day": day, "moment": moment, "minute": minute}

    def page(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        """The page of ``templates/name`` with these values. Beside them every template has ``site``, ``path``,
        ``visitor`` and ``navigation``."""
        return self.written(request, self.render(name, self._shared(request) | values), status)

    def error(self, request: Request, status: int, title: str, text: str) -> Response:
        """A page that says what is wrong, and where to go from there."""
        return self.page(request, "error.html", status, title=title, text=text)

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """The text of a template, also of a part of a page."""
        return self._templates.get_template(name).render(values)

    def written(self, request: Request, text: str, status: int = HTTPStatus.OK) -> Response:
        """A page whose text is ready, compressed where the browser can unpack it."""
        content = text.encode()
        small = packed(content, LEVEL) if accepts_gzip(request) else None
        headers = {"cache-control": "no-store", "vary": "accept-encoding, cookie"}
        if small is not None:
            headers["content-encoding"] = "gzip"
        return secured(Response(small or content, status, headers, "text/html"))

    def _shared(self, request: Request) -> dict[str, Any]:
        return {
            "site": self.site,
            "path": request.url.path,
            "visitor": visitor(request),
            "navigation": self.navigation,
        }
