"""Chat reaches an engine's wire in its own commands, and the connection ends in order."""

from __future__ import annotations

import pytest

from protocols.core.events import Said
from tests.protocols.gtp_peers import COMMANDS, Engine, GoTable, gui
from tests.protocols.talk import NONE, heard

HOSTILE = (
    "x\nloadsgf /etc/passwd",
    "loadsgf /etc/passwd",
    "\rprintsgf /tmp/x\r\n",
    "hi # printsgf /tmp/x",
    "12 quit",
    "= ok\n\n",
)
"""Words that would read or write files, or end the program, if they were commands."""


def against(listed: str) -> tuple[GoTable, Engine]:
    """An engine with these further commands, in a game against a person who plays first."""
    table = GoTable(None)
    human = gui(table, "boardsize 9", "play b D4")
    engine = table.dial(Engine({"genmove": "pass"}, f"{COMMANDS} {listed}"))
    heard(human)
    return table, engine


@pytest.mark.parametrize("listed", ["comment loadsgf printsgf", "kgs-chat loadsgf printsgf", "loadsgf printsgf"])
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_person_comes_through_as_a_command(listed: str, text: str) -> None:
    """ "Never pass a human's text through as a command: `loadsgf` and `printsgf` read and write files. Send a fixed set
    only." """
    table, engine = against(listed)
    before = len(engine.asked)
    engine.dialect.send(Said(0, "all", text, "eve\nloadsgf x"))
    table.settle()
    asked = engine.asked[before:]
    assert {line.split()[0] for line in asked} <= {"comment", "kgs-chat"}
    assert len(asked) <= 1
    assert all(line.isprintable() and "#" not in line for line in asked)


@pytest.mark.parametrize("letter", ["a", "é", "囲"])
def test_chat_is_cut_to_what_an_engine_reads_as_one_line(letter: str) -> None:
    """ "GNU Go cuts lines over about 1000 bytes into several commands, each answered: cap every line sent, chat
    included." """
    _, engine = against("comment")
    engine.dialect.send(Said(0, "all", letter * 400, "eve"))
    engine.serve()
    (line,) = [line for line in engine.asked if line.startswith("comment")]
    assert letter * 200 in line
    assert len(line.encode()) < 950


def test_who_is_let_go_is_heard_until_it_has_answered_quit() -> None:
    """GNU Go writes an answer in two pieces: hung up on in between, it would die of the second one."""
    engine = Engine({"genmove": "D4", "quit": lambda words: None})
    table = GoTable(None)
    gui(table, "boardsize 9", "play b D4")
    table.dial(engine)
    assert engine.asked[-1] == "quit"
    assert not engine.dialect.closing
    engine.answer_late("")
    assert engine.dialect.closing


def test_who_does_not_answer_quit_is_not_waited_for() -> None:
    engine = Engine({"list_commands": "quit name", "quit": lambda words: None}, options=NONE)
    engine.dialect.connected()
    engine.serve()
    awaited = engine.dialect.awaiting
    assert awaited is not None
    assert (awaited.what, awaited.within_s) == ("quit", 2.0)
    assert engine.dialect.late() == []
    assert engine.dialect.closing
