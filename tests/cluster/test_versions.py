"""Nodes of neighbouring versions: what one says and the other does not know ends neither, and no game."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from trio.testing import MockClock

from gateway import registry
from gateway.cluster import messages, refusals
from gateway.cluster.messages import Coded
from gateway.store import codec
from protocols.core.commands import Resign
from protocols.core.errors import Why
from protocols.core.events import Proposed
from protocols.core.model import HouseRules, Seat, SeatKind, Settings
from protocols.core.notifications import Notification, Points, Rated, SeatRated
from protocols.core.proposals import Start
from tests.cluster.cast import cast


async def test_a_command_that_the_tables_node_does_not_know_is_refused(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer node's client asks for it, of an older node's table: the game goes on."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        away = next(player for player in (anna, bert) if here.owner(player) is not player.member)
        monkeypatch.delitem(messages._COMMANDS, "Resign")
        await here.asks(away, Resign())
        assert away.seen.history.questions[-1].answer == "refused"
        await here.plays(anna, 0)
        await here.plays(bert, 4)


async def test_what_the_clients_node_does_not_know_of_a_step_is_left_out(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer node's table tells a client of an older one what no record has: it is told the rest of each step."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        monkeypatch.delitem(codec._events, "TurnStarted")
        await here.plays(anna, 0)
        await here.plays(bert, 4)


class Listed(msgspec.Struct, tag=True, tag_field="t"):
    """A table as the version before told it: what seats seek and confirm themselves was no proposal."""

    table: int
    epoch: int
    seq: int
    game: str
    status: str
    settings: Settings
    seats: tuple[Seat, ...]
    proposals: tuple[Coded, ...]
    registered: tuple[str, ...]
    house: HouseRules
    addresses: tuple[str, ...]
    tickets: tuple[tuple[str, int], ...]
    announced: tuple[Coded, ...] = ()


def test_a_table_of_the_version_before_is_understood_and_this_one_s_by_it() -> None:
    settings = registry.game("chess").settings()
    wish = messages.coded(Proposed(0, Start(settings)))
    seats = (Seat(0, SeatKind.PLAYER, "anna"), Seat(1, SeatKind.OPEN))
    told = (1, 2, 3, "chess", "open", settings, seats, (), (), HouseRules(), ("", ""), ())
    newer, older = messages.Listed(*told), Listed(*told, announced=(wish,))
    assert msgspec.json.decode(msgspec.json.encode(newer), type=Listed) == Listed(*told)
    assert msgspec.json.decode(msgspec.json.encode(older), type=messages.ANY) == newer


def test_a_cause_that_only_a_newer_version_has_is_no_error() -> None:
    assert refusals.why_of("too late") is Why.NOT_NOW
    assert refusals.why_of("illegal") is Why.ILLEGAL


@pytest.mark.parametrize("older", [False, True])
async def test_ratings_are_told_at_other_nodes_and_disturb_none_that_does_not_know_them(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, older: bool
) -> None:
    rated = Rated(1, 1, (SeatRated(0, "anna", Points(1500, provisional=True), Points(1510)),))
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        away = next(player for player in (anna, bert) if here.owner(player) is not player.member)
        told, tell = list[Notification](), away.tell

        def hears(messages: Sequence[Notification], seq: int = 0) -> None:
            told.extend(messages)
            tell(messages, seq)

        monkeypatch.setattr(away, "tell", hears)
        if older:
            monkeypatch.delitem(messages._NOTIFICATIONS, "Rated")
        here.owner(away).server.tables[anna.seen.table].subscribers.tell([rated])
        await here.plays(anna, 0)
        await here.plays(bert, 4)
        assert [each for each in told if isinstance(each, Rated)] == ([] if older else [rated])
