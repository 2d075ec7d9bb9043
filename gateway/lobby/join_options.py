"""Join options: reads a peer's Join as a table's settings and house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, get_args

from msgspec import UNSET

from gateway import registry
from gateway.config import LEVELS, duration
from gateway.lobby.party import Party
from protocols.core import time_text
from protocols.core.commands import Join
from protocols.core.errors import Refused, Why
from protocols.core.model import Deserted, HouseRules, Settings
from protocols.core.proposals import Start

DESERTED: Final[tuple[Deserted, ...]] = get_args(Deserted)
"""Fates of a game whose last person leaves for good."""

ANYBODY: Final = "anybody"
PLAYERS: Final = "players"
"""The words of ``against`` that name no house bot: ``players`` at whose table none takes a seat later."""

BOT: Final = "bot"


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """The table that a player wants.

    ``alone`` is a table of one's own, where house bots sit at once. ``any_settings``: they are still to be agreed upon.
    ``opponent`` is the name of a waiting player, ``awaits`` of the only one who may sit down opposite; "" anybody.
    """

    settings: Settings
    house: HouseRules
    alone: bool
    any_settings: bool = False
    opponent: str = ""
    awaits: str = ""


BotNames: TypeAlias = Callable[[str], Sequence[str]]
"""The names of the house bots of a game, by the game's name; none where there are no house bots."""


def options_of(join: Join, house: HouseRules, bots: BotNames) -> JoinOptions:
    """Settings of the table that ``join`` asks for.

    Wishes: ``variant``, ``seats``, ``time``, ``rated`` (yes or no), ``start`` (the text of a position), ``against``
    (see house_bot), ``opponent`` (the name of a waiting player), ``awaits`` (the name of the only one to play, here
    or not), and what the game itself has. At a table of one's own with a house bot ``watched`` and ``observers_speak``
    (yes or no) are HouseRules'. ``house`` are the listener's rules; ``bots`` says which house bots there are. Refused:
    UNKNOWN_GAME, or BAD_OPTION naming the wish.
    """
    game = registry.game(join.game)
    wishes = _unique(join)
    against = wishes.pop("against", ANYBODY)
    bot = house_bot(against, bots(game.name) if game.judged else ())
    opponent, awaits = wishes.pop("opponent", ""), wishes.pop("awaits", "")
    time = time_text.read(wishes.pop("time", "none"))
    rated = _yes("rated", wishes.pop("rated", "no"))
    variant, seats = wishes.pop("variant", "").lower(), _count(wishes.pop("seats", "0"))
    if against == PLAYERS:
        house = replace(house, bot_after_s=None)
    rules = house if bot is None else with_bot(_own_table(house, wishes), bot)
    settings = game.settings(variant, seats, wishes.pop("start", ""), wishes or None)
    alone = bot is not None
    if not join.ready:
        time, rated = (
            None,
            False,
        )  # it is proposed later, like everything else; players who take any settings find the table meanwhile
    return JoinOptions(replace(settings, time=time, rated=rated), rules, alone, not join.ready, opponent, awaits)


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A house bot that was asked for: its name, "" the usual one; how well it plays, 0 as the server's usually do."""

    name: str
    level: int = 0


def house_bot(text: str, names: Sequence[str]) -> HouseBot | None:
    """The house bot of NAME[:LEVEL], None for players: "bot", "bot:3", "stockfish:3". ``names`` are those there are.

    Refused (BAD_OPTION) says what there is.
    """
    if text in (ANYBODY, PLAYERS):
        return None
    if not names:
        raise Refused(Why.BAD_OPTION, f"against {text}: there are no house bots here")
    name, colon, level = text.strip().lower().partition(":")
    if name not in names:
        known = ", ".join((ANYBODY, PLAYERS, *names))
        raise Refused(Why.BAD_OPTION, f"against {text!r}: it is {known}; a level may follow, as in {names[0]}:3")
    if colon and level not in map(str, LEVELS):
        raise Refused(Why.BAD_OPTION, f"against {text!r}: levels are {', '.join(map(str, LEVELS))}")
    return HouseBot("" if name == BOT else name, int(level) if colon else 0)


def with_bot(house: HouseRules, bot: HouseBot) -> HouseRules:
    """The same rules, where this bot takes the seats of house bots."""
    return replace(house, bot=bot.name, bot_level=bot.level)


def party_of(
    join: Join, sought: JoinOptions, name: str, number: int, *, roams: bool, guest: bool = False, rounds: bool = False
) -> Party:
    """The party that ``join`` makes of the connection of that number: its wish, and its proposal.

    ``guest``: its name is no account's. ``rounds``: as of its dialect.

    Refused (BAD_OPTION): there is no game with the settings it is going to propose.
    """
    firm = bool(join.wishes) if join.ready else join.settings is not None
    settings = sought.settings
    if not join.ready and join.settings is not None:
        said = join.settings
        settings = registry.game(said.game).settings(said.variant, said.seats, said.start, dict(said.options) or None)
        settings = replace(settings, time=said.time, rated=said.rated)
    wants = Start(settings, None if join.ready else join.side) if firm else None
    offer = Start() if join.ready and not firm else wants
    return Party(number, name, wants, firm, roams, sought.awaits, guest, rounds=rounds, offer=offer)


def _unique(join: Join) -> dict[str, str]:
    wishes: dict[str, str] = {}
    for name, text in join.wishes:
        if name.lower() in wishes:
            raise Refused(Why.BAD_OPTION, f"{name!r} is given twice")
        wishes[name.lower()] = text
    return wishes


def _own_table(house: HouseRules, wishes: dict[str, str]) -> HouseRules:
    """The rules of a table where house bots sit down at once; what they take of the ``wishes`` is taken out."""
    speak = wishes.pop("observers_speak", "yes" if house.observers_speak else "no")
    return replace(
        house,
        bot_after_s=0.0,
        private=True,
        watched=_yes("watched", wishes.pop("watched", "no")),
        observers_speak=_yes("observers_speak", speak),
    )


def _yes(wish: str, text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise Refused(Why.BAD_OPTION, f"{wish} {text!r}: yes or no", option=wish)
    return text.lower() == "yes"


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise Refused(Why.BAD_OPTION, f"seats {text!r}: a number")
    return int(text)


def house_rules(options: Mapping[str, str], house: HouseRules) -> HouseRules:
    """The house rules of a listener: its own ``bot_after`` and ``first_move`` ("10s", "never"), ``deserted`` and
    ``observers_speak`` ("yes", "no") go before the settings'.

    ValueError shows what is no duration, or no choice.
    """
    if "bot_after" in options:
        house = replace(house, bot_after_s=duration(options["bot_after"]))
    if "first_move" in options:
        wait_s = duration(options["first_move"])
        house = replace(house, first_move_s=wait_s or UNSET)
    asked = options.get("deserted", house.deserted)
    deserted = next((one for one in DESERTED if one == asked), None)
    if deserted is None:
        raise ValueError(f"deserted is {' or '.join(DESERTED)}, not {asked!r}")
    speak = options.get("observers_speak", "yes" if house.observers_speak else "no")
    if speak not in ("yes", "no"):
        raise ValueError(f"observers_speak is yes or no, not {speak!r}")
    return replace(house, deserted=deserted, observers_speak=speak == "yes")
