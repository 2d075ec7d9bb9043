"""A table as a connection follows it, playing or looking on: its position, its moves, how it has ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from protocols.core import events as ev
from protocols.core import squares
from protocols.core.followed import FollowedTable
from protocols.core.model import Clock, Reading
from protocols.ics import board, writing
from protocols.ics.desk import Desk


@dataclass(slots=True)
class Seen(FollowedTable):
    """``number`` is the table's, ``took`` are seconds by move, ``begun`` the clocks as the running turn began.

    ``due``: the position has changed since it was told. ``speaks``: onlookers may speak to the players.
    """

    number: int = 0
    took: list[float] = field(default_factory=list)
    begun: Clock | None = None
    due: bool = False
    speaks: bool = False

    def _house(self, event: ev.TableOpened) -> None:
        self.speaks = event.house.observers_speak

    def _began(self, event: ev.GameStarted) -> None:
        self.took.clear()
        self.begun, self.due = None, True

    def _turned(self, event: ev.TurnStarted | ev.ClockSet) -> None:
        missing = len(self.moves) - len(self.took)
        if missing > 0:
            used = self._used(self.moves[-1].seat, self.begun, event.clock)
            self.took += [0.0] * (missing - 1) + [used]
        self.begun = event.clock

    def _used(self, seat: int, before: Clock | None, after: Clock | None) -> float:
        """The seconds that a turn of this seat took, by what its clock has lost."""
        if before is None or after is None or self.settings is None or self.settings.time is None:
            return 0.0
        gained = self.settings.time.increment_s
        return max(0.0, _whole(before.readings[seat]) + gained - _whole(after.readings[seat]))

    def _moved(self, event: ev.MoveMade) -> None:
        self.due = True

    def _shorter(self, event: ev.MovesTakenBack) -> None:
        del self.took[event.ply :]
        self.due = True

    def _goes_on(self, event: ev.GameResumed) -> None:
        self.begun, self.due = None, True

    @property
    def carried(self) -> bool:
        """True if FICS has a word for what is played here."""
        return self.settings is not None and writing.carries(self.settings)

    def position(self) -> board.Position | None:
        """The position as it stands; None before a game."""
        if self.last is None:
            return None
        try:
            return board.read(self.last.position)
        except ValueError:
            return None

    def shown(self, alias: Callable[[str], str], now: float | None = None) -> board.Shown:
        """All that stands beside the position; ``now`` is when it is looked at, None: as the clocks were told."""
        settings = self.settings
        minutes, increment = (0, 0) if settings is None else writing.clock(settings)
        last = self.moves[-1] if self.moves else None
        told = ("none", "none", 0.0, -1)
        if last is not None:
            source, target = _square(last.move.source), _square(last.move.target)
            san = last.notation
            took = self.took[len(self.moves) - 1] if len(self.took) >= len(self.moves) else 0.0
            told = (board.long_move(san, source, target), san, took, board.two_steps(san, source, target))
        ticking = self.clock is not None and self.clock.running is not None
        names = self.names
        left = (self.left(0, now), self.left(1, now))
        return board.Shown(
            self.number,
            (alias(names[0]), alias(names[1])),
            self._relation(),
            minutes,
            increment,
            left,
            *told,
            self.seat == 1,
            ticking,
        )

    def _relation(self) -> int:
        if self.seat is None:
            return 0
        position = self.position()
        mine = position is not None and position.white_moves == (self.seat == 0)
        return 1 if mine else -1

    def left(self, seat: int, now: float | None) -> float:
        """The seconds that a seat has, 0 without a clock."""
        clock = self.clock
        if clock is None:
            return 0.0 if self.settings is None or self.settings.time is None else self.settings.time.main_s
        if seat >= len(clock.readings):
            return 0.0
        return _whole(clock.readings[seat]) - (_running(clock, now) if clock.running == seat else 0.0)

    def listing(self, desk: Desk) -> list[str]:
        """The moves of the game, numbered, with what each took."""
        alias, points = desk.alias, desk.points
        white, black = self.names
        settings = self.settings
        assert settings is not None
        heading = [f"{alias(name)} ({writing.unsigned(points(name))})" for name in (white, black)]
        lines = [
            f"Movelist for game {self.number}:",
            "",
            f"{heading[0]} vs. {heading[1]} --- {desk.today}",
            f"{writing.rated(settings).capitalize()} {writing.kind(settings)} match, initial time: "
            f"{writing.clock(settings)[0]} minutes, increment: {writing.clock(settings)[1]} seconds.",
            "",
            f"Move  {alias(white):<23} {alias(black)}",
            f"----  {'-' * 21:<23} {'-' * 21}",
        ]
        told = [
            f"{made.notation:<8} {board.spent(self.took[at] if at < len(self.took) else 0.0, exact=False)}"
            for at, made in enumerate(self.moves)
        ]
        first = 1 if self.moves and self.moves[0].seat == 1 else 0
        told = ["..."] * first + told
        for at in range(0, len(told), 2):
            pair = told[at : at + 2]
            lines.append(f"{at // 2 + 1:3}.  {pair[0]:<23} {pair[1] if len(pair) > 1 else ''}".rstrip())
        lines.append("      " + self.ended(alias) if self.outcome is not None else "      {Still in progress} *")
        return lines

    def ended(self, alias: Callable[[str], str]) -> str:
        """The game's end in braces and its result, as a list of moves has it."""
        assert self.outcome is not None
        white, black = (alias(name) for name in self.names)
        return "{" + writing.end(self.outcome, white, black)

    def ended_line(self, alias: Callable[[str], str]) -> str:
        """The same with the game's number and players."""
        assert self.outcome is not None
        white, black = (alias(name) for name in self.names)
        return writing.note(self.number, white, black, writing.end(self.outcome, white, black))

    def adjourned_line(self, alias: Callable[[str], str]) -> str:
        white, black = (alias(name) for name in self.names)
        return writing.note(self.number, white, black, writing.ADJOURNED)


def _square(number: int | None) -> str:
    return "" if number is None else squares.name(number, 8, 8)


def _whole(reading: Reading) -> float:
    return reading.main_s + reading.period_s * max(1, reading.periods)


def _running(clock: Clock, now: float | None) -> float:
    return 0.0 if now is None else max(0.0, now - clock.since)


Seen.steps = {
    ev.TableOpened: Seen._house,
    ev.GameStarted: Seen._began,
    ev.TurnStarted: Seen._turned,
    ev.ClockSet: Seen._turned,
    ev.MoveMade: Seen._moved,
    ev.MovesTakenBack: Seen._shorter,
    ev.GameResumed: Seen._goes_on,
}


def told_board(
    seen: Seen, alias: Callable[[str], str], variables: Sequence[bool], now: float | None = None
) -> list[str]:
    """The position in the client's style: ``variables`` are whether it is style 12, and whether times are exact."""
    position = seen.position()
    if position is None:
        return []
    programs, exact = variables
    shown = seen.shown(alias, now)
    if not programs:
        return board.drawn(position, shown)
    lines = [board.style_12(position, shown, exact=exact)]
    if position.hands is not None:
        white, black = position.hands
        lines.append(f"<b1> game {seen.number} white [{white}] black [{black}]")
    return lines
