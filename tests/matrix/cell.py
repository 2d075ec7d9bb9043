"""One cell: a game between the clients of two dialects, seat 0's first, with everything that two players can do.

It knows no dialect. What it finds out about the pair is the cell's row in docs/matrix.md: the first player does it, the
second hears it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from gateway import registry
from gateway.games.parts import Chance
from protocols.core.model import Settings
from tests.matrix.client import DRAW, NATIVE, REMATCH, TAKEBACK, Client, clients_for
from tests.matrix.game import NOT, Game
from tests.matrix.lines import Line, lines
from tests.matrix.tables import Tables
from tests.matrix.wires import PATIENCE_S, Room

FLAG: Final = "0.3"
"""The time of a game whose flag falls, in seconds."""

OPENING: Final = 3
"""Half-moves before somebody tries one that is forbidden."""

SECOND: Final = "refusal of the second"
"""The other seat's answer to such a move: the row of the same pair the other way round shows it."""

COLUMNS: Final = ("refusal", TAKEBACK, DRAW, "resignation", "result", "flag", REMATCH, "return", "looks on")

Row = dict[str, str]
"""By column native, words, a dialect, or NOT and a reason."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The cell's name: the game, and who sits where."""

    game: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.game}-{self.first}-{self.second}"


def pairs(game: str) -> list[Pair]:
    """Every ordered pair of dialects that can play a game."""
    names = list(clients_for(game))
    return [Pair(game, first, second) for first in names for second in names]


