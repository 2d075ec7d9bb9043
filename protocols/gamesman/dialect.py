"""GAMESMAN's peer-to-peer protocol: each request is answered by the opponent's next message, however long that takes.

One object is one player of one game; the number of an answer says whose request it answers. Where the game has rules
they judge moves and ends, and an illegal move is answered with an error. A turn of several steps is one Move: the steps
in the game's notation with blanks between them. Without rules GameOver does not say who has won: it concedes the game
to the player of the last move, so that no win can be claimed by it.

Source: the P2P module documentation of GAMESMAN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.dialect import Connecting, Dialect
from protocols.core.followed import first_seat
from protocols.core.model import Outcome, Reason
from protocols.core.proposals import Proposal, Resume, Score, Start
from protocols.core.standing import LAPSING
from protocols.gamesman import wire
from protocols.gamesman.answers import MOST_WAITING, Answers, Asked, Word
from protocols.gamesman.http import GamesmanHttp
from protocols.gamesman.seen import Seen
from protocols.gamesman.wire import ACK_END, AGAIN, EARLY, GAME_OVER, RESIGN, SEND_MOVE, Request

Commands: TypeAlias = list[cmd.Command]

SETTLED: Final = (ev.Agreed, *LAPSING)
"""Events after which nothing that was proposed before is awaited."""


class Gamesman(Dialect):
    name = "gamesman"
    connecting = Connecting(
        "GAMESMAN, a game by HTTP",
        "Two names are registered, then each plays by requests of HTTP: every game without dice.",
        (
            ("Boardgate, to register two names", "boardgate register checkers alice bob --server {http}"),
            (
                "Boardgate, as one of the two names",
                "boardgate play checkers --dialect gamesman --name alice --opponent bob {address}",
            ),
            (
                'curl, as the other: add -H "Move: 11-15" and the like for each move',
                'curl -i -X POST {http}/GamesmanServlet -H "type: SendMove" -H "SrcPlayer: bob" -H "DestPlayer: alice"',
            ),
        ),
    )
    public = False
    by_name = True
    dice = False
    http = GamesmanHttp

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._sets = wire.Sets()
        self._answers = Answers(self._queue)
        self._seen = Seen()
        self._joining = False
        self._held: list[Request] = []
        self._asked: Asked | None = None
        self._offering = False  # whether the table has not answered yet what is proposed without a request
        self._over = False
        self._beaten = False  # whether the opponent's move has ended the game, and we were not asked to agree yet

    def receive_data(self, data: bytes) -> Commands:
        if not data:
            self.closing = True
        commands: Commands = []
        for fields in self._sets.split(data):
            commands += self._hear(wire.read_request(fields))
        return commands

    def _hear(self, request: Request) -> Commands:
        if request.gone or request.still:
            self._lose(request.number if request.gone else 0)
        elif request.kind not in wire.KINDS:
            self._answers.refuse(request, f"no request type {request.kind[:40]!r}: there are {', '.join(wire.KINDS)}")
        elif len(self._held) >= MOST_WAITING:
            self._answers.refuse(request, f"{MOST_WAITING} requests of this player wait already")
        else:
            self._held.append(request)
            if self._seen.seat is not None:
                return self._owed() + self._serve()
            return [] if self._joining else self._join(request)
        return []

    def _join(self, request: Request) -> Commands:
        self._joining = True
        source, dest = wire.text(request.source), wire.text(request.dest)
        return [cmd.Join("", source, request.ticket, (("opponent", dest),), ready=False)]

    def _owed(self) -> Commands:
        """Propose what the player wants without a word for it: that the game begins, goes on, or is counted."""
        seen = self._seen
        if seen.adjourned:
            return self._offer(Resume())
        if seen.settling:
            return self._offer(Score())
        return [] if seen.started or seen.seat != 0 else self._offer(Start(side=0))

    def _offer(self, wish: Proposal) -> Commands:
        """Propose this, unless that stands or is on its way."""
        if self._offering or self._seen.mine(type(wish)) is not None:
            return []
        self._offering = True
        return [cmd.Propose(wish)]

    def _serve(self) -> Commands:
        """Judge what is held, as far as that can be done."""
        commands: Commands = []
        while self._held and not self._must_wait():
            commands += self._judge(self._held.pop(0))
        return commands

    def _must_wait(self) -> bool:
        if self._seen.seat is None or self._asked is not None:
            return True
        begins = self._offering and self._seen.seat == 0 and not self._seen.started
        return not self._over and (self._seen.adjourned or begins)

    def _judge(self, request: Request) -> Commands:
        if self._over:
            self._judge_late(request)
            return []
        if not self._seen.started:
            return self._judge_early(request)
        if (request.same(self._answers.last) or self._resembles(request)) and self._answers.again(request):
            return []
        return _JUDGES[request.kind](self, request)

    def _resembles(self, request: Request) -> bool:
        """True if this is the last move, of which the record does not show how it was spelled."""
        last = self._answers.last if self._answers.guessed and not self._seen.my_turn else None
        if last is None or last.move is None or request.move is None or request.kind != SEND_MOVE:
            return False
        return request.turn in (None, last.turn)

    def _judge_early(self, request: Request) -> Commands:
        """ "the module will ignore all requests until it receives an initialization request" """
        if request.kind != SEND_MOVE or self._seen.seat == 0 or request.move is not None:
            self._answers.ignore(request, EARLY)
        elif self._answers.waiting:
            if not (request.same(self._answers.last) and self._answers.again(request)):
                self._answers.ignore(request, AGAIN)
        else:
            self._answers.accept(request)
            return self._offer(Start(side=self._seen.seat))
        return []

    def _judge_move(self, request: Request) -> Commands:
        if not self._seen.my_turn:
            if request.move is None and self._answers.last is None:
                self._answers.accept(request)
            else:
                self._answers.ignore(request, "it is not this player's turn" if request.move else AGAIN)
        elif request.move is None:
            self._answers.ignore(request, AGAIN)
        elif request.turn is not None and request.turn < self._seen.own_turn:
            self._answers.ignore(request, f"turn {request.turn} was played before")
        else:
            self._asked = Asked(request)
            return [self._asked.whole(self._seen.ply)]
        return []

    def _judge_game_over(self, request: Request) -> Commands:
        if self._seen.settling:
            self._asked = Asked(request)
        elif self._seen.seat is None or not self._seen.my_turn or not self._seen.ply:
            self._answers.refuse(request, f"{GAME_OVER} is for the player after the one who made the last move")
        else:
            self._asked = Asked(request)
            return [cmd.ClaimEnd(1 - self._seen.seat)]
        return []

    def _judge_resign(self, request: Request) -> Commands:
        self._asked = Asked(request)
        return [cmd.Resign()]

    def _judge_late(self, request: Request) -> None:
        """The game is over, and the word that was said last says so or is the move that ended it."""
        answers = self._answers
        unheard = not answers.delivered
        if request.kind == GAME_OVER and (self._beaten or not unheard) and not request.same(answers.last):
            self._beaten = False
            answers.accept(request)
            answers.tell((ACK_END, None))
        elif unheard or request.same(answers.last):
            answers.reply(request)
        else:
            answers.refuse(request, "the game is over")

    def _lose(self, number: int) -> None:
        """The answer to this request is not awaited any more."""
        self._held = [replace(held, number=0) if held.number == number else held for held in self._held]
        if self._asked is not None:
            self._asked.lose(number)
        self._answers.lose(number)

    def send(self, message: ntf.Notification) -> None:
        match message:
            case ntf.Seated():
                self._sit_down(message)
            case ntf.Rejected():
                self._rejected(message)
            case ntf.Displaced():
                self._displaced()
            case _:
                self._follow(message)

    def _displaced(self) -> None:
        """Every request that waits is answered so; the next one asks for the seat again."""
        asked = [] if self._asked is None else [self._asked.request]
        for request in (*asked, *self._held):
            self._answers.refuse(request, ntf.DISPLACED, wire.SEAT_TAKEN)
        self._answers.turn_away(ntf.DISPLACED, wire.SEAT_TAKEN)
        self._held, self._asked, self.closing = [], None, True

    def _sit_down(self, message: ntf.Seated) -> None:
        """Fold what has happened; then begin or go on: the first player is always ready, the second says when."""
        seen = self._seen
        seen.seat, seen.past = first_seat(message.seat, message.past), True
        for event in message.past:
            self._follow(event)
        if seen.started and self._answers.last is None and not (seen.my_turn and not seen.incoming):
            self._answers.guess(None)
        self._conclude()
        seen.past = False
        self._prompted += self._owed()

    def _follow(self, event: ntf.Notification) -> None:
        seen = self._seen
        goes_on = isinstance(event, ev.MoveMade) and not seen.incoming  # the turn of the step before
        seen.fold(event)
        if isinstance(event, SETTLED) or (isinstance(event, ev.Proposed) and event.seat == seen.seat):
            self._offering = False
        match event:
            case ev.GameStarted():
                if seen.past or self._over:
                    self._answers.forget()
                    self._over = self._beaten = False
            case ev.MoveMade(seat=seat) if seat == seen.seat:
                self._moved(event, goes_on=goes_on)
            case ev.GameResumed() if self._asked is not None and self._asked.request.kind == GAME_OVER:
                self._answers.refuse(self._asked.request, "the game is not over: the opponent plays on")
                self._asked = None
            case ev.GameAdjourned() if not seen.past:
                self._prompted += self._owed()
            case ev.GameSettling() if not seen.past:
                self._prompted += self._offer(Score())  # there is no word for dead stones: all are alive
            case ev.Proposed(seat=seat, proposal=Score(program=True) as score) if seat != seen.seat and not seen.past:
                if score != Score():
                    self._prompted.append(cmd.Propose(Score()))  # a program waits for an objection to its own list

    def _moved(self, event: ev.MoveMade, *, goes_on: bool) -> None:
        """A step of this player's turn is played: what it asked for, or the record shows it."""
        if self._asked is None:
            self._answers.guess(event.notation, goes_on=goes_on)
        elif (onward := self._asked.played(event.ply)) is not None:
            self._prompted.append(onward)
        else:
            self._answers.accept(self._asked.request)
            self._asked = None

    def prompted(self) -> Commands:
        self._conclude()
        return super().prompted() + self._serve()

    def _conclude(self) -> None:
        """All of one step is told: what answers it brings."""
        seen = self._seen
        if seen.outcome is not None:
            if not self._over:
                self._end(seen.outcome)
        elif self._asked is not None:
            return
        elif seen.incoming and (seen.my_turn or seen.settling):
            self._tell((SEND_MOVE, " ".join(seen.incoming)))
        elif seen.my_turn and self._answers.word is None:
            self._answers.turn_away("played, and it is still your turn")

    def _end(self, outcome: Outcome) -> None:
        asked, self._asked = None if self._asked is None else self._asked.request, None
        word, self._over = self._seen.last_word(asked.kind if asked is not None else "", outcome), True
        settled = outcome.reason is Reason.RULES and self._answers.word is not None
        self._beaten = asked is None and (settled or bool(self._seen.incoming))
        if self._beaten and settled:
            return  # play had stopped with the opponent's move
        if asked is not None:
            self._answers.accept_too(asked)
        self._tell(word)

    def _tell(self, word: Word) -> None:
        self._seen.incoming = []
        self._answers.tell(word, delivered=self._seen.told)

    def _rejected(self, message: ntf.Rejected) -> None:
        if self._seen.seat is None:
            for request in self._held:
                self._answers.refuse(request, message.text)
            self._held, self._joining, self.closing = [], False, True
        elif self._asked is None:
            self._not_granted(message.text)
        elif (first := self._asked.split(message, self._seen.ply)) is not None:
            self._prompted.append(first)
        else:
            asked, self._asked = self._asked, None
            self._not_taken(asked, message)

    def _not_granted(self, text: str) -> None:
        """The table refuses a proposal of ours: the next request has it proposed again."""
        self._offering = False
        held, self._held = self._held, []
        for request in held:
            self._answers.refuse(request, text)
        if not self._seen.started:
            self._answers.turn_away(text)

    def _not_taken(self, asked: Asked, refusal: ntf.Rejected) -> None:
        """A refusal of the table changes nothing, and an answer that was given already is given again."""
        answers, request = self._answers, asked.request
        lost = answers.guessed and not answers.delivered
        if asked.over(refusal):
            answers.accept(request)
        elif asked.made:
            answers.refuse(request, f"{asked.made} steps of this turn are played, not the next: {refusal.text}")
        elif answers.word is not None and request.kind == SEND_MOVE and (lost or request.same(answers.last)):
            answers.reply(request)
        else:
            answers.refuse(request, refusal.text)

    @classmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        return wire.to_text(data)

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        return wire.to_wire(lines)


_JUDGES: Final[Mapping[str, Callable[[Gamesman, Request], Commands]]] = {
    SEND_MOVE: Gamesman._judge_move,
    GAME_OVER: Gamesman._judge_game_over,
    RESIGN: Gamesman._judge_resign,
}
