"""The dialect ics: lines of commands and answers, as the chess servers on the Internet have them.

    NAME -> RETURN -> HERE                    a guest
    NAME -> PASSWORD -> HERE                  an account

Somebody who is here seeks and is challenged, plays, and looks on at games meanwhile; a game that is over is left with
the next word that needs it. A line's answer ends with the prompt, or stands in a block where the client has asked for
those; what nobody has asked for comes on lines of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.commands import Command
from protocols.core.dialect import Connecting
from protocols.core.visiting import Readable, VisitingDialect
from protocols.ics import shown, timeseal
from protocols.ics.channel import Channel
from protocols.ics.desk import END, PROMPT, Desk, in_block
from protocols.ics.help import GENERAL, help_on
from protocols.ics.lists import Lists
from protocols.ics.lobby import Lobby
from protocols.ics.login import BANNER, Doorway, Stage
from protocols.ics.play import Play
from protocols.ics.reading import GAME, is_move
from protocols.ics.tidings import News
from protocols.ics.watching import Watching

UNKNOWN: Final = 512
"""The code of a command that there is none of."""


class Ics(VisitingDialect):
    name = "ics"
    connecting = Connecting(
        "Clients of chess servers",
        "XBoard and other programs for the Free Internet Chess Server, and people at telnet. Type help there.",
        (
            ("XBoard, as a client of chess servers", "xboard -ics -icshost {host} -icsport {port}"),
            (
                'PyChess; say 127.1 for "localhost", to which it lists no games',
                "pychess --ics-host {host} --ics-port {port}",
            ),
            (
                "eboard, which then has it in Peer, ICS Bookmarks",
                "mkdir -p ~/.eboard && echo Host,{host},{port},FICS >> ~/.eboard/eboard.conf",
            ),
            ("telnet, for chess by its server's words", "telnet {host} {port}"),
            ("Knights, if the port is 5000: Game, New, Chess server", "{host}"),
            ("netcat, for chess by its server's words", "nc {host} {port}"),
            ("Ncat", "ncat {host} {port}"),
            ("socat", "socat - TCP:{address}"),
            ("TinyFugue", "tf {host} {port}"),
            ("TinTin++", 'tt++ -e "#session chess {host} {port}"'),
        ),
        untried=("mekk.fics for Python",),
    )
    plays = (GAME,)
    login_words = "the account's name at login:, and its password"
    banner = BANNER
    readable: ClassVar[Readable] = shown

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._desk: Desk = Desk()
        self._doorway: Doorway = Doorway(self._desk)
        self._lists: Lists = Lists(self._desk)
        self._lobby: Lobby = Lobby(self._desk, self._lists)
        self._play: Play = Play(self._desk)
        self._watching, self._channel = Watching(self._desk, self._play), Channel(self._desk)
        self._news = News(self._desk, self._play, self._watching, self._lists)
        self._seals = self._begun = False
        self._block = ""
        self._code = 0

    # bytes to lines

    def _hides(self, line: bytes) -> bool:
        """A ticket, or a line that may be a password."""
        ahead = not self._doorway.here and (self._held or self._doorway.stage is not Stage.NAME)
        return bool(ahead) or _is_secret(line)

    @classmethod
    def hide(cls, data: bytes, secret: str) -> bytes:
        found = secret.encode("latin-1", errors="replace")
        return data.replace(found, b"*" * len(found))

    # lines to commands

    def _command(self, raw: bytes) -> list[Command]:
        line = self._read(raw)
        if line is None:
            return []
        return self._said(line, self._obey)

    def _read(self, raw: bytes) -> str | None:
        """The command in a line, None where it has none: a client's first word of its seal, or an answer to a ping."""
        first, self._begun = not self._begun, True
        plain = timeseal.opened(raw) if first or self._seals else None
        if plain is not None:
            raw = plain
        line = raw.decode("latin-1").strip("\r\0 ")
        if first and plain is not None and timeseal.HELLO.match(line):
            self._seals = True
            return None
        return None if line.startswith("\x02") else line

    def _obey(self, line: str) -> list[Command]:
        """The commands of somebody who is here."""
        self._block, self._code = "", 0
        if self._desk.has("block"):
            number, _, rest = line.partition(" ")
            if number.isdigit():
                self._block, line = number[:9], rest.strip()
            else:
                self._block = "0"
        line = line.lstrip("$@/").strip()
        if not line:
            return []
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if is_move(word) and word.lower() not in _WORDS and not rest:
            self._code = _MOVE
            return self._play.move(word)
        name = _full(word.lower())
        if name is None:
            self._code = UNKNOWN
            self._desk.say(f"{word[:40]}: Command not found.")
            return []
        known = _WORDS[name]
        self._code = known.code
        return known.obey(self, rest)

    def _follows(self) -> list[Command]:
        asks = self._doorway.answered() or self._returns()
        self.stays = self._doorway.here
        self.hears_everybody = self.stays and self._channel.listens
        self.hears_tidings = self.stays and self._news.listens
        return asks

    def _returns(self) -> list[Command]:
        """Back to the own seat in a game that goes on, where one has just come in."""
        if self._doorway.returned or not self._doorway.here:
            return []
        self._doorway.returned = True
        running = [one for one in self._lists.kept if not one.adjourned]
        return self._lobby.resume(running[-1]) if running else []

    # what is asked, where more than one part answers

    def _withdraw(self, rest: str) -> list[Command]:
        found = self._play.withdraw(rest) or self._lobby.withdraw(rest)
        if found is None:
            raise ValueError("There are no offers to withdraw.")
        return found

    def _rematch(self, rest: str) -> list[Command]:
        here = self._play.rematch()
        return here if here is not None else self._freed(lambda: self._lobby.rematch(rest))

    def _style(self, rest: str) -> list[Command]:
        """Another form of positions; a player sees the own board in it at once."""
        self._lists.style(rest)
        return self._play.shows_again() if self._play.playing else []

    def _set(self, rest: str) -> list[Command]:
        name, _, value = rest.partition(" ")
        return self._style(value) if name.lower() == "style" else self._lobby.set(rest)

    def _speak(self, to: str, rest: str) -> list[Command]:
        return (self._watching if self._play.own is None else self._play).speak(to, rest)

    def _observers(self, rest: str) -> list[Command]:
        return self._lists.observers(self._watching.asked(rest))

    def _help(self, rest: str) -> list[Command]:
        self._desk.say(*(help_on(rest, sorted(_WORDS)) if rest else GENERAL))
        return []

    def _quit(self, rest: str) -> list[Command]:
        self._desk.say("Logging you out.", "Thank you for playing here.")
        self.closing = True
        self._flush(answer=True)
        return self._play.leave()

    # what is told

    def send(self, message: ntf.Notification) -> None:
        super().send(message)
        if self._desk.lines and not (self._desk.answering or self.closing):
            self._flush()

    def _told(self, message: ntf.Notification) -> None:
        if isinstance(message, ev.Said) and message.to == ev.CHANNEL:
            self._channel.told(message)
            return
        if isinstance(message, ntf.Tidings):
            self._news.told(message)
            return
        super()._told(message)
        self._remember(message)

    def _remember(self, message: ntf.Notification) -> None:
        seen = self._play.own
        if isinstance(message, ev.GameEnded) and seen is not None and seen.settings is not None and seen.other:
            self._lobby.last = (seen.other, seen.settings, seen.seat)

    def send_aside(self, table: int, messages: Iterable[ntf.ToldAside], seq: int) -> bytes:
        self._desk.now = self.heard
        self._prompted += self._watching.aside(table, messages)
        if self._desk.answering:
            return b""
        return self._block_of(answer=False)

    # lines to bytes

    def _block_of(self, *, answer: bool) -> bytes:
        """The bytes of the lines that wait, with the prompt behind them."""
        lines, self._desk.lines = self._desk.lines, []
        doorway = self._doorway
        if not (lines or answer):
            return b""
        body = END.join(lines) + END if lines else ""
        if not doorway.here:
            echo, doorway.echo = doorway.echo, b""
            return body.encode("latin-1", errors="replace") + doorway.prompt.encode("latin-1", "replace") + echo
        prompt = "" if self.closing else PROMPT
        if answer and self._block:
            body = in_block(lines, self._block, self._code)
        elif not answer:
            body = END + body
        self._block = self._block if not answer else ""
        echo, doorway.echo = doorway.echo, b""
        return echo + (body + prompt).encode("latin-1", errors="replace")


