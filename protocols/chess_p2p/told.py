"""Tells a peer-to-peer client the events of its table: the opponent's part in the protocol, and words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import start as starting
from protocols.chess_p2p import words
from protocols.chess_p2p.gui import NORMAL
from protocols.chess_p2p.play import refused
from protocols.chess_p2p.table import Table, meet
from protocols.chess_p2p.talk import (
    TWO,
    Entry,
    Mode,
    Talk,
    answered,
    begin,
    bring_back,
    calm,
    let_stand,
    name_opponent,
    offer,
    put,
    relay,
)
from protocols.chess_words.text import SIDES, result_reason, result_words
from protocols.core import events as ev
from protocols.core.commands import Decline, PlayMove, Propose, Say
from protocols.core.events import Event
from protocols.core.followed import Status
from protocols.core.line_text import clean
from protocols.core.model import Reason, SeatKind
from protocols.core.notifications import Answered, Notification, Rated, Rejected, Seated, Stakes
from protocols.core.proposals import Start, Takeback

BEFORE_CLOCKS: Final = (ev.TurnStarted, ev.ClockSet)
"""Events that tell the clocks after a move: the move goes out behind them."""

COMPARED: Final = (ev.SeatLeft, ev.Proposed, ev.Agreed, ev.Declined, ev.MoveMade, ev.MovesTakenBack)
"""Events whose words say how the table was before: their functions fold them into it."""


def tell(talk: Talk, message: Notification) -> None:
    """Say what has to be said of this, and keep it."""
    kind = type(message)
    if talk.relay and kind not in BEFORE_CLOCKS:
        relay(talk)
    if kind not in COMPARED:
        talk.table.fold(message)
    if (told := _TELL.get(kind)) is not None:
        told(talk, message)


def seated(talk: Talk, message: Seated) -> None:
    """A seat, at a new table or in a game that goes on: the peer is brought to where it stands."""
    talk.table = table = Table()
    table.catch_up(message.seat, message.past)
    if table.settings is not None:
        talk.game = table.settings.game
    calm(talk, Mode.SETUP)
    if talk.by_ticket:
        talk.by_ticket = False
        talk.text(words.seated(message.table))
    if message.ticket and talk.knows:
        talk.say(p2p.Ticket(clean(message.ticket)))
    elif message.ticket:
        talk.text(words.ticket(message.ticket))
    if table.status is Status.PLAYING:
        bring_back(talk, f"your game with {table.rival} goes on")
        for made in table.standing:
            if made.seat == table.seat:
                talk.text(words.stands(made.proposal))
    elif table.status is Status.ADJOURNED:
        _tell_adjourned(talk)
    else:
        _tell_waiting(talk, message.past)


def _tell_waiting(talk: Talk, past: Sequence[Event]) -> None:
    """Tell the opponent's presence, and the game it proposes, or its words about one."""
    name_opponent(talk)
    start = talk.table.theirs(Start)
    if start is not None:
        starting.offer(talk, start)
    elif talk.table.opponent is None or talk.table.deserted:
        talk.text(
            "nobody else is here yet: set up a game and start it, it will be proposed to whoever comes; "
            + words.press()
        )
    elif talk.table.opponent.kind is SeatKind.RESERVED:
        expected = f"{talk.table.rival} is expected: set up your game and start it, it begins when both are here"
        talk.text(f"{expected}; {words.press()}")
    else:
        talk.text(f"you sit with {talk.table.rival}: set up a game and start it; {words.press()}")
        for event in _last_said(talk.table, past):
            said(talk, event)


def _last_said(table: Table, past: Sequence[Event]) -> list[ev.Said]:
    """The opponent's last words to newcomers, such as a seek in another dialect's words; at most one."""
    for event in reversed(past):
        match event:
            case ev.Said(seat=int() as seat, to="players") if seat != table.seat:
                return [event]
            case ev.SeatLeft(seat=seat) if seat != table.seat:
                break
            case ev.GameStarted() | ev.GameEnded():
                break
    return []


def _tell_adjourned(talk: Talk) -> None:
    calm(talk, Mode.ADJOURNED)
    talk.say(*talk.table.gui().told())
    name_opponent(talk)
    talk.text(
        f"your game with {talk.table.rival} is adjourned: start it again to go on; {words.press_to_resume(talk.knows)}"
    )


def sat(talk: Talk, event: ev.SeatTaken) -> None:
    if event.seat != talk.table.seat and event.kind is not SeatKind.RESERVED:
        name_opponent(talk)
        talk.text(f"{talk.table.rival} is here")


