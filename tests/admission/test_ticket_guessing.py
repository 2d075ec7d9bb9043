"""An address that presents unknown tickets is delayed; other addresses are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock

from gateway.admission.ticket_guessing import TicketGuard
from gateway.config import Limits
from gateway.lobby.claims import ticket_digest
from gateway.lobby.lobby import Destination, Lobby
from protocols.core.errors import Refused, Why
from tests.hall import hall

FREE = Limits().unknown_tickets
GAME = "tic_tac_toe"
TICKET = "anna-comes-back-with-this"
HOME, OTHER = "2001:db8:1:2::1", "192.0.2.2"


async def _is_read(known: Callable[[], bool]) -> None:
    """All of the record is known."""


async def _learns_nothing(digest: bytes) -> None:
    """No other node is here."""


def known() -> TicketGuard:
    lobby = Lobby()
    lobby.issue(ticket_digest(TICKET), 7, 1)
    return TicketGuard(lobby, Limits(), _is_read, _learns_nothing)


def fails(tickets: TicketGuard, times: int, address: str = HOME) -> None:
    for _ in range(times):
        with pytest.raises(Refused) as refused:
            tickets.seat("guessed", address)
        assert refused.value.why is Why.BAD_TICKET


async def test_after_some_unknown_tickets_right_ones_wait_too(autojump_clock: MockClock) -> None:
    tickets = known()
    fails(tickets, FREE)
    assert tickets.seat(TICKET, HOME) == Destination(7, 1)
    fails(tickets, 1)
    with pytest.raises(Refused) as refused:
        tickets.seat(TICKET, "2001:db8:1:2:ffff::9")
    assert (refused.value.why, refused.value.text) == (
        Why.TOO_FAST,
        "too many wrong tickets or passwords; try again in 1 s",
    )
    assert tickets.seat(TICKET, OTHER) == Destination(7, 1)
    assert tickets.seat("", HOME) is None
    await trio.sleep(1.0)
    assert tickets.seat(TICKET, HOME) == Destination(7, 1)
    fails(tickets, 1)
    with pytest.raises(Refused, match="in 2 s"):
        tickets.seat(TICKET, HOME)


async def test_a_try_during_the_wait_does_not_make_it_longer(autojump_clock: MockClock) -> None:
    tickets = known()
    fails(tickets, FREE + 1)
    for _ in range(10):
        with pytest.raises(Refused, match="in 1 s"):
            tickets.seat("guessed", HOME)
    await trio.sleep(1.0)
    assert tickets.seat(TICKET, HOME) == Destination(7, 1)


async def test_a_secret_of_ones_own_is_a_failure_only_where_nobody_brings_any(autojump_clock: MockClock) -> None:
    tickets = known()
    for _ in range(2 * FREE):
        assert tickets.seat("a-secret-of-at-least-22-letters", HOME) is None
    for _ in range(FREE + 1):
        assert tickets.known("a-secret-of-at-least-22-letters", HOME) is None
    with pytest.raises(Refused, match="too many wrong tickets or passwords"):
        tickets.known(TICKET, HOME)


async def test_a_client_is_told_to_wait_and_one_without_a_ticket_is_not(autojump_clock: MockClock) -> None:
    async with hall() as here:
        guest = here.dial()
        for _ in range(FREE + 1):
            assert "unknown ticket" in str((await guest.asks(f"{GAME}#short"))[1])
        assert await guest.asks(f"{GAME}#{TICKET}") == (1, "too many wrong tickets or passwords; try again in 1 s")
        assert await guest.joins(GAME) == 0
