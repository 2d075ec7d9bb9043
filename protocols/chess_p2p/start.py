"""The start of a game over the peer-to-peer protocol: Go, counter-proposals, Accepted, from the gateway's side.

Go is a proposal to start the game that the peer's GUI shows; what the other seat proposes is told as its adapter would
tell it. Source: H.G. Muller's text; the open points are decided here.
"""

from __future__ import annotations

from dataclasses import replace

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import words
from protocols.chess_p2p.gui import GuiCopy, same_move, same_start
from protocols.chess_p2p.messages import Message
from protocols.chess_p2p.table import game_of, level_of, meet, on_move
from protocols.chess_p2p.talk import Entry, Mode, Talk, bring_back, calm, enter
from protocols.chess_p2p.wire import write
from protocols.chess_words.text import read_level
from protocols.core.commands import Command, Decline, Join, Leave, Propose
from protocols.core.model import Settings, TimeControl
from protocols.core.proposals import Resume, Start


def copy(talk: Talk, message: Message) -> list[Command]:
    """The peer's GUI changed while no game is played with it: the copy follows, and nothing is asked."""
    if not isinstance(message, p2p.Advanced | p2p.Level):
        talk.base = None
    talk.gui.take(message)
    talk.former = False
    if isinstance(message, p2p.Advanced) and talk.echoes and same_move(talk.echoes[0], message.move):
        talk.echoes.pop(0)
    return []


def renew(talk: Talk, message: Message) -> list[Command]:
    """New: its user plays no more until the next Go, and a Go before it is void. Ours still waits for an answer."""
    talk.entry = Entry.BRING
    copy(talk, message)
    return withdraw(talk)


def set_up(talk: Talk, message: Message) -> list[Command]:
    """Another game is set up than the one that a Go before it has proposed: that one is not offered any more.

    What a GUI tells again and does not change, as its time control before every game, leaves the proposal alone.
    """
    before = replace(talk.gui, moves=list(talk.gui.moves))
    copy(talk, message)
    return [] if talk.gui == before else withdraw(talk)


def withdraw(talk: Talk) -> list[Command]:
    """Take back what this peer's Go has proposed, if anything, before another player agrees to it."""
    if talk.mode is not Mode.PROPOSED and talk.table.mine(Start) is None:
        return []
    talk.mode = Mode.OFFERED if talk.mode is Mode.OFFERED else Mode.SETUP
    withdrawal = Decline("Start")
    talk.trials.append(withdrawal)
    return [withdrawal]


def go(talk: Talk, message: Message) -> list[Command]:
    """The peer wants to play what its GUI shows; the second Go, if it goes with ours, starts the game."""
    offered = talk.table.theirs(Start)
    given = None if offered is None else offered.settings
    held = held_moves(talk.gui, given)
    try:
        settings = wanted(talk, held, given)
    except ValueError as error:
        talk.text(str(error))
        return []
    entry = Entry.ACCEPT if talk.mode is Mode.OFFERED else Entry.BRING
    start = Propose(Start(settings, 1 - talk.gui.on_move))
    if talk.game == settings.game and not talk.table.deserted:
        return _proposed(talk, start, held, entry)
    return [*_elsewhere(talk, settings), *_proposed(talk, start, held, entry)]


def _elsewhere(talk: Talk, settings: Settings) -> list[Command]:
    """To another table: for a game that this one does not play, or because no player comes to it any more."""
    talk.game = settings.game
    talk.table.leave()
    wishes = (*talk.wishes, ("variant", settings.variant))
    return [Leave(), Join(settings.game, talk.name, "", wishes, ready=False)]


def agree(talk: Talk, message: Message) -> list[Command]:
    """Accepted, to a Go that told what the other seat proposes: the peer had sent its own before, and sees a match."""
    offered = talk.table.theirs(Start)
    if offered is None or offered.settings is None:
        return nothing_offered(talk, message)
    held = held_moves(talk.gui, offered.settings)
    return _proposed(talk, Propose(Start(offered.settings, on_move(offered.settings))), held, Entry.SILENT)


def go_on(talk: Talk, message: Message) -> list[Command]:
    """Go while the game is on at the table: the peer comes back into it if its GUI shows it."""
    if talk.rolled_back:
        talk.entry = Entry.GO  # the confirmation is still to come
        return []
    if talk.ahead() in (-1, 0, 1) and talk.plays_from_seat():
        talk.say(p2p.Accepted())
        return enter(talk)
    bring_back(talk, f"the game with {talk.table.rival} stands otherwise than yours: set it up as you are told now")
    return []


def accepted(talk: Talk, message: Message) -> list[Command]:
    """The peer has checked our Go against its GUI: the game is on. What its GUI showed of the last game is gone."""
    if talk.former:
        talk.gui, talk.former = talk.table.gui(), False
        talk.gui.moves.clear()
    return enter(talk)


def resume(talk: Talk, message: Message) -> list[Command]:
    """Go in an adjourned game asks to go on with it."""
    return [Propose(Resume())]


def idle(talk: Talk, message: Message) -> list[Command]:
    """A message that changes nothing in this mode: it crossed ours on the way, or both ends know it already."""
    return []


