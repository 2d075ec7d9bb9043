"""The dialect of Go engines that dial in: the gateway commands, the engine answers, one question at a time.

Before our first command is answered an engine may say who it is: a line with its user's name, then one with its ticket.
It is asked for its name, version and commands, takes a seat, and plays game after game: after each it leaves the table
and is free for the next. It is let go, with quit, when it loses by its own fault: a move that is none or that the rules
forbid, a legal move refused twice, an answer without end, wrong ids again and again.

``awaiting`` says what the dialect waits for, ``late`` what follows when it waits in vain. Source: the GTP version 2
draft; the post of commands for play on servers; kgsGtp's description of its commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from protocols.core import events as ev
from protocols.core import foreign
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Leave
from protocols.core.dialect import Awaited, Connecting, Dialect
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.followed import Status
from protocols.core.numbers import whole
from protocols.core.proposals import Start
from protocols.go_words.table import CROSSED
from protocols.go_words.wish import ENGINES_OPTIONS, read_options
from protocols.gtp import codec, engine_board, engine_match, engine_words
from protocols.gtp.codec import Answer, Answers, Stray
from protocols.gtp.engine_talk import MOVE_S, Board, Question, Talk, nothing
from protocols.gtp.offered import LIMITS, read_limits

MOST_WRONG: Final = 8
"""Answers without a question: an engine that is one answer behind is not understood any more."""

MOST_WAITING: Final = 64
"""Questions that wait: talk beyond that is not passed on."""

PARTING_S: Final = 2.0
"""Seconds an engine may take to answer quit."""

LARGEST_ID: Final = 999
"""Ids are small: some engines keep few digits."""


class GtpEngine(Dialect):
    name = "gtp-engine"
    connecting = Connecting(
        "Go engines",
        "An engine that speaks the Go Text Protocol dials in, and plays game after game against whoever waits.",
        (
            ("GNU Go", "gnugo --mode gtp --gtp-connect {address}"),
            ("GNU Go, as any engine that cannot dial", 'boardgate gtp {address} --command "gnugo --mode gtp"'),
        ),
        untried=("Leela Zero",),
    )
    plays = ("go",)
    ticket_words = "two lines before the first command is answered: {name}, then {ticket}"
    login_words = "two lines before the first command is answered: NAME, then PASSWORD"
    secret_marks = (b"",)
    quick_ack = True
    roams = True
    options: ClassVar[Mapping[str, str]] = {
        **{name: f"what engines play each other at: {text}" for name, text in ENGINES_OPTIONS.items()},
        **LIMITS,
        "games": "games of one connection before the engine is let go; 0 (any number) is usual",
    }

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        said = (options or {}).get("games", "0")
        games = whole(said, 6)
        if games is None:
            raise ValueError(f"games {said!r}: a number")
        self._most_games = games
        self._answers = Answers()
        wish = read_options(options or {})
        if wish.rated and not engine_match.is_standard(wish):
            raise ValueError("rated games of engines: area rules, komi 7.5, no handicap")
        limits = read_limits(options or {})
        if beyond := limits.excluded(wish):
            raise ValueError(f"an engine of this listener {beyond}")
        self._talk = Talk(wish, limits, remarks=self.remarks)
        self._asked: Question | None = None
        self._number = 0
        self._wrong = 0
        self._greeted = False
        self._parted = False

    @property
    def hears_talk(self) -> bool:  # type: ignore[override]
        return self._talk.lists("comment") or self._talk.lists("kgs-chat")

    def connected(self) -> list[Command]:
        engine_match.greet(self._talk)
        self._go_on()
        return []

    def receive_data(self, data: bytes) -> list[Command]:
        """As Dialect's. What came before an answer without end is returned first, with what that costs the engine:
        ``closing`` is True then, and the next call raises the error."""
        if not data:
            return self._lost()
        items = self._answers.receive_data(data)
        self._queue += self._answers.reader.answers()
        for item in items:
            if not self.closing:
                self._heard(item)
        broken = self._answers.broken
        if broken and not self.closing:
            self._broke("answers without end")
        commands = self._commands()
        if broken and not commands:
            raise RemoteProtocolError(broken)
        return commands

    def _lost(self) -> list[Command]:
        here = self._talk.joined and not self.closing
        self.closing = True
        return [Leave(lost=True)] if here else []

    def _heard(self, item: Answer | Stray) -> None:
        if isinstance(item, Stray):
            if not self._greeted:
                if why := foreign.answer(item.text, foreign.GTP, foreign.GTP):
                    self._queue.append(codec.write_comment(why))
                    self.closing = True
                    raise RemoteProtocolError(why)
                engine_match.introduced(self._talk, item.text)
                self._secrets += [self._talk.ticket, self._talk.secret]
            return
        asked, number = self._asked, self._number_sent
        if asked is None or item.id not in (None, number):
            self._wrong += 1
            if self._wrong > MOST_WRONG:
                self._broke("answers what it is not asked")
            return
        self._answered(asked, item)

    def _answered(self, asked: Question, answer: Answer) -> None:
        self._asked, self._greeted, self._wrong = None, True, 0
        asked.then(self._talk, answer)
        self._go_on()

    def _go_on(self) -> None:
        """Ask the next question, or let the engine go."""
        talk = self._talk
        self._queue.extend(map(codec.write_comment, talk.comments))
        talk.comments.clear()
        while self._asked is None and not self.closing:
            if self._parted:
                self._part()
            elif talk.questions:
                self._ask(talk.questions.popleft())
            elif talk.parting:
                self._part()
            elif talk.seated and talk.table.status is Status.OVER:
                self._next_game()
            elif talk.seated and (question := engine_board.next_question(talk)) is not None:
                self._ask(question)
            elif not talk.parting:
                return

    def _next_game(self) -> None:
        talk = self._talk
        engine_match.leave(talk)
        if self._most_games and talk.games >= self._most_games:
            talk.parting = True
        else:
            engine_match.look_for_a_game(talk)

    def _ask(self, question: Question) -> None:
        self._number += 1
        self._asked = question
        self._queue.append(codec.write_command(self._number_sent, question.words))

    @property
    def _number_sent(self) -> int:
        return (self._number - 1) % LARGEST_ID + 1

    def _broke(self, why: str) -> None:
        """The engine is not heard any more: no answer of it is waited for."""
        self._talk.give_up(why)
        if not self._parted and self._talk.lists("quit"):
            self._ask(Question("quit", nothing))
        self._asked = None
        self._talk.parting = self.closing = True

    def _part(self) -> None:
        """Hang up once it has answered quit: an engine that is still writing then, as GNU Go is, would die of that."""
        self._talk.parting = True
        if self._parted or not self._talk.lists("quit"):
            self.closing = True
            return
        self._parted = True
        self._ask(Question("quit", nothing, PARTING_S, optional=True))

    def _commands(self) -> list[Command]:
        commands, self._talk.asks = self._talk.asks, []
        return commands

    def send(self, message: ntf.Notification) -> None:
        talk = self._talk
        if (
            self.closing
            or self._parted
            or isinstance(
                message,
                ntf.Answered
                | ntf.LoggedIn
                | ntf.MovesListed
                | ntf.Noticed
                | ntf.Tidings
                | ntf.Unmatched
                | ntf.Called
                | ntf.Uncalled,
            )
        ):
            return
        if isinstance(message, ntf.Displaced):
            self._displaced()
            return
        if isinstance(message, ntf.Named | ntf.Stakes | ntf.Rated):
            text = message.text if isinstance(message, ntf.Named) else message.words(talk.table.seat)
            self._queue.append(codec.write_comment(text))
            return
        if isinstance(message, ntf.Seated):
            self._sat_down(message)
        elif isinstance(message, ntf.CalledAway):
            engine_match.called_away(talk)
        elif isinstance(message, ntf.Rejected):
            self._refused(message)
        elif talk.seated:
            offered = talk.table.mine(Start)
            talk.table.fold(message)
            if offered is not None and isinstance(message, ev.Declined):
                engine_match.declined(talk, message)
            self._happened(message)
        self._go_on()
        self._prompted += self._commands()

    def _displaced(self) -> None:
        """A comment says why, then the engine is let go, even while it thinks about a move."""
        talk = self._talk
        talk.seated = talk.joined = False
        talk.questions.clear()
        self._queue.append(codec.write_comment(ntf.DISPLACED))
        self._part()

    def _sat_down(self, message: ntf.Seated) -> None:
        talk = self._talk
        talk.seated = True
        talk.table.catch_up(message.seat, message.past)
        engine_words.came_back(talk)
        engine_match.consider(talk)
        for made in talk.table.offers():
            engine_words.proposed(talk, made)

    def _refused(self, message: ntf.Rejected) -> None:
        """A move that the rules forbid loses; without a seat there is nothing to stay for."""
        talk = self._talk
        if not talk.seated:
            if talk.joined and not message.at_table and message.why is not Why.NOT_SEATED:  # else from its last table
                talk.joined, talk.parting = False, True
                self._queue.append(codec.write_comment(message.text))
        elif message.why is Why.NO_ACCOUNT:
            engine_match.play_unrated(talk, message.text)
        elif talk.board.moving is not None:
            talk.board.moving = None
            if message.why is Why.TOO_FAST:
                self._queue.append(codec.write_comment(message.text))  # it is asked again
            if message.why not in CROSSED:
                talk.give_up(f"plays an illegal move ({message.text})")

    def _happened(self, event: ev.Event) -> None:
        """Follow an event beside the table."""
        talk = self._talk
        match event:
            case ev.Proposed():
                engine_words.proposed(talk, event)
                engine_words.score_proposed(talk, event.seat)
                if event.seat != talk.table.seat:
                    engine_match.consider(talk)
                elif isinstance(event.proposal, Start):
                    talk.pending = None
            case ev.SeatTaken() | ev.SeatLeft():
                engine_match.consider(talk)
            case ev.Said() if len(talk.questions) < MOST_WAITING:
                engine_words.said(talk, event)
            case ev.GameStarted():
                talk.games += 1
                talk.board, talk.excused, talk.silent = Board(), False, False
            case ev.MoveMade():
                self._moved(event)
            case ev.MovesTakenBack(ply=ply):
                talk.board.taken_back(ply)
            case ev.GameAdjourned():
                talk.board.moving = None
            case ev.GameEnded():
                talk.board.moving = None
                engine_match.over(talk)
            case ev.TableClosed():
                talk.parting, talk.joined = True, False

    def _moved(self, event: ev.MoveMade) -> None:
        board = self._talk.board
        self._talk.spoken = 0
        board.told = None
        if event.seat == self._talk.table.seat and board.moving is not None:
            board.moving, board.tries = None, 0

    @property
    def program(self) -> str:
        return self._talk.engine

    @property
    def awaiting(self) -> Awaited | None:
        """The question to the engine; None for a move while its clock runs: then the flag falls."""
        asked = self._asked
        settings = self._talk.table.settings
        timed = settings is not None and settings.time is not None
        if asked is None or self.closing or (asked.within_s == MOVE_S and timed):
            return None
        return Awaited(self._number, asked.words, asked.within_s)

    def late(self) -> list[Command]:
        """Without a list of dead stones the opponent decides; any other missing answer loses."""
        asked = self._asked
        if asked is None or self.closing:
            return []
        if asked.optional:
            self._answered(asked, Answer(False, "no answer in time"))
        else:
            self._broke(f"does not answer {asked.words.partition(' ')[0]} in time")
        return self._commands()

    @classmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        return codec.to_text(data, answers=not sent)

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        return codec.to_wire(lines)
