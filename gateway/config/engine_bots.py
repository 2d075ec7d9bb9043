"""House bots that are engines: the tables [[bot]] of a file, and GAME=COMMAND[,KEY=VALUE...] in the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from gateway.config.model import EngineBot
from gateway.config.values import BadSetting, key_of, section_of, texts, unknown

NONE: Final = "none"
"""The environment's word for no engine at all; a file says ``bot = []``."""

OPTION: Final = "option."
"""Before the name of an engine's own option in the environment, so that a misspelt key is not taken for one."""

KEYS: Final = tuple(key_of(entry) for entry in fields(EngineBot))

SHORT: Final = tuple(key for key in KEYS if key != "options")
"""Keys of a line in the environment; the engine's own options have OPTION before their names."""


def engine_bots(part: Any, where: str) -> tuple[EngineBot, ...]:
    """The tables [[bot]] of the file ``where``. BadSetting shows what is wrong with them."""
    if not isinstance(part, list) or not all(isinstance(entry, dict) for entry in part):
        raise BadSetting(f"{where}: bot is a list; begin each engine with a line [[bot]]; all house bots are [bots]")
    return tuple(_engine_bot(entry, f"{where}: [[bot]] number {at}") for at, entry in enumerate(part, 1))


def parse_engine_bots(text: str, where: str) -> tuple[EngineBot, ...]:
    """The engines written as GAME=COMMAND[,KEY=VALUE...], joined by ";". BadSetting shows what is wrong with them."""
    if text.strip().lower() == NONE:
        return ()
    return tuple(_parsed(piece, f"{where}: {piece!r}") for piece in (piece.strip() for piece in text.split(";")))


def _engine_bot(part: Mapping[str, Any], where: str) -> EngineBot:
    options = part.get("options", {})
    if not isinstance(options, dict):
        raise BadSetting(f"{where}: options is a section; write [bot.options]")
    for key in part:
        if key not in KEYS:
            raise unknown(where, key, KEYS)
    engine: EngineBot = section_of(EngineBot(), {key: part[key] for key in part if key != "options"}, where)
    if not engine.game or not engine.command:
        raise BadSetting(f"{where}: game and command are needed, as texts")
    return replace(engine, options=texts(options, where))


def _parsed(text: str, where: str) -> EngineBot:
    engine, *pairs = text.split(",")
    game, equals, command = engine.partition("=")
    if not equals:
        raise BadSetting(f"{where}: write GAME=COMMAND[,KEY=VALUE...]")
    part: dict[str, Any] = {"game": game.strip(), "command": command.strip()}
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, written = (word.strip() for word in pair.partition("="))
        if not equals or not key:
            raise BadSetting(f"{where}: {pair.strip()!r} is not KEY=VALUE")
        kept, name = (options, key.removeprefix(OPTION)) if key.startswith(OPTION) else (part, key)
        if kept is part and name not in SHORT:
            raise unknown(where, name, [*SHORT, f"{OPTION}NAME"])
        if name in kept:
            raise BadSetting(f"{where}: {key} is given twice")
        kept[name] = written
    return _engine_bot({**part, "options": options}, where)
