"""Opens the listeners of the settings: ``serve`` serves them, ``serve --check`` closes them again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import click

from gateway.config import Config, Listen
from gateway.net.listening import OpenListener
from gateway.net.sockets import Opening, open_socket
from gateway.net.tls import Certificate
from gateway.relay.listen import RELAY, open_relay_listener
from gateway.sessions.listener import Listener, open_listener
from gateway.web.forwarded import open_pages

HTTP: Final = "http"
"""The listener that is not a dialect of tables: web pages and the API."""


EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "127.0.0.1"}
"""Addresses that mean every interface, and the one of them that a browser on this machine reaches."""


def opened_by_browser(listen: Listen, secure: bool) -> str:
    """The address of the pages for a browser on this machine: "http://127.0.0.1:8080"."""
    here = Listen(listen.dialect, EVERYWHERE.get(listen.host, listen.host), listen.port)
    return f"http{'s' if secure else ''}://{here.address}"


@dataclass(slots=True)
class Listening:
    """Open listeners: of dialects, of pages, of pages behind a proxy, of the relay, and the lines that announce
    them, as configured."""

    config: Config
    listeners: list[Listener] = field(default_factory=list)
    pages: list[OpenListener] = field(default_factory=list)
    proxied: list[OpenListener] = field(default_factory=list)
    relays: list[OpenListener] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def open(self, listen: Listen, opening: Opening = open_socket) -> None:
        """One more. BadSetting says what is wrong with it."""
        if listen.dialect == HTTP:
            pages = open_pages(listen, opening)
            (self.proxied if pages.proxied else self.pages).append(pages)
            self.lines.append(pages.shown.line())
        elif listen.dialect == RELAY:
            self.relays.append(open_relay_listener(listen, opening))
            self.lines.append(self.relays[-1].shown.line())
        else:
            rules, name = self.config.house_rules, self.config.server.name
            self.listeners.append(open_listener(listen, rules, name, opening, (HTTP, RELAY)))
            self.lines.append(self.listeners[-1].shown.line())

    def reread(self, config: Config) -> None:
        """Give clients that come from now on the house rules of these settings, but for what their listener says."""
        for listener in self.listeners:
            listener.reread(config)

    def certificates(self) -> list[Certificate]:
        """The certificates of all listeners with TLS."""
        found = [listener.certificate for listener in self.listeners]
        found += [listener.certificate for listener in self.relays]
        found += [pages.certificate for pages in (*self.pages, *self.proxied)]
        return [each for each in found if each is not None]

    def shown(self) -> list[Listen]:
        """All of them with the ports that they got; those of dialects first."""
        found = [listener.shown for listener in self.listeners] + [listener.shown for listener in self.relays]
        return [*found, *(pages.shown for pages in (*self.pages, *self.proxied))]

    def to_open(self) -> list[str]:
        """The address of the first listener of pages for a browser on this machine; none where a proxy has them all."""
        direct = [pages for pages in self.pages if not pages.proxy_protocol]
        return [opened_by_browser(pages.shown, pages.certificate is not None) for pages in direct[:1]]

    def say_ready(self) -> None:
        """Say on standard output where the server listens, and that it is ready."""
        for line in (*self.lines, "ready", *(f"open {address}" for address in self.to_open())):
            click.echo(line)

    def close(self) -> None:
        """Close all sockets. Idempotent."""
        for listeners in (self.listeners, self.relays, self.pages, self.proxied):
            for sock in [listener.sock for listener in listeners]:
                sock.close()
