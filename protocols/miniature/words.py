"""Miniature's lines from the gateway: those of the draft, and ``tell gateway ...`` for everything else.

Every function gives whole lines without their ends, and what others wrote is made one line first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocols.chess_words.text import SIDES, result_reason, result_words
from protocols.core import events as ev
from protocols.core.line_text import clean
from protocols.core.model import Clock, Outcome, Reading, Settings
from protocols.core.notifications import Notice, Rejected
from protocols.core.proposals import Abort, Adjourn, Draw, End, Proposal, Rematch, Resume, Score, Start, Takeback
from protocols.core.release import VERSION
from protocols.core.time_text import control_words, span
from protocols.miniature.table import State, Table
from protocols.miniature.wire import agrees, write_move, write_seek

TITLE: Final = "Miniature"
GATEWAY: Final = "gateway"
OBSERVERS: Final = "#obs"
EVERYBODY: Final = "#all"
"""Everybody who is here and listens."""
STANDARD: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"

WELCOME: Final = (
    f"welcome to Boardgate {VERSION}; seek 5 0 u w proposes a game, play accepts one, tell gateway help explains"
)

HELP: Final = (
    "seek 5 0 unrated white: propose 5 minutes and no increment; black or any; manual: I confirm by play",
    "play: accept the only seek, or play NAME; confirm a manual one, go on with an adjourned game",
    "move e2-e4: move; promotion a7-a8=Q, castling O-O; behind it, if you like: ; fen POSITION",
    "takeback 2, draw, adjourn: ask, or agree when the other asks; resign: give up",
    "talk to a player, here or elsewhere: tell NICK hello; to those who look on: tell #obs hello",
    "talk to everybody who listens: tell #all hello; you listen from then on, until tell gateway listen no",
    "who is here, what is played: tell gateway who, tell gateway tables",
    "before you sit down: tell gateway name NAME; to sit down: also tell gateway seat TICKET, or match NICK",
    "be an account, before you sit down: tell gateway login NAME PASSWORD",
    "look on at a table: tell gateway observe N, or observe NICK; stand up: tell gateway leave",
    "play a house bot: tell gateway against bot, or bot:3 or its name, then seek; anybody ends that",
    "offer a game without a seat: tell gateway offer 5 0 u w; to one player: tell gateway challenge NICK 5 0 u w",
    "see offers, take one, end one: tell gateway offers, take N or take NICK, withdraw N",
    "any offer: tell gateway accept, or decline; once more: tell gateway rematch",
    "end the game without a result: tell gateway abort; alone before your first move, else the other agrees",
    "give your opponent time: tell gateway moretime SECONDS",
    "commands may be cut short: t s m ta d r a p",
)

LISTENS: Final = f"you hear what is said to everybody; tell {EVERYBODY} TEXT says something"
LISTENS_NOT: Final = "you hear nothing of what is said to everybody"
TAKING: Final = "tell gateway take N takes one; tell gateway withdraw N declines it, or withdraws your own"
"""The ways on with offers, behind a list of them."""

_KINDS: Final[Mapping[str, str]] = {
    "Start": "the game",
    "Draw": "the draw",
    "Takeback": "the takeback",
    "Adjourn": "the adjournment",
    "Abort": "an end without a result",
    "Resume": "going on",
    "Rematch": "the rematch",
}


def remark(text: str) -> str:
    """A line of the gateway itself."""
    return f"tell {GATEWAY} {clean(text)}"


def error(code: str, text: str) -> str:
    return f"error {code} {clean(text)}"


def refusal(message: Rejected) -> str:
    return error(str(message.why).replace(" ", "-"), message.text or str(message.why))


def nick(name: str) -> str:
    """A name as one word that is neither the gateway nor a channel."""
    word = "_".join(clean(name).split()) or "nobody"
    return f"_{word}" if word.startswith("#") or word.casefold() == GATEWAY else word


def said(event: ev.Said, name: str) -> str:
    """Words of a player, of a spectator, or of the server."""
    if event.seat is None and not event.name:
        return remark(event.text)
    if (channel := {"observers": OBSERVERS, ev.CHANNEL: EVERYBODY}.get(event.to)) is not None:
        return f"tell {channel} {nick(name)}: {clean(event.text)}"
    return f"tell {nick(name)} {clean(event.text)}"


def fen(word: str, position: str) -> str:
    """``word`` with a position behind it, where there is one."""
    return f"{word}; fen {clean(position)}" if position else word


def sync(position: str) -> str:
    """The table's position, which wins."""
    return f"sync error; fen {clean(position)}"


def moved(table: Table, event: ev.MoveMade) -> str:
    return fen(f"move {clean(write_move(event, table.settings))}", event.position if table.chess else "")


def result(outcome: Outcome) -> str:
    return f"result {result_words(outcome)} {{{result_reason(outcome)}}}"


def side(seat: int) -> str:
    return SIDES[seat] if seat < len(SIDES) else f"side {seat + 1}"


def players(table: Table) -> str:
    """All players of the table, with their colours."""
    coloured = table.stage is not State.OPEN  # before, seats may still be exchanged
    names = (
        (nick(held.name) if held.name else "nobody yet") + (f" ({side(held.index)})" if coloured else "")
        for held in table.seats
    )
    return " - ".join(names)


def untimed(start: Start) -> str:
    """The answer to a seek that names no time."""
    time = None if start.settings is None else start.settings.time
    return remark(f"you named no time: your game has {control_words(time)}; seek 5 0 names five minutes")


