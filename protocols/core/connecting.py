"""The way a person connects a program that speaks a dialect, as pages for people tell it."""

from __future__ import annotations

from dataclasses import dataclass

Command = tuple[str, str]
"""A label, and the command under it. In it "{host}", "{port}", "{address}" (both), "{http}" (of the web server) and
"{game}" stand for this server's own."""


@dataclass(frozen=True, slots=True)
class Connecting:
    """``title`` names the programs, ``text`` says more of them.

    ``commands`` are for a listener of any game, ``of_game`` for one that is bound to a game by its option; where there
    are none, pages show host and port.
    """

    title: str
    text: str
    commands: tuple[Command, ...] = ()
    of_game: tuple[Command, ...] = ()
