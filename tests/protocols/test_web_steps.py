"""Observers of one table get the same bytes, put into words once; whoever knows less is told by itself."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from protocols.core import events as ev
from protocols.core.model import HouseRules, Move, Outcome, Reason, SeatKind, Settings
from protocols.core.notifications import Notification, Seated
from protocols.web.dialect import Web
from protocols.web.frames import FINAL, MASKED, TEXT, head

CHESS = Settings("chess", "normal", 8, 8, 2)
PAST = (
    ev.TableOpened(CHESS, HouseRules()),
    ev.SeatTaken(0, SeatKind.PLAYER, "ann"),
    ev.SeatTaken(1, SeatKind.PLAYER, "bob"),
    ev.GameStarted(CHESS, 1, (), ""),
)


def moved(ply: int) -> list[Notification]:
    return [ev.MoveMade(ply % 2, Move(52, 36), ply, "e4", ()), ev.TurnStarted(1, None)]


def seated(seat: int | None = None) -> Web:
    """A page that has been told the game so far, by its seat or as an observer."""
    page = Web()
    hello = json.dumps({"type": "hello", "v": 1}).encode()
    page.receive_data(head(TEXT | FINAL, len(hello), MASKED) + bytes(4) + hello)
    page.send(Seated(5, seat, PAST, seq=4))
    said(page)
    page.prompted()
    return page


def said(page: Web) -> bytes:
    data = b""
    while part := page.data_to_send():
        data += part
    return data


def told(page: Web, messages: Sequence[Notification], seq: int) -> bytes:
    """The bytes of a step as a connection tells it."""
    return page.send_step(messages, seq)[0] or said(page)


def singly(page: Web, messages: Sequence[Notification], seq: int) -> bytes:
    """The same without any help."""
    page.seq = seq
    for message in messages:
        page.send(message)
    return said(page)


def test_each_observer_gets_the_bytes_that_one_alone_would_get() -> None:
    first, second, alone = seated(), seated(), seated()
    for number in range(3):
        step = moved(1 + number)
        found = told(first, step, 5 + number)
        assert found == singly(alone, step, 5 + number)
        assert told(second, step, 5 + number) is found, "it was put into words once"


def test_one_who_has_not_been_told_the_step_before_is_told_that_it_missed_something() -> None:
    first, late, alone = seated(), seated(), seated()
    told(first, moved(1), 5)
    step = moved(2)
    assert told(late, step, 6) == singly(alone, step, 6)
    assert b"Hidden" in told(seated(), step, 6)
    assert b"Hidden" not in told(first, step, 6)


def test_a_player_is_told_by_itself_for_it_is_prompted() -> None:
    player, observer = seated(1), seated()
    step = moved(1)
    found, asked = observer.send_step(step, 5)
    assert not asked
    nothing, asked = player.send_step(step, 5)
    assert asked, "it is its turn: it asks for the legal moves"
    assert (nothing, said(player)) == (b"", found)


@pytest.mark.parametrize("waiting", [True, False])
def test_what_waits_to_be_sent_leaves_first(waiting: bool) -> None:
    page, other = seated(), seated()
    step = moved(1)
    found = told(other, step, 5)
    if waiting:
        page.send(ev.Said(None, "all", "wait"))
    data = told(page, step, 5)
    assert data.endswith(found)
    assert (b"wait" in data) is waiting


def test_the_end_of_the_table_ends_every_conversation() -> None:
    first, second = seated(), seated()
    step: list[Notification] = [ev.GameEnded(Outcome(0, Reason.RESIGNATION)), ev.TableClosed()]
    assert told(first, step, 5) == told(second, step, 5)
    assert first.closing
    assert second.closing
