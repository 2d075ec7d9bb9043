"""H.G. Muller's chess peer-to-peer protocol, the gateway's side: it is the opponent's adapter to every client.

Clients are adapters of chess GUIs. What they say changes the copy of their GUI's state, and in some modes asks
something of the table; what happens at the table is told as state changes of the opponent's GUI.

Source: H.G. Muller's text of the protocol, whose modes are the states below. Before its seat a client may say ``ticket
SECRET``, ``myname NAME`` (or ``name NAME``, and also ``NAME#SECRET``) and ``variant NAME`` (to come back to a game
without rules here); the next line of the protocol takes the seat. ``text /seat SECRET`` takes it at once. ``text /login
NAME PASSWORD`` logs an account in; ``name NAME#PASSWORD`` does, too, with the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import play, start, words
from protocols.chess_p2p.messages import OURS, Message
from protocols.chess_p2p.table import RULES, game_of
from protocols.chess_p2p.talk import Mode, Talk
from protocols.chess_p2p.told import tell
from protocols.chess_p2p.wire import Lines
from protocols.core import events as ev
from protocols.core import foreign
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Inquire, Join, Leave, Propose, read_login
from protocols.core.dialect import Connecting
from protocols.core.errors import RemoteProtocolError
from protocols.core.followed import Status
from protocols.core.in_turn import InTurnDialect
from protocols.core.proposals import Start


class ChessP2P(InTurnDialect[Message]):
    name = "chess-p2p"
    connecting = Connecting(
        "XBoard and other chess programs",
        "Any window that runs chess engines takes the adapter for an engine, and the other player makes its moves.",
        (
            ("XBoard", 'xboard -fcp "boardgate xboard {address}"'),
            ("XBoard, with the table's clocks", 'xboard -firstPseudo -fcp "boardgate xboard {address}"'),
            (
                "HoiChess, in XBoard's window",
                'xboard -mg 1 -fcp hoichess -scp "boardgate xboard {address}" -tc 5 -inc 2',
            ),
            (
                "Phalanx, in XBoard's window",
                'xboard -mg 1 -fcp phalanx -scp "boardgate xboard {address}" -tc 5 -inc 2',
            ),
            (
                "GNOME Chess, which then has Boardgate among its opponents, at Easy",
                "sudo sh -c 'printf \"\\n[Boardgate]\\nprotocol=cecp\\nbinary=boardgate\\narg-easy-0=xboard\\n"
                "arg-easy-1={address}\\n\" >> /etc/gnome-chess/engines.conf'",
            ),
            (
                "DreamChess, by a file of two lines",
                "printf '#!/bin/sh\\nexec boardgate xboard {address}\\n' > ~/opponent && chmod +x ~/opponent "
                "&& dreamchess -1$HOME/opponent",
            ),
            ("python-chess", 'chess.engine.SimpleEngine.popen_xboard(["boardgate", "xboard", "{address}"])'),
        ),
        untried=("Cute Chess", "WinBoard", "ChessX", "HaChu and GNU Shogi in XBoard's window"),
    )
    plays = ("chess", "open")
    ticket_words = "name {name}#{ticket}; in XBoard: boardgate xboard HOST --ticket {ticket}"
    login_words = "text /login NAME PASSWORD"
    secret_marks = (b"#", words.LOGIN.encode())
    patient = True
    ticketed = True
    hears_talk = True
    roams = True
    hears_seeks = True
    options: ClassVar[Mapping[str, str]] = {"time": "the time control of a table where nobody names another: 300+5"}

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        time = (options or {}).get("time", "")
        self._lines = Lines()
        self._talk = Talk(self._queue, wishes=(("time", time),) if time else ())
        self._ticket = ""
        self._account = ""
        self._logins = 0
        """Logins without an answer so far."""
        self._seated = False

    def connected(self) -> list[Command]:
        """ "Sent after answering an incoming call": the peer knows at once that it is here."""
        self._talk.say(words.HALLO)
        return []

    def _split(self, data: bytes) -> None:
        """Ping asks whether the connection lives: a table that waits for its disk must not make it look dead."""
        for message in self._lines.receive_data(data):
            if type(message) is p2p.Ping:
                self._talk.knows = True
                self._talk.say(p2p.Pong(message.number))
            else:
                self._held.append(message)
        self._queue += self._lines.answers()
        if self._lines.broken:
            raise RemoteProtocolError(self._lines.broken)

    def _end(self) -> list[Command]:
        self.closing = True
        return [] if self._talk.mode is Mode.UNSEATED else [Leave(lost=True)]

    def _hear(self, message: Message) -> list[Command]:
        talk = self._talk
        talk.now = self.heard
        talk.asked.clear()  # it has all been answered, or it would not be this message's turn
        talk.trials.clear()
        if type(message) in OURS:
            talk.knows = True
        if type(message) is p2p.Text and message.text.startswith(f"{words.LOGIN} "):
            return self._log_in(message.text.removeprefix(words.LOGIN))
        if talk.mode is Mode.UNSEATED:
            return self._greeted(message)
        if type(message) is p2p.Quit:
            self.closing = True
            return [Leave()]
        return self._obey(message)

    def _log_in(self, text: str) -> list[Command]:
        """Its user is an account's owner. A seat that the program has taken already is taken anew under that name."""
        talk = self._talk
        try:
            login = read_login(text)
        except ValueError as wrong:
            talk.text(str(wrong))
            return []
        self._secrets.append(login.secret)
        if talk.table.status in (Status.PLAYING, Status.ADJOURNED):
            talk.text(f"{words.LOGIN} is for players without a game: finish this one first")
            return []
        self._logins += 1
        talk.name = login.name or talk.name
        if talk.mode is Mode.UNSEATED:
            return [login]
        talk.mode, self._seated = Mode.SETUP, False
        called = "" if self._account else login.name  # an account's connection without a name has the account's
        return [Leave(), login, Join(talk.game, called, ready=False)]

    def _logged_in(self, message: ntf.LoggedIn | ntf.Rejected) -> None:
        """The answer to a login; the conversation goes on where it was wrong."""
        self._logins -= 1
        if isinstance(message, ntf.LoggedIn):
            self._account = message.name
        self._talk.name = self._account or self._talk.name
        self._talk.text(message.text if isinstance(message, ntf.Rejected) else f"you are {message.name}")

    def _greeted(self, message: Message) -> list[Command]:
        """Lines that introduce the peer; the first one that says anything else takes a seat."""
        match message:
            case p2p.Ticket(secret=secret):
                self._ticket = secret
                self._secrets.append(secret)
                return []
            case p2p.MyName(name=name) | p2p.Name(name=name):
                called, _, ticket = name.partition("#")
                self._talk.name = self._account or called
                self._ticket = ticket.strip() or self._ticket
                self._secrets.append(ticket.strip())
                return [] if self._ticket or not self._talk.name.strip() else [Inquire("kept", self._talk.name)]
            case p2p.Text(text=text) if text.startswith(f"{words.SEAT} "):
                self._ticket = text.removeprefix(words.SEAT).strip()
                self._secrets.append(self._ticket)
                self._talk.by_ticket = True
                return [replace(self._join(), kept=True)]
            case p2p.Text(text=text) if text.startswith(f"{words.AGAINST} "):
                self._against(text.removeprefix(words.AGAINST).strip())
                return []
            case p2p.Variant():
                return start.copy(self._talk, message)
            case p2p.Quit():
                self.closing = True
                return []
            case p2p.Unknown(line=line) | p2p.Malformed(line=line):
                return self._not_understood(line, message)
        return [self._join(), *self._obey(message)]

    def _not_understood(self, line: str, message: p2p.Unknown | p2p.Malformed) -> list[Command]:
        """A message that is not understood costs no seat; a peer of another protocol is told so and hung up on."""
        if why := foreign.answer(line, foreign.PEER_TO_PEER, words.TITLE):
            self._talk.text(why)
            raise RemoteProtocolError(why)
        if isinstance(message, p2p.Malformed):
            return _unreadable(self._talk, message)
        if line:
            self._talk.text(f"{line[:60]!r} is no word of {words.TITLE}: set up a game and start it")
        return []

    def _against(self, bot: str) -> None:
        """Choose the opponent; which house bots there are, the server says when a seat is taken."""
        talk = self._talk
        others = tuple(wish for wish in talk.wishes if wish[0] != "against")
        talk.wishes = others if bot.lower() == "anybody" else (*others, ("against", bot))
        talk.text(f"you play against {bot}: start your game")

    def _join(self) -> Join:
        """A variant named before the seat leads to a table where it is played: a seat is kept at its game.

        An unknown name is answered when it is to be played: it costs no seat.
        """
        talk = self._talk
        talk.mode, talk.game = Mode.SETUP, game_of(talk.gui.variant) or RULES
        wishes = talk.wishes if talk.game == RULES else (*talk.wishes, ("variant", talk.gui.variant))
        return Join(talk.game, talk.name, self._ticket, wishes, ready=False)

    def _obey(self, message: Message) -> list[Command]:
        talk = self._talk
        commands = _STATES[talk.mode][type(message)](talk, message)
        for command in commands:
            if isinstance(command, Join):
                self._seated = False
            elif not isinstance(command, Leave):
                talk.asked.append(command)
        return commands

    def send(self, message: ntf.Notification) -> None:
        if self.closing:
            return
        answer = _ANSWERS.get(type(message))
        if answer is not None:
            answer(self, message)
            return
        tell(self._talk, message)
        if self._talk.prompts:
            self._ask_prompted()

    def _ask_prompted(self) -> None:
        """The first move, which lay in the peer's hand when another time was agreed upon than it had proposed."""
        talk = self._talk
        talk.asked.extend(talk.prompts)
        self._prompted += talk.prompts
        talk.prompts.clear()

    def _sat(self, message: ntf.Seated) -> None:
        self._seated = True
        own = message.ticket == self._ticket
        tell(self._talk, replace(message, ticket="") if own else message)  # a client knows its own secret
        self._propose_again()

    def _propose_again(self) -> None:
        talk, standing = self._talk, self._talk.standing
        if standing is not None and talk.table.status is Status.WAITING:
            talk.asked.append(again := Propose(standing))
            self._prompted.append(again)
        else:
            talk.standing = None

    def _called_away(self, message: ntf.CalledAway) -> None:
        """To where another player waits: what its Go has proposed stands there, too."""
        talk = self._talk
        talk.standing = talk.table.mine(Start)
        wishes = talk.wishes if talk.game == RULES else (*talk.wishes, ("variant", talk.gui.variant))
        self._prompted.append(Join(talk.game, talk.name, self._ticket, wishes, ready=False))

    def _rejected(self, message: ntf.Rejected) -> None:
        if self._logins:
            self._logged_in(message)
        elif self._talk.mode is Mode.UNSEATED:
            self._talk.name = self._account  # nobody may be called so
            self._talk.text(message.text)
        elif self._seated:
            tell(self._talk, message)
        elif not message.at_table:
            self._give_up(message.text)  # without a seat there is nothing to stay for

    def _noticed(self, message: ntf.Noticed) -> None:
        if self._talk.mode is Mode.UNSEATED:
            self._talk.text(*words.noticed(message))

    def _named(self, message: ntf.Named) -> None:
        self._talk.text(message.text)

    def _displaced(self, message: ntf.Displaced) -> None:
        self._give_up(ntf.DISPLACED)

    def _closed(self, event: ev.TableClosed) -> None:
        self._give_up("this table is closed")

    def _give_up(self, why: str) -> None:
        """ "Sent as last command before closing a connection": Quit, after the reason."""
        self._talk.text(why)
        self._talk.say(p2p.Quit())
        self.closing = True


