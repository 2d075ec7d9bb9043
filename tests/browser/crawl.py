"""Finds the pages of a server as a search engine would: from the first one along all links, without a browser."""

from __future__ import annotations

import http.client
import re
from collections import deque
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin, urlsplit

PATIENCE_S: Final = 20.0

MOST: Final = 200
"""Pages; a server whose links never end has a defect."""


@dataclass(frozen=True, slots=True)
class Found:
    """``pages`` are the paths of pages, ``broken`` links as (page, link, status)."""

    pages: tuple[str, ...]
    broken: tuple[tuple[str, str, int], ...]


def crawl(port: int, *starts: str) -> Found:
    """All pages that can be reached from ``starts``, "/" if there are none."""
    waiting = deque[tuple[str, str]](("", start) for start in starts or ("/",))
    seen, pages, broken = set[str](), list[str](), list[tuple[str, str, int]]()
    while waiting:
        source, path = waiting.popleft()
        if path in seen:
            continue
        seen.add(path)
        assert len(seen) <= MOST, f"more than {MOST} links: {sorted(seen)}"
        status, kind, text = _get(port, path)
        if status >= 400:
            broken.append((source, path, status))
        elif status == 200 and kind == "text/html":
            pages.append(path)
            waiting.extend((path, link) for link in links(text, path))
    return Found(tuple(pages), tuple(broken))


def kind(path: str) -> str:
    """The sort of page: /table/17 and /table/18 are of one sort, so are the lists of two games."""
    plain, _, query = path.partition("?")
    shape = re.sub(r"^/(games|people)/[^/]+", r"/\1/NAME", re.sub(r"/\d+", "/ID", plain))
    names = sorted(part.partition("=")[0] for part in query.split("&") if part)
    return shape + (f"?{'&'.join(names)}" if names else "")


def links(text: str, path: str) -> list[str]:
    """Links of a page to others of its server, without their fragments."""
    parser = _Links()
    parser.feed(text)
    found = (urlsplit(urljoin(f"http://here{path}", link)) for link in parser.found)
    return [
        url.path + (f"?{url.query}" if url.query else "")
        for url in found
        if (url.scheme, url.netloc) == ("http", "here")
    ]


@dataclass
class _Links(HTMLParser):
    found: list[str] = field(default_factory=list)
    inert: bool = False
    """The content of a template is no part of the document."""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.inert |= tag == "template"
        if tag == "a" and not self.inert and (link := dict(attributes).get("href")):
            self.found.append(link)

    def handle_endtag(self, tag: str) -> None:
        self.inert &= tag != "template"


def _get(port: int, path: str) -> tuple[int, str, str]:
    """Status, content type and text of one page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request("GET", path, headers={"Accept": "text/html"})
        answer = connection.getresponse()
        body = answer.read()
        return answer.status, answer.headers.get_content_type(), body.decode("utf-8", "replace")
    finally:
        connection.close()
