"""The two small windows above the board: a question to answer with yes or no, and the list of keys."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

KEYS = (
    ("arrows, h j k l", "move the cursor"),
    ("Tab, Shift+Tab", "next, previous useful square"),
    ("Enter, Space, click", "select a piece, then its target"),
    ("Escape", "unselect"),
    ("1 … 9", "choose the piece to place"),
    ("p", "pass, or end a turn of several steps early"),
    ("d", "offer a draw, or accept the one on offer"),
    ("r", "resign"),
    ("n", "play again, after the game"),
    ("f", "turn the board around"),
    ("t", "dark or light"),
    ("q", "quit (your seat is kept for a while)"),
)


class Question(ModalScreen[bool]):
    """Asks ``text``; the result is True for yes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", show=False),
        Binding("n,escape,q", "answer(False)", show=False),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield Static(Content(self._text))
            yield Static(
                Content.from_markup(
                    "\n[@click=screen.answer(True)] y [b]yes[/b] [/]   [@click=screen.answer(False)] n [b]no[/b] [/]"
                )
            )

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class Keys(ModalScreen[None]):
    """The list of keys; any of its own closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q,question_mark", "close", show=False)]

    def compose(self) -> ComposeResult:
        rows = [Content.assemble((f"{key:<21}", "bold"), text) for key, text in KEYS]
        with Vertical(classes="window"):
            yield Static(Content("\n").join([Content.styled("Keys", "bold underline"), *rows]))

    def on_click(self) -> None:
        self.action_close()

    def action_close(self) -> None:
        self.dismiss(None)