def _is_secret(line: bytes) -> bool:
    """True for a line, which may be sealed, that presents a ticket."""
    plain = (timeseal.opened(line) or line).decode("latin-1").lstrip("$@/ 0123456789")
    return _full(plain.partition(" ")[0].lower()) == "seat"


@dataclass(frozen=True, slots=True)
class _Word:
    """A command: its code in block mode, 0 where clients know none."""

    obey: Callable[[Ics, str], list[Command]]
    code: int = 0


def _board(ask: Callable[[Play, str], list[Command]], code: int = 0) -> _Word:
    return _Word(lambda peer, rest: ask(peer._play, rest), code)


def _watch(ask: Callable[[Watching, str], list[Command]], code: int = 0) -> _Word:
    return _Word(lambda peer, rest: ask(peer._watching, rest), code)


def _list(ask: Callable[[Lists, str], list[Command]], code: int = 0) -> _Word:
    return _Word(lambda peer, rest: ask(peer._lists, rest), code)


def _ask(ask: Callable[[Lobby, str], list[Command]], code: int = 0) -> _Word:
    return _Word(lambda peer, rest: ask(peer._lobby, rest), code)


def _other(ask: Callable[[Lobby, str], list[Command]], code: int = 0) -> _Word:
    return _Word(lambda peer, rest: peer._freed(lambda: ask(peer._lobby, rest)), code)


