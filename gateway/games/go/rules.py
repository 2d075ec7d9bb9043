"""Go on boards of 5x5 to 25x25, by area or territory.

Seat 0 is Black and moves first; where handicap stones stand, White does; handicap stones that are placed freely are
Black's first moves.

Two passes in a row stop play: the players settle what is dead, and ``scored`` ends the game, or play goes on with the
seat that did not pass last. A game is void that grows too long, or under simple ko repeats itself (position.py).

Sources: the rules of the New Zealand Go Society for captures, superko and area; the Japanese rules of 1989 for
territory (scoring.py says where it differs); the Go Text Protocol for vertices and handicap points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import ClassVar

from gateway.games.base import Game, Played, Turn, Variant, counted
from gateway.games.go import choices, scoring, worth
from gateway.games.go import text as written
from gateway.games.go.grid import COLOURS, LETTERS, stars
from gateway.games.go.guide import GUIDE
from gateway.games.go.position import Fault, Position, effect, passed, refusal, resumed, stop, with_stone
from gateway.games.go.settling import Settling
from gateway.games.go.sgf import sgf
from gateway.games.look import Board, Look, Piece
from gateway.games.parts import Points
from protocols.core.errors import Refused, Why
from protocols.core.model import PASS, Move, Outcome, Reason, Settings, Tally
from protocols.core.numbers import plain_number


class Go(Game[Position], Settling):
    name = "go"
    title = "Go"
    guide = GUIDE
    variants = (
        Variant("area", 19, 19, "Stones and what they surround count, as in China; komi 7.5, boards 5x5 to 25x25."),
        Variant("territory", 19, 19, "Surrounded points and prisoners count, as in Japan; komi 6.5, 5x5 to 25x25."),
    )
    sides = COLOURS
    options = choices.OPTIONS
    settles = "what is dead"
    formats: ClassVar[Mapping[str, Callable[[Played], str]]] = {"sgf": sgf}

    def settings(
        self, variant: str = "", seats: int = 0, start: str = "", options: Mapping[str, str] | None = None
    ) -> Settings:
        """As every game's, with the options of choices.py; ``size`` is the board's width and height too.

        ``variant`` may be the name of a rule set.
        """
        scoring, own = choices.chosen(variant, options or {})
        made = super().settings(scoring, seats)
        size = choices.board_size(own)
        made = replace(made, width=size, height=size, options=own, start=start)
        if start:
            self.start(made)
        return made

    def look(self, settings: Settings) -> Look:
        line = "#4e4e4e"
        pieces = {
            "black": Piece("disc", "#121212", "●", figure="stone"),
            "white": Piece("ring", "#ffffff", "○", figure="stone"),
        }
        marks = dict.fromkeys(stars(settings.width), Piece("dot", line, "╋"))
        return Look(Board.LINES, "#d7af87", line=line, sides=COLOURS, pieces=pieces, marks=marks, files=LETTERS)

    def start(self, settings: Settings) -> Position:
        return written.start(settings)

    def to_move(self, position: Position) -> Turn:
        return None if position.passes > 1 or position.void else position.turn

    def play(self, position: Position, move: Move) -> Position:
        known: tuple[Move, Position] | None = position.__dict__.get("after")
        if known is not None and (known[0] is move or known[0] == move):
            return known[1]
        if position.passes > 1 or position.void:
            raise refusal(position, move)
        grid, target = position.rules.grid, move.target
        if target is not None and 0 <= target < grid.points and move == grid.placed[position.turn][target]:
            after = with_stone(position, target)
        elif move == PASS and not position.placing:
            after = passed(position)
        else:
            raise refusal(position, move)
        position.__dict__["after"] = (move, after)
        return after

    def normal(self, position: Position, move: Move) -> Move:
        grid, target = position.rules.grid, move.target
        if move.source is None and target is not None and not move.piece and 0 <= target < grid.points:
            return grid.placed[position.turn][target]
        return move

    def outcome(self, position: Position) -> Outcome | None:
        return Outcome(None, Reason.VOID, position.void) if position.void else None

    def handicap(self, settings: Settings) -> bool:
        return choices.rules(settings).handicap > 0

    def tally(self, position: Position) -> tuple[Tally, ...]:
        """The prisoners, and White's komi with its points for handicap stones."""
        rules = position.rules
        komi = rules.komi + (rules.compensation if rules.area else 0)
        black, white = (counted(taken, "prisoner") if taken else "" for taken in position.taken)
        points = f"komi {plain_number(komi)}" if komi else ""
        return Tally(text=black), Tally(text=", ".join(filter(None, (white, points))))

    def legal_moves(self, position: Position) -> list[Move]:
        if stop(position) is not None:
            return []
        grid = position.rules.grid
        empty = grid.full ^ (position.black | position.white)
        stones = grid.placed[position.turn]
        moves = [stones[at] for at in grid.points_of(empty) if not isinstance(effect(position, at), Fault)]
        return moves if position.placing else [*moves, PASS]

    def board(self, position: Position) -> dict[int, str]:
        points = position.rules.grid.points_of
        black, white = dict.fromkeys(points(position.black), "black"), dict.fromkeys(points(position.white), "white")
        return dict(sorted({**black, **white}.items()))

    def text(self, position: Position) -> str:
        return written.text(position)

    def brief(self, position: Position) -> str:
        return written.brief(position)

    def diagram(self, position: Position) -> str:
        return written.rows(position, "\n")

    def notation(self, position: Position, move: Move) -> str:
        return written.PASS if move.target is None else position.rules.grid.names[move.target]

    def parse(self, position: Position, text: str) -> Move:
        """The legal move written as a GTP vertex, or "pass". IllegalMove: SYNTAX, or why it is not legal."""
        if text.strip().lower() == written.PASS:
            move = PASS
        else:
            move = self.normal(position, Move(None, written.point(position.rules.grid, text)))
        self.play(position, move)
        return move

    def changes(self, position: Position, move: Move) -> list[tuple[int, str | None]]:
        after, grid, target = self.play(position, move), position.rules.grid, move.target
        if target is None:
            return []
        gone = (position.black | position.white) & ~(after.black | after.white)
        stands = (after.black | after.white) & grid.bits[target]
        changed: list[tuple[int, str | None]] = [(target, move.piece)] if stands else []
        return sorted([*changed, *((point, None) for point in grid.points_of(gone))]) if gone else changed

    def settling(self, position: Position) -> bool:
        return position.passes > 1 and not position.void

    def scored(self, position: Position, claim: Iterable[int]) -> Outcome:
        """``claim`` are the points of dead stones, whole strings."""
        self._must_settle(position)
        return scoring.outcome(position, claim)

    def points(self, position: Position, claim: Iterable[int]) -> Points:
        self._must_settle(position)
        return scoring.points(position, claim)

    def claimed(self, position: Position, squares: Iterable[int]) -> tuple[int, ...]:
        """The whole strings that stand on these points: some stones stand for all of their string."""
        return scoring.whole(position, squares)

    def played_on(self, position: Position) -> Position:
        self._must_settle(position)
        return resumed(position)

    def _must_settle(self, position: Position) -> None:
        if not self.settling(position):
            raise Refused(Why.NOT_NOW, "play has not stopped by two passes")

    def evaluate(self, position: Position, seat: int) -> float:
        lead = worth.lead(position)
        return lead if seat == 0 else -lead

    def worth_trying(self, position: Position) -> list[Move]:
        return worth.candidates(position, self.legal_moves(position))
