"""Players at several nodes play, talk, agree, look on and come back as if there was one server."""

from __future__ import annotations

from functools import partial
from unittest.mock import patch

import trio
from trio.testing import MockClock

from gateway.table import seating
from gateway.table.state import Status
from protocols.core import commands as cmd
from protocols.core import proposals as prop
from protocols.core.model import SeatKind
from tests.cluster.cast import cast, ticket


async def test_players_of_two_nodes_play_a_game_to_its_end(autojump_clock: MockClock) -> None:
    """Each move is told to both, once and in order; the cast's checker sees to that."""
    async with cast("one", "two", "three") as here:
        anna, bert = await here.game("two", "three")
        for player, square in ((anna, 0), (bert, 3), (anna, 1), (bert, 4), (anna, 2)):
            await here.plays(player, square)
        assert here.state(bert).status is Status.OVER


async def test_a_seat_is_taken_back_at_another_node_with_its_ticket(autojump_clock: MockClock) -> None:
    """Anna's connection is lost; her ticket takes the seat back by the third node, and she plays on."""
    async with cast("one", "two", "three") as here:
        anna, bert = await here.game("two", "two")
        await here.plays(anna, 4)
        anna.end()
        anna = await here.sits("anna", "three")
        assert anna.seat == 0
        await here.plays(bert, 0)
        await here.plays(anna, 8)


async def test_a_seat_is_taken_back_at_another_node_by_its_address(autojump_clock: MockClock) -> None:
    """Anna's wire carries no ticket: her address takes the seat back by the third node, and she plays on."""
    async with cast("one", "two", "three") as here:
        anna = here.comes("anna", "two")
        await here.asks(anna, cmd.Join("tic_tac_toe", by_address=True))
        bert = await here.sits("bert", "two")
        await trio.sleep(1.0)
        await here.plays(anna, 4)
        anna.end()
        await trio.sleep(1.0)
        anna = here.comes("anna", "three")
        await here.asks(anna, cmd.Join("tic_tac_toe", by_address=True))
        assert (anna.seat, here.state(anna).table) == (0, here.state(bert).table)
        await here.plays(bert, 0)
        await here.plays(anna, 8)


async def test_the_newer_connection_of_a_seat_displaces_the_older_of_another_node(autojump_clock: MockClock) -> None:
    """Whoever comes with the ticket while its holder is there takes over; the older connection is closed."""
    async with cast("one", "two", "three") as here:
        anna, bert = await here.game("one", "two")
        again = await here.sits("anna", "three")
        assert (again.seat, anna.ended, anna.table) == (0, True, None)
        await here.plays(again, 4)
        await here.plays(bert, 0)


async def test_a_third_node_looks_on(autojump_clock: MockClock) -> None:
    """An observer of a node where nobody plays is told everything, and what is said to observers."""
    async with cast("one", "two", "three") as here:
        anna, bert = await here.game("one", "two")
        carl = here.comes("carl", "three")
        await here.asks(carl, cmd.Watch(anna.seen.table, name="carl"))
        await here.plays(anna, 4)
        await here.asks(bert, cmd.Say("observers", "look at this"))
        await here.plays(bert, 0)
        assert here.state(carl).ply == 2


async def test_talk_reaches_whom_it_is_meant_for(autojump_clock: MockClock) -> None:
    """What is said to all, to players and to observers is in the record once, whoever hears it where."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("two", "one")
        for player in (anna, bert):
            for to in ("all", "players", "observers"):
                await here.asks(player, cmd.Say(to, f"{player.seen.name} to {to}"))
        said = [row for row in here.world.record.tables[anna.seen.table].events if row.kind == "Said"]
        assert len(said) == 6


async def test_players_of_two_nodes_agree(autojump_clock: MockClock) -> None:
    """A takeback and a draw take effect when both have proposed them; one that is declined does not."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        await here.plays(anna, 4)
        await here.asks(anna, cmd.Propose(prop.Takeback(1)))
        await here.asks(bert, cmd.Propose(prop.Takeback(1)))
        assert here.state(anna).ply == 0
        await here.asks(bert, cmd.Propose(prop.Draw()))
        await here.asks(anna, cmd.Decline("Draw"))
        assert here.state(bert).status is Status.PLAYING
        for player in (bert, anna):
            await here.asks(player, cmd.Propose(prop.Draw()))
        assert here.state(bert).status is Status.OVER


async def test_a_player_of_another_node_resigns(autojump_clock: MockClock) -> None:
    """The game is over at both nodes."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        await here.asks(bert, cmd.Resign())
        assert here.state(anna).status is here.state(bert).status is Status.OVER


async def test_a_guests_name_is_unique_among_all_nodes(autojump_clock: MockClock) -> None:
    """The second Anna gets a number, at whatever node she comes."""
    async with cast("one", "two") as here:
        anna = await here.sits("anna", "one")
        other = here.comes("anna", "two")
        await here.asks(other, cmd.Join("reversi", "anna", "another-ticket-of-another-anna"))
        assert here.state(anna).seats[0].name == "anna"
        assert here.state(other).seats[0].name == "anna-2"


async def test_a_game_with_a_clock_is_timed_by_its_node_alone(autojump_clock: MockClock) -> None:
    """Bert thinks for ten seconds at another node than the table's, and his clock is charged with ten."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two", time="300")
        await here.plays(anna, 4)
        await trio.sleep(10.0)
        await here.plays(bert, 0)
        clock = here.state(anna).clock
        assert clock is not None
        assert 285.0 < clock.readings[1].main_s < 291.0


