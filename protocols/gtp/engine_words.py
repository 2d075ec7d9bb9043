"""Questions to an engine beside moves: takebacks, interruptions, talk, dead stones.

No text of a person reaches an engine but as the argument of comment or kgs-chat: one line, cut, without "#".

Dead stones, when play has stopped, and the outcome of two different lists:

    first time    its list is its claim; where another is proposed against it play goes on, to clean up
    later         against an engine all stones are alive; against a person its list is its claim again

What a second disagreement with a person comes to is the table's to say. An engine that does not know what is dead
proposes that nothing is, and agrees to what its opponent says.

Source: the post of commands for play on servers; kgsGtp's description of kgs-chat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from protocols.core.commands import Decline, MarkDead, Propose
from protocols.core.events import Proposed, Said
from protocols.core.followed import Status
from protocols.core.proposals import Abort, Adjourn, Draw, Resume, Score, Takeback
from protocols.go_words.vertices import read_vertex
from protocols.gtp.codec import Answer, plain
from protocols.gtp.engine_talk import LONGEST_SAYING, Question, Talk

MOST_ANSWERS: Final = 3
"""Answers to talk between two moves: two engines that answer each other would never stop."""

EXCUSE: Final = "I am a program and cannot talk."
"""Said once a game for an engine that has no command for talk."""


def proposed(talk: Talk, event: Proposed) -> None:
    """The opponent proposes a takeback, an interruption, a draw, or an end without a result."""
    if event.seat == talk.table.seat:
        return
    match event.proposal:
        case Takeback() as takeback:
            _takeback(talk, takeback)
        case Draw():
            talk.ask(Decline(Draw.__name__))
        case Abort():
            unrated = talk.table.settings is not None and not talk.table.settings.rated
            talk.ask(Propose(Abort()) if unrated else Decline(Abort.__name__))
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

    talk.undo = True


def undo(talk: Talk) -> Question | None:
    """The question for a takeback, once the engine's board shows the game: one that has come back may decide by it."""
    wanted, talk.undo = talk.undo and talk.table.theirs(Takeback) is not None, False
    return Question("undo_ok", _allowed) if wanted else None


def _allowed(talk: Talk, answer: Answer) -> None:
    asked = talk.table.theirs(Takeback)
    if asked is None:
        return  # it lapsed meanwhile
    agreed = answer.good and answer.text.strip().lower() in ("y", "yes")
    talk.ask(Propose(asked) if agreed else Decline(Takeback.__name__))


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
        kind = "private" if event.to.casefold() == talk.called.casefold() else "game"
        word = "_".join(plain(speaker.replace("#", " ")).split()) or "somebody"
        talk.question(f"kgs-chat {kind} {word} {text}", _answered(speaker))
    elif not talk.excused and talk.table.begun:
        talk.excused = True
        talk.say(EXCUSE, speaker)


def _answered(speaker: str) -> Callable[[Talk, Answer], None]:
    def then(talk: Talk, answer: Answer) -> None:
        if answer.good and talk.seated:
            talk.say(answer.text, speaker)

    return then


def came_back(talk: Talk) -> None:
    """A player who returns to an interrupted game is ready to continue it."""
    if talk.table.status is Status.ADJOURNED:
        talk.ask(Propose(Resume()))


def dead_stones(talk: Talk) -> Question | None:
    """The question for its list, once for each time play has stopped."""
    table = talk.table
    if talk.board.settled == table.settled:
        return None
    talk.board.settled, talk.silent = table.settled, False
    if len(table.stops) > 1 and table.against_program:
        talk.ask(MarkDead((), program=True))
        return None
    for words in ("query_dead", "final_status_list dead"):
        if talk.lists(words.partition(" ")[0]):
            return Question(words, _named, optional=True)
    _does_not_know(talk)
    return None


def score_proposed(talk: Talk, seat: int) -> None:
    """``seat`` has proposed a list: agree to it, or play on. What stood there before the engine's own is no objection:
    who has proposed it may not have seen that one."""
    table = talk.table
    theirs, mine = table.theirs(Score), table.mine(Score)
    if table.status is not Status.SETTLING or theirs is None or theirs == mine or seat == table.seat:
        return
    if talk.silent:
        talk.ask(Propose(theirs))
    elif mine is not None and len(table.stops) == 1:
        talk.ask(Propose(Resume()))


def _named(talk: Talk, answer: Answer) -> None:
    """ "it answering with a not implemented error is OK": then the opponent decides."""
    table = talk.table
    if table.status is not Status.SETTLING:
        return
    try:
        points = {read_vertex(word, table.size) for word in answer.text.split()} if answer.good else None
    except ValueError:
        points = None
    if points is None:
        _does_not_know(talk)
        return
    stones = sorted(point for point in points if point is not None and point in table.board)
    talk.ask(MarkDead(tuple(stones), program=True))


def _does_not_know(talk: Talk) -> None:
    """Proposes that nothing is dead, which counts as no claim, unless the opponent has spoken already."""
    talk.silent = True
    theirs = talk.table.theirs(Score)
    talk.ask(MarkDead(()) if theirs is None else Propose(theirs))
