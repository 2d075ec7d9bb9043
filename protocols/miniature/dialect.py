"""Miniature's P2P chess, the gateway's side: lines of text, for its clients and for people at telnet.

Source: the draft of Miniature's P2P protocol, which no released client spoke. Where it leaves something open:

* Silence agrees: who moved is told nothing, unless its FEN was not the table's: that comes as ``sync error; fen``. The
  same line sets a client to a position that it cannot know.
* A client without a seat is told the seeks that stand: words that say who seeks, then the seek's own line. ``play``
  takes the only one, ``play NAME`` that player's.
* ``play`` with nothing on offer takes the next seek, whatever it is. To who left the colour open, the agreement is told
  as the same seek back with the colour that the other side got.
* A ``manual`` seek is a proposal that its seeker confirms. The other's ``play`` is its proposal to start; the seeker is
  told ``play``, and confirms by ``play``. Each seek takes the place of the one before.
* A confirmation wins over a move in flight. If that of a takeback comes first, the move is for another moment and is
  discarded, by its ply or by a FEN that no move leads to from where the game stands (without either, it is a move like
  any other). If the move came first, the offer still stands: ``draw`` ends the game, and ``takeback N`` (also N + 1)
  leads to the position that was named, which the confirmer is told by ``sync error``.
* The courtesy adjourn: flags fall by the table's clock, so no player can be spared; to one who lost the connection the
  offer stands until he is back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, Final

from protocols.core import foreign
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Inquire, Leave, Login
from protocols.core.dialect import Connecting
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.events import MovesTakenBack, Said, TableClosed
from protocols.core.in_turn import InTurnDialect
from protocols.core.line_reader import LineReader
from protocols.miniature import asking
from protocols.miniature import words as say
from protocols.miniature.asking import NOTHING, Answer, error
from protocols.miniature.sitting import Sitting
from protocols.miniature.table import State, Table
from protocols.miniature.visit import Visit
from protocols.miniature.wire import ANSWERS, LONGEST_LINE, command, decode, full, write_seek


class Miniature(Visit, InTurnDialect[bytes]):
    name = "miniature"
    connecting = Connecting(
        "Telnet",
        "Chess by typed lines, as on the old chess servers. Type help once you are there.",
        (
            ("telnet, for chess in Miniature's words", "telnet {host} {port}"),
            ("netcat, for chess in Miniature's words", "nc {host} {port}"),
        ),
    )
    plays = ("chess",)
    ticket_words = "tell gateway seat {ticket}"
    login_words = "tell gateway leave, then tell gateway login NAME PASSWORD"
    secret_marks = (b" lo",)
    patient = True
    ticketed = True
    roams = True
    hears_seeks = True
    hears_talk = True
    options: ClassVar[Mapping[str, str]] = {
        "time": 'the clock of a seek that names none, in seconds: "300", "300+5" or "none"',
    }

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        InTurnDialect.__init__(self, options)
        Visit.__init__(self, (options or {}).get("time", ""))
        self._lines = LineReader(LONGEST_LINE)
        self._newline = b"\n"
        self._outdated = 0
        """The number of held lines that came before a takeback: a move among them is for a position that is gone."""

    def connected(self) -> list[Command]:
        self._say(say.WELCOME)
        return []

    def _split(self, data: bytes) -> None:
        if not self._held:
            self._outdated = 0
        lines = self._lines.receive_data(data)
        self._queue += self._lines.answers()
        for line in lines:
            if line is None:
                raise RemoteProtocolError(f"a line of more than {LONGEST_LINE} bytes")
            self._held.append(line)

    def _end(self) -> list[Command]:
        """Half a line when the peer closes asks nothing."""
        self.closing = True
        return [] if self.state is State.LOBBY else [Leave(lost=True)]

    def _give_up(self, why: str) -> None:
        self._say(say.error("too-long", why))

    def _hear(self, line: bytes) -> list[Command]:
        """The commands of a line; it is answered with one error at most."""
        self._asked.waiting.clear()  # it has all been answered, or it would not be this line's turn
        self._naming = None
        self._newline = b"\r\n" if line.endswith(b"\r") else b"\n"  # as the peer's own screen wants it
        try:
            text = decode(line)
            word, rest = command(text)
            if self.state is State.LOBBY and (why := foreign.answer(text, foreign.FICS, say.TITLE)):
                self._say(say.error("protocol", why))
                raise RemoteProtocolError(why)
            answer = self._obey(_COMMANDS, word, rest) if text and word not in ANSWERS else NOTHING
        except ValueError as wrong:
            answer = error("syntax", str(wrong))
        self._say(*answer.lines)
        self._secrets += [asked.secret for asked in answer.commands if isinstance(asked, Login)]
        return list(answer.commands)

    def _obey(self, known: _Commands, word: str, rest: str) -> Answer:
        answers, state = known.get(word), self.state
        if answers is None:
            return error("unknown-command", f"{word[:40]!r}; type: tell gateway help")
        answer = answers.get(state)
        if answer is None:
            code = "observer" if state is State.WATCHING else "not-now"
            early = state is State.OPEN and State.LOBBY in answers
            return error(code, f"no {word} now: {'you have a seat' if early else state.value}")
        return answer(self, rest)

    def _tell(self, rest: str) -> Answer:
        to, _, text = rest.partition(" ")
        text = text.strip()
        if to.lower() == say.GATEWAY:
            topic, _, more = text.partition(" ")
            return self._obey(_TOPICS, full(topic.lower(), _TOPICS), more.strip())
        if not text:
            raise ValueError(f"nothing to tell {to[:40]!r}; it is tell NICK TEXT or tell {say.OBSERVERS} TEXT")
        if to.lower() == say.EVERYBODY:
            self.hears_everybody = True
        return asking.unheard(to, self.state, self._sitting) or self._speak(
            asking.listener(to, self.state, self._sitting), text
        )

    def _listen(self, rest: str) -> Answer:
        if rest.lower() not in ("", "yes", "no"):
            raise ValueError("tell gateway listen, or tell gateway listen no")
        self.hears_everybody = rest.lower() != "no"
        return Answer(lines=(say.remark(say.LISTENS if self.hears_everybody else say.LISTENS_NOT),))

    def _move(self, rest: str) -> Answer:
        if self._sitting is None:
            return NOTHING
        outdated = self._heard <= self._outdated
        return asking.overtaken(self._sitting, rest) if outdated else asking.move(self._sitting, rest)

    def _help(self, rest: str) -> Answer:
        return Answer(lines=tuple(map(say.remark, say.HELP)))

    def _nothing(self, rest: str) -> Answer:
        return NOTHING

    def send(self, message: ntf.Notification) -> None:
        match message:
            case ntf.Seated(table=table, seat=seat, past=past, ticket=ticket):
                self._waiting, self._seeks = False, []
                self._sitting = Sitting(Table(number=table), self._asked)
                self._say(*self._sitting.arrived(seat, past, ticket))
            case ntf.LoggedIn(name=name):
                self._logins -= 1
                self._name = name
                self._say(say.remark(f"you are {name}"))
            case ntf.Named(name=name, text=text):
                self._named(name, text)
            case ntf.Rejected() if self._logins:
                self._logins -= 1
                self._say(say.refusal(message))
            case ntf.Rejected() if self._naming is not None:
                self._name, self._naming = self._naming, None
                self._say(say.refusal(message))
            case ntf.Rejected():
                self._rejected(message)
            case ntf.Answered(lines=lines, topic=topic):
                named = [f"you sit down as {self._name}"] if topic == "kept" else []
                taking = [say.TAKING] if topic == "offers" and any(map(say.is_offer, lines)) else []
                self._say(*map(say.remark, (*named, *lines, *taking)))
            case ntf.Displaced():
                self._say(say.remark(ntf.DISPLACED))
                self.closing = True
            case ntf.Noticed():
                self._say(*self._noticed(message))
            case ntf.CalledAway():
                self._prompted += self._called_away().commands
            case ntf.Called():
                self._called(message)
            case ntf.Uncalled(text=text):
                self._prompted += self._leave("").commands
                self._say(say.remark(text))
            case ntf.Unmatched() | ntf.MovesListed() | ntf.Tidings():
                pass
            case _ if self._sitting is not None:
                if isinstance(message, MovesTakenBack):
                    self._outdated = len(self._held)
                self._say(*self._sitting.told(message))
                self.closing = self.closing or isinstance(message, TableClosed)
            case Said(seat=None, name=name):
                self._say(say.said(message, name))

    def _called(self, message: ntf.Called) -> None:
        """To the seat of a game that comes of an offer, which a ticket stands for; or to a player who waits."""
        if self._sitting is not None:
            return
        self._say(say.remark(message.text))
        join, then = message.join, self._propose(message.start).commands
        opponent = dict(join.wishes).get("opponent", "")
        self._prompted += self._join(*then, ticket=join.ticket, opponent=opponent, settings=join.settings).commands

    def _named(self, name: str, text: str) -> None:
        """Its name at a table, or while it is here without a seat: what waits for who is called so is told with it."""
        asked = self._name
        if self._sitting is None:
            self._name = name
        if asked != name:
            self._say(say.remark(text))
        if self._naming is not None and asked:
            self._prompted.append(Inquire("kept", asked))
        self._naming = None

    def _rejected(self, message: ntf.Rejected) -> None:
        """Commands for a seat that was not given are refused too: one refusal is enough."""
        if self._sitting is not None:
            unrated = self._sitting.unrated(message)
            self._say(*self._sitting.refused(message))
            if unrated is not None:
                self._say(say.remark(f"it is sought unrated now: {write_seek(unrated) or 'as you said it'}"))
                self._prompted += self._propose(unrated).commands
        elif self._waiting or message.why is not Why.NOT_SEATED:
            self._waiting = False
            self._asked.waiting.clear()
            self._say(say.refusal(message))

    def _say(self, *lines: str) -> None:
        self._queue.extend(line.encode(errors="replace") + self._newline for line in lines)


_Ask = Callable[[Miniature, str], Answer]
_Commands = Mapping[str, Mapping[State, _Ask]]

_AT_A_TABLE: Final = (State.OPEN, State.PLAYING, State.ADJOURNED, State.OVER)
_UNSEATED: Final = (State.LOBBY, State.WATCHING)


def _in(states: Iterable[State], ask: _Ask) -> dict[State, _Ask]:
    return dict.fromkeys(states, ask)


def _at(ask: Callable[[Sitting, str], Answer], *states: State) -> dict[State, _Ask]:
    """The same for what is asked at a table, in states that are at one."""
    return _in(states, _here(ask))


def _here(ask: Callable[[Sitting, str], Answer]) -> _Ask:
    def asked(peer: Miniature, rest: str) -> Answer:
        return NOTHING if peer._sitting is None else ask(peer._sitting, rest)

    return asked


def _again(here: _Ask, elsewhere: _Ask) -> _Ask:
    """The next game: at the same table; a single player goes to another, for a finished game gets no opponent."""

    def asked(peer: Miniature, rest: str) -> Answer:
        if peer._sitting is None or peer._sitting.table.others():
            return here(peer, rest)
        answer = elsewhere(peer, rest)
        return Answer((Leave(), *answer.commands), answer.lines)

    return asked


_COMMANDS: Final[_Commands] = {
    "tell": _in(State, Miniature._tell),
    "help": _in(State, Miniature._help),
    "seek": {
        State.LOBBY: Miniature._sit_and_seek,
        **_in((State.ASKED, State.OPEN), Miniature._seek),
        State.OVER: _again(Miniature._seek, Miniature._sit_and_seek),
    },
    "play": {
        State.LOBBY: Miniature._sit_and_play,
        State.ASKED: Miniature._take_next,
        **_at(asking.play, State.OPEN),
        State.OVER: _again(_here(asking.play), Miniature._sit_and_play),
        **_at(asking.resume, State.ADJOURNED),
        State.PLAYING: Miniature._nothing,  # it crossed the other's on its way
    },
    "move": _in([State.PLAYING], Miniature._move),
    "takeback": _at(asking.takeback, State.PLAYING),
    "draw": _at(asking.draw, State.PLAYING),
    "resign": _at(asking.resign, State.PLAYING),
    "adjourn": _at(asking.adjourn, State.PLAYING),
    "sync": _at(asking.sync, *_AT_A_TABLE, State.WATCHING),
}
"""The state machine: what each command does in each state. Where a state is not listed, the command is an error."""

_TOPICS: Final[_Commands] = {
    "help": _in(State, Miniature._help),
    "who": _in(State, Miniature._who),
    "tables": _in(State, Miniature._tables),
    "seat": _in(_UNSEATED, Miniature._take_seat),
    "name": _in(_UNSEATED, Miniature._call),
    "match": _in(_UNSEATED, Miniature._match),
    "observe": _in(_UNSEATED, Miniature._observe),
    "against": _in(_UNSEATED, Miniature._choose_bot),
    "leave": _in((State.OPEN, State.ADJOURNED, State.OVER, State.WATCHING), Miniature._leave),
    "login": _in(_UNSEATED, Miniature._log_in),
    "offer": _in((State.LOBBY,), Miniature._offer),  # before offers, which begins so
    "offers": _in(State, Miniature._offers),
    "challenge": _in((State.LOBBY,), Miniature._challenge),
    "take": _in((State.LOBBY,), Miniature._take),
    "withdraw": _in(State, Miniature._withdraw),
    "rematch": _at(asking.rematch, State.OVER),
    "abort": _at(asking.abort, State.PLAYING),
    "moretime": _at(asking.more_time, State.PLAYING),
    "accept": _at(asking.accept, *_AT_A_TABLE),
    "decline": _at(asking.decline, *_AT_A_TABLE),
    "listen": _in(State, Miniature._listen),
}
"""The same for what is told to the gateway; without a word it helps, as "help" begins with nothing too."""
