"""The form "Play now": a field for everything that a game lets its players choose, and the address that it leads to.

What belongs to a game is called GAME.NAME: ``go.size``, ``chess.variant``, ``ludo.side``. A form that asks for what
there is not is shown again with what it held, and a sentence beside each field that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from gateway import registry
from gateway.config import LEVELS, Config
from gateway.games.base import Game
from gateway.games.options import Number, Option
from gateway.lobby.join_options import ANYBODY, BOT
from gateway.web.pages.addresses import FRIEND, play_address, wishes_of
from gateway.web.pages.words import time_words
from protocols.core import time_text
from protocols.core.errors import Refused
from protocols.core.model import Settings, TimeControl
from protocols.core.numbers import plain_number, whole

TIMES: Final = ("none", "60", "180+2", "300+3", "600+5", "1800+20", "1d/move", "3d/move", "7d/move")
"""The times that the form offers with one press."""

OWN_TIME: Final = "own"
"""The time whose minutes and seconds are written."""

MINUTES: Final = Number(
    name="minutes", title="Minutes", text="for each player", usual="10", least=0, most=600, step=0.0
)
SECONDS: Final = Number(
    name="increment", title="Seconds", text="added after each turn", usual="5", least=0, most=600, step=0.0
)

LEVEL_WORDS: Final = dict(zip(LEVELS, ("easy", "medium", "hard"), strict=True))

MOST_LISTED: Final = 32
"""Numbers that a list offers; of more, one is written."""

Bots = Callable[[str], Sequence[str]]
"""The names of the house bots of a game: the usual one, the house's own, its engines; none where there are none."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field: ``values`` are what can be chosen with their words, the usual one as ""; none: it is written.

    ``rules`` are the rule sets that have it, joined by blanks; "" all.
    """

    name: str
    title: str
    text: str = ""
    values: tuple[tuple[str, str], ...] = ()
    usual: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class GameFields:
    """A game of the form: ``first`` are the fields that are seen at once, ``more`` those behind "More options".

    ``bot``: the computer plays it.
    """

    game: Game[Any]
    first: tuple[Field, ...]
    more: tuple[Field, ...]
    bot: bool

    def opened(self, filled: Filled) -> bool:
        """True if something behind "More options" was chosen."""
        return any(filled.values.get(each.name) or each.name in filled.faults for each in self.more)


@dataclass(frozen=True, slots=True)
class Filled:
    """The values that a form held, and by the name of a field what is wrong with it; "" is the whole form."""

    values: Mapping[str, str] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)


class NotPlayable(Exception):
    """The form asks for what there is not. ``faults`` says so for each field."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__(next(iter(faults.values())))
        self.faults = faults


class PlayForm:
    """``bots`` names the house bots of a game, ``level`` is how well they play as usual.

    ``bot_after_s`` is how long a player waits for people before a house bot sits down; None: for ever.
    """

    def __init__(self, bots: Bots, level: int, bot_after_s: float | None) -> None:
        self._bots = bots
        self.bot_after_s = bot_after_s
        self.levels = _levels(level)
        self.times = tuple((text, time_words(time_text.read(text))) for text in TIMES)
        self.own_time = tuple(_field(option, option.name) for option in (MINUTES, SECONDS))

    def reread(self, config: Config) -> None:
        """Say what these settings say of house bots."""
        self.bot_after_s = config.house_rules.bot_after_s
        self.levels = _levels(config.bots.level)

    def games(self) -> list[GameFields]:
        """Every game, those whose rules the server knows first."""
        found = sorted(registry.games().values(), key=lambda game: not game.judged)
        return [self._fields(game) for game in found]

    def address(self, game: Game[Any], asked: Mapping[str, str]) -> str:
        """The page where the game begins that the form asks for. NotPlayable says what is wrong with it."""
        faults: dict[str, str] = {}
        settings = _settings(game, asked, faults)
        side, bot = _of(game, asked, "side"), _of(game, asked, "bot")
        if settings is not None and side and side not in game.called(settings):
            faults[f"{game.name}.side"] = f"The sides here are {' and '.join(game.called(settings))}."
        if bot and bot not in self._bots(game.name):
            faults[f"{game.name}.bot"] = "This server has no such computer player any more."
        level = asked.get("level", "")
        if level not in ("", *map(str, LEVELS)):
            faults["level"] = f"A level from {LEVELS[0]} to {LEVELS[-1]}."
        if settings is None or faults:
            raise NotPlayable(faults)
        against = asked.get("against", ANYBODY)
        seen = against in (FRIEND, BOT)
        if against == BOT:
            against = f"{bot or BOT}:{level}" if level else bot or BOT
        wishes = wishes_of(settings) | {
            "side": side,
            "against": "" if against == ANYBODY else against,
            "watched": asked.get("watched", "") if seen else "",
            "observers_speak": asked.get("observers_speak", "") if seen else "",
        }
        return play_address(game.name, wishes)

    def _fields(self, game: Game[Any]) -> GameFields:
        usual = game.variants[0]
        first = []
        if len(game.variants) > 1:
            rules = tuple((rules.name, game.guide.title(rules.name)) for rules in game.variants)
            first.append(Field(f"{game.name}.variant", f"Rules of {game.title}", values=rules))
        if len(usual.seats) > 1:
            seats = tuple(("" if count == usual.seats[0] else str(count), str(count)) for count in usual.seats)
            first.append(Field(f"{game.name}.seats", "Players", values=seats))
        more = [_field(option, f"{game.name}.{option.name}", game) for option in game.options]
        sides = game.called(game.settings(usual.name, max(usual.seats)))
        words = tuple((side, side.capitalize()) for side in sides)
        more.append(Field(f"{game.name}.side", "You play", values=(("", "either side"), *words)))
        names = self._bots(game.name) if game.judged else ()
        if engines := names[2:]:
            house, *others = names[1], *engines[1:]
            players = (("", f"{engines[0]}, as usual"), *((name, name) for name in others), (house, "the server's own"))
            more.append(Field(f"{game.name}.bot", "The computer is", values=players))
        return GameFields(game, tuple(first), tuple(more), bool(names))


