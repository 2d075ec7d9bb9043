"""GTP peers for tests: a scripted engine, a GUI, and short forms for both at a real table of Go.

An engine answers each command from its answers by name; what has no answer is answered "=".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from protocols.core.commands import Command
from protocols.core.model import Settings
from protocols.gtp.engine import GtpEngine
from protocols.gtp.gui import GtpGui
from tests.protocols.duel import Duel
from tests.protocols.talk import NONE, ask, heard

SMALL = Settings("go", "area", 9, 9, 2, options=(("size", "9"),))

COMMANDS = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove "
    "time_settings time_left undo final_status_list"
)
"""The commands that an ordinary engine lists."""

SET_UP = ("boardsize 9", "clear_board", "komi 6.5")
"""The first commands of a GUI."""

Reply = str | list[str] | Callable[[str], str | None]


class Engine:
    """An engine's end of the wire: answers every command, and keeps what it was asked.

    ``replies`` are by the command's name: one text, texts for one time each (the last for ever), or a function of the
    command's words; None does not answer. A text without "=" or "?" is a good answer.
    """

    def __init__(
        self, replies: Mapping[str, Reply] | None = None, listed: str = COMMANDS, options: Mapping[str, str] = NONE
    ) -> None:
        self.dialect = GtpEngine(options)
        lists = "\n".join(listed.split())
        self.replies: dict[str, Reply] = {"name": "Thinker", "version": "1", "list_commands": lists, **(replies or {})}
        self.asked: list[str] = []
        """Every command, without its id."""
        self.unanswered: list[str] = []

    def serve(self) -> list[Command]:
        """Answer questions until none is left; return the commands that come of it."""
        commands: list[Command] = []
        while lines := heard(self.dialect):
            for line in lines:
                commands += self._answer(line)
        return commands

    def _answer(self, line: str) -> list[Command]:
        number, _, words = line.partition(" ")
        self.asked.append(words)
        text = self._text(words)
        if text is None:
            self.unanswered.append(number)
            return []
        mark, body = (text[0], text[1:].strip()) if text[:1] in ("=", "?") else ("=", text)
        return self.dialect.receive_data(f"{mark}{number} {body}\n\n".encode())

    def _text(self, words: str) -> str | None:
        reply = self.replies.get(words.partition(" ")[0], "=")
        if isinstance(reply, list):
            return reply.pop(0) if len(reply) > 1 else reply[0]
        return reply if isinstance(reply, str) else reply(words)

    def answer_late(self, text: str) -> list[Command]:
        """The answer to the oldest command that had none."""
        return self.dialect.receive_data(f"={self.unanswered.pop(0)} {text}\n\n".encode())


class GoTable(Duel):
    """A table of Go where engines are served until nothing more happens."""

    def __init__(self, settings: Settings | None = SMALL) -> None:
        super().__init__(settings, game="go")
        self.engines: list[Engine] = []

    def dial(self, engine: Engine) -> Engine:
        """An engine connects, is greeted and takes a seat."""
        self.engines.append(engine)
        self.come(engine.dialect)
        self.settle()
        return engine

    def settle(self) -> None:
        """Serve every engine until none is asked anything."""
        busy = True
        while busy:
            busy = False
            for engine in self.engines:
                commands = engine.serve()
                if commands:
                    busy = True
                    self.do(engine.dialect, commands)

    def say(self, gui: GtpGui, *lines: str) -> list[str]:
        """Send these lines from the GUI, serve the engines after each, and return the answers."""
        answers: list[str] = []
        for line in lines:
            answers += self.ask(gui, line)
            self.settle()
            answers += heard(gui)
        return answers


def gui(table: GoTable | None = None, *lines: str, options: Mapping[str, str] = NONE) -> GtpGui:
    """A GUI that has said these lines; their answers are read away."""
    peer = GtpGui(options)
    if table is None:
        if lines:
            ask(peer, *lines)
        heard(peer)
    else:
        table.come(peer)
        table.say(peer, *lines)
    return peer


def sent(peer: GtpEngine) -> list[str]:
    """The commands queued for an engine, without their ids."""
    return [line.partition(" ")[2] for line in heard(peer)]


def two(*first: str) -> tuple[GoTable, GtpGui, GtpGui]:
    """Black, who has played D4 and said ``first``, and White, both in one game."""
    table = GoTable()
    black = gui(table, *SET_UP, "play b D4")
    white = gui(table, *SET_UP, "genmove b")
    heard(black)
    table.say(black, *first)
    return table, black, white


def settling() -> tuple[GoTable, GtpGui, GtpGui]:
    """The same after D4, C3, pass, pass."""
    table, black, white = two()
    table.say(white, "play w C3", "play w pass")
    table.say(black, "genmove w", "play b pass")
    table.say(white, "genmove b", "play w pass")
    assert table.say(black, "genmove w") == ["= pass"]
    return table, black, white
