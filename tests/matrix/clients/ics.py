"""A client of a chess server: a guest that reads positions in one line, and asks for the moves that it has missed."""

from __future__ import annotations

import re

from protocols.core.model import Move, Settings
from tests.matrix.client import BACK, DRAW, NATIVE, REMATCH, TAKEBACK, WORDS
from tests.matrix.line_client import RESULTS, VisitorClient

PROMPT = "fics% "
KINDS = {"draw": DRAW, "takeback": TAKEBACK, "match": REMATCH}
OFFER = re.compile(r"<pf> \d+ w=\w+ t=(draw|takeback|match) ")
ANSWER = re.compile(r"\w+ (accepts|declines|withdraws) the (draw|takeback|match) request\.")
GAME = re.compile(r"\{Game \d+ \(\w+ vs\. \w+\) (.*)\}(?: (\S+))?")
ROW = re.compile(r" *\d+\.  (\S+) +\(\d+:\d\d\)(?: +(\S+) +\(\d+:\d\d\))?")
VARIANTS = ("normal", "fischerandom", "crazyhouse", "suicide", "atomic")

NUMBER, LAST, SAN = 25, 26, 28
"""Words of a position behind its first: the number of the next move, the last move in full and as people write it."""


class IcsClient(VisitorClient):
    dialect = "ics"
    listener = "ics"
    asks = frozenset((DRAW, TAKEBACK, REMATCH))
    answers = asks
    first = ("guest", "", "set seek 0", "style 12", "iset pendinfo 1")

    @classmethod
    def can(cls, settings: Settings) -> bool:
        return settings.variant in VARIANTS

    def _enter(self, word: str) -> None:
        self._missed = False
        super()._enter(word)

    def hear(self, line: str) -> None:
        line = line.strip("\r")
        while line.startswith(PROMPT):
            line = line.removeprefix(PROMPT)
        if line.startswith("<12> "):
            self._position(line.split()[1:])
        elif line.startswith(("You have a seat at table", "You are now observing game")):
            self.heard.here = True
        elif offer := OFFER.match(line):
            self.offered(KINDS[offer[1]], NATIVE)
        elif answer := ANSWER.match(line):
            (self.offered if answer[1] == "accepts" else self.declined)(KINDS[answer[2]], WORDS)
        elif line.startswith(("Illegal move (", "It is not your move.")):
            self.heard.refusals.append(NATIVE)
        elif game := GAME.match(line):
            self._game(game[1], game[2])
        elif self._missed:
            self._row(line)

    def _game(self, words: str, result: str | None) -> None:
        if words.startswith("Creating "):
            self.begun()
            self.heard.here = True
        elif words.startswith("Continuing "):
            self.restarted()
            self._missed = True
            self.say("moves")
        elif result is not None:
            self.over(RESULTS.get(result, "over"), NATIVE)

    def _row(self, line: str) -> None:
        """A row of the list of moves, or what stands below it."""
        if row := ROW.fullmatch(line):
            for san in row.groups():
                if san is not None:
                    self.board.play(self.board.read(san))
        elif "{Still in progress}" in line:
            self._missed, self.heard.here = False, True

    def _position(self, words: list[str]) -> None:
        """After every move, or where it was taken back; the same once more says that nothing has changed."""
        if self._missed:
            return
        if self.place.seat is None and not self.heard.games:
            self.begun()
        self.heard.seat = None if self.place.seat is None else int(words[NUMBER + 4])
        ply = 2 * (int(words[NUMBER]) - 1) + (words[8] == "B")
        if ply > self.board.ply:
            self.board.play(self.board.read(words[SAN]))
            self.asked.clear()
        elif ply < self.board.ply:
            self.board.back(self.board.ply - ply)
            self.asked.discard(TAKEBACK)
        if self.place.settings.variant != "crazyhouse":
            men = re.sub("-+", lambda run: str(len(run[0])), "/".join(words[:8]))
            self.told_fen(f"{men} {words[8].lower()}")

    def move(self, move: Move) -> None:
        self.say(self.written(move))
        self.heard.offers.clear()

    def ask(self, kind: str) -> None:
        self.asked.add(kind)
        self.say({DRAW: "draw", TAKEBACK: f"takeback {BACK}", REMATCH: "rematch"}[kind])

    def agree(self, kind: str) -> None:
        self.heard.offers.pop(kind, None)
        self.say("accept")

    def decline(self, kind: str) -> None:
        self.heard.offers.pop(kind, None)
        self.say("decline")
