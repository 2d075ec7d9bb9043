"""A connection looks on at several tables aside: each told in its order, none in another's, bounded, its own first."""

from __future__ import annotations

import trio
from trio.testing import MockClock, lockstep_stream_pair

from gateway import registry
from gateway.lobby.registration import Registration
from gateway.seating.registrar import THE_HOUSE
from gateway.sessions.listener import EntryPoint
from gateway.sessions.onlookers import MOST, OVER, OWN_TABLE, TOO_SLOW
from protocols.core.model import SeatKind
from protocols.web.dialect import Web
from tests.hall import ADDRESS, Guest, Hall, config, hall
from tests.narrow_peer import StreamPeer
from tests.onlooking import Page, page, playing, plays, watches

LINE = (0, 3, 1, 4, 2)
"""The first player's row; written a3 a2 b3 b2 c3."""


def observers(here: Hall, table: int) -> int:
    return here.server.tables[table].subscribers.observers


async def test_the_steps_of_each_table_come_in_order_and_under_its_number(autojump_clock: MockClock) -> None:
    """One table is watched from its second move on, all three move in turn, two games end."""
    async with hall(config()) as here:
        tables = [await playing(here) for _ in range(3)]
        await plays(tables[1][1], 0, LINE[0])
        watcher = await page(here)
        await watches(watcher, *(number for number, _ in tables))
        for ply, square in enumerate(LINE):
            for at, (_, players) in enumerate(tables):
                if at != 1 or ply:
                    await plays(players, ply, square if at else 8 - square)
        for number, _ in tables:
            await watcher.until("GameEnded", table=number)
        notations = [text for _, text in watcher.moves(tables[1][0])]
        assert notations == [text for _, text in watcher.moves(tables[2][0])] == ["a3", "a2", "b3", "b2", "c3"]
        assert [text for _, text in watcher.moves(tables[0][0])] == ["c1", "c2", "b1", "b2", "a1"]
        assert {message["type"] for message in watcher.heard} <= {"welcome", "seeks", "aside"}


