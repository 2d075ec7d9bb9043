"""Registered tables wait for their players, are stored before they are announced, and survive a restart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

import migrations
from gateway import registry
from gateway.config import Config, Registering, Seats
from gateway.lobby.lobby import Destination
from gateway.lobby.registration import Registration
from gateway.ops.server import ACCOUNTS_S
from gateway.seating.registrar import Forbidden, Registrant
from gateway.store.bans import Ban
from gateway.store.log import SqlLog
from gateway.store.records import Append, MaybeStored
from gateway.tables.numbering import Counted
from gateway.tables.requests import STOPPING
from protocols.core.commands import Watch
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind
from tests.failing_record import Failing, failing
from tests.hall import FirstMove, Hall, alternate, config, hall
from tests.store.accounts_memory import MemoryAccounts
from tests.store.bans_memory import MemoryBans

GUEST = Registrant(address="192.0.2.7")


def asking(*seats: str, game: str = "tic_tac_toe") -> Registration:
    return Registration(registry.game(game).settings(), seats)


def settings(**registration: object) -> Config:
    return replace(config(), registration=Registering(**registration))  # type: ignore[arg-type]


@pytest.fixture
def on_disk(tmp_path: Path) -> Callable[[Callable[[list[Append]], None]], SqlLog]:
    """A record that a second server finds again."""
    url = f"sqlite:///{tmp_path / 'record.db'}"
    migrations.upgrade(url)
    return lambda deliver: SqlLog(url, deliver)


async def test_each_ticket_takes_its_seat_whoever_comes_first() -> None:
    async with hall() as here:
        made = await here.server.registrar.register(asking("ann", "bob"))
        bob, ann = here.dial(), here.dial()
        assert await bob.joins(f"tic_tac_toe#{made.tickets[1]}") == 1
        assert await ann.joins(f"tic_tac_toe#{made.tickets[0]}") == 0
        await alternate([ann, bob], 0, 3, 1)
        assert [seat.name for seat in here.state(made.table).seats] == ["ann", "bob"]


async def test_who_registers_what_may_be_stored_when_the_server_stops_is_told_to_ask_again(
    autojump_clock: MockClock,
) -> None:
    """The connection to the database was lost in the commit: "not stored" might be untrue."""
    async with trio.open_nursery() as nursery, hall(log=Failing) as here:
        failing(here).failures, failing(here).error = 1_000_000, MaybeStored("lost in its commit")
        nursery.start_soon(_is_told_to_ask_again, here)
        await here.until(lambda: bool(failing(here).refused))


async def _is_told_to_ask_again(here: Hall) -> None:
    with pytest.raises(Refused) as refused:
        await here.server.registrar.register(asking("ann", "bob"))
    assert refused.value.text == STOPPING


async def test_nobody_without_a_ticket_comes_to_a_reserved_seat() -> None:
    async with hall() as here:
        made = await here.server.registrar.register(asking("ann", "bob"))
        eve = here.dial()
        await eve.joins("tic_tac_toe")
        assert [seat.kind for seat in here.state(made.table).seats] == [SeatKind.RESERVED, SeatKind.RESERVED]
        assert here.state(made.table + 1).seats[0].kind is SeatKind.PLAYER


async def test_an_open_seat_of_a_registered_table_is_found_once_its_named_player_is_there() -> None:
    async with hall() as here:
        made = await here.server.registrar.register(asking("ann", "open"))
        assert made.tickets[1] == ""
        eve, ann = here.dial(), here.dial()
        assert await ann.joins(f"tic_tac_toe#{made.tickets[0]}") == 0
        assert await eve.joins("tic_tac_toe") == 1
        await alternate([ann, eve], 0)


@pytest.mark.parametrize("seats", [("mallory", "open"), ("open", "mallory")])
async def test_newcomers_meet_each_other_and_not_an_absent_name(seats: tuple[str, ...]) -> None:
    """A newcomer goes where a player waits: it sat down opposite a name that never came, and no bot did."""
    async with hall() as here:
        made = await here.server.registrar.register(asking(*seats))
        mallory, eve, ann = here.dial(), here.dial(), here.dial()
        await mallory.joins(f"tic_tac_toe#{''.join(made.tickets)}")
        await mallory.leaves()
        await here.until(lambda: SeatKind.PLAYER not in [seat.kind for seat in here.state(made.table).seats])
        assert await eve.joins("tic_tac_toe") == 0
        assert await ann.joins("tic_tac_toe") == 1
        await alternate([eve, ann], 0, 3)
        assert sorted(seat.kind for seat in here.state(made.table).seats) == sorted((SeatKind.OPEN, SeatKind.RESERVED))


@pytest.mark.parametrize("name", ["mallory", "MALLORY"])
async def test_a_banned_name_cannot_be_registered(name: str) -> None:
    bans = MemoryBans()
    bans.add(Ban("name", "mallory", "cheating"), "root")
    async with hall(bans=bans) as here:
        for by in (GUEST, Registrant(account="ann"), Registrant(admin=True)):
            with pytest.raises(Refused, match="cheating") as refusal:
                await here.server.registrar.register(asking(name, "open"), by)
            assert refusal.value.why is Why.BANNED
        assert not len(here.server.tables)


@pytest.mark.parametrize("name", ["gateway", "Host", "admin-2", "bot-1", "the house"])
async def test_a_name_that_is_kept_for_the_host_or_the_server_cannot_be_registered(name: str) -> None:
    async with hall() as here:
        with pytest.raises(Refused) as refusal:
            await here.server.registrar.register(asking(name, "open"), GUEST)
        assert refusal.value.why is Why.NAME_TAKEN


async def test_open_seats_of_a_private_table_are_taken_by_their_tickets_under_any_name() -> None:
    async with hall() as here:
        made = await here.server.registrar.register(replace(asking("open", "open"), private=True))
        here.dial()
        (observer,) = here.server.connections
        with pytest.raises(Refused, match="nobody more may look on"):
            await here.server.joining.watch(observer, Watch(made.table))
        eve, ann, bob = (here.dial() for _ in range(3))
        await eve.joins("tic_tac_toe")
        assert [seat.kind for seat in here.state(made.table).seats] == [SeatKind.OPEN, SeatKind.OPEN]
        assert await ann.joins(f"tic_tac_toe#{made.tickets[1]}") == 1
        assert await bob.joins(f"tic_tac_toe#{made.tickets[0]}") == 0
        await alternate([bob, ann], 0, 3)


async def test_no_house_bot_takes_an_open_seat_of_a_registered_table(
    autojump_clock: MockClock,
) -> None:
    async with hall(bots=FirstMove()) as here:
        made = await here.server.registrar.register(asking("ann", "open"))
        await here.dial().joins(f"tic_tac_toe#{made.tickets[0]}")
        await trio.sleep(10 * (here.server.config.seats.bot_after_s or 0))
        assert here.state(made.table).seats[1].kind is SeatKind.OPEN


async def test_a_house_bot_that_is_registered_plays() -> None:
    async with hall(bots=FirstMove()) as here:
        made = await here.server.registrar.register(asking("ann", "bot"))
        ann = here.dial()
        await ann.joins(f"tic_tac_toe#{made.tickets[0]}")
        await ann.puts(8)
        await here.until(lambda: here.state(made.table).ply == 2)


async def test_who_leaves_before_the_game_finds_the_seat_again() -> None:
    async with hall() as here:
        made = await here.server.registrar.register(asking("ann", "bob"))
        ann = here.dial()
        await ann.joins(f"tic_tac_toe#{made.tickets[0]}")
        await ann.leaves()
        await here.until(lambda: here.state(made.table).seats[0].kind is SeatKind.RESERVED)
        assert await here.dial().joins(f"tic_tac_toe#{made.tickets[0]}") == 0


async def test_a_table_whose_game_does_not_begin_closes_after_the_time_that_is_set(
    autojump_clock: MockClock,
) -> None:
    async with hall(config(seats=Seats(registered_s=50.0))) as here:
        made = await here.server.registrar.register(asking("ann", "bob"))
        await trio.sleep(49)
        assert made.table in here.server.tables
        await here.until(lambda: made.table not in here.server.tables)
        assert here.server.lobby.registered_pair("ann", "bob") is None


async def test_a_registered_table_is_there_after_a_restart(on_disk: Callable[..., SqlLog]) -> None:
    async with hall(log=on_disk, blocking=True, patience_s=20.0) as here:
        made = await here.server.registrar.register(asking("ann", "bob"))
    async with hall(log=on_disk, blocking=True, patience_s=20.0) as here:
        assert here.server.lobby.registered_pair("bob", "ann") == Destination(made.table, 1)
        guests = [here.dial() for _ in range(2)]
        for seat, guest in enumerate(guests):
            assert await guest.joins(f"tic_tac_toe#{made.tickets[seat]}") == seat
        await alternate(guests, 4, 0)


async def test_the_time_a_table_waits_goes_on_while_the_server_does_not_run(on_disk: Callable[..., SqlLog]) -> None:
    async with hall(config(seats=Seats(registered_s=1.0)), log=on_disk, blocking=True) as here:
        made = await here.server.registrar.register(asking("ann", "bob"))
    await trio.sleep(1.0)
    async with hall(log=on_disk, blocking=True, patience_s=20.0) as here:
        await here.until(lambda: made.table not in here.server.tables)


async def test_a_pair_has_one_unfinished_registered_game_of_a_kind() -> None:
    async with hall() as here:
        register = here.server.registrar.register
        await register(asking("ann", "bob"))
        with pytest.raises(Refused) as refusal:
            await register(asking("bob", "ann"))
        assert refusal.value.why is Why.NAME_TAKEN
        assert str(refusal.value) == "a game between bob and ann is registered already"
        await register(asking("ann", "bob", game="chess"))
        await register(asking("ann", "carl"))


async def test_of_two_that_register_a_pair_at_once_one_wins() -> None:
    async with hall() as here:
        answers: list[str] = []

        async def register() -> None:
            try:
                answers.append(str((await here.server.registrar.register(asking("ann", "bob"))).table))
            except Refused as refused:
                answers.append(str(refused))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(register)
            nursery.start_soon(register)
        assert sorted(answers)[1] == "a game between ann and bob is registered already"
        assert len(here.server.tables) == 1


async def test_a_number_that_another_server_has_taken_is_left_to_it() -> None:
    async with hall() as here:
        first = await here.server.registrar.register(asking("ann", "bob"))
        numbers = here.server.node.elsewhere.numbers
        assert isinstance(numbers, Counted)
        numbers._last = 0  # as if another server had taken the number meanwhile
        second = await here.server.registrar.register(asking("carl", "dora"))
        assert (first.table, second.table) == (1, 2)


async def test_with_an_admin_only_the_host_registers() -> None:
    async with hall(settings(who="admin")) as here:
        register = here.server.registrar.register
        with pytest.raises(Forbidden, match="only the host"):
            await register(asking("ann", "bob"), GUEST)
        with pytest.raises(Forbidden, match="only the host"):
            await register(asking("ann", "bob"), Registrant(account="ann"))
        assert (await register(asking("ann", "bob"), Registrant(admin=True))).table == 1


async def test_where_accounts_register_guests_do_not() -> None:
    async with hall(settings(who="accounts")) as here:
        with pytest.raises(Forbidden, match="have an account here"):
            await here.server.registrar.register(asking("ann", "bob"), GUEST)
        here.server.lobby.names.own(["ann"])
        made = await here.server.registrar.register(asking("ann", "bob"), Registrant(account="ann"))
        assert all(made.tickets)


async def test_a_guest_cannot_register_the_name_of_an_account() -> None:
    async with hall() as here:
        here.server.lobby.names.own(["Ann"])
        with pytest.raises(Forbidden, match="ann is the name of an account"):
            await here.server.registrar.register(asking("ann", "bob"), GUEST)


async def test_the_ticket_of_somebody_elses_account_is_handed_to_nobody_but_the_host() -> None:
    async with hall() as here:
        here.server.lobby.names.own(["ann", "bob"])
        made = await here.server.registrar.register(asking("ann", "bob"), Registrant(account="Ann"))
        assert [bool(ticket) for ticket in made.tickets] == [True, False]
        again = await here.server.registrar.register(asking("bob", "carl"), Registrant(admin=True))
        assert all(again.tickets)


async def test_a_guests_address_has_so_many_unfinished_tables_and_no_more() -> None:
    async with hall(settings(tables_per_address=2)) as here:
        register = here.server.registrar.register
        first = await register(asking("ann", "bob"), GUEST)
        await register(asking("carl", "dora"), GUEST)
        with pytest.raises(Refused) as refusal:
            await register(asking("eve", "finn"), GUEST)
        assert refusal.value.why is Why.TOO_FAST
        await register(asking("eve", "finn"), Registrant(address="192.0.2.8"))
        await finish(here, first.tickets)
        await register(asking("gus", "hal"), GUEST)


async def test_an_account_has_so_many_unfinished_tables_wherever_it_asks_from_and_the_host_any_number() -> None:
    async with hall(settings(tables_per_account=1, tables_per_address=1)) as here:
        register = here.server.registrar.register
        await register(asking("ann", "bob"), Registrant(account="Zoe", address="192.0.2.7"))
        with pytest.raises(Refused, match="1 tables registered by your account are not over") as refusal:
            await register(asking("carl", "dora"), Registrant(account="zoe", address="192.0.2.8"))
        assert refusal.value.why is Why.TOO_FAST
        await register(asking("carl", "dora"), GUEST)
        for pair in (("eve", "finn"), ("gus", "hal")):
            await register(asking(*pair), Registrant(admin=True, address="192.0.2.7"))


async def test_the_addresses_of_one_home_are_one() -> None:
    async with hall(settings(tables_per_address=1)) as here:
        register = here.server.registrar.register
        await register(asking("ann", "bob"), Registrant(address="2001:db8:1:2::1"))
        with pytest.raises(Refused):
            await register(asking("carl", "dora"), Registrant(address="2001:db8:1:2:3:4:5:6"))
        await register(asking("carl", "dora"), Registrant(address="2001:db8:1:3::1"))


async def finish(here: Hall, tickets: tuple[str, ...]) -> None:
    """The two play their game to its end and go."""
    guests = [here.dial() for _ in range(2)]
    for guest, ticket in zip(guests, tickets, strict=True):
        await guest.joins(f"tic_tac_toe#{ticket}")
    await alternate(guests, 0, 3, 1, 4, 2)
    for guest in guests:
        await guest.leaves()
    await here.until(lambda: 1 not in here.server.tables)


async def test_a_pair_that_is_registered_anew_may_still_play_a_rematch_at_its_first_table(
    on_disk: Callable[..., SqlLog],
) -> None:
    async with hall(log=on_disk, blocking=True, patience_s=20.0) as here:
        first = await here.server.registrar.register(asking("ann", "bob"))
        guests = [here.dial() for _ in range(2)]
        for guest, ticket in zip(guests, first.tickets, strict=True):
            await guest.joins(f"tic_tac_toe#{ticket}")
        await alternate(guests, 0, 3, 1, 4, 2)
        anew = await here.server.registrar.register(asking("ann", "bob"))
        for guest in guests:
            await guest.say("MSG_MOVE", -1, -1, "rematch")
            assert await guest.hear("RSP_MOVE") == (0,)
        await alternate(guests[::-1], 4, 0)  # sides are exchanged
    async with hall(log=on_disk, blocking=True, patience_s=20.0) as here:
        back = [here.dial() for _ in range(2)]
        for guest, ticket in zip(back, first.tickets, strict=True):
            await guest.joins(f"tic_tac_toe#{ticket}")
        await alternate(back[::-1], 8, 1)
        assert here.server.lobby.registered_pair("ann", "bob") == Destination(anew.table, 0)


async def test_a_full_server_registers_nothing() -> None:
    async with hall(config(tables=1)) as here:
        await here.server.registrar.register(asking("ann", "bob"))
        with pytest.raises(Refused) as refusal:
            await here.server.registrar.register(asking("carl", "dora"))
        assert refusal.value.why is Why.OVERLOAD


async def test_who_goes_away_while_the_table_is_stored_leaves_a_table_that_runs() -> None:
    async with hall() as here:
        with trio.CancelScope() as scope:
            scope.cancel()
            await here.server.registrar.register(asking("ann", "bob"))
        assert here.state(1).registered == ("ann", "bob")


async def test_a_name_that_is_registered_on_the_command_line_is_no_guests_a_moment_later(
    autojump_clock: MockClock,
) -> None:
    async with hall() as here:
        here.server.accounts.add("Ann", "hash", "root")
        await trio.sleep(2 * ACCOUNTS_S)
        guest = here.dial()
        await guest.joins("tic_tac_toe?name=ann")
        assert here.state(1).seats[0].name == "ann-2"


async def test_names_of_accounts_are_known_when_the_server_starts() -> None:
    accounts = MemoryAccounts()
    accounts.add("Ann", "hash", "root")
    async with hall(accounts=accounts) as here:
        assert here.server.lobby.names.choose("ANN") == "ANN-2"


async def test_nobody_looks_on_under_the_name_of_an_account() -> None:
    async with hall() as here:
        here.server.lobby.names.own(["Ann"])
        made = await here.server.registrar.register(asking("bob", "carl"))
        here.dial()
        (observer,) = here.server.connections
        await here.server.joining.watch(observer, Watch(made.table, name="ann"))
        assert here.server.tables[made.table].subscribers.observer(observer) == (observer, "ann-2")


async def _abandoned(here: Hall, by: Registrant) -> int:
    """Ann and bob are registered, play a move and lose their connections; the table, once it is adjourned."""
    made = await here.server.registrar.register(asking("ann", "bob"), by)
    players = [here.dial() for _ in range(2)]
    for seat, player in enumerate(players):
        assert await player.joins(f"tic_tac_toe#{made.tickets[seat]}") == seat
    await alternate(players, 4)
    for player in players:
        await player.leaves()
    await here.until(lambda: here.server.tables.recovery.statuses() == {"adjourned": 1})
    return made.table


async def test_an_abandoned_pair_is_registered_anew(autojump_clock: MockClock) -> None:
    """ "Registering a finished or abandoned pair again always works." """
    async with hall() as here:
        old = await _abandoned(here, GUEST)
        made = await here.server.registrar.register(asking("bob", "ann"), GUEST)
        await here.until(lambda: old not in here.server.tables and old not in here.server.tables.recovery)
        assert here.server.lobby.registered_pair("ann", "bob") == Destination(made.table, 1)
        bob, ann = here.dial(), here.dial()
        assert await ann.joins(f"tic_tac_toe#{made.tickets[1]}") == 1
        assert await bob.joins(f"tic_tac_toe#{made.tickets[0]}") == 0
        await alternate([bob, ann], 0)


async def test_a_game_whose_player_is_back_is_not_abandoned(autojump_clock: MockClock) -> None:
    async with hall() as here:
        made = await here.server.registrar.register(asking("ann", "bob"), GUEST)
        players = [here.dial() for _ in range(2)]
        for seat, player in enumerate(players):
            await player.joins(f"tic_tac_toe#{made.tickets[seat]}")
        await alternate(players, 4)
        await players[0].leaves()
        with pytest.raises(Refused, match="is registered already"):
            await here.server.registrar.register(asking("ann", "bob"), GUEST)
        await players[1].leaves()
        await here.until(lambda: here.server.tables.recovery.statuses() == {"adjourned": 1})
        assert await here.dial().joins(f"tic_tac_toe#{made.tickets[0]}") == 0
        with pytest.raises(Refused, match="is registered already"):
            await here.server.registrar.register(asking("ann", "bob"), GUEST)


@pytest.mark.parametrize(("by", "works"), [(Registrant(address="198.51.100.1"), False), (Registrant(admin=True), True)])
async def test_another_guest_does_not_end_the_game_that_two_have_left(
    autojump_clock: MockClock, by: Registrant, works: bool
) -> None:
    async with hall() as here:
        old = await _abandoned(here, GUEST)
        if works:
            await here.server.registrar.register(asking("ann", "bob"), by)
        else:
            with pytest.raises(Refused, match="is registered already"):
                await here.server.registrar.register(asking("ann", "bob"), by)
        assert (old in here.server.tables.recovery or old in here.server.tables) != works


async def test_tables_that_waited_in_vain_count_no_more(autojump_clock: MockClock) -> None:
    limited = replace(settings(tables_per_address=1), seats=Seats(registered_s=10.0))
    async with hall(limited) as here:
        await here.server.registrar.register(asking("ann", "bob"), GUEST)
        await trio.sleep(60.0)
        await here.server.registrar.register(asking("carl", "dora"), GUEST)


async def test_a_registrants_tables_are_counted_after_a_restart(on_disk: Callable[..., SqlLog]) -> None:
    for words in ("", "1 tables registered from your address are not over"):
        async with hall(settings(tables_per_address=1), log=on_disk, blocking=True) as here:
            if not words:
                await here.server.registrar.register(asking("ann", "bob"), GUEST)
                continue
            with pytest.raises(Refused, match=words):
                await here.server.registrar.register(asking("carl", "dora"), GUEST)


async def test_registrations_at_one_moment_are_counted_one_by_one(on_disk: Callable[..., SqlLog]) -> None:
    """Ten ask at once from an address that may have three."""
    refused = []

    async def registers(here: Hall, number: int) -> None:
        try:
            await here.server.registrar.register(asking(f"a{number}x", f"b{number}x"), GUEST)
        except Refused as refusal:
            refused.append(refusal.why)

    async with hall(settings(tables_per_address=3), log=on_disk, blocking=True) as here:
        async with trio.open_nursery() as nursery:
            for number in range(10):
                nursery.start_soon(registers, here, number)
        assert len(here.server.tables) == 3
    assert refused == [Why.TOO_FAST] * 7
