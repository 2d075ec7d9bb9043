"""One peer-to-peer conversation as the gateway keeps it: its mode, the peer's GUI, the table, and what it waits for.

Here too: the steps between the modes that both what the peer says and what the table tells lead to. The gateway plays
the part of the opponent's adapter: what it sends are state changes of the opponent's GUI, which is the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import words
from protocols.chess_p2p.gui import GuiCopy, lead
from protocols.chess_p2p.messages import Message
from protocols.chess_p2p.table import RULES, Table
from protocols.chess_p2p.wire import encode
from protocols.chess_words.text import to_move
from protocols.core.commands import Command, PlayMove
from protocols.core.line_text import clean
from protocols.core.model import Move
from protocols.core.proposals import Proposal, Start, Takeback

LONGEST_TEXT: Final = 400
"""Letters of one text for a user, and of one saying: what any client's line and window can carry."""


TWO: Final = 2
"""Plies that Remove takes back."""


class Mode(StrEnum):
    """The document's modes: setup, with or without a Go of either side, and playing. With what the table does then."""

    UNSEATED = "not seated"
    SETUP = "setup"
    PROPOSED = "go received"
    OFFERED = "go sent"
    ENTERING = "on the way into the game"
    PLAYING = "playing"
    ADJOURNED = "adjourned"


class Entry(Enum):
    """Ways into a game that begins or goes on at the table, once the turn is known."""

    BRING = "it is told the game's state, with Go if it is to move"
    ACCEPT = "it answered our Go with its own: Accepted"
    SILENT = "it has accepted already"
    GO = "its GUI is told of the change already: Go if it is to move"
    WAIT = "it renegotiates"


@dataclass(slots=True)
class Talk:
    """``out`` are the lines to send. ``name`` is what the peer's user is called, ``game`` what a seat was asked for
    last, ``wishes`` what the port asks for with every seat, ``gui`` the copy of the peer's GUI.

    ``base`` is how many moves of ``gui`` lie before the game that the peer proposed. ``knows``: the peer has used a
    word that is not in the document, so that it can be told such words. ``relay`` is the opponent's move that goes
    out as soon as the clocks are known; ``echoes`` are moves the peer has not echoed yet, ``spare`` is one that it
    may echo or not. ``asked`` are commands without an answer so far, oldest first; ``trials`` are those of them
    that may fail in silence. ``prompts`` are commands that follow from what was told. ``removing`` is how many Undo
    are missing to a Remove we sent, None without one; ``rolled_back``: the peer sent one and waits for ours.
    ``by_ticket``: the peer's user has asked for the seat of a ticket in words, and is answered in words.
    ``standing`` is what it had proposed at the table that it was called away from, until that stands at the next
    one. ``astray``: the peer turned to something else while a takeback was asked for: its GUI may show a position
    that was not agreed on. ``now`` is when the message came that is heard now. ``flagged``: the peer's GUI has
    ended the game, for the opponent's flag is about to fall. ``former``: ``gui`` still shows the
    game that is over.
    """

    out: list[bytes]
    mode: Mode = Mode.UNSEATED
    name: str = ""
    game: str = RULES
    wishes: tuple[tuple[str, str], ...] = ()
    table: Table = field(default_factory=Table)
    gui: GuiCopy = field(default_factory=GuiCopy)
    knows: bool = False
    entry: Entry = Entry.BRING
    due: Entry | None = None
    base: int | None = None
    relay: str = ""
    spare: str = ""
    echoes: list[str] = field(default_factory=list)
    asked: list[Command] = field(default_factory=list)
    trials: list[Command] = field(default_factory=list)
    prompts: list[Command] = field(default_factory=list)
    removing: int | None = None
    rolled_back: bool = False
    by_ticket: bool = False
    standing: Start | None = None
    astray: bool = False
    now: float = 0.0
    flagged: bool = False
    former: bool = False

    def say(self, *messages: Message) -> None:
        for message in messages:
            self.out.append(encode(message))

    def text(self, *sentences: str) -> None:
        """Show the peer's user something, each sentence by itself, long ones in pieces."""
        for sentence in sentences:
            plain = clean(sentence)
            for at in range(0, max(1, len(plain)), LONGEST_TEXT):
                self.say(p2p.Text(plain[at : at + LONGEST_TEXT]))

    def settle(self) -> tuple[Command | None, bool]:
        """The command that was asked longest ago has its answer; and whether it was one that may fail in silence."""
        command = self.asked.pop(0) if self.asked else None
        if not self.trials:
            return command, False
        others = [trial for trial in self.trials if trial is not command]  # equal ones are on the way together
        silent, self.trials = len(others) < len(self.trials), others
        return command, silent

    def ahead(self) -> int | None:
        """The number of moves that the peer's GUI is ahead of the table's game, None when it shows another one."""
        table = self.table
        return lead(self.gui, table.variant, table.positions, table.played, table.usual)

    def plays_from_seat(self) -> bool:
        """True if the peer's user, having sent Go, plays the side of its seat: the one not on move in its GUI."""
        return self.table.seat == 1 - self.gui.on_move

    def move_command(self, text: str, ply: int) -> PlayMove:
        """The command of a move of the peer's user."""
        if not self.table.judged:
            return PlayMove(Move(None, None, text), ply=ply)
        move = to_move(text, self.table.variant)
        return PlayMove(move, ply=ply) if move is not None else PlayMove(None, text, ply=ply)


def calm(talk: Talk, mode: Mode) -> None:
    """Go to another mode: nothing of a takeback or of echoes is waited for any more."""
    talk.mode, talk.spare = mode, ""
    talk.echoes.clear()
    talk.removing, talk.rolled_back, talk.astray, talk.flagged = None, False, False, False


