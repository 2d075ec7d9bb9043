"""Finds the engines that play for the server: those of the settings' [[bot]], checked, or those installed."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gateway import registry
from gateway.bots.cecp import Cecp
from gateway.bots.conversation import Conversation
from gateway.bots.gtp import Gtp
from gateway.bots.uci import Uci
from gateway.config import BadSetting, EngineBot
from protocols.core.errors import Refused

PROTOCOLS: Final[dict[str, type[Conversation]]] = {"uci": Uci, "cecp": Cecp, "gtp": Gtp}
"""Protocols of engines. "auto" is the first of these that has words for the game and that an engine answers."""

AUTO: Final = "auto"

USUAL_BOT: Final = "bot"
HOUSE_BOT: Final = "house"
"""Players' names for the usual bot of a game, and for the server's own search."""

TAKEN: Final = ("anybody", USUAL_BOT, HOUSE_BOT)
"""Names that no engine has."""

_NAME: Final = re.compile(r"(?!bot-)[a-z0-9][a-z0-9._+-]{0,30}")

USUAL: Final = (
    EngineBot(game="chess", command="stockfish", protocol="uci"),
    EngineBot(game="go", command="gnugo --mode gtp", protocol="gtp", move_time_s=2.0),
)
"""The engines that play, where installed, if the settings say nothing."""

GAMES_FOLDER: Final = "/usr/games"
"""Debian's folder for such programs; services often do not have it on their PATH."""


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine that can be started: ``command`` begins with the path of an executable, ``game`` is registered."""

    settings: EngineBot
    game: str
    command: tuple[str, ...]
    conversations: tuple[type[Conversation], ...]
    """The protocols it may speak, to be tried in this order."""

    @property
    def name(self) -> str:
        """The name by which players choose it."""
        return self.settings.name or re.sub(r"[^a-z0-9._+-]+", "-", Path(self.command[0]).name.lower()).lstrip("-._+")

    @property
    def shown(self) -> dict[str, str]:
        """For lines of the log."""
        return {"game": self.game, "engine": self.settings.command}


def engines(chosen: Sequence[EngineBot] | None) -> tuple[Engine, ...]:
    """The engines, of each game the usual one first. BadSetting: one of ``chosen`` cannot play, or has another's name.

    None chooses those of USUAL that are there.
    """
    if chosen is None:
        return tuple(engine_of(bot, "usual:") for bot in usual())
    found: dict[tuple[str, str], Engine] = {}
    for bot in chosen:
        engine = engine_of(bot, f"[[bot]] of {bot.game}:")
        if not _NAME.fullmatch(engine.name) or engine.name in TAKEN:
            said = f"name {engine.name!r}: small letters, digits, '.', '_', '+' and '-'; not {', '.join(TAKEN)}"
            raise BadSetting(f"[[bot]] of {bot.game}: {said}")
        if (engine.game, engine.name) in found:
            raise BadSetting(f"[[bot]] of {bot.game}: there are two called {engine.name!r}; give one a name")
        found[engine.game, engine.name] = engine
    return tuple(found.values())


def usual() -> tuple[EngineBot, ...]:
    """The engines of USUAL that are installed."""
    return tuple(bot for bot in USUAL if bot.game in registry.games() and _executable(bot.command.split()[0]))


def engine_of(bot: EngineBot, where: str) -> Engine:
    """The engine that can be started so. BadSetting, which begins with ``where``: it cannot play."""
    try:
        game = registry.game(bot.game).name
    except Refused as refused:
        raise BadSetting(f"{where} {refused}") from None
    return Engine(bot, game, command_words(bot.command, where), _conversations(bot.protocol, game, where))


def command_words(written: str, where: str) -> tuple[str, ...]:
    """A command as a shell splits it, with its program's path. BadSetting: there is no such program."""
    try:
        program, *words = shlex.split(written) or [""]
    except ValueError as error:
        raise BadSetting(f"{where} command {written!r}: {error}") from None
    path = _executable(program)
    if path is None:
        raise BadSetting(f"{where} command {written!r}: there is no executable {program!r}")
    return (path, *words)


def _executable(program: str) -> str | None:
    return shutil.which(program) or shutil.which(program, path=GAMES_FOLDER)


def _conversations(protocol: str, game: str, where: str) -> tuple[type[Conversation], ...]:
    if protocol != AUTO and protocol not in PROTOCOLS:
        raise BadSetting(f"{where} there is no protocol {protocol!r}; there are {', '.join([AUTO, *PROTOCOLS])}")
    named = [conversation for name, conversation in PROTOCOLS.items() if protocol in (AUTO, name)]
    found = tuple(conversation for conversation in named if game in conversation.games)
    if not found:
        raise BadSetting(f"{where} no engine's protocol here can play {game}; {_abilities()}")
    return found


def _abilities() -> str:
    return "; ".join(f"{name} plays {', '.join(found.games)}" for name, found in PROTOCOLS.items())
