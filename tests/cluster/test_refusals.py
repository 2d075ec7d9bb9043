"""Refusals cross the links between nodes with all that is acted upon: their class, their cause and their words."""

from __future__ import annotations

import msgspec
import pytest

from gateway.cluster.messages import Reply
from gateway.cluster.refusals import KINDS, refusal_of, told
from gateway.table.refusals import NOT_STORED, TryAgain, ask_elsewhere, away, closed_here, try_again
from protocols.core.errors import IllegalMove, Refused, Why


def _crossed(refused: Refused) -> Refused:
    sent = msgspec.json.decode(msgspec.json.encode(Reply(7, refused=told(refused))), type=Reply)
    assert sent.refused is not None
    return refusal_of(*sent.refused)


@pytest.mark.parametrize(
    "refused",
    [
        closed_here(),
        away("anna"),
        try_again(NOT_STORED),
        ask_elsewhere("this table has moved, try again"),
        Refused(Why.TABLE_FULL, "this table is closed"),
    ],
    ids=lambda refused: type(refused).__name__,
)
def test_a_refusal_crosses_with_its_class(refused: Refused) -> None:
    """The same words without the class are not the same refusal."""
    crossed = _crossed(refused)
    assert (type(crossed), crossed.why, crossed.text) == (type(refused), refused.why, refused.text)


def test_a_refusal_that_is_only_told_to_a_peer_crosses_as_any() -> None:
    crossed = _crossed(IllegalMove("no such move", Why.NO_SUCH_PIECE))
    assert (type(crossed), crossed.why, crossed.text) == (Refused, Why.NO_SUCH_PIECE, "no such move")


def test_a_class_and_a_cause_that_only_a_newer_version_has_leave_the_words() -> None:
    crossed = refusal_of("too strange", "a newer server says so", kind="TooStrange")
    assert (type(crossed), crossed.why, crossed.text) == (Refused, Why.NOT_NOW, "a newer server says so")


def test_a_step_that_was_not_stored_and_a_record_that_is_not_read_are_one_kind() -> None:
    assert KINDS["TryAgain"] is TryAgain