def _unreadable(talk: Talk, message: p2p.Malformed) -> list[Command]:
    talk.text(f"cannot read {message.line[:100]!r}: it is written {message.form}")
    return []


_ANSWERS: Final[Mapping[type, Callable[[ChessP2P, Any], None]]] = {
    ntf.Seated: ChessP2P._sat,
    ntf.CalledAway: ChessP2P._called_away,
    ntf.LoggedIn: ChessP2P._logged_in,
    ntf.Rejected: ChessP2P._rejected,
    ntf.Noticed: ChessP2P._noticed,
    ntf.Named: ChessP2P._named,
    ntf.Displaced: ChessP2P._displaced,
    ev.TableClosed: ChessP2P._closed,
}
"""Notifications that change the conversation and not the table; all else is told as it is."""

_Answer = Callable[[Talk, Any], list[Command]]

_ALWAYS: Final[Mapping[type, _Answer]] = {
    p2p.Text: play.said,
    p2p.Draw: play.propose,
    p2p.Adjourn: play.propose,
    p2p.Abort: play.propose,
    p2p.Resume: play.propose,
    p2p.Rematch: play.propose,
    p2p.Takeback: play.propose,
    p2p.Resign: play.resign,
    p2p.Accept: play.accept,
    p2p.Decline: play.decline,
    p2p.Malformed: _unreadable,
    # The clocks are the table's; a name is known before the seat; unknown words are ignored.
    **dict.fromkeys(
        (p2p.Time, p2p.OTim, p2p.Hallo, p2p.Name, p2p.MyName, p2p.Ticket, p2p.Pong, p2p.Unknown),
        start.idle,
    ),
}
"""Messages that mean the same in every mode: the table says whether they are allowed."""