class Cell:
    """Plays one pair at a running server whose listeners are at ``ports``."""

    def __init__(self, pair: Pair, ports: dict[str, int], patience_s: float = PATIENCE_S) -> None:
        self.pair = pair
        self.ports = ports
        self.patience_s = patience_s
        self.tables = Tables(ports["http"])
        self.kinds = clients_for(pair.game)
        self.players = [self.kinds[pair.first], self.kinds[pair.second]]
        self.lines = lines(pair.game, self._fits)
        self.row: Row = {}

    def _fits(self, settings: Settings) -> int:
        able = [kind for kind in self.kinds.values() if kind.can(settings)]
        return len(able) if set(self.players) <= set(able) else 0

    def play(self) -> Row:
        """Everything; the row."""
        first, second = self.players
        if (first.by_names and not second.named) or (second.by_names and not first.named):
            return dict.fromkeys(COLUMNS, NOT + "the one needs two names, and the other can name nobody")
        for line in self.lines:
            self.whole_game(line)
        assert self.row.keys() >= {"refusal", SECOND}, f"{self.pair}: no game here has a move that is forbidden later"
        self.offers()
        self.resignations()
        self.flag()
        return {column: self.row[column] for column in COLUMNS}

    @contextmanager
    def table(self, line: Line, time: str = "none", *, watched: bool = True) -> Iterator[Game]:
        """Both have come to a new table, and a game has begun."""
        room = Room(self.ports, self.patience_s)
        try:
            game = Game(str(self.pair), room, self.tables, line)
            game.begin(self.players, time, self.observer(line.settings) if watched else None)
            yield game
        finally:
            room.close()

    def observer(self, settings: Settings) -> type[Client] | None:
        """A dialect that looks on: a third one where there is any."""
        able = [kind for kind in self.kinds.values() if kind.observes and kind.can(settings)]
        third = [kind for kind in able if kind not in self.players]
        return next(iter(third + able), None)

    def elsewhere(self, kind: type[Client], settings: Settings) -> type[Client] | None:
        """The next dialect by name that a player can come back by; None: there is no other."""
        names = sorted(self.kinds)
        at = names.index(kind.dialect)
        others = (self.kinds[name] for name in names[at + 1 :] + names[:at])
        two_names = all(player.named for player in self.players)
        return next((kind for kind in others if kind.named and kind.can(settings) and two_names >= kind.by_names), None)

    def whole_game(self, line: Line) -> None:
        """A game to its end, with a refusal on either side and an observer; all have the server's record of it."""
        with self.table(line) as game:
            game.play(OPENING)
            while not self.row.keys() >= {"refusal", SECOND} and line.turn(game.board):
                self._refusal(game)
                game.play(1)
            game.play()
            self.row["looks on"] = game.watching[0].dialect if game.watching else NOT + "no dialect has a word for it"
            if game.board.game.judged:
                game.finish()
                self.row["result"] = game.clients[1].heard.ended or NATIVE
            else:
                self.row["result"] = NOT + "no rules end a game"
                game.record()

    def _refusal(self, game: Game) -> None:
        """The player whose turn it is tries a forbidden move, as soon as there is one."""
        seat = game.board.turn or 0
        column = SECOND if seat else "refusal"
        if not game.board.game.judged:
            self.row[column] = NOT + "no rules judge a move"
        elif "refusal" in self.players[seat].lacks:
            self.row[column] = NOT + self.players[seat].lacks["refusal"]
        elif column not in self.row and (way := game.refused(seat)):
            self.row[column] = way

    def offers(self) -> None:
        """Takebacks, returns by other programs, and draws, each with a cut of the line before the answer."""
        with self.table(self.lines[0]) as game:
            self._takebacks(game)
            self._returns(game)
            self._draws(game)

    def missing(self, kind: str) -> str:
        """Why the first player cannot ask the second for this, "" where that can be done."""
        first, second = self.players
        if kind == TAKEBACK and isinstance(registry.game(self.pair.game), Chance):
            return NOT + "no roll is taken back"
        if kind not in first.asks:
            return NOT + first.lacks[f"ask {kind}"]
        return "" if kind in second.answers else NOT + second.lacks[f"hear {kind}"]

    def _asks(self, game: Game, kind: str) -> str:
        game.clients[0].heard.noes.pop(kind, None)
        game.clients[0].ask(kind)
        return game.hears(1, kind)

    def _declines(self, game: Game, kind: str) -> None:
        game.clients[1].decline(kind)
        game.until(f"the no to the {kind} is heard", lambda: kind in game.clients[0].heard.noes)
        game.compare()

    def _takebacks(self, game: Game) -> None:
        game.to_turn(0)
        if missing := self.missing(TAKEBACK):
            self.row[TAKEBACK] = missing
            return
        self.row[TAKEBACK] = self._asks(game, TAKEBACK)
        self._declines(game, TAKEBACK)
        for cut in (None, 1, 0):
            game.to_turn(0)
            self._asks(game, TAKEBACK)
            if cut is not None:
                game.comes_back(cut)
                game.hears(1, TAKEBACK)
            game.clients[1].agree(TAKEBACK)
            game.back()
        game.to_turn(0)

    def _returns(self, game: Game) -> None:
        """Each player comes back by another program, makes a move there, and comes back again."""
        for seat, kind in enumerate(self.players):
            other = self.elsewhere(kind, game.line.settings)
            lacks = kind.lacks.get("return elsewhere", "" if other else "no other dialect plays this")
            game.to_turn(seat)
            if lacks:
                game.comes_back(seat)
            else:
                game.comes_back(seat, other)
                game.play(1)
                game.comes_back(seat, kind)
            if seat == 0:
                self.row["return"] = NOT + lacks if lacks else str(other and other.dialect)
        game.play(2)
        game.to_turn(0)

    def _draws(self, game: Game) -> None:
        if missing := self.missing(DRAW):
            self.row[DRAW] = missing
            return
        self.row[DRAW] = self._asks(game, DRAW)
        self._declines(game, DRAW)
        for cuts in ((1,), (0, 1)):
            self._asks(game, DRAW)
            for cut in cuts:
                game.comes_back(cut)
                game.hears(1, DRAW)
            if 0 not in cuts:
                self._declines(game, DRAW)
        game.clients[1].agree(DRAW)
        game.ended(None)

    def resignations(self) -> None:
        """Either side gives up, and the first one wants a rematch where both have words for it."""
        for seat, kind in enumerate(self.players):
            if "resign" in kind.lacks:
                if seat == 0:
                    self.row["resignation"] = NOT + kind.lacks["resign"]
                continue
            with self.table(self.lines[0]) as game:
                game.to_turn(seat)
                game.clients[seat].resign()
                game.ended(1 - seat)
                if seat == 0:
                    self.row["resignation"] = game.clients[1].heard.ended
                    self._rematch(game)
        self.row.setdefault(REMATCH, self.missing(REMATCH))

    def _rematch(self, game: Game) -> None:
        if missing := self.missing(REMATCH):
            self.row[REMATCH] = missing
            return
        game.alone()
        self.row[REMATCH] = self._asks(game, REMATCH)
        game.clients[1].agree(REMATCH)
        game.again()
        game.to_turn(1)

    def flag(self) -> None:
        """The time of whoever is to move runs out."""
        lacks = [kind.lacks["flag"] for kind in self.players if "flag" in kind.lacks]
        if lacks:
            self.row["flag"] = NOT + lacks[0]
            return
        with self.table(self.lines[0], FLAG, watched=False) as game:
            game.until("the flag falls", lambda: any(client.heard.result for client in game.clients))
            outcome = self.tables.shown(game.number)["outcome"]
            assert outcome["reason"] == "time", outcome
            game.board.like(game.clients[0].board)  # some begin by their first move
            game.ended(outcome["winner"])
            self.row["flag"] = game.clients[1].heard.ended
