"""The listeners of the settings, opened: what ``serve`` serves, and what ``serve --check`` opens and closes again.

Not here: what is done at them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from gateway.config import Listen
from gateway.net.tls import Certificate
from gateway.relay.listen import RELAY, RelayDoor, open_relay_door
from gateway.server.listen import Door, open_door
from gateway.web.forwarded import through_proxy
from gateway.web.secure import Pages, open_pages
from protocols.core.model import HouseRules

HTTP: Final = "http"
"""The listener that is not a dialect of tables: web pages and the API."""


@dataclass(slots=True)
class Listening:
    """What was opened: doors of dialects, of pages, of pages behind a proxy, of the relay, and the lines that announce
    them, as configured."""

    doors: list[Door] = field(default_factory=list)
    pages: list[Pages] = field(default_factory=list)
    proxied: list[Pages] = field(default_factory=list)
    relays: list[RelayDoor] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def open(self, listen: Listen, rules: HouseRules, name: str) -> None:
        """One more, of the server called ``name``. BadSetting says what is wrong with it."""
        if listen.dialect == HTTP:
            pages = self.proxied if through_proxy(listen) else self.pages
            pages.append(open_pages(listen))
            shown = pages[-1].shown
            options = (f" {key}={text}" for key, text in shown.options.items())
            self.lines.append(f"listening {HTTP} {shown.address}{''.join(options)}")
        elif listen.dialect == RELAY:
            self.relays.append(open_relay_door(listen))
            self.lines.append(self.relays[-1].line())
        else:
            self.doors.append(open_door(listen, rules, name))
            self.lines.append(self.doors[-1].line())

    def certificates(self) -> list[Certificate]:
        """Of every listener that has one."""
        found = [door.certificate for door in self.doors]
        found += [door.certificate for door in self.relays]
        found += [pages.certificate for pages in (*self.pages, *self.proxied)]
        return [each for each in found if each is not None]

    async def close(self) -> None:
        """For those who opened them to see whether they can be."""
        for doors in (self.doors, self.relays, self.pages, self.proxied):
            for sock in [door.sock for door in doors]:
                sock.close()
