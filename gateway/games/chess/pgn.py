"""A game of chess in PGN, the form that every chess program reads.

Sources: the PGN standard's export format; the command ``%clk`` and the tag Variant as chess servers write them, in the
names python-chess and XBoard read.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from gateway.games.base import Played, PlayedMove
from gateway.games.chess.fen import brief
from gateway.games.chess.start import begun, is_usual
from protocols.chess_words.text import result_reason, result_words
from protocols.core.model import Outcome, Reason, TimeControl, TimeKind

COLUMNS: Final = 79
"""The standard's export format has lines of fewer than 80 characters."""

_GLUE: Final = "\N{NO-BREAK SPACE}"
"""Stands for a blank inside what must not be broken over two lines."""

_TERMINATIONS: Final = {
    Reason.TIME: "time forfeit",
    Reason.ABANDONMENT: "abandoned",
    Reason.FORFEIT: "rules infraction",
    Reason.VOID: "unterminated",
}
"""The standard's words; "normal" for all the rest."""


def pgn(played: Played) -> str:
    """The game as PGN, with a line end after its last line; write a blank line between two games."""
    tags = [f'[{name} "{_quoted(text)}"]' for name, text in _tags(played)]
    return "\n".join([*tags, "", *_wrapped(_words(played))]) + "\n"


def _tags(played: Played) -> Iterator[tuple[str, str]]:
    settings, outcome = played.settings, played.outcome
    begun_at = datetime.fromtimestamp(played.begun, UTC)
    white, black = (name or "?" for name in played.names[:2])
    yield from (("Event", f"Table {played.table}"), ("Site", played.site or "?"))
    yield from (("Date", begun_at.strftime("%Y.%m.%d")), ("Round", str(played.number)))
    yield from (("White", white), ("Black", black), ("Result", _result(outcome)))
    yield from (("UTCDate", begun_at.strftime("%Y.%m.%d")), ("UTCTime", begun_at.strftime("%H:%M:%S")))
    if settings.variant != "normal":
        yield "Variant", settings.variant
    if not is_usual(settings):
        yield from (("SetUp", "1"), ("FEN", brief(begun(settings))))
    yield from (("TimeControl", time_control(settings.time)), ("PlyCount", str(len(played.moves))))
    yield "Termination", "unterminated" if outcome is None else _TERMINATIONS.get(outcome.reason, "normal")


def time_control(time: TimeControl | None) -> str:
    """A time control as the standard writes it; byo-yomi, which it does not know, without the number of periods."""
    if time is None:
        return "-"
    main, step, period = f"{time.main_s:g}", f"{time.increment_s:g}", f"{time.period_s:g}"
    match time.kind:
        case TimeKind.ABSOLUTE:
            return main
        case TimeKind.FISCHER:
            return f"{main}+{step}"
        case TimeKind.MOVES:
            return f"{time.moves}/{main}" + (f"+{step}" if time.increment_s else "")
        case TimeKind.PER_MOVE:
            return f"1/{period}"
        case TimeKind.CANADIAN:
            return f"{main}:{time.moves}/{period}"
        case TimeKind.BYOYOMI:
            return f"{main}:1/{period}"


def _words(played: Played) -> Iterator[str]:
    """The moves, their clocks, how it ended and the result; what must stay on one line is one word."""
    board = begun(played.settings).board
    number, white, follows = board.fullmove_number, board.turn, False
    for made in played.moves:
        if white or not follows:
            yield f"{number}." if white else f"{number}..."
        yield made.notation
        follows = made.clock_s is None  # behind a comment the number is written again
        if not follows:
            yield _clock(made)
        number, white = number + (not white), not white
    if played.outcome is not None:
        reason = result_reason(played.outcome).replace("{", "(").replace("}", ")")
        yield from f"{{{reason}}}".split()
    yield _result(played.outcome)


def _clock(made: PlayedMove) -> str:
    tenths = round(max(0.0, made.clock_s or 0.0) * 10)
    seconds, tenth = divmod(tenths, 10)
    shown = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{tenth}"
    return f"{{[%clk{_GLUE}{shown}]}}"


def _wrapped(words: Iterator[str]) -> list[str]:
    lines = textwrap.wrap(" ".join(words), COLUMNS, break_long_words=False, break_on_hyphens=False)
    return [line.replace(_GLUE, " ") for line in lines]


def _result(outcome: Outcome | None) -> str:
    return "*" if outcome is None else result_words(outcome)


def _quoted(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text).strip()
    return plain.replace("\\", "\\\\").replace('"', '\\"')