async def test_a_past_that_is_longer_than_a_message_is_read_from_the_record(autojump_clock: MockClock) -> None:
    """Who comes to a table with a long past is told all of it."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "one")
        for number in range(80):
            await here.asks(bert, cmd.Say("all", f"{number} " + "long" * 25))
        carl = here.comes("carl", "two")
        await here.asks(carl, cmd.Watch(anna.seen.table, name="carl"))
        assert carl.seen.knows >= 80


async def test_who_leaves_at_another_node_has_left(autojump_clock: MockClock) -> None:
    """A player who leaves a game for good loses it."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        await here.asks(bert, cmd.Leave(lost=False))
        assert bert.table is None
        assert here.state(anna).seats[1].kind is not SeatKind.PLAYER


async def test_who_left_while_its_node_was_cut_off_has_left_though_it_asks_for_another_seat(
    autojump_clock: MockClock,
) -> None:
    """The table's node says whom it knows while bert's request to a third node is not answered yet."""
    async with cast("one", "two", "three") as here:
        one, two, three = (here.nodes[name] for name in ("one", "two", "three"))
        board = here.world.board
        anna, bert = await here.game("three", "two")
        dora = await here.sits("dora", "one", "reversi")
        assert here.owner(anna) is three
        board.cut(two.me)
        await here.asks(bert, cmd.Leave(lost=False))
        board.part([two.me], [one.me], one_way=True)
        bert.asks(cmd.Watch(dora.seen.table, name="bert"))
        await trio.sleep(1.0)
        board.mend(two.me)
        await trio.sleep(2.0)
        assert here.state(anna).seats[1].kind is SeatKind.PLAYER
        board.join()
        await trio.sleep(5.0)
        assert bert.seen.table == dora.seen.table
        assert here.state(anna).seats[1].kind is not SeatKind.PLAYER


async def test_bus_that_is_slow_loses_and_doubles_costs_nothing_told(autojump_clock: MockClock) -> None:
    """A game over a bus that delays all, loses a tenth and doubles a tenth of its messages ends as it was played."""
    async with cast("one", "two", delay_s=(0.0, 0.2), lost=0.1, doubled=0.1) as here:
        anna, bert = await here.game("one", "two")
        for player, square in ((anna, 0), (bert, 3), (anna, 1), (bert, 4), (anna, 2)):
            await here.plays(player, square)
            await trio.sleep(3.0)  # until the other has been told, whatever was lost
        here.world.board.lost = 0.0
        await trio.sleep(5.0)
        assert here.state(bert).status is Status.OVER


async def test_clients_of_two_nodes_learn_that_their_table_is_closed_though_word_of_it_was_lost(
    autojump_clock: MockClock,
) -> None:
    """Each reads its end in the record; that one has done so does not keep the other from it."""
    async with cast("one", "two", "three") as here:
        one, two, three = (here.nodes[name] for name in ("one", "two", "three"))
        anna, bert = await here.game("two", "three")
        carl = here.comes("carl", "one")
        await here.asks(carl, cmd.Watch(anna.seen.table, name="carl"))
        assert here.owner(anna) is two
        here.world.board.part([two.me], [one.me, three.me])
        await two.server.tables[anna.seen.table].end(partial(seating.end_by_host, reason="maintenance"))
        await trio.sleep(1.0)
        here.world.board.join()
        await trio.sleep(5.0)
        assert [player.table for player in (bert, carl)] == [None, None]


async def test_a_seat_is_not_given_up_because_word_of_it_comes_before_the_seat(autojump_clock: MockClock) -> None:
    """The table's node says that bert is there, and what it said before, that he has the seat, is lost twice."""
    async with cast("one", "two") as here:
        board, anna = here.world.board, await here.sits("anna", "one")
        lost, stands, carry = 0, 0, board.carry

        def loses(sender: int, to: int, message: bytes) -> None:
            nonlocal lost, stands
            stands += b'"Stands"' in message
            if b'"Seated"' in message and lost < 2:
                lost += 1
            else:
                carry(sender, to, message)

        with patch.object(board, "carry", loses):
            bert = await here.sits("bert", "two")
        assert (lost, stands > 0) == (2, True)
        await here.plays(anna, 0)
        await here.plays(bert, 3)


async def test_who_has_left_for_good_is_let_in_anew_by_any_node(autojump_clock: MockClock) -> None:
    """The seat at a table that waits is anybody's, and the ticket stands for it no more, by the record, too."""
    async with cast("one", "two") as here:
        for name in ("anna", "bert"):
            player = here.comes(name, "one")
            await here.asks(player, cmd.Join("tic_tac_toe", name, ticket(name), ready=False))
        await here.asks(player, cmd.Leave(lost=False))
        again = here.comes("bert", "two")
        await here.asks(again, cmd.Join("reversi", "bert", ticket("bert")))
        assert (again.refused, again.seat) == (None, 0)
