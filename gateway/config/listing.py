"""The settings as rows for the documentation and as an annotated boardgate.toml that means the defaults."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Final

from gateway.config.listeners import Listen
from gateway.config.model import Config, EngineBot
from gateway.config.source import PREFIX, sections
from gateway.config.values import key_of, written

LIVE: Final = "SIGHUP"
"""The mark of settings that a running server takes over."""


@dataclass(frozen=True, slots=True)
class Described:
    """One setting: its section, its key, its default as a file writes it, and its reason.

    ``live``: a running server takes it over at SIGHUP.
    """

    section: str
    key: str
    default: str
    reason: str
    live: bool = False

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return f"{PREFIX}{self.section}_{self.key}".upper()


def describe() -> list[Described]:
    """Every setting but the listeners and the engines, section by section."""
    return [
        Described(
            name,
            key_of(entry),
            _literal(entry.name, getattr(section, entry.name)),
            entry.metadata["reason"],
            bool(entry.metadata.get("live")),
        )
        for name, section in sections(Config()).items()
        for entry in fields(section)
    ]


def describe_engine_bot() -> list[Described]:
    """Every key of a table [[bot]]. ``game``, ``command`` and ``options`` have no default."""
    default = EngineBot()
    return [
        Described("bot", key_of(entry), _literal(entry.name, getattr(default, entry.name)), entry.metadata["reason"])
        for entry in fields(default)
    ]


def annotated() -> str:
    """A boardgate.toml that says what every setting is for and changes none."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '# Settings of Boardgate, all at their defaults. Durations: "500ms" "60s" "10m" "6h" "2d" "never".'
    yield f"# Each is also a variable of the environment: {describe()[0].variable} and so on."
    yield f"# A running server takes those marked {LIVE} over when it gets that signal, the others when it starts."
    section = ""
    for row in describe():
        if row.section != section:
            section = row.section
            yield from ("", f"[{section}]")
        yield f"# {row.reason}"
        yield f"{row.key} = {row.default}" + (f"  # {LIVE}" if row.live else "")
    yield from ("", "# Where clients connect. One [[listen]] replaces all of these.")
    for listener in Config().listen:
        yield from _listener(listener)
    yield "# House bots that are engines, one [[bot]] for each game. Without any, those that are installed play; with"
    yield "# `bot = []` at the top of the file none does."
    yield from _engine_bot()


def _engine_bot() -> Iterator[str]:
    """A table to fill in, commented out: saying nothing of engines is the default."""
    yield "# [[bot]]"
    for row in describe_engine_bot():
        yield f"# # {row.reason}"
        yield f"# {row.key} = {row.default}"


def _listener(listener: Listen) -> Iterator[str]:
    yield from ("[[listen]]", f"dialect = {json.dumps(listener.dialect)}", f"address = {json.dumps(listener.address)}")
    others = {key: text for key, text in listener.options.items() if key != "game"}
    if "game" in listener.options:
        yield f"game = {json.dumps(listener.options['game'])}"
    if others:
        yield "[listen.options]"
    for key, text in others.items():
        yield f"{key} = {json.dumps(text)}"
    yield ""


def _literal(name: str, default: Any) -> str:
    """A default as TOML writes it; JSON's literals are TOML's for texts, numbers and switches."""
    return json.dumps(written(default) if name.endswith("_s") else default)
