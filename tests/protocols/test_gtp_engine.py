"""The gateway controls an engine at a real table of Go: set-up, moves, failures."""

from __future__ import annotations

import pytest

from protocols.core.commands import Forfeit, Leave, Propose, Say
from protocols.core.errors import RemoteProtocolError
from protocols.core.events import GameEnded, MoveMade, Said, TurnStarted
from protocols.core.model import Move, Reason
from protocols.core.proposals import Adjourn, Draw, Resume, Score
from protocols.gtp.codec import LONGEST_ANSWER
from protocols.gtp.engine import MOST_WRONG, GtpEngine
from protocols.gtp.gui import GtpGui
from tests.protocols.gtp_peers import COMMANDS, SET_UP, Engine, GoTable, Reply, gui
from tests.protocols.talk import heard

BLACK = ("boardsize 9", "komi 6.5")


def match(
    replies: dict[str, Reply] | None = None, listed: str = COMMANDS, set_up: tuple[str, ...] = BLACK, first: str = "D4"
) -> tuple[GoTable, GtpGui, Engine]:
    """A GUI that plays Black at D4 against a scripted engine; and the lines of both so far."""
    table = GoTable()
    human = gui(table, *set_up, f"play b {first}")
    engine = table.dial(Engine({"genmove": ["E5", "E6", "E7", "pass"], **(replies or {})}, listed))
    heard(human)
    return table, human, engine


def since(engine: Engine, word: str) -> list[str]:
    """Return the commands to the engine from the last one of this name on."""
    at = max(index for index, line in enumerate(engine.asked) if line.startswith(word))
    return engine.asked[at:]


def over(table: GoTable) -> GameEnded:
    return next(event for event in table.record if isinstance(event, GameEnded))


def said(table: GoTable) -> list[str]:
    return [event.text for event in table.record if isinstance(event, Said)]


def test_it_is_asked_for_its_name_version_and_commands_first() -> None:
    """ "`gnugo --mode gtp --gtp-connect HOST:PORT` dials once, says nothing, gives no name: ask `name`, `version`,
    `list_commands`." """
    table = GoTable()
    engine = table.dial(Engine())
    assert engine.asked == ["name", "version", "list_commands"]
    assert table.state.seats[0].name == "Thinker 1"


def test_the_order_of_set_up() -> None:
    """ "Order of set-up: `boardsize`, `clear_board`, `komi`, handicap, time, then moves." "y" will probably be
    followed soon by a serios of "komi", "board_size", etc. commands"."""
    human = gui(table := GoTable(None), "boardsize 13", "kgs-rules japanese", "fixed_handicap 3")
    table.say(human, "kgs-time_settings byoyomi 60 30 5", "genmove w")
    engine = table.dial(Engine({"genmove": "pass"}, COMMANDS + " kgs-rules kgs-time_settings set_free_handicap"))
    assert since(engine, "boardsize") == [
        "boardsize 13",
        "clear_board",
        "kgs-rules japanese",
        "komi 0.5",
        "set_free_handicap D10 K10 D4",
        "kgs-time_settings byoyomi 60 30 5",
        "time_left black 60 0",
        "time_left white 60 0",
        "genmove white",
    ]


def test_after_a_failed_set_up_command_the_board_is_cleared_again() -> None:
    """ "after any failed set-up command `clear_board` again" """
    table = GoTable(None)
    human = gui(table, "boardsize 9", "fixed_handicap 2", "genmove w")
    replies: dict[str, Reply] = {"set_free_handicap": "? no", "komi": "? no", "genmove": "pass"}
    engine = table.dial(Engine(replies, COMMANDS + " set_free_handicap"))
    assert since(engine, "komi")[:2] == ["komi 0.5", "clear_board"]
    assert since(engine, "set_free_handicap") == [
        "set_free_handicap G7 C3",
        "clear_board",
        "play black G7",
        "play black C3",
        "time_settings 0 1 0",
        "genmove white",
    ]
    assert heard(human) == ["= pass"]