def left(talk: Talk, event: ev.SeatLeft) -> None:
    rival, proposed = talk.table.rival, talk.table.mine(Start) is not None
    talk.table.fold(event)
    if event.seat == talk.table.seat:
        return
    told = words.seat_is(event.kind, rival)
    if not proposed and talk.table.status is Status.WAITING:
        told = f"{told}: set up a game and start it; {words.press()}"
    elif not proposed and talk.table.deserted:
        told = f"{told}; {words.press(anew=True)}"
    talk.text(told)
    if proposed and talk.table.deserted:
        talk.text(f"{words.DESERTED}; {words.press()}")


def proposed(talk: Talk, event: ev.Proposed) -> None:
    if event.seat == talk.table.seat:
        _own_proposal(talk, event)
    elif isinstance(event.proposal, Start):
        starting.offer(talk, event.proposal)
    elif talk.table.mine(type(event.proposal)) != event.proposal:  # otherwise it is an agreement
        _offered(talk, event)
    talk.table.fold(event)


def _own_proposal(talk: Talk, event: ev.Proposed) -> None:
    answered(talk, Propose)
    if not isinstance(event.proposal, Start):
        return
    again, talk.standing = talk.standing == event.proposal, None
    if talk.mode in (Mode.SETUP, Mode.OFFERED) and not (again and talk.table.theirs(Start) is not None):
        talk.mode = Mode.PROPOSED
    opponent, offered = talk.table.opponent, talk.table.theirs(Start)
    if not meet(offered, event.proposal):
        talk.entry = Entry.BRING  # a counter-proposal: the Go that it answered is void
    if talk.table.deserted:
        talk.text(f"{words.DESERTED}; {words.press()}")
    elif opponent is None:
        talk.text("your game is proposed to whoever comes")
    elif opponent.kind is not SeatKind.BOT and not meet(offered, event.proposal):
        talk.text(f"your game is proposed to {talk.table.rival}")


def _offered(talk: Talk, event: ev.Proposed) -> None:
    """One that is not in the game yet is told in words."""
    (offer if talk.mode is Mode.PLAYING else put)(talk, event.proposal)


def agreed(talk: Talk, event: ev.Agreed) -> None:
    if isinstance(event.proposal, Start):
        starting.agreed(talk, event.proposal)
    talk.table.fold(event)


def declined(talk: Talk, event: ev.Declined) -> None:
    if talk.table.proposes(event.seat, event.kind):
        _withdrawn(talk, event)
        return
    mine = event.seat == talk.table.seat
    asked = talk.table.proposes(talk.table.seat, event.kind)
    took_for_over = asked and talk.mode is Mode.ENTERING and event.kind in ("Draw", "Adjourn", "Abort", "End")
    talk.table.fold(event)
    if mine:
        answered(talk, Decline)
    elif asked and not took_for_over:
        talk.text(words.declined(event.kind, talk.table.rival))
    if event.kind == "Takeback" and (talk.removing is not None or talk.rolled_back or talk.astray):
        let_stand(talk)
    if event.kind == "Start" and talk.mode in (Mode.PROPOSED, Mode.OFFERED):
        talk.mode = Mode.SETUP
    if took_for_over:
        bring_back(talk, words.declined(event.kind, talk.table.rival))


def _withdrawn(talk: Talk, event: ev.Declined) -> None:
    """The seat that made the proposal has taken it back; the other seat's own proposal still stands."""
    talk.table.fold(event)
    if event.seat == talk.table.seat:
        answered(talk, Decline)
        if not talk.table.offers():  # otherwise it is on the way to an answer
            talk.text(words.withdrawn(event.kind, "you"))
        return
    talk.text(words.withdrawn(event.kind, talk.table.rival))
    if event.kind == "Takeback" and (talk.removing is not None or talk.astray):
        let_stand(talk)
    if event.kind == "Start" and talk.mode in (Mode.SETUP, Mode.PROPOSED, Mode.OFFERED):
        talk.say(p2p.New())  # as its adapter would: a Go that was told of it is void
        talk.mode = Mode.PROPOSED if talk.table.mine(Start) else Mode.SETUP


def started(talk: Talk, event: ev.GameStarted) -> None:
    shown = talk.base is not None
    starting.started(talk)
    side = "" if talk.table.seat is None else f", you play {SIDES[talk.table.seat != 0]}"
    usual = talk.table.usual and talk.table.variant == NORMAL
    enter = "" if shown else f"; {words.press_to_enter(talk.table.seat, usual)}"
    talk.text(f"the game with {talk.table.rival} begins{side}{enter}")


def turn(talk: Talk, event: ev.TurnStarted) -> None:
    if talk.flagged and talk.table.my_turn:
        talk.relay = ""
        bring_back(talk, f"{talk.table.rival} has moved in time: the game goes on")
        return
    if talk.relay:
        relay(talk)
    if talk.due is not None:
        begin(talk)


