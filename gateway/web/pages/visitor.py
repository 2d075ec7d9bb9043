"""Tells every page who looks at it: name, links of its own, what that person has chosen."""

from __future__ import annotations

from starlette.requests import Request

from gateway.web.pages.frame import Visitor
from gateway.web.sessions import Person, person_of


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
    if chosen.sound:
        found.append(("sound", "on"))
    if not chosen.animation:
        found.append(("animate", "off"))
    if chosen.confirm is not None:
        found.append(("confirm", "on" if chosen.confirm else "off"))
    return found
