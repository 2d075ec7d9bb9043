"""A peer-to-peer client's words during a game: moves and their echoes, takebacks, results, offers, refusals.

Source: H.G. Muller's text of the protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import words
from protocols.chess_p2p.gui import same_move
from protocols.chess_p2p.messages import Message
from protocols.chess_p2p.start import copy
from protocols.chess_p2p.talk import (
    LONGEST_TEXT,
    TWO,
    Entry,
    Mode,
    Talk,
    bring_back,
    enter,
    let_stand,
    restore,
    turn_away,
)
from protocols.chess_words.text import from_move
from protocols.core import commands as cmd
from protocols.core.errors import Why
from protocols.core.followed import Status
from protocols.core.notifications import Rejected
from protocols.core.proposals import Abort, Adjourn, Draw, Proposal, Rematch, Resume, Start, Takeback

EARLY_S: Final = 2.0
"""Seconds that a GUI's clock may be ahead of the table's, which gives back the way over the network."""

_WINNERS: Final = {"1-0": 0, "0-1": 1}

_MEANT: Final[Mapping[type, Callable[[Any], Proposal]]] = {
    p2p.Draw: lambda said: Draw(),
    p2p.Adjourn: lambda said: Adjourn(),
    p2p.Abort: lambda said: Abort(),
    p2p.Resume: lambda said: Resume(),
    p2p.Rematch: lambda said: Rematch(),
    p2p.Takeback: lambda said: Takeback(said.plies),
}
"""The proposals that have a word of their own beside the document."""


def moved(talk: Talk, message: p2p.Advanced) -> list[cmd.Command]:
    """The echo of the opponent's move, which is consumed, or the next move of the peer's user.

    A peer that does not echo at all can play too: what is no echo is tried as a move, and the rules tell. Where there
    are no rules, two programs that do not agree on a move cannot go on.
    """
    talk.gui.take(message)
    if talk.rolled_back:
        then = words.press_to_go_on(talk.table.seat, my_turn=False)
        talk.text(f"wait for {talk.table.rival} to agree to take moves back, then start again; {then}")
        return []
    spare, talk.spare = talk.spare, ""
    if spare and same_move(spare, message.move):
        return []
    if talk.echoes and same_move(talk.echoes[0], message.move):
        talk.echoes.pop(0)
        return []
    if talk.echoes and not talk.table.judged:
        return [cmd.Dispute(f"{talk.echoes[0]} was answered with {message.move}")]
    return [talk.move_command(message.move, len(talk.table.played))]


def undone(talk: Talk, message: p2p.Undo) -> list[cmd.Command]:
    """Twice as the answer to our Remove; otherwise its user undoes a move that was refused."""
    known = talk.gui.undone
    copy(talk, message)
    if known or not talk.removing:
        return []
    talk.removing -= 1
    return [] if talk.removing else [cmd.Propose(Takeback(TWO))]


def removed(talk: Talk, message: p2p.Remove) -> list[cmd.Command]:
    """Its user, on move, took two plies back: a request, until the other seat agrees."""
    if not talk.table.my_turn or len(talk.table.played) < TWO:
        talk.text("moves can be taken back only while you are to move, and after two of them")
        let_stand(talk)
        return []
    talk.gui.take(message)
    talk.rolled_back = True
    return [cmd.Propose(Takeback(TWO))]


def renewed(talk: Talk, message: Message) -> list[cmd.Command]:
    """New during a game: its user turned away from it, but the table has not."""
    again = f"start again from where it stands; {words.press_to_return(talk.table.seat)}"
    talk.text(f"your game with {talk.table.rival} is not over: resign, adjourn, or {again}")
    turn_away(talk)
    return copy(talk, message)


def resulted(talk: Talk, message: p2p.Result) -> list[cmd.Command]:
    """Its game ended. A loss is believed; a draw and an end without result are proposed; a win is for the rules to say.

    Where there are none, a loss is what both programs see, such as a mate; only its user's resignation and the flag of
    its own clock say so.

    Both ends know a result that the rules gave: then there is no game any more, and this is not read here.
    """
    turn_away(talk)
    if message.result == "*":
        return [cmd.Propose(Abort() if "abort" in message.comment.lower() else Adjourn())]
    winner = _WINNERS.get(message.result)
    if winner is None:
        return [cmd.Propose(Draw())]
    if winner == talk.table.seat:
        talk.flagged = _on_time(message) and _falls_soon(talk)
        return [] if talk.flagged else [cmd.ClaimEnd(winner)]
    given_up = _given_up(message)
    return (
        given_up
        if talk.table.judged or given_up != [cmd.Resign()] or "resign" in message.comment
        else [cmd.ClaimEnd(winner)]
    )


def _given_up(message: p2p.Result) -> list[cmd.Command]:
    """A loss of its own: by the flag that its GUI saw fall ("White forfeits on time"), or a resignation."""
    return [cmd.Forfeit(late=True)] if _on_time(message) else [cmd.Resign()]


def _on_time(message: p2p.Result) -> bool:
    return any(word in message.comment.lower() for word in ("on time", "flag"))


def _falls_soon(talk: Talk) -> bool:
    """True if the opponent's flag is as good as down: the table says so in a moment, or the opponent moves."""
    clock = talk.table.clock
    if clock is None or clock.running is None or clock.running == talk.table.seat:
        return False
    reading = clock.readings[clock.running]
    return clock.since + reading.main_s + reading.period_s - talk.now < EARLY_S


