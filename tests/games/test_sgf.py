"""SGF as it is written, as a reader made from the specification alone reads it, and as GNU Go loads it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.games.base import Claim, Played, PlayedMove
from gateway.games.go.sgf import overtime, result, sgf
from protocols.core.model import Outcome, Reason, Settings
from protocols.core.time_text import read
from tests import peers
from tests.games.go_boards import GAME, settings, squares

BEGUN = 1_770_000_000.25  # 2026-02-02T02:40:00.25Z

Node = dict[str, list[str]]


def nodes(text: str) -> list[Node]:
    """The nodes of the one game in an SGF text, each with its properties; a property never comes twice in a node."""
    body = re.fullmatch(r"\s*\((.*)\)\s*", text, re.DOTALL)
    assert body is not None
    found: list[Node] = []
    at, rest = 0, body[1]
    token = re.compile(r"\s*(?:(;)|([A-Z]{1,2})((?:\s*\[(?:[^\]\\]|\\.)*\])+))\s*", re.DOTALL)
    while at < len(rest):
        part = token.match(rest, at)
        assert part is not None, rest[at : at + 40]
        at = part.end()
        if part[1]:
            found.append({})
            continue
        assert part[2] not in found[-1]
        values = re.findall(r"\[((?:[^\]\\]|\\.)*)\]", part[3], re.DOTALL)
        found[-1][part[2]] = [re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) for value in values]
    return found


def played(
    made: Settings, moves: str, outcome: Outcome | None = None, clock_s: float | None = None, **more: object
) -> Played:
    """A game of these moves; each takes half a second off a clock that shows ``clock_s`` after the first."""
    position, found = GAME.start(made), []
    for count, word in enumerate(moves.split()):
        if GAME.settling(position):
            position = GAME.played_on(position)
        move, seat = GAME.parse(position, word), GAME.to_move(position)
        assert isinstance(seat, int)
        shown = None if clock_s is None else clock_s - count / 2
        found.append(PlayedMove(seat, move, GAME.notation(position, move), shown))
        position = GAME.play(position, move)
    game = Played(12, 3, "Boardgate", BEGUN, made, ("Alice", "Bob"), tuple(found), outcome)
    return replace(game, **more)  # type: ignore[arg-type]


def test_a_whole_game_is_written_so() -> None:
    made = replace(settings(5), time=read("300+25/60"))
    dead = tuple(squares("E1", 5))
    game = played(
        made,
        "C5 D5 C4 D4 C3 D3 C2 D2 C1 D1 A1 pass E1 pass pass",
        Outcome(1, Reason.RULES, "W+2.5"),
        300.0,
        claims=(Claim(0, (), 15), Claim(1, dead, 15), Claim(0, dead, 15)),
        settled=dead,
    )
    assert sgf(game) == (
        "(;FF[4]GM[1]CA[UTF-8]AP[Boardgate]SZ[5]\n"
        "PB[Alice]PW[Bob]DT[2026-02-02]PC[Boardgate]\n"
        "EV[Table 12]RO[3]RE[W+2.5]\n"
        "KM[7.5]RU[Chinese]\n"
        "TM[300]OT[25/60 Canadian]\n"
        "GC[area scoring, positional superko, suicide forbidden]\n"
        ";B[ca]BL[300.0];W[da]WL[299.5];B[cb]BL[299.0];W[db]WL[298.5];B[cc]BL[298.0];W[dc]WL[297.5];B[cd]BL[297.0];"
        "W[dd]WL[296.5]\n"
        ";B[ce]BL[296.0];W[de]WL[295.5];B[ae]BL[295.0];W[]WL[294.5];B[ee]BL[294.0];W[]WL[293.5];B[]BL[293.0]"
        "C[Black claims: nothing dead.\nWhite claims: E1 dead.\nBlack claims: E1 dead.\nSettled: E1 dead.\n"
        "Result: W+2.5]TB[aa][ba][ab][bb][ac][bc][ad][bd][be]TW[ea][eb][ec][ed][ee])\n"
    )


def test_overtime_has_its_moves_or_periods() -> None:
    """FF[4]: "OB: Number of black moves left (after the move was played) to play in this byo-yomi period." """
    game = played(replace(settings(5), time=read("300+25/60")), "C3 D4", None, 1.0)
    black, white = game.moves
    late = replace(game, moves=(black, replace(white, clock_s=42.25, overtime=24)))
    assert ";B[cc]BL[1.0];W[db]WL[42.2]OW[24])" in sgf(late)


def test_what_was_claimed_before_play_went_on_stands_where_it_was_claimed() -> None:
    first = Claim(1, tuple(squares("C3", 5)), 3)
    game = played(settings(5), "C3 pass pass B3 pass pass", claims=(first, Claim(0, (), 3), Claim(0, (), 6)))
    found = nodes(sgf(game))
    assert found[3]["C"] == ["White claims: C3 dead.\nBlack claims: nothing dead.\nPlay goes on."]
    assert found[6]["C"] == ["Black claims: nothing dead."]
    assert [node["W"] for node in found if "W" in node] == [[""], ["bc"], [""]]


@pytest.mark.parametrize(
    ("outcome", "written"),
    [
        (None, "?"),
        (Outcome(0, Reason.RULES, "B+3.5"), "B+3.5"),
        (Outcome(None, Reason.RULES, "0"), "0"),
        (Outcome(None, Reason.AGREEMENT), "0"),
        (Outcome(1, Reason.RESIGNATION), "W+R"),
        (Outcome(1, Reason.TIME), "W+T"),
        (Outcome(0, Reason.FORFEIT, "an illegal move"), "B+F"),
        (Outcome(0, Reason.ABANDONMENT), "B+F"),
        (Outcome(None, Reason.VOID, "no result: too many moves"), "Void"),
    ],
)
def test_every_kind_of_end_has_its_result(outcome: Outcome | None, written: str) -> None:
    assert result(outcome) == written
    assert nodes(sgf(played(settings(9), "E5 C3", outcome)))[0]["RE"] == [written]


def test_why_a_game_ended_is_told_where_the_result_does_not() -> None:
    ended = Outcome(0, Reason.FORFEIT, "White's engine answered K10 [occupied]")
    comment = nodes(sgf(played(settings(9), "E5", ended)))[-1]["C"]
    assert comment == ["Result: B+F (White's engine answered K10 [occupied])"]


def test_fixed_handicap_stones_are_set_up_and_white_begins() -> None:
    root, first = nodes(sgf(played(settings(9, handicap="3"), "E5")))
    assert (root["HA"], root["AB"], root["PL"], root["KM"]) == (["3"], ["cc", "gc", "cg"], ["W"], ["0.5"])
    assert first == {"W": ["ee"]}
    assert root["GC"][0].endswith("3 points for 3 handicap stones placed on fixed points")


def test_free_handicap_stones_are_set_up_too() -> None:
    made = settings(9, handicap="3", handicap_placement="free", compensation="full")
    root, *rest = nodes(sgf(played(made, "A1 C3 G7 E5 E4")))
    assert (root["HA"], root["AB"], root["PL"]) == (["3"], ["gc", "cg", "ai"], ["W"])
    assert rest == [{"W": ["ee"]}, {"B": ["ef"]}]
    assert root["GC"][0].endswith("3 points for 3 handicap stones placed freely")
    (root,) = nodes(sgf(played(made, "A1")))
    assert (root["AB"], root["PL"]) == (["ai"], ["B"])


def test_a_set_up_position_is_set_up() -> None:
    made = settings(5, start="..X../.O.../...../...../..... 1 0-0")
    root, first = nodes(sgf(played(made, "E1")))
    assert (root["AB"], root["AW"], root["PL"], first) == (["ca"], ["bb"], ["W"], {"W": ["ee"]})


def test_rule_sets_are_named_and_told_in_words() -> None:
    made = settings(9, "territory")
    (root,) = nodes(sgf(played(made, "")))
    assert (root["RU"], root["KM"]) == (["Japanese"], ["6.5"])
    assert root["GC"] == ["territory scoring, simple ko, suicide forbidden"]


@pytest.mark.parametrize(
    ("variant", "options", "name"),
    [
        ("chinese", {"handicap": "4"}, ["Chinese"]),
        ("aga", {"handicap": "4"}, ["AGA"]),
        ("new_zealand", {"handicap": "4"}, ["NZ"]),
        ("tromp_taylor", {}, ["Tromp-Taylor"]),
        ("japanese", {"handicap": "4"}, ["Japanese"]),
        ("area", {"ko": "simple"}, None),
        ("area", {"handicap": "4", "compensation": "none"}, None),
        ("area", {"compensation": "none"}, ["Chinese"]),
        ("territory", {"ko": "positional"}, None),
        ("territory", {"suicide": "allowed"}, None),
    ],
)
def test_a_rule_set_is_named_where_exactly_its_rules_are_judged(
    variant: str, options: dict[str, str], name: list[str] | None
) -> None:
    (root,) = nodes(sgf(played(settings(9, variant, **options), "")))
    assert root.get("RU") == name


@pytest.mark.parametrize(
    ("control", "main", "written"),
    [
        ("600", "600", ""),
        ("300+5", "300", "5 fischer"),
        ("40/5400", "5400", "40/5400 repeated"),
        ("40/5400+30", "5400", "40/5400 repeated, 30 fischer"),
        ("10/move", "0", "1/10 Canadian"),
        ("600+25/300", "600", "25/300 Canadian"),
        ("600+5x30", "600", "5x30 byo-yomi"),
    ],
)
def test_time_is_told_as_other_programs_tell_it(control: str, main: str, written: str) -> None:
    time = read(control)
    assert time is not None
    assert overtime(time) == written
    (root,) = nodes(sgf(played(replace(settings(9), time=time), "")))
    assert root["TM"] == [main]
    assert root.get("OT", [""]) == [written]


def test_names_cannot_break_out_of_their_place() -> None:
    hostile = "Al]ice\\\n;B[aa]\x1b"
    root, first = nodes(sgf(replace(played(settings(9), "E5"), names=(hostile, ""), site="")))
    assert root["PB"] == ["Al]ice\\ ;B[aa]"]
    assert (root["PW"], first) == ([""], {"B": ["ee"]})


def test_the_largest_board_has_points_up_to_y() -> None:
    _, *rest = nodes(sgf(played(settings(25), "A25 Z25 Z1")))
    assert rest == [{"B": ["aa"]}, {"W": ["ya"]}, {"B": ["yy"]}]


def gnugo(path: Path, *commands: str) -> list[str]:
    """GNU Go's answers after it has loaded the file."""
    program = [str(peers.program("gnugo", "/usr/games")), "--mode", "gtp"]
    asked = "\n".join([f"loadsgf {path}", *commands, "quit", ""])
    ran = subprocess.run(program, input=asked, capture_output=True, text=True, timeout=30, check=True)
    answers = [answer for answer in ran.stdout.split("\n\n") if answer.strip()]
    assert all(answer.startswith("=") for answer in answers)
    return [answer[1:].strip() for answer in answers][:-1]


@peers.needed
@pytest.mark.parametrize(
    ("made", "moves"),
    [
        (settings(9), "E5 C3 pass G7 A9 J1"),
        (settings(9, handicap="4"), "E5 C5 E4"),
        (settings(13, "territory", handicap="2", handicap_placement="free", komi="5.5"), "D4 K10 G7 pass C3"),
        (settings(5, start="XO.O./.XO../...../...../..... 0 0-0"), "C5 E1"),
    ],
)
def test_gnugo_loads_a_game_to_the_same_board_komi_and_turn(tmp_path: Path, made: Settings, moves: str) -> None:
    game = played(made, moves)
    path = tmp_path / "game.sgf"
    path.write_text(sgf(game), encoding="utf-8")
    turn, black, white, komi, size = gnugo(
        path, "list_stones black", "list_stones white", "get_komi", "query_boardsize"
    )
    position = GAME.start(made)
    for one in game.moves:
        position = GAME.play(position, one.move)
    names = position.rules.grid.names
    for piece, stones in (("black", black), ("white", white)):
        assert set(stones.split()) == {names[at] for at, what in GAME.board(position).items() if what == piece}
    assert turn == GAME.sides[position.turn]
    assert (float(komi), int(size)) == (position.rules.komi, made.width)
