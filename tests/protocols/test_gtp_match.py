"""An engine chooses opponents by play_mode, game_ok and its listener's settings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.core.commands import Decline, Join, Leave, Propose, Say
from protocols.core.errors import Why
from protocols.core.events import (
    Declined,
    GameAdjourned,
    GameEnded,
    GameStarted,
    Proposed,
    Said,
    SeatTaken,
    TableClosed,
    TurnStarted,
)
from protocols.core.model import Outcome, Reason, SeatKind, Settings, TimeControl, TimeKind
from protocols.core.notifications import Rejected, Seated
from protocols.core.proposals import Abort, Adjourn, Draw, Resume, Start
from protocols.gtp.engine import GtpEngine
from protocols.gtp.engine_words import EXCUSE, MOST_ANSWERS
from tests.protocols.gtp_peers import COMMANDS, SMALL, Engine, sent
from tests.protocols.talk import opened

TIMED = Settings("go", "area", 9, 9, 2, TimeControl(TimeKind.ABSOLUTE, 60.0), options=(("size", "9"),))
OWN = Start(Settings("go", "area", 9, 9, 2, options=(("size", "9"),)))


def seated(engine: Engine, *names: str, seat: int = 0) -> list[object]:
    """Greet the engine and seat it with these names; return its commands."""
    engine.dialect.connected()
    engine.serve()
    return told(engine, Seated(1, seat, opened(SMALL, *names)))


def told(engine: Engine, message: object) -> list[object]:
    """Return the commands after a message and the engine's answers."""
    engine.dialect.send(message)  # type: ignore[arg-type]
    commands: list[object] = list(engine.dialect.prompted())
    return commands + list(engine.serve())


def thinker(extra: str = "", replies: dict[str, str | list[str]] | None = None) -> Engine:
    return Engine(replies, f"{COMMANDS} {extra}", {"size": "9"})


def playing(engine: Engine) -> None:
    """A game against bob that begins, bob to move."""
    seated(engine, "Thinker 1", "bob")
    told(engine, GameStarted(SMALL, 1, (), ""))
    told(engine, TurnStarted(1))


def test_it_joins_with_its_listeners_settings() -> None:
    engine = Engine(options={"size": "13", "komi": "0.5", "rules": "territory", "time": "600"})
    engine.dialect.connected()
    wishes = (("variant", "territory"), ("ko", "simple"), ("komi", "0.5"), ("size", "13"))
    assert engine.serve() == [Join("go", "Thinker 1", "", wishes, ready=False)]


def test_login_lines_are_a_user_and_a_ticket() -> None:
    """ "Other engines may send login lines first (user, ticket): lines that arrive before our first command." """
    engine = thinker()
    engine.dialect.receive_data(b"alice\r\nsecret-ticket\nnoise\n")
    engine.dialect.connected()
    (join,) = engine.serve()
    assert isinstance(join, Join)
    assert (join.name, join.ticket, join.by_address) == ("alice", "secret-ticket", False)


def test_play_mode_any() -> None:
    """ "If the engine is in general looking for games: any" """
    engine = thinker("play_mode", {"play_mode": "any"})
    assert seated(engine, "Thinker 1") == [Propose(OWN)]
    assert engine.asked == ["name", "version", "list_commands", "play_mode"]


def test_play_mode_with_a_particular_opponent_and_settings() -> None:
    """ "If the engine is looking to play a particular opponent, with particular settings" """
    engine = thinker("play_mode", {"play_mode": "white bob_b 2 fixed simple forbidden area absolute,60"})
    engine.dialect.connected()
    (join,) = engine.serve()
    assert isinstance(join, Join)
    assert join.wishes == (("awaits", "bob_b"), ("handicap", "2"), ("ko", "simple"), ("size", "9"))
    assert told(engine, Seated(1, 0, opened(SMALL, "Thinker 1", "eve"))) == []
    assert told(engine, Proposed(1, Start(SMALL))) == [Say("all", "Thinker 1 waits for bob_b"), Decline("Start")]
    told(engine, Declined(0, "Start"))
    (proposed,) = told(engine, SeatTaken(1, SeatKind.PLAYER, "Bob B"))
    assert isinstance(proposed, Propose)
    assert isinstance(proposed.proposal, Start)
    assert proposed.proposal.side == 1


def test_game_ok_is_asked_on_a_challenge() -> None:
    """ "This is the bridge's query to the engine, as to whether a particular game is acceptable. Note that the
    arguments are exactly the same as the response to "play_mode"." """
    engine = thinker("game_ok", {"game_ok": "Y"})
    seated(engine, "Thinker 1", "bob")
    assert told(engine, Proposed(1, Start(TIMED, 0))) == [Propose(Start(TIMED, 1))]
    assert engine.asked[-1] == "game_ok white bob 0 fixed positional forbidden area absolute,60"


