"""Asks for pages as a browser does, and looks at them: status, headers, markup, links, the rules of all pages."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from gateway.web.headers import SECURITY
from tests.web.serving import connect, everything

BROWSER: Final = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}

EMPTY: Final = frozenset({"meta", "link", "input", "br", "img", "hr", "wbr", "source", "col"})
"""Elements of HTML without an end."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: ``text`` is unpacked, ``size`` the bytes of the body as sent, ``cookies`` its lines Set-Cookie."""

    status: int
    headers: Mapping[str, str]
    text: str
    size: int
    cookies: tuple[str, ...] = ()


async def asked(port: int, path: str, method: str = "GET", body: str = "", **headers: str) -> Answer:
    """One request as a browser sends it. ``headers`` have "_" for "-"; the others are those of a browser."""
    sent = BROWSER | {"host": f"127.0.0.1:{port}", "connection": "close"}
    sent |= {"content-length": str(len(body.encode()))} if body else {}
    sent |= {name.replace("_", "-"): text for name, text in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in sent.items())]
    async with await connect(port) as stream:
        await stream.send_all("\r\n".join(lines).encode() + b"\r\n\r\n" + body.encode())
        head, _, content = (await everything(stream)).partition(b"\r\n\r\n")
    status, *fields = head.decode("latin-1").split("\r\n")
    found = {name.lower(): text for name, _, text in (line.partition(": ") for line in fields)}
    text = gzip.decompress(content) if found.get("content-encoding") == "gzip" else content
    told = tuple(line.partition(": ")[2] for line in fields if line.lower().startswith("set-cookie: "))
    return Answer(int(status.split()[1]), found, text.decode(), len(content), told)


@dataclass(slots=True)
class Element:
    name: str
    attributes: dict[str, str]
    inside: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *names: str) -> Iterator[Element]:
        """Every element below this one that has one of these names; without names, every one."""
        for inner in self.inside:
            if not names or inner.name in names:
                yield inner
            yield from inner.all(*names)

    def words(self) -> str:
        """The text of this element and of all below, blanks made single. Texts come before the elements inside."""
        return " ".join(" ".join([self.text, *(inner.words() for inner in self.inside)]).split())


class _Reader(HTMLParser):
    """Builds the tree. AssertionError: an element is not closed where it was opened, or an id stands twice."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, {name: text or "" for name, text in attrs})
        identity = element.attributes.get("id", "")
        assert not identity or identity not in self.ids, f"the id {identity!r} stands twice"
        self.ids.add(identity)
        self.open[-1].inside.append(element)
        if tag not in EMPTY:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        closed = self.open.pop()
        if tag == "template":  # what is in it is no part of the document
            closed.inside.clear()

    def handle_data(self, data: str) -> None:
        self.open[-1].text += data


def read(text: str) -> Element:
    """The tree of a page. AssertionError: its markup is not well-formed."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert len(reader.open) == 1, f"<{reader.open[-1].name}> is not closed"
    return reader.root


def checked(answer: Answer) -> Element:
    """The tree of a page that keeps the rules of all pages. AssertionError names the first it breaks."""
    for name, value in SECURITY.items():
        assert answer.headers.get(name) == value, name
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text.startswith("<!doctype html>")
    root = read(answer.text)
    ids = {element.attributes["id"] for element in root.all() if "id" in element.attributes}
    for element in root.all():
        attributes = element.attributes
        assert "style" not in attributes, f"<{element.name}> has a style of its own"
        assert not [name for name in attributes if name.startswith("on")], f"<{element.name}> has a script of its own"
        assert element.name != "style"
        if element.name == "script":
            inert = attributes.get("type") == "application/json"
            assert inert or (attributes["src"].startswith("/static/") and not element.text.strip())
        for name in ("href", "src", "action"):
            assert attributes.get(name, "/").startswith(("/", "#")), f"{attributes[name]} is not of this server"
        if (label := attributes.get("for")) is not None:
            assert label in ids, f"a label is for {label!r}, which is not there"
    assert len(list(root.all("h1"))) == 1, "a page has one title"
    assert len(list(root.all("main"))) == 1
    return root


def links(page: Element) -> list[str]:
    """The addresses of this server that a page links to or loads, without what follows "#"."""
    named = (element.attributes.get(name, "") for element in page.all() for name in ("href", "src"))
    return sorted({address.partition("#")[0] for address in named if address.startswith("/")})