def test_it_is_never_sent_a_command_that_it_did_not_list() -> None:
    """ "Never probe with a command that `list_commands` lacks: Pachi abandons the connection after one unknown
    command." """
    listed = "list_commands boardsize clear_board play genmove"
    table, human, engine = match(listed=listed)
    table.do(human, [Say("all", "hi"), Propose(Draw())])
    table.say(human, "genmove w", "play b C4", "genmove w", "undo", "play b pass")
    table.settle()
    assert {line.split()[0] for line in engine.asked[3:]} <= set(listed.split())


def test_its_moves_go_to_the_table_and_the_others_to_it() -> None:
    table, human, engine = match()
    assert table.say(human, "genmove w", "play b C4", "genmove w") == ["= E5", "=", "= E6"]
    assert since(engine, "play black D4") == ["play black D4", "genmove white", "play black C4", "genmove white"]


@pytest.mark.parametrize(
    ("undo", "asked"), [("undo", ["undo", "undo"]), ("", ["boardsize 9", "clear_board", "komi 6.5"])]
)
def test_undo_where_listed_else_replay(undo: str, asked: list[str]) -> None:
    """ "Undo where listed, else replay." """
    listed = f"{COMMANDS.replace(' undo', '')} {undo} undo_ok"
    table, human, engine = match({"undo_ok": "Y"}, listed)
    table.say(human, "genmove w")
    assert table.say(human, "undo", "undo") == ["=", "="]
    assert since(engine, "undo_ok")[1 : 1 + len(asked)] == asked
    assert table.state.ply == 0


@pytest.mark.parametrize("reply", ["n", "? what", "maybe"])
def test_undo_ok_is_y_or_n(reply: str) -> None:
    """ "Here the bridge is saying that the opponent wants an undo. The engine can allow or disallow. Responses: "y" or
    "n" " """
    table, human, engine = match({"undo_ok": reply}, COMMANDS + " undo_ok")
    table.say(human, "genmove w")
    assert table.say(human, "undo") == ["? cannot undo: Thinker 1 declines"]
    assert engine.asked[-1] == "undo_ok"


def test_an_engine_that_comes_back_is_asked_about_a_takeback_when_its_board_shows_the_game() -> None:
    """It may decide by its board."""
    table, human, engine = match(listed=COMMANDS + " undo_ok")
    table.say(human, "genmove w")
    table.drop(engine.dialect)
    table.say(human, "undo")
    back = Engine({"undo_ok": "y"}, COMMANDS + " undo_ok")
    back.dialect.receive_data(b"Thinker\n# seat 1\n")
    table.dial(back)
    assert back.asked[-5:] == ["play black D4", "play white E5", "undo_ok", "undo", "undo"]
    assert heard(human) == ["="]


@pytest.mark.parametrize(("rated", "plies"), [("no", 0), ("yes", 2)])
def test_an_engine_that_lists_undo_allows_a_takeback_in_unrated_games(rated: str, plies: int) -> None:
    """As on KGS, where the bridge asks an engine that has undo to take back, and asks it nothing else."""
    table = GoTable()
    human = gui(table, "boardsize 9", "komi 7.5", "play b D4", options={"rated": rated})
    engine = table.dial(Engine({"genmove": ["E5", "E6"]}, options={"rated": rated}))
    assert table.say(human, "genmove w")[-1] == "= E5"
    table.say(human, "undo", "undo")
    assert table.state.ply == plies
    assert engine.asked.count("undo") == 2 - plies


def test_without_undo_ok_and_undo_a_takeback_is_declined() -> None:
    """ "| `undo_ok` | the opponent asks for a takeback | y / n | no |" """
    table, human, engine = match(listed=COMMANDS.replace(" undo", ""))
    asked = len(engine.asked)
    assert table.say(human, "genmove w", "undo") == ["= E5", "? cannot undo: Thinker 1 declines"]
    assert engine.asked[asked:] == []


def test_time_left_is_told_before_each_genmove() -> None:
    """ "The server is telling the engine how much time is left on the clocks for the color specified." "The time
    reported should be the server's idea of how much time is left"."""
    table, human, engine = match(set_up=(*BLACK, "time_settings 60 0 0"))
    table.wait(9.5)
    table.say(human, "genmove w", "play b C4")
    assert since(engine, "play black C4") == [
        "play black C4",
        "time_left black 50 0",
        "time_left white 60 0",
        "genmove white",
    ]


