"""What an engine says of dead stones when play has stopped, and what comes of two different lists.

    first time    its list is its claim; where another is proposed against it play goes on, to clean up
    later         against an engine all stones are alive; against a person its list is its claim again

What a second disagreement with a person comes to is the table's to say. An engine that does not know what is dead
proposes that nothing is, and agrees to what its opponent says. Not here: counting, which is the server's.
Source: the post of commands for play on servers.
"""

from __future__ import annotations

from protocols.core.commands import MarkDead, Propose
from protocols.core.followed import Status
from protocols.core.proposals import Resume, Score
from protocols.gtp.codec import Answer
from protocols.gtp.engine_talk import Question, Talk
from protocols.gtp.vertices import read_vertex


def dead(talk: Talk) -> Question | None:
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


def proposed(talk: Talk, seat: int) -> None:
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
    stones = sorted(point for point in points if point is not None and point in table.picture.board)
    talk.ask(MarkDead(tuple(stones), program=True))


def _does_not_know(talk: Talk) -> None:
    """That nothing is dead is proposed, and counts as nobody's claim, unless the opponent has spoken already."""
    talk.silent = True
    theirs = talk.table.theirs(Score)
    talk.ask(MarkDead(()) if theirs is None else Propose(theirs))
