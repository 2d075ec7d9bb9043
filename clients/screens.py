"""The small windows above the board: a question to answer with yes or no, a choice of pieces, and the list of keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static

LONGEST_SAYING = 400
"""Characters of one saying: what a server passes on."""

KEYS = (
    ("arrows, h j k l", "move the cursor"),
    ("Tab, Shift+Tab", "next, previous useful square"),
    ("Enter, Space, click", "select a piece, then its target"),
    ("Escape", "unselect"),
    ("1 … 9, s", "choose the piece to place; place them all as usual"),
    ("p", "pass, or end a turn of several steps early"),
    ("s, o", "play has stopped: propose what is dead; play on"),
    ("d", "offer a draw, or accept the one on offer"),
    ("c", "claim the end that the rules allow"),
    ("u", "ask to take moves back, to your own last turn"),
    ("a", "propose to adjourn; when adjourned, to go on"),
    ("y, n", "accept or decline what the other side proposes"),
    ("g", "give the other side 15 seconds"),
    ("r, x", "resign; abort, so that nobody loses"),
    ("/", "say something to the others"),
    ("m", "after the game: another one at this table"),
    ("n", "after the game: a new one against whoever comes"),
    ("b", "when another client has your seat: take it back"),
    ("f, t", "turn the board around; dark or light"),
    ("q", "quit (your seat is kept for a while)"),
)


PIECE_KEYS = {"knight": "n"}
"""Letters of pieces that are not their first."""


def piece_key(piece: str) -> str:
    """The letter that chooses a piece: "queen" is q, "knight" n."""
    return PIECE_KEYS.get(piece, piece[:1])


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


class Choice(ModalScreen[str]):
    """Asks which of ``pieces`` a piece becomes; Enter takes the first. The result is None when it is called off."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose(1)", show=False),
        Binding("escape", "call_off", show=False),
    ]

    def __init__(self, pieces: Sequence[str]) -> None:
        super().__init__()
        self._pieces = pieces

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield Static(Content.styled("It becomes a", "bold"))
            for at, piece in enumerate(self._pieces, 1):
                yield Static(
                    Content.from_markup(
                        f"[@click=screen.choose({at})] {at} [b]$key[/b] $piece [/]", key=piece_key(piece), piece=piece
                    )
                )
            yield Static(Content.styled("Enter: the first, Esc: no move", "dim"))

    def on_key(self, event: Key) -> None:
        for at, piece in enumerate(self._pieces, 1):
            if event.key in (str(at), piece_key(piece)):
                event.stop()
                self.action_choose(at)

    def action_choose(self, number: int) -> None:
        self.dismiss(self._pieces[number - 1])

    def action_call_off(self) -> None:
        self.dismiss(None)


class Line(ModalScreen[str]):
    """Asks for a line to say; the result is None when it is called off."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "call_off", show=False)]

    def compose(self) -> ComposeResult:
        yield Input(placeholder="Say to the others: Enter sends, Esc does not", max_length=LONGEST_SAYING)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def action_call_off(self) -> None:
        self.dismiss(None)


class Keys(ModalScreen[None]):
    """The list of keys; any of its own closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q,question_mark", "close", show=False)]

    def compose(self) -> ComposeResult:
        rows = [Content.assemble((f"{key:<20}", "bold"), text) for key, text in KEYS]
        with Vertical(classes="window"):
            yield Static(Content("\n").join([Content.styled("Keys", "bold underline"), *rows]))

    def on_click(self) -> None:
        self.action_close()

    def action_close(self) -> None:
        self.dismiss(None)