def test_query_dead_is_asked_after_two_passes() -> None:
    """ "The game is over. The brige is asking the engine what stones it thinks are dead." "List all locations on
    the board that contain dead stones." """
    table, human, engine = match({"genmove": "pass", "query_dead": "D4\nc9"}, COMMANDS + " query_dead")
    table.say(human, "genmove w", "play b pass")
    assert engine.asked[-1] == "query_dead"
    assert table.say(human, "final_status_list dead", "final_score") == ["= D4", "= W+6.5"]


@pytest.mark.parametrize("reply", ["? not implemented", "Z99 what"])
def test_a_list_it_does_not_have_is_the_opponents_to_say(reply: str) -> None:
    """ "If the engine does not know, then it answering with a not implemented error is OK...in this case, it will be up
    to the opponent to decide which stones are dead." """
    table, human, _ = match({"genmove": "pass", "final_status_list": reply})
    table.say(human, "genmove w", "play b pass")
    table.do(human, [Propose(Score((48,)))])
    assert over(table).outcome.detail == "W+6.5"


def test_a_resumed_game_is_cleaned_up() -> None:
    """ "clean-up under area rules (`kgs-genmove_cleanup` where listed, else `genmove`) until two more passes" """
    for listed, word in ((COMMANDS, "genmove"), (COMMANDS + " kgs-genmove_cleanup", "kgs-genmove_cleanup")):
        table, human, engine = match({"genmove": "pass", "kgs-genmove_cleanup": "pass"}, listed)
        table.say(human, "genmove w", "play b pass", "play b C4")
        assert engine.asked[-1] == f"{word} white"


def test_an_illegal_genmove_loses() -> None:
    """ "An illegal genmove loses by forfeit" """
    table, human, engine = match({"genmove": "D4"})
    outcome = over(table).outcome
    assert (outcome.winner, outcome.reason) == (0, Reason.FORFEIT)
    assert "Thinker 1 plays an illegal move" in said(table)[0]
    assert engine.asked[-1] == "quit"
    assert engine.dialect.closing
    assert table.say(human, "genmove w")[0].startswith("? game over: B+F (Thinker 1 plays an illegal move (D4 ")


@pytest.mark.parametrize("reply", ["? cannot", "", "I5", "sit down"])
def test_what_is_no_move_is_asked_once_more_after_a_replay(reply: str) -> None:
    table, human, engine = match({"genmove": [reply, "E5"]})
    assert since(engine, "boardsize")[-2:] == ["play black D4", "genmove white"]
    assert table.say(human, "genmove w") == ["= E5"]
    table, _, engine = match({"genmove": [reply, reply, "E5"]})
    assert "gives no move" in said(table)[0]
    assert over(table).outcome.winner == 0


def test_a_legal_play_that_is_refused_is_resynchronised_once() -> None:
    """ "an engine that refuses a legal `play` is resynchronised once (clear_board, replay), then forfeits itself" """
    table, _, engine = match({"play": ["? illegal move", ""]})
    assert engine.asked[-7:] == ["play black D4", *engine.asked[-6:-2], "play black D4", "genmove white"]
    assert engine.asked[-5:-3] == ["clear_board", "komi 6.5"]
    table, _, _ = match({"play": "? illegal move"})
    assert said(table) == ["Thinker 1 does not accept a legal move (illegal move): it loses the game"]
    assert over(table).outcome.winner == 0


def test_resign_is_an_answer_to_genmove() -> None:
    """ "`resign` is an answer to genmove only, never relayed as `play`." """
    table, human, _ = match({"genmove": "RESIGN"})
    assert over(table).outcome.reason is Reason.RESIGNATION
    assert table.say(human, "genmove w") == ["= resign"]


def test_a_board_it_cannot_set_up_loses_the_game() -> None:
    table, _, _ = match({"boardsize": ["", "? no"]})
    assert said(table) == ["Thinker 1 cannot set up this game (boardsize 9: no): it loses the game"]


