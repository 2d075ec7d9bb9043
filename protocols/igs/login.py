"""The conversation before somebody is here: a name, and its password where it is an account's."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Enter, Inquire, Login
from protocols.core.errors import Why
from protocols.core.line_text import clean
from protocols.igs.desk import INFO, VERSION, Desk

BANNER: Final = (
    "Boardgate, a server for board games, in the language of the Internet Go Server.",
    'If you have no name here, type "guest", or any name that nobody has.',
    "",
)
LOGIN: Final = "Login: "
PASSWORD: Final = "Password: "
GUEST: Final = "guest"
LONGEST: Final = 32


class Stage(Enum):
    NAME = auto()
    PASSWORD = auto()
    HERE = auto()


class Doorway:
    """``prompt`` is what stands behind the lines; ``returned`` is True once the own games that wait were asked for."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.stage = Stage.NAME
        self.returned = False
        self._asked = ""

    @property
    def here(self) -> bool:
        return self.stage is Stage.HERE

    @property
    def prompt(self) -> str:
        return PASSWORD if self.stage is Stage.PASSWORD else LOGIN

    def hear(self, line: str) -> list[Command]:
        """A line of somebody who is not here yet."""
        if self.stage is Stage.PASSWORD:
            if line:
                return [Login(self._asked, line)]
            self.stage = Stage.NAME
            return []
        if not line:
            return []
        if len(line) > LONGEST or not line.isprintable() or " " in line:
            self._desk.say(f"A name is one word of at most {LONGEST} letters.")
            return []
        self._asked = line
        return [Enter("" if line.lower() == GUEST else line, exact=True)]

    def named(self, message: ntf.Named) -> None:
        """The server has given a name: to a guest, or an account's."""
        desk = self._desk
        if desk.account:
            desk.name = message.name
            return
        if self.here:
            return
        desk.name = message.name
        self._comes("You have logged in as a guest")

    def logged_in(self, message: ntf.LoggedIn) -> None:
        self._desk.name, self._desk.account = message.name, True
        self._comes("You have logged in")

    def _comes(self, how: str) -> None:
        """Clients want a line more than the prompt before they believe that they are in."""
        desk, self.stage = self._desk, Stage.HERE
        desk.tell(VERSION, "Boardgate")
        desk.tell(INFO, f"{how}; you are {desk.alias(desk.name)} here.")
        desk.names.knows_itself(desk.name, self._asked)

    def refused(self, message: ntf.Rejected) -> None:
        """The name is an account's, or cannot be had; the password is wrong."""
        if message.why is Why.PASSWORD_NEEDED and self.stage is Stage.NAME:
            self.stage = Stage.PASSWORD
            return
        self._desk.say("Invalid password." if message.why is Why.BAD_PASSWORD else clean(message.text))
        self.stage = Stage.NAME

    def answered(self) -> list[Command]:
        """Ask for the games that wait for an account that has just come in, and for the people here."""
        if self.returned or self.stage is not Stage.HERE or not self._desk.account:
            return []
        self.returned = True
        return [Inquire("kept", self._desk.name), Inquire("who")]
