"""A game of Go in SGF, the form that every Go program reads.

Source: the SGF specification, FF[4], with its properties of Go; where it leaves wording open (RU, OT) the words that
programs share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from gateway.games.base import Claim, Played
from gateway.games.go import scoring
from gateway.games.go.choices import Rules, rules
from gateway.games.go.grid import COLOURS, Grid
from gateway.games.go.position import Fault, Position, passed, placed, resumed
from gateway.games.go.text import start
from protocols.core.errors import Refused
from protocols.core.model import Outcome, Reason, Settings, TimeControl, TimeKind
from protocols.core.numbers import plain_number

NODES_A_LINE: Final = 8

_SIDES: Final = ("B", "W")
_REASONS: Final = {
    Reason.RESIGNATION: "R",
    Reason.TIME: "T",
    Reason.FORFEIT: "F",
    Reason.ABANDONMENT: "F",
}
_NAMES: Final = {
    "chinese": "Chinese",
    "aga": "AGA",
    "new_zealand": "NZ",
    "tromp_taylor": "Tromp-Taylor",
    "japanese": "Japanese",
}
"""Rule sets in RU; rules without a name are told in words only."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def sgf(played: Played) -> str:
    """The game as one SGF collection of one game, with a line end after its last line."""
    by = rules(played.settings)
    setup = _placed_freely(played, by)
    nodes = [_node(played, by, at) for at in range(setup, len(played.moves))]
    root = "\n".join(_root(played, by, setup))
    closing = "".join(_closing(played, by, bool(nodes)))
    if nodes:
        nodes[-1] += closing
    else:
        root += closing
    lines = ["".join(nodes[at : at + NODES_A_LINE]) for at in range(0, len(nodes), NODES_A_LINE)]
    return "\n".join([f"(;{root}", *lines]) + ")\n"


def result(outcome: Outcome | None) -> str:
    """The value of RE: "B+3.5", "W+R", "W+T", "B+F", "0", "Void"; "?" while the game goes on."""
    if outcome is None:
        return "?"
    if outcome.reason is Reason.VOID:
        return "Void"
    if outcome.winner is None:
        return "0"
    if outcome.reason is Reason.RULES:
        return outcome.detail
    return f"{_SIDES[outcome.winner]}+{_REASONS.get(outcome.reason, '')}"


def overtime(time: TimeControl) -> str:
    """The value of OT; "" where there is none."""
    step, period = f"{time.increment_s:g}", f"{time.period_s:g}"
    return {
        TimeKind.ABSOLUTE: "",
        TimeKind.FISCHER: f"{step} fischer",
        TimeKind.MOVES: f"{time.moves}/{time.main_s:g} repeated" + (f", {step} fischer" if time.increment_s else ""),
        TimeKind.PER_MOVE: f"1/{period} Canadian",
        TimeKind.CANADIAN: f"{time.moves}/{period} Canadian",
        TimeKind.BYOYOMI: f"{time.periods}x{period} byo-yomi",
    }[time.kind]


def _root(played: Played, by: Rules, setup: int) -> Iterator[str]:
    """The root node, some properties a line."""
    black, white = (_simple(name) for name in played.names[:2])
    begun_at = datetime.fromtimestamp(played.begun, UTC)
    yield f"FF[4]GM[1]CA[UTF-8]AP[Boardgate]SZ[{by.size}]"
    yield f"PB[{black}]PW[{white}]DT[{begun_at:%Y-%m-%d}]PC[{_simple(played.site)}]"
    yield f"EV[Table {played.table}]RO[{played.number}]RE[{result(played.outcome)}]"
    named = f"RU[{_NAMES[by.name]}]" if by.name else ""
    yield f"KM[{plain_number(by.komi)}]{named}" + (f"HA[{by.handicap}]" if by.handicap else "")
    time = played.settings.time
    if time is not None:
        main_s = 0.0 if time.kind is TimeKind.PER_MOVE else time.main_s
        yield f"TM[{main_s:g}]" + (f"OT[{overtime(time)}]" if overtime(time) else "")
    yield f"GC[{_text(_terms(by))}]" + _set_up(played, by.grid, setup)


def _terms(by: Rules) -> str:
    """The rules in words, for who wants to know them exactly."""
    ko = f"{by.ko} {'ko' if by.ko == 'simple' else 'superko'}"
    terms = f"{'area' if by.area else 'territory'} scoring, {ko}, suicide {'allowed' if by.suicide else 'forbidden'}"
    if not by.handicap:
        return terms
    given = f"{by.compensation} point{'s' if by.compensation > 1 else ''}" if by.compensation else "no points"
    return f"{terms}, {given} for {by.handicap} handicap stones placed {'freely' if by.free else 'on fixed points'}"


