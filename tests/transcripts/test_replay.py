"""Transcripts are replayed, tried on a dialect of three words."""

from __future__ import annotations

import pytest

from protocols.core.commands import Join, Leave, PlayMove
from tests.transcripts.replay import Split, by, covered, parse, replay, whole, write
from tests.transcripts.tiny import Tiny

KEPT = """\
# a whole game
@ game=go

>> play a1
>> play b2
.. MoveMade(seat=0, move=Move(None, 4), ply=1, notation='e5', changes=((4, 'x'),), position='')
# half a line, then silence
>> hex 70
>> eof
"""

WRITTEN = """\
# a whole game
@ game=go
=> Join(game='go')

>> play a1
>> play b2
=> PlayMove(text='a1')
=> PlayMove(text='b2')
.. MoveMade(seat=0, move=Move(None, 4), ply=1, notation='e5', changes=((4, 'x'),), position='')
<< e5
# half a line, then silence
>> hex 70
>> eof
=> Leave(lost=True)
-- closing
"""


def test_what_comes_of_an_input_stands_under_it() -> None:
    assert write(Tiny, KEPT) == WRITTEN


def test_writing_again_changes_nothing() -> None:
    assert write(Tiny, WRITTEN) == WRITTEN


def test_stale_outputs_are_replaced() -> None:
    assert write(Tiny, WRITTEN.replace("text='a1'", "text='z9'").replace("<< e5\n", "")) == WRITTEN


@pytest.mark.parametrize("split", [whole, by(1), by(3)])
def test_commands_are_the_same_however_the_bytes_arrive(split: Split) -> None:
    replies = replay(Tiny, parse(Tiny, KEPT), split)
    assert [reply.commands for reply in replies] == [
        [Join("go")],
        [PlayMove(text="a1"), PlayMove(text="b2")],
        [],
        [],
        [Leave(lost=True)],
    ]


def test_lines_that_stand_together_arrive_in_one_piece() -> None:
    steps = list(parse(Tiny, ">> play a1\n>> play b2\n\n>> bye\n").steps())
    assert [step.wire for step in steps] == [b"play a1\nplay b2\n", b"bye\n"]


def test_a_broken_protocol_shows_its_reason() -> None:
    assert write(Tiny, ">> swear\n") == ">> swear\n!! no word b'swear'\n"


def test_nothing_can_arrive_after_the_protocol_is_broken() -> None:
    with pytest.raises(ValueError, match="nothing is read after the protocol is broken"):
        write(Tiny, ">> swear\n\n>> bye\n")


def test_closing_is_said_once() -> None:
    assert write(Tiny, ">> bye\n\n>> bye\n").count("-- closing") == 1


def test_options_stand_at_the_top() -> None:
    with pytest.raises(ValueError, match="options stand at the top"):
        write(Tiny, ">> bye\n@ game=go\n")


def test_a_line_that_is_none_of_a_transcript_is_shown() -> None:
    with pytest.raises(ValueError, match="not a line of a transcript: 'hello'"):
        write(Tiny, "hello\n")


def test_what_a_transcript_covers_is_said_in_remarks() -> None:
    text = "# covers: pass, end\n# lacks: refusal - silence\n# covers: first-square\n# discovers: nothing\n"
    assert covered(text) == {"pass", "end", "first-square"}
    assert covered(text, "lacks") == {"refusal"}