_MOVE: Final = 1

_WORDS: Final[Mapping[str, _Word]] = {
    "+channel": _Word(lambda peer, rest: peer._channel.join(rest), 12),
    "-channel": _Word(lambda peer, rest: peer._channel.leave(rest), 129),
    "abort": _board(Play.abort, 10),
    "accept": _Word(Ics._accept, 11),
    "adjourn": _board(Play.adjourn, 13),
    "allobservers": _Word(Ics._observers, 14),
    "date": _list(Lists.date, 32),
    "decline": _Word(Ics._decline, 33),
    "draw": _board(Play.draw, 34),
    "exit": _Word(Ics._quit, 97),
    "finger": _list(Lists.finger, 37),
    "flag": _board(Play.flag, 38),
    "follow": _Word(lambda peer, rest: peer._news.follow(rest), 41),
    "games": _list(Lists.games, 43),
    "history": _list(Lists.history, 51),
    "help": _Word(Ics._help, 50),
    "iset": _ask(Lobby.iset, 56),
    "journal": _list(Lists.journal, 60),
    "kibitz": _Word(lambda peer, rest: peer._speak("all", rest), 62),
    "match": _other(Lobby.match, 73),
    "moretime": _board(Play.more_time, 76),
    "moves": _watch(Watching.moves, 77),
    "observe": _watch(Watching.observe, 80),
    "pending": _ask(Lobby.pending, 87),
    "play": _other(Lobby.play, 158),
    "quit": _Word(Ics._quit, 97),
    "refresh": _watch(Watching.refresh, 101),
    "rematch": _Word(Ics._rematch, 102),
    "resign": _board(Play.resign, 103),
    "say": _board(Play.say, 107),
    "seat": _Word(Ics._seat),
    "seek": _other(Lobby.seek, 155),
    "set": _Word(Ics._set, 109),
    "shout": _Word(lambda peer, rest: peer._channel.shout(rest), 110),
    "showlist": _list(Lists.show_list, 111),
    "sought": _ask(Lobby.sought, 157),
    "stored": _list(Lists.stored, 127),
    "style": _Word(Ics._style, 128),
    "takeback": _board(Play.takeback, 131),
    "tell": _Word(lambda peer, rest: peer._channel.tell(rest) or peer._play.tell(rest), 132),
    "unobserve": _watch(Watching.unobserve, 138),
    "unseek": _ask(Lobby.unseek, 156),
    "variables": _list(Lists.show_variables, 143),
    "whisper": _Word(lambda peer, rest: peer._speak("observers", rest), 145),
    "who": _list(Lists.who, 146),
    "withdraw": _Word(Ics._withdraw, 147),
}
"""The commands of somebody who is here."""

_SHORT: Final = {"=": "showlist", "?": "help", "t": "tell", "k": "kibitz", "m": "match", "g": "games", "o": "observe"}


def _full(word: str) -> str | None:
    """The command that begins so: the first in the alphabet, of those that do; None: there is none."""
    if word in _WORDS:
        return word
    if word in _SHORT:
        return _SHORT[word]
    return next((name for name in _WORDS if name.startswith(word)), None)
