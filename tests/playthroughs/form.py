"""Reads a playthrough file: keeps its inputs and regenerates the rest.

The package's docstring tells the form.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateway import registry
from gateway.games.base import CHANCE, Game
from gateway.games.parts import chance_of, stopped
from protocols.core import squares
from protocols.core.errors import Refused
from protocols.core.model import Settings
from protocols.core.text import spell

HERE = Path(__file__).parent
INPUTS = ("play", "roll", "withdraw", "score", "resume")
FULL_AGAIN = 50
"""Past the first ``full`` states every so many-th is shown in full: often enough to find where a game went wrong."""
INDENT = "    "
NOTHING = "nothing"
"""The argument of ``score`` when no stone is dead."""


@dataclass(frozen=True, slots=True)
class Step:
    """One input: ``kind`` is one of INPUTS, ``word`` the text behind it, ``remarks`` the lines above it."""

    kind: str
    word: str
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind} {self.word}".rstrip()


@dataclass(slots=True)
class Playthrough:
    """The kept parts of a file. ``remarks`` stand above the settings, ``closing`` after the last input."""

    game: str
    variant: str = ""
    seats: int = 0
    start: str = ""
    options: dict[str, str] = field(default_factory=dict)
    full: int = 20
    cut: str = ""
    remarks: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    closing: list[str] = field(default_factory=list)

    def rules(self) -> Game[Any]:
        return registry.game(self.game)

    def settings(self) -> Settings:
        return self.rules().settings(self.variant, self.seats, self.start, self.options or None)

    def positions(self) -> list[Any]:
        """The first position and the one after each step."""
        game, settings = self.rules(), self.settings()
        found = [game.start(settings)]
        for step in self.steps:
            found.append(taken(game, settings, found[-1], step)[0])
        return found


def files() -> list[Path]:
    """Every playthrough there is, by name."""
    return sorted(HERE.glob("*.txt"))


def read(text: str) -> Playthrough:
    """Read the kept parts of a file. ValueError names the line of an unknown setting."""
    found = Playthrough("")
    remarks: list[str] = []
    for line in text.splitlines():
        kind, _, word = line.partition(" ")
        if line == "resume" or (kind in INPUTS and word):
            found.steps.append(Step(kind, word, tuple(remarks)))
            remarks = []
        elif kind == "@":
            found.remarks, remarks = found.remarks + remarks, []
            _set(found, word)
        elif line.startswith("#"):
            remarks.append(line)
    found.closing = remarks
    return found


def _set(playthrough: Playthrough, word: str) -> None:
    key, _, value = word.partition("=")
    if key.startswith("option "):
        playthrough.options[key.removeprefix("option ")] = value
    elif key in ("game", "variant", "start", "cut"):
        setattr(playthrough, key, value)
    elif key in ("seats", "full"):
        setattr(playthrough, key, int(value))
    else:
        raise ValueError(f"no setting {key!r} in a playthrough")


def write(playthrough: Playthrough) -> str:
    """The whole file. ValueError names the input that is no longer possible, or the missing reason for an early end."""
    game, settings = playthrough.rules(), playthrough.settings()
    lines = [*playthrough.remarks, *_header(playthrough, settings)]
    position: Any = game.start(settings)
    last = len(playthrough.steps)
    for count, step in enumerate(playthrough.steps):
        full = count < playthrough.full or count % FULL_AGAIN == 0
        blank = [""] if full else []
        lines += [*blank, *_state(game, settings, position, count, full), *blank, *step.remarks, str(step)]
        try:
            position, observed = taken(game, settings, position, step)
        except ValueError as error:
            raise ValueError(f"state {count}, {step}: {error}") from error
        lines += observed
    lines += ["", *_state(game, settings, position, last, full=True), *playthrough.closing]
    if (game.to_move(position) is None) is bool(playthrough.cut):
        raise ValueError(f"@ cut={playthrough.cut!r}, but the last turn is {game.to_move(position)!r}")
    return "\n".join(lines) + "\n"


def _header(playthrough: Playthrough, settings: Settings) -> list[str]:
    lines = [
        f"@ game={settings.game}",
        f"@ variant={playthrough.variant or settings.variant}",
        f"@ seats={settings.seats}",
    ]
    lines += [f"@ option {key}={value}" for key, value in sorted(playthrough.options.items())]
    lines += [f"@ start={playthrough.start}"] if playthrough.start else []
    lines += [f"@ full={playthrough.full}"]
    return lines + ([f"@ cut={playthrough.cut}"] if playthrough.cut else [])


def _state(game: Game[Any], settings: Settings, position: Any, count: int, full: bool) -> list[str]:
    moves = game.legal_moves(position)
    if not full:
        return [f"state {count}: {_turn(game, settings, position)}{f', {len(moves)} legal' if moves else ''}"]
    written = ", ".join(game.notation(position, move) for move in moves)
    lines = [f"state {count}", f"turn: {_turn(game, settings, position)}"]
    lines += [INDENT + row for row in game.diagram(position).splitlines()]
    lines += [f"text: {game.text(position)}", f"legal: {len(moves)}"]
    lines += textwrap.wrap(
        written, 110, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False, break_long_words=False
    )
    outcome = game.outcome(position)
    return lines + ([f"outcome: {spell(outcome)}"] if outcome else [])


def _turn(game: Game[Any], settings: Settings, position: Any) -> str:
    turn = game.to_move(position)
    if turn is None:
        return "settling" if stopped(game, position) else "over"
    if isinstance(turn, int):
        return f"{turn} {game.called(settings)[turn]}"
    due = chance_of(game).chance(position)
    return f"{CHANCE}, seat {due.seat} rolls 1..{due.sides}"


def taken(game: Game[Any], settings: Settings, position: Any, step: Step) -> tuple[Any, list[str]]:
    """The position after one input, and the lines about it."""
    if step.kind == "roll":
        return chance_of(game).rolled(position, int(step.word)), []
    if step.kind == "withdraw":
        after = game.withdraw(position, int(step.word))
        if after is None:
            raise ValueError("the game ends with it, which is the table's to say")
        return after, []
    if step.kind in ("score", "resume"):
        scoring = stopped(game, position)
        if scoring is None:
            raise ValueError("play has not stopped here")
        if step.kind == "resume":
            return scoring.played_on(position), []
        claim = scoring.claimed(position, [] if step.word == NOTHING else _points(settings, step.word))
        return position, [f"outcome: {spell(scoring.scored(position, claim))}"]
    move = parsed(game, position, step.word)
    shown = [_change(settings, square, piece) for square, piece in game.changes(position, move)]
    return game.play(position, move), [f"move: {spell(move)}", f"changes: {', '.join(shown) or 'none'}"]


def _points(settings: Settings, word: str) -> list[int]:
    """Squares by the names that ``changes`` uses."""
    return [squares.number(name, settings.width, settings.height) for name in word.split()]


def parsed(game: Game[Any], position: Any, word: str) -> Any:
    """The legal move written so; ValueError shows the cause when there is none."""
    try:
        return game.parse(position, word)
    except Refused as error:
        raise ValueError(f"{word!r} cannot be played: {error}") from error


def _change(settings: Settings, square: int, piece: str | None) -> str:
    return f"{squares.name(square, settings.width, settings.height)} {piece or 'empty'}"


def regenerated(path: Path) -> str:
    """The file as the rules are now."""
    try:
        return write(read(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