def turn_away(talk: Talk) -> None:
    """The peer leaves playing mode by itself. What it was shown of a takeback, or has shown, is put right later."""
    astray = talk.astray or talk.rolled_back or talk.removing is not None
    calm(talk, Mode.ENTERING)
    talk.astray = astray


def bring(talk: Talk) -> None:
    """Tell the game as it stands from its start on, as a peer would whose GUI has it; Go if the peer is to move. Then
    what is offered.

    The start position and all moves, not the present position: the peer can compare them with its own, and neither
    loses nor doubles any.
    """
    calm(talk, Mode.ENTERING)
    talk.say(*talk.table.gui().told())
    name_opponent(talk)
    tell_clocks(talk)
    if talk.table.my_turn:
        talk.say(p2p.Go())
    for made in talk.table.offers():
        offer(talk, made.proposal)


def bring_back(talk: Talk, news: str) -> None:
    """Tell a game that is on to a peer whose GUI has dropped out of it, and its user why, and what to press."""
    talk.text(f"{news}{_to_go_on(talk)}")
    bring(talk)


def _to_go_on(talk: Talk) -> str:
    """The keys to press to play on; our own adapter goes on by itself, or says what it needs."""
    return "" if talk.knows else f"; {words.press_to_go_on(talk.table.seat, talk.table.my_turn)}"


def name_opponent(talk: Talk) -> None:
    opponent = talk.table.opponent
    if opponent is not None and clean(opponent.name):
        talk.say(p2p.Name(clean(opponent.name)))


def answered(talk: Talk, kind: type[Command]) -> None:
    """The peer's oldest command of this kind took effect, and with it all that it had asked before."""
    for command in talk.asked:
        if type(command) is kind:
            break
    else:
        return
    while talk.settle()[0] is not command:
        pass


def restore(talk: Talk) -> None:
    """The peer's GUI shows what the table does not: the position that counts.

    The document has no word for it. A GUI that follows shows the table again; one that only updates its copy of ours
    leaves it to its user, who has been told in words.
    """
    if talk.table.position:
        talk.say(p2p.SetBoard(talk.table.position))
    talk.gui = talk.table.gui()
    talk.removing, talk.rolled_back, talk.astray = None, False, False


def let_stand(talk: Talk) -> None:
    """The moves that were to be taken back stand: show the position again, and say what to press."""
    if not talk.knows:
        talk.text(f"the moves stand{_to_go_on(talk)}")
    restore(talk)


def tell_clocks(talk: Talk) -> None:
    """The table's clocks: a GUI that has set up a position or taken moves back shows others."""
    if talk.table.clock is None:
        return
    seat = talk.table.seat
    own, other = talk.table.left(seat), talk.table.left(None if seat is None else 1 - seat)
    if own is not None and other is not None:
        talk.say(p2p.Time(own), p2p.OTim(other))


def relay(talk: Talk) -> None:
    """Send the opponent's move, with Go to a peer that does not play yet: it is that peer's turn."""
    move, talk.relay = talk.relay, ""
    tell_clocks(talk)
    talk.say(p2p.Advanced(move))
    talk.echoes.append(move)
    if talk.mode is Mode.ENTERING and talk.table.my_turn:
        talk.say(p2p.Go())
    if talk.removing is not None and (asked := talk.table.theirs(Takeback)) is not None:
        put(talk, asked)  # it was asked for by Remove, and is of one half-move more now


def offer(talk: Talk, proposal: Proposal) -> None:
    """Tell what the other side proposes, with the document's word where it has one and it fits."""
    if proposal == Takeback(TWO) and not talk.table.my_turn and len(talk.table.played) >= TWO:
        talk.removing = TWO
        talk.say(p2p.Remove())
    else:
        put(talk, proposal)


def put(talk: Talk, proposal: Proposal) -> None:
    """Tell what the other side proposes: with a word of ours where the peer knows them, in words to all others."""
    word = words.word(proposal) if talk.knows else None
    if word is not None:
        talk.say(word)
    else:
        talk.text(words.asks(proposal, talk.table.rival))


def enter(talk: Talk) -> list[Command]:
    """Both have sent Go and the games match: the peer plays. A move it is ahead is its next one.

    It has checked that they match, whatever its copy here says: it may have taken moves back without a word.
    """
    ahead, unechoed, removing = talk.ahead(), talk.echoes[-1:], talk.removing
    talk.gui.undone = 0
    calm(talk, Mode.PLAYING)
    talk.removing = removing  # what stands it was told on its way
    if ahead == 1 and talk.table.my_turn:
        return [talk.move_command(talk.gui.moves[-1], len(talk.table.played))]
    if ahead == 0:
        return []
    if ahead == -1:
        unechoed = talk.table.played[-1:]
    else:
        talk.gui = talk.table.gui()
    talk.echoes.extend(unechoed)
    if talk.table.played and talk.table.my_turn and not unechoed:
        talk.spare = talk.table.played[-1]
    return []


def begin(talk: Talk) -> None:
    """A turn has begun in a game that is new to the peer, or that it has dropped out of."""
    due, talk.due = talk.due, None
    fits = talk.ahead() in (0, 1)
    if due is Entry.ACCEPT and fits:
        talk.say(p2p.Accepted())
        on_the_way = any(isinstance(command, PlayMove) for command in talk.asked)
        talk.prompts += [command for command in enter(talk) if not on_the_way]
    elif due is Entry.SILENT and fits:
        enter(talk)
    elif due is Entry.GO or due is Entry.WAIT:
        tell_clocks(talk)
        if not talk.knows:
            talk.text(f"the moves are taken back{_to_go_on(talk)}")
        if due is Entry.GO and talk.table.my_turn:
            talk.say(p2p.Go())
    else:
        bring(talk)