def nothing_offered(talk: Talk, message: Message) -> list[Command]:
    talk.text("there is nothing to accept: nobody has started a game with you yet")
    return []


def offer(talk: Talk, start: Start) -> None:
    """Tell what the other seat proposes as its adapter would, and in words.

    Go says that the receiver is to move. When the other side begins, its adapter would have the first move to tell
    before it: that comes when it is made, and until then there are only state and words.
    """
    table = talk.table
    if meet(table.mine(Start) or talk.standing, start):
        return  # the game begins: this is not an offer but the answer to one
    talk.text(words.wants(start, table.rival, table.seat))
    if start.settings is None:
        return
    talk.say(*shown(start.settings).told())
    talk.entry, talk.base = Entry.BRING, None  # a Go of the peer before this one is void
    talk.mode = Mode.SETUP
    if start.side is None or start.side != on_move(start.settings):
        talk.say(p2p.Go())
        talk.mode = Mode.OFFERED


def shown(settings: Settings) -> GuiCopy:
    """A GUI that has set up a game with these settings."""
    start, _, moves = settings.start.partition("moves ")
    return GuiCopy(settings.variant, start.strip(), moves.split(), level_of(settings.time))


def agreed(talk: Talk, start: Start) -> None:
    """A game is agreed upon: if it is not the one that the peer proposed last, its GUI shows another.

    Where only the time is another one, as at registered tables, it is told that, and its Go is accepted: to bring it
    the game anew would take back the move that its user has made.
    """
    mine = talk.table.mine(Start)
    if not isinstance(mine, Start) or mine.settings not in (None, start.settings):
        talk.base = None
    elif talk.base is not None and start.settings is not None and talk.gui.level is not None:
        level = level_of(start.settings.time)
        if talk.gui.level != level:
            talk.say(level)
            talk.text(f"the time here is registered: {words.time(start.settings.time)}")
            talk.entry = Entry.ACCEPT if talk.entry is Entry.BRING else talk.entry


def started(talk: Talk) -> None:
    """A game begins. If the peer proposed it, what its GUI had moved before is now the game's start position."""
    if talk.base is None:
        talk.entry = Entry.BRING
    else:
        played = talk.gui.moves[talk.base :]
        talk.gui = talk.table.gui()
        talk.gui.moves = played
    talk.due, talk.entry, talk.base = talk.entry, Entry.BRING, None
    calm(talk, Mode.ENTERING)


def _proposed(talk: Talk, start: Propose, held: int, entry: Entry) -> list[Command]:
    """With the first move, where the peer has it in hand and will hear nothing more before it is echoed."""
    talk.base = len(talk.gui.moves) - held
    second = talk.mode is Mode.OFFERED and held == 1
    talk.entry, talk.mode = entry, Mode.PROPOSED
    if not second:
        return [start]
    first = talk.move_command(talk.gui.moves[-1], 0)
    talk.trials.append(first)
    return [start, first]


def wanted(talk: Talk, held: int, given: Settings | None) -> Settings:
    """The game that the peer's GUI shows, but for its last ``held`` moves, which belong to it already.

    What goes with ``given``, the other seat's proposal, is taken from there: the same position and the same time can be
    written in many ways. A time that was never told is the proposal's, or the table's. ValueError: no such time
    control, or no such variant.
    """
    gui, table = talk.gui, talk.table
    time = _time(gui, given, table.time)
    same = given is not None and gui.variant == given.variant and time == given.time
    if given is not None and same and held == len(gui.moves) and same_start(gui.start, given.start):
        return given
    game = game_of(gui.variant)
    if game is None:
        raise ValueError(f"the variant {gui.variant} is not known here: set up another one")
    before = gui.moves[: len(gui.moves) - held]
    start = f"{gui.start} moves {' '.join(before)}".strip() if before else gui.start
    rated = table.settings is not None and table.settings.rated
    return Settings(game, gui.variant, 0, 0, 0, time, start, rated)


def held_moves(gui: GuiCopy, given: Settings | None) -> int:
    """The number of the GUI's moves that belong to the game it proposes: usually the last, its user's first move.

    With a proposal of the other seat it is the number that makes both games begin after as many moves: with none, the
    other side has the first move in hand; with two, it has, and ours is the answer to it.
    """
    usual = min(len(gui.moves), 1)
    if given is None:
        return usual
    sought = _plies(given.start)
    known = sought if same_start(gui.start, given.start) else _plies(gui.start)
    for held in (1, 0, 2):
        if held <= len(gui.moves) and known + len(gui.moves) - held == sought:
            return held
    return usual


def _time(gui: GuiCopy, given: Settings | None, usual: TimeControl | None) -> TimeControl | None:
    time = usual if given is None else given.time
    if gui.level is None or gui.level == level_of(time):
        return time
    try:
        return read_level(gui.level.mps, gui.level.tc, gui.level.inc)
    except ValueError:
        raise ValueError(f"no time control: {write(gui.level)}") from None  # as the peer wrote it


def _plies(fen: str) -> int:
    """The number of moves before this position, by its counter; 0 where it has none."""
    fields = fen.split()
    counted = len(fields) > 5 and fields[5].isascii() and fields[5].isdigit()
    return 2 * max(0, int(fields[5][:6]) - 1) + (fields[1] == "b") if counted else 0