def _field(option: Option, name: str, game: Game[Any] | None = None) -> Field:
    """The field of a declared option."""
    values = tuple(("" if value == option.usual else value, words) for value, words in option.offered(MOST_LISTED))
    if values and not option.usual:
        values = (("", "as the rules say"), *values)
    title = option.title
    if option.rules and game is not None:
        title = f"{title} ({_titles(game, option)})"
    return Field(name, title, option.text, values, option.usual, " ".join(option.rules))


def _settings(game: Game[Any], asked: Mapping[str, str], faults: dict[str, str]) -> Settings | None:
    """The settings that the form asks for; None where something is wrong, which is put among the ``faults``."""
    time = _time(asked, faults)
    options = {option.name: _of(game, asked, option.name) for option in game.options}
    options = {name: text for name, text in options.items() if text}
    variant, seats = _of(game, asked, "variant").lower(), whole(_of(game, asked, "seats"), 2) or 0
    for option in game.options:
        if option.name in options and (
            wrong := _wrong(option, options[option.name]) or _of_others(game, option, variant)
        ):
            faults[f"{game.name}.{option.name}"] = wrong
    if faults:
        return None
    try:
        settings = game.settings(variant, seats, options=options or None)
    except Refused as refused:
        faults[f"{game.name}.{refused.option}" if refused.option else ""] = _sentence(refused.text)
        return None
    return replace(settings, time=time)


def _time(asked: Mapping[str, str], faults: dict[str, str]) -> TimeControl | None:
    text = asked.get("time", "none")
    if text == OWN_TIME:
        given = {option.name: asked.get(option.name, "").strip() or "0" for option in (MINUTES, SECONDS)}
        for option in (MINUTES, SECONDS):
            if wrong := _wrong(option, given[option.name]):
                faults[option.name] = wrong
        if faults:
            return None
        main_s, step_s = (round(float(given[option.name]) * unit, 3) for option, unit in ((MINUTES, 60), (SECONDS, 1)))
        if not main_s:
            faults[MINUTES.name] = "Give each player some time: a part of a minute will do, such as 0.5."
            return None
        text = plain_number(main_s) + (f"+{plain_number(step_s)}" if step_s else "")
    try:
        return time_text.read(text)
    except Refused as refused:
        faults["time"] = _sentence(refused.text)
        return None


def _wrong(option: Option, text: str) -> str:
    """The fault of a value of an option, as a sentence; "" where it has none."""
    try:
        option.read(text)
    except ValueError as error:
        return _sentence(str(error))
    return ""


def _of_others(game: Game[Any], option: Option, variant: str) -> str:
    """That only other rule sets have the option; "" where this one has it."""
    if not option.rules or (variant or game.variants[0].name) in option.rules:
        return ""
    return f"Only under the rules {_titles(game, option)}."


def _titles(game: Game[Any], option: Option) -> str:
    return ", ".join(game.guide.title(rules) for rules in option.rules)


def _of(game: Game[Any], asked: Mapping[str, str], name: str) -> str:
    return asked.get(f"{game.name}.{name}", "").strip()


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _levels(usual: int) -> tuple[tuple[str, str], ...]:
    levels = ((str(at), f"level {at}, {words}") for at, words in LEVEL_WORDS.items())
    return (("", f"as usual (level {usual})"), *levels)