def clash(who: str, start: Start, *, own: bool) -> str:
    """Two seeks that differ in nothing and want the same colour: that is no agreement; ``own`` is the later one."""
    colour, other = side(start.side or 0), side(1 - (start.side or 0))
    wants = f"{nick(who)} has sought {colour}, too" if own else f"{nick(who)} seeks the same game, and {colour}, too"
    return remark(f"{wants}: no game begins; play takes {other}")


def mode(settings: Settings) -> str:
    """The game in words for people."""
    game = settings.variant or settings.game if settings.game in ("chess", "open") else settings.game
    kind = "chess" if game == "normal" else game
    rating = "rated" if settings.rated else "unrated"
    from_there = f", from {settings.start}" if settings.start else ""
    return f"{kind}, {control_words(settings.time)}, {rating}{from_there}"


def clock(known: Clock) -> str:
    return "clock " + " - ".join(map(_left, known.readings))


def _left(reading: Reading) -> str:
    """The time before the flag falls, or the overtime begins."""
    return span(reading.main_s or reading.period_s)


def begins(table: Table) -> str:
    """The players and their game."""
    you = "" if table.seat is None else f"; you are {side(table.seat)}"
    return f"{players(table)}: {'' if table.settings is None else mode(table.settings)}{you}"


def where_it_stands(table: Table) -> list[str]:
    """A game for a newcomer: the players, the position with the move that led to it, turn and clock."""
    turn = table.due
    whose = [] if turn is None else [f"{side(turn)} to move"]
    clocks = [] if table.clock is None else [clock(table.clock)]
    words = [remark(", ".join([*whose, *clocks]))] if whose or clocks else []
    outcome = table.outcome
    end = [result(outcome)] if outcome is not None and table.stage is State.OVER else []
    waits = [remark("the game is adjourned; it goes on when both have said play")]
    return [
        remark(begins(table)),
        *position(table),
        *words,
        *end,
        *(waits if table.stage is State.ADJOURNED else []),
    ]


def position(table: Table) -> list[str]:
    """The present position for a client that may not know it; nothing where it is the usual first one."""
    if isinstance(table.last, ev.MoveMade):
        return [moved(table, table.last)]
    known = not table.chess or not table.position or agrees(STANDARD, table.position)
    return [] if known else [sync(table.position)]


def offer(table: Table, made: ev.Proposed) -> list[str]:
    """Another seat's proposal: the draft's word for it, or words."""
    who, proposal = nick(table.name(made.seat)), made.proposal
    match proposal:
        case Resume():
            return [*agreed(table, proposal), remark(f"{who} wants to go on; play begins it")]
        case Start():
            seek = write_seek(proposal)
            return [seek] if seek is not None else [remark(f"{who} {_start(proposal)}; play accepts")]
        case Rematch():
            return [remark(f"{who} wants to play once more; play accepts")]
        case Abort():
            return [remark(f"{who} wants to abort the game, so that nobody loses; tell gateway accept, or decline")]
        case End(winner=winner):
            return [remark(f"{who} says that {side(winner)} has won; tell gateway accept, or decline")]
        case Score():
            return [remark(f"{who} proposes a score; tell gateway accept, or decline")]
    return agreed(table, proposal)


def stands(proposal: Proposal) -> str:
    """A client's own proposal."""
    return remark(f"you ask for {_KINDS.get(type(proposal).__name__, 'an end')}; nobody has answered yet")


def posted(notice: Notice) -> list[str]:
    """A seek that stands: who seeks, and the draft's line where it has words for it, as its P2 receives it unasked."""
    who, seek = nick(notice.name), write_seek(notice.start)
    if seek is None:
        return [remark(f"{who} {_start(notice.start)}; play {who} accepts")]
    return [remark(f"{who} seeks a game; play {who} accepts"), seek]


def removed(notice: Notice) -> str:
    """A seek that stands no more."""
    return remark(f"{nick(notice.name)} no longer waits: {write_seek(notice.start) or _start(notice.start)}")


def _start(start: Start) -> str:
    colour = "" if start.side is None else f", and plays {side(start.side)}"
    confirms = ", and confirms a challenge" if start.confirms else ""
    what = "takes any game" if start.settings is None else f"seeks {mode(start.settings)}"
    return f"{what}{colour}{confirms}"


def agreed(table: Table, proposal: Proposal) -> list[str]:
    """The draft's word for this, which asks and agrees alike; none for a game, which is told when it begins."""
    match proposal:
        case Draw():
            return ["draw"]
        case Takeback(plies=plies):
            return [fen(f"takeback {table.asked(plies)}", table.before(plies) if table.chess else "")]
        case Adjourn():
            return ["adjourn"]
        case Resume():
            return ["play"]
    return []


def accepted(table: Table, mine: Proposal) -> str:
    """The other side's agreement to a game, once the colours are known: play; or, where the seek left the colour or all
    else open, the same seek back with the colour that the other got."""
    if isinstance(mine, Start) and (mine.settings is None or mine.side is None) and table.seat in (0, 1):
        return write_seek(Start(table.settings, 1 - table.seat)) or "play"
    return "play"


def declined(name: str, kind: str) -> str:
    return remark(f"{nick(name)} declines {_KINDS.get(kind, 'it')}")


def withdrawn(name: str, kind: str) -> str:
    """Its maker's own proposal is void; what the client proposes itself still stands."""
    return remark(f"{nick(name)} no longer asks for {_KINDS.get(kind, 'it')}")


def is_offer(line: str) -> bool:
    """True if a line of the server's shows an offer: "12: alice offers you ..."."""
    return line.partition(":")[0].isdigit()