def test_a_move_for_a_moment_that_is_gone_is_taken_off_its_board() -> None:
    replies: list[str | None] = ["F6", None]
    table, human, engine = match({"genmove": lambda words: replies.pop()})
    table.do(human, [Propose(Adjourn())])
    table.do(engine.dialect, engine.answer_late("F5"))
    table.settle()
    assert table.state.ply == 1
    table.do(human, [Propose(Resume())])
    table.settle()
    assert since(engine, "undo") == ["undo", "genmove white"]
    assert table.say(human, "genmove w") == ["= F6"]


def test_answers_to_nothing_end_the_conversation() -> None:
    engine = Engine()
    engine.dialect.connected()
    for _ in range(MOST_WRONG):
        assert engine.dialect.receive_data(b"=99 what\n\n") == []
    engine.dialect.receive_data(b"=99 what\n\n")
    assert engine.dialect.closing


def test_an_answer_without_end_loses() -> None:
    engine = match({"genmove": lambda words: None})[2]
    commands = engine.dialect.receive_data(b"=4 " + b"x\n" * LONGEST_ANSWER)
    assert [type(command) for command in commands] == [Say, Forfeit]
    assert engine.dialect.closing
    with pytest.raises(RemoteProtocolError, match="an answer of more than"):
        engine.dialect.receive_data(b"x")


def test_what_is_awaited_and_what_comes_of_waiting_in_vain() -> None:
    table, _, engine = match({"genmove": lambda words: None})
    awaited = engine.dialect.awaiting
    assert awaited is not None
    assert (awaited.what, awaited.within_s) == ("genmove white", 600.0)
    table.do(engine.dialect, engine.dialect.late())
    assert said(table) == ["Thinker 1 does not answer genmove in time: it loses the game"]
    assert over(table).outcome.winner == 0
    assert engine.dialect.awaiting is None


def test_a_dead_list_that_does_not_come_is_done_without() -> None:
    """ "Each engine's dead list is a claim (30 s ...)" """
    table, human, engine = match({"genmove": "pass", "final_status_list": lambda words: None})
    table.say(human, "genmove w", "play b pass")
    awaited = engine.dialect.awaiting
    assert awaited is not None
    assert (awaited.what, awaited.within_s) == ("final_status_list dead", 30.0)
    table.do(engine.dialect, engine.dialect.late())
    assert table.say(human, "final_score") == ["= B+74.5"]


def test_while_its_clock_runs_a_move_is_never_late() -> None:
    engine = match({"genmove": lambda words: None}, set_up=(*BLACK, "time_settings 60 0 0"))[2]
    assert engine.dialect.awaiting is None


def test_a_lost_engine_comes_back_to_its_game() -> None:
    table, human, engine = match()
    table.say(human, "genmove w")
    assert engine.dialect.receive_data(b"") == [Leave(lost=True)]
    again = Engine({"genmove": "E6"})
    again.dialect.connected()
    again.dialect.receive_data(b"Thinker\n1\n")
    table.engines = [again]
    table.do(again.dialect, again.serve())
    table.settle()
    assert since(again, "boardsize")[-2:] == ["play black D4", "play white E5"]
    assert table.say(human, "play b C4", "genmove w") == ["=", "= E6"]


def test_moves_of_the_table_are_seen_as_they_are_told() -> None:
    engine = GtpEngine()
    assert engine.data_to_send() == b""
    engine.connected()
    engine.send(MoveMade(0, Move(None, 0, "black"), 1, "A9", (), ""))
    engine.send(TurnStarted(1))
    assert engine.data_to_send() == b"1 name\n"


@pytest.mark.parametrize(("listed", "told"), [("kgs-time_settings", "30 5"), ("", "30 1")])
def test_in_byoyomi_it_is_told_the_periods_left_where_it_knows_of_them(listed: str, told: str) -> None:
    """KGS sends the periods left as the stones of time_left to engines that take kgs-time_settings."""
    human = gui(table := GoTable(None), *SET_UP)
    table.say(human, "kgs-time_settings byoyomi 0 30 5", "genmove b")
    engine = table.dial(Engine({"genmove": "pass"}, f"{COMMANDS} {listed}"))
    assert [words for words in engine.asked if words.startswith("time_left")] == [
        f"time_left white {told}",
        f"time_left black {told}",
    ]
