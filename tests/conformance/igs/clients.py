"""A program at a Go server's port: types lines, and waits for numbered lines and prompts."""

from __future__ import annotations

from itertools import count

from tests.conformance.typing_client import TypingClient

_NUMBERS = count(1)


class IgsClient(TypingClient):
    end = b"\r\n"

    def asks(self, line: str) -> str:
        """Type a command: what it is told until it has been answered, with the prompt behind that."""
        self.type(line, "ayt")
        return self.hears("9 yes\n")

    def comes(self, name: str = "", password: str = "") -> IgsClient:
        """Log in, and have lines with codes: as the account of this name, or as a guest with it or any that is free."""
        self.hears("Login: ")
        self.type(name or f"visitor{next(_NUMBERS)}")
        if password:
            self.hears("Password: ")
            self.type(password)
        self.hears("; you are ")
        self.name = self.hears(" here.\n")
        self.hears("#> ")
        self.asks("toggle client on")
        return self


def matched(one: IgsClient, other: IgsClient, game: str = "B 9 10 5") -> int:
    """One looks who is here and asks the other for a game, who takes it by the words that it is told: its number."""
    one.asks("who")
    one.type(f"match {other.name} {game}")
    other.hears("9 Use <")
    other.type(other.hears("> or <decline "))
    for each in (one, other):
        each.hears("9 Creating match [")
    number = one.hears("] with ")
    assert other.hears("] with ") == number
    for each in (one, other):
        each.hears(f"15 Game {number} I: ")
        each.hears("1 6\n")
    return int(number)


def play(black: IgsClient, white: IgsClient, moves: str, first: int = 0) -> None:
    """They make these moves by turns, of which the first has this number; both are told each."""
    players = (black, white)
    for at, move in enumerate(moves.split(), first):
        players[at % 2].type(move)
        where = "Pass" if move == "pass" else move
        for each in players:
            each.hears(f"15 {at:3}({'BW'[at % 2]}): {where}")
            each.hears("1 6\n")


def stop(black: IgsClient, white: IgsClient, number: int) -> None:
    """Both pass: the first pass has this number, and the second is told by the prompt alone."""
    players = (black, white)
    play(black, white, "pass", number)
    players[(number + 1) % 2].type("pass")
    for each in players:
        each.hears("type 'done' when finished.\n")
        each.hears("1 7\n")
