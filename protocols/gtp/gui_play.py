"""A GUI's moves: play and genmove. The table's moves that it does not know yet are told by genmove.

A GUI that comes back on another connection plays its game again from the first move, which changes nothing, until it
knows all the table's moves; genmove tells it the ones that it lacks.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocols.core.commands import PlayMove, Resign
from protocols.core.followed import Status
from protocols.core.model import PASS, Move, Outcome, Reason
from protocols.core.notifications import Rejected
from protocols.go_words.table import CROSSED, result
from protocols.go_words.vertices import read_colour, read_move, write_vertex
from protocols.gtp.gui_talk import Fails, InGame, Talk, Waiting, Words, colour, opposite

ILLEGAL = "illegal move"
"""The draft's words for a move that is refused."""

LOOKING = "you look on: genmove tells the moves"


def play(talk: Talk, words: Words) -> Waiting:
    """play COLOR VERTEX; "resign" for a vertex gives the game up."""
    if len(words) != 2:
        raise Fails("syntax error: play COLOR VERTEX")
    seat = read_colour(words[0])
    if words[1].lower() == "resign":
        return Resigning(user=seat, seat=seat)
    size = talk.table.size if talk.table.begun else talk.wish.size
    return Playing(user=seat, seat=seat, move=read_move(seat, words[1], size))


def genmove(talk: Talk, words: Words) -> Waiting:
    """genmove COLOR, and kgs-genmove_cleanup: the table's next move, which is the opponent's to make."""
    seat = read_colour(words[0] if words else "")
    return Awaiting(user=opposite(seat), seat=seat)


@dataclass(slots=True)
class Playing(InGame):
    """A move of the user: asked for when it is the user's turn, answered when it is made."""

    seat: int = 0
    move: Move = PASS
    ply: int | None = None

    def go_on(self, talk: Talk) -> str | None:
        table = talk.table
        if talk.known < len(table.moves):
            return self._known(talk)
        if talk.known < talk.replays:
            talk.learn()  # it was taken back meanwhile, which the undo that follows finds out
            return ""
        if table.status is Status.OVER:
            raise Fails(over(talk))
        if talk.looking:
            raise Fails(LOOKING)
        if self.seat != table.seat:
            raise Fails(f"you play {colour(opposite(self.seat))}: genmove {self.seat_letter()} tells that move")
        if self.ply is not None:
            return None
        if table.status is Status.SETTLING:
            if self.move.target is None:
                raise Fails("both have passed: final_score agrees on the score, a stone goes on playing")
            self.resume(talk)
        elif table.turn == self.seat:
            self.ply = talk.known
            talk.ask(PlayMove(self.move, ply=self.ply))
        elif table.turn is not None:
            raise Fails(f"it is not your turn: genmove {colour(table.turn)[0]} waits for your opponent")
        return None

    def _known(self, talk: Talk) -> str:
        """The next move of the table is this one, or the GUI shows another game."""
        made = talk.table.moves[talk.known]
        seat, target = made.seat, made.move.target
        if seat == self.seat and target == self.move.target:
            talk.learn()
            return ""
        if seat != self.seat:
            raise Fails(f"it is not your turn: genmove {colour(seat)[0]} tells the move of {colour(seat)}")
        raise Fails(f"{colour(seat)} has played {write_vertex(target, talk.table.size)} here")

    def refused(self, talk: Talk, message: Rejected) -> None:
        if self.ply is None:
            InGame.refused(self, talk, message)
            return
        self.ply = None
        if message.why not in CROSSED:
            raise Fails(ILLEGAL)
        if talk.table.status is Status.PLAYING and talk.table.turn == self.seat:
            raise Fails(message.text)  # refused for a reason that no event explains: once is enough

    def seat_letter(self) -> str:
        return colour(self.seat)[0]


@dataclass(slots=True)
class Awaiting(InGame):
    """The table's next move, perhaps hours from now."""

    seat: int = 0

    def go_on(self, talk: Talk) -> str | None:
        table = talk.table
        if talk.known < len(table.moves):
            made = table.moves[talk.known]
            if made.seat != self.seat:
                raise Fails(f"the next move is {colour(made.seat)}'s: genmove {colour(made.seat)[0]}")
            talk.learn()
            return write_vertex(made.move.target, table.size)
        if table.status is Status.OVER:
            return _end(talk, self.seat)
        if self.seat == table.seat:
            raise Fails(f"you play {colour(self.seat)} yourself: play {colour(self.seat)[0]} VERTEX")
        if table.status is Status.SETTLING:
            self.resume(talk)
        elif table.turn == opposite(self.seat):
            turn = colour(opposite(self.seat))
            raise Fails(f"it is {turn}'s turn: genmove {turn[0]}" if talk.looking else "it is your turn")
        return None


def _end(talk: Talk, asked: int) -> str:
    """ "= resign" where the side that was asked has resigned; otherwise the game is over."""
    outcome = talk.table.outcome
    resigned = outcome is not None and outcome.reason is Reason.RESIGNATION and outcome.winner == opposite(asked)
    if resigned:
        return "resign"
    raise Fails(over(talk))


def over(talk: Talk) -> str:
    """The result; and why, where it does not say that itself."""
    outcome = talk.table.outcome
    if outcome is None:
        return "game over"
    why = _why(talk, outcome)
    return f"game over: {result(outcome)}" + (f" ({why})" if why else "")


def _why(talk: Talk, outcome: Outcome) -> str:
    """Why a game ended that was neither scored, nor resigned, nor lost on time; else ""."""
    loser = "" if outcome.winner is None else talk.table.players[opposite(outcome.winner)] or colour(1 - outcome.winner)
    match outcome.reason:
        case Reason.VOID:
            return outcome.detail
        case Reason.ABANDONMENT:
            return f"{loser} did not come back"
        case Reason.FORFEIT:
            return f"{loser} {outcome.detail}" if outcome.detail else ""
        case _:
            return ""


@dataclass(slots=True)
class Resigning(InGame):
    """The user gives up."""

    seat: int = 0
    asked: bool = False

    def go_on(self, talk: Talk) -> str | None:
        if talk.table.status is Status.OVER:
            return _gave_up(talk, self.asked)
        if talk.looking:
            raise Fails(LOOKING)
        if self.seat != talk.table.seat:
            raise Fails(f"you play {colour(opposite(self.seat))}")
        if not self.asked:
            self.asked = True
            talk.ask(Resign())
        return None


def _gave_up(talk: Talk, asked: bool) -> str:
    if asked:
        return ""
    raise Fails(over(talk))
