"""What a peer-to-peer client says during a game: moves and their echoes, takebacks, results, and what was refused.

Not here: how the game started, and offers in words. Source: H.G. Muller's text of the protocol.
"""

from __future__ import annotations

from typing import Final

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p.gui import same_move
from protocols.chess_p2p.messages import Message
from protocols.chess_p2p.start import copy, idle
from protocols.chess_p2p.talk import Mode, Talk, bring, enter, restore, turn_away
from protocols.chess_text import from_move
from protocols.core.commands import ClaimEnd, Command, Decline, Dispute, Forfeit, PlayMove, Propose, Resign
from protocols.core.errors import Why
from protocols.core.followed import Status
from protocols.core.proposals import Adjourn, Draw, Start, Takeback
from protocols.core.told import Rejected

TWO: Final = 2
"""Plies that Remove takes back."""

_WINNERS: Final = {"1-0": 0, "0-1": 1}


def moved(talk: Talk, message: p2p.Advanced) -> list[Command]:
    """The echo of the opponent's move, which is consumed, or the next move of the peer's user.

    A peer that does not echo at all can play too: what is no echo is tried as a move, and the rules tell. Where there
    are no rules, two programs that do not agree on a move cannot go on.
    """
    talk.gui.take(message)
    talk.undone = False
    if talk.rolled_back:
        talk.text(f"wait for {talk.table.rival} to agree to take moves back, then start again")
        return []
    spare, talk.spare = talk.spare, ""
    if spare and same_move(spare, message.move):
        return []
    if talk.echoes and same_move(talk.echoes[0], message.move):
        talk.echoes.popleft()
        return []
    if talk.echoes and not talk.table.judged:
        return [Dispute(f"{talk.echoes[0]} was answered with {message.move}")]
    return [talk.move_command(message.move, len(talk.table.moves))]


def undone(talk: Talk, message: p2p.Undo) -> list[Command]:
    """Twice as the answer to our Remove; otherwise its user undoes a move that was refused."""
    if talk.undone:
        talk.undone = False
        return []
    talk.gui.take(message)
    if not talk.removing:
        return []
    talk.removing -= 1
    return [] if talk.removing else [Propose(Takeback(TWO))]


def removed(talk: Talk, message: p2p.Remove) -> list[Command]:
    """Its user, on move, took two plies back: a request, until the other seat agrees."""
    if not talk.table.my_turn or len(talk.table.moves) < TWO:
        talk.text("moves can be taken back only while you are to move, and after two of them")
        restore(talk)
        return []
    talk.gui.take(message)
    talk.rolled_back = True
    return [Propose(Takeback(TWO))]


def renewed(talk: Talk, message: Message) -> list[Command]:
    """New during a game: its user turned away from it, but the table has not."""
    talk.text(f"your game with {talk.table.rival} is not over: resign, adjourn, or start again from where it stands")
    turn_away(talk)
    return copy(talk, message)


def resulted(talk: Talk, message: p2p.Result) -> list[Command]:
    """Its game ended. A loss is believed; a draw and an end without result are proposed; a win is for the rules to say.

    Where there are none, a loss is what both programs see, such as a mate; only its user's resignation and the flag of
    its own clock say so.

    Both ends know a result that the rules gave: then there is no game any more, and this is not read here.
    """
    turn_away(talk)
    if message.result == "*":
        return [Propose(Adjourn())]
    winner = _WINNERS.get(message.result)
    if winner is None:
        return [Propose(Draw())]
    if winner == talk.table.seat:
        return [ClaimEnd(winner)]
    given_up = _given_up(message)
    return (
        given_up if talk.table.judged or given_up != [Resign()] or "resign" in message.comment else [ClaimEnd(winner)]
    )


def lost(talk: Talk, message: p2p.Result) -> list[Command]:
    """A result while its GUI is not in the game yet: only a resignation means something."""
    winner = _WINNERS.get(message.result)
    return idle(talk, message) if winner is None or winner == talk.table.seat else _given_up(message)


def _given_up(message: p2p.Result) -> list[Command]:
    """A loss of its own: by the flag that its GUI saw fall ("White forfeits on time"), or a resignation."""
    flag = any(word in message.comment.lower() for word in ("on time", "flag"))
    return [Forfeit(late=True)] if flag else [Resign()]


def resign(talk: Talk, message: Message) -> list[Command]:
    return [Resign()]


def refused(talk: Talk, message: Rejected) -> None:
    """The table refused what was asked longest ago: say why, and bring the peer's GUI back where it ran ahead."""
    command, silent = talk.settle()
    match command:
        case PlayMove() if silent and message.why is Why.NOT_PLAYING:
            pass  # the first move of a game that did not start: what became of its proposal has been told
        case Decline() if silent:
            pass  # the proposal was refused, or agreed to in the same moment: that has been told too
        case PlayMove():
            _refused_move(talk, command, message.text)
        case Propose(proposal=Takeback()) if talk.rolled_back or talk.removing is not None:
            talk.text(message.text)
            restore(talk)
        case Propose(proposal=Start()) if talk.table.status is Status.PLAYING:
            _came_back(talk)
        case Propose(proposal=Start()):
            talk.text(message.text)
            talk.mode = Mode.PROPOSED if talk.table.mine(Start) else Mode.SETUP
        case Propose() | ClaimEnd() if talk.mode is Mode.ENTERING and talk.table.status is Status.PLAYING:
            talk.text(f"{message.text}: the game goes on")
            bring(talk)
        case _:
            talk.text(message.text)


def _came_back(talk: Talk) -> None:
    """Its Go was on the way already when it was told that its game is still on. It is answered like any other."""
    if talk.mode is Mode.ENTERING and talk.ahead() == 0 and talk.plays_from_seat():
        talk.say(p2p.Accepted())
        enter(talk)


def _refused_move(talk: Talk, command: PlayMove, why: str) -> None:
    move = command.text if command.move is None else from_move(command.move)
    expected = f", and not the echo of {talk.echoes[0]}" if talk.echoes else ""
    talk.text(f"your move {move} is not played: {why}{expected}. Take it back")
    restore(talk)
    talk.echoes.clear()
    talk.undone = True
