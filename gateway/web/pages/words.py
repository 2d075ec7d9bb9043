"""Says in a person's words what is played: game and rule set, time, sides, seats, results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from gateway import registry
from gateway.games.base import Game
from gateway.lobby.table_words import side_word
from gateway.table.state import State
from protocols.core.model import DAY_S, Outcome, Reason, Settings, TimeControl
from protocols.core.time_text import control_words

MINUTE_S: Final = 60.0
HOUR_S: Final = 3600.0

ENDS: Final = {
    Reason.RESIGNATION: "by resignation",
    Reason.AGREEMENT: "by agreement",
    Reason.TIME: "on time",
    Reason.ABANDONMENT: "the other side left",
    Reason.FORFEIT: "by forfeit",
    Reason.CLAIM: "by a claim",
}
"""The reasons for an end that say enough without a detail."""


def game_words(settings: Settings) -> str:
    """The game and, where it is not the usual one, the rule set: "Chess", "Chess · Atomic", "Go · 9x9"."""
    return " · ".join([registry.title(settings.game), *rule_words(settings)])


def rule_words(settings: Settings) -> list[str]:
    """Everything unusual: the rule set, the size, the number of seats, options, a set-up; nothing where the game of a
    record is not installed here."""
    game = registry.games().get(settings.game)
    if game is None:
        return []
    usual = game.variants[0]
    rules = next((each for each in game.variants if each.name == settings.variant), usual)
    options = dict(settings.options)
    words = [game.guide.title(settings.variant)] if settings.variant != usual.name else []
    if options.pop("size", "") or (settings.width, settings.height) != (rules.width, rules.height):
        words.append(f"{settings.width}x{settings.height}")
    if len(rules.seats) > 1:
        words.append(f"{settings.seats} players")
    words += [_option_words(game, name, value) for name, value in options.items()]
    return [*words, "from a set-up"] if settings.start else words


def _option_words(game: Game[Any], name: str, value: str) -> str:
    """An option with its value: "komi 0.5"; in the words of the record where the game declares it no more."""
    option = next((each for each in game.options if each.name == name), None)
    return f"{name} {value}" if option is None else f"{option.title.lower()} {option.written(value)}"


def time_words(control: TimeControl | None) -> str:
    """A time control in short: "no clock", "5 min + 3 s", "1 day a move"."""
    return control_words(control, length_words, increment=" + {} s", periods=" + {} x {}")


def length_words(seconds: float) -> str:
    """A length of time in its largest whole unit: "90 s", "5 min", "2 h", "3 days"."""
    if seconds >= DAY_S and seconds % DAY_S == 0:
        return f"{seconds / DAY_S:g} day{'s' if seconds > DAY_S else ''}"
    for unit_s, name in ((HOUR_S, "h"), (MINUTE_S, "min")):
        if seconds >= unit_s and seconds % unit_s == 0:
            return f"{seconds / unit_s:g} {name}"
    return f"{seconds:g} s"


def end_words(outcome: Outcome, sides: Sequence[str], names: Sequence[str], seat: int | None = None) -> str:
    """The end of the game, said of persons: "Ann won by resignation"; to the player of ``seat``: "You won"."""
    if outcome.reason is Reason.VOID:
        who = "No result"
    elif outcome.winner is None:
        who = "Draw"
    elif seat is not None and (outcome.winner == seat or len(sides) == 2):
        who = "You won" if outcome.winner == seat else "You lost"
    else:
        who = f"{names[outcome.winner] or sides[outcome.winner].capitalize()} won"
    if points := re.fullmatch(r"[A-Z]\+([\d.]+)", outcome.detail):
        return f"{who} by {points[1]} points"
    if re.fullmatch(r"\d+-\d+", outcome.detail):
        return f"{who} {outcome.detail}"
    why = _why(outcome)
    return f"{who}{' ' if why.startswith(('by ', 'on ')) else ', ' if why else ''}{why}"


def outcome_words(state: State) -> str:
    """The end of the game: "White wins, checkmate"; "" while it goes on."""
    outcome = state.outcome
    if outcome is None:
        return ""
    who = "Draw" if outcome.winner is None else f"{side_word(state, outcome.winner).capitalize()} wins"
    if outcome.reason is Reason.VOID:
        who = "No result"
    why = _why(outcome)
    return f"{who}, {why}" if why else who


def _why(outcome: Outcome) -> str:
    return outcome.detail or ENDS.get(outcome.reason, "")


def count_words(count: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 table", "2 tables"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
