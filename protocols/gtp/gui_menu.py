"""A GUI's requests beside its game: talk, GoGui's analyze menu, and looking on at a table.

``kgs-chat`` says something at the table and is answered with what others have said since. ``boardgate-observe TABLE``
shows a game of others: genmove of either colour tells its next move, and nothing can be played. A new board ends it.
Source: kgsGtp's description of kgs-chat; GoGui's manual, "Analyze Commands": a line type/label/command each, where %s
asks for a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocols.core.commands import Inquire, Say, Topic, Watch
from protocols.core.events import Said
from protocols.core.followed import Status
from protocols.core.notifications import Answered, Notification, Rejected, Seated
from protocols.core.proposals import Start
from protocols.go_words.vertices import COLOURS
from protocols.gtp.gui_score import left
from protocols.gtp.gui_talk import Fails, Talk, Waiting, Words, colour
from protocols.gtp.offered import in_words

MENU: Final[Mapping[str, str]] = {
    "boardgate-legal": "plist/Legal Moves",
    "final_status_list dead": "plist/Dead Stones",
    "boardgate-clocks": "hstring/Clocks",
    "boardgate-opponent": "hstring/Opponent",
    "boardgate-table": "hstring/Table",
    "boardgate-tables": "hstring/All Tables",
    "boardgate-observe %s": "hstring/Look On at Table",
    "boardgate-against %s": "none/Play against a House Bot",
    "boardgate-talk": "hstring/Talk",
    "kgs-chat game me %s": "hstring/Say",
    "boardgate-draw": "none/Offer a Draw",
    "boardgate-abort": "none/Abort the Game",
    "boardgate-agree": "hstring/Agree to the Offer",
    "boardgate-decline": "none/Decline the Offer",
    "boardgate-return": "none/Take Seat Back",
}
"""GoGui's analyze menu: what each command is called there, and how its answer is shown."""

KINDS: Final = ("game", "private")
"""The hearers of a saying: all at the table, or the opponent alone."""

LONGEST_NUMBER: Final = 12


def analyze_commands(talk: Talk, words: Words) -> str:
    """gogui-analyze_commands"""
    return "\n".join(f"{shown}/{command}" for command, shown in MENU.items())


def chat(talk: Talk, words: Words) -> Waiting:
    """kgs-chat (game|private) NAME TEXT: the name is the speaker's, whom the table knows by another."""
    if len(words) < 3 or words[0] not in KINDS:
        raise Fails(f"syntax error: kgs-chat {'|'.join(KINDS)} NAME TEXT")
    if not talk.seated:
        raise Fails("nobody hears you: begin a game first")
    to = "observers" if talk.table.seat is None else "all" if words[0] == KINDS[0] else talk.table.rival
    return Talking(to=to, text=" ".join(words[2:]))


@dataclass(slots=True)
class Talking(Waiting):
    """A saying that the table has not heard yet."""

    to: str = ""
    text: str = ""

    def look(self, talk: Talk, message: Notification | None) -> str | None:
        if message is None:
            talk.ask(Say(self.to, self.text))
        elif isinstance(message, Rejected):
            raise Fails(message.text)
        elif isinstance(message, Said) and self.is_this(talk, message):
            return heard(talk, ())
        return None

    def is_this(self, talk: Talk, said: Said) -> bool:
        """True if the table has heard it; what observers say has no seat."""
        return said.seat == talk.table.seat and said.text == self.text


def overhear(talk: Talk, said: Said) -> None:
    """Keep what others say until the GUI asks for it."""
    own = isinstance(talk.waiting, Talking) and talk.waiting.is_this(talk, said)
    if not own and (said.seat is None or said.seat != talk.table.seat):
        talk.heard.append(f"{said.name}: {said.text}" if said.name else said.text)


def heard(talk: Talk, words: Words) -> str:
    """boardgate-talk: what others have said since this was asked last."""
    lines = list(talk.heard)
    talk.heard.clear()
    return "\n".join(lines)


def tables(talk: Talk, words: Words) -> Waiting:
    """boardgate-tables: those that wait or play."""
    return Asking(topic="tables", apart="\n")