_CHANGES: Final = (p2p.Variant, p2p.SetBoard, p2p.Level, p2p.Undo, p2p.Remove)

_COPIES: Final[Mapping[type, _Answer]] = {
    p2p.New: start.renew,
    **dict.fromkeys((*_CHANGES, p2p.Advanced), start.copy),
}
"""State changes of a GUI that no game is played with."""

_SETUP: Final[Mapping[type, _Answer]] = {
    **_ALWAYS,
    **_COPIES,
    **dict.fromkeys(_CHANGES, start.set_up),
    p2p.Go: start.go,
    p2p.Accepted: start.nothing_offered,
    p2p.Result: start.idle,
}

_STATES: Final[Mapping[Mode, Mapping[type, _Answer]]] = {
    Mode.SETUP: _SETUP,
    Mode.PROPOSED: _SETUP,
    Mode.OFFERED: {**_SETUP, p2p.Accepted: start.agree},
    Mode.ENTERING: {
        **_ALWAYS,
        **_COPIES,
        p2p.Go: start.go_on,
        p2p.Undo: play.undone,
        p2p.Accepted: start.accepted,
        p2p.Result: play.resulted,
    },
    Mode.PLAYING: {
        **_ALWAYS,
        p2p.New: play.renewed,
        **dict.fromkeys((p2p.Variant, p2p.SetBoard, p2p.Level), start.copy),
        p2p.Advanced: play.moved,
        p2p.Undo: play.undone,
        p2p.Remove: play.removed,
        p2p.Go: start.go_on,
        p2p.Accepted: start.idle,
        p2p.Result: play.resulted,
    },
    Mode.ADJOURNED: {
        **_ALWAYS,
        **_COPIES,
        p2p.Go: start.resume,
        p2p.Accepted: start.nothing_offered,
        p2p.Result: start.idle,
    },
}
"""The state machine: what each message does in each mode."""
