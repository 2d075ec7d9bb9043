"""Bogaprot's words: engine names that ask for a seat, and moves that are only a word.

The document has no message for a draw, a takeback or an adjournment. A MSG_MOVE without any position carries a word in
its type instead, in both directions: what the client wants, and what the other side wants. Source: the project's
reading of the Bogaprot document, which has "pass" and "resign" so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from protocols.core.commands import Command, Decline, GiveTime, Join, MarkDead, PlayMove, Propose, Resign
from protocols.core.events import Proposed
from protocols.core.model import PASS, Move
from protocols.core.proposals import Abort, Adjourn, Draw, Proposal, Rematch, Resume, Score, Takeback

FIXED: Final[dict[str, Command]] = {
    "": PlayMove(PASS),
    "pass": PlayMove(PASS),
    "resign": Resign(),
    "draw": Propose(Draw()),
    "adjourn": Propose(Adjourn()),
    "abort": Propose(Abort()),
    "resume": Propose(Resume()),
    "rematch": Propose(Rematch()),
}
"""Commands of a MSG_MOVE without any position, by its type; "takeback N", "dead POSITION...", "accept", "decline" and
"promote PIECE" are read in Words."""

CLAIM: Final = "claim"
"""Claims the game for the client's own seat, as rules allow it. A draw is claimed by its own word."""

ADJOURNED: Final = "adjourned"
DECLINED: Final = "declined"
SETTLING: Final = "settle"
"""Play has stopped: "dead POSITION..." says which stones are dead ("dead" alone: none), "resume" plays on."""

MOVE: Final = "move "
"""Begins a move that is written in the game's notation: all that there is of one in a game without rules."""

MOST_POSITIONS: Final = 400
"""Positions one word may name: a board of 19x19 has fewer."""


class Words:
    """The words of one connection."""

    def __init__(self) -> None:
        self._promotion = ""

    def read(self, text: str, offers: Sequence[Proposed]) -> Command | None:
        """The command of a word; None for one that means nothing, or nothing now. ``offers`` are the others' open ones,
        the latest last."""
        word, _, argument = text.strip().lower().partition(" ")
        if word == "takeback" and argument.isascii() and argument.isdigit() and len(argument) <= 4:
            return Propose(Takeback(int(argument)))
        if word == "moretime" and argument.isascii() and argument.isdigit() and len(argument) <= 4:
            return GiveTime(int(argument))
        if word == "dead":
            return _dead(argument)
        if word == "accept" and offers:
            return Propose(offers[-1].proposal)
        if word == "decline" and offers:
            return Decline(type(offers[-1].proposal).__name__)
        return FIXED.get(text.strip().lower())

    def promotion(self, text: str) -> bool:
        """True if the word chooses what the next plain move promotes to; plain moves carry no piece of their own."""
        word, _, piece = text.strip().lower().partition(" ")
        if word != "promote" or not piece:
            return False
        self._promotion = piece
        return True

    def plain(self, source: int, target: int) -> PlayMove:
        """A plain move, with the piece that was chosen for it."""
        if not self._promotion:
            return plain_move(source, target)
        piece, self._promotion = self._promotion, ""
        return PlayMove(Move(source, target, piece))


def written_move(text: str) -> str:
    """The word for a move that is no more than a text."""
    return MOVE + text


def read_written(text: str) -> PlayMove | None:
    """The command of such a word; None for another one."""
    return PlayMove(text=text[len(MOVE) :].strip()) if text[: len(MOVE)].lower() == MOVE else None


def word_of(proposal: Proposal) -> str:
    """The word for a proposal, "" where there is none."""
    match proposal:
        case Takeback(plies=plies):
            return f"takeback {plies}"
        case Score(dead=dead):
            return " ".join(["dead", *map(str, dead)])
        case Draw() | Adjourn() | Abort() | Resume() | Rematch():
            return type(proposal).__name__.lower()
    return ""


def _dead(argument: str) -> MarkDead | None:
    words = argument.split()
    if len(words) > MOST_POSITIONS or not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
        return None
    return MarkDead(tuple(int(word) for word in words))


@lru_cache(4096)
def plain_move(source: int, target: int) -> PlayMove:
    """One object for every time the same move is asked: a game has few different ones."""
    return PlayMove(Move(source, target))


OWN: Final = ("name", "secret", "exact", "kept")
"""Options of an engine name that say who asks; all others are wishes."""


def request(engine: str) -> Join:
    """The request of an engine name: ``X``, ``Bogaprot-X`` or ``X/Bogaprot``, then ``?wishes`` and ``#ticket``.

    "Ludo?seats=4&name=alice#TICKET" is a Join of "ludo" by alice, with the wish ("seats", "4"). Values of wishes are
    percent-decoded. Letter case is ignored in the game's name, nowhere else. Never raises: what makes no sense is an
    unknown game or a bad option to the server. "secret" is the password or a token of the account "name"; "exact=yes"
    wants that name or none, "kept=yes" the seat of the ticket or none.
    """
    rest, _, ticket = engine.partition("#")
    game, _, query = rest.partition("?")
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    wishes = [(unquote(key), unquote(value)) for key, _, value in pairs]
    own = {key: value for key, value in reversed(wishes) if key in OWN}
    others = tuple((key, value) for key, value in wishes if key not in OWN)
    plain = game.strip().lower().removeprefix("bogaprot-").removesuffix("/bogaprot")
    exact, kept = (own.get(key, "").lower() == "yes" for key in ("exact", "kept"))
    name, secret = own.get("name", ""), own.get("secret", "")
    return Join(plain, name, ticket.strip(), others, secret=secret, exact=exact, kept=kept)


def secrets_of(engine: str) -> list[str]:
    """The secrets in an engine name, as they stand there."""
    rest, _, ticket = engine.partition("#")
    pairs = [pair.partition("=") for pair in rest.partition("?")[2].split("&")]
    return [
        found for found in (ticket.strip(), *(value for key, _, value in pairs if unquote(key) == "secret")) if found
    ]