def test_a_game_that_is_not_ok_is_declined_with_a_reason() -> None:
    engine = thinker("game_ok", {"game_ok": "n"})
    seated(engine, "Thinker 1", "bob")
    told(engine, Proposed(0, OWN))
    assert told(engine, Proposed(1, Start(TIMED))) == [
        Say("all", "Thinker 1 does not want to play 9x9, area, time absolute,60"),
        Decline("Start"),
        Decline("Start"),
        Propose(OWN),
    ]
    for _ in range(2):
        told(engine, Declined(0, "Start"))
    assert told(engine, Proposed(1, Start(TIMED))) == []


@pytest.mark.parametrize("extra", ["", "game_ok"])
def test_without_game_ok_it_is_tried(extra: str) -> None:
    """ "| `game_ok ...` | ... | accepted if `boardsize` and the time command are |" """
    engine = thinker(extra, {"game_ok": "? what"})
    seated(engine, "Thinker 1", "bob")
    assert told(engine, Proposed(1, Start(TIMED))) == [Propose(Start(TIMED))]
    assert engine.asked[-3:] == ["boardsize 9", "clear_board", "time_settings 60 0 0"]
    engine = thinker(extra, {"game_ok": "? what", "boardsize": "? unacceptable size"})
    seated(engine, "Thinker 1", "bob")
    asked = told(engine, Proposed(1, Start(TIMED)))
    assert asked[0] == Say("all", "Thinker 1 refuses boardsize 9 (unacceptable size)")


def test_whoever_came_first_proposes_first_and_what_is_left_open_is_the_engines_to_say() -> None:
    engine = thinker()
    assert seated(engine, "bob", "Thinker 1", seat=1) == []
    assert told(engine, Proposed(0, Start())) == [Propose(OWN)]


def test_comment_is_one_line_and_its_answer_goes_to_the_speaker() -> None:
    """ "The server is telling you that somebody is trying to talk to the engine. Any text in the response will be sent
    back to the user who was talking." """
    engine = thinker("comment", {"comment": "thank\nyou"})
    playing(engine)
    assert told(engine, Said(1, "all", "good\ngame # quit\0", "bob")) == [Say("bob", "thank you")]
    assert engine.asked[-1] == "comment good game quit"
    assert told(engine, Said(0, "all", "its own words", "Thinker 1")) == []
    assert told(engine, Said(None, "all", "the house's")) == []


def test_kgs_chat_is_used_where_comment_is_not() -> None:
    """ "`kgs-chat (game|private) NAME text` where listed, else a default sentence" """
    engine = thinker("kgs-chat", {"kgs-chat": "hello"})
    playing(engine)
    assert told(engine, Said(None, "Thinker 1", "you there?", "eve w")) == [Say("eve w", "hello")]
    assert engine.asked[-1] == "kgs-chat private eve_w you there?"
    told(engine, Said(1, "all", "hi", "bob"))
    assert engine.asked[-1] == "kgs-chat game bob hi"


def test_only_an_engine_with_a_command_for_talk_hears_it() -> None:
    engines = [thinker(listed) for listed in ("comment", "kgs-chat", "undo")]
    for engine in engines:
        playing(engine)
    assert [engine.dialect.hears_talk for engine in engines] == [True, True, False]


def test_who_cannot_talk_says_so_once() -> None:
    engine = thinker()
    playing(engine)
    assert told(engine, Said(1, "all", "hi", "bob")) == [Say("bob", EXCUSE)]
    assert told(engine, Said(1, "all", "hi", "bob")) == []


def test_two_that_answer_each_other_stop() -> None:
    engine = thinker("comment", {"comment": "what?"})
    playing(engine)
    answers = [told(engine, Said(1, "all", "what?", "bob")) for _ in range(5)]
    assert answers == [[Say("bob", "what?")]] * MOST_ANSWERS + [[]] * (5 - MOST_ANSWERS)


def test_draws_are_declined_and_interruptions_agreed_to() -> None:
    engine = thinker()
    playing(engine)
    assert told(engine, Proposed(1, Draw())) == [Decline("Draw")]
    assert told(engine, Proposed(1, Adjourn())) == [Propose(Adjourn())]
    told(engine, GameAdjourned())
    assert told(engine, Proposed(1, Resume())) == [Propose(Resume())]


@pytest.mark.parametrize(("rated", "answer"), [(False, Propose(Abort())), (True, Decline("Abort"))])
def test_it_agrees_to_abort_a_game_that_is_not_rated(rated: bool, answer: object) -> None:
    engine = thinker()
    seated(engine, "Thinker 1", "bob")
    told(engine, GameStarted(replace(SMALL, rated=rated), 1, (), ""))
    told(engine, TurnStarted(1))
    assert told(engine, Proposed(1, Abort())) == [answer]


