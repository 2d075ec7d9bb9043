"""A cluster in PostgreSQL and one in memory keep the same promises; test_nodes_races.py has what only one can have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gateway.store.nodes import LEASE_S, Holder, Node, Owner, Renewal
from gateway.store.records import Conflict
from tests import peers
from tests.store.clusters import LATE_S, InMemory, World, closing_step, on_postgresql, opened_at
from tests.store.steps import later, words


@pytest.fixture(params=["memory", pytest.param("postgresql", marks=peers.needed)])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    if request.param == "memory":
        yield InMemory()
        return
    with on_postgresql(request) as hosted:
        yield hosted


def test_a_node_that_has_joined_is_seen_by_others_with_all_it_has_said(world: World) -> None:
    one, other = world.process(), world.process()
    me = one.join("a", "1.2.3")
    assert one.renew(me, 7) == Renewal(draining=False)
    (found,) = other.living()
    assert found == Node(me, "a", "1.2.3", found.lease_s, False, 7, found.started_at)
    assert LEASE_S - 2 < found.lease_s <= LEASE_S
    world.passes(10)
    assert other.living()[0].lease_s < 0
    started = other.living()[0].started_at
    one.renew(me, 8)
    assert other.living()[0].started_at == started


def test_no_id_is_given_twice(world: World) -> None:
    nodes = world.process()
    ids = [nodes.join(name, "1") for name in ("a", "b", "a")]
    nodes.leave(ids[2])
    ids.append(nodes.join("a", "1"))
    assert sorted(set(ids)) == ids
    assert [node.id for node in nodes.living()] == [ids[1], ids[3]]


def test_whoever_starts_under_a_name_buries_its_predecessor_at_once(world: World) -> None:
    before, after = world.process(), world.process()
    old = before.join("a", "1")
    other = before.join("b", "1")
    desk = world.desk()
    assert desk.store(opened_at(old, 1)) == [None]
    new = after.join("a", "2")
    assert before.renew(old, 0) is None
    assert [node.id for node in after.living()] == [other, new]
    assert [row.table for row in after.claim(new, opened=True)] == [1]


def test_a_renewal_that_comes_late_counts_unless_the_node_was_buried(world: World) -> None:
    nodes = world.process()
    late, me = nodes.join("late", "1"), nodes.join("me", "1")
    world.passes(LATE_S)
    assert nodes.renew(late, 0) is not None
    world.passes(LATE_S)
    nodes.renew(me, 0)
    _hold(world, me)
    assert nodes.bury(me) == [late]
    assert nodes.renew(late, 0) is None


def _hold(world: World, *held: int) -> None:
    """Let a lease's time pass in which these nodes have no gap."""
    nodes = world.process()
    for _ in range(4):
        world.passes(LEASE_S / 3)
        for node in held:
            assert nodes.renew(node, 0) is not None


def test_only_leases_that_have_ended_are_buried_and_once(world: World) -> None:
    nodes = world.process()
    gone, me, other = (nodes.join(name, "1") for name in ("gone", "me", "other"))
    assert nodes.bury(me) == []
    _hold(world, me, other)
    assert nodes.bury(me) == [gone]
    assert nodes.bury(other) == nodes.bury(me) == []
    assert [node.id for node in nodes.living()] == [me, other]


def test_who_has_just_come_back_itself_buries_nobody_for_a_lease(world: World) -> None:
    """The database was away for all: the first node that is back must not bury the others."""
    nodes = world.process()
    me, other = nodes.join("me", "1"), nodes.join("other", "1")
    _hold(world, me, other)
    world.passes(10)
    assert nodes.bury(me) == []
    nodes.renew(me, 0)
    assert nodes.bury(me) == []
    assert nodes.renew(other, 0) is not None
    world.passes(LEASE_S - 1)
    nodes.renew(me, 0)
    world.passes(1.5)
    nodes.renew(me, 0)
    assert nodes.bury(me) == [other]


def test_a_newcomer_buries_nobody_before_it_has_held_a_lease(world: World) -> None:
    nodes = world.process()
    nodes.join("gone", "1")
    world.passes(LATE_S)
    assert nodes.bury(nodes.join("new", "1")) == []


def test_the_dead_bury_nobody(world: World) -> None:
    nodes = world.process()
    gone, me = nodes.join("gone", "1"), nodes.join("me", "1")
    _hold(world, me)
    nodes.leave(me)
    assert nodes.bury(me) == []
    assert [node.id for node in nodes.living()] == [gone]


