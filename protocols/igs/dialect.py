"""The dialect igs: lines of commands, and answers of numbered lines with a prompt that says where the peer is.

    NAME -> HERE                    a guest
    NAME -> PASSWORD -> HERE        an account

Somebody who is here is in one of the prompt's states: 5 waits, 6 plays, 7 scores, 8 looks on. Programs begin and end
games by that number, so the lines of a step stand before its prompt. Before "client" is switched on, people read the
same lines without their codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, Final

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Say
from protocols.core.dialect import Connecting
from protocols.core.errors import Why
from protocols.core.line_text import clean
from protocols.core.visiting import Readable, VisitingDialect
from protocols.go_words.wish import OPTIONS, read_options
from protocols.igs import shown
from protocols.igs.desk import ERROR, INFO, TOLD, WAITING, Desk
from protocols.igs.help import GENERAL
from protocols.igs.lists import Lists
from protocols.igs.lobby import GAME, Lobby
from protocols.igs.login import BANNER, Doorway, Stage
from protocols.igs.play import Play
from protocols.igs.reading import is_vertex
from protocols.igs.watching import Watching

END: Final = "\r\n"
PROMPT: Final = "#> "
CLIENTS_OWN: Final = "CLIENT:"
"""The first word of what CGoban tells an opponent's CGoban."""