async def test_a_connection_looks_on_at_so_many_tables_and_no_more(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        tables = [(await playing(here))[0] for _ in range(MOST + 1)]
        watcher = await page(here)
        await watches(watcher, *tables[:MOST])
        await watcher.says("watch", table=tables[MOST], aside=True, id=7)
        refused = await watcher.until("rejected")
        assert (refused["id"], refused["why"]) == (7, "overload")
        await watcher.says("unwatch", table=tables[0])
        await watches(watcher, tables[MOST])
        assert [observers(here, number) for number in tables] == [0, *[1] * MOST]


async def test_a_table_that_is_let_go_is_told_no_more(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        (one, players), (two, others) = await playing(here), await playing(here)
        watcher = await page(here)
        await watches(watcher, one, two)
        await watcher.says("unwatch", table=one)
        assert (await watcher.until("unwatched", table=one))["text"] == ""
        await plays(players, 0, 4)
        await plays(others, 0, 8)
        await watcher.until("MoveMade", table=two)
        assert (watcher.moves(one), observers(here, one)) == ([], 0)
        await watcher.says("unwatch", table=one)
        assert (await watcher.until("rejected"))["why"] == "not now"


async def test_a_table_that_is_watched_twice_begins_anew_and_has_one_observer(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        number, players = await playing(here)
        watcher = await page(here)
        await watches(watcher, number)
        await plays(players, 0, 4)
        await watches(watcher, number)
        await plays(players, 1, 0)
        await watcher.until("MoveMade", table=number)
        await here.until(lambda: observers(here, number) == 1)
        assert [text for _, text in watcher.moves(number)] == ["b2", "b2", "a3"]


async def test_a_player_looks_on_elsewhere_and_not_at_its_own_table(autojump_clock: MockClock) -> None:
    """Its own game has its own words; by its opponent's name it finds its own table, too."""
    async with hall(config()) as here:
        anna, bert = await page(here), await page(here)
        for player, name in ((anna, "anna"), (bert, "bert")):
            await player.says("join", game="tic_tac_toe", name=name)
            own = (await player.until("seated"))["table"]
        other, players = await playing(here)
        await watches(anna, other)
        for how in ({"table": own}, {"whom": "bert"}):
            await anna.says("watch", aside=True, **how)
            assert (await anna.until("rejected"))["why"] == "already seated"
        await plays([anna, bert], 0, 4)
        await plays(players, 0, 8)
        await anna.until("MoveMade", table=other)
        assert [text for _, text in anna.moves(other)] == ["c1"]
        assert sum(message.get("kind") == "MoveMade" for message in anna.heard) == 1
        await here.until(lambda: (observers(here, own), observers(here, other)) == (0, 1))


async def test_who_takes_a_place_at_a_watched_table_watches_it_aside_no_more(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        number, players = await playing(here)
        watcher = await page(here)
        await watches(watcher, number)
        await watcher.says("watch", table=number)
        assert (await watcher.until("unwatched", table=number))["text"] == OWN_TABLE
        await plays(players, 0, 4)
        await watcher.until("MoveMade")
        await here.until(lambda: observers(here, number) == 1)
        assert watcher.moves(number) == []


async def test_a_private_table_is_watched_aside_by_the_same_rule_as_any(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        settings, watcher = registry.game("tic_tac_toe").settings(""), await page(here)
        for watched in (False, True):
            asked = Registration(settings, ("open", "open"), private=True, watched=watched)
            made = await here.server.registrar.register(asked, THE_HOUSE)
            await watcher.says("watch", table=made.table, aside=True)
            if watched:
                await watcher.until("seated", table=made.table)
            else:
                assert (await watcher.until("rejected"))["why"] == "table full"
        await watcher.says("watch", table=99, aside=True)
        assert (await watcher.until("rejected"))["why"] == "not now"


async def test_words_reach_the_watched_table_they_are_said_at_and_no_other(autojump_clock: MockClock) -> None:
    """A player speaks there by the name of its seat."""
    async with hall(config()) as here:
        (one, _), (two, _) = await playing(here), await playing(here)
        (_, (speaker, _)), hearer = await playing(here, name="carl"), await page(here)
        await watches(speaker, one, two)
        await watches(hearer, one, two)
        await speaker.says("say", to="observers", text="see this", table=two)
        said = (await hearer.until("Said", table=two))["body"]
        assert (said["text"], said["name"]) == ("see this", "carl")
        await speaker.says("say", to="players", text="hello", table=one)
        assert (await speaker.until("rejected"))["why"] == "not seated"
        await speaker.says("say", to="observers", text="x", table=99)
        assert (await speaker.until("rejected"))["why"] == "not now"
        assert [message for message in hearer.aside(one) if message.get("kind") == "Said"] == []


async def test_what_a_closed_table_says_last_is_that_it_is_watched_no_more(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        number, players = await playing(here)
        other, others = await playing(here)
        watcher = await page(here)
        await watches(watcher, number, other)
        for one in players:
            await one.says("resign")
            await one.until("GameEnded")
            await one.says("leave")
        assert (await watcher.until("unwatched", table=number))["text"] == OVER
        await plays(others, 0, 4)
        await watcher.until("MoveMade", table=other)
        assert [message["type"] for message in watcher.aside(number)].count("unwatched") == 1


async def test_a_lost_connection_leaves_no_observer_behind(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        tables = [(await playing(here))[0] for _ in range(3)]
        watcher = await page(here)
        await watches(watcher, *tables)
        await watcher.closes()
        await here.until(lambda: [observers(here, number) for number in tables] == [0, 0, 0])


async def test_who_looks_on_aside_only_is_not_hung_up_on_for_want_of_a_seat(autojump_clock: MockClock) -> None:
    async with hall(config(lobby_s=100.0)) as here:
        number, _ = await playing(here)
        watcher, idle = await page(here), await page(here)
        await watches(watcher, number)
        await trio.sleep(300.0)
        assert (watcher.guest.peer.closed, idle.guest.peer.closed) == (False, True)
        await watcher.says("unwatch", table=number)
        await trio.sleep(50.0)
        assert not watcher.guest.peer.closed
        await trio.sleep(100.0)
        assert watcher.guest.peer.closed


async def slow(here: Hall) -> Page:
    """A page to which nothing is sent that it does not read."""
    ours, theirs = lockstep_stream_pair()
    here.server.enter(EntryPoint(Web, {}, here.server.house_rules), StreamPeer(theirs), ADDRESS)
    made = Page(Guest(ours, None, here.patience_s))
    await made.says("hello", v=1)
    await made.until("welcome")
    return made


async def test_a_slow_reader_loses_what_it_watches_and_keeps_its_own_game(autojump_clock: MockClock) -> None:
    """More than half of the bytes that may wait for it do, and never all of them."""
    async with hall(config(unread_bytes=20_000, unread_s=10_000.0)) as here:
        reader, opponent = await slow(here), await page(here)
        for player in (reader, opponent):
            await player.says("join", game="tic_tac_toe")
            own = (await player.until("seated"))["table"]
        await reader.until("moves")
        tables = [await playing(here) for _ in range(2)]
        await watches(reader, *(number for number, _ in tables))
        said = 0
        while observers(here, tables[0][0]):
            await tables[0][1][0].says("say", to="all", text="x" * 200)
            await tables[0][1][1].until("Said")
            said += 1
            assert said < 100
        await here.until(lambda: observers(here, tables[1][0]) == 0)
        assert said > 20
        await reader.says("play", move=[None, 4, "x"])
        await opponent.until("MoveMade")
        assert here.state(own).seats[0].kind is SeatKind.PLAYER
        await reader.until("MoveMade")
        for number, _ in tables:
            assert reader.aside(number)[-1] == {"type": "unwatched", "text": TOO_SLOW}
        assert reader.moves(tables[0][0]) == []