def legal(talk: Talk, words: Words) -> Waiting | str:
    """boardgate-legal: where the side to move may play."""
    if not talk.table.begun:
        raise Fails(f"no legal moves: the game {talk.table.status.value}")
    return Asking(topic="moves", apart=" ")


@dataclass(slots=True)
class Asking(Waiting):
    """A question to the server; ``apart`` stands between the lines of its answer."""

    topic: Topic = "tables"
    apart: str = ""

    def look(self, talk: Talk, message: Notification | None) -> str | None:
        if message is None:
            talk.ask(Inquire(self.topic))
        elif isinstance(message, Answered) and message.topic == self.topic:
            return self.apart.join(line for line in message.lines if line != "pass")
        elif isinstance(message, Rejected):
            raise Fails(message.text)
        return None


def clocks(talk: Talk, words: Words) -> str:
    """boardgate-clocks: what both clocks showed when the turn began or the GUI came, as time_left says it."""
    return left(talk, ()) or "nobody keeps time"


def opponent(talk: Talk, words: Words) -> str:
    """boardgate-opponent: names and colours of the other players at the table."""
    table = talk.table
    names = [(seat, table.name(seat)) for seat in (0, 1) if seat != table.seat]
    return "\n".join(f"{colour(seat)}: {name}" for seat, name in names if name) or "nobody"


def table(talk: Talk, words: Words) -> str:
    """boardgate-table: its number, what is played, and how the game stands."""
    if not talk.seated:
        return "no table: the first play or genmove finds one"
    table = talk.table
    lines = [f"table {talk.number}", f"the game {table.status.value}", f"{len(table.moves)} moves"]
    if table.settings is not None:
        lines.insert(1, in_words(Start(table.settings)))
    return "\n".join(lines)


def against(talk: Talk, words: Words) -> str:
    """boardgate-against NAME: the house bot that the next game is played against, "anybody" for none."""
    if len(words) != 1:
        raise Fails("syntax error: boardgate-against NAME, for example bot, bot:3, gnugo")
    if talk.joined:
        raise Fails("you have a seat: boardsize or clear_board leaves it")
    talk.against = "" if words[0].lower() == "anybody" else words[0]
    return ""


def observe(talk: Talk, words: Words) -> Waiting:
    """boardgate-observe TABLE"""
    if len(words) != 1 or not (words[0].isascii() and words[0].isdigit() and len(words[0]) <= LONGEST_NUMBER):
        raise Fails("syntax error: boardgate-observe TABLE, a number of boardgate-tables")
    if talk.joined and not (talk.seated and talk.table.seat is None):
        raise Fails("you have a seat: boardsize or clear_board leaves it")
    return Observing(number=int(words[0]))


@dataclass(slots=True)
class Observing(Waiting):
    """A table that is asked to show its game."""

    number: int = 0

    def look(self, talk: Talk, message: Notification | None) -> str | None:
        if message is None:
            if talk.joined:
                talk.leave(lost=False)
            talk.joined = True
            talk.ask(Watch(self.number, name=talk.name))
        elif isinstance(message, Rejected):
            talk.joined = False
            raise Fails(message.text)
        elif isinstance(message, Seated):
            return _shown(talk)
        return None


def _shown(talk: Talk) -> str:
    """The players, and how to see their game. Fails where the GUI's board or the game is another."""
    table = talk.table
    number, size, status = talk.number, table.size, table.status
    if table.settings is not None and table.settings.game != "go":
        talk.leave(lost=False)
        raise Fails(f"table {number} plays {table.settings.game}")
    if size != talk.wish.size:
        talk.leave(lost=False)
        raise Fails(f"table {number} plays on {size}x{size}: boardsize {size} first")
    names = " against ".join(f"{table.name(seat) or 'nobody'} ({COLOURS[seat]})" for seat in (0, 1))
    if status is Status.WAITING:
        return f"{names}: the game has not begun; genmove b waits for its first move"
    moves = len(table.moves)
    return f"{names}: the game {status.value}, {moves} moves; genmove b and genmove w tell them one by one"