def test_after_a_game_it_is_free_for_another() -> None:
    """ "`play_mode` | when the engine is free" and "`kgs-game_over`, `kgs-rules`, `kgs-genmove_cleanup` are used where
    listed." """
    engine = thinker("play_mode kgs-game_over", {"play_mode": "any"})
    playing(engine)
    asked = told(engine, GameEnded(Outcome(0, Reason.RESIGNATION)))
    assert [type(command) for command in asked] == [Leave, Join]
    assert engine.asked[-2:] == ["kgs-game_over", "play_mode"]


def test_a_number_of_games_is_enough() -> None:
    engine = Engine(options={"games": "1"})
    playing(engine)
    assert told(engine, GameEnded(Outcome(0, Reason.RESIGNATION))) == [Leave()]
    assert engine.asked[-1] == "quit"
    assert engine.dialect.closing


def test_who_gets_no_seat_is_let_go() -> None:
    engine = thinker()
    engine.dialect.connected()
    engine.serve()
    assert told(engine, Rejected(Why.BAD_TICKET, "unknown ticket")) == []
    assert engine.asked[-1] == "quit"
    assert engine.dialect.closing
    engine = thinker()
    seated(engine, "Thinker 1")
    told(engine, TableClosed())
    assert engine.dialect.closing


def test_what_cannot_play_is_let_go() -> None:
    engine = Engine(listed="name version list_commands quit boardsize")
    engine.dialect.connected()
    assert engine.serve() == []
    assert engine.asked == ["name", "version", "list_commands", "quit"]


def test_who_does_not_say_what_it_knows_has_what_the_draft_requires() -> None:
    engine = Engine({"list_commands": "? unknown command", "name": "?", "version": "?"})
    engine.dialect.connected()
    assert engine.serve() == [Join("go", "", ready=False)]


@pytest.mark.parametrize(
    "options",
    [
        {"sizes": "4"},
        {"sizes": "13-9"},
        {"sizes": "9,13"},
        {"sizes": "9"},
        {"most_handicap": "10"},
        {"most_time": "-1"},
        {"most_time": "60"},
        {"size": "26"},
        {"komi": "x"},
        {"games": "many"},
        {"rated": "yes", "rules": "territory"},
        {"time": "soon"},
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, str]) -> None:
    """ "Rated games between engines: area, komi 7.5, positional superko, suicide forbidden." """
    with pytest.raises(ValueError, match=r"size|handicap|komi|games|rated|time"):
        GtpEngine(options)


def test_nothing_is_asked_of_who_has_gone() -> None:
    peer = GtpEngine()
    peer.connected()
    assert sent(peer) == ["name"]
    assert peer.receive_data(b"") == []
    peer.send(Rejected(Why.OVERLOAD, "no"))
    assert sent(peer) == []


def test_particulars_that_cannot_be_read_keep_their_opponent_and_the_host_is_told_why() -> None:
    """ "If the engine is looking to play a particular opponent, with particular settings" """
    engine = thinker("play_mode", {"play_mode": "white bob_b 2 fixed super forbidden area none"})
    engine.dialect.connected()
    (join,) = engine.serve()
    assert isinstance(join, Join)
    assert join.wishes == (("awaits", "bob_b"), ("size", "9"))
    (remark,) = engine.dialect.remarks
    assert "'super' is not positional or situational or simple; only its opponent 'bob_b' is kept" in remark
    told(engine, Seated(1, 0, opened(SMALL, "Thinker 1", "eve")))
    assert told(engine, Proposed(1, Start(SMALL))) == [Say("all", "Thinker 1 waits for bob_b"), Decline("Start")]
    told(engine, Declined(0, "Start"))
    assert told(engine, SeatTaken(1, SeatKind.PLAYER, "Bob B")) == [Propose(OWN)]
    assert told(engine, Proposed(1, Start(TIMED))) == [Propose(Start(TIMED))]


def test_words_that_name_no_opponent_are_taken_for_any() -> None:
    engine = thinker("play_mode", {"play_mode": "looking for games"})
    engine.dialect.connected()
    (join,) = engine.serve()
    assert isinstance(join, Join)
    assert join.wishes == (("size", "9"),)
    assert engine.dialect.remarks[0].endswith("play_mode has 8 words, not 3; any game is taken")


def test_an_engine_s_refusal_that_crosses_its_own_proposal_declines_the_other_s() -> None:
    """Its own proposal stands by then: one Decline would only withdraw that."""
    engine = Engine(listed=f"{COMMANDS} play_mode")
    engine.replies["play_mode"] = "white alice 0 fixed positional forbidden territory none"
    engine.dialect.connected()
    engine.serve()
    territory = Settings("go", "territory", 19, 19, 2)
    engine.dialect.send(Seated(1, 0, opened(territory, "gnu")))
    engine.dialect.send(SeatTaken(1, SeatKind.PLAYER, "alice"))
    assert [type(command) for command in engine.dialect.prompted()] == [Propose]
    engine.dialect.send(Proposed(1, Start(SMALL, 0)))
    asked = engine.dialect.prompted()
    assert [type(command).__name__ for command in asked] == ["Say", "Decline", "Decline", "Propose"]
