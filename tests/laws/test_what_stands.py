"""Any offer, any cut, any dialect, any answer: what stands is told to whoever comes back, and can be answered.

Real dialects at a real kernel (tests/protocols/duel.py); the record is read anew where the server is killed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

import pytest

from gateway import registry
from gateway.table.state import Status
from protocols.core.commands import PlayMove, Propose
from protocols.core.dialect import Dialect
from protocols.core.model import Outcome, Reason
from protocols.core.proposals import Start
from tests.protocols.duel import Duel
from tests.protocols.talk import heard

OFFERS: Final = ("draw", "takeback 2", "adjourn")
ANSWERS: Final = ("accept", "the same", "undo undo", "decline", "move")
CUTS: Final = ("asked", "asker", "both", "killed")


@dataclass(frozen=True)
class Voice:
    """How a dialect says what a player wants; ``back`` takes seat {} back, ``hears`` are the starts of what an offer is
    told as."""

    sits: tuple[str, ...]
    back: tuple[str, ...]
    accept: str
    decline: str
    word: Callable[[str], str]
    hears: Callable[[str], tuple[str, ...]]


def web(what: str) -> str:
    kind, _, plies = what.partition(" ")
    return json.dumps({"type": "propose", "what": kind} | ({"plies": int(plies)} if plies else {}))


def bogaprot(word: str) -> str:
    return f'MSG_MOVE -1 -1 "{word}"'


def title(what: str) -> str:
    return what.partition(" ")[0].title()


P2P_TEXT: Final = {"draw": "offers a draw", "takeback 2": "asks to take back", "adjourn": "asks to adjourn"}

VOICES: Final[Mapping[str, Voice]] = {
    "chess-p2p": Voice(
        ("new",),
        ("text /seat {}",),
        "text accept",
        "text decline",
        str,
        lambda what: (P2P_TEXT[what], *(("remove",) if what == "takeback 2" else ())),
    ),
    "miniature": Voice(
        ("play",),
        ("tell gateway seat {}",),
        "tell gateway accept",
        "tell gateway decline",
        str,
        lambda what: (what[:4],),
    ),
    "bogaprot": Voice(
        ('REQ_HANDSHAKE "Chess" 1',),
        ('REQ_HANDSHAKE "Chess#{}" 1',),
        bogaprot("accept"),
        bogaprot("decline"),
        bogaprot,
        lambda what: (bogaprot(what[:-2] if what[-1].isdigit() else what)[:-1],),
    ),
    "web": Voice(
        ('{"type":"hello","v":1}', '{"type":"join","game":"chess","ready":false}'),
        ('{"type":"hello","v":1}', '{"type":"join","game":"chess","ticket":"{}"}'),
        "",
        "",
        web,
        lambda what: (f'"proposal":["{title(what)}"',),
    ),
}


class Offered:
    """White has offered something; ``moved``: and has made its own move then. ``voices`` are by seat, White's first."""

    def __init__(self, voices: tuple[str, str], offer: str, *, moved: bool) -> None:
        self.names, self.offer = voices, offer
        self.duel = Duel()
        self.peers = [self._come(name, VOICES[name].sits) for name in voices]
        for peer in self.peers:
            self.duel.do(peer, [Propose(Start())])
        self._move("e2e4")
        self._move("e7e5")
        for seat, name in enumerate(voices):
            if name == "chess-p2p":
                self.say(seat, "accepted")  # its GUI shows the game
        self.named = self.duel.state.ply - (2 if offer.startswith("takeback") else 0)
        removes = voices[0] == "chess-p2p" and offer == "takeback 2" and not moved
        self.say(0, "remove" if removes else VOICES[voices[0]].word(offer))
        if moved:
            self._move("g1f3")
        heard(self.peers[0])
        heard(self.peers[1])

    def _come(self, name: str, lines: tuple[str, ...]) -> Dialect:
        peer = self.duel.come(registry.dialects()[name]({}))
        self.duel.ask(peer, *lines)
        return peer

    def _move(self, text: str) -> None:
        turn = self.duel.state.turn
        assert turn is not None
        self.duel.do(self.peers[turn], [PlayMove(text=text)])

    def say(self, seat: int, *lines: str) -> list[str]:
        return self.duel.ask(self.peers[seat], *lines)

    def cut(self, what: str) -> dict[int, list[str]]:
        """Connections are lost, and their players come back; what each of them is told then."""
        seats = {"asked": (1,), "asker": (0,)}.get(what, (0, 1))
        for seat in seats if what != "killed" else ():
            self.duel.drop(self.peers[seat])
        if what == "killed":
            self.duel.killed()
        told = {}
        for seat in seats:
            name = self.names[seat]
            self.peers[seat] = self.duel.come(registry.dialects()[name]({}))
            told[seat] = heard(self.peers[seat])
            told[seat] += self.say(seat, *(line.replace("{}", str(seat)) for line in VOICES[name].back))
        return told

    def answer(self, what: str) -> None:
        """Black's answer, in its words."""
        voice, web_word = VOICES[self.names[1]], json.loads(web(self.offer))
        match what:
            case "accept" | "the same" if self.names[1] == "web" or what == "the same":
                self.say(1, voice.word(self.offer))
            case "accept":
                self.say(1, voice.accept)
            case "undo undo":
                self.say(1, "undo", "undo")
            case "decline":
                self.say(1, voice.decline or json.dumps({"type": "decline", "what": web_word["what"]}))
            case "move":
                self._move("b8c6")


CASES: Final = [
    pytest.param(asker, asked, id=f"{asker}-{asked}") for asker, asked in product(sorted(VOICES), sorted(VOICES))
]


def possible(asked: str, offer: str, answer: str, *, moved: bool) -> bool:
    """Undo is chess-p2p's for the Remove that it was told; Black moves when White has."""
    if answer == "undo undo":
        return asked == "chess-p2p" and offer == "takeback 2" and not moved
    return answer != "move" or moved


@pytest.mark.parametrize(("asker", "asked"), CASES)
def test_what_stands_is_told_to_who_comes_back_and_any_answer_is_heard(asker: str, asked: str) -> None:
    for offer, moved, cut, answer in product(OFFERS, (False, True), CUTS, ANSWERS):
        if not possible(asked, offer, answer, moved=moved):
            continue
        case = f"{offer}, moved: {moved}, cut: {cut}, answer: {answer}"
        table = Offered((asker, asked), offer, moved=moved)
        told = table.cut(cut)
        if 1 in told:
            starts = VOICES[asked].hears(offer)
            assert any(start in line for line in told[1] for start in starts), f"{case}: {told[1]}"
        if 0 in told and asker in ("chess-p2p", "miniature"):
            assert any("yet" in line for line in told[0]), f"{case}: {told[0]}"
        heard(table.peers[0])
        table.answer(answer)
        state = table.duel.state
        assert not state.proposals, case
        if answer in ("decline", "move"):
            assert (state.status, state.ply) == (Status.PLAYING, 2 + moved + (answer == "move")), case
        elif offer == "draw":
            assert state.outcome == Outcome(None, Reason.AGREEMENT), case
        elif offer == "adjourn":
            assert state.status is Status.ADJOURNED, case
        else:
            assert (state.status, state.ply) == (Status.PLAYING, table.named), case
        assert heard(table.peers[0]), f"{case}: the asker hears what came of it"
