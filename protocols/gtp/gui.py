"""The dialect of Go GUIs: the gateway is the engine that a GUI starts, and its moves are those of the opponent.

A GUI sets up a game and begins it: ``play b`` or ``genmove w`` first means that its user is Black, ``play w`` or
``genmove b`` White; until then no seat is asked for. Each command is answered in turn; genmove waits until the
opponent has moved, and is given up by the comment ``# interrupt``. Before it has a seat a client may say who it is in
comments, which no GTP program takes for commands: ``# name NAME`` and ``# ticket SECRET``. ``# seat TICKET`` wants the
seat of this ticket or none; ``# ticket`` may bring a secret of its own for a new seat. ``# back MOVES`` with a ticket
means that it comes back to a game, and shows so many moves of it again: it begins no other one where that is
gone, and none of these moves is made anew where it was taken back.

Source: the GTP version 2 draft; GoGui's ``gogui-interrupt`` and its comment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from protocols.core import foreign
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Leave, Login, read_login
from protocols.core.dialect import Connecting, Dialect
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.events import Declined, Proposed, Said, TableClosed
from protocols.core.followed import Status
from protocols.core.numbers import whole
from protocols.core.release import VERSION
from protocols.go_words.table import Table
from protocols.go_words.wish import OPTIONS, read_options
from protocols.gtp import codec, gui_menu, gui_offers, gui_play, gui_score, gui_set_up
from protocols.gtp.codec import Answer, CommandLines
from protocols.gtp.gui_talk import Fails, InGame, Talk, Waiting

MOST_WAITING: Final = 128
"""Commands that wait for the one before them: a game played again comes in one piece, and is answered at once."""

NO_COMMAND: Final = "no command: an empty line, or one that is too long"

_INTERRUPT: Final = "interrupt"

_Serve = Callable[[Talk, tuple[str, ...]], str | Waiting]


class GtpGui(Dialect):
    name = "gtp-gui"
    connecting = Connecting(
        "Quarry, GoGui and other Go programs",
        "A Go program takes the adapter for its engine, and the other player makes its moves.",
        (
            ("Quarry: Preferences, GTP Engines, Add", "boardgate gtp {address}"),
            ("@sabaki/gtp for JavaScript", 'new Controller("boardgate", ["gtp", "{address}"])'),
        ),
        untried=("GoGui", "Sabaki", "q5Go"),
    )
    plays = ("go",)
    ticket_words = "# seat {ticket}; in a Go GUI: boardgate gtp HOST --ticket {ticket}"
    login_words = "boardgate-login NAME PASSWORD"
    secret_marks = (b"login", b"#")
    patient = True
    roams = True
    hears_talk = True
    options: ClassVar[Mapping[str, str]] = {
        name: f"where the GUI does not say: {text}" for name, text in OPTIONS.items()
    }

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._lines = CommandLines()
        self._talk = Talk(read_options(options or {}))
        self._broken = ""

    def receive_data(self, data: bytes) -> list[Command]:
        """As Dialect's. What was asked before too many commands wait is returned first: ``closing`` is True then, and
        the next call raises the error."""
        if self._broken:
            raise RemoteProtocolError(self._broken)
        if not data:
            return [] if self.closing else self._lost()
        lines = self._lines.receive_data(data)
        self._queue += self._lines.reader.answers()
        for line in lines:
            if not self.closing:
                self._heard(line)
        commands = self._asked()
        if self._broken and not commands:
            raise RemoteProtocolError(self._broken)
        return commands

    def _lost(self) -> list[Command]:
        self.closing = True
        return [Leave(lost=True)] if self._talk.joined else []

    def _asked(self) -> list[Command]:
        commands, self._talk.asks = self._talk.asks, []
        return commands

    def _heard(self, line: str | None) -> None:
        """Comments act at once; commands wait for their turn."""
        talk = self._talk
        if line is None:
            talk.queue.append(codec.GtpCommand(None, ""))
        elif line.startswith("#"):
            self._remark(line[1:].strip())
        elif (command := codec.parse(line)) is not None:
            talk.queue.append(command)
        self._work()
        if len(talk.queue) > MOST_WAITING:
            self.closing, self._broken = True, f"more than {MOST_WAITING} commands wait"

    def _remark(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        talk = self._talk
        if word == _INTERRUPT and not rest and talk.waiting is not None:
            waiting, talk.waiting = talk.waiting, None
            waiting.interrupted(talk)
            self._answer(Answer(False, "interrupted", waiting.id))
        elif word == "name" and not talk.joined:
            talk.name = rest.strip()
        elif word in ("ticket", "seat") and not talk.joined:
            talk.ticket, talk.kept = rest.strip(), word == "seat"
            self._secrets.append(talk.ticket)
        elif word == "back" and not talk.joined:
            talk.back, talk.replays = True, whole(rest, 4) or 0

    def _work(self) -> None:
        """Answer what can be answered, in order."""
        talk = self._talk
        while talk.queue and talk.waiting is None and not self.closing:
            command = talk.queue.popleft()
            try:
                self._begin(command)
            except (Fails, ValueError) as wrong:
                self._answer(Answer(False, str(wrong), command.id))

    def _begin(self, command: codec.GtpCommand) -> None:
        serve = _COMMANDS.get(command.name)
        if serve is None:
            raise Fails(self._foreign(command) or ("unknown command" if command.name else NO_COMMAND))
        answer = serve(self._talk, command.arguments)
        if isinstance(answer, LogIn):
            self._secrets += answer.login.secret.split()
        if isinstance(answer, Waiting):
            answer.id = command.id
            self._talk.waiting = answer
            self._look(None)
        else:
            self._answer(Answer(True, answer, command.id))
        if self._talk.gone:
            self._talk.ask(*self._lost())

    def _foreign(self, command: codec.GtpCommand) -> str:
        """The answer to a program of another protocol, which is hung up on; "" for any other."""
        line = " ".join((command.name, *command.arguments))
        why = "" if self._talk.joined else foreign.answer(line, foreign.GTP, foreign.GTP)
        if why:
            self.closing, self._broken = True, why
        return why

    def _look(self, message: ntf.Notification | None) -> None:
        """Answer the command that waits, if its answer is known now."""
        talk, waiting = self._talk, self._talk.waiting
        if waiting is None:
            return
        try:
            text = waiting.look(talk, message)
        except (Fails, ValueError) as wrong:
            self._answer(Answer(False, str(wrong), waiting.id))
        else:
            if text is None:
                return
            self._answer(Answer(True, text, waiting.id))
        talk.waiting = None

    def send(self, message: ntf.Notification) -> None:
        talk = self._talk
        if self.closing or isinstance(message, ntf.Noticed | ntf.Tidings):
            return
        if isinstance(message, ntf.Answered) and not (message.topic or talk.seated):
            return
        if isinstance(message, ntf.Seated):
            talk.table, talk.known, talk.seated, talk.joined, talk.kept = Table(), 0, True, True, False
            talk.number, talk.looking = message.table, message.seat is None
            talk.table.catch_up(message.seat, message.past)
            talk.sat_down(waits=talk.waiting is not None)
            self._is_back()
            self._comment(*gui_offers.offers(talk))
        elif isinstance(message, ntf.Displaced):
            self._displaced()
            return
        elif isinstance(message, ntf.CalledAway):
            talk.called_away()
        elif isinstance(message, TableClosed):
            talk.forget()
        elif isinstance(message, ntf.Rejected):
            if self._expected(message):
                return
        elif isinstance(message, ntf.Answered):
            pass
        elif isinstance(message, ntf.Named):
            talk.heard.append(message.text)
            return
        elif isinstance(message, ntf.LoggedIn):
            talk.name = message.name
        elif not talk.seated:
            return
        elif isinstance(message, ntf.Stakes | ntf.Rated):
            self._comment(message.words(talk.table.seat))
        elif not isinstance(message, ntf.Unmatched | ntf.Called | ntf.Uncalled):
            talk.table.fold(message)
            if isinstance(message, Proposed) and message.seat == talk.table.seat:
                talk.pending = False
            if isinstance(message, Proposed) and (text := gui_offers.offer(talk, message)):
                self._comment(text)
            if isinstance(message, Declined):
                talk.declined(message.seat)
            if isinstance(message, Said):
                gui_menu.overhear(talk, message)
        self._look(message)

    def prompted(self) -> list[Command]:
        """The commands behind one that has its answer: once all of a step was told, for play may have stopped by it."""
        self._work()
        self._prompted += self._asked()
        return super().prompted()

    def _is_back(self) -> None:
        """A client that comes back to a game that is gone has got a seat at another table, and does not want it."""
        talk = self._talk
        gone = talk.back and not talk.table.begun and talk.table.status is not Status.OVER
        talk.back = False
        if gone:
            talk.leave(lost=False)
            if talk.waiting is not None:
                self._answer(Answer(False, "this game is not here any more", talk.waiting.id))
                talk.waiting = None

    def _displaced(self) -> None:
        """The command that waits is answered; a comment says it to a GUI that waits for nothing."""
        waiting, self._talk.waiting = self._talk.waiting, None
        if waiting is not None:
            self._answer(Answer(False, ntf.DISPLACED, waiting.id))
        self._comment(ntf.DISPLACED)
        self.closing = True

    def _comment(self, *texts: str) -> None:
        """Words for people, which end as an answer does."""
        self._queue += [codec.write_comment(text) + b"\n" for text in texts]

    def _expected(self, message: ntf.Rejected) -> bool:
        """True if this refusal needs no answer: nothing waits for it, or what was withdrawn had lapsed before."""
        talk = self._talk
        talk.pending = False
        fails = isinstance(talk.waiting, InGame) and talk.waiting.fails
        crossed = talk.withdrawn and message.why is Why.NOT_NOW
        if talk.joined and not talk.seated and (message.at_table or message.why is Why.NOT_SEATED):
            return True  # it was asked at a table that the GUI has left, or has been called away from
        talk.withdrawn = False
        if talk.waiting is None and not talk.seated:
            talk.joined = False
        return (crossed and not fails) or talk.waiting is None

    def _answer(self, answer: Answer) -> None:
        self._queue.append(codec.write_answer(answer))

    @classmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        return codec.to_text(data, answers=sent)

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        return codec.to_wire(lines)


def _quit(talk: Talk, words: tuple[str, ...]) -> str:
    """As a lost connection: the seat is kept."""
    talk.gone = True
    return ""


@dataclass(slots=True)
class LogIn(Waiting):
    """Waits until an account is logged in."""

    login: Login = field(default_factory=lambda: Login("", ""))

    def look(self, talk: Talk, message: ntf.Notification | None) -> str | None:
        if message is None:
            talk.ask(self.login)
        if isinstance(message, ntf.Rejected):
            raise Fails(message.text)
        return f"you are {message.name}" if isinstance(message, ntf.LoggedIn) else None


def _log_in(talk: Talk, words: tuple[str, ...]) -> Waiting:
    return LogIn(login=read_login(" ".join(words)))


def _constant(text: str) -> _Serve:
    return lambda talk, words: text


def _known_command(talk: Talk, words: tuple[str, ...]) -> str:
    return "true" if words and words[0] in _COMMANDS else "false"


def _list_commands(talk: Talk, words: tuple[str, ...]) -> str:
    return "\n".join(_COMMANDS)


_COMMANDS: Final[Mapping[str, _Serve]] = {
    "protocol_version": _constant("2"),
    "name": _constant("Boardgate"),
    "version": _constant(VERSION),
    "known_command": _known_command,
    "list_commands": _list_commands,
    "quit": _quit,
    "gogui-interrupt": _constant(""),
    "boardsize": gui_set_up.boardsize,
    "clear_board": gui_set_up.clear_board,
    "komi": gui_set_up.komi,
    "kgs-rules": gui_set_up.rules,
    "fixed_handicap": gui_set_up.fixed,
    "place_free_handicap": gui_set_up.fixed,
    "set_free_handicap": gui_set_up.free,
    "time_settings": gui_set_up.time_settings,
    "kgs-time_settings": gui_set_up.styled_time_settings,
    "time_left": gui_score.left,
    "play": gui_play.play,
    "genmove": gui_play.genmove,
    "kgs-genmove_cleanup": gui_play.genmove,
    "undo": gui_offers.undo,
    "final_score": gui_score.final_score,
    "final_status_list": gui_score.final_status_list,
    "showboard": gui_score.showboard,
    "boardgate-dead": gui_score.mark_dead,
    "boardgate-return": _constant(""),
    "kgs-chat": gui_menu.chat,
    "gogui-analyze_commands": gui_menu.analyze_commands,
    "boardgate-talk": gui_menu.heard,
    "boardgate-legal": gui_menu.legal,
    "boardgate-clocks": gui_menu.clocks,
    "boardgate-opponent": gui_menu.opponent,
    "boardgate-table": gui_menu.table,
    "boardgate-tables": gui_menu.tables,
    "boardgate-observe": gui_menu.observe,
    "boardgate-login": _log_in,
    "boardgate-against": gui_menu.against,
    "boardgate-draw": gui_offers.draw,
    "boardgate-abort": gui_offers.abort,
    "boardgate-agree": gui_offers.agree,
    "boardgate-decline": gui_offers.decline,
}
"""The state machine is the table's: each of these looks at where the game stands, and answers in every state."""
