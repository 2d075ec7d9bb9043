"""What an engine says of dead stones when play has stopped, and what comes of two different lists.

    first time    its list is its claim; where another list is proposed play goes on, to clean up
    second time   unrated: it agrees to whatever another proposes; rated: its list stands, or play goes on once more
    third time    all stones are alive

Two engines therefore end with a board on which everything that stands is alive; a person in an unrated game is
believed at the second disagreement. An engine that does not know what is dead proposes that nothing is, and agrees to
what its opponent says. Not here: counting, which is the server's. Source: the post of commands for play on servers.
"""

from __future__ import annotations

from typing import Final

from protocols.core.commands import MarkDead, Propose
from protocols.core.proposals import Resume, Score
from protocols.gtp.codec import Answer
from protocols.gtp.engine_talk import Question, Talk
from protocols.gtp.table import Status
from protocols.gtp.vertices import read_vertex

ALL_ALIVE: Final = 3
"""The stop of play at which nobody is asked any more."""


def dead(talk: Talk) -> Question | None:
    """The question for its list, once for each time play has stopped."""
    settled = talk.table.settled
    if talk.board.settled == settled:
        return None
    talk.board.settled = settled
    talk.silent = settled >= ALL_ALIVE or (settled > 1 and not _rated(talk))
    if not talk.silent:
        for words in ("query_dead", "final_status_list dead"):
            if talk.lists(words.partition(" ")[0]):
                return Question(words, _named, optional=True)
    _nothing_is_dead(talk)
    return None


def differs(talk: Talk) -> None:
    """Somebody has proposed a list: agree to it, or play on, or let one's own stand."""
    theirs, mine = talk.table.theirs(Score), talk.table.mine(Score)
    if talk.table.status is not Status.SETTLING or theirs is None or theirs == mine:
        return
    if talk.silent and talk.table.settled < ALL_ALIVE:
        talk.ask(Propose(theirs))
    elif mine is not None and talk.table.settled < ALL_ALIVE:
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
        talk.silent = True
        _nothing_is_dead(talk)
        return
    stones = sorted(point for point in points if point is not None and point in table.picture.board)
    talk.ask(MarkDead(tuple(stones)))


def _nothing_is_dead(talk: Talk) -> None:
    """What is proposed by an engine that does not know, unless somebody who does has spoken already."""
    theirs = talk.table.theirs(Score)
    talk.ask(MarkDead(()) if theirs is None or talk.table.settled >= ALL_ALIVE else Propose(theirs))


def _rated(talk: Talk) -> bool:
    return talk.table.settings is not None and talk.table.settings.rated
