"""Describes tables for people: game, players and proposals, one line a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from gateway.lobby.here import Person
from gateway.table.state import State, Status
from protocols.core.model import SeatKind, Settings
from protocols.core.notifications import ListedGame
from protocols.core.proposals import Start
from protocols.core.time_text import control_words

_HELD: Final = (SeatKind.PLAYER, SeatKind.BOT, SeatKind.RESERVED)


def table_line(state: State, ratings: Sequence[str] = ()) -> str:
    """One line about a table: "table 7 (open): alice (1523?) proposes Chess atomic, 1:00, unrated, as white".

    ``ratings`` are by seat, "(1523?)", "" where there is none; () for all.
    """
    return f"table {state.table} ({state.status}): {_now(state, _named(state, ratings))}"


def people_line(state: State, ratings: Sequence[str] = ()) -> str:
    """The same with the players first: "alice (1523?) (table 7, open): alice (1523?) proposes Chess atomic, 1:00"."""
    named = _named(state, ratings)
    names = ", ".join(named[seat.index] for seat in state.seats if seat.kind in _HELD)
    return f"{names} (table {state.table}, {state.status}): {_now(state, named)}"


def _named(state: State, ratings: Sequence[str]) -> list[str]:
    return [" ".join(filter(None, (seat.name, *ratings[seat.index : seat.index + 1]))) for seat in state.seats]


def past_line(game: ListedGame) -> str:
    """One line about a game that has ended: "table 7, 2026-11-30: alice against bob, Chess, unrated: alice, time"."""
    day = datetime.fromtimestamp(game.at, UTC).date().isoformat()
    won = "nobody" if game.outcome.winner is None else game.names[game.outcome.winner]
    what = settings_words(game.settings.game, game.settings)
    return f"table {game.table}, {day}: {' against '.join(game.names)}, {what}: {won}, {game.outcome.reason}"


def at_no_table_line(person: Person, now: float) -> str:
    """One line about a person who is here and sits nowhere: "alice (a program, at no table, idle for 12 minutes)".

    ``now`` is Unix time.
    """
    words = ["a program"] if person.bot else []
    words.append("at no table")
    if not person.challenges:
        words.append("takes no challenges")
    if person.idle is not None:
        words.append(idle_words(person.idle, now))
    return f"{person.name} ({', '.join(words)})"


def idle_words(since: float, now: float) -> str:
    """The time from one moment to another in words: "idle for 12 minutes", "idle for 3 hours"."""
    minutes = max(0, int((now - since) / 60))
    count, unit = (minutes, "minute") if minutes < 120 else (minutes // 60, "hour")
    return f"idle for {count} {unit}{'' if count == 1 else 's'}"


def kept_line(state: State, seat: int) -> str:
    """One line about a seat that is kept for its player: what is played there, against whom."""
    others = " and ".join(other.name for other in state.seats if other.index != seat and other.kind in _HELD)
    against = f" against {others}" if others else ""
    game = f"{settings_words(state.game.title, state.settings)}{against}"
    return f"a seat is kept for {state.seats[seat].name} at table {state.table} ({state.status}): {game}"


def settings_words(title: str, settings: Settings) -> str:
    """A game with its rule set, choices, time and rating: "Go area 9x9, komi 5.5, 10:00, unrated"."""
    options = dict(settings.options)
    board = f" {settings.width}x{settings.height}" if options.pop("size", "") else ""
    choices = "".join(f", {name} {value}" for name, value in options.items())
    start = ", from a set-up position" if settings.start else ""
    rating = "rated" if settings.rated else "unrated"
    return f"{title} {settings.variant}{board}{choices}{start}, {control_words(settings.time)}, {rating}"


def side_word(state: State, seat: int) -> str:
    """The seat's name on the board: "white"; "seat 3" where the game has no word."""
    called = state.game.called(state.settings)
    return called[seat] if seat < len(called) else f"seat {seat + 1}"


def _now(state: State, named: Sequence[str]) -> str:
    if state.status is not Status.OPEN:
        players = " - ".join(f"{name or 'nobody'} ({side_word(state, seat)})" for seat, name in enumerate(named))
        return f"{players}, {settings_words(state.game.title, state.settings)}"
    return _registered(state) if any(state.registered) else _waiting(state, named)


def _registered(state: State) -> str:
    """The players who may sit down, and those who are there."""
    named = [f"{name} ({side_word(state, seat)})" for seat, name in enumerate(state.registered) if name]
    only = " only" if all(state.registered) else ""
    here = [seat.name for seat in state.seats if seat.kind is SeatKind.PLAYER]
    game = settings_words(state.game.title, state.settings)
    return f"{game}, registered for {' and '.join(named)}{only}; {' and '.join(here) or 'nobody'} is here"


def _waiting(state: State, named: Sequence[str]) -> str:
    """The proposal or wish of every seat's holder."""
    starts = {made.seat: made.proposal for made in state.proposals if isinstance(made.proposal, Start)}
    lines = [_wish(state, named[seat.index], starts.get(seat.index)) for seat in state.seats if seat.kind in _HELD]
    return "; ".join(lines) or f"{settings_words(state.game.title, state.settings)}, nobody is here"


def _wish(state: State, name: str, start: Start | None) -> str:
    if start is None:
        return f"{name} waits at a table of {state.game.title} and has proposed nothing"
    side = "" if start.side is None else f", as {side_word(state, start.side)}"
    if start.settings is None:
        return f"{name} takes any game of {state.game.title}{side}"
    game = settings_words(state.game.title, start.settings)
    if start.confirms:
        return f"{name} seeks {game}{side}, and confirms a challenge itself"
    return f"{name} proposes {game}{side}"