def moved(talk: Talk, event: ev.MoveMade) -> None:
    """Its own move is echoed, as the opponent's GUI has made it too; the opponent's waits for the clocks."""
    if event.seat == talk.table.seat:
        talk.removing = None  # that was its answer
    elif talk.removing is not None or talk.astray:
        _move_on(talk, event.seat)
    talk.table.fold(event)
    if event.seat == talk.table.seat:
        answered(talk, PlayMove)
        if talk.mode is Mode.PLAYING:  # the mover has seen the move before, echoed or not
            talk.echoes.clear()
            talk.gui = talk.table.gui()
        talk.say(p2p.Advanced(talk.table.played[-1]))
    else:
        talk.relay = talk.table.played[-1]


def _move_on(talk: Talk, seat: int) -> None:
    """The moves that were to be taken back stand for now. What ``seat`` asked for is asked again behind its move."""
    left = TWO if talk.removing is None else talk.removing
    let_stand(talk)
    if talk.table.proposes(seat, Takeback.__name__):
        talk.removing = left


def taken_back(talk: Talk, event: ev.MovesTakenBack) -> None:
    """Undo for each move that falls, which is also the answer to Remove; not to one who has sent them as the answer to
    ours.

    One whose GUI may show anything is told the game anew.
    """
    known = len(talk.table.played)
    talk.table.fold(event)
    plies = known - len(talk.table.played)
    if talk.removing is not None and plies != TWO:
        talk.astray = True  # the other side has moved since: Undo may have been said before that was heard
    _copy_back(talk, plies)
    if talk.astray:
        calm(talk, Mode.ENTERING)
        talk.due, talk.entry = Entry.BRING, Entry.BRING
        return
    renegotiates = talk.rolled_back and plies == TWO and talk.entry is not Entry.GO
    confirmed = talk.removing == 0
    if not confirmed:
        talk.say(*[p2p.Undo()] * plies)
    talk.due, talk.entry = Entry.WAIT if renegotiates or confirmed else Entry.GO, Entry.BRING
    calm(talk, Mode.ENTERING)


def _copy_back(talk: Talk, plies: int) -> None:
    """The copy is where the game is, however that was agreed; only a GUI that asked by Remove may be ahead of it."""
    if talk.rolled_back and plies == TWO:
        return
    shown = TWO if talk.rolled_back else 0 if talk.removing is None else TWO - talk.removing
    talk.gui = talk.table.gui()
    talk.gui.undone = 0 if talk.astray else max(0, plies - shown)


def adjourned(talk: Talk, event: ev.GameAdjourned) -> None:
    calm(talk, Mode.ADJOURNED)
    talk.say(p2p.Result("*", "adjourned"))
    talk.text(f"the game is adjourned: start it again to go on; {words.press_to_resume(talk.knows)}")


def resumed(talk: Talk, event: ev.GameResumed) -> None:
    calm(talk, Mode.ENTERING)
    talk.due = Entry.BRING


def ended(talk: Talk, event: ev.GameEnded) -> None:
    calm(talk, Mode.SETUP)
    talk.entry, talk.due, talk.base, talk.former = Entry.BRING, None, None, True
    talk.asked.clear()
    talk.trials.clear()
    reason = result_reason(event.outcome)
    talk.say(p2p.Result(result_words(event.outcome), reason))
    if event.outcome.reason is Reason.VOID and not talk.knows:
        talk.text(f"the game is void: {reason}")  # a program may not show the reason of a game that has no result
    talk.text(words.next_game(talk.table.rival, talk.table.deserted))


def said(talk: Talk, event: ev.Said) -> None:
    if event.seat is not None and event.seat == talk.table.seat:
        answered(talk, Say)
        return
    seats = talk.table.seats
    name = event.name or next((seat.name for seat in seats if seat.index == event.seat), "")
    talk.text(f"{clean(name)}: {event.text}" if name else event.text)


def informed(talk: Talk, message: Answered) -> None:
    talk.text(*message.lines)


def rated(talk: Talk, message: Stakes | Rated) -> None:
    talk.text(message.words(talk.table.seat))


_TELL: Final[Mapping[type, Callable[[Talk, Any], None]]] = {
    Seated: seated,
    Rejected: refused,
    Answered: informed,
    Stakes: rated,
    Rated: rated,
    ev.SeatTaken: sat,
    ev.SeatLeft: left,
    ev.Proposed: proposed,
    ev.Agreed: agreed,
    ev.Declined: declined,
    ev.GameStarted: started,
    ev.TurnStarted: turn,
    ev.MoveMade: moved,
    ev.MovesTakenBack: taken_back,
    ev.GameAdjourned: adjourned,
    ev.GameResumed: resumed,
    ev.GameEnded: ended,
    ev.Said: said,
}
