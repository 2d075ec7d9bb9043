"""The GTP adapter speaks to engines and accepts only valid answers; a real engine plays by it."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from typing import Any

import pytest

from gateway.bots.conversation import Question, Unsuited
from gateway.bots.engines import Engine
from gateway.bots.gtp import NEEDED, Gtp
from gateway.bots.players import HousePlayers
from gateway.config import EngineBot
from gateway.games.go.position import Position
from gateway.games.go.rules import Go
from protocols.core.errors import RemoteProtocolError
from protocols.core.model import Move, Reading, TimeControl, TimeKind
from tests import peers

GO = Go()
SMALL = GO.start(GO.settings(options={"size": "9", "komi": "5.5"}))
OPENED = GO.play(SMALL, GO.parse(SMALL, "E5"))


def ready(*commands: str) -> Gtp:
    """A conversation with an engine that lists these commands."""
    talk = Gtp({})
    talk.data_to_send()
    for line in ("=1 Scripted", "", "=2 " + (commands[0] if commands else ""), *commands[1:], ""):
        talk.receive_line(line)
    return talk


def asked() -> Gtp:
    talk = ready(*NEEDED)
    talk.ask(Question(GO, OPENED, 2, 0.5))
    return talk


def test_it_is_asked_who_it_is_and_what_it_knows() -> None:
    talk = Gtp({})
    assert talk.data_to_send() == b"1 name\n2 list_commands\n0 version\n"
    assert not talk.ready
    for line in ("=1 GNU Go", "", "=0 3.8", ""):
        talk.receive_line(line)
    assert (talk.called, talk.ready) == ("GNU Go 3.8", False)
    talk = ready(*NEEDED)
    assert talk.ready
    assert talk.called == "Scripted"


def test_the_board_is_set_up_and_a_move_asked_for() -> None:
    talk = asked()
    assert talk.data_to_send().decode().splitlines() == [
        "3 boardsize 9",
        "4 clear_board",
        "5 komi 5.5",
        "6 play black E5",
        "7 genmove white",
    ]


def test_only_what_it_lists_is_sent() -> None:
    talk = ready(*NEEDED, "level")
    talk.ask(Question(GO, SMALL, 3, 0.5))
    assert talk.data_to_send().startswith(b"3 level 10\n")
    with pytest.raises(Unsuited):
        ready("boardsize", "genmove").ask(Question(GO, SMALL, 1, 0.5))


@pytest.mark.parametrize(
    ("variant", "options", "told"),
    [
        ("area", {}, ["kgs-rules chinese"]),
        ("aga", {"handicap": "2"}, ["kgs-rules aga"]),
        ("territory", {}, ["kgs-rules japanese"]),
        ("area", {"ko": "simple"}, []),
        ("area", {"handicap": "2", "compensation": "none"}, []),
    ],
)
def test_a_rule_set_is_named_where_exactly_its_rules_are_judged(
    variant: str, options: dict[str, str], told: list[str]
) -> None:
    talk = ready(*NEEDED, "kgs-rules")
    talk.ask(Question(GO, GO.start(GO.settings(variant, options={"size": "9", **options})), 2, 0.5))
    lines = [line.partition(" ")[2] for line in talk.data_to_send().decode().splitlines()]
    assert [line for line in lines if line.startswith("kgs-rules")] == told


def test_its_answer_is_a_legal_move() -> None:
    talk = asked()
    for line in ("=3", "", "=4", "", "=5", "", "=6", "", "= 7 C3", ""):
        talk.receive_line(line)
    assert talk.answer == Move(None, 6 * 9 + 2, "white")
    assert talk.ready


def test_who_gives_up_passes() -> None:
    talk = asked()
    talk.receive_line("=7 resign")
    assert talk.answer == Move(None, None)


@pytest.mark.parametrize("line", ["=7 E5", "=7 Z99", "?7 no idea", "?6 illegal move"])
def test_an_answer_that_is_no_move_is_an_error(line: str) -> None:
    with pytest.raises(RemoteProtocolError):
        asked().receive_line(line)


def test_answers_to_nothing_and_rubbish_are_passed_over() -> None:
    talk = asked()
    for line in ("=99 D4", "hello", "", "=", "?"[:0]):
        talk.receive_line(line)
    assert talk.answer is None


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position = GO.play(position, GO.parse(position, move))
    return position


def question(position: Position, bot_context: tuple[int, int] | None = (1, 1), **more: Any) -> Question:
    return Question(GO, position, 2, 2.0, bot_context, **more)


def told(talk: Gtp, asked: Question, answer: str = "C3") -> list[str]:
    """Return the commands sent for this question, without ids, to an engine with these answers."""
    talk.ask(asked)
    lines = talk.data_to_send().decode().splitlines()
    for line in lines:
        number, _, command = line.partition(" ")
        talk.receive_line(f"={number} {answer if 'genmove' in command else ''}")
        talk.receive_line("")
    assert talk.answer is not None
    return [line.partition(" ")[2] for line in lines]


SET_UP = ["boardsize 9", "clear_board", "komi 5.5"]


def test_only_the_moves_since_the_last_question_of_a_game_are_told() -> None:
    talk = ready(*NEEDED)
    assert told(talk, question(OPENED)) == [*SET_UP, "play black E5", "genmove white"]
    answered = play(OPENED, "C3", "G7")
    assert told(talk, question(answered), "pass") == ["play black G7", "genmove white"]
    assert told(talk, question(play(answered, "pass", "H8")), "D4") == ["play black H8", "genmove white"]


def test_moves_that_were_played_on_after_two_passes_are_told_without_a_word() -> None:
    talk = ready(*NEEDED)
    told(talk, question(OPENED), "pass")
    resumed = play(GO.played_on(play(OPENED, "pass", "pass")), "D4")
    assert told(talk, question(resumed)) == ["play black pass", "play white D4", "genmove black"]


@pytest.mark.parametrize(
    ("next_position", "bot_context"),
    [
        (play(OPENED, "C3", "G7"), (2, 1)),
        (play(OPENED, "C3", "G7"), (1, 2)),
        (play(OPENED, "C3", "G7"), None),
        (play(OPENED, "C4", "G7"), (1, 1)),
        (OPENED, (1, 1)),
        (play(GO.start(GO.settings(options={"size": "9"})), "E5", "C3", "G7"), (1, 1)),
    ],
    ids=["another table", "a rematch", "no game", "another move", "a takeback", "another komi"],
)
def test_what_does_not_go_on_from_the_last_question_is_told_from_the_first_move_on(
    next_position: Position, bot_context: tuple[int, int] | None
) -> None:
    talk = ready(*NEEDED)
    told(talk, question(OPENED))
    lines = told(talk, question(next_position, bot_context), "A1")
    assert lines[:2] == ["boardsize 9", "clear_board"]
    assert lines[3] == "play black E5"
    assert len(lines) == 4 + len(next_position.moves) // 2


def test_who_gave_up_was_not_told_that_it_passed_and_is_told_everything_again() -> None:
    talk = ready(*NEEDED)
    told(talk, question(OPENED), "resign")
    lines = told(talk, question(play(OPENED, "pass", "D4")))
    assert lines == [*SET_UP, "play black E5", "play white pass", "play black D4", "genmove white"]


def test_captures_and_handicap_are_told_as_they_came_about() -> None:
    talk = ready(*NEEDED)
    handicap = GO.start(GO.settings(options={"size": "9", "handicap": "2"}))
    lines = told(talk, question(play(handicap, "E5", "A2", "A1", "B1")), "H8")
    stones = [
        f"play black {GO.notation(handicap, Move(None, at, colour))}" for at, colour in GO.board(handicap).items()
    ]
    moves = ["play white E5", "play black A2", "play white A1", "play black B1"]
    assert lines == ["boardsize 9", "clear_board", "komi 0.5", *stones, *moves, "genmove white"]


def test_a_set_up_board_is_told_stone_by_stone() -> None:
    rows = "/".join([".........", "..X......", *["........."] * 6, "......O.."])
    position = GO.start(GO.settings(start=f"{rows} 1 0-0", options={"size": "9"}))
    assert told(ready(*NEEDED), question(play(position, "A1")))[3:-1] == [
        "play black C8",
        "play white A1",
        "play white G1",
    ]


CANADIAN = TimeControl(TimeKind.CANADIAN, main_s=600.0, period_s=30.0, moves=25)
ABSOLUTE = TimeControl(TimeKind.ABSOLUTE, main_s=600.0)


def timed(control: TimeControl, *readings: Reading, position: Position = OPENED) -> Question:
    return question(position, time=control, readings=readings)


def test_an_ample_clock_is_told_as_what_a_move_may_take() -> None:
    """time_settings: "main_time byo_yomi_time byo_yomi_stones"."""
    talk = ready(*NEEDED, "time_settings", "time_left")
    lines = told(talk, timed(ABSOLUTE, Reading(590.0), Reading(580.5)))
    assert lines[-3:] == ["time_settings 0 2 1", "time_left white 2 1", "genmove white"]
    later = timed(ABSOLUTE, Reading(560.0), Reading(580.5), position=play(OPENED, "C3", "G7"))
    assert told(talk, later, "D4") == ["play black G7", "time_left white 2 1", "genmove white"]


def test_a_short_clock_is_told_as_it_is_and_the_level_is_the_engine_s_to_lower() -> None:
    """time_left: "Color for which the information applies", time, stones; no stones in main time."""
    talk = ready(*NEEDED, "level", "time_settings", "time_left")
    told(talk, timed(ABSOLUTE, Reading(590.0), Reading(580.5)))
    later = timed(ABSOLUTE, Reading(560.0), Reading(20.9), position=play(OPENED, "C3", "G7"))
    assert told(talk, later, "D4") == [
        "play black G7",
        "time_settings 600 0 0",
        "time_left black 560 0",
        "time_left white 20 0",
        "genmove white",
    ]


def test_the_better_command_for_times_is_used_where_it_is_listed() -> None:
    talk = ready(*NEEDED, "time_settings", "kgs-time_settings", "time_left")
    lines = told(talk, timed(CANADIAN, Reading(600.0, 30.0, 0, 25), Reading(0.0, 30.0, 0, 25)))
    assert lines[-4:-1] == ["kgs-time_settings canadian 600 30 25", "time_left black 600 0", "time_left white 30 25"]


def test_each_game_has_its_own_time_and_none_where_nobody_keeps_it() -> None:
    talk = ready(*NEEDED, "time_settings", "time_left")
    assert not any("time" in line for line in told(talk, question(OPENED)))
    for table in (2, 3):
        asked = replace(timed(ABSOLUTE, Reading(590.0), Reading(580.5)), bot_context=(table, 1))
        assert "time_settings 0 2 1" in told(talk, asked)
    assert told(talk, question(OPENED, (4, 1)))[-2:] == ["time_settings 0 1 0", "genmove white"]


def test_an_engine_may_refuse_what_it_need_not_have() -> None:
    talk = ready(*NEEDED, "level", "time_settings", "time_left")
    talk.ask(timed(ABSOLUTE, Reading(590.0), Reading(580.5)))
    for line in ("?3 no such level", "?8 no time", "?9 no time", "=10 C3"):
        talk.receive_line(line)
    assert talk.answer is not None


@peers.needed
def test_gnugo_s_board_is_ours_after_questions_that_go_on() -> None:
    """Its showboard, asked for on pipes of its own after what the conversation said to it."""
    talk, script = ready(*NEEDED, "time_settings", "time_left"), list[str]()
    position = SMALL
    for move in ("E5", "C3", "G7", "G3", "C7", "D3"):
        script += [line.replace("genmove", "play") for line in told(talk, question(position), move)]
        script[-1] += f" {move}"
        position = play(position, move)
    words = [str(peers.program("gnugo", "usr/games")), "--mode", "gtp"]
    heard = subprocess.run(
        words,
        input="\n".join([*script, "list_stones black", "list_stones white", "quit", ""]),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    ).stdout.split("\n\n")
    assert [set(answer[1:].split()) for answer in heard[-4:-2]] == [
        {GO.notation(position, Move(None, at, side)) for at, side in GO.board(position).items() if side == colour}
        for colour in GO.sides
    ]


@peers.needed
async def test_a_real_engine_plays_for_the_house() -> None:
    words = (str(peers.program("gnugo", "usr/games")), "--mode", "gtp")
    engine = Engine(EngineBot(game="go", command=" ".join(words), move_time_s=5.0), "go", words, (Gtp,))
    async with HousePlayers.open(0, [engine]) as players:
        move = await players.choose("go", OPENED, 1)
    assert move.target is not None
    assert GO.play(OPENED, move) != OPENED


def test_in_byoyomi_an_engine_that_takes_kgs_time_settings_is_told_the_periods_left() -> None:
    """KGS sends the periods left as the stones of time_left; by time_settings alone a period is one stone."""
    byoyomi, left = TimeControl(TimeKind.BYOYOMI, 60.0, period_s=1.0, periods=3), Reading(0.0, 1.0, 2)
    kgs = ready(*NEEDED, "time_settings", "kgs-time_settings", "time_left")
    assert told(kgs, timed(byoyomi, Reading(0.0, 1.0, 3), left))[-4:-1] == [
        "kgs-time_settings byoyomi 60 1 3",
        "time_left black 1 3",
        "time_left white 1 2",
    ]
    plain = ready(*NEEDED, "time_settings", "time_left")
    assert told(plain, timed(byoyomi, Reading(0.0, 1.0, 3), left))[-3:-1] == [
        "time_left black 1 1",
        "time_left white 1 1",
    ]