def test_a_node_learns_by_its_renewal_that_it_is_to_drain(world: World) -> None:
    nodes = world.process()
    me = nodes.join("a", "1")
    assert nodes.drain("a", True)
    assert nodes.renew(me, 0) == Renewal(draining=True)
    assert nodes.living()[0].standing == "draining"
    world.passes(LATE_S)
    assert nodes.living()[0].standing == "late"
    nodes.renew(me, 0)
    assert nodes.drain("a", False)
    assert nodes.living()[0].standing == "serving"
    assert nodes.renew(me, 0) == Renewal(draining=False)
    assert not nodes.drain("b", True)
    assert nodes.renew(me, 0, drains=True) == Renewal(draining=True)
    assert nodes.renew(me, 0) == Renewal(draining=True)
    assert nodes.renew(me, 0, drains=False) == Renewal(draining=False)
    nodes.leave(me)
    assert not nodes.drain("a", True)


def test_a_claim_takes_what_is_not_over_and_no_living_nodes(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    me, other = nodes.join("me", "1"), nodes.join("other", "1")
    over = opened_at(None, 5, "playing")
    steps = [opened_at(None, 1), opened_at(other, 2), opened_at(me, 3), opened_at(None, 4, "adjourned"), over]
    assert set(desk.store(*steps, later(over, "b", status="over"))) == {None}
    found = nodes.claim(me, opened=True)
    assert [(row.table, row.epoch, row.node, row.status, row.last_seq) for row in found] == [
        (1, 2, me, "open", 1),
        (4, 2, me, "adjourned", 1),
    ]
    assert nodes.claim(me, opened=True) == []
    nodes.leave(other)
    assert [row.table for row in nodes.claim(me, opened=True)] == [2]


def test_a_claim_takes_the_tables_of_the_buried(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    gone, me = nodes.join("gone", "1"), nodes.join("me", "1")
    desk.store(opened_at(gone, 1, "playing"), opened_at(None, 2))
    _hold(world, me)
    assert [row.table for row in nodes.claim(me, opened=True)] == [2], "not buried yet"
    nodes.bury(me)
    assert [(row.table, row.epoch, row.node) for row in nodes.claim(me, opened=True)] == [(1, 2, me)]


def test_open_tables_are_left_to_who_asks_for_them(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    me, gone = nodes.join("me", "1"), nodes.join("gone", "1")
    desk.store(opened_at(None, 1), opened_at(None, 2, "playing"), opened_at(gone, 3), opened_at(gone, 4, "adjourned"))
    nodes.leave(gone)
    assert nodes.claim_table(me, 1, opened=False) is None
    assert [row.table for row in nodes.claim(me, opened=False)] == [2, 4]
    taken = nodes.claim_table(me, 1, opened=True)
    assert taken is not None
    assert (taken.table, taken.epoch, taken.node) == (1, 2, me)
    assert [row.table for row in nodes.claim(me, opened=True)] == [3]


def test_a_claim_has_a_limit_and_goes_on_where_it_ended(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    one, two, me = (nodes.join(name, "1") for name in ("one", "two", "me"))
    owners = [None, one, two]
    desk.store(*(opened_at(owners[table % 3], table) for table in range(1, 31)))
    world.process().leave(two)
    nodes.join("one", "1")
    found: list[int] = []
    while rows := nodes.claim(me, 4, opened=True):
        assert len(rows) <= 4
        numbers = [row.table for row in rows]
        assert numbers == sorted(numbers)
        found += numbers
    assert sorted(found) == list(range(1, 31))


def test_one_table_is_claimed_if_no_living_node_has_it(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    me, other = nodes.join("me", "1"), nodes.join("other", "1")
    over = opened_at(None, 3, "playing")
    desk.store(opened_at(other, 1), opened_at(me, 2), over, closing_step(over))
    assert [nodes.claim_table(me, table, opened=True) for table in (1, 2, 3, 9)] == [None] * 4
    nodes.join("other", "1")
    found = nodes.claim_table(me, 1, opened=True)
    assert found is not None
    assert (found.epoch, found.node) == (2, me)


def test_a_table_whose_game_is_over_is_claimed_where_that_is_wanted(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    me, other = nodes.join("me", "1"), nodes.join("other", "1")
    desk.store(opened_at(other, 1, "over"))
    assert nodes.claim_table(me, 1, opened=True, over=True) is None
    nodes.join("other", "1")
    assert nodes.claim_table(me, 1, opened=True) is None
    found = nodes.claim_table(me, 1, opened=False, over=True)
    assert found is not None
    assert (found.epoch, found.node, found.status) == (2, me, "over")


def test_the_dead_claim_nothing(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    dead = nodes.join("a", "1")
    nodes.join("a", "1")
    desk.store(opened_at(None, 1))
    assert nodes.claim(dead, opened=True) == []
    assert nodes.claim_table(dead, 1, opened=True) is None
    assert nodes.take_role(dead, "lobby") is None
    assert nodes.owner(1) == Owner(None, 1, False)


def test_an_old_owners_step_after_a_claim_is_a_conflict(world: World) -> None:
    nodes = world.process()
    old, new = nodes.join("old", "1"), nodes.join("new", "1")
    theirs, ours = world.desk(), world.desk(new)
    first = opened_at(old, 1, "playing")
    second = later(first, "before the claim")
    assert theirs.store(first, second) == [None, None]
    nodes.leave(old)
    (row,) = nodes.claim(new, opened=False)
    (late,) = theirs.store(later(second, "too late"))
    assert isinstance(late, Conflict)
    assert ours.store(later(second, "the new owner's", epoch=row.epoch)) == [None]
    assert words(ours.log.read(1)) == ["opened", "before the claim", "the new owner's"]


def test_a_table_is_given_only_as_it_stands(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    me, to, dead = (nodes.join(name, "1") for name in ("me", "to", "dead"))
    nodes.leave(dead)
    first = opened_at(me, 1, "playing")
    desk.store(first, later(first, "b"))
    for wrong in ((me, 1, 1, 1, to), (me, 1, 2, 2, to), (to, 1, 1, 2, me), (me, 2, 1, 2, to), (me, 1, 1, 2, dead)):
        assert not nodes.give(*wrong), wrong
    assert nodes.owner(1) == Owner(me, 1, True)
    assert nodes.give(me, 1, 1, 2, to)
    assert nodes.owner(1) == Owner(to, 2, True)
    assert not nodes.give(me, 1, 1, 2, to)
    (late,) = desk.store(later(later(first, "b"), "c"))
    assert isinstance(late, Conflict)


def test_the_owners_of_many_tables_are_read_at_once(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    me, gone = nodes.join("me", "1"), nodes.join("gone", "1")
    desk.store(opened_at(me, 1), opened_at(gone, 2), opened_at(None, 3))
    nodes.join("gone", "1")
    expected = {1: Owner(me, 1, True), 2: Owner(gone, 1, False), 3: Owner(None, 1, False)}
    assert nodes.owners([3, 9, 1, 2]) == expected
    assert nodes.owners([]) == {}
    assert [nodes.owner(table) for table in (1, 2, 3, 9)] == [*expected.values(), None]


def test_a_table_that_closes_is_nobodys_and_one_that_is_merely_over_stays(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    me = nodes.join("me", "1")
    over, closed = opened_at(me, 1, "playing"), opened_at(me, 2, "playing")
    ended = later(over, "b", status="over")
    assert set(desk.store(over, closed, ended, closing_step(closed))) == {None}
    assert nodes.owner(1) == Owner(me, 1, True, over=True)
    assert nodes.owner(2) == Owner(None, 1, False, over=True)
    assert desk.store(closing_step(ended)) == [None]
    assert nodes.owner(1) == Owner(None, 1, False, over=True)
    assert nodes.claim_table(me, 1, opened=True, over=True) is None  # nobody's for good


def test_what_a_node_leaves_is_nobodys_at_once(world: World) -> None:
    nodes, desk = world.process(), world.desk()
    me, other = nodes.join("me", "1"), nodes.join("other", "1")
    desk.store(opened_at(me, 1), opened_at(other, 2))
    assert (nodes.take_role(me, "lobby"), nodes.take_role(other, "janitor")) == (Holder(me, 1), Holder(other, 1))
    nodes.leave(me)
    assert nodes.owners([1, 2]) == {1: Owner(None, 1, False), 2: Owner(other, 1, True)}
    assert (nodes.role("lobby"), nodes.role("janitor")) == (None, Holder(other, 1))
    assert nodes.renew(me, 0) is None
    assert nodes.claim_table(other, 1, opened=True) is not None


def test_a_role_is_one_nodes_until_it_is_buried(world: World) -> None:
    nodes = world.process()
    me, other = nodes.join("me", "1"), nodes.join("other", "1")
    assert nodes.role("lobby") is None
    assert nodes.take_role(me, "lobby") == Holder(me, 1)
    assert nodes.take_role(me, "lobby") == Holder(me, 1)
    assert nodes.take_role(other, "lobby") == Holder(me, 1)
    assert nodes.role("lobby") == Holder(me, 1)
    nodes.join("me", "1")
    assert nodes.role("lobby") is None
    assert nodes.take_role(me, "lobby") is None
    assert nodes.take_role(other, "lobby") == Holder(other, 2)
    assert nodes.role("lobby") == Holder(other, 2)
    assert nodes.role("janitor") is None


def test_numbers_of_tables_come_in_blocks_without_an_overlap(world: World) -> None:
    nodes = world.process()
    blocks = [nodes.table_numbers() for _ in range(5)]
    assert [len(block) for block in blocks] == [100] * 5
    assert [number for block in blocks for number in block] == list(range(1, 501))
