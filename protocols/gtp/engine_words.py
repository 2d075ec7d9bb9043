"""What is asked of an engine beside moves: takebacks, interruptions, and talk.

No text of a person reaches an engine but as the argument of comment or kgs-chat: one line, cut, without "#".
Not here: moves, challenges. Source: the post of commands for play on servers; kgsGtp's description of kgs-chat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from protocols.core.commands import Decline, Propose
from protocols.core.events import Proposed, Said
from protocols.core.followed import Status
from protocols.core.proposals import Adjourn, Draw, Resume, Takeback
from protocols.gtp.codec import Answer, plain
from protocols.gtp.engine_talk import LONGEST_SAYING, Talk

MOST_ANSWERS: Final = 3
"""Answers to talk between two moves: two engines that answer each other would never stop."""

EXCUSE: Final = "I am a program and cannot talk."
"""What is said once a game for an engine that has no command for it."""


def proposed(talk: Talk, event: Proposed) -> None:
    """Somebody wants a takeback, an interruption or a draw."""
    if event.seat == talk.table.seat:
        return
    match event.proposal:
        case Takeback() as takeback:
            _takeback(talk, takeback)
        case Draw():
            talk.ask(Decline(Draw.__name__))
        case Adjourn() | Resume():
            talk.ask(Propose(event.proposal))


def _takeback(talk: Talk, takeback: Takeback) -> None:
    """ "Here the bridge is saying that the opponent wants an undo. The engine can allow or disallow."

    An engine that lists undo and not undo_ok allows it in unrated games, as KGS does for it.
    """
    if not talk.lists("undo_ok"):
        settings = talk.table.settings
        allowed = talk.lists("undo") and settings is not None and not settings.rated
        talk.ask(Propose(takeback) if allowed else Decline(Takeback.__name__))
        return

    def then(talk: Talk, answer: Answer) -> None:
        if talk.table.theirs(Takeback) != takeback:
            return  # it lapsed meanwhile
        agreed = answer.good and answer.text.strip().lower() in ("y", "yes")
        talk.ask(Propose(takeback) if agreed else Decline(Takeback.__name__))

    talk.question("undo_ok", then)


def said(talk: Talk, event: Said) -> None:
    """ "somebody is trying to talk to the engine. Any text in the response will be sent back" """
    speaker = event.name or ("" if event.seat is None else talk.table.name(event.seat))
    if event.seat is not None and event.seat == talk.table.seat:
        return
    if not speaker or talk.spoken >= MOST_ANSWERS:
        return
    talk.spoken += 1
    text = " ".join(plain(event.text.replace("\n", " ").replace("#", " ")).split())[:LONGEST_SAYING]
    if talk.lists("comment"):
        talk.question(f"comment {text}", _answered(speaker))
    elif talk.lists("kgs-chat"):
        place = "private" if event.to.casefold() == talk.called.casefold() else "game"
        word = "_".join(plain(speaker.replace("#", " ")).split()) or "somebody"
        talk.question(f"kgs-chat {place} {word} {text}", _answered(speaker))
    elif not talk.excused and talk.table.begun:
        talk.excused = True
        talk.say(EXCUSE, speaker)


def _answered(speaker: str) -> Callable[[Talk, Answer], None]:
    def then(talk: Talk, answer: Answer) -> None:
        if answer.good and talk.seated:
            talk.say(answer.text, speaker)

    return then


def came_back(talk: Talk) -> None:
    """Whoever comes back to an interrupted game is ready to go on with it."""
    if talk.table.status is Status.ADJOURNED:
        talk.ask(Propose(Resume()))