def _set_up(played: Played, grid: Grid, setup: int) -> str:
    """The stones that stand before the first move that is written as one, and who makes it where that is not Black."""
    first = start(played.settings)
    black = grid.points_of(first.black) + [made.move.target or 0 for made in played.moves[:setup]]
    stones = _points("AB", grid, sorted(black)) + _points("AW", grid, grid.points_of(first.white))
    turn = played.moves[setup].seat if len(played.moves) > setup else first.turn
    return stones + (f"PL[{_SIDES[turn]}]" if stones else "")


def _placed_freely(played: Played, by: Rules) -> int:
    """The number of first moves that are handicap stones."""
    return min(start(played.settings).placing if by.free else 0, len(played.moves))


def _node(played: Played, by: Rules, at: int) -> str:
    """One move, its clock, and what was claimed after it."""
    made = played.moves[at]
    side, point = _SIDES[made.seat], made.move.target
    node = f";{side}[{'' if point is None else _point(by.grid, point)}]"
    if made.clock_s is not None:
        node += f"{side}L[{max(0.0, made.clock_s):.1f}]" + (f"O{side}[{made.overtime}]" if made.overtime else "")
    if at + 1 == len(played.moves):
        return node
    said = [_claimed(by.grid, claim) for claim in played.claims if claim.ply == at + 1]
    return node + (f"C[{_text(chr(10).join([*said, 'Play goes on.']))}]" if said else "")


def _closing(played: Played, by: Rules, moved: bool) -> Iterator[str]:
    """The last node's properties: the claims, the settlement and its points, how the game ended."""
    said = [_claimed(by.grid, claim) for claim in played.claims if claim.ply == len(played.moves)]
    outcome, settled = played.outcome, played.settled
    counted = None
    if settled is not None and outcome is not None and outcome.reason is Reason.RULES:
        counted = _counted(played, settled)
        said.append(f"Settled: {_listed(by.grid, settled)} dead.")
    if outcome is not None:
        said.append(f"Result: {result(outcome)}" + (f" ({outcome.detail})" if _tells(outcome) else ""))
    if said:
        yield f"C[{_text(chr(10).join(said))}]"
    if counted is not None and moved:
        yield _points("TB", by.grid, by.grid.points_of(counted.lands[0]))
        yield _points("TW", by.grid, by.grid.points_of(counted.lands[1]))


def _tells(outcome: Outcome) -> bool:
    """True if the detail says more than the result."""
    return bool(outcome.detail) and outcome.detail != result(outcome)


def _counted(played: Played, settled: Iterable[int]) -> scoring.Count | None:
    """The count of the last position; None where the record does not lead to one that these stones are dead in."""
    position = _last(played.settings, played)
    try:
        return None if position is None else scoring.count(position, scoring.removed(position, settled))
    except Refused:
        return None


def _last(settings: Settings, played: Played) -> Position | None:
    """The position after all moves; None when they cannot have been made."""
    position = start(settings)
    for made in played.moves:
        if position.passes > 1:
            position = resumed(position)
        after = passed(position) if made.move.target is None else placed(position, made.move.target)
        if isinstance(after, Fault):
            return None
        position = after
    return position


def _claimed(grid: Grid, claim: Claim) -> str:
    return f"{COLOURS[claim.seat].capitalize()} claims: {_listed(grid, claim.squares)} dead."


def _listed(grid: Grid, points: Iterable[int]) -> str:
    return " ".join(grid.names[point] for point in points) or "nothing"


def _points(name: str, grid: Grid, points: Iterable[int]) -> str:
    """A property with a list of points; nothing for none."""
    listed = "".join(f"[{_point(grid, point)}]" for point in points)
    return f"{name}{listed}" if listed else ""


def _point(grid: Grid, point: int) -> str:
    """Column, then row from the top, as letters."""
    return _LETTERS[point % grid.size] + _LETTERS[point // grid.size]


def _text(text: str) -> str:
    """Escaped as Text: lines are kept, what else does not print becomes a blank."""
    plain = "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text).strip()
    return plain.replace("\\", "\\\\").replace("]", "\\]")


def _simple(text: str) -> str:
    """Escaped as SimpleText: one line."""
    return _text(text.replace("\n", " "))