def resign(talk: Talk, message: Message) -> list[cmd.Command]:
    return [cmd.Resign()]


def refused(talk: Talk, message: Rejected) -> None:
    """The table refused what was asked longest ago: say why, and bring the peer's GUI back where it ran ahead."""
    command, silent = talk.settle()
    match command:
        case cmd.PlayMove() if silent and message.why is Why.NOT_PLAYING:
            pass  # the first move of a game that did not start: what became of its proposal has been told
        case cmd.Decline() if silent:
            pass  # the proposal was refused, or agreed to in the same moment: that has been told too
        case cmd.PlayMove():
            _refused_move(talk, command, message.text)
        case cmd.Propose(proposal=Takeback()) if talk.rolled_back or talk.removing is not None:
            talk.text(message.text)
            let_stand(talk)
        case cmd.Propose(proposal=Start()) if talk.table.status is Status.PLAYING:
            _came_back(talk)
        case cmd.Propose(proposal=Start()):
            talk.text(message.text)
            talk.mode = Mode.PROPOSED if talk.table.mine(Start) else Mode.SETUP
        case cmd.Propose() | cmd.ClaimEnd() if talk.mode is Mode.ENTERING and talk.table.status is Status.PLAYING:
            bring_back(talk, f"{message.text}: the game goes on")
        case _:
            talk.text(message.text)


def _came_back(talk: Talk) -> None:
    """Its Go was on the way already when it was told that its game is still on. It is answered like any other."""
    if talk.mode is Mode.ENTERING and talk.ahead() == 0 and talk.plays_from_seat():
        talk.say(p2p.Accepted())
        enter(talk)


def _refused_move(talk: Talk, command: cmd.PlayMove, why: str) -> None:
    move = command.text if command.move is None else from_move(command.move)
    expected = f", and not the echo of {talk.echoes[0]}" if talk.echoes else ""
    talk.text(f"your move {move} is not played: {why}{expected}. Take it back")
    restore(talk)
    talk.echoes.clear()
    talk.gui.undone = 1


def said(talk: Talk, message: p2p.Text) -> list[cmd.Command]:
    """Text is for the opponent, but for the answer to an offer while there is one, and for a ticket."""
    word, _, ticket = message.text.strip().partition(" ")
    if word == words.SEAT:
        return _seat(talk, ticket.strip())
    answer = message.text.strip().lower().rstrip("!.")
    if answer in words.YES and talk.table.offers():
        return accept(talk, message)
    if answer in words.NO and talk.table.offers():
        return decline(talk, message)
    pieces = range(0, len(message.text), LONGEST_TEXT)
    return [cmd.Say("players", text) for at in pieces if (text := message.text[at : at + LONGEST_TEXT].strip())]


def _seat(talk: Talk, ticket: str) -> list[cmd.Command]:
    """Another seat than the one its program took for it as soon as it was there. Not out of a game."""
    if talk.table.status in (Status.PLAYING, Status.ADJOURNED) or not ticket:
        talk.text(f"{words.SEAT} and a ticket take another seat, while you have no game here")
        return []
    talk.mode, talk.by_ticket = Mode.SETUP, True
    return [cmd.Leave(), cmd.Join(talk.game, talk.name, ticket, ready=False, kept=True)]


def propose(talk: Talk, message: Message) -> list[cmd.Command]:
    """A word that offers something, or agrees to the same offer of the other seat."""
    return [cmd.Propose(_MEANT[type(message)](message))]


def accept(talk: Talk, message: Message) -> list[cmd.Command]:
    """Agree to what the other seat offered last."""
    offers = talk.table.offers()
    if not offers:
        talk.text("there is no offer to accept")
        return []
    offered = offers[-1].proposal
    if not isinstance(offered, Start):
        return [cmd.Propose(offered)]
    side = None if offered.side is None else 1 - offered.side
    talk.entry, talk.base, talk.mode = Entry.BRING, None, Mode.PROPOSED
    return [cmd.Propose(Start(offered.settings, side))]


def decline(talk: Talk, message: Message) -> list[cmd.Command]:
    """Refuse what the other seat offered last."""
    offers = talk.table.offers()
    if not offers:
        talk.text("there is no offer to decline")
        return []
    return [cmd.Decline(type(offers[-1].proposal).__name__)]
