"""The lines an engine sends to a chess GUI under CECP, each a whole line that no text inside can break or change.

Texts of other people go behind ``telluser`` or ``askuser`` only: a GUI reads a line that begins with a result, a colour
or "resign" as the end of the game, and looks for words like "not found" in lines it does not know. Source: as
gui_lines.py; the effects are those of XBoard 4.9.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import Final

from protocols.cecp.gui_lines import MOVE, RESULTS
from protocols.core.line_text import clean

LONGEST_ROW: Final = 100
"""Letters of a line in a window: some 800 pixels, where a screen may have 1280."""

LONGEST_TEXT: Final = 400
"""Letters of a text for the user: XBoard keeps lines in buffers of 512 bytes in places."""

FEATURES: Final = (
    "ping=1 setboard=1 usermove=1 san=0 colors=0 time=1 draw=1 name=1 sigint=0 sigterm=0 reuse=1 analyze=0"
    " playother=1 pause=0 nps=0 memory=0 smp=0 debug=1"
)
"""Features this engine needs (usermove, setboard, ping) or lacks (think, analyse). A GUI may reject each."""

NOT_YET: Final = "feature done=0"
DONE: Final = "feature done=1"
OFFER_DRAW: Final = "offer draw"
RESIGN: Final = "resign"


def features(name: str, variants: Iterable[str], options: Iterable[str]) -> list[str]:
    """The feature lines but the last one; ``options`` are as the document writes them: "Connect -button"."""
    return [
        f"feature {FEATURES}",
        f'feature variants="{",".join(variants)}"',
        my_name(name),
        *(f'feature option="{option}"' for option in options),
    ]


def my_name(name: str) -> str:
    """The name that the GUI shows for the engine."""
    return f'feature myname="{text(name).replace(chr(34), chr(39))[:60]}"'


def pong(number: int) -> str:
    """Everything before this ping is done."""
    return f"pong {number}"


def move(coordinates: str) -> str:
    """The engine's move; ValueError for what is none, for it would be read as something else."""
    if not MOVE.fullmatch(coordinates):
        raise ValueError(f"not a move: {coordinates[:100]!r}")
    return f"move {coordinates}"


def illegal(coordinates: str) -> str:
    """The user's move is taken back. No reason is given: many words in it would make XBoard ignore the line."""
    return f"Illegal move: {text(coordinates)[:10]}"


def tell_user(words: str, *, broken: bool = False) -> str:
    """A text in a window of its own. Two backslashes at its begin let XBoard expand escapes: others are cut.

    ``broken``: in lines of at most LONGEST_ROW letters, for XBoard makes its window as wide as the longest line.
    """
    told = text(words).lstrip(chr(92))
    rows = wrap(told, LONGEST_ROW, break_on_hyphens=False)
    if not broken or len(rows) < 2:
        return f"telluser {told}"
    escaped = (row.replace(chr(92), chr(92) * 2) for row in rows)
    return f"telluser {chr(92) * 2}" + f"{chr(92)}n".join(escaped)


def tell_error(words: str) -> str:
    """The same as an error, of a program that is about to exit."""
    return f"tellusererror {text(words).lstrip(chr(92))}"


def ask_user(tag: str, question: str) -> str:
    """A question; the answer comes back behind ``tag``."""
    return f"askuser {tag} {text(question)}"


def comment(words: str) -> str:
    """A line for the GUI's log, only for a GUI that accepted the feature debug."""
    return f"# {text(words)}"


def set_board(fen: str) -> str:
    """End the game without a result and show this position. XBoard shows White on move, whatever the FEN says."""
    return f"setboard {text(fen)}"


def clocks(white: int, black: int) -> list[str]:
    """Both clocks of the GUI, in centiseconds. The words are XBoard's own: it obeys them when it was started with
    -firstPseudo or -secondPseudo, and ignores them otherwise.
    """
    return [f"wtime {10 * white}", f"btime {10 * black}"]


def result(words: str, reason: str) -> str:
    """The game is over. ``reason`` must be our own words: it goes into the user's record of the game."""
    if words not in RESULTS:
        raise ValueError(f"no result: {words[:100]!r}")
    return f"{words} {{{text(reason).translate(_NO_BRACES)}}}"


def text(words: str) -> str:
    """``words`` as they may stand in a line: one line, nothing that does not print, not too long."""
    return clean(words)[:LONGEST_TEXT]


_NO_BRACES: Final = str.maketrans("", "", "{}")