class Igs(VisitingDialect):
    name = "igs"
    connecting = Connecting(
        "Clients of Go servers",
        "qGo, CGoban 1 and other programs for the Internet Go Server or NNGS, and people at telnet. Type help there.",
        (
            ("telnet, for Go by its server's words", "telnet {host} {port}"),
            ("qGo, in its list of servers", "host {host}, port {port}"),
            (
                "CGoban 1, as the first of its servers",
                r"printf 'cgoban.client.server: Boardgate|IGS||||||||\n"
                r"cgoban.client.address: {host}|igs.joyjoy.net||||||||\n"
                r"cgoban.client.port: {port}|6969||||||||\n' >> ~/.cgobanrc && cgoban -nngs",
            ),
        ),
    )
    plays = (GAME,)
    login_words = "the account's name at Login:, and its password"
    banner = BANNER
    readable: ClassVar[Readable] = shown
    options: ClassVar[Mapping[str, str]] = {
        name: f"of games that are asked for here: {OPTIONS[name]}"
        for name in ("komi", "rules", "ko", "suicide", "compensation")
    }

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._desk: Desk = Desk(usual=read_options({"rules": "japanese", **(options or {})}))
        self._doorway: Doorway = Doorway(self._desk)
        self._play: Play = Play(self._desk)
        self._lists: Lists = Lists(self._desk, self._play)
        self._lobby: Lobby = Lobby(self._desk, self._lists)
        self._watching = Watching(self._desk, self._play)
        self._silent = True

    # bytes to lines

    @staticmethod
    def _decoded(line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError:
            return line.decode("latin-1")

    def _hides(self, line: bytes) -> bool:
        """A ticket, or a line that may be a password."""
        stage = self._doorway.stage
        ahead = not self._doorway.here and (bool(self._held) or stage is Stage.PASSWORD)
        return ahead or line.lstrip().lower().startswith(b"seat")

    @classmethod
    def hide(cls, data: bytes, secret: str) -> bytes:
        for code in ("utf-8", "latin-1"):
            found = secret.encode(code, errors="replace")
            data = data.replace(found, b"*" * len(found))
        return data

    # lines to commands

    def _command(self, raw: bytes) -> list[Command]:
        return self._said(self._decoded(raw).strip("\r\0 "), self._obey)

    def _obey(self, line: str) -> list[Command]:
        """The commands of somebody who is here; none of a word that there is not, which the bare prompt answers."""
        self._silent = False
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if is_vertex(word):
            return self._play.vertex(word)
        obey = _WORDS.get(word.lower())
        if obey is None:
            if line and not self._desk.client:
                self._desk.tell(ERROR, f"{clean(word)[:40]}: Unknown command. Type help.")
            return []
        return obey(self, rest)

    def _follows(self) -> list[Command]:
        self.stays = self._doorway.here
        returned = self._doorway.returned
        asks = self._doorway.answered()
        if asks:
            self._desk.finish = self._lobby.returns
        return asks if not returned else []

    def _withdraw(self, rest: str) -> list[Command]:
        found = self._lobby.withdraw(rest)
        if found is None:
            raise ValueError("There are no offers to withdraw.")
        return found

    def _tell(self, rest: str) -> list[Command]:
        """To anybody who is here. What CGoban says to another one is not passed on."""
        to, _, words = rest.partition(" ")
        if not words.strip():
            raise ValueError("tell NAME something")
        if words.startswith(CLIENTS_OWN):
            return []
        name, desk = self._desk.meant(to), self._desk
        desk.finish = lambda: desk.tell(TOLD, f"--> {desk.alias(name)} {clean(words)}")
        return [Say(name, words.strip(), self._desk.name)]

    def _switch(self, rest: str) -> list[Command]:
        """Programs want to be waiting when they have come: a game that is played is told after that prompt."""
        desk, was = self._desk, self._desk.client
        found, state = self._lists.switch(rest), desk.state
        if desk.client and not was and state != WAITING:
            desk.state = WAITING
            self._flush(answer=True)
            self._play.again()
        return found

    def _help(self, rest: str) -> list[Command]:
        self._desk.tell(INFO, *GENERAL)
        return []

    def _alive(self, rest: str) -> list[Command]:
        self._desk.tell(INFO, "yes")
        return []

    def _quit(self, rest: str) -> list[Command]:
        self._desk.tell(INFO, "You have logged out. Thank you for playing here.")
        self._flush()
        self.closing = True
        return self._play.leave()

    # what is told

    def _refused(self, message: ntf.Rejected) -> None:
        """A claim that was withdrawn may have lapsed: that is said to nobody."""
        lapsed = self._doorway.here and not self._desk.answering and message.why is Why.NOT_NOW
        if not lapsed:
            super()._refused(message)

    def keep_alive(self) -> list[Command]:
        """Look at the offers; somebody who has come and says nothing is told once what to say.

        qGo says nothing as a guest before it is told a line behind those of the login.
        """
        if self._silent and self._doorway.here and not self._desk.answering:
            self._silent = False
            self._desk.inform('Type "help" to read what can be said here.')
            self._flush()
        return super().keep_alive()

    def send_aside(self, table: int, messages: Iterable[ntf.ToldAside], seq: int) -> bytes:
        desk = self._desk
        desk.now = self.heard
        waiting, desk.lines = desk.lines, []
        self._prompted += self._watching.aside(table, messages)
        if self._desk.answering:
            desk.lines = waiting + desk.lines
            return b""
        data, desk.lines = self._block_of(answer=False), waiting
        return data

    # lines to bytes

    def _flush(self, *, answer: bool = False) -> None:
        """Queue what is said line by line: each is a whole message."""
        self._queue += self._block_of(answer=answer).splitlines(keepends=True)

    def _block_of(self, *, answer: bool) -> bytes:
        """The lines that wait, without their codes for people, and the prompt behind them."""
        lines, self._desk.lines = self._desk.lines, []
        if not (lines or answer):
            return b""
        prompt = self._doorway.prompt
        if self._doorway.here:
            number = self._desk.number(watches=self._watching.watches)
            prompt = f"1 {number}{END}" if self._desk.client else PROMPT
            if not self._desk.client:
                lines = [line.partition(" ")[2] for line in lines]
        before = END if not (answer or self._desk.client) and self._doorway.here else ""
        body = "".join(f"{line}{END}" for line in lines)
        return f"{before}{body}{prompt}".encode(errors="replace")


def _board(ask: Callable[[Play, str], list[Command]]) -> Callable[[Igs, str], list[Command]]:
    return lambda peer, rest: ask(peer._play, rest)


def _watch(ask: Callable[[Watching, str], list[Command]]) -> Callable[[Igs, str], list[Command]]:
    return lambda peer, rest: ask(peer._watching, rest)


def _list(ask: Callable[[Lists, str], list[Command]]) -> Callable[[Igs, str], list[Command]]:
    return lambda peer, rest: ask(peer._lists, rest)


def _other(ask: Callable[[Lobby, str], list[Command]]) -> Callable[[Igs, str], list[Command]]:
    return lambda peer, rest: peer._freed(lambda: ask(peer._lobby, rest))


_WORDS: Final[Mapping[str, Callable[[Igs, str], list[Command]]]] = {
    "accept": Igs._accept,
    "adjourn": _board(Play.adjourn),
    "all": _watch(Watching.all),
    "ayt": Igs._alive,
    "decline": Igs._decline,
    "done": _board(Play.done),
    "exit": Igs._quit,
    "game": _list(Lists.games),
    "games": _list(Lists.games),
    "handicap": _board(Play.settled_before),
    "help": Igs._help,
    "kibitz": _watch(Watching.kibitz),
    "komi": _board(Play.settled_before),
    "load": _other(Lobby.load),
    "logout": Igs._quit,
    "match": _other(Lobby.match),
    "moves": _watch(Watching.moves),
    "nmatch": _other(Lobby.nmatch),
    "noundo": _board(Play.no_undo),
    "observe": _watch(Watching.observe),
    "pass": _board(Play.go_pass),
    "quit": Igs._quit,
    "resign": _board(Play.resign),
    "resume": _board(Play.resume),
    "say": _board(Play.say),
    "score": _board(Play.score),
    "seat": Igs._seat,
    "set": Igs._switch,
    "stats": _list(Lists.stats),
    "stored": _list(Lists.stored),
    "tell": Igs._tell,
    "toggle": Igs._switch,
    "undo": _board(Play.undo),
    "undoplease": _board(Play.undo),
    "unobserve": _watch(Watching.unobserve),
    "userlist": _list(Lists.users),
    "who": _list(Lists.who),
    "withdraw": Igs._withdraw,
}
"""The commands of somebody who is here."""
