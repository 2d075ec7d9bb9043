"""The conversation before somebody is here: a name, its password where it is an account's, and a last look."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Enter, Inquire, Login
from protocols.core.errors import Why
from protocols.core.line_text import clean
from protocols.ics.desk import Desk

BANNER: Final = (
    "",
    "   Boardgate, a server for board games.",
    "   It speaks the language of freechess.org, for chess and its relatives that are known there.",
    "",
    'If you have no name here, type "guest", or any name that nobody has.',
    "",
)
LOGIN: Final = "login: "
PASSWORD: Final = "password: "

SILENT: Final = b"\xff\xfb\x01"
HEARD: Final = b"\xff\xfc\x01"
"""Telnet's WILL ECHO and WON'T ECHO (RFC 857): a terminal does not show what is typed between them."""

GUESTS: Final = ("guest", "g")
LONGEST: Final = 32


class Stage(Enum):
    NAME = auto()
    PASSWORD = auto()
    RETURN = auto()
    HERE = auto()


class Doorway:
    """``prompt`` is what stands behind the lines, ``echo`` bytes before the next ones."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.stage = Stage.NAME
        self.prompt = LOGIN
        self.echo = b""
        self._asked = ""
        self._checks = False
        """True while a name, or a password, is looked at."""
        self.returned = False
        """True once it has been looked whether a game waits for who has come."""

    @property
    def here(self) -> bool:
        return self.stage is Stage.HERE

    def hear(self, line: str) -> list[Command]:
        """A line of somebody who is not here yet."""
        match self.stage:
            case Stage.NAME:
                return self._named(line)
            case Stage.PASSWORD:
                self.echo = HEARD
                return self._identified(line)
            case _:
                return self._comes()

    def _named(self, line: str) -> list[Command]:
        self._asked = "" if line.lower() in GUESTS else line
        if not line:
            return []
        if len(line) > LONGEST or not line.isprintable() or " " in line:
            self._desk.say("", f"Sorry, a name is one word of at most {LONGEST} letters.  Try again.", "")
            return []
        self._checks = True
        return [Enter(self._asked, exact=True)]

    def _identified(self, line: str) -> list[Command]:
        if not line:
            self._again()
            return []
        self._checks = True
        return [Login(self._asked, line)]

    def _again(self) -> None:
        self.stage, self.prompt = Stage.NAME, LOGIN

    def named(self, message: ntf.Named) -> None:
        """The server has given a name: to a guest, or an account's."""
        desk = self._desk
        desk.name = message.name
        if desk.account or not self._checks:
            return
        self._checks = False
        shown = desk.alias(message.name)
        self.stage = Stage.RETURN
        self.prompt = f'Press return to enter the server as "{shown}":'
        if not self._asked:
            desk.say("", f'Logging you in as "{shown}"; you may use this name to play unrated games.')
        elif self._asked.casefold() != message.name.casefold():
            desk.say("", clean(message.text))
        else:
            desk.say("", f'"{shown}" is not a registered name.  You may use this name to play unrated games.')

    def logged_in(self, message: ntf.LoggedIn) -> None:
        self._desk.name, self._desk.account = message.name, True
        self.stage = Stage.RETURN

    def refused(self, message: ntf.Rejected) -> None:
        """The name is an account's, or cannot be had; the password is wrong."""
        desk = self._desk
        if message.why is Why.PASSWORD_NEEDED:
            desk.say("", f"{self._asked} is a registered name.  If it is yours, type the password.")
            desk.say("If not, just hit return to try another name.", "")
            self.stage, self.prompt, self.echo = Stage.PASSWORD, PASSWORD, SILENT
            return
        if self._checks and self.stage is Stage.PASSWORD and message.why is Why.BAD_PASSWORD:
            desk.say("", "**** Invalid password! ****", "")
        elif self._checks:
            desk.say("", clean(message.text), "")
        self._checks = False
        self._again()

    def answered(self) -> list[Command]:
        """All that a line has asked for has been answered: an account is here by now."""
        return self._comes() if self.stage is Stage.RETURN and self._desk.account else []

    def _comes(self) -> list[Command]:
        """The peer is here from now on; an account hears of its games that wait."""
        desk = self._desk
        self.stage = Stage.HERE
        desk.say("", f"**** Starting FICS session as {desk.alias(desk.name)}{'' if desk.account else '(U)'} ****", "")
        return [Inquire("kept", desk.name)] if desk.account else []
